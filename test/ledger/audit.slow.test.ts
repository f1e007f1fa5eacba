import { randomUUID } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { verifyPayment } from '../../src/ledger/integrity.ts'
import { openEmptyLedger } from '../../src/ledger/ledgerFile.ts'
import { type Database, integerOf, loadSqlite, type Row, textOf } from '../../src/storage/sqlite.ts'
import { type Step, steps, takeSteps, WHOLE_REFUND } from './ledgerSteps.ts'
import { MemoryLedger, memoryLedger } from './memoryLedger.ts'
import { OWNER, TRANSFER } from './paymentHistory.ts'

const RUNS = Number(process.env.PROPERTY_RUNS ?? 60)

const TABLES = ['payment', 'attempt', 'sent_target', 'queried', 'clock_step', 'event', 'forward', 'run']
/** What no record says: it comes from the batch's file, or changes from process to process. */
const NOT_RECORDED = ['run.columns', 'run.fields', 'run.worker']

/** A ledger with something in every column. */
const FULL: Step[] = [
  { do: 'charge', owner: OWNER, payer: 'Padaria do Zé' },
  {
    do: 'answer',
    which: 0,
    outcome: 'accepted',
    idTransaction: 'id-3',
    code: null,
    amountCents: null,
    status: 'PENDING',
  },
  { do: 'pay', facts: TRANSFER, externalId: 'invoice-1', owner: OWNER, isInRun: true },
  {
    do: 'answer',
    which: 1,
    outcome: 'accepted',
    idTransaction: 'id-1',
    code: null,
    amountCents: null,
    status: 'PROCESSING',
  },
  event({
    name: 'transfer.completed',
    status: 'PAID_OUT',
    idTransaction: 'id-1',
    externalId: 'invoice-1',
    body: 'AAAA',
  }),
  { do: 'pay', facts: TRANSFER, externalId: 'invoice-2', owner: OWNER, isInRun: false },
  {
    do: 'answer',
    which: 2,
    outcome: 'refused',
    idTransaction: null,
    code: 'PIX_KEY_NOT_FOUND',
    amountCents: null,
    status: null,
  },
  { do: 'retry', which: 2 },
  {
    do: 'query',
    owner: OWNER,
    idTransaction: 'original-1',
    status: 'PAID',
    amountCents: 1000,
    paidAtMs: 1_700_000_000_000,
  },
  { do: 'wait', ms: -60_000 },
  { do: 'confirm', environment: 'production' },
  { do: 'query', owner: OWNER, idTransaction: 'ORIGINAL-1', status: 'PENDING', amountCents: null, paidAtMs: null },
  {
    do: 'pay',
    facts: WHOLE_REFUND,
    externalId: 'invoice-2',
    owner: OWNER,
    isInRun: true,
  },
  event({ name: 'pix.received', status: 'PAID', idTransaction: 'id-2', externalId: null, body: 'BBBB' }),
  event({ name: 'pix.received', status: 'PAID', idTransaction: 'id-2', externalId: null, body: 'CCCC' }),
  { do: 'forward', which: 0, status: 500 },
  { do: 'forward', which: 0, status: 204 },
]

function event(
  said: Pick<Extract<Step, { do: 'event' }>, 'name' | 'status' | 'idTransaction' | 'externalId' | 'body'>,
): Step {
  const rest = { originalTransactionId: null, errorCode: null, owner: OWNER, isSigned: true }
  return { do: 'event', taxId: '529.982.247-25', amountCents: 1000, ...rest, ...said }
}

async function fullLedger(): Promise<MemoryLedger> {
  const ledger = await memoryLedger()
  takeSteps(ledger, FULL)
  expect(ledger.problems()).toEqual([])
  ledger.database.exec('PRAGMA foreign_keys = OFF')
  return ledger
}

/** What a check says of a ledger after a change, which is undone. */
function problemsAfter(ledger: MemoryLedger, change: (database: Database) => void): string[] {
  ledger.database.exec('SAVEPOINT changed')
  try {
    change(ledger.database)
    return ledger.problems()
  } finally {
    ledger.database.exec('ROLLBACK TO changed; RELEASE changed')
  }
}

