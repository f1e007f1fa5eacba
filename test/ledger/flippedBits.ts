import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, onTestFinished } from 'vitest'
import { rowAction, rowProposal, UNSENT_ROWS } from '../../src/batch/runPreview.ts'
import type { MoneyPayment } from '../../src/ledger/facts.ts'
import { checkLedger } from '../../src/ledger/integrity.ts'
import { runRows } from '../../src/ledger/runRows.ts'
import type { Decision } from '../../src/payments/decide.ts'
import { type Database, loadSqlite } from '../../src/storage/sqlite.ts'
import { Failure } from '../../src/wire/errors.ts'
import { diceOf } from '../campaign/dice.ts'
import { PaymentWorld, proposalOf } from '../payments/paymentWorld.ts'
import { PAYMENTS, REFERENCE, ROWS, RUN, refund, transfer, writtenLedger } from './damagedLedger.ts'
import { type ByteRange, columnBytes, pagesOf } from './databaseFile.ts'

const FLIPS_PER_COLLECTION = 25

/** Tables that say something about processes, and the ledger's own id, which its witness knows. */
const UNCHECKED = ['process', 'listener', 'meta']

/** The table with the statements that made all others; its root is the first page of a file. */
const SCHEMA_TABLE = 'sqlite_schema'

/** Which bytes are damaged. */
export type Aim =
  | { at: 'file' }
  /** The pages of indexes or tables. */
  | { at: 'pages'; names: readonly string[] }
  /** What the rows of a table hold in these columns. */
  | { at: 'columns'; table: string; names: readonly string[] }

/** By what the rules find earlier payments. */
export const INDEXES: Aim = {
  at: 'pages',
  names: ['payment_key', 'payment_row', 'sent_target_lookup', 'sent_target_row'],
}
export const SCHEMA: Aim = { at: 'pages', names: [SCHEMA_TABLE] }
export const COLUMNS: readonly Aim[] = [
  { at: 'columns', table: 'payment', names: ['comparable_key', 'amount_cents'] },
  { at: 'columns', table: 'sent_target', names: ['target', 'amount_cents'] },
]

/** What single flipped bits did to a ledger. */
export interface FlippedBits {
  /** Flips that a decision about money reported. */
  reported: number
  /** Flips that the check reported. */
  found: number
  /** What could have been paid a second time after a flip, with the offset of its byte. */
  repeatable: string[]
  /** What pixgate would have ended with as a defect, with the offset of the byte. */
  defects: string[]
  /** Flips that changed what the tables hold, and that the check did not report. */
  missed: number[]
}

/** The ledger that is damaged, which is written once for all tests of a file, with what its tables hold. */
let undamaged: Promise<{ path: string; bytes: Buffer; content: string }> | undefined

async function writeUndamaged(): Promise<{ path: string; bytes: Buffer; content: string }> {
  const path = await writtenLedger(mkdtempSync(join(tmpdir(), 'pixgate-undamaged-')))
  const content = await contentOf(path)
  expect(content).not.toMatch(/^error/)
  return { path, bytes: readFileSync(path), content }
}

/**
 * Flips single bits in a cleanly closed ledger, each in a copy of its own, and tries to make every transfer, refund and row of a batch in it once
 * more.
 */
export async function flipBits(aim: Aim, count: number, seed: number): Promise<FlippedBits> {
  const home = mkdtempSync(join(tmpdir(), 'pixgate-flips-'))
  onTestFinished(() => rmSync(home, { recursive: true, force: true }))
  undamaged ??= writeUndamaged()
  const { path, bytes, content } = await undamaged
  const ranges = await rangesOf(path, bytes, aim)
  const dice = diceOf(`${seed}/${JSON.stringify(aim)}`)
  const seen: FlippedBits = { reported: 0, found: 0, repeatable: [], defects: [], missed: [] }
  for (let number = 0; number < count; number++) {
    const offset = chosen(ranges, dice.below(sizeOf(ranges)))
    const flipped = Buffer.from(bytes)
    flipped[offset] = (flipped[offset] ?? 0) ^ (1 << dice.below(8))
    const folder = join(home, `flip-${number}`)
    const file = copyOf(flipped, folder)
    copyFileSync(file, join(folder, 'checked.db'))
    const isFound = await isDamageFound(join(folder, 'checked.db'))
    if (isFound) seen.found += 1
    else if ((await contentOf(join(folder, 'checked.db'))) !== content) seen.missed.push(offset)
    const tried = await payAgain(new PaymentWorld(folder))
    if (tried.isReported) seen.reported += 1
    seen.repeatable.push(...tried.allowed.map((what) => `byte ${offset}: ${what}`))
    seen.defects.push(...tried.defects.map((what) => `byte ${offset}: ${what}`))
    rmSync(folder, { recursive: true, force: true })
    if (number % FLIPS_PER_COLLECTION === 0) await collectGarbage()
  }
  return seen
}

/** The package for Node.js 20 keeps files open until its objects are collected. */
async function collectGarbage(): Promise<void> {
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
  await new Promise((resolve) => setImmediate(resolve))
}

