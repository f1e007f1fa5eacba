import { expect, it } from 'vitest'
import { canMount, mountDisk, payWithFree } from './fullDisk.ts'

const CAN_MOUNT = canMount()
if (!CAN_MOUNT) console.warn('SKIPPED: only root can mount a small disk, so nobody looks what happens on a full one')
const AMPLE_BYTES = 16 * 1024
const TORN = { isNewMachine: false, isBroken: true }

const onFullDisk = it.skipIf(!CAN_MOUNT)

onFullDisk('sends nothing without a record on a full disk, and says what is true', { timeout: 120_000 }, async () => {
  const disk = await mountDisk()
  const { intentBytes, ...ample } = await payWithFree(disk, AMPLE_BYTES, TORN)
  expect(ample).toEqual({ exit: 5, isWarned: false, whileFull: 0 })
  expect(await payWithFree(disk, 0, TORN)).toMatchObject({ exit: 2, whileFull: 3 })
  expect(await payWithFree(disk, intentBytes - 1, TORN)).toMatchObject({ exit: 2, whileFull: 3 })
  // There is room for the intent, but neither for its outcome nor for going on with it.
  expect(await payWithFree(disk, intentBytes, TORN)).toMatchObject({ exit: 5, whileFull: 2 })
  const well = await payWithFree(disk, intentBytes + 1, { ...TORN, isBroken: false })
  expect(well).toMatchObject({ exit: 0, isWarned: true, whileFull: 2 })
  expect(await payWithFree(disk, 0, { ...TORN, isNewMachine: true })).toMatchObject({ exit: 2, whileFull: 3 })
})
