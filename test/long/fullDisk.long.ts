import { existsSync } from 'node:fs'
import { expect, it } from 'vitest'
import { SEGMENT_BYTES_MAX, sealedPath } from '../../src/timeline/segments.ts'
import { sendWithFree } from '../money/batchFullDisk.ts'
import { canMount, mountDisk, payWithFree } from '../money/fullDisk.ts'

const STEP_BYTES = 256
const MOST_BYTES = 16 * 1024

it.each([
  { isNewMachine: false, isBroken: false },
  { isNewMachine: false, isBroken: true },
])('sends nothing without a record from 0 to 16 KiB free, broken connection: $isBroken', async (way) => {
  expect(canMount(), 'only root can mount a small disk').toBe(true)
  const disk = await mountDisk()
  const seen = new Set<string>()
  for (let freeBytes = 0; freeBytes <= MOST_BYTES; freeBytes += STEP_BYTES) {
    const { exit, whileFull } = await payWithFree(disk, freeBytes, way)
    seen.add(`${exit} ${whileFull}`)
  }
  console.log(`exit of transfer, exit of resume while full: ${[...seen].sort().join('; ')}`)
})

it.each([false, true])('the same on a machine without a timeline, broken connection: %s', async (isBroken) => {
  const disk = await mountDisk()
  for (let pages = 0; pages <= 4; pages++) await payWithFree(disk, pages * 4096, { isNewMachine: true, isBroken })
})

it.each([false, true])('the same where a new file must be begun, broken connection: %s', async (isBroken) => {
  // Full even where some bytes of its last page are left free.
  const disk = await mountDisk(SEGMENT_BYTES_MAX / 4096 + 1)
  for (let freeBytes = 0; freeBytes <= 3 * 4096; freeBytes += 1024) {
    await payWithFree(disk, freeBytes, { isNewMachine: false, isBroken })
    expect(existsSync(sealedPath(disk.log, 1))).toBe(true)
  }
})

it('sends no row of a batch without a record from 0 to 16 KiB free, and none twice', async () => {
  const disk = await mountDisk()
  const seen = new Map<number, number>()
  let partly = 0
  for (let freeBytes = 0; freeBytes <= MOST_BYTES; freeBytes += STEP_BYTES) {
    const { exit, sent } = await sendWithFree(disk, freeBytes)
    seen.set(exit, (seen.get(exit) ?? 0) + 1)
    if (sent > 0 && exit !== 0) partly += 1
  }
  console.log(`exits: ${JSON.stringify([...seen])}, ended in the middle: ${partly}`)
  expect(partly).toBeGreaterThan(0)
})
