import { parse } from 'csv-parse/sync'
import { expect } from 'vitest'
import { atOnce } from '../cli/payments.ts'
import { brazilian } from './courses.ts'
import { type BookedPayment, dayOf } from './gatewayBooks.ts'
import type { Month, MonthAccount } from './monthWorld.ts'
import type { PlayedBatch } from './playBatch.ts'

/** A payment as one line of a view. */
interface Line {
  kind: string
  /** The key, the request number, or the payment that is refunded. */
  target: string
  cents: number
  state: string
}

/** One line of `history -o json`, as far as it is compared. */
interface HistoryLine {
  idTransaction: string | null
  externalId?: string
  requestNumber?: string
  originalTransactionId?: string
  key?: string
  amount: number
  pixgate: { kind: string; name: string; ownReference: string | null; state: string; attempts: number }
}

const MONTH = ['--month', '11/2026']
const NOVEMBER = /^2026-11-/

/** Compares every way to list an account's payments of the month with the books of its gateway. */
export async function compareHistory(month: Month, account: MonthAccount): Promise<void> {
  const booked = paymentsOf(account).filter((each) => NOVEMBER.test(dayOf(each)))
  const list = (...args: string[]) => month.runHere(account, ['history', ...args])
  const [json, csv, text, again, attempts] = await atOnce(
    [
      [...MONTH, '-o', 'json', '--unmask'],
      [...MONTH, '-o', 'csv', '--unmask'],
      [...MONTH, '--unmask'],
      ['--since', '01/11/2026', '--until', '2026-11-30', '-o', 'json', '--unmask'],
      [...MONTH, '--attempts', '-o', 'json'],
    ],
    (args) => list(...args),
  )
  const lines = historyLines(json?.stdout)
  expectBooked(linesIn(lines), booked)
  for (const { idTransaction, pixgate } of lines) {
    const ids = booked.flatMap((each) => each.ids)
    if (idTransaction !== null) expect(ids, pixgate.name).toContain(idTransaction)
  }
  expect(historyLines(again?.stdout)).toEqual(lines)
  expectBooked(csvLines(csv?.stdout), booked)
  const shown = lines.map(({ amount, pixgate: { kind, state, name, ownReference } }) => {
    const sign = kind === 'qr' ? '' : '-'
    return [kind, inWords(state), sign + reais(cents(amount)), ownReference ?? name]
  })
  expect(textRows(text?.stdout).map(([, kind, state, amount, , ref]) => [kind, state, amount, ref])).toEqual(shown)
  for (const ran of [csv, text]) expect(sumsIn(ran?.stderr)).toEqual(sumsOf(booked))
  expect(historyLines(attempts?.stdout)).toHaveLength(booked.reduce((sum, each) => sum + each.attempts, 0))
  await compareDays(month, account)
}

/** Each day of the ledger, of which none has a payment of another. */
async function compareDays(month: Month, account: MonthAccount): Promise<void> {
  const booked = paymentsOf(account)
  const days = [...new Set(booked.map(dayOf))]
  for (const day of days) {
    const ran = await month.runHere(account, [
      'history',
      '--day',
      day.split('-').reverse().join('/'),
      '-o',
      'json',
      '--unmask',
    ])
    expectBooked(
      linesIn(historyLines(ran.stdout)),
      booked.filter((each) => dayOf(each) === day),
    )
  }
}

/** The filters, each with the sums that it prints; without a month, so that all days count. */
export async function compareFilters(month: Month, account: MonthAccount): Promise<void> {
  const booked = paymentsOf(account)
  const [first] = booked
  if (first === undefined) throw new Error('nothing was asked for')
  const filters: [args: string[], isMeant: (payment: BookedPayment) => boolean][] = [
    ...['paid', 'not-paid', 'returned', 'refused', 'pending', 'accepted', 'unknown', 'not-sent'].map(
      (state): [string[], (payment: BookedPayment) => boolean] => [['--state', state], (each) => each.state === state],
    ),
    ...['qr', 'transfer', 'refund'].map((kind): [string[], (payment: BookedPayment) => boolean] => [
      ['--kind', kind],
      (each) => each.kind === kind,
    ]),
    [['--amount', brazilian(first.cents)], (each) => each.cents === first.cents],
    [['--min', '1.000,01', '--max', '2.500,00'], (each) => each.cents >= 100_001 && each.cents <= 250_000],
    [['--key', first.target], (each) => each.target === first.target],
  ]
  for (const [filter, isMeant] of filters) {
    const ran = await month.runHere(account, ['history', ...filter, '-o', 'csv', '--unmask'])
    const meant = booked.filter(isMeant)
    expectBooked(csvLines(ran.stdout), meant)
    expect(sumsIn(ran.stderr), filter.join(' ')).toEqual(sumsOf(meant))
  }
}

