import type { EventSubject } from '../wire/eventFacts.ts'
import type { EventRecord, Finding, Intent } from './records.ts'
import type { Transaction, TransactionState } from './transactions.ts'

/** What a status says became of a transaction; other statuses say nothing that is final. */
const MEANINGS: ReadonlyMap<string, Finding> = new Map([
  ['PAID', 'paid'],
  ['PAID_OUT', 'paid'],
  ['COMPLETED', 'paid'],
  ['ERROR', 'not-paid'],
  ['CANCELED', 'not-paid'],
  ['CANCELLED', 'not-paid'],
  ['EXPIRED', 'not-paid'],
  ['FAILED', 'not-paid'],
  ['RETURNED', 'returned'],
  ['REFUNDED', 'returned'],
  ['CHARGEBACK', 'returned'],
])

const UNFINISHED: readonly string[] = ['PROCESSING', 'PENDING']

/** What an event is about, by what was asked for. */
const SUBJECTS: Readonly<Record<Intent['kind'], EventSubject>> = {
  qr: 'payment',
  refund: 'refund',
  transfer: 'transfer',
}

/** True where an event can be about such an intent. One of an unknown shape can be about any. */
export function isAbout({ subject }: EventRecord, kind: Intent['kind']): boolean {
  return subject === null || subject === SUBJECTS[kind]
}

/** What a status says became of its transaction; null where it says nothing final. */
export function meaningOfStatus(status: string): Finding | null {
  return MEANINGS.get(status.toUpperCase()) ?? null
}

/** What an event says became of its transaction; null where it says nothing final, or is of a shape that nobody knows. */
export function meaningOf({ event, subject, status, errorCode }: EventRecord): Finding | null {
  // It tells of a second attempt that the gateway holds the first.
  if (errorCode === 'DUPLICATE_EXTERNAL_ID') return null
  const known = subject === null ? undefined : MEANINGS.get(status?.toUpperCase() ?? '')
  const meaning = known ?? byName(event, status)
  if (meaning === undefined) return null
  // Whoever says of a refund that the money went back says that it was carried out.
  if (subject === 'refund' && meaning === 'returned') return 'paid'
  // A name and a status that contradict each other must not make a second payment possible.
  if (event === 'transfer.completed' && meaning === 'not-paid') return null
  return meaning
}

/** What an event's name says where its status says nothing that is known. */
function byName(event: string | null, status: string | null): Finding | undefined {
  if (event === 'transfer.completed') return status === null ? 'paid' : undefined
  if (event !== 'transfer.failed') return undefined
  return status !== null && UNFINISHED.includes(status.toUpperCase()) ? undefined : 'not-paid'
}

/** True where an event tells more than what is known, so that nothing ever moves backwards. */
export function isFurther(meaning: Finding, state: TransactionState): boolean {
  return rankOf(meaning) > rankOf(state)
}

/** True where an event says something else of a refund or transfer than what counts. */
export function contradicts(event: EventRecord, { intent, state }: Transaction): boolean {
  const meaning = meaningOf(event)
  if (intent.kind === 'qr' || meaning === null || meaning === state) return false
  return !(meaning === 'paid' && state === 'returned')
}

function rankOf(state: TransactionState): number {
  switch (state) {
    case 'returned':
      return 3
    case 'paid':
      return 2
    case 'not-paid':
      return 1
    default:
      return 0
  }
}
