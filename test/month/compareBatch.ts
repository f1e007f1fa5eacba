import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'csv-parse/sync'
import { readSheet } from 'read-excel-file/node'
import { expect } from 'vitest'
import { cents, inWords, paymentsOf, reais } from './compareHistory.ts'
import type { BookedPayment } from './gatewayBooks.ts'
import type { Month } from './monthWorld.ts'
import type { PlayedBatch } from './playBatch.ts'

/** Only charges are pending. */
type RowState = Exclude<BookedPayment['state'], 'pending'>

/** A row of a file, and what the gateway's books say of it. */
interface BookedRow {
  line: number
  key: string
  payee: string
  cents: number
  state: RowState
}

/** The names of the states in the JSON of `batch show`. */
const SUMS: Readonly<Record<RowState, string>> = {
  paid: 'paid',
  accepted: 'pending',
  'not-paid': 'failed',
  returned: 'returned',
  refused: 'refused',
  unknown: 'unknown',
}
/** What the gateway calls the states of a transfer. */
const STATUSES: Readonly<Record<RowState, string>> = {
  paid: 'PAID_OUT',
  accepted: 'PROCESSING',
  'not-paid': 'ERROR',
  returned: 'RETURNED',
  refused: 'FAILED',
  unknown: '',
}
const DAY = /^\d\d\/11\/2026 \d\d:\d\d:\d\d$/

/** Compares everything that shows a run of transfers with the books of its gateway. */
export async function compareBatch(month: Month, batch: PlayedBatch): Promise<void> {
  const rows = bookedRows(batch)
  await compareShown(month, batch, rows)
  await compareReports(month, batch, rows)
  await compareResults(month, batch, rows)
}

/** The counts of `batch list` for these runs. */
export async function compareRuns({ world }: Month, batches: readonly PlayedBatch[]): Promise<void> {
  const listed: { run: string }[] = JSON.parse(await world.prepare(['batch', 'list', '-o', 'json']))
  for (const batch of batches) {
    const rows = bookedRows(batch)
    const count = (...states: string[]) => rows.filter(({ state }) => states.includes(state)).length
    expect(listed.find(({ run }) => run === batch.run)).toMatchObject({
      reference: batch.reference,
      environment: batch.account.environment,
      rows: rows.length,
      accepted: count('paid', 'not-paid', 'returned', 'accepted'),
      refused: count('refused'),
      unknown: count('unknown'),
      notSent: 0,
    })
  }
}

async function compareShown(month: Month, { account, run }: PlayedBatch, rows: readonly BookedRow[]): Promise<void> {
  const show = async (format: string) => (await month.runHere(account, ['batch', 'show', run, '-o', format])).stdout
  const [json, csv, text] = [await show('json'), await show('csv'), await show('text')]
  const shown: Record<string, unknown> & { rowsDetail: Record<string, unknown>[] } = JSON.parse(json)
  expect(shown).toMatchObject({ run, rows: rows.length, totalCents: sumOf(rows), notSent: 0, leftOut: 0 })
  for (const [state, name] of Object.entries(SUMS)) {
    const members = rows.filter((row) => row.state === state)
    expect([shown[name], shown[`${name}Cents`]], name).toEqual([members.length, sumOf(members)])
    const label = new RegExp(`^${inWords(state)} +${members.length}, (R\\$ [\\d.,]+)`, 'm')
    expect(label.exec(text)?.[1], state).toBe(members.length === 0 ? undefined : reais(sumOf(members)))
  }
  expect(shown.rowsDetail.map(({ line, key, name, amount, state }) => [line, key, name, cents(amount), state])).toEqual(
    rows.map(({ line, key, payee, cents: amount, state }) => [line, key, payee, amount, state]),
  )
  const records: Record<string, string>[] = parse(csv, { columns: true })
  expect(records.map(({ line, key, name, amount, state }) => [line, key, name, cents(amount), state])).toEqual(
    rows.map(({ line, key, payee, cents: amount, state }) => [String(line), key, payee, amount, state]),
  )
  const table = text.split('\n').map((line) => line.split('\t'))
  const header = table.find(([first]) => first === 'line') ?? []
  const places = ['line', 'payee', 'amount', 'state'].map((name) => header.indexOf(name))
  const shownRows = table.filter(([first = '', second]) => /^\d+$/.test(first) && second !== undefined)
  expect(shownRows.map((cells) => places.map((place) => cells[place]))).toEqual(
    rows.map(({ line, payee, cents: amount, state }) => [String(line), payee, reais(amount), inWords(state)]),
  )
}

