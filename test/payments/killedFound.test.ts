import { userInfo } from 'node:os'
import { expect, it } from 'vitest'
import { saoPauloDay } from '../../src/pix/calendar.ts'
import { csvIn } from '../cli/batchFiles.ts'
import { startFaultGateway } from '../gateway/faultGateway.ts'
import { stallAfterActing } from '../gateway/faults.ts'
import { start } from '../gateway/running.ts'
import { here } from '../inProcess.ts'
import { problemsOf } from '../ledger/storedLedger.ts'
import { emptyWorld } from '../world.ts'

const ROWS = 64

/** A payment that was being sent. No two have the same amount. */
interface Killed {
  kind: 'transfer' | 'refund' | 'qr'
  cents: number
  /** The place in the batch; null for a payment of its own. */
  row: number | null
}

const KILLED: readonly Killed[] = [
  { kind: 'transfer', cents: 1000, row: null },
  { kind: 'refund', cents: 500, row: null },
  { kind: 'qr', cents: 700, row: null },
  ...Array.from({ length: ROWS }, (_, row) => ({ kind: 'transfer' as const, cents: 10_050 + row * 100, row })),
]

const today = saoPauloDay(Date.now())
const { username } = userInfo()
const all = () => true
const none = () => false
const ofBatch = ({ row }: Killed) => row !== null
const ofRow = (wanted: number) => (each: Killed) => each.row === wanted
const ofKind = (kind: Killed['kind']) => (each: Killed) => each.kind === kind
const single = (kind: Killed['kind']) => (each: Killed) => each.kind === kind && each.row === null

/** What a person types to find the payments, and which it must find. */
const FILTERS: readonly (readonly [args: readonly string[], isFound: (payment: Killed) => boolean])[] = [
  [[], all],
  [['--state', 'unknown'], all],
  [['--state', 'accepted'], none],
  [['--kind', 'transfer'], ofKind('transfer')],
  [['--kind', 'refund'], ofKind('refund')],
  [['--kind', 'qr'], ofKind('qr')],
  [['--amount', '10'], single('transfer')],
  [['--amount', '5'], single('refund')],
  [['--amount', '7'], single('qr')],
  [['--amount', '163,50'], ofRow(63)],
  [['--min', '0,01'], all],
  [['--min', '100'], ofBatch],
  [['--max', '1000'], all],
  [['--min', '5', '--max', '10'], ({ row }) => row === null],
  [['--key', '529.982.247-25'], single('transfer')],
  [['--key', 'PERSON.17@example.com'], ofRow(17)],
  [['--name', 'padaria'], single('qr')],
  [['--name', 'Pessoa 42'], ofRow(42)],
  [['--document', '11.222.333/0001-81'], single('transfer')],
  [['--document', '52998224725'], single('transfer')],
  [['--reference', 'payroll'], ofBatch],
  [['--reference', 'order-1'], single('transfer')],
  [['--reference', 'request-1'], single('qr')],
  [['--by', username], all],
  [['--by', 'nobody-else'], none],
  [['--since', '1h'], all],
  [['--until', today], all],
  [['--until', '2020-01-01'], none],
  [['--day', today], all],
  [['--month', today.slice(0, 7)], all],
  [['--for-profile', 'local'], all],
  [['--all'], all],
  [['find', 'order-1'], single('transfer')],
  [['find', 'request-1'], single('qr')],
  [['find', 'original-1'], single('refund')],
  [['find', 'damaged', 'goods'], single('refund')],
  [['find', 'person.5@example.com'], ofRow(5)],
  [['find', '529.982.247-25'], single('transfer')],
  [['find', 'pessoa 31'], ofRow(31)],
  [['find', 'matricula-12'], ofRow(12)],
  [['find', 'payroll'], ofBatch],
  [['find', 'R$ 101,50'], ofRow(1)],
]

