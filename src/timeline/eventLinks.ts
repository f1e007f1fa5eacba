import { parseInstant } from '../pix/calendar.ts'
import { isAbout, isFurther, meaningOf } from './eventMoves.ts'
import { isSameAccount } from './ownership.ts'
import type { EventRecord, RefundIntent, TimelineRecord, TransferIntent } from './records.ts'
import type { Transaction } from './transactions.ts'

type Event = TimelineRecord<EventRecord>

/** So long after it was sent a transfer in doubt is looked for by what an event says of it. */
const DOUBT_WINDOW_MS = 24 * 60 * 60 * 1000

/**
 * Gives the events to the transactions that they are about, which must hold everything else: first by ids, then those that
 * can only be about one that is in doubt, then by the ids that these have made known. One without a signature is given to
 * none. Returns the events of no transaction.
 */
export function linkEvents(transactions: readonly Transaction[], events: readonly Event[]): Event[] {
  const named = new Map<string, Transaction[]>()
  for (const transaction of transactions) {
    const { intent, idTransaction } = transaction
    if (idTransaction !== null) put(named, `id ${idTransaction}`, transaction)
    if (intent.kind === 'transfer') put(named, `external ${intent.externalId}`, transaction)
  }
  const give = (event: Event, transaction: Transaction) => {
    if (transaction.idTransaction === null && event.idTransaction !== null) {
      transaction.idTransaction = event.idTransaction
      put(named, `id ${event.idTransaction}`, transaction)
    }
    take(transaction, event)
  }
  const without = (rest: readonly Event[], search: (event: Event) => Transaction | undefined) =>
    rest.filter((event) => {
      const found = event.isSigned ? search(event) : undefined
      if (found !== undefined) give(event, found)
      return found === undefined
    })

  const byName = (event: Event) => byId(event, named) ?? byExternalId(event, named)
  const unnamed = without(events, byName)
  const doubtful = transactions.filter(isDoubtful)
  if (doubtful.length === 0) return unnamed
  const unlinked = without(unnamed, (event) => {
    if (event.idTransaction === null || named.has(`id ${event.idTransaction}`)) return undefined
    return onlyRefund(event, doubtful) ?? onlyTransfer(event, doubtful)
  })
  return without(unlinked, byName)
}

/** The events of no transaction that may yet be about this one, which is in doubt: same account and amount, after it. */
export function possibleEvents(transaction: Transaction, unlinked: readonly Event[]): Event[] {
  const { intent } = transaction
  if (!isDoubtful(transaction) || intent.kind === 'qr') return []
  return unlinked.filter(
    (event) =>
      event.isSigned &&
      event.subject === intent.kind &&
      isSameAccount(event, intent) &&
      (intent.kind === 'transfer' || event.originalTransactionId === intent.originalTransactionId) &&
      event.externalId === null &&
      mayBeAmount(intent.amountCents, event) &&
      isAfter(event, transaction),
  )
}

/** Adds an event to a transaction; its state moves where the event tells more than what is known. */
function take(transaction: Transaction, event: Event): void {
  const { finding, state } = transaction
  transaction.records.push(event)
  const meaning = meaningOf(event)
  if (meaning === null || !isFurther(meaning, state)) return
  // Of two attempts the failure of one says nothing of the other, which may have been carried out.
  if (meaning === 'not-paid' && transaction.records.some(({ type }) => type === 'attempt')) return
  // Whoever found something out knew what had arrived before, but nobody may make a payment possible that was made.
  const allowsAnother = finding?.as === 'not-paid' && meaning === 'paid'
  if (finding !== null && timeOf(event) <= timeOf(finding) && !allowsAnother) return
  transaction.state = meaning
  transaction.event = event
}

function byId(event: Event, named: ReadonlyMap<string, Transaction[]>): Transaction | undefined {
  if (event.idTransaction === null) return undefined
  return named
    .get(`id ${event.idTransaction}`)
    ?.findLast(({ intent }) => isAbout(event, intent.kind) && isSameAccount(event, intent))
}

/** Of several transfers of one externalId at most one was carried out; what never left is the last to be thought of. */
function byExternalId(event: Event, named: ReadonlyMap<string, Transaction[]>): Transaction | undefined {
  if (event.externalId === null || event.subject !== 'transfer') return undefined
  const own = named
    .get(`external ${event.externalId}`)
    ?.filter(
      (each) =>
        isSameAccount(event, each.intent) &&
        mayBeId(each.idTransaction, event) &&
        isAfter(event, each) &&
        mayBeAmount(each.intent.amountCents, event),
    )
  return (
    own?.findLast(({ state }) => state !== 'not-sent' && state !== 'refused') ??
    own?.findLast(({ state }) => state !== 'not-sent') ??
    own?.at(-1)
  )
}

/** Amounts that are both known are the same. */
function mayBeAmount(amountCents: number | null, event: Event): boolean {
  return amountCents === null || event.amountCents === null || amountCents === event.amountCents
}

function mayBeId(idTransaction: string | null, event: Event): boolean {
  return idTransaction === null || event.idTransaction === null || idTransaction === event.idTransaction
}

/**
 * The one refund in doubt of that payment and amount, if it was carried out. A failure may be that of somebody else's refund,
 * and would allow a second one.
 */
function onlyRefund(event: Event, doubtful: readonly Transaction[]): Transaction | undefined {
  if (event.subject !== 'refund' || meaningOf(event) !== 'paid') return undefined
  const own = doubtful.filter(
    (each): each is Transaction<RefundIntent> =>
      isDoubtful(each) &&
      each.intent.kind === 'refund' &&
      each.intent.originalTransactionId === event.originalTransactionId &&
      isSameAccount(event, each.intent) &&
      mayBeAmount(each.intent.amountCents, event) &&
      isAfter(event, each),
  )
  return own.length === 1 ? own[0] : undefined
}

/** The one transfer in doubt of that amount, if the money went to whom its key or its owner names. */
function onlyTransfer(event: Event, doubtful: readonly Transaction[]): Transaction | undefined {
  // One that names an externalId is of that transfer, or of somebody else's.
  if (event.event !== 'transfer.completed' || meaningOf(event) !== 'paid' || event.externalId !== null) return undefined
  const own = doubtful.filter(
    (each): each is Transaction<TransferIntent> =>
      isDoubtful(each) &&
      each.intent.kind === 'transfer' &&
      each.intent.amountCents === event.amountCents &&
      isSameAccount(event, each.intent) &&
      isAfter(event, each) &&
      timeOf(event) - each.atMs <= DOUBT_WINDOW_MS,
  )
  const [only, another] = own
  if (only === undefined || another !== undefined) return undefined
  const { typeKey, key, documentValidation } = only.intent
  const receivers = [documentValidation, typeKey === 'document' ? key : null]
  return receivers.some((receiver) => receiver !== null && bare(receiver) === bare(event.taxId ?? ''))
    ? only
    : undefined
}

/** Nobody knows whether it was carried out, or under which id. */
function isDoubtful({ state, idTransaction }: Transaction): boolean {
  return idTransaction === null && (state === 'unknown' || state === 'accepted')
}

function isAfter(event: Event, { intent }: Transaction): boolean {
  return timeOf(event) >= timeOf(intent)
}

function timeOf({ at }: { at: string }): number {
  return parseInstant(at) ?? 0
}

function bare(taxDocument: string): string {
  return taxDocument.replace(/[./\s-]/g, '').toUpperCase()
}

function put(named: Map<string, Transaction[]>, name: string, transaction: Transaction): void {
  const held = named.get(name)
  if (held === undefined) named.set(name, [transaction])
  else held.push(transaction)
}
