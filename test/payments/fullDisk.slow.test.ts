import { spawnSync } from 'node:child_process'
import { expect, it } from 'vitest'
import { endingOf } from '../gateway/commandLines.ts'
import { canMountDisk, payOnFullDisk, smallDisk } from './smallDisk.ts'

const canMount = canMountDisk()
if (!canMount) console.warn('SKIPPED: no disk can be mounted here, so full and read-only disks are not tested')

it.skipIf(!canMount).each([
  { isOpen: false, isBroken: false, pages: [0, 4, 120] },
  { isOpen: true, isBroken: false, pages: [0, 4, 120] },
  { isOpen: true, isBroken: true, pages: [0, 40, 120] },
])('sends nothing without a record on a full disk: %o', { timeout: 120_000 }, async ({ pages, ...way }) => {
  const disk = await smallDisk({ isNewMachine: false })
  const exits: number[] = []
  for (const freePages of pages) exits.push(await payOnFullDisk(disk, { freePages, ...way }))
  expect(exits[0]).toBe(2)
  expect(exits.at(-1)).toBe(way.isBroken ? 5 : 0)
})

it.skipIf(!canMount)(
  'sends nothing on a full disk from a machine that has no ledger',
  { timeout: 60_000 },
  async () => {
    const disk = await smallDisk({ isNewMachine: true })
    expect(await payOnFullDisk(disk, { freePages: 0, isOpen: false, isBroken: false })).toBe(2)
  },
)

it.skipIf(!canMount)('sends nothing if the folder is read-only', async () => {
  const { folder, world, gateway } = await smallDisk({ isNewMachine: false })
  spawnSync('mount', ['-o', 'remount,ro', folder])
  const payment = ['transfer', '--key', 'maria@example.com', '--amount', '1', '--yes', '-o', 'json']
  expect(endingOf(await world.run(payment))).toMatchObject({ exit: 2, outcome: 'not-sent' })
  expect(gateway.arrivals).toHaveLength(1)
})
