import type { PayeeNames } from '../ledger/payeeNames.ts'
import type { Payment, RefundSums } from '../ledger/payments.ts'
import type { AttemptRecord, EventRecord, LedgerRecord, PaymentRecord } from '../ledger/records.ts'
import { isContradiction, meaningRows, payeeOf, reasonMeaning, reasonOf } from '../payments/explanation.ts'
import { PAYMENT_FIELDS } from '../payments/fields.ts'
import { stateColour } from '../payments/paymentCells.ts'
import { paymentDocument } from '../payments/paymentDocument.ts'
import { formatReais } from '../pix/amount.ts'
import { parseInstant } from '../pix/calendar.ts'
import { type Field, maskedDocument } from '../terminal/fields.ts'
import { type LabelledRow, labelledLines, type Terminal } from '../terminal/terminal.ts'
import { t } from '../text/translate.ts'
import { cellText, valueAt } from '../views/documentFields.ts'
import { maskKey, maskName, maskText } from '../views/personalData.ts'
import { amountText, instantText, statusColour } from '../views/valueText.ts'

type Style = Terminal['out']

/** Everything known about a payment: its facts, state and refunds; then its records, oldest first. */
export function paymentRows(
  payment: Payment,
  refunds: RefundSums,
  out: Style,
  unmask: boolean,
): { facts: LabelledRow[]; records: LabelledRow[] } {
  return {
    facts: [...factRows(payment, out, unmask), ...refundRows(refunds, payment.amountCents, out, unmask)],
    records: payment.records.map((record) => recordRow(record, payment, out, unmask)),
  }
}

/** The rows of a payment as lines, with `more` after the facts. */
export function paymentLines(
  payment: Payment,
  refunds: RefundSums,
  { out, textColumns }: Pick<Terminal, 'out' | 'textColumns'>,
  unmask: boolean,
  more: readonly LabelledRow[] = [],
): string[] {
  const { facts, records } = paymentRows(payment, refunds, out, unmask)
  return [...labelledLines([...facts, ...more], out, textColumns), '', ...labelledLines(records, out, textColumns)]
}

/** The name in the file, and that the events have another one; nothing for a payment that comes from no file with names. */
export function nameRows({ inFile, inEvent, differ }: PayeeNames, out: Style, unmask: boolean): LabelledRow[] {
  if (inFile === null) return []
  const shown = (name: string) => (unmask ? name : maskName(name))
  const text = shown(inFile)
  if (differ !== true) return [[t`name in file`, text]]
  return [[t`name in file`, t`${text}, differs from ${shown(inEvent ?? '')} in the event`, out.red.bold]]
}

/** What was refunded, and each refund with its reason; nothing if there are none. `amountCents` is what was paid. */
export function refundRows(
  { refunds, refundedCents, unconfirmedCents, unknownCents }: RefundSums,
  amountCents: number | null,
  out: Style,
  unmask: boolean,
): LabelledRow[] {
  if (refunds.length === 0) return []
  const rows: LabelledRow[] = [[t`refunded`, refundedText(refundedCents, amountCents), out.yellow]]
  if (unconfirmedCents !== 0)
    rows.push(['', t`${amountText(unconfirmedCents)} of it was accepted and is not confirmed yet`])
  if (unknownCents !== 0) rows.push(['', t`${amountText(unknownCents)} more with an unknown outcome`, out.red.bold])
  for (const refund of refunds) rows.push(...oneRefundRows(refund, unmask))
  return rows
}

function refundedText(refundedCents: number | null, amountCents: number | null): string {
  if (refundedCents === null) return t`all of it, or as much as was left`
  if (amountCents === null) return t`${formatReais(refundedCents)} refunded`
  return t`${formatReais(refundedCents)} of ${formatReais(amountCents)} refunded`
}

function oneRefundRows({ id, facts, summary, amountCents, first }: Payment, unmask: boolean): LabelledRow[] {
  const reason = facts.kind === 'refund' ? facts.refundReason : ''
  const at = instantText(parseInstant(first.at) ?? null)
  return [
    [t`refund`, summary.idTransaction ?? id],
    ['', t`${amountText(amountCents)}, ${summary.state}, on ${at} by ${first.user}`],
    ['', t`because: ${unmask ? reason : maskText(reason)}`],
  ]
}

