import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import {
  EVERYTHING,
  INTENT_KINDS,
  isMeant,
  type LedgerFilter,
  TRANSACTION_STATES,
} from '../../src/timeline/ledgerFilter.ts'
import { scanLedger } from '../../src/timeline/ledgerScan.ts'
import { FINDINGS } from '../../src/timeline/records.ts'
import { openTimeline } from '../../src/timeline/timeline.ts'
import { foldTransactions } from '../../src/timeline/transactions.ts'
import { at, event, outcome, refund, transfer } from './ledger.ts'

const NOON_MS = Date.UTC(2026, 10, 21, 12)
const OUTCOMES = ['not-sent', 'refused', 'accepted', 'accepted-before', 'unknown'] as const
const STATUSES = ['PAID_OUT', 'ERROR', 'RETURNED', 'COMPLETED', 'PROCESSING'] as const

/** So few that records, answers and events meet. */
const minute = fc.integer({ min: 0, max: 30 })
const record = fc.constantFrom('r-1', 'r-2', 'r-3', 'r"4\\', 'r-5é')
const id = fc.constantFrom('id-1', 'id-2', 'id-3', 'id-4')
const externalId = fc.constantFrom('invoice-1', 'in"voice')
const user = fc.constantFrom('maria', 'jo"ão')
const amountCents = fc.constantFrom(1050, 400)
const run = fc.option(fc.constantFrom('salaries', 'id-1'), { nil: undefined })

const line = fc.oneof(
  fc
    .tuple(minute, record, externalId, amountCents, fc.constantFrom(null, 'shop'), run)
    .map(([when, name, externalId, amountCents, profile, reference]) =>
      at(when, transfer({ externalId, amountCents, profile, ...(reference === undefined ? {} : { reference }) }), name),
    ),
  fc.tuple(minute, record, amountCents).map(([when, name, amountCents]) => at(when, refund({ amountCents }), name)),
  fc.tuple(minute, record, id).map(([when, name, requestNumber]) => {
    const { baseUrl, clientId, profile, environment } = transfer()
    const own = { type: 'intent', kind: 'qr', profile, environment, baseUrl, clientId } as const
    return at(when, { ...own, requestNumber, amountCents: 100 }, name)
  }),
  fc
    .tuple(minute, record, fc.constantFrom(...OUTCOMES), fc.option(id))
    .map(([when, of, kind, idTransaction]) => at(when, outcome(of, { outcome: kind, idTransaction }))),
  fc.tuple(minute, record).map(([when, of]) => at(when, { type: 'attempt', of })),
  fc
    .tuple(minute, record, fc.constantFrom(...FINDINGS))
    .map(([when, of, as]) => at(when, { type: 'finding', of, as, because: 'seen' })),
)

/** An intent of the minute with its answer. */
const answeredIntent = fc
  .tuple(minute, record, externalId, amountCents, fc.constantFrom(...OUTCOMES), fc.option(id), fc.boolean())
  .map(([when, name, externalId, amountCents, kind, idTransaction, isTransfer]) => [
    at(when, isTransfer ? transfer({ externalId, amountCents }) : refund({ amountCents }), name),
    at(when, outcome(name, { outcome: kind, idTransaction })),
  ])
const someLines = fc.oneof(
  line.map((one) => [one]),
  answeredIntent,
)

const arrival = fc
  .tuple(
    minute,
    fc.option(fc.oneof(id, fc.constantFrom('id-8', 'id-9'))),
    fc.option(externalId, { freq: 1 }),
    fc.constantFrom(...STATUSES),
    amountCents,
    fc.boolean(),
  )
  .map(([when, idTransaction, externalId, status, amountCents, isTransfer]) =>
    at(
      when,
      event({
        idTransaction,
        externalId: isTransfer ? externalId : null,
        status,
        amountCents,
        ...(isTransfer ? {} : { event: 'refund.status', subject: 'refund', originalTransactionId: 'payment-1' }),
        digest: 'x',
      }),
    ),
  )

/** How a record stands in the file: as this program writes it, otherwise, damaged, or something else in its place. */
const form = fc.oneof(
  { weight: 20, arbitrary: fc.constant('written') },
  { weight: 1, arbitrary: fc.constantFrom('reordered', 'damaged', 'run', 'strange') },
)
/** A filter that has nothing in common with most records lets nothing be seen. */
function seldom<Value>(value: fc.Arbitrary<Value>): fc.Arbitrary<Value | null> {
  return fc.oneof({ weight: 4, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: value })
}
const instant = minute.map((count) => NOON_MS + count * 60_000)
const filter: fc.Arbitrary<LedgerFilter> = fc.record({
  sinceMs: seldom(instant),
  beforeMs: seldom(instant),
  kind: seldom(fc.constantFrom(...INTENT_KINDS)),
  state: seldom(fc.constantFrom(...TRANSACTION_STATES)),
  reference: seldom(fc.constantFrom('salaries', 'invoice-1', 'in"voice', 'id-1')),
  by: fc.oneof(fc.constant(null), user),
  profile: seldom(fc.constant('shop')),
})

it('gives what reading and folding everything gives, with the same notices', { timeout: 60_000 }, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'pixgate-scan-'))
  const lines = fc.array(fc.tuple(someLines, user, form), { maxLength: 16 })
  const arrivals = fc.array(fc.tuple(arrival, form), { maxLength: 8 })
  const property = fc.asyncProperty(lines, arrivals, filter, fc.nat(100), async (records, events, wished, cut) => {
    const text = records.flatMap(([some, user, form]) => some.map((own) => written({ ...own, user }, form))).join('')
    writeFileSync(join(folder, 'timeline.log'), Buffer.from(text).subarray(0, cut > 90 ? -(cut - 90) : undefined))
    writeFileSync(join(folder, 'events.log'), events.map(([own, form]) => written(own, form)).join(''))
    const plainNotices: string[] = []
    const scanNotices: string[] = []
    const all = foldTransactions(await timelineOf(folder, plainNotices).read())
    const scanned = await scanLedger({ folder, notice: (notice) => scanNotices.push(notice) }, wished)
    expect(scanned).toEqual(all.filter((each) => isMeant(each, wished)))
    expect(scanNotices.sort()).toEqual(plainNotices.sort())
  })
  try {
    await fc.assert(property, { numRuns: 150 })
  } finally {
    rmSync(folder, { recursive: true })
  }
})

it('finds nothing where nothing is', async () => {
  expect(await scanLedger({ folder: '/nonexistent', notice: () => undefined }, EVERYTHING)).toEqual([])
})

function written(value: object, form: string): string {
  const json = JSON.stringify(form === 'strange' ? { ...value, type: 'what' } : value)
  switch (form) {
    case 'reordered':
      return logLine(JSON.stringify(Object.fromEntries(Object.entries(value).reverse())))
    case 'damaged':
      return logLine(json).replace('"id"', '"iD"')
    case 'run':
      return logLine(JSON.stringify({ ...value, type: 'run', run: 'x', kind: 'transfer', reference: 'x', rows: 1 }))
    default:
      return logLine(json)
  }
}

function logLine(json: string): string {
  return `${crc32(json).toString(16).padStart(8, '0')} ${json}\n`
}

function timelineOf(folder: string, notices: string[]) {
  return openTimeline({
    folder,
    user: 'maria',
    machine: 'desk',
    now: () => NOON_MS,
    newId: () => 'new',
    notice: (notice) => notices.push(notice),
    exclusively: (work) => work(),
  })
}
