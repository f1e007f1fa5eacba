import { join } from 'node:path'
import { expect, it } from 'vitest'
import { changeProfiles } from '../../src/profiles/changeProfiles.ts'
import { readProfiles } from '../../src/profiles/store.ts'
import { crowdOfCommands, editsOnFullDisk, killedChanges, killedCommands, mountSmallDisk } from '../profiles/crowd.ts'
import { manyProfiles, storeFolder } from '../profiles/storeWorld.ts'
import { emptyWorld } from '../world.ts'

it('keeps 400 of 400 profiles that 8 command lines add at once', async () => {
  const world = emptyWorld()
  expect(await crowdOfCommands(world, 8, 50)).toEqual([])
  const { active, profiles } = await readProfiles(join(world.home, 'config'))
  expect([profiles.size, profiles.has(active ?? '')]).toEqual([400, true])
})

it('is whole after each of 200 processes was killed while it changed the store', async () => {
  const folder = storeFolder()
  await changeProfiles(folder, () => ({ active: null, profiles: manyProfiles(30) }))
  await killedChanges(folder, 200)
  expect((await readProfiles(folder)).profiles.size).toBe(31)
})

it('is whole after each of 200 edits was killed', async () => {
  const world = emptyWorld()
  await changeProfiles(join(world.home, 'config'), () => ({ active: null, profiles: manyProfiles(30) }))
  const { stored, lost } = await killedCommands(world, 200)
  console.info(`killed edits: ${stored} stored, ${lost} not`)
  expect(Math.min(stored, lost)).toBeGreaterThan(0)
})

it('is the old or the new one on a disk with 0 to 48 KiB of room, as the exit code says', async (context) => {
  const world = emptyWorld()
  if (!mountSmallDisk(world)) {
    console.warn('SKIPPED: a file system of its own can only be mounted by root')
    return context.skip()
  }
  await changeProfiles(join(world.home, 'config'), () => ({ active: null, profiles: manyProfiles(30) }))
  const frees = Array.from({ length: 65 }, (_, step) => step * 768)
  const results = await editsOnFullDisk(world, frees)
  const stored = results.filter(({ isStored }) => isStored).length
  console.info(`full disk: ${stored} of ${results.length} stored`)
  expect(Math.min(stored, results.length - stored)).toBeGreaterThan(0)
})
