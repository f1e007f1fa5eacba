import { readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect } from 'vitest'
import { startFaultGateway } from '../gateway/faultGateway.ts'
import { emptyWorld } from '../world.ts'
import { type SystemCall, textIn, traced } from './syscalls.ts'

const WRITES = ['write', 'writev', 'pwrite64', 'pwritev', 'sendto', 'sendmsg', 'sendmmsg']
const SYNCS = ['fsync', 'fdatasync']

/** A first and a second payment from a machine that has made none, each traced from outside. */
export async function expectDurableBeforeSent(kind: 'transfer' | 'refund', run: number): Promise<void> {
  const gateway = await startFaultGateway()
  const world = emptyWorld({ PIXGATE_BASE_URL: gateway.url })
  for (const nth of ['first', 'second']) {
    const args =
      kind === 'transfer'
        ? ['transfer', '--key', `${nth}-${run}@example.com`, '--amount', '10', '--yes', '-o', 'json']
        : ['refund', `${nth}-${run}`, '--amount', '1', '--reason', 'damaged', '--yes', '-o', 'json']
    const { exit, calls } = await traced(world, args)
    expect(exit).toBe(0)
    const folder = join(world.home, 'data')
    const [post, ...more] = calls.filter((call) => isWrite(call) && call.args.includes('"POST /'))
    expect(more).toEqual([])
    expectRecorded(calls, 'intent', post)
    const printed = calls.find((call) => isWrite(call) && call.args.startsWith('1<'))
    expectRecorded(calls, 'outcome', printed)
    if (nth === 'second') continue
    for (const each of [folder, dirname(folder)]) expectSynced(calls, each, -1, post)
  }
  expect(gateway.ledger).toHaveLength(2)
  expect(readFileSync(join(world.home, 'data', 'timeline.log'), 'utf8').split('\n')).toHaveLength(5)
}

/** A batch of so many rows: each is on the disk before its POST, and what became of it before its line on stdout. */
export async function expectBatchDurable(rows: number): Promise<void> {
  const gateway = await startFaultGateway()
  const world = emptyWorld({ PIXGATE_BASE_URL: gateway.url })
  const file = join(world.home, 'payroll.csv')
  const lines = Array.from({ length: rows }, (_, row) => `p${row}@example.com,${row + 1}`)
  writeFileSync(file, `key,value\n${lines.join('\n')}\n`)
  const { exit, calls } = await traced(world, ['batch', 'transfer', file, '--yes', '-o', 'json', '--concurrency', '3'])
  expect(exit).toBe(0)
  const records = calls.filter((call) => isWrite(call) && call.args.includes('/timeline.log>')).flatMap(recordsIn)
  const posts = calls.filter((call) => isWrite(call) && call.args.includes('"POST /'))
  expect(gateway.ledger).toHaveLength(rows)
  expect(posts).toHaveLength(rows)
  for (const { externalId } of gateway.ledger) {
    const about = (call: SystemCall) => call.args.includes(String(externalId))
    const intent = records.find(({ record }) => record.type === 'intent' && record.externalId === externalId)
    const outcome = records.find(({ record }) => record.type === 'outcome' && record.of === intent?.record.id)
    const printed = calls.find((call) => isWrite(call) && call.args.startsWith('1<') && about(call))
    expectSynced(calls, '/timeline.log', intent?.call.end ?? Number.POSITIVE_INFINITY, posts.find(about))
    expectSynced(calls, '/timeline.log', outcome?.call.end ?? Number.POSITIVE_INFINITY, printed)
  }
}

function recordsIn(call: SystemCall): { call: SystemCall; record: Record<string, unknown> }[] {
  const lines = textIn(call).split('\n').slice(0, -1)
  return lines.map((line) => ({ call, record: JSON.parse(line.slice(line.indexOf(' '))) }))
}

/** The record of this type was written whole and synced before the other call began. */
function expectRecorded(calls: readonly SystemCall[], type: string, before: SystemCall | undefined): void {
  const written = calls.find(
    (call) => isWrite(call) && call.args.includes('/timeline.log>') && call.args.includes(`\\"type\\":\\"${type}\\"`),
  )
  expect(written?.result ?? 0, `a record of type ${type}`).toBeGreaterThan(0)
  expectSynced(calls, '/timeline.log', written?.end ?? Number.POSITIVE_INFINITY, before)
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

function isWrite({ name }: SystemCall): boolean {
  return WRITES.includes(name)
}