it('finds nothing wrong with a ledger, whatever happened to it', { timeout: 120_000 }, async () => {
  const open = await loadSqlite()
  await fc.assert(
    fc.asyncProperty(steps, async (taken) => {
      const database = await openEmptyLedger(randomUUID)
      try {
        const ledger = new MemoryLedger(database, open)
        takeSteps(ledger, taken)
        expect(ledger.problems()).toEqual([])
      } finally {
        database.close()
      }
    }),
    { numRuns: RUNS },
  )
})

it('shows a payment as its records say when a clock was confirmed that went back after a person spoke of it', async () => {
  const ledger = await memoryLedger()
  const attempt = ledger.attempt()
  ledger.answer(attempt, 'accepted', { idTransaction: 'id-1' })
  ledger.find(attempt, 'paid')
  ledger.event('RETURNED')
  expect(ledger.state(attempt)).toBe('paid')
  ledger.nowMs -= 60_000
  ledger.confirmClock()
  ledger.attempt(TRANSFER, { externalId: 'invoice-18' })
  expect(ledger.problems()).toEqual([])
  expect(() => verifyPayment(ledger.database, attempt.payment)).not.toThrow()
})

it('reports every column of every table, whatever it says instead', async () => {
  const ledger = await fullLedger()
  const unnoticed = TABLES.flatMap((table) => {
    const rows = ledger.database.all(`SELECT * FROM ${table} ORDER BY seq`)
    return ledger.database
      .all(`PRAGMA table_info(${table})`)
      .filter(
        (column) =>
          !otherValues(column, rows).every((value) => isNoticed(ledger, table, textOf(column, 'name'), value)),
      )
      .map((column) => `${table}.${textOf(column, 'name')}`)
  })
  expect(unnoticed).toEqual(NOT_RECORDED)
})

/** Values that the column does not hold in the last row in which it holds anything: another one, and none if it may hold none. */
function otherValues(column: Row, rows: readonly Row[]): (string | number | null)[] {
  const name = textOf(column, 'name')
  const value = lastFilled(rows, name)[name]
  const other = String(column.type) === 'TEXT' ? `${String(value)}x` : Number(value) + 1000
  return column.notnull === 1 || column.pk !== 0 || value === null ? [other] : [other, null]
}

function lastFilled(rows: readonly Row[], column: string): Row {
  const found = rows.findLast((row) => row[column] !== null) ?? rows.at(-1)
  if (found === undefined) throw new Error(`there is no row with ${column}`)
  return found
}

function isNoticed(ledger: MemoryLedger, table: string, column: string, value: string | number | null): boolean {
  const row = lastFilled(ledger.database.all(`SELECT * FROM ${table} ORDER BY seq`), column)
  const problems = problemsAfter(ledger, (database) => {
    const sql = `UPDATE ${table} SET ${column} = $value WHERE seq = $seq`
    expect(database.run(sql, { value, seq: integerOf(row, 'seq') })).toBe(1)
  })
  return problems.join().includes(`The table ${table} does not match the records`)
}

it('reports a row that is missing, and one too many', async () => {
  const ledger = await fullLedger()
  for (const table of TABLES) {
    const missing = problemsAfter(ledger, (database) => {
      const condition = `(SELECT max(seq) FROM ${table})`
      expect(database.run(`DELETE FROM ${table} WHERE seq = ${condition}`)).toBe(1)
    })
    expect(missing.join()).toContain(`The table ${table} does not match the records`)
  }
  const added = problemsAfter(ledger, (database) => database.exec('INSERT INTO forward (seq, n) VALUES (1, 1)'))
  expect(added).toEqual(['The table forward does not match the records: row 1'])
})

it('names the environment of a clock that differs, which comes from several records', async () => {
  const ledger = await fullLedger()
  const problems = problemsAfter(ledger, (database) => database.exec('UPDATE clock SET at_ms = at_ms + 1'))
  expect(problems).toEqual(['The table clock does not match the records: row production'])
})