/** Tries to make every payment of an undamaged ledger once more, and new ones. */
export async function payUndamaged(): Promise<{ again: readonly string[]; allowedNew: number }> {
  const home = mkdtempSync(join(tmpdir(), 'pixgate-flips-'))
  onTestFinished(() => rmSync(home, { recursive: true, force: true }))
  undamaged ??= writeUndamaged()
  copyOf((await undamaged).bytes, join(home, 'copy'))
  const world = new PaymentWorld(join(home, 'copy'))
  const decisions = await world.decide([
    proposalOf(transfer(PAYMENTS), { externalId: 'new' }),
    proposalOf(refund(PAYMENTS), { originalCents: 10_000 }),
  ])
  const { allowed, defects } = await payAgain(world)
  expect(defects).toEqual([])
  return { again: allowed, allowedNew: decisions.filter(({ attempt }) => attempt !== null).length }
}

/** Writes a ledger as the one of a data folder; its path. */
function copyOf(bytes: Buffer, folder: string): string {
  mkdirSync(join(folder, 'data'), { recursive: true, mode: 0o700 })
  const file = join(folder, 'data', 'ledger.db')
  writeFileSync(file, bytes, { mode: 0o600 })
  return file
}

async function rangesOf(path: string, bytes: Buffer, aim: Aim): Promise<readonly ByteRange[]> {
  if (aim.at === 'file') return [{ from: 0, to: bytes.length }]
  const open = await loadSqlite()
  const database = open(path, { readOnly: true })
  const rootOf = (name: string) =>
    name === SCHEMA_TABLE
      ? 1
      : Number(database.get('SELECT rootpage FROM sqlite_schema WHERE name = ?', name)?.rootpage)
  try {
    if (aim.at === 'pages') return aim.names.flatMap((name) => pagesOf(bytes, rootOf(name)))
    const columns = database.all(`PRAGMA table_info(${aim.table})`).map(({ name }) => String(name))
    return aim.names.flatMap((name) => columnBytes(bytes, rootOf(aim.table), columns.indexOf(name)))
  } finally {
    database.close()
  }
}

function sizeOf(ranges: readonly ByteRange[]): number {
  return ranges.reduce((sum, { from, to }) => sum + to - from, 0)
}

/** The offset of the byte with this number in ranges. */
function chosen(ranges: readonly ByteRange[], number: number): number {
  let left = number
  for (const { from, to } of ranges) {
    if (left < to - from) return from + left
    left -= to - from
  }
  throw new Error(`the ranges have no byte ${number}`)
}

/** All that the tables hold, as text; the error if they cannot be read. */
async function contentOf(file: string): Promise<string> {
  const open = await loadSqlite()
  const database = open(file, { readOnly: true })
  try {
    const tables = database
      .all("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
      .map(({ name }) => String(name))
      .filter((name) => !UNCHECKED.includes(name) && !name.startsWith('search'))
    return JSON.stringify(tables.map((table) => [table, database.all(`SELECT * FROM ${table} ORDER BY 1, 2`)]))
  } catch (error) {
    return `error: ${error instanceof Error ? error.message : error}`
  } finally {
    database.close()
  }
}

async function isDamageFound(file: string): Promise<boolean> {
  const open = await loadSqlite()
  const database = open(file, { readOnly: true })
  try {
    return checkLedger(database, open).length > 0
  } catch (error) {
    if (!(error instanceof Error)) throw error
    return true
  } finally {
    database.close()
  }
}

/** What happened when each payment of a ledger was to be made once more. */
interface PaidAgain {
  isReported: boolean
  allowed: string[]
  defects: string[]
}

async function payAgain(world: PaymentWorld): Promise<PaidAgain> {
  const seen: PaidAgain = { isReported: false, allowed: [], defects: [] }
  const attempt = async (what: string, decide: () => Promise<readonly Decision[]>) => {
    try {
      if ((await decide()).some((decision) => decision.attempt !== null)) seen.allowed.push(what)
    } catch (error) {
      if (error instanceof Failure) seen.isReported = true
      // It would end with exit code 70.
      else seen.defects.push(`${what}: ${error}`)
    }
  }
  const pay = (what: string, facts: MoneyPayment, externalId: string | null) =>
    attempt(what, () => world.decide([proposalOf(facts, { externalId, originalCents: 10_000 })]))
  for (let number = 0; number < PAYMENTS; number++) {
    await pay(`transfer ${number}`, transfer(number), `again-${number}`)
    await pay(`refund ${number}`, refund(number), null)
  }
  for (let line = 1; line <= ROWS; line++) await attempt(`line ${line}`, () => resumeLine(world, line))
  await world.ledger.close().catch((error: unknown) => {
    if (!(error instanceof Failure)) seen.defects.push(`close: ${error}`)
  })
  return seen
}

/** Decides about a row as `batch resume` does. */
async function resumeLine(world: PaymentWorld, line: number): Promise<readonly Decision[]> {
  const { account } = world.context()
  const propose = (database: Database) => {
    const lastSeq = Number(database.get('SELECT max(seq) AS seq FROM record')?.seq)
    const repeats = { again: false, inAdditionTo: [], despiteChargeback: false }
    const order = {
      run: RUN,
      kind: 'transfer',
      reference: REFERENCE,
      isReferenceTyped: true,
      selection: UNSENT_ROWS,
      limit: null,
      repeats,
    } as const
    return runRows(database, RUN, line - 1, 1).flatMap((state) => {
      const action = rowAction(state, UNSENT_ROWS, world.nowMs)
      return action === null ? [] : [rowProposal(database, { account }, { state, action }, { order, lastSeq })]
    })
  }
  const proposals = await world.ledger.read(propose)
  return proposals.length === 0 ? [] : world.decide(proposals)
}
