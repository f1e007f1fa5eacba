import { expect, it } from 'vitest'
import { canMountDisk, payOnFullDisk, smallDisk } from '../payments/smallDisk.ts'

const PAGES_MAX = 48

it.each([
  { isOpen: false, isBroken: false },
  { isOpen: false, isBroken: true },
  { isOpen: true, isBroken: false },
  { isOpen: true, isBroken: true },
])(`sends nothing without a record with 0 to ${PAGES_MAX} free pages: %o`, async (way) => {
  expect(canMountDisk(), 'only root can mount a small disk').toBe(true)
  const disk = await smallDisk({ isNewMachine: false })
  const exits: number[] = []
  for (let freePages = 0; freePages <= PAGES_MAX; freePages++)
    exits.push(await payOnFullDisk(disk, { freePages, ...way }))
  console.log(`exit codes by free pages: ${exits.join(' ')}`)
})
