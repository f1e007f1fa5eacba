import type { Account } from '../../../src/profiles/account.ts'
import type {
  EventRecord,
  Finding,
  FindingRecord,
  MoneyIntent,
  OutcomeRecord,
  Owner,
  TimelineEntry,
  TimelineRecord,
} from '../../../src/timeline/records.ts'
import type { Outcome } from '../../../src/wire/errors.ts'
import { Secret } from '../../../src/wire/secret.ts'

export const OWNER: Owner = {
  profile: 'local',
  environment: 'sandbox',
  baseUrl: 'http://127.0.0.1:4010',
  clientId: 'local',
}

/** The account that the payments of these ledgers are of, without limits. */
export const ACCOUNT: Account = {
  ...OWNER,
  url: OWNER.baseUrl,
  host: '127.0.0.1',
  isLoopback: true,
  confirmName: 'local',
  clientSecret: new Secret('s'),
  callbackUrl: null,
  maxAmountCents: null,
  maxDayCents: null,
  readOnly: false,
  sources: { address: '', clientId: '', clientSecret: '', callbackUrl: null },
}
export const NOW_MS = Date.parse('2026-11-21T12:00:00Z')

let count = 0

function stamp(at = '2026-11-20T12:00:00Z') {
  count += 1
  return { id: `record-${count}`, at, user: 'ana', machine: 'desk' }
}

/** A transfer that was asked for; of a batch where it has a reference. */
export function sent(
  externalId: string,
  differences: Partial<Extract<MoneyIntent, { kind: 'transfer' }>> & { at?: string } = {},
): TimelineRecord<MoneyIntent> {
  const { at, ...others } = differences
  const key = { key: 'maria@example.com', typeKey: 'email', documentValidation: null, amountCents: 1000 } as const
  return { ...stamp(at), type: 'intent', kind: 'transfer', ...OWNER, externalId, ...key, body: '{}', ...others }
}

/** A refund that was asked for. */
export function refunded(
  originalTransactionId: string,
  amountCents: number,
  differences: Partial<Extract<MoneyIntent, { kind: 'refund' }>> = {},
): TimelineRecord<MoneyIntent> {
  const facts = { originalTransactionId, amountCents, isWhole: false, refundReason: 'x', body: '{}' }
  return { ...stamp(), type: 'intent', kind: 'refund', ...OWNER, ...facts, ...differences }
}

/** What the gateway said of it. */
export function answered(
  { id, at }: TimelineRecord<MoneyIntent>,
  outcome: Outcome,
  { idTransaction = null, code = null }: { idTransaction?: string | null; code?: string | null } = {},
): TimelineRecord<OutcomeRecord> {
  const facts = { idTransaction, status: null, code, httpStatus: 200, amountCents: null }
  return { ...stamp(at), type: 'outcome', of: id, outcome, ...facts }
}

/** It was sent once more. */
export function triedAgain({
  id,
  at,
}: TimelineRecord<MoneyIntent>): TimelineRecord<Extract<TimelineEntry, { type: 'attempt' }>> {
  return { ...stamp(at), type: 'attempt', of: id }
}

/** What a person found out about it. */
export function found({ id }: TimelineRecord<MoneyIntent>, as: Finding, at: string): TimelineRecord<FindingRecord> {
  return { ...stamp(at), type: 'finding', of: id, as, because: 'x' }
}

/** A genuine webhook about a transfer. */
export function told(differences: Partial<EventRecord> & { at?: string }): TimelineRecord<EventRecord> {
  return {
    ...stamp(differences.at ?? '2026-11-20T13:00:00Z'),
    type: 'event',
    n: count,
    duplicateOf: null,
    ...OWNER,
    event: 'transfer.completed',
    subject: 'transfer',
    idTransaction: null,
    originalTransactionId: null,
    externalId: null,
    status: 'PAID_OUT',
    amountCents: 1000,
    taxId: null,
    isSigned: true,
    via: 'listen',
    target: '/',
    headers: [],
    digest: '',
    bodyBase64: '',
    errorCode: null,
    ...differences,
  }
}