function factRows(payment: Payment, out: Style, unmask: boolean): LabelledRow[] {
  const { id, facts, name, summary, amountCents, owner, first } = payment
  const { deciding, status, state } = summary
  const { errorCode, errorMessage } = reasonOf(deciding)
  const place = first.place
  return [
    [t`kind`, facts.kind],
    [t`name`, name],
    [t`id`, summary.idTransaction ?? '—'],
    [t`payment`, id],
    [t`state`, state, stateColour(state, out)],
    ...optional(t`reason`, failureText(errorCode, errorMessage, unmask), out.red),
    ...meaningRows(reasonMeaning(payment)),
    [t`status`, status ?? '—', statusColour(status, out)],
    [t`amount`, amountText(amountCents)],
    ...receiverRows(payment, unmask),
    ...labelledFields(payment, unmask),
    ...optional(t`batch`, place === null ? null : t`${place.run}, line ${place.line}, reference ${place.reference}`),
    [t`account`, t`${owner.environment}, ${owner.baseUrl}`],
    [t`by`, t`${first.user} on ${first.machine}`],
    ...optional(t`attempts`, summary.attempts.length > 1 ? String(summary.attempts.length) : null),
  ]
}

function receiverRows(payment: Payment, unmask: boolean): LabelledRow[] {
  const { facts } = payment
  const payee = payeeOf(payment)
  const shownName = (name: string | null) => (name === null || unmask ? name : maskName(name))
  switch (facts.kind) {
    case 'qr':
      return optional(t`payer`, shownName(payee))
    case 'refund':
      return [
        [t`refund of`, facts.originalTransactionId],
        [t`because`, unmask ? facts.refundReason : maskText(facts.refundReason)],
        ...optional(t`payer`, payee === facts.originalTransactionId ? null : shownName(payee)),
      ]
    case 'transfer': {
      const { key, keyType } = facts
      return [
        [t`to`, unmask ? key : maskKey(key, keyType)],
        ...optional(t`receiver`, payee === key ? null : shownName(payee)),
      ]
    }
  }
}

/** The fields that have a line of their own. */
function labelledFields(payment: Payment, unmask: boolean): LabelledRow[] {
  const document = paymentDocument(payment)
  const shown = unmask ? document : maskedDocument(PAYMENT_FIELDS, document)
  const fields: readonly Pick<Field<never, never>, 'path' | 'label'>[] = PAYMENT_FIELDS
  return fields.flatMap(({ path, label }) =>
    label === undefined ? [] : optional(label(), cellText(valueAt(shown, path)) || null),
  )
}

function recordRow(record: PaymentRecord, payment: Payment, out: Style, unmask: boolean): LabelledRow {
  const at = instantText(parseInstant(record.at) ?? null)
  switch (record.type) {
    case 'attempt':
      return [at, t`${attemptName(record)} about to be sent, by ${record.user} on ${record.machine}`]
    case 'resend':
      return [at, t`${nameOf(record.attempt, payment)} about to be sent again, by ${record.user} on ${record.machine}`]
    case 'answer': {
      const { outcome, code, message } = record
      const reason = failureText(code, message, unmask)
      const name = nameOf(record.attempt, payment)
      const colour = outcome === 'refused' ? out.red : outcome === 'unknown' ? out.red.bold : undefined
      return [at, reason === null ? t`${name} outcome: ${outcome}` : t`${name} outcome: ${outcome}, ${reason}`, colour]
    }
    case 'finding':
      return [
        at,
        t`${record.user} on ${record.machine} found: ${record.as}, because ${unmask ? record.because : maskText(record.because)}`,
      ]
    case 'event':
      return eventRow(record, payment, out, unmask, at)
  }
}

function eventRow(
  record: LedgerRecord<EventRecord>,
  { facts, summary }: Payment,
  out: Style,
  unmask: boolean,
  at: string,
): LabelledRow {
  const { n, event, status, amountCents, errorCode, errorMessage } = record
  const reason = failureText(errorCode, errorMessage, unmask)
  const eventFacts = t`${event ?? '—'}, ${status ?? '—'}, ${amountText(amountCents)}`
  const full = reason === null ? eventFacts : t`${eventFacts}, ${reason}`
  if (isContradiction(record, facts, summary.state)) return [at, t`event ${n} contradicts: ${full}`, out.red.bold]
  return [at, t`event ${n}: ${full}`, statusColour(status, out)]
}

function nameOf(attemptId: string, { summary }: Payment): string {
  const attempt = summary.attempts.find(({ record }) => record.id === attemptId)
  return attempt === undefined ? t`attempt` : attemptName(attempt.record)
}

function attemptName({ number, externalId }: LedgerRecord<AttemptRecord>): string {
  return externalId === null ? t`attempt ${number}` : t`attempt ${number} (${externalId})`
}

/** `NO_FUNDS: the account has too little`; null if there is neither. */
function failureText(code: string | null, message: string | null, unmask: boolean): string | null {
  const shown = message === null || unmask ? message : maskText(message)
  if (code === null || shown === null) return code ?? shown
  return t`${code}: ${shown}`
}

function optional(label: string, value: string | null, colour?: Style): LabelledRow[] {
  return value === null ? [] : [[label, value, colour]]
}
