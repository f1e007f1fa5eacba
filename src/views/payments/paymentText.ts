import { reasonOf } from '../../ledger/derivePayment.ts'
import { eventNumber } from '../../ledger/events.ts'
import { payeeNameOf, tradeNameOf } from '../../ledger/facts.ts'
import { type PayeeNames, paymentNames } from '../../ledger/payeeNames.ts'
import { type Payment, type RefundSums, shownStateOfPayment } from '../../ledger/payments.ts'
import type { AttemptRecord, EventRecord, LedgerRecord, PaymentRecord } from '../../ledger/records.ts'
import { stateText } from '../../ledger/stateWords.ts'
import { isContradiction, knownBy, reasonMeaning, stateAsVerified, whatToDoRows } from '../../payments/explanation.ts'
import { formatReais } from '../../pix/amount.ts'
import { parseInstant } from '../../pix/calendar.ts'
import { formatKey } from '../../pix/destination.ts'
import type { Field } from '../../terminal/fields.ts'
import { cellText, valueAt } from '../../terminal/printer.ts'
import { type LabelledRow, labelledLines, type Terminal } from '../../terminal/terminal.ts'
import { t, translated } from '../../text/translate.ts'
import { failureText } from '../../wire/errorCodes.ts'
import { amountText, instantText, maskKey, maskText, statusColour, writerText } from '../valueText.ts'
import { stateColour } from './paymentCells.ts'
import { PAYMENT_FIELDS, type PaymentItem, paymentDocument, shownDocument } from './paymentFields.ts'

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

/** The rows of a payment as lines, nothing masked. */
export function paymentLines(
  payment: Payment,
  refunds: RefundSums,
  { out, textColumns }: Pick<Terminal, 'out' | 'textColumns'>,
): string[] {
  const { facts, records } = paymentRows(payment, refunds, out, true)
  return [...labelledLines(facts, out, textColumns), '', ...labelledLines(records, out, textColumns)]
}

/** The name in the file, and that the events have another one; nothing for a payment that comes from no file with names. */
function nameRows({ inFile, inEvent, differ }: PayeeNames, out: Style, unmask: boolean): LabelledRow[] {
  if (inFile === null) return []
  const shown = (name: string) => (unmask ? name : maskText(name))
  const text = shown(inFile)
  if (differ !== true) return [[t`name in file`, text]]
  return [[t`name in file`, t`${text}, differs from ${shown(inEvent ?? '')} in the event`, out.red.bold]]
}

/** What was refunded, and each refund with its reason; nothing if there are none. `amountCents` is what was paid. */
export function refundRows(
  { refunds, refundedCents, unconfirmedCents, beingSentCents, unknownCents }: RefundSums,
  amountCents: number | null,
  out: Style,
  unmask: boolean,
): LabelledRow[] {
  if (refunds.length === 0) return []
  const rows: LabelledRow[] = [[t`refunded`, refundedText(refundedCents, amountCents), out.yellow]]
  if (unconfirmedCents !== 0)
    rows.push(['', t`${amountText(unconfirmedCents)} of it was accepted and is not confirmed yet`])
  if (beingSentCents !== 0) rows.push(['', t`${amountText(beingSentCents)} more is being sent`, out.yellow])
  if (unknownCents !== 0) rows.push(['', t`${amountText(unknownCents)} more with an unknown outcome`, out.red.bold])
  for (const refund of refunds) rows.push(...oneRefundRows(refund, unmask))
  return rows
}

function refundedText(refundedCents: number | null, amountCents: number | null): string {
  if (refundedCents === null) return t`all of it, or as much as was left`
  if (amountCents === null) return formatReais(refundedCents)
  return t`${formatReais(refundedCents)} of ${formatReais(amountCents)}`
}

function oneRefundRows(refund: Payment, unmask: boolean): LabelledRow[] {
  const { id, facts, summary, amountCents, first } = refund
  const reason = facts.kind === 'refund' ? facts.refundReason : ''
  const at = instantText(parseInstant(first.at) ?? null)
  return [
    [t`refund`, summary.idTransaction ?? id],
    ['', t`${amountText(amountCents)}, ${stateText(shownStateOfPayment(refund))}, on ${at} by ${first.user}`],
    ['', t`because: ${unmask ? reason : maskText(reason)}`],
  ]
}

