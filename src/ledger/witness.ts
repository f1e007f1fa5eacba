import { hash } from 'node:crypto'
import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  unlinkSync,
  writeSync,
} from 'node:fs'
import { join, resolve } from 'node:path'
import { makePrivateFolder, syncFolder } from '../storage/privateFolder.ts'
import type { Database } from '../storage/sqlite.ts'
import { systemTrouble } from '../storage/systemTrouble.ts'
import { t } from '../text/translate.ts'
import { isObject, textField } from '../wire/answers.ts'
import { accountAddress } from '../wire/baseAddress.ts'
import { isSystemError, UsageError } from '../wire/errors.ts'
import type { AccountKey } from './accounts.ts'
import { type ChainPoint, chainEnd, digestAt } from './chain.ts'
import { ledgerId, type SeenLedger, seenLedger } from './ledgerId.ts'

/** How a ledger differs from what this user's machine has seen. */
export type WitnessVerdict =
  | { is: 'current' }
  /** Records are missing from its end. */
  | { is: 'older'; seen: SeenLedger; end: ChainPoint }
  /** Nothing was paid from this account with this ledger, but with another one. */
  | { is: 'new-to-account'; account: AccountKey; folder: string | null }

/** One file: what was seen of a ledger when it paid from an account. The name holds all but the checksum. */
interface Witness {
  name: string
  ledger: string
  /** See {@link accountMark}. */
  account: string
  seq: number
}

/** What was seen of all ledgers, as {@link WitnessFolder.read} found it. */
export interface SeenLedgers {
  readonly witnesses: readonly (Witness & { content: Record<string, unknown> })[]
}

const NAME = /^([\da-f-]{36})\.([\da-f]{16})\.(\d{1,16})\.json$/
/** The checksum of a witness that cannot be read; no record has it. */
export const UNREADABLE = '-'

/**
 * What was seen of each ledger with each account: small files in the config folder with the number and checksum of a ledger's last record.
 * They show that a ledger lacks records, in whatever folder it lies, and that an account was paid from with another one. The number is part of
 * the name, so two processes that write at once leave both files, and what was seen never goes backwards.
 */
export class WitnessFolder {
  readonly #folder: string
  readonly #dataFolder: string
  readonly #newId: () => string
  /** What this process noted last, by the mark of the account. */
  readonly #noted = new Map<string, SeenLedger>()

  /** `newId` gives a new name for each file that is written before it gets its own. */
  constructor(configFolder: string, dataFolder: string, newId: () => string) {
    this.#newId = newId
    this.#dataFolder = resolve(dataFolder)
    this.#folder = join(configFolder, 'ledgers')
  }

  /**
   * Compares a ledger with `seen` of it and of an account. In a transaction that only reads, `seen` must have been read before it began: another
   * process may commit records after that, which the transaction does not see, and note them.
   */
  compare(database: Database, account: AccountKey, seen: SeenLedgers): WitnessVerdict {
    const id = ledgerId(database)
    const mark = accountMark(account)
    const { witnesses } = seen
    const own = witnesses.filter(({ ledger }) => ledger === id)
    for (const { seq, content } of own) {
      const digest = textField(content, 'digest') ?? UNREADABLE
      if (digestAt(database, seq) === digest) continue
      return { is: 'older', seen: { ledger: id, seq, digest }, end: chainEnd(database) }
    }
    if (own.some((each) => each.account === mark)) return { is: 'current' }
    const other = witnesses.find((each) => each.account === mark)
    if (other === undefined) return { is: 'current' }
    return { is: 'new-to-account', account, folder: textField(other.content, 'folder') }
  }

  /**
   * Notes the last record of a ledger that pays from an account. To be called after each commit that moves money. What is noted is on the disk
   * when this returns; a record that was noted before is not noted again. Throws UsageError if it cannot be written.
   */
  note(seen: SeenLedger, account: AccountKey): void {
    const mark = accountMark(account)
    const noted = this.#noted.get(mark)
    if (seen.seq === 0 || (noted?.seq === seen.seq && noted.digest === seen.digest)) return
    this.#write(seen, mark)
    this.#noted.set(mark, seen)
  }

  /** Notes that a ledger replaces another one for all accounts that were paid from with that. Throws UsageError. */
  replace(earlierLedger: string, seen: SeenLedger): void {
    const marks = this.#list()
      .filter(({ ledger }) => ledger === earlierLedger)
      .map(({ account }) => account)
    for (const mark of new Set(marks)) this.#write(seen, mark)
  }

