import { expect, it } from 'vitest'
import { HOSTILE_ANSWERS } from '../gateway/hostileAnswers.ts'
import { meetAnswer } from '../gateway/hostileServer.ts'

it(`meets ${HOSTILE_ANSWERS.length} hostile answers in time, in little memory, and with the right exit code`, async () => {
  const wrong: unknown[] = []
  const slowest = [0, 0]
  let largest = 0
  for (const answer of HOSTILE_ANSWERS) {
    const met = await meetAnswer(answer).catch((error: unknown) => {
      wrong.push(error instanceof Error ? error.message : error)
      return []
    })
    for (const [index, { ms }] of met.entries()) slowest[index] = Math.max(slowest[index] ?? 0, ms)
    largest = Math.max(largest, ...met.map(({ megabytes }) => megabytes))
  }
  const [query, payment] = slowest.map((ms) => ms.toFixed(0))
  console.log(`slowest query ${query} ms, payment ${payment} ms at a timeout of 2 s; largest ${largest.toFixed(0)} MB`)
  expect(wrong).toEqual([])
})