it('finds and adds up every payment whose process was killed while it was sent', { timeout: 30_000 }, async () => {
  const gateway = await startFaultGateway()
  const world = emptyWorld({ PIXGATE_BASE_URL: gateway.url })
  const rows = Array.from(
    { length: ROWS },
    (_, n) => `person.${n}@example.com;${n + 100},50;Pessoa ${n};matricula-${n}`,
  )
  const file = csvIn(world, 'payroll.csv', 'key;value;nome;matricula', rows)
  const transfer = [
    '--key',
    '529.982.247-25',
    '--amount',
    '10',
    '--owner',
    '11.222.333/0001-81',
    '--external-id',
    'order-1',
  ]
  gateway.misbehave(
    KILLED.map(() => stallAfterActing),
    'POST',
  )
  const sending = [
    ['transfer', ...transfer, '--yes'],
    ['refund', 'original-1', '--amount', '5', '--reason', 'damaged goods', '--yes'],
    ['qr', 'create', '--amount', '7', '--request-number', 'request-1', '--payer-name', 'Padaria do Zé'],
    ['batch', 'transfer', file, '--concurrency', String(ROWS), '--yes'],
  ].map((args) => start(world, args))
  // One request more asks for the original of the refund.
  await gateway.arrived(KILLED.length + 1)
  for (const each of sending) each.signal('SIGKILL')
  for (const each of sending) expect((await each.ended).exit).toBe(-1)

  const run = here(world)
  for (const [args, isFound] of FILTERS) {
    const found = KILLED.filter(isFound)
    const json = await run(['history', ...args, '-o', 'json'])
    expect(amountsOf(json.stdout), `history ${args.join(' ')}`).toEqual(sorted(found.map(({ cents }) => cents)))
    const csv = await run(['history', ...args, '-o', 'csv'])
    expect(csv.stdout.trimEnd().split('\n'), `history ${args.join(' ')} -o csv`).toHaveLength(found.length + 1)
    expect(sumsIn(csv.stderr), `history ${args.join(' ')}`).toEqual(sumsOf(found))
    expect(sumsIn((await run(['history', ...args])).stderr)).toEqual(sumsOf(found))
  }
  const { stdout } = await run(['batch', 'list', '-o', 'json'])
  const [batch] = JSON.parse(stdout)
  const shown = JSON.parse((await run(['batch', 'show', batch.run, '-o', 'json'])).stdout)
  const cents = sumOf(KILLED.filter(ofBatch))
  expect(shown).toMatchObject({ rows: ROWS, unknown: ROWS, unknownCents: cents, accepted: 0, notSent: 0 })
  expect(shown.rowsDetail.map(({ state }: { state: string }) => state)).toEqual(Array(ROWS).fill('unknown'))
  expect(await problemsOf(world)).toEqual([])
  // The binary says what the process of the tests said.
  expect(sumsIn((await world.run(['history'])).stderr)).toEqual(sumsOf(KILLED))
})

function amountsOf(stdout: string): number[] {
  const payments: { amount: number }[] = JSON.parse(stdout)
  return sorted(payments.map(({ amount }) => Math.round(amount * 100)))
}

function sorted(cents: readonly number[]): number[] {
  return [...cents].sort((one, other) => one - other)
}

function sumOf(payments: readonly Killed[]): number {
  return payments.reduce((sum, { cents }) => sum + cents, 0)
}

/** How many payments of each kind there are, and their sum in cents. */
function sumsOf(payments: readonly Killed[]): Record<string, [payments: number, cents: number]> {
  const kinds = [...new Set(payments.map(({ kind }) => kind))]
  return Object.fromEntries(
    kinds.map((kind) => {
      const own = payments.filter(ofKind(kind))
      return [`${kind} unknown`, [own.length, sumOf(own)]]
    }),
  )
}

/** The sums that stderr shows, such as `transfer unknown: 65, R$ 8.458,00`. */
function sumsIn(stderr: string): Record<string, [payments: number, cents: number]> {
  const lines = stderr.matchAll(/^ *(\w+ [\w-]+): (\d+), R\$\s([\d.]+),(\d\d)$/gm)
  return Object.fromEntries(
    [...lines].map(([, name = '', count, whole = '', cents]) => [
      name,
      [Number(count), Number(whole.replaceAll('.', '') + cents)],
    ]),
  )
}