async function compareReports(month: Month, { account, run }: PlayedBatch, rows: readonly BookedRow[]): Promise<void> {
  const path = join(month.world.home, `${run}.xlsx`)
  await month.runHere(account, ['batch', 'report', run, '--out', path])
  const expected = rows.map(({ line, key, payee, cents: amount, state }) => [
    line,
    payee,
    shownKey(key),
    amount,
    inWords(state),
  ])

  const sheet = (await readSheet(path, 'Payments')).filter(([line]) => typeof line === 'number')
  expect(sheet.map(([line, payee, , , key, amount, state]) => [line, payee, key, cents(amount), state])).toEqual(
    expected,
  )
  const sums = new Map((await readSheet(path, 'Summary')).map(([label, ...values]) => [label, values]))
  expectTotals(rows, (state) => sums.get(state)?.slice(0, 2).map(Number))
}

function expectTotals(rows: readonly BookedRow[], totalOf: (state: string) => unknown): void {
  for (const state of [...Object.keys(SUMS), 'all rows']) {
    const members = state === 'all rows' ? rows : rows.filter((row) => row.state === state)
    expect(totalOf(inWords(state)), state).toEqual([members.length, sumOf(members) / 100])
  }
}

/** The results of a run that is over: a CSV for programs, of which `status --from` finds nothing that differs, and one for Excel. */
async function compareResults(month: Month, batch: PlayedBatch, rows: readonly BookedRow[]): Promise<void> {
  const { account, run } = batch
  if (rows.some(({ state }) => state === 'unknown')) return
  const pathOf = (name: string) => join(month.world.home, `${run}-${name}.csv`)
  const results = ['resume', run, '--results', pathOf('results')]
  await month.runHere(account, results, 1)
  await month.runHere(account, ['resume', run, '--results', pathOf('excel'), '--excel'], 1)
  const records: Record<string, string>[] = parse(readFileSync(pathOf('results')), { columns: true, delimiter: ',' })
  expect(records.map(({ line, favorecido, status }) => [Number(line), favorecido, status])).toEqual(
    rows.map(({ line, payee, state }) => [line, payee, STATUSES[state]]),
  )
  const excel: string[][] = parse(readFileSync(pathOf('excel')), { bom: true, delimiter: ';' })
  const [header = [], ...lines] = excel
  const place = (name: string) => header.indexOf(name)
  const numberOf = (text = '') => cents(text.replace(',', '.'))
  expect(lines.map((line) => [numberOf(line[place('valor')]), line[place('status')]])).toEqual(
    rows.map(({ cents: amount, state }) => [amount, STATUSES[state]]),
  )
  for (const line of lines) expect(line[place('sentAt')]).toMatch(DAY)
  const ran = await month.runHere(account, ['status', '--from', pathOf('results'), '-o', 'json'])
  const judged: { amount: number; pixgate: { verdict?: string; kind: string } }[] = JSON.parse(ran.stdout)
  expect(judged.filter(({ pixgate }) => pixgate.verdict !== undefined && pixgate.verdict !== 'match')).toEqual([])
  expect(judged.reduce((sum, { amount }) => sum + cents(amount), 0)).toBe(sumOf(rows))
}

/** The rows of a file, in its order. */
function bookedRows({ account, transfers }: PlayedBatch): BookedRow[] {
  const booked = new Map(paymentsOf(account).map((payment) => [payment.target, payment]))
  return transfers.map(({ key, payee, cents: amount }, place) => {
    const state = booked.get(key)?.state
    if (state === undefined || state === 'pending') throw new Error(`${key} was not asked for`)
    return { line: place + 2, key, payee, cents: amount, state }
  })
}

function sumOf(rows: readonly BookedRow[]): number {
  return rows.reduce((sum, row) => sum + row.cents, 0)
}

/** A key as people write it: reports show a mobile number like this, and an e-mail address as it is. */
function shownKey(key: string): string {
  const [, country = '', area, first, last] = /^(\+55)?(\d\d)(\d{5})(\d{4})$/.exec(key) ?? []
  return area === undefined ? key : `${country} (${area}) ${first}-${last}`.trim()
}
