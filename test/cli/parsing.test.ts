import { expect, it } from 'vitest'
import { attachWaitDefault } from '../../src/cli/options.ts'

it.each([
  ['status --wait id-1', 'status --wait=default id-1'],
  ['status id-1 --wait', 'status id-1 --wait=default'],
  ['status --wait --json id-1', 'status --wait=default --json id-1'],
  ['status --wait 5m id-1', 'status --wait 5m id-1'],
  ['status --wait=5m id-1', 'status --wait=5m id-1'],
  ['sandbox exec -- pixgate status --wait id-1', 'sandbox exec -- pixgate status --wait id-1'],
])('%s', (typed, meant) => {
  expect(attachWaitDefault(typed.split(' ')).join(' ')).toBe(meant)
})
