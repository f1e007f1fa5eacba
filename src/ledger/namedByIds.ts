import type { Database } from '../storage/sqlite.ts'
import { foldedText } from '../text/foldedText.ts'
import { type AccountInEnvironment, accountId } from './accounts.ts'
import { type ExternalCharge, externalChargesWith } from './originals.ts'
import { findPayments, isOfAccount, loadPayment, type Payment } from './payments.ts'
import { findRun, type Run, runsBeginningWith } from './runs.ts'
import { exactExpression, isSearchable, nameExpression } from './search.ts'

/** What an id names: a payment or a batch of this ledger, or a received payment that it did not create. */
export type Named =
  | { is: 'payment'; payment: Payment }
  | { is: 'run'; run: Run }
  | { is: 'external'; charge: ExternalCharge }

/** What an id names. A whole id comes before the beginning of one. */
export interface IdMatch {
  isWhole: boolean
  named: Named[]
}

const CANDIDATES_MAX = 20
/** No more payments than this, in which its words occur, are compared with a reference. */
const REFERENCES_MAX = 500
/** The beginning of a UUID. Ids that people chose are never completed: `order-1` must not be taken for `order-17`. */
const UUID_BEGINNING = /^[0-9a-f][0-9a-f-]{5,34}$/i
const RUN_BEGINNING = /^run-[0-9a-f]{2,11}$/i
const IS_UUID = "LIKE '________-____-____-____-____________'"

/**
 * What an id names in the ledger, in any case: an idTransaction, external id, request number, the UUID of a payment or attempt, the id of
 * a refund's row, a run; else what the beginning of a UUID or of a run names, with at least 6 characters, else what people know by this as their own
 * reference. `owner` limits it to an account; for null it is of any, and external charges are not looked for.
 */
export function namedById(database: Database, typed: string, owner: AccountInEnvironment | null): IdMatch {
  const id = typed.trim()
  const whole = wholeMatches(database, id, owner)
  if (whole.length > 0) return { isWhole: true, named: whole }
  const begun = beginningMatches(database, id, owner)
  return { isWhole: false, named: begun.length > 0 ? begun : referenceMatches(database, id, owner) }
}

/** True for what {@link namedById} takes for the beginning of an id. */
export function isIdBeginning(typed: string): boolean {
  return UUID_BEGINNING.test(typed.trim()) || RUN_BEGINNING.test(typed.trim())
}

/**
 * The payments that count, of those with one name, oldest first: a payment that the gateway refused and the next one with its external id or request
 * number are one thing to people. That is all that were carried out or may have been; if there are none, the newest of a kind.
 */
export function countingPayments(found: readonly Payment[]): Payment[] {
  return found.filter((payment) => {
    if (counts(payment)) return true
    const ofKind = found.filter(({ facts }) => facts.kind === payment.facts.kind)
    return !ofKind.some(counts) && ofKind.at(-1) === payment
  })
}

/** True unless nothing came of the request, as far as is known. */
function counts({ facts, summary: { state, mayHaveMoved } }: Payment): boolean {
  return facts.kind === 'transfer' ? mayHaveMoved : state !== 'refused' && state !== 'not-sent'
}

function wholeMatches(database: Database, id: string, owner: AccountInEnvironment | null): Named[] {
  const payments = countingByAccount(findPayments(database, id).filter((each) => isOwn(each, owner)))
  const run = findRun(database, id) ?? findRun(database, id.toLowerCase())
  return [
    ...payments.map((payment): Named => ({ is: 'payment', payment })),
    ...(run === undefined || !isOwn(run.record, owner) ? [] : [{ is: 'run', run } as const]),
    ...externalMatches(database, owner, (column) => `${column} = $id`, { id }),
  ]
}

function beginningMatches(database: Database, typed: string, owner: AccountInEnvironment | null): Named[] {
  if (RUN_BEGINNING.test(typed)) {
    return runsBeginningWith(database, typed.toLowerCase(), CANDIDATES_MAX)
      .filter(({ record }) => isOwn(record, owner))
      .map((run) => ({ is: 'run', run }))
  }
  if (!UUID_BEGINNING.test(typed)) return []
  const from = typed.toLowerCase()
  // All characters of a UUID come before `g`.
  const values = { from, to: `${from}g` }
  const condition = (column: string) => `${column} > $from AND ${column} < $to AND ${column} ${IS_UUID}`
  const isOfOwner = owner === null ? '1 = $account' : 'payment.account = $account'
  const ofAttempts = ['attempt.id', 'attempt.external_id', 'attempt.id_transaction'].map(
    (column) =>
      `SELECT payment.id, payment.seq FROM attempt JOIN payment ON payment.id = attempt.payment
       WHERE ${condition(column)} AND ${isOfOwner}`,
  )
  const ids = database.texts(
    `SELECT id, seq FROM payment WHERE ${condition('id')} AND ${isOfOwner}
     UNION SELECT id, seq FROM payment WHERE ${condition('name')} AND kind = 'qr' AND ${isOfOwner}
     UNION ${ofAttempts.join(' UNION ')} ORDER BY 2 DESC LIMIT ${CANDIDATES_MAX}`,
    { ...values, account: owner === null ? 1 : accountId(database, owner) },
  )
  return [
    ...ids.map((id): Named => ({ is: 'payment', payment: loadPayment(database, id) })),
    ...externalMatches(database, owner, condition, values),
  ]
}

