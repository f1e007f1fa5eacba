import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Wanted } from '../../src/timeline/ledgerCandidates.ts'
import {
  EVERYTHING,
  INTENT_KINDS,
  isMeant,
  type LedgerFilter,
  TRANSACTION_STATES,
} from '../../src/timeline/ledgerFilter.ts'
import { scanLedger } from '../../src/timeline/ledgerScan.ts'
import { type EventRecord, FINDINGS, type Intent } from '../../src/timeline/records.ts'
import { sealedPath } from '../../src/timeline/segments.ts'
import { openTimeline } from '../../src/timeline/timeline.ts'
import { foldLedger, foldTransactions, type Transaction } from '../../src/timeline/transactions.ts'
import { at, doubtfulRefund, event, outcome, refund, refundStatus, transfer } from './ledger.ts'

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
      at(
        when,
        transfer({
          externalId,
          amountCents,
          profile,
          ...(reference === undefined ? {} : { reference, run: `run-${reference}` }),
        }),
        name,
      ),
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

const lines = fc.array(fc.tuple(someLines, user, form), { maxLength: 16 })
const arrivals = fc.array(fc.tuple(arrival, form), { maxLength: 8 })
/** So many lines of a log stand in each sealed file; in the last one is what is left. */
const perFile = fc.integer({ min: 1, max: 20 })

it('gives what reading and folding everything gives, with the same notices', { timeout: 60_000 }, async () => {
  const property = fc.asyncProperty(
    lines,
    arrivals,
    filter,
    fc.nat(100),
    perFile,
    async (records, events, wished, cut, count) => {
      const folder = freshFolder()
      writeLogs(folder, { records, events, perFile: count, cut: cut > 90 ? cut - 90 : 0 })
      const plainNotices: string[] = []
      const all = foldTransactions(await timelineOf(folder, plainNotices).read())
      // The second time what is seen of the sealed files stands in their indices.
      for (let times = 0; times < 2; times++) {
        const scanNotices: string[] = []
        const scanned = await scanLedger({ folder, notice: (notice) => scanNotices.push(notice) }, wished)
        expect(scanned).toEqual(all.filter((each) => isMeant(each, wished)))
        expect(scanNotices.sort()).toEqual(plainNotices.sort())
      }
      rmSync(folder, { recursive: true })
    },
  )
  await fc.assert(property, { numRuns: 150 })
})

const wanted: fc.Arbitrary<Required<Wanted>> = fc.record({
  names: fc.array(fc.oneof(id, externalId, record, fc.constantFrom('payment-1', 'id-8', 'run-salaries')), {
    maxLength: 2,
  }),
  keys: fc.constantFrom<string[]>([], ['52998224725']),
  sinceMs: fc.oneof(instant, fc.constant(Number.POSITIVE_INFINITY)),
})

it('tells of what is wanted what folding everything tells', { timeout: 60_000 }, async () => {
  const property = fc.asyncProperty(lines, arrivals, wanted, perFile, async (records, events, wish, count) => {
    const folder = freshFolder()
    writeLogs(folder, { records, events, perFile: count, cut: 0 })
    const all = foldLedger(await timelineOf(folder, []).read())
    const some = foldLedger(await timelineOf(folder, []).read(wish))
    const isWanted = ({ intent, atMs, idTransaction }: Transaction) =>
      atMs >= wish.sinceMs ||
      (intent.kind === 'transfer' && wish.keys.includes(intent.key)) ||
      [intent.id, idTransaction, ...namesIn(intent)].some((name) => name !== null && wish.names.includes(name))
    expect(some.transactions.filter(isWanted)).toEqual(all.transactions.filter(isWanted))
    const isNamed = (event: EventRecord) =>
      [event.idTransaction, event.externalId].some((name) => name !== null && wish.names.includes(name))
    expect(some.unlinked.filter(isNamed)).toEqual(all.unlinked.filter(isNamed))
    rmSync(folder, { recursive: true })
  })
  await fc.assert(property, { numRuns: 200 })
})

it('knows what was in doubt by the id that only its event names', async () => {
  const folder = freshFolder()
  const doubtful = [doubtfulRefund()].map((own) => [own, 'maria', 'written'] as const)
  const arrived = at(5, refundStatus({ idTransaction: 'id-8' }))
  writeLogs(folder, { records: doubtful, events: [[arrived, 'written']], perFile: 1, cut: 0 })
  const { transactions } = foldLedger(await timelineOf(folder, []).read({ names: ['id-8'] }))
  expect(transactions).toMatchObject([{ state: 'paid', idTransaction: 'id-8' }])
  rmSync(folder, { recursive: true })
})

it('finds nothing where nothing is', async () => {
  expect(await scanLedger({ folder: '/nonexistent', notice: () => undefined }, EVERYTHING)).toEqual([])
})

type Records = readonly (readonly [some: object[], user: string, form: string])[]

/** Writes both logs, `perFile` lines in each of their sealed files, and cuts so many bytes off the timeline. */
function writeLogs(
  folder: string,
  log: { records: Records; events: readonly (readonly [own: object, form: string])[]; perFile: number; cut: number },
): void {
  const timeline = log.records.flatMap(([some, user, form]) => some.map((own) => written({ ...own, user }, form)))
  writeFiles(join(folder, 'timeline.log'), timeline, log.perFile)
  const journal = log.events.map(([own, form]) => written(own, form))
  writeFiles(join(folder, 'events.log'), journal, log.perFile)
  const bytes = readFileSync(join(folder, 'timeline.log'))
  writeFileSync(join(folder, 'timeline.log'), bytes.subarray(0, Math.max(0, bytes.length - log.cut)))
}

function writeFiles(path: string, lines: readonly string[], perFile: number): void {
  const sealed = Math.floor(lines.length / perFile)
  for (let number = 1; number <= sealed; number++) {
    writeFileSync(sealedPath(path, number), lines.slice((number - 1) * perFile, number * perFile).join(''))
  }
  writeFileSync(path, lines.slice(sealed * perFile).join(''))
}

function namesIn(intent: Intent): string[] {
  if (intent.kind === 'qr') return [intent.requestNumber]
  const run = intent.run === undefined ? [] : [intent.run]
  return [...run, intent.kind === 'transfer' ? intent.externalId : intent.originalTransactionId]
}

function freshFolder(): string {
  return mkdtempSync(join(tmpdir(), 'pixgate-scan-'))
}

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
