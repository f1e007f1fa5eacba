import { dirname } from 'node:path'
import { expect } from 'vitest'
import { startFaultGateway } from '../gateway/faultGateway.ts'
import { ledgerFile, paymentsOf } from '../ledger/storedLedger.ts'
import { type SystemCall, traced } from '../syscalls.ts'
import { emptyWorld } from '../world.ts'

const WRITES = ['write', 'writev', 'pwrite64', 'pwritev', 'sendto', 'sendmsg', 'sendmmsg']
const SYNCS = ['fsync', 'fdatasync']

/** A first and a second payment from a machine that has made none, each traced from outside. */
export async function expectDurableBeforeSent(kind: 'transfer' | 'refund', run: number): Promise<void> {
  const gateway = await startFaultGateway()
  const world = emptyWorld({ PIXGATE_BASE_URL: gateway.url })
  const folder = dirname(ledgerFile(world))
  for (const nth of ['first', 'second']) {
    const name = `${nth}-${run}`
    const args =
      kind === 'transfer'
        ? ['transfer', '--key', `${name}@example.com`, '--amount', '10', '--external-id', name, '--yes', '-o', 'json']
        : ['refund', name, '--amount', '1', '--reason', 'damaged', '--yes', '-o', 'json']
    const { exit, calls } = await traced(world, args)
    expect(exit).toBe(0)
    const [post, ...more] = calls.filter((call) => isWrite(call) && call.args.includes('"POST /'))
    expect(more).toEqual([])
    expectCommitted(calls, ['attempt', name], post)
    const printed = calls.find((call) => isWrite(call) && call.args.startsWith('1<'))
    expectCommitted(calls, ['answer', 'accepted'], printed)
    if (nth === 'second') continue
    for (const each of [folder, dirname(folder)]) expectSynced(calls, each, -1, post)
  }
  expect(gateway.ledger).toHaveLength(2)
  expect((await paymentsOf(world)).map(({ state }) => state)).toEqual(['accepted', 'accepted'])
}

/** The record of a type that names this was written to the log of SQLite, and that was synced, before another call began. */
function expectCommitted(
  calls: readonly SystemCall[],
  [type, name]: [string, string],
  before: SystemCall | undefined,
): void {
  const written = calls.find(
    ({ args, ...call }) =>
      isWrite(call) &&
      args.includes('/ledger.db-wal>') &&
      args.includes(`\\"type\\":\\"${type}\\"`) &&
      args.includes(name),
  )
  expect(written?.result ?? 0, `a record of type ${type}`).toBeGreaterThan(0)
  expectSynced(calls, '/ledger.db-wal', written?.end ?? Number.POSITIVE_INFINITY, before)
}

/** What this path ends with was synced after one line of the trace and before another call began. */
function expectSynced(calls: readonly SystemCall[], path: string, after: number, before: SystemCall | undefined): void {
  const synced = calls.find(
    ({ name, args, begin, result }) =>
      SYNCS.includes(name) && args.endsWith(`${path}>`) && begin > after && result === 0,
  )
  expect(synced, `a sync of ${path}`).toBeDefined()
  expect(before, 'what must come after it').toBeDefined()
  expect(synced?.end).toBeLessThan(before?.begin ?? -1)
}

function isWrite({ name }: Pick<SystemCall, 'name'>): boolean {
  return WRITES.includes(name)
}
