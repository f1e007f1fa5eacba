import { createHash } from 'node:crypto'
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { makePrivateFolder } from '../storage/privateFolder.ts'
import { type Database, textOf } from '../storage/sqlite.ts'
import { t } from '../text/translate.ts'
import { isObject, textField } from '../wire/answers.ts'
import { isSystemError, UsageError } from '../wire/errors.ts'
import { CHAIN_START, type ChainPoint, chainEnd, digestAt } from './chain.ts'
import { ledgerPath } from './ledgerFile.ts'
import type { Writer } from './writer.ts'

/** What was known last of the ledger of a data folder, kept outside of that folder. */
export interface Witness extends ChainPoint {
  /** The UUID of the ledger. */
  ledger: string
}

/** How a ledger differs from what its witness knows. */
export type WitnessVerdict =
  | { is: 'current' }
  /** Records are missing from its end, or it is another ledger. */
  | { is: 'older'; witness: Witness; end: ChainPoint }

/**
 * The witness of a data folder: a small file in the config folder with the number and checksum of the last record. It shows that a
 * ledger was deleted, or replaced by an older copy.
 */
export class WitnessFile {
  readonly #folder: string
  readonly #path: string
  readonly #newId: () => string

  /** `newId` gives a new name for each file that is written before it gets its own. */
  constructor(configFolder: string, dataFolder: string, newId: () => string) {
    this.#newId = newId
    const name = createHash('sha256').update(resolve(dataFolder)).digest('hex').slice(0, 16)
    this.#folder = join(configFolder, 'ledgers')
    this.#path = join(this.#folder, `${name}.json`)
  }

  /** Compares a ledger with the witness. Throws UsageError if the witness cannot be read. */
  compare(database: Database): WitnessVerdict {
    const witness = this.#read()
    if (witness === undefined) return { is: 'current' }
    const isSame = ledgerId(database) === witness.ledger && digestAt(database, witness.seq) === witness.digest
    if (isSame) return { is: 'current' }
    return { is: 'older', witness, end: ledgerId(database) === witness.ledger ? chainEnd(database) : CHAIN_START }
  }

  /**
   * Notes the last record of the ledger. To be called after each commit that moves money. A witness that is behind its ledger is right.
   * Throws UsageError if it cannot be written.
   */
  note(witness: Witness): void {
    try {
      makePrivateFolder(this.#folder)
      const part = `${this.#path}.${this.#newId()}`
      writeFileSync(part, `${JSON.stringify(witness)}\n`, { mode: 0o600 })
      renameSync(part, this.#path)
    } catch (error) {
      throw this.#failure(error)
    }
  }

  #read(): Witness | undefined {
    try {
      return parseWitness(readFileSync(this.#path, 'utf8'))
    } catch (error) {
      if (isSystemError(error) && error.code === 'ENOENT') return undefined
      throw this.#failure(error)
    }
  }

  #failure(error: unknown): unknown {
    if (!isSystemError(error)) return error
    return new UsageError(t`\`${this.#path}\` cannot be used: ${error.code}`, {
      details: [t`It shows whether payment records are missing; nothing was sent`],
      hint: t`Make the folder writable, or set \`PIXGATE_CONFIG_DIR\` to another folder`,
    })
  }
}

/** What the witness of a ledger must know after this transaction. */
export function witnessOf({ database, end }: Pick<Writer, 'database' | 'end'>): Witness {
  return { ledger: ledgerId(database), ...end }
}

/** The UUID of a ledger. */
function ledgerId(database: Database): string {
  const row = database.get("SELECT value FROM meta WHERE name = 'id'")
  return row === undefined ? '' : textOf(row, 'value')
}

/** The failure of everything that moves money with a ledger that is older than its witness. */
export function olderLedger(folder: string, { witness, end }: Extract<WitnessVerdict, { is: 'older' }>): UsageError {
  return new UsageError(t`Payment records are missing from \`${ledgerPath(folder)}\``, {
    code: 'LEDGER_OLDER',
    details: [
      witness.digest === UNREADABLE.digest
        ? t`The file with the number of records that this machine has written is damaged`
        : t`This machine has written ${witness.seq} records, but the ledger holds only ${end.seq} of them: it was deleted or replaced by an older copy`,
      t`A payment that was made since could be made twice, so nothing was sent`,
    ],
    hint: t`Restore the newest backup; if there is none, run \`pixgate history check --accept-older\``,
  })
}

/** A witness that cannot be read counts as one of another ledger. */
const UNREADABLE: Witness = { ledger: '', seq: 0, digest: '-' }

function parseWitness(text: string): Witness {
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return UNREADABLE
    throw error
  }
  if (!isObject(parsed) || typeof parsed.seq !== 'number') return UNREADABLE
  return { ledger: textField(parsed, 'ledger') ?? '', seq: parsed.seq, digest: textField(parsed, 'digest') ?? '' }
}
