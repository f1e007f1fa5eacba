import { hash } from 'node:crypto'
import { type MoneyPayment, type PaymentParts, paymentParts } from '../ledger/facts.ts'
import { comparableId, comparableTarget } from '../ledger/samePayment.ts'
import { chargeAddress } from '../pix/destination.ts'
import { decidingColumns, isOtherBill, type OwnNumber, type OwnReference, type SaidOfBill } from '../pix/tableWords.ts'
import { type Database, integerOf, loadSqlite, type Row, textOf } from '../storage/sqlite.ts'
import { hasControlCharacter } from '../text/safeText.ts'
import { t } from '../text/translate.ts'
import { UsageError } from '../wire/errors.ts'
import type { ReadRow } from './paymentRows.ts'

const SLUG_CHARACTERS_MAX = 18
const DIGEST_CHARACTERS = 16
/** 80 bits, which are {@link DIGEST_CHARACTERS} of base 32. */
const DIGEST_BYTES = 10
const REFERENCE_CHARACTERS_MAX = 200

/**
 * The id of a row that has none of its own: the same for the same payment, forever and on any machine.
 *
 * It is `<slug>-<digest>`, at most 35 characters of `a-z`, `0-9` and `-`. The slug is the reference without accents, in
 * small letters, everything else as `-`, cut to 18 characters; `batch` if nothing is left. The digest is the first 80
 * bits of the SHA-256 of the JSON text of an array, written in base 32 with the digits `0-9a-v`:
 *
 *     ["transfer", reference, canonical key, of a static code that in it, cents, documentValidation or null, equal rows above]
 *     ["refund", reference, originalTransactionId, cents or null, equal rows above]
 *
 * The reference is in Unicode's form NFC. Equal rows are those without an id of their own whose array is the same up to
 * its last member. Nothing else of the file goes in, so a sorted, corrected or shortened file asks for the same payments
 * under the same ids. Changing any of this would pay people twice.
 */
export function derivedId(reference: string, facts: PaymentParts, equalAbove: number): string {
  return writtenId(reference, digestOf(recipe(reference, facts, equalAbove)))
}

/** Gives the rows of one file their ids, from the first to the last. */
export class RowIds {
  readonly #reference: string
  readonly #register: RowRegister

  constructor(reference: string, register: RowRegister) {
    this.#reference = reference
    this.#register = register
  }

