import { expect, it } from 'vitest'
import { canMount, mountDisk, payWithFree } from './fullDisk.ts'

const CAN_MOUNT = canMount()
if (!CAN_MOUNT) console.warn('SKIPPED: only root can mount a small disk, so nobody looks what happens on a full one')

const FREE_BYTES = [0, 256, 512, 768, 1024, 1280, 1536, 4096, 16384]

it.skipIf(!CAN_MOUNT)(
  'sends nothing without a record on a full disk, and says what is true',
  { timeout: 120_000 },
  async () => {
    const disk = await mountDisk()
    const seen = new Set<string>()
    for (const freeBytes of FREE_BYTES) {
      const { exit, whileFull } = await payWithFree(disk, freeBytes, { isNewMachine: false, isBroken: true })
      seen.add(`${exit} ${whileFull}`)
    }
    await payWithFree(disk, 1024, { isNewMachine: false, isBroken: false })
    await payWithFree(disk, 0, { isNewMachine: true, isBroken: false })
    // Nothing recorded; only the intent; the intent and more.
    expect([...seen].sort()).toEqual(['2 3', '5 0', '5 2'])
  },
)
