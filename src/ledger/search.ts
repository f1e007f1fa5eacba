import { destinationOf } from '../pix/destination.ts'
import type { Database } from '../storage/sqlite.ts'
import { EVENT_FACT_RULES, factEntries, type PaymentFacts, taxDocumentsOf } from './facts.ts'
import { recordsOfOriginal } from './originals.ts'
import type { AttemptRecord, EventRecord, LedgerRecord, PaymentRecord } from './records.ts'

/** The words of a payment, by the columns of the table `search`, in which tax documents are in the column `document`. */
interface SearchWords {
  /** Names of people and companies. */
  names: string[]
  /** As they came and without punctuation. */
  taxDocuments: string[]
  /** The cells of the payment's row in a batch. */
  cells: string[]
  words: string[]
}

/** What is searched; empty lists find everything. */
export interface SearchQuery {
  /** Each must occur, anywhere. */
  words: readonly string[]
  /** Each must occur in a name or in a cell of a batch. */
  names: readonly string[]
  /** Each must occur as a tax document, or in a cell of a batch. */
  taxDocuments: readonly string[]
}

/** Tax documents and phone numbers are typed with and without punctuation. */
const PUNCTUATED = /^[+(]*[\dA-Z][\dA-Z.()/+-]*$/i
const DIGITS_MIN = 8

/**
 * Enters a payment into the search by all its records, in place of what was entered before. A refund is also found by who paid what it returns, and by
 * that order number.
 */
export function indexPayment(database: Database, records: readonly PaymentRecord[]): void {
  // An event can have been recorded before the payment that it turned out to be about.
  const first = records.find((record) => record.type === 'attempt')
  if (first === undefined) return
  const found: SearchWords = { names: [], taxDocuments: [], cells: cellsOf(database, first), words: [first.payment] }
  for (const record of records) addWords(found, record)
  if (first.facts.kind === 'refund') {
    for (const record of recordsOfOriginal(database, first.facts.originalTransactionId, first.owner)) {
      if (record.type === 'attempt') addFacts(found, record.facts)
      if (record.type === 'event') addParty(found, record)
    }
  }
  database.run(
    'INSERT OR REPLACE INTO search (rowid, name, document, cells, words) VALUES (?, ?, ?, ?, ?)',
    first.seq,
    found.names.join('\n'),
    found.taxDocuments.flatMap((text) => [text, bareForm(text) ?? '']).join('\n'),
    found.cells.join('\n'),
    [...new Set(found.words)].join('\n'),
  )
}

/** The expression that FTS5 takes for a query; null for one that finds everything. Words match from their beginning. */
export function matchExpression({ words, names, taxDocuments }: SearchQuery): string | null {
  const terms = [
    ...words.flatMap(termOf),
    ...names.flatMap(termOf).map((term) => `{name cells} : ${term}`),
    ...taxDocuments.flatMap(termOf).map((term) => `{document cells} : ${term}`),
  ]
  return terms.length === 0 ? null : terms.join(' AND ')
}

/** The expression that finds a name by the beginning of one of its words. */
export function nameExpression(word: string, { withCells }: { withCells: boolean }): string {
  return `${withCells ? '{name cells}' : 'name'} : ${phrase(word)}`
}

/** The expression that finds exactly a word, not words that begin with it. */
export function exactExpression(word: string): string {
  return quoted(word)
}

/** True for text in which the search finds something: punctuation alone is not indexed. */
export function isSearchable(text: string): boolean {
  return /[\p{L}\p{N}]/u.test(text)
}

function termOf(text: string): string[] {
  if (!isSearchable(text)) return []
  const bare = bareForm(text)
  return bare === null ? [phrase(text)] : [`(${phrase(text)} OR ${phrase(bare)})`]
}

function phrase(text: string): string {
  return `${quoted(text)}*`
}

function quoted(text: string): string {
  return `"${text.replaceAll('"', '""')}"`
}

/** A tax document or phone number without its punctuation; null for text that has none, or is neither. */
export function bareForm(text: string): string | null {
  const bare = text.replace(/[.()/+\s-]/g, '')
  return PUNCTUATED.test(text) && bare !== text && bare.replace(/\D/g, '').length >= DIGITS_MIN ? bare : null
}

function addWords(found: SearchWords, record: PaymentRecord): void {
  switch (record.type) {
    case 'attempt':
      addAttempt(found, record)
      return
    case 'answer':
      found.words.push(...withoutNulls(record.idTransaction, record.code, record.message))
      return
    case 'finding':
      found.words.push(record.because)
      return
    case 'event':
      addParty(found, record)
      for (const { value, search } of searchedFacts(record)) if (search === 'word') found.words.push(value)
      return
    case 'resend':
    case 'query':
      return
    default:
      record satisfies never
  }
}

function addAttempt(found: SearchWords, { id, externalId, facts, place }: LedgerRecord<AttemptRecord>): void {
  found.words.push(id, ...withoutNulls(externalId, place?.reference ?? null, place?.run ?? null))
  addFacts(found, facts)
}

function addFacts(found: SearchWords, facts: PaymentFacts): void {
  for (const [, value, { search }] of factEntries(facts)) {
    if (typeof value !== 'string') continue
    if (search === 'name') found.names.push(value)
    if (search === 'word' || search === 'key') found.words.push(value)
    if (search !== 'key' || facts.kind !== 'transfer') continue
    const { key, tradeName } = destinationOf(facts.key, facts.keyType)
    found.words.push(key)
    found.names.push(...withoutNulls(tradeName))
  }
  found.taxDocuments.push(...taxDocumentsOf(facts))
}

function addParty(found: SearchWords, event: LedgerRecord<EventRecord>): void {
  for (const { value, search } of searchedFacts(event)) {
    if (search === 'name') found.names.push(value)
    if (search === 'tax-document') found.taxDocuments.push(value)
  }
}

function searchedFacts(event: LedgerRecord<EventRecord>) {
  const values: Readonly<Record<string, unknown>> = { ...event }
  return Object.entries(EVENT_FACT_RULES).flatMap(([fact, { search, isOwn }]) => {
    const value = values[fact]
    return typeof value !== 'string' || isOwn ? [] : [{ value, search }]
  })
}

function cellsOf(database: Database, { place }: LedgerRecord<AttemptRecord>): string[] {
  if (place === null) return []
  const cells = database.text('SELECT cells FROM run_row WHERE run = ? AND line = ?', place.run, place.line)
  const parsed: unknown = JSON.parse(cells ?? '[]')
  return Array.isArray(parsed) ? parsed.map(String) : []
}

function withoutNulls(...texts: readonly (string | null)[]): string[] {
  return texts.flatMap((text) => text ?? [])
}
