import { reaisFromCents } from '../pix/amount.ts'
import { contradicts } from './eventMoves.ts'
import type { EventRecord, Finding, LedgerRecord, MoneyIntent, TimelineRecord } from './records.ts'
import { nameOf, type Transaction } from './transactions.ts'

/** The status that a person's finding stands for, in the wire's words. */
const FOUND_STATUS: Readonly<Record<Transaction['intent']['kind'], Readonly<Record<Finding, string>>>> = {
  qr: { paid: 'PAID', 'not-paid': 'CANCELLED', returned: 'REFUNDED' },
  transfer: { paid: 'PAID_OUT', 'not-paid': 'ERROR', returned: 'RETURNED' },
  refund: { paid: 'COMPLETED', 'not-paid': 'FAILED', returned: 'FAILED' },
}

/** Who says what the status is: an event, a person, or only what this machine recorded. */
function knownBy({ event, finding }: Transaction): 'event' | 'person' | 'ledger' {
  if (event !== null) return 'event'
  return finding === null ? 'ledger' : 'person'
}

/** The status in the wire's words; null while it is in doubt or nothing was sent. */
export function statusOfTransaction({ intent, event, finding, outcome, state }: Transaction): string | null {
  if (event !== null) return event.status ?? (isFinding(state) ? FOUND_STATUS[intent.kind][state] : null)
  if (finding !== null) return FOUND_STATUS[intent.kind][finding.as]
  if (state === 'refused') return 'FAILED'
  if (state !== 'accepted') return null
  return outcome?.status ?? (intent.kind === 'qr' ? 'PENDING' : 'PROCESSING')
}

function isFinding(state: Transaction['state']): state is Finding {
  return state === 'paid' || state === 'not-paid' || state === 'returned'
}

/** A transaction as `status` and `history` show it in JSON; amounts in reais. */
export function transactionDocument(transaction: Transaction): Record<string, unknown> {
  const { intent, idTransaction, outcome, finding, event, state } = transaction
  const amountCents = intent.amountCents ?? outcome?.amountCents ?? event?.amountCents ?? null
  return {
    idTransaction,
    ...ids(transaction),
    status: statusOfTransaction(transaction),
    amount: amountCents === null ? null : reaisFromCents(amountCents),
    ...(intent.kind === 'transfer' ? { key: intent.key, typeKey: intent.typeKey } : {}),
    pixgate: {
      profile: intent.profile,
      environment: intent.environment,
      baseUrl: intent.baseUrl,
      kind: intent.kind,
      name: nameOf(transaction),
      outcome: outcome?.outcome ?? 'unknown',
      state,
      errorCode: event?.errorCode ?? outcome?.code ?? null,
      knownBy: knownBy(transaction),
      intentId: intent.id,
      at: intent.at,
      user: intent.user,
      machine: intent.machine,
      ...(intent.kind === 'transfer' ? { owner: intent.documentValidation } : {}),
      ...(intent.kind === 'qr' ? {} : placeDocument(intent)),
      finding: finding === null ? null : findingDocument(finding),
      event: event === null ? null : eventDocument(event),
      warnings: [],
    },
  }
}

/** One record of a transaction as `history show` lists it. */
export function recordDocument(record: LedgerRecord, transaction: Transaction): Record<string, unknown> {
  const { id, at, user, machine, type } = record
  const stamp = { at, type, user, machine, id }
  switch (record.type) {
    case 'intent':
      return { ...stamp, kind: record.kind, address: record.baseUrl }
    case 'attempt':
      return stamp
    case 'outcome':
      return {
        ...stamp,
        outcome: record.outcome,
        status: record.status,
        code: record.code,
        httpStatus: record.httpStatus,
      }
    case 'finding':
      return { ...stamp, as: record.as, because: record.because }
    case 'event': {
      const { idTransaction, via } = record
      return { ...stamp, ...eventDocument(record), idTransaction, via, contradicts: contradicts(record, transaction) }
    }
  }
}

function ids(transaction: Transaction): Record<string, string> {
  const { intent } = transaction
  switch (intent.kind) {
    case 'qr':
      return { requestNumber: nameOf(transaction) }
    case 'transfer':
      return { externalId: nameOf(transaction) }
    case 'refund':
      return { originalTransactionId: intent.originalTransactionId }
  }
}

/** Where in a batch it belongs. */
function placeDocument({ run, line, reference }: MoneyIntent) {
  return { run: run ?? null, line: line ?? null, reference: reference ?? null }
}

function eventDocument({ n, event, status, amountCents, at }: TimelineRecord<EventRecord>) {
  return { n, event, status, amount: amountCents === null ? null : reaisFromCents(amountCents), at }
}

function findingDocument({ as, because, at, user, machine }: Extract<TimelineRecord, { type: 'finding' }>) {
  return { as, because, at, user, machine }
}