  /**
   * Replaces what was seen of the records of a copy that the server of a shared ledger holds under other numbers now. `old` is the copy as it was, `fresh`
   * one of the server as it is. What was seen of another copy stays, because it has not been handed over. Throws UsageError.
   */
  renew(old: Database, fresh: Database): void {
    const id = ledgerId(old)
    const seen = seenLedger(fresh, chainEnd(fresh))
    for (const { content, ...witness } of this.read().witnesses) {
      const digest = textField(content, 'digest')
      const isOfCopy = witness.ledger === id && digest !== null && digestAt(old, witness.seq) === digest
      if (!isOfCopy || (id === seen.ledger && digestAt(fresh, witness.seq) === digest)) continue
      this.#write(seen, witness.account)
      if (id === seen.ledger && witness.seq !== seen.seq) this.#remove(witness)
    }
  }

  /** Replaces what was seen of a shared ledger and neither it nor this machine has any more: a person has agreed to that. Throws UsageError. */
  accept(database: Database): void {
    const seen = seenLedger(database, chainEnd(database))
    for (const { content, ...witness } of this.read().witnesses) {
      const isKnown = digestAt(database, witness.seq) === (textField(content, 'digest') ?? UNREADABLE)
      if (witness.ledger !== seen.ledger || isKnown) continue
      this.#write(seen, witness.account)
      if (witness.seq !== seen.seq) this.#remove(witness)
    }
  }

  #write({ ledger, seq, digest }: SeenLedger, mark: string): void {
    try {
      if (!existsSync(this.#folder)) makePrivateFolder(this.#folder)
      const name = `${ledger}.${mark}.${seq}.json`
      const part = join(this.#folder, `${name}.${this.#newId()}`)
      const file = openSync(part, 'wx', 0o600)
      try {
        writeSync(file, `${JSON.stringify({ folder: this.#dataFolder, digest })}\n`)
        fsyncSync(file)
      } finally {
        closeSync(file)
      }
      renameSync(part, join(this.#folder, name))
      syncFolder(this.#folder)
      for (const each of this.#list()) {
        if (each.ledger === ledger && each.account === mark && each.seq < seq) {
          this.#remove(each)
        }
      }
    } catch (error) {
      throw this.#failure(error)
    }
  }

  /** Removes a file that a newer one replaces, unless another process did. */
  #remove({ name }: Witness): void {
    try {
      unlinkSync(join(this.#folder, name))
    } catch (error) {
      if (!isSystemError(error) || error.code !== 'ENOENT') throw error
    }
  }

  #list(): Witness[] {
    return this.#names().flatMap((name) => {
      const [, ledger = '', account = '', seq = ''] = NAME.exec(name) ?? []
      return ledger === '' ? [] : [{ name, ledger, account, seq: Number(seq) }]
    })
  }

  #names(): string[] {
    try {
      return readdirSync(this.#folder)
    } catch (error) {
      if (isSystemError(error) && error.code === 'ENOENT') return []
      throw this.#failure(error)
    }
  }

  /**
   * Reads every file with its content. Another process removes a file once it has written a newer one, so a file that is gone and no longer
   * listed means that there is newer to read. Throws UsageError if they cannot be read.
   */
  read(): SeenLedgers {
    for (;;) {
      const read = this.#list().map((witness) => ({ ...witness, content: this.#content(witness) }))
      const gone = read.find(({ content }) => content === undefined)
      const complete = read.flatMap(({ content, ...witness }) =>
        content === undefined ? [] : [{ ...witness, content }],
      )
      if (gone === undefined) return { witnesses: complete }
      if (this.#names().includes(gone.name)) throw this.#unusable('ENOENT')
    }
  }

  /** What a file holds; empty if it is damaged, undefined if it is gone. */
  #content({ name }: Witness): Record<string, unknown> | undefined {
    try {
      const parsed: unknown = JSON.parse(readFileSync(join(this.#folder, name), 'utf8'))
      return isObject(parsed) ? parsed : {}
    } catch (error) {
      if (error instanceof SyntaxError) return {}
      if (isSystemError(error) && error.code === 'ENOENT') return undefined
      throw this.#failure(error)
    }
  }

  #failure(error: unknown): unknown {
    return isSystemError(error) ? this.#unusable(error.code) : error
  }

  #unusable(code: string): UsageError {
    const { reason, hint } = systemTrouble({ code }, this.#folder, 'PIXGATE_CONFIG_DIR')
    return new UsageError(t`\`${this.#folder}\` cannot be used: ${reason}`, {
      details: [t`It shows whether payment records are missing, so none is sent without it`],
      hint,
    })
  }
}

/** 16 hex digits that tell an account from every other in the name of a file. */
function accountMark({ url, clientId }: AccountKey): string {
  return hash('sha256', JSON.stringify([accountAddress(url), clientId])).slice(0, 16)
}
