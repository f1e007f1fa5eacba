import { expect, it } from 'vitest'
import { sendWithFree } from '../money/batchFullDisk.ts'
import { mountDisk } from '../money/fullDisk.ts'

const STEP_BYTES = 256
const MOST_BYTES = 16 * 1024

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
