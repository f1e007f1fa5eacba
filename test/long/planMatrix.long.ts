import { afterAll, describe, expect, it } from 'vitest'
import { DOORS } from '../cli/planDoors.ts'
import { BAD_INPUTS, newStage, tryDoor } from '../cli/planMatrix.ts'
import { people } from '../cli/planPeople.ts'
import { itOnPostgres, type TestPostgres, withPostgres } from '../postgres.ts'

const cast = people(afterAll, 'maria', 'second', 'joao', 'old', 'eva')

let postgres: TestPostgres
withPostgres((started) => {
  postgres = started
})

describe.each(DOORS)('every bad input is refused at the door $name, and the genuine plan is sent once', (door) => {
  it('without a shared ledger', async () => {
    expect(await tryDoor(await newStage(cast), door, BAD_INPUTS)).toBe(BAD_INPUTS.length)
  })

  itOnPostgres('with a shared ledger', async () => {
    expect(await tryDoor(await newStage(cast, postgres), door, BAD_INPUTS)).toBe(BAD_INPUTS.length)
  })
})