  /** The id of a row, its own or a derived one. */
  idOf({ facts, typedId }: Pick<ReadRow, 'facts' | 'typedId'>): string {
    if (typedId !== null) return typedId
    const first = digestOf(recipe(this.#reference, facts, 0))
    const above = this.#register.countEqual(first)
    return above === 0 ? writtenId(this.#reference, first) : derivedId(this.#reference, facts, above)
  }

  /** The id of a row that is a new payment, though other rows of the file have ids of their own. */
  newIdOf(facts: MoneyPayment): string {
    let id = ''
    do id = this.idOf({ facts, typedId: null })
    while (this.#register.isReserved(id))
    return id
  }

  /** Notes the id of a row; returns the line that has it already, as {@link RowRegister.note} does. */
  clash(id: string, place: NotedPlace): number | undefined {
    return this.#register.note(['id', comparableId(id)], place)
  }

  /** Notes which charge a payment code of a row pays, in the same way. */
  clashOfCharge(facts: MoneyPayment, place: NotedPlace): number | undefined {
    const address = facts.kind === 'transfer' ? chargeAddress(facts.key) : null
    return address === null ? undefined : this.#register.note(['charge', address], place)
  }

  /** Notes a reference, with the destination and the amount of its row; returns the line that has the same, with the number that both have. */
  clashOfReference(
    { numbers, said }: OwnReference,
    facts: MoneyPayment,
    place: NotedPlace,
  ): { line: number; number: OwnNumber } | undefined {
    const target = comparableTarget(facts)
    const clashes = numbers.flatMap((number) => {
      const what = ['reference', target, facts.amountCents, number.comparable]
      const line = this.#register.note(what, place, said)
      return line === undefined ? [] : [{ line, number }]
    })
    return clashes[0]
  }
}

/**
 * The reference of a file: the one typed, else the file's name without folder and extension. Throws UsageError if it is
 * blank or there is no name.
 */
export function referenceOf(typed: string | undefined, fileName: string | null): string {
  const reference = (typed ?? fileName?.replace(/(?!^)\.[^.]*$/, '') ?? '').trim().normalize('NFC')
  if (reference === '' && typed === undefined) {
    throw new UsageError(t`Standard input needs a reference, because the ids of its rows depend on it`, {
      hint: t`Add \`--reference\` with the same text each time that these payments are sent, such as \`--reference payroll-2026-11\``,
    })
  }
  if (reference === '' || reference.length > REFERENCE_CHARACTERS_MAX || hasControlCharacter(reference)) {
    throw new UsageError(
      t`\`--reference\` is empty, longer than ${REFERENCE_CHARACTERS_MAX} characters, or contains control characters`,
      {
        hint: t`Type a short name for these payments, such as \`--reference payroll-2026-11\``,
      },
    )
  }
  return reference
}

function recipe(reference: string, facts: PaymentParts, equalAbove: number): string {
  return JSON.stringify([facts.kind, reference.normalize('NFC'), ...paymentParts(facts), equalAbove])
}

function digestOf(text: string): Buffer {
  return hash('sha256', text, 'buffer')
}

function writtenId(reference: string, digest: Buffer): string {
  const hex = digest.toString('hex', 0, DIGEST_BYTES)
  return `${slug(reference)}-${BigInt(`0x${hex}`).toString(32).padStart(DIGEST_CHARACTERS, '0')}`
}

function slug(reference: string): string {
  const plain = reference.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
  const dashed = plain.replace(/[^a-z0-9]+/g, '-').replace(/^-/, '')
  return dashed.slice(0, SLUG_CHARACTERS_MAX).replace(/-$/, '') || 'batch'
}

/** Where a row is, and whether the file only holds it, so that it is not sent. */
interface NotedPlace {
  line: number
  isHeld: boolean
}

const TABLES = `
PRAGMA journal_mode = OFF;
PRAGMA synchronous = OFF;
CREATE TABLE equal_row (digest BLOB PRIMARY KEY, rows INTEGER NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE reserved_id (id TEXT PRIMARY KEY COLLATE NOCASE) STRICT, WITHOUT ROWID;
CREATE TABLE noted (
  digest BLOB NOT NULL,
  is_held INTEGER NOT NULL,
  said TEXT NOT NULL,
  line INTEGER NOT NULL,
  PRIMARY KEY (digest, is_held, said)
) STRICT, WITHOUT ROWID;
BEGIN;
`

/**
 * Counts equal rows and remembers what they must not share while a file is read. It is a private database that SQLite writes to a temporary file when it grows,
 * so that a file of a million rows needs no more memory than one of ten.
 */
export class RowRegister {
  readonly #database: Database
  /** The indexes of `noted`, made when the first row that fills these columns asks. */
  readonly #indexes = new Set<string>()

  private constructor(database: Database) {
    this.#database = database
  }

  static async open(): Promise<RowRegister> {
    const open = await loadSqlite()
    // An empty name is a private database that disappears when it is closed.
    const database = open('')
    database.exec(TABLES)
    return new RowRegister(database)
  }

  /** Counts a row; returns how many with the same digest were counted before. */
  countEqual(digest: Buffer): number {
    const row = this.#database.get(
      `INSERT INTO equal_row (digest, rows) VALUES (?, 1) ON CONFLICT (digest) DO UPDATE SET rows = rows + 1 RETURNING rows`,
      digest,
    )
    if (row === undefined) throw new Error('a row was not counted')
    return integerOf(row, 'rows') - 1
  }

  /**
   * Remembers where something is that two rows must not share; returns a line that has it already, undefined if none has or if neither of the two is
   * sent. What both rows say of the bill, and what differs, makes it another thing.
   */
  note(
    what: readonly (string | number | null)[],
    { line, isHeld }: NotedPlace,
    said: SaidOfBill = {},
  ): number | undefined {
    const digest = digestOf(JSON.stringify(what))
    const entry = [digest, isHeld ? 1 : 0, JSON.stringify(said), line]
    // Most of what a file holds is there once.
    const first = `INSERT INTO noted (digest, is_held, said, line) SELECT ?, ?, ?, ?
      WHERE NOT EXISTS (SELECT 1 FROM noted WHERE digest = ?)`
    if (this.#database.run(first, ...entry, digest) === 1) return undefined
    const same = this.#sayingNothingElse(said, [digest, isHeld ? 0 : 1, line])
    this.#database.run(
      'INSERT INTO noted (digest, is_held, said, line) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING',
      ...entry,
    )
    return same
  }

  /** The line of an entry that may be the same; an index of the columns that a row fills finds it among a million with its digest. */
  #sayingNothingElse(said: SaidOfBill, place: readonly (Buffer | number)[]): number | undefined {
    const columns = decidingColumns(said)
    const texts = columns.map((column) => `ifnull(said ->> '${column}', '')`)
    const index = ['by', ...columns].join('_')
    // The key of the table begins with what is asked of a row that fills none.
    const isOfKey = columns.length === 0
    if (!isOfKey && !this.#indexes.has(index)) {
      this.#database.exec(`CREATE INDEX ${index} ON noted (${['digest', 'is_held', ...texts].join(', ')})`)
      this.#indexes.add(index)
    }
    const from = isOfKey ? 'noted' : `noted INDEXED BY ${index}`
    const sql = `SELECT line, said FROM ${from} WHERE digest = ? AND is_held IN (0, ?) AND line <> ?`
    const where = [sql, ...texts.map((text) => `${text} IN (?, '')`)].join(' AND ')
    const values = [...place, ...columns.map((column) => said[column] ?? '')]
    const isSame = (row: Row) => !isOtherBill(JSON.parse(textOf(row, 'said')), said)
    const first = this.#database.get(where, ...values)
    if (first === undefined || isSame(first)) return first === undefined ? undefined : integerOf(first, 'line')
    for (const row of this.#database.each(where, ...values)) if (isSame(row)) return integerOf(row, 'line')
    return undefined
  }

  /** Remembers an id that a row of the file has, so that no other row gets it. */
  reserve(id: string): void {
    this.#database.run('INSERT INTO reserved_id (id) VALUES (?) ON CONFLICT DO NOTHING', id)
  }

  isReserved(id: string): boolean {
    return this.#database.has('SELECT 1 FROM reserved_id WHERE id = ?', id)
  }

  close(): void {
    this.#database.close()
  }
}
