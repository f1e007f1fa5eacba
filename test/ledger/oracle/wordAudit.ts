import { type Database, textOrNull } from '../../../src/storage/sqlite.ts'
import type { PaymentWords } from './paymentWords.ts'

const PAGE_WORDS = 5000

/**
 * The last of the next words, and for all of them as one text how often each occurs, with a checksum over its payments, columns and positions.
 * A row for each word would take longer to hand over than to find.
 */
const NEXT_WORDS = `SELECT max(term) AS last, group_concat(term || ' ' || places || ' ' || checksum, x'0a') AS words FROM (
  SELECT term, count(*) AS places,
    sum(doc * (offset * 32 + instr('name document cells words', col)) % 2147483647) AS checksum
  FROM temp.search_places WHERE term > ? GROUP BY term ORDER BY term LIMIT ${PAGE_WORDS})`

/** Compares the words of the search with those of an index of its own, which is filled from the records. */
export class WordAudit {
  readonly #own: Database
  #lastWord = ''

  /** `own` is a database without a table `audit_word`. */
  constructor(own: Database) {
    this.#own = own
    own.exec(`CREATE VIRTUAL TABLE audit_word USING fts5(
      name, document, cells, words, content = '', contentless_delete = 1, tokenize = 'unicode61 remove_diacritics 2'
    )`)
    own.exec("CREATE VIRTUAL TABLE temp.search_places USING fts5vocab(main, audit_word, 'instance')")
  }

  /** Enters what a payment must be found by, in place of what was entered before. */
  enter(seq: number, { name, document, cells, words }: PaymentWords): void {
    const insert = 'INSERT OR REPLACE INTO audit_word (rowid, name, document, cells, words) VALUES (?, ?, ?, ?, ?)'
    this.#own.run(insert, seq, name, document, cells, words)
  }

  /** Compares the next words. Returns true if there are more, false after the last, and null if one differs. */
  compare(database: Database): boolean | null {
    database.exec("CREATE VIRTUAL TABLE IF NOT EXISTS temp.search_places USING fts5vocab(main, search, 'instance')")
    const found = database.get(NEXT_WORDS, this.#lastWord)
    const expected = this.#own.get(NEXT_WORDS, this.#lastWord)
    if (found?.words !== expected?.words) return null
    const last = found === undefined ? null : textOrNull(found, 'last')
    if (last === null) return false
    this.#lastWord = last
    return true
  }
}
