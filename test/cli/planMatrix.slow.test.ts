import { afterAll, expect, it } from 'vitest'
import { DOORS } from './planDoors.ts'
import { BAD_INPUTS, newStage, tryDoor } from './planMatrix.ts'
import { people } from './planPeople.ts'

const cast = people(afterAll, 'maria', 'second', 'joao', 'old', 'eva')

it.each(DOORS.map((door, index) => ({ name: door.name, door, index })))(
  'a tenth of all bad inputs is refused at the door $name, and the genuine plan beside each is sent once',
  async ({ door, index }) => {
    const bad = BAD_INPUTS.filter((_, place) => place % (2 * DOORS.length) === 2 * index)
    expect(await tryDoor(await newStage(cast), door, bad)).toBe(bad.length)
  },
)
