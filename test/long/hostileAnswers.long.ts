import { expect, it } from 'vitest'
import { HOSTILE_ANSWERS } from '../gateway/hostileAnswers.ts'
import { meetAnswer } from '../gateway/hostileServer.ts'

it(`meets ${HOSTILE_ANSWERS.length} hostile answers in time, in little memory, and with the right exit code`, async () => {
  const wrong: unknown[] = []
  let [slowest, largest] = [0, 0]
  for (const answer of HOSTILE_ANSWERS) {
    const met = await meetAnswer(answer).catch((error: unknown) => {
      wrong.push(error instanceof Error ? error.message : error)
      return []
    })
    slowest = Math.max(slowest, ...met.map(({ ms }) => ms))
    largest = Math.max(largest, ...met.map(({ megabytes }) => megabytes))
  }
  console.log(`slowest ${slowest.toFixed(0)} ms at a timeout of 2 s, largest ${largest.toFixed(0)} MB`)
  expect(wrong).toEqual([])
})