const SEARCH = 'The table search does not match the records: payments are not found by their words'

it('reports cells of a batch that are damaged, also those that cannot be read', async () => {
  const ledger = await fullLedger()
  for (const cells of ['["somebody else"]', '["Ana']) {
    const problems = problemsAfter(ledger, (database) => {
      expect(database.run('UPDATE run_row SET cells = ? WHERE run = ?', cells, 'run-1')).toBe(1)
    })
    expect(problems).toEqual(['Line 2 of run-1 does not match its checksum'])
  }
})

it('reports a payment that the search does not find, or finds by other words', async () => {
  const ledger = await fullLedger()
  const insert = 'INSERT OR REPLACE INTO search (rowid, name, document, cells, words) VALUES (?, ?, ?, ?, ?)'
  for (const { seq } of ledger.database.all('SELECT seq FROM payment')) {
    const problems = problemsAfter(
      ledger,
      (database) => void database.run('DELETE FROM search WHERE rowid = ?', Number(seq)),
    )
    expect(problems).toEqual([SEARCH])
  }
  expect(problemsAfter(ledger, (database) => void database.run(insert, 99_999, '', '', '', 'more'))).toEqual([SEARCH])
  const words = problemsAfter(ledger, (database) => void database.run(insert, 1, 'Padaria do Zé', '', '', 'order-0'))
  expect(words).toEqual([SEARCH])
})

it.each([
  ['the amount by which lists and sums find it', 'UPDATE payment SET known_cents = NULL', 'payment'],
  ['its words', 'DELETE FROM search', 'search'],
  ['what the rules find it by', 'DELETE FROM sent_target', 'sent_target'],
])('reports a writer that forgets, with the first row of a payment, %s', async (_what, forgotten, table) => {
  const ledger = await memoryLedger()
  ledger.attempt()
  ledger.database.run(forgotten)
  expect(ledger.problems().join()).toContain(`The table ${table} does not match the records`)
})

it('reports an event that is linked to a payment which it cannot be about, or to none', async () => {
  const ledger = await fullLedger()
  const link = (sql: string) => problemsAfter(ledger, (database) => void expect(database.run(sql)).toBe(1))
  expect(link('UPDATE event SET payment = NULL WHERE n = 1')).toContainEqual(
    'The table event does not match the records: row 1',
  )
  expect(link("UPDATE event SET payment = (SELECT id FROM payment WHERE kind = 'qr') WHERE n = 1")).toContainEqual(
    'The table event does not match the records: row 1',
  )
})

it.each([
  ['the gateway gave for another payment', { idTransaction: 'id-1', externalId: null }],
  ['another payment was sent with', { idTransaction: null, externalId: 'invoice-17' }],
])(
  'reports an event that is linked to a payment of the same amount although it names the id that %s',
  async (_, ids) => {
    const ledger = await memoryLedger()
    const [named, other] = [ledger.attempt(), ledger.attempt(TRANSFER, { externalId: 'invoice-18' })]
    ledger.answer(named, 'accepted', { idTransaction: 'id-1' })
    ledger.answer(other, 'accepted', { idTransaction: 'id-2' })
    expect(ledger.linked(ledger.event('PAID_OUT', ids))).toBe(named.payment)
    expect(ledger.problems()).toEqual([])
    ledger.database.run('UPDATE event SET payment = ?', other.payment)
    expect(ledger.problems()).toContainEqual('The table event does not match the records: row 1')
  },
)

it('has an oracle that shares nothing with what writes the tables but the shape of the records', () => {
  const folder = join(import.meta.dirname, 'oracle')
  // Beside the oracle lies what asks the product first.
  const files = readdirSync(folder).filter((file) => file !== 'ledgerProblems.ts')
  const shared = files.flatMap((file) =>
    [...readFileSync(join(folder, file), 'utf8').matchAll(/^import (?!type )[^']*'(\.\.[^']+)'/gm)].map(
      ([, path]) => path,
    ),
  )
  expect([...new Set(shared)].sort()).toEqual(['../../../src/ledger/chain.ts', '../../../src/storage/sqlite.ts'])
})
