import { type Database, integerOf, integerOrNull, type Row, textOrNull } from '../storage/sqlite.ts'
import { withoutAccents } from '../text/withoutAccents.ts'
import { EVENT_FACT_RULES, type FactRule } from './facts.ts'
import type { Ledger } from './ledger.ts'
import { bareForm } from './search.ts'

/** Which events are searched for; null for what does not limit them. */
export interface EventSearch {
  /** Each must occur, in any case and with or without accents. */
  words: readonly string[]
  sinceMs: number | null
  beforeMs: number | null
  amountCents: number | null
  /** Each is an amount, or else occurs as a number. */
  amountOrWord: readonly { amountCents: number; word: string }[]
}

/** Events are not indexed, so they are read in pieces, between which a listener of this process can answer. */
const PIECE_EVENTS = 1_000

/** The texts of the facts that are searched as one of these, one by one, because together they would be JSON, with its quotes and nulls. */
function textsOf(...kinds: readonly FactRule['search'][]): string {
  const facts = Object.entries(EVENT_FACT_RULES).filter(([, { search }]) => kinds.includes(search))
  return `concat_ws(' ', ${facts.map(([fact]) => `json_extract(record.content, '$.${fact}')`).join(', ')})`
}

/**
 * The numbers of the newest events that a search finds, newest first, at most `limit`, among the newest `readMax`. Names, tax documents
 * and error messages are searched as they came.
 */
export async function searchEvents(
  ledger: Ledger,
  search: EventSearch,
  { limit, readMax }: { limit: number; readMax: number },
): Promise<number[]> {
  const found: number[] = []
  let before = Number.MAX_SAFE_INTEGER
  for (let read = 0; read < readMax && found.length < limit; read += PIECE_EVENTS) {
    const rows = await ledger.read((database) => piece(database, before))
    found.push(...rows.filter((row) => matches(row, search)).map((row) => integerOf(row, 'n')))
    const oldest = rows.at(-1)
    if (oldest === undefined) break
    before = integerOf(oldest, 'n')
  }
  return found.slice(0, limit)
}

function piece(database: Database, before: number): Row[] {
  return database.all(
    `SELECT event.n, event.amount_cents, event.received_ms,
       ${textsOf('tax-document')} AS tax_documents, ${textsOf('name', 'word')} AS words
     FROM event JOIN record ON record.seq = event.seq WHERE event.n < ? ORDER BY event.n DESC LIMIT ?`,
    before,
    PIECE_EVENTS,
  )
}

function matches(row: Row, { words, sinceMs, beforeMs, amountCents, amountOrWord }: EventSearch): boolean {
  const receivedMs = integerOf(row, 'received_ms')
  const cents = integerOrNull(row, 'amount_cents')
  if ((sinceMs !== null && receivedMs < sinceMs) || (beforeMs !== null && receivedMs >= beforeMs)) return false
  if (amountCents !== null && cents !== amountCents) return false
  const taxDocument = textOrNull(row, 'tax_documents') ?? ''
  const texts = [textOrNull(row, 'words'), taxDocument, bareForm(taxDocument)]
  const text = withoutAccents(texts.filter((each) => each !== null).join(' '))
  const has = (word: string) =>
    text.includes(withoutAccents(word)) || text.includes(withoutAccents(bareForm(word) ?? word))
  return words.every(has) && amountOrWord.every((each) => cents === each.amountCents || has(each.word))
}