/** Compares what is found by words with the names in the files of an account's batches. */
export async function compareFound(
  month: Month,
  account: MonthAccount,
  batches: readonly PlayedBatch[],
): Promise<void> {
  const booked = paymentsOf(account)
  const payees = new Map(batches.flatMap(({ transfers }) => transfers.map(({ key, payee }) => [key, payee])))
  const isNamed = (word: string) => (each: BookedPayment) => payees.get(each.target)?.includes(word) === true
  const [one] = batches[0]?.transfers ?? []
  if (one === undefined) throw new Error('there is no batch')
  const [firstName = ''] = one.payee.split(' ')
  const searches: [args: string[], isMeant: (payment: BookedPayment) => boolean][] = [
    [['--name', 'conceicao'], isNamed('Conceição')],
    [['find', 'GONCALVES'], isNamed('Gonçalves')],
    [['find', one.key], ({ target }) => target === one.key],
    [['find', `${reais(one.cents)}, ${firstName}`], (each) => each.cents === one.cents && isNamed(firstName)(each)],
  ]
  for (const [words, isMeant] of searches) {
    const ran = await month.runHere(account, ['history', ...words, '-o', 'json', '--unmask'])
    expectBooked(linesIn(historyLines(ran.stdout)), booked.filter(isMeant))
  }
}

/** Compares `history --all`, whose sums never mix accounts or environments. */
export async function compareAll(month: Month): Promise<void> {
  const { shop, branch, sandbox, world } = month
  const [csv, json] = await atOnce(['csv', 'json'], (format) =>
    world.run(['history', '--all', '-o', format, '--unmask']),
  )
  const accounts = [shop, branch, sandbox]
  expectBooked(linesIn(historyLines(json?.stdout)), accounts.flatMap(paymentsOf))
  const groups = new Map<string, string[]>()
  for (const line of csv?.stderr.trimEnd().split('\n') ?? []) {
    if (line.startsWith('  ')) [...groups.values()].at(-1)?.push(line.trim())
    else groups.set(line, [])
  }
  const expected = accounts.map((account): [string, string[]] => [
    `${account.environment}, ${account.books.gateway.url}, client id ${account.clientId}`,
    sumsOf(paymentsOf(account)),
  ])
  expect([...groups].map(([name, sums]) => [name, sums.toSorted()]).toSorted()).toEqual(expected.toSorted())
}

/** All payments that the gateway's books have of an account. */
export function paymentsOf({ secret, books }: MonthAccount): BookedPayment[] {
  return books.payments().filter((payment) => payment.secret === secret)
}

/** Cents as every list shows them. */
export function reais(amountCents: number): string {
  return `${amountCents < 0 ? '-' : ''}R$ ${brazilian(Math.abs(amountCents))}`
}

/** An amount in reais, as JSON has it, in cents. */
export function cents(amount: unknown): number {
  return Math.round(Number(amount) * 100)
}

function expectBooked(lines: readonly Line[], booked: readonly BookedPayment[]): void {
  const written = (line: Line) => [line.kind, line.target, line.cents, line.state].join(' ')
  expect(lines.map(written).toSorted()).toEqual(booked.map(written).toSorted())
}

function historyLines(stdout = ''): HistoryLine[] {
  return JSON.parse(stdout)
}

function linesIn(lines: readonly HistoryLine[]): Line[] {
  return lines.map(({ key, requestNumber, originalTransactionId, amount, pixgate: { kind, state } }) => ({
    kind,
    target: key ?? requestNumber ?? originalTransactionId ?? '',
    cents: cents(amount),
    state,
  }))
}

function csvLines(stdout = ''): Line[] {
  const records: Record<string, string>[] = parse(stdout, { columns: true })
  return records.map((record) => ({
    kind: record['pixgate.kind'] ?? '',
    target: record.key || (record['pixgate.name'] ?? ''),
    cents: cents(record.amount),
    state: record['pixgate.state'] ?? '',
  }))
}

/** The rows of a table in a pipe, without its header. */
function textRows(stdout = ''): string[][] {
  const lines = stdout.trimEnd().split('\n')
  return lines.slice(1).map((line) => line.split('\t'))
}

/** The sums that a list prints beside it, such as `transfer paid: 3, R$ 10,00`. */
/** A state as people read it: `not paid` for `not-paid`. */
export function inWords(state: string): string {
  return state.replace('-', ' ')
}

function sumsIn(stderr = ''): string[] {
  return stderr
    .trimEnd()
    .split('\n')
    .filter((line) => line !== '')
    .toSorted()
}

function sumsOf(booked: readonly BookedPayment[]): string[] {
  const sums = new Map<string, { count: number; cents: number }>()
  for (const payment of booked) {
    const name = `${payment.kind} ${inWords(payment.state)}`
    const { count, cents: before } = sums.get(name) ?? { count: 0, cents: 0 }
    sums.set(name, { count: count + 1, cents: before + payment.cents })
  }
  return [...sums].map(([name, sum]) => `${name}: ${sum.count}, ${reais(sum.cents)}`).toSorted()
}
