import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { changeProfiles } from '../../src/profiles/changeProfiles.ts'
import { readProfiles } from '../../src/profiles/store.ts'
import { emptyWorld } from '../world.ts'
import { crowdOfChanges, editsOnFullDisk, mountSmallDisk } from './crowd.ts'
import { manyProfiles, storeFolder } from './storeWorld.ts'

it('loses no change of 5 processes that make 12 each', { timeout: 60_000 }, async () => {
  const folder = storeFolder()
  expect(await crowdOfChanges(folder, 5, 12)).toBe(0)
  expect((await readProfiles(folder)).profiles.size).toBe(60)
  expect(readdirSync(folder).sort()).toEqual(['profiles.json', 'profiles.lock'])
})

it('is the old or the new one on a full disk, as the exit code says', async (context) => {
  const world = emptyWorld()
  if (!mountSmallDisk(world)) {
    console.warn('SKIPPED: a file system of its own can only be mounted by root')
    return context.skip()
  }
  await changeProfiles(join(world.home, 'config'), () => ({ active: null, profiles: manyProfiles(30) }))
  const results = await editsOnFullDisk(world, [0, 8192, 16_384, 20_480, 32_768])
  expect(results.map(({ isStored }) => isStored)).toContain(true)
  expect(results.map(({ isStored }) => isStored)).toContain(false)
})
