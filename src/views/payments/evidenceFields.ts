import { eventNumber } from '../../ledger/events.ts'
import { type EventRecord, FINDINGS, type FindingRecord, type LedgerRecord } from '../../ledger/records.ts'
import { reaisOrNull } from '../../pix/amount.ts'
import { COUNT, enumOf, INSTANT, list, orNull, REAIS, TEXT } from '../../schemas/jsonSchema.ts'
import { type Field, type Members, schemaOfMembers } from '../../terminal/fields.ts'
import { maskText } from '../personalData.ts'
import { BEING_SENT_MEMBERS, beingSentOf } from './beingSent.ts'
import { type ListedPayment, shownAttempt } from './listedPayment.ts'
import type { PaymentItem } from './paymentCells.ts'

type EvidenceField = Field<ListedPayment, PaymentItem>

const FINDING_MEMBERS = {
  as: { schema: enumOf(...FINDINGS), mask: 'public' },
  because: { schema: TEXT, mask: maskText },
  at: { schema: INSTANT, mask: 'public' },
  user: { schema: TEXT, mask: 'public' },
  machine: { schema: TEXT, mask: 'public' },
} satisfies Members

const EVENT_MEMBERS = {
  n: { schema: orNull(COUNT), mask: 'public' },
  event: { schema: orNull(TEXT), mask: 'public' },
  status: { schema: orNull(TEXT), mask: 'public' },
  amount: { schema: orNull(REAIS), mask: 'public' },
  at: { schema: INSTANT, mask: 'public' },
} satisfies Members

/** What decided the state of a payment, and which attempt is told about: the end of its JSON. */
export const EVIDENCE_FIELDS = [
  {
    name: 'beingSent',
    path: 'pixgate.beingSent',
    json: ({ payment }) => beingSentOf(payment),
    schema: orNull(schemaOfMembers(BEING_SENT_MEMBERS)),
    mask: 'public',
    members: BEING_SENT_MEMBERS,
    meaning:
      'with a shared ledger: who is sending a request whose answer is not recorded yet, and `until` when it may leave; after that time its outcome is unknown',
  },
  {
    name: 'finding',
    path: 'pixgate.finding',
    json: (listed) => findingJson(shownAttempt(listed).finding),
    schema: orNull(schemaOfMembers(FINDING_MEMBERS)),
    mask: 'public',
    members: FINDING_MEMBERS,
    meaning: 'what a person found out',
  },
  {
    name: 'event',
    path: 'pixgate.event',
    json: (listed) => eventJson(shownAttempt(listed).event),
    schema: orNull(schemaOfMembers(EVENT_MEMBERS)),
    mask: 'public',
    members: EVENT_MEMBERS,
    meaning: 'the event that tells the state',
  },
  {
    name: 'warnings',
    path: 'pixgate.warnings',
    json: () => [],
    schema: list(TEXT),
    mask: 'public',
    meaning: 'what to beware of',
  },
  {
    name: 'attempt',
    path: 'pixgate.attempt',
    json: ({ attempt }) => attempt?.record.number,
    schema: COUNT,
    mask: 'public',
    column: { align: 'right', drop: 3 },
    meaning: 'with `--attempts`: number of this attempt',
  },
  {
    name: 'attemptId',
    path: 'pixgate.attemptId',
    json: ({ attempt }) => attempt?.record.id,
    schema: TEXT,
    mask: 'public',
    meaning: 'with `--attempts`: its id',
  },
] as const satisfies readonly EvidenceField[]

/** What a person found out, as JSON. */
export function findingJson(finding: LedgerRecord<FindingRecord> | null) {
  if (finding === null) return null
  const { as, because, at, user, machine } = finding
  return { as, because, at, user, machine }
}

/** An event as the JSON of its payment has it; the amount in reais. */
export function eventJson(record: LedgerRecord<EventRecord> | null) {
  if (record === null) return null
  const { event, status, amountCents, at } = record
  return { n: eventNumber(record), event, status, amount: reaisOrNull(amountCents), at }
}
