import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished } from 'vitest'
import { storeEvent } from '../../src/ledger/events.ts'
import { checkLedger } from '../../src/ledger/integrity.ts'
import type { TransferPayment } from '../../src/ledger/records.ts'
import { addRunRow } from '../../src/ledger/runRows.ts'
import { acceptRun, planRun } from '../../src/ledger/runs.ts'
import { loadSqlite } from '../../src/storage/sqlite.ts'
import { Failure } from '../../src/wire/errors.ts'
import { diceOf } from '../campaign/dice.ts'
import { PaymentWorld, proposalOf } from '../payments/paymentWorld.ts'
import { eventContent, OWNER } from './paymentHistory.ts'

const PAYMENTS = 30
/** Tables that say something about processes, and the ledger's own id, which its witness knows. */
const UNCHECKED = ['process', 'listener', 'meta']

/** What single flipped bits did to a ledger. */
export interface FlippedBits {
  /** A decision about money reported damage. */
  reported: number
  /** The check reported damage. */
  found: number
  /** Flips after which some payment could have been made a second time, by the offset of their byte. */
  repeatable: number[]
  /** Flips that changed what the tables hold, and that the check did not report. */
  missed: number[]
}

/**
 * Flips single bits in a cleanly closed ledger, each in a copy of its own, and tries to make every payment of the ledger once more. Asserts
 * that nothing but failures for people is thrown.
 */
export async function flipBits(count: number, seed: number): Promise<FlippedBits> {
  const home = mkdtempSync(join(tmpdir(), 'pixgate-flips-'))
  onTestFinished(() => rmSync(home, { recursive: true, force: true }))
  const original = await writtenLedger(join(home, 'original'))
  const content = await contentOf(original)
  expect(content).not.toMatch(/^error/)
  const dice = diceOf(`${seed}/bits`)
  const seen: FlippedBits = { reported: 0, found: 0, repeatable: [], missed: [] }
  const bytes = readFileSync(original)
  for (let number = 0; number < count; number++) {
    const offset = dice.below(bytes.length)
    const flipped = Buffer.from(bytes)
    flipped[offset] = (flipped[offset] ?? 0) ^ (1 << dice.below(8))
    const folder = join(home, `flip-${number}`)
    mkdirSync(join(folder, 'data'), { recursive: true, mode: 0o700 })
    const file = join(folder, 'data', 'ledger.db')
    writeFileSync(file, flipped, { mode: 0o600 })
    copyFileSync(file, join(folder, 'checked.db'))
    const isFound = await isDamageFound(join(folder, 'checked.db'))
    if (isFound) seen.found += 1
    else if ((await contentOf(join(folder, 'checked.db'))) !== content) seen.missed.push(offset)
    const { isReported, isRepeatable } = await payAgain(new PaymentWorld(folder))
    if (isReported) seen.reported += 1
    if (isRepeatable) seen.repeatable.push(offset)
    rmSync(folder, { recursive: true, force: true })
  }
  return seen
}

function transfer(number: number): TransferPayment {
  return {
    kind: 'transfer',
    key: `person.${number}@example.com`,
    keyType: 'email',
    amountCents: 1000 + number,
    documentValidation: null,
    callbackUrl: 'https://shop.example.com/',
  }
}

/** A ledger with payments, events and a batch; the path of its file. */
async function writtenLedger(home: string): Promise<string> {
  const world = new PaymentWorld(home)
  for (let number = 0; number < PAYMENTS; number++) {
    const idTransaction = `id-${number}`
    await world.pay(
      transfer(number),
      'accepted',
      { externalId: `order-${number}` },
      { idTransaction, status: 'PROCESSING' },
    )
    const {
      bodyBase64: _,
      target,
      headers,
      owner,
      isSigned,
      via,
      ...facts
    } = eventContent('PAID_OUT', {
      idTransaction,
      externalId: `order-${number}`,
      amountCents: 1000 + number,
    })
    const body = Buffer.from(`event ${number}`)
    const event = {
      body,
      target,
      headers,
      owner,
      isSigned,
      via,
      facts: { ...facts, happenedAt: null },
      receivedAtMs: world.nowMs,
    }
    if (number % 3 === 0) await world.ledger.write((writer) => storeEvent(writer, event))
  }
  const sender = await world.ledger.sender()
  const run = { run: 'run-1', kind: 'transfer', owner: OWNER, file: 'payroll.csv', reference: 'payroll' } as const
  await world.ledger.write((writer) => {
    planRun(writer, sender, world.folder, {
      ...run,
      columns: ['key', 'value'],
      fields: { key: 0, value: 1 },
      isDryRun: false,
    })
    for (let line = 1; line <= 10; line++) {
      const row = {
        line,
        rowId: `row-${line}`,
        isTypedId: false,
        cells: ['a', 'b'],
        originalCents: null,
        isLeftOut: false,
      }
      addRunRow(writer.database, 'run-1', { ...row, facts: transfer(100 + line) })
    }
    acceptRun(writer, { ...run, rows: 10, totalCents: 1, fingerprint: '0123456789abcdef' })
  })
  await world.ledger.close()
  const file = join(world.folder, 'ledger.db')
  const open = await loadSqlite()
  const database = open(file)
  // The package for Node.js 20 does this only when the process ends.
  database.exec('PRAGMA wal_checkpoint(TRUNCATE)')
  database.close()
  return file
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

async function payAgain(world: PaymentWorld): Promise<{ isReported: boolean; isRepeatable: boolean }> {
  let isReported = false
  let isRepeatable = false
  for (let number = 0; number < PAYMENTS && !isRepeatable; number++) {
    try {
      const [decision] = await world.decide([proposalOf(transfer(number), { externalId: `again-${number}` })])
      isRepeatable = decision?.attempt !== null
    } catch (error) {
      // Anything else would be a defect, exit 70.
      expect(error).toBeInstanceOf(Failure)
      isReported = true
    }
  }
  await world.ledger.close().catch((error: unknown) => expect(error).toBeInstanceOf(Failure))
  return { isReported, isRepeatable }
}