function factRows(payment: Payment, out: Style, unmask: boolean): LabelledRow[] {
  const { id, facts, summary, amountCents, owner, first } = payment
  const { deciding } = summary
  const source = knownBy(deciding)
  const { errorCode, errorMessage } = reasonOf(deciding)
  const words = shownWords(errorMessage, unmask)
  const meaning = reasonMeaning(payment)
  const place = first.place
  return [
    [t`kind`, translated(facts.kind)],
    ...referenceRows(payment),
    [t`id`, summary.idTransaction ?? '—'],
    [t`payment`, id],
    [t`state`, stateAndSource(payment), stateColour(shownStateOfPayment(payment), out)],
    ...optional(t`reason`, failureText(errorCode, words), out.red),
    ...(meaning === undefined || words === null ? [] : [['', t`The gateway says: ${words}`] as const]),
    ...whatToDoRows(meaning),
    [t`known by`, translated(source)],
    [t`status`, summary.status ?? '—', statusColour(summary.status, out)],
    [t`amount`, amountText(amountCents)],
    ...receiverRows(payment, unmask),
    ...nameRows(paymentNames(payment), out, unmask),
    ...labelledFields(payment, unmask),
    ...optional(t`batch`, place === null ? null : t`${place.run}, line ${place.line}, reference ${place.reference}`),
    [t`account`, t`${translated(owner.environment)}, ${owner.baseUrl}`],
    [t`by`, writerText(first)],
    ...optional(t`attempts`, summary.attempts.length > 1 ? String(summary.attempts.length) : null),
  ]
}

function stateAndSource({ summary, sentBy }: Payment): string {
  if (sentBy !== undefined) {
    const { user, machine, since } = sentBy
    return t`being sent by ${user} on ${machine} since ${instantText(parseInstant(since) ?? null)}`
  }
  return stateAsVerified(summary)
}

function referenceRows({ facts, givenId, orderNumber }: Payment): LabelledRow[] {
  return facts.kind === 'transfer' ? [[t`external id`, givenId]] : optional(t`order`, orderNumber)
}

/** The order and the payer of a charge, as far as they are known. */
export function chargeRows({ orderNumber, partyName }: Payment): LabelledRow[] {
  return [...optional(t`order`, orderNumber), ...optional(t`payer`, partyName)]
}

function receiverRows({ facts, partyName, personName }: Payment, unmask: boolean): LabelledRow[] {
  const shownName = (name: string | null) => (name === null || unmask ? name : maskText(name))
  switch (facts.kind) {
    case 'qr':
      return [
        ...optional(t`payer`, shownName(partyName)),
        ...optional(t`customer`, shownName(facts.payerName === partyName ? null : facts.payerName)),
      ]
    case 'refund':
      return [
        [t`refund of`, facts.originalTransactionId],
        [t`because`, unmask ? facts.refundReason : maskText(facts.refundReason)],
        ...optional(t`payer`, shownName(partyName)),
      ]
    case 'transfer': {
      const { key, keyType } = facts
      const shown = unmask ? formatKey(key, keyType) : maskKey(key, keyType)
      const tradeName = shownName(tradeNameOf(facts))
      return [
        [t`to`, tradeName === null ? shown : `${shown} (${tradeName})`],
        ...(unmask && keyType === 'paymentCode' ? [[t`sent as`, key] as const] : []),
        ...optional(t`payee`, payeeNameOf(facts)),
        ...optional(t`receiver`, shownName(personName)),
      ]
    }
  }
}

function labelledFields(payment: Payment, unmask: boolean): LabelledRow[] {
  const document = shownDocument(paymentDocument(payment), unmask)
  const item = { document, amountCents: payment.amountCents }
  const fields: readonly Pick<Field<never, PaymentItem>, 'path' | 'label' | 'column'>[] = PAYMENT_FIELDS
  return fields.flatMap(({ path, label, column }) => {
    const text = column?.text?.(item) ?? cellText(valueAt(document, path))
    return label === undefined ? [] : optional(label(), text || null)
  })
}

function recordRow(record: PaymentRecord, payment: Payment, out: Style, unmask: boolean): LabelledRow {
  const at = instantText(parseInstant(record.at) ?? null)
  switch (record.type) {
    case 'attempt':
      return [at, t`${attemptName(record)} about to be sent, by ${writerText(record)}`]
    case 'resend':
      return [at, t`${nameOf(record.attempt, payment)} about to be sent again, by ${writerText(record)}`]
    case 'answer': {
      const { outcome, code, message } = record
      const reason = failureText(code, shownWords(message, unmask))
      const name = nameOf(record.attempt, payment)
      const colour = outcome === 'refused' ? out.red : outcome === 'unknown' ? out.red.bold : undefined
      const word = outcome === 'accepted-before' ? t`already accepted earlier` : stateText(outcome)
      const what = reason === null ? word : `${word}, ${reason}`
      const told =
        record.isPending === true ? t`${name} outcome: ${what} (waiting on this machine)` : t`${name} outcome: ${what}`
      return [at, told, colour]
    }
    case 'finding':
      return [
        at,
        t`${writerText(record)} found: ${stateText(record.as)}, because ${unmask ? record.because : maskText(record.because)}`,
      ]
    case 'query':
      return [at, t`the gateway answered to a query: ${record.status}`, statusColour(record.status, out)]
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
  const { event, status, amountCents, errorCode, errorMessage } = record
  const n = eventNumber(record) ?? t`waiting on this machine`
  const reason = failureText(errorCode, shownWords(errorMessage, unmask))
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

/** What the gateway said of a failure. */
function shownWords(words: string | null, unmask: boolean): string | null {
  return words === null || unmask ? words : maskText(words)
}

function optional(label: string, value: string | null, colour?: Style): LabelledRow[] {
  return value === null ? [] : [[label, value, colour]]
}
