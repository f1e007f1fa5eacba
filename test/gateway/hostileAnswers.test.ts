import { expect, it } from 'vitest'
import { HOSTILE_ANSWERS } from './hostileAnswers.ts'
import { meetAnswer } from './hostileServer.ts'

it.each(['an endless body', 'endless announcements', 'a gzip bomb'])(
  '%s ends in time and in little memory',
  async (name) => {
    const answer = HOSTILE_ANSWERS.find((each) => each.name === name)
    expect(answer).toBeDefined()
    if (answer !== undefined) await meetAnswer(answer)
  },
)