/** The newest payments with a reference as lists show it, such as an invoice in a file; in any case. */
function referenceMatches(database: Database, reference: string, owner: AccountInEnvironment | null): Named[] {
  if (!isSearchable(reference)) return []
  const ids = database.texts(
    'SELECT payment.id FROM search JOIN payment ON payment.seq = search.rowid WHERE search MATCH ? ORDER BY search.rowid DESC LIMIT ?',
    exactExpression(reference),
    REFERENCES_MAX,
  )
  const isMeant = (payment: Payment) => foldedText(payment.ownReference ?? '') === foldedText(reference)
  const payments = ids.map((id) => loadPayment(database, id)).filter((each) => isOwn(each, owner) && isMeant(each))
  return countingByAccount(payments.toReversed())
    .slice(-CANDIDATES_MAX)
    .map((payment) => ({ is: 'payment', payment }))
}

/** True if a word of a name in the ledger begins with this one. The cells of a batch have names too, and ids: a word with a digit is not looked for there. */
export function isNameInLedger(database: Database, word: string): boolean {
  const expression = nameExpression(word, { withCells: !/\d/.test(word) })
  return database.has('SELECT 1 FROM search WHERE search MATCH ? LIMIT 1', expression)
}

function externalMatches(
  database: Database,
  owner: AccountInEnvironment | null,
  condition: (column: string) => string,
  values: Readonly<Record<string, string>>,
): Named[] {
  if (owner === null) return []
  return externalChargesWith(database, owner, condition, values, CANDIDATES_MAX).map((charge) => ({
    is: 'external',
    charge,
  }))
}

function countingByAccount(found: readonly Payment[]): Payment[] {
  const accounts = new Map<string, Payment[]>()
  for (const payment of found) {
    const key = JSON.stringify([payment.owner.baseUrl, payment.owner.clientId])
    accounts.set(key, [...(accounts.get(key) ?? []), payment])
  }
  return [...accounts.values()].flatMap(countingPayments)
}

function isOwn(named: Parameters<typeof isOfAccount>[0], owner: AccountInEnvironment | null): boolean {
  return owner === null || isOfAccount(named, owner)
}

const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i
const CHARACTERS_MIN = 8

/** All columns in which a typed id, or the beginning of one, is looked for. Each has an index. */
const ID_COLUMNS = [
  ['payment', 'id'],
  ['payment', 'name'],
  ['payment', 'row_id'],
  ['attempt', 'id'],
  ['attempt', 'external_id'],
  ['attempt', 'id_transaction'],
  ['event', 'id_transaction'],
] as const

/** The ids next to one in the order of the alphabet, one before and one after it in each column. */
const NEIGHBOURS = [
  ...ID_COLUMNS.flatMap(([table, column]) => [
    `SELECT max(${column}) AS id FROM ${table} WHERE ${column} < $id`,
    `SELECT min(${column}) AS id FROM ${table} WHERE ${column} > $id`,
  ]),
  'SELECT (SELECT max(queried.id) FROM queried WHERE queried.account = account.id AND queried.id < $id) AS id FROM account',
  'SELECT (SELECT min(queried.id) FROM queried WHERE queried.account = account.id AND queried.id > $id) AS id FROM account',
].join(' UNION ALL ')

/**
 * The short forms of ids in a list, which commands take: the first 8 characters of a UUID, or as many as tell it from every other id in the ledger and in
 * the list. Any other id is shown whole, because only the beginning of a UUID is taken for it.
 */
export function shortIds(database: Database, ids: readonly string[]): (id: string) => string {
  const sorted = [...new Set(ids.filter((id) => UUID.test(id)).map((id) => id.toLowerCase()))].sort()
  const short = new Map<string, string>()
  for (const [place, id] of sorted.entries()) {
    const known = database.texts(`SELECT lower(id) FROM (${NEIGHBOURS}) WHERE id IS NOT NULL`, { id })
    const others = [...known, ...sorted.slice(Math.max(0, place - 1), place), ...sorted.slice(place + 1, place + 2)]
    const common = others.map((other) => commonLength(id, other))
    short.set(id, id.slice(0, Math.max(CHARACTERS_MIN, ...common.map((length) => length + 1))))
  }
  return (id) => (UUID.test(id) ? id.slice(0, short.get(id.toLowerCase())?.length ?? id.length) : id)
}

function commonLength(one: string, other: string): number {
  const length = [...one].findIndex((letter, place) => letter !== other[place])
  return length === -1 ? one.length : length
}
