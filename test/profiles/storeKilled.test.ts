import { join } from 'node:path'
import { expect, it } from 'vitest'
import { changeProfiles } from '../../src/profiles/changeProfiles.ts'
import { readProfiles } from '../../src/profiles/store.ts'
import { emptyWorld } from '../world.ts'
import { killedChanges, killedCommands } from './crowd.ts'
import { manyProfiles, storeFolder } from './storeWorld.ts'

it('is whole after each of 6 processes was killed while it changed the store', { timeout: 60_000 }, async () => {
  const folder = storeFolder()
  await changeProfiles(folder, () => ({ active: null, profiles: manyProfiles(30) }))
  await killedChanges(folder, 6)
  expect((await readProfiles(folder)).profiles.size).toBe(31)
})

it('is whole after each of 4 edits was killed', async () => {
  const world = emptyWorld()
  await changeProfiles(join(world.home, 'config'), () => ({ active: null, profiles: manyProfiles(30) }))
  const { stored, lost } = await killedCommands(world, 4)
  expect(stored + lost).toBe(4)
})
