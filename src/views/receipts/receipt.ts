import type { AttemptSummary } from '../../ledger/derivePayment.ts'
import { MONEY_KINDS, type MoneyPayment, type TransferPayment } from '../../ledger/facts.ts'
import { findingFromEvent } from '../../ledger/paymentState.ts'
import { type Payment, shownStateOfPayment } from '../../ledger/payments.ts'
import { plannedBy } from '../../ledger/plans.ts'
import { unverifiedEvent } from '../../payments/explanation.ts'
import { reaisOrNull } from '../../pix/amount.ts'
import { amountInPortugueseWords, amountInWords } from '../../pix/amountWords.ts'
import { formatPaymentDate, parseInstant } from '../../pix/calendar.ts'
import { destinationText } from '../../pix/destination.ts'
import { formatTaxDocument } from '../../pix/taxDocument.ts'
import type { Company } from '../../profiles/company.ts'
import { ENVIRONMENTS } from '../../profiles/settings.ts'
import {
  ADDRESS,
  describe,
  enumOf,
  INSTANT,
  mayBeMissing,
  objectOf,
  orNull,
  REAIS,
  TEXT,
} from '../../schemas/jsonSchema.ts'
import { viewOf } from '../../terminal/fields.ts'
import { brokenProse, displayWidth } from '../../text/cellLayout.ts'
import { safeText } from '../../text/safeText.ts'
import { commandArgument } from '../../text/shellWord.ts'
import { t } from '../../text/translate.ts'
import { Refused, UsageError } from '../../wire/errors.ts'
import { readEventFacts } from '../../wire/eventFacts.ts'
import { amountText, instantText } from '../valueText.ts'

type MoneyMade = Payment & { facts: MoneyPayment }

/** Proof that a transfer or refund was paid: when, to whom, and according to which source. */
export interface Receipt {
  payment: MoneyMade
  /** When the money moved, if an event says so, else when that became known. */
  paidAtMs: number | null
  name: string | null
  taxId: string | null
  bank: string | null
  /** The id by which the banks know the payment; null if no event names it. */
  endToEndId: string | null
  knownBy: 'event' | 'person' | 'answer'
  /** The source of this information, as a sentence. */
  source: string
  /** If only a person says that it was paid: who, and when; else null. */
  vouched: { user: string; atMs: number | null } | null
}

/** Of a payment, and of the return of one: the bank's number, the minute, and eleven characters. */
const END_TO_END_ID = /"([ED]\d{20}[0-9A-Za-z]{11})"/

/**
 * The receipt of the one payment among these that is final. Throws Refused if there is none, UsageError if there are several, and for one that
 * rests on a person's word alone, unless `isOnWord`.
 */
export function receiptOf(found: readonly Payment[], id: string, isOnWord: boolean): Receipt {
  const receipts = found.flatMap((payment) => receiptOfOne(payment) ?? [])
  const [receipt, another] = receipts
  if (receipt !== undefined && another === undefined) {
    if (receipt.knownBy === 'event' && receipt.payment.summary.deciding.evidence?.isVerified !== true) {
      throw unverifiedEvent(t`There is no receipt for ${id}: its event is not verified here`)
    }
    if (receipt.vouched === null || isOnWord) return receipt
    const own = receipt.payment.id
    throw new UsageError(t`There is no receipt for ${id}: only a person says that it was paid`, {
      details: [receipt.source],
      hint: t`Run \`pixgate history show ${own}\` to see whether an event may prove it; \`pixgate history show ${own} --receipt --on-my-word\` says in its first line who says so`,
    })
  }
  if (another !== undefined) {
    throw new UsageError(t`${id} names ${receipts.length} payments that were made`, {
      details: receipts.map(
        ({ payment }) =>
          t`${payment.id}  ${amountText(payment.amountCents)}  ${instantText(payment.summary.sentMs)}  ${payment.owner.baseUrl}`,
      ),
      hint: t`Use the id at the beginning of a line, like \`pixgate history show ${receipts[0]?.payment.id ?? ''} --receipt\``,
    })
  }
  throw noReceipt(found, id)
}

const RECEIVER = viewOf<Receipt>()({
  key: [mayBeMissing(TEXT), ({ payment: { facts } }) => (facts.kind === 'transfer' ? facts.key : undefined)],
  typeKey: [mayBeMissing(TEXT), ({ payment: { facts } }) => (facts.kind === 'transfer' ? facts.keyType : undefined)],
  name: [orNull(TEXT), ({ name }) => name],
  taxId: [orNull(TEXT), ({ taxId }) => taxId],
  bank: [orNull(TEXT), ({ bank }) => bank],
})

const RECEIPT_FACTS = viewOf<Receipt>()({
  id: [describe('Accepted by show, settle and resume', TEXT), ({ payment }) => payment.id],
  kind: [enumOf(...MONEY_KINDS), ({ payment }) => payment.facts.kind],
  profile: [orNull(TEXT), ({ payment }) => payment.owner.profile],
  environment: [enumOf(...ENVIRONMENTS), ({ payment }) => payment.owner.environment],
  baseUrl: [ADDRESS, ({ payment }) => payment.owner.baseUrl],
  requestedBy: [orNull(TEXT), ({ payment }) => payment.summary.attempts.at(-1)?.record.requestedBy ?? null],
  approvedBy: [orNull(TEXT), ({ payment }) => payment.summary.attempts.at(-1)?.record.approvedBy ?? null],
  knownBy: [enumOf('event', 'answer', 'person'), ({ knownBy }) => knownBy],
  source: [describe('What says that it was paid, as a sentence', TEXT), ({ source }) => source],
})

/** What a receipt says, in JSON, with everything whole; the amount in reais. */
export const PAYMENT_RECEIPT = viewOf<Receipt & { payer: Company }>()({
  idTransaction: [orNull(TEXT), ({ payment }) => payment.summary.idTransaction],
  endToEndId: [orNull(TEXT), ({ endToEndId }) => endToEndId],
  originalTransactionId: [mayBeMissing(TEXT), (receipt) => refundOf(receipt)?.originalTransactionId],
  refundReason: [mayBeMissing(TEXT), (receipt) => refundOf(receipt)?.refundReason],
  externalId: [mayBeMissing(TEXT), ({ payment }) => (payment.facts.kind === 'transfer' ? payment.givenId : undefined)],
  amount: [orNull(REAIS), ({ payment }) => reaisOrNull(payment.amountCents)],
  amountInWords: [
    orNull(TEXT),
    ({ payment: { amountCents } }) => (amountCents === null ? null : amountInPortugueseWords(amountCents)),
  ],
  paidAt: [orNull(INSTANT), ({ paidAtMs }) => (paidAtMs === null ? null : new Date(paidAtMs).toISOString())],
  payer: [
    objectOf({ name: orNull(TEXT), taxId: orNull(TEXT) }),
    ({ payer }) => ({ name: payer.name, taxId: payer.taxDocument }),
  ],
  receiver: [RECEIVER.schema, RECEIVER.documentOf],
  pixgate: [RECEIPT_FACTS.schema, RECEIPT_FACTS.documentOf],
})

function refundOf({ payment: { facts } }: Receipt) {
  return facts.kind === 'refund' ? facts : undefined
}

/** Undefined unless a signed event proves the payment or, where none says anything final, an answer or a person does. */
function receiptOfOne(payment: Payment): Receipt | undefined {
  const { summary, personName: name } = payment
  const { state, deciding } = summary
  const { evidence, finding, answer, isAnsweredPaid } = deciding
  if (!isMoney(payment)) return undefined
  if (evidence !== null && (evidence.isVerified === true || findingFromEvent(evidence) === 'paid')) {
    return state === 'paid' && findingFromEvent(evidence) === 'paid' ? receiptOfEvent(payment, evidence) : undefined
  }
  const unnamed = { payment, name, taxId: null, bank: null, endToEndId: null, vouched: null }
  if (state === 'paid' && isAnsweredPaid) {
    const paidAtMs = parseInstant(answer?.at ?? '') ?? null
    const source = t`The gateway answered ${answer?.status ?? ''} at ${instantText(paidAtMs)}`
    return { ...unnamed, paidAtMs, knownBy: 'answer', source }
  }
  if (state !== 'paid' || finding === null) return undefined
  const { user, machine, because, madeMs } = finding
  const source = t`Recorded by ${user} on ${machine} at ${instantText(madeMs)}: ${because}`
  // When it was recorded is not when it was paid.
  return { ...unnamed, paidAtMs: null, knownBy: 'person', source, vouched: { user, atMs: madeMs } }
}

function isMoney(payment: Payment): payment is MoneyMade {
  return payment.facts.kind !== 'qr'
}

function receiptOfEvent(payment: MoneyMade, event: NonNullable<AttemptSummary['evidence']>): Receipt {
  const body = Buffer.from(event.bodyBase64, 'base64').toString('utf8')
  const facts = readEventFacts(body)
  const endToEndId = END_TO_END_ID.exec(body)?.[1] ?? null
  const { taxId, bank } = event
  const name = event.name ?? payment.personName
  const arrivedAtMs = parseInstant(event.at) ?? null
  const paidAtMs = parseInstant(facts?.happenedAt ?? '') ?? arrivedAtMs
  const source = t`The gateway's event ${event.event ?? '—'}, received at ${instantText(arrivedAtMs)}`
  return { payment, paidAtMs, name, taxId, bank, endToEndId, knownBy: 'event', source, vouched: null }
}

function noReceipt(found: readonly Payment[], id: string): Refused {
  const payment = found.findLast(({ facts }) => facts.kind !== 'qr')
  if (payment === undefined) {
    return new Refused(t`${id} is a charge, and only transfers and refunds have a receipt`, {
      outcome: 'not-sent',
      hint: t`Run \`pixgate history show ${commandArgument(id)}\` to see its state`,
    })
  }
  const state = shownStateOfPayment(payment)
  return new Refused(t`There is no receipt for ${id}: ${reasonText(payment)}`, {
    outcome: 'not-sent',
    hint:
      state === 'accepted' || state === 'unknown'
        ? t`Import its event with \`pixgate history import event.json\`, or record what you found with \`pixgate history settle ${payment.id}\``
        : t`Run \`pixgate history show ${commandArgument(id)}\` to see what happened`,
  })
}

function reasonText(payment: Payment): string {
  const { deciding, errorCode } = payment.summary
  const { evidence } = deciding
  switch (shownStateOfPayment(payment)) {
    case 'being-sent':
      return t`it is being sent at this moment`
    case 'accepted':
      return t`it was accepted, and its event has not arrived`
    case 'unknown':
      return t`its outcome is unknown`
    case 'returned':
      return t`the money came back`
    case 'not-sent':
      return t`it was never sent`
    case 'refused':
      return t`the gateway refused it (${errorCode ?? '—'})`
    default:
      return evidence === null ? t`a person found that it was not paid` : t`its event says ${evidence.status ?? '—'}`
  }
}

/** The key, of a payment code that in it with the name there, and the code itself below. */
function keyRows({ key, keyType }: TransferPayment): SlipRow[] {
  const shown: SlipRow = [t`PIX key`, destinationText(key, keyType)]
  return keyType === 'paymentCode' ? [shown, [t`payment code`, key]] : [shown]
}

/** What a receipt says on a screen and on paper. Nothing is masked. */
export function receiptSlip(receipt: Receipt, payer: Company): Slip {
  const { payment, name, taxId, bank, paidAtMs, endToEndId, vouched } = receipt
  const { facts, owner, summary, amountCents } = payment
  const planned = plannedBy(summary.attempts.at(-1)?.record)
  const optional = (label: string, value: string | null): SlipRow[] => (value === null ? [] : [[label, value]])
  const issuer = {
    name: payer.name ?? owner.profile ?? owner.clientId,
    taxDocument: payer.taxDocument === null ? null : formatTaxDocument(payer.taxDocument),
  }
  const receiverRows = [
    ...optional(t`receiver`, name),
    ...(facts.kind === 'transfer' ? keyRows(facts) : []),
    ...optional(t`CPF/CNPJ`, taxId === null ? null : formatTaxDocument(taxId)),
    ...optional(t`bank`, bank),
    ...(facts.kind === 'refund'
      ? [
          ...optional(t`order`, payment.orderNumber),
          ...optional(t`refund of`, facts.originalTransactionId),
          ...optional(t`reason`, facts.refundReason),
        ]
      : []),
  ]
  const idRows = [
    ...optional(t`end-to-end id`, endToEndId),
    ...optional(t`transaction id`, summary.idTransaction ?? '—'),
    ...(facts.kind === 'transfer' ? optional(t`external id`, payment.givenId) : []),
    ...optional(t`requested by`, planned?.requestedBy ?? null),
    ...optional(t`approved by`, planned?.approvedBy ?? null),
  ]
  return {
    vouched:
      vouched === null
        ? null
        : t`according to ${vouched.user}, ${instantText(vouched.atMs)}; not confirmed by the gateway`,
    issuer,
    title: titleOf(receipt),
    amount: amountText(amountCents),
    inWords: amountCents === null ? null : amountInWords(amountCents),
    sections: [
      [[t`date`, paidAtMs === null ? '—' : t`${formatPaymentDate(paidAtMs)} (São Paulo)`]],
      [[t`payer`, issuer.name], ...optional(t`CPF/CNPJ`, issuer.taxDocument)],
      receiverRows,
      idRows,
    ],
  }
}

/** The title of a receipt: one from a sandbox must not be mistaken for real money. */
function titleOf({ payment: { facts, owner } }: Receipt): string {
  if (owner.environment === 'sandbox') {
    return facts.kind === 'refund' ? t`PIX REFUND - SANDBOX, NO REAL MONEY` : t`PIX TRANSFER - SANDBOX, NO REAL MONEY`
  }
  return facts.kind === 'refund' ? t`PIX REFUND - RECEIPT` : t`PIX TRANSFER - RECEIPT`
}

/** A row of a slip. An empty label continues the value above; if both are empty, the row is blank. */
type SlipRow = readonly [label: string, value: string]

/** What a slip says, whatever it is drawn on. */
export interface Slip {
  /** The first line, if only a person vouches for it. */
  vouched: string | null
  /** The company that paid. */
  issuer: { name: string; taxDocument: string | null }
  title: string
  amount: string
  inWords: string | null
  /** When, who paid, who received, and the ids. */
  sections: readonly (readonly SlipRow[])[]
}

const FRAME_AND_MARGIN = 4

/** The lines of a slip without its frame, of equal width of at most `columns`. Long values are wrapped. */
function slipLines({ vouched, title, amount, inWords, sections }: Slip, columns: number): string[] {
  const blank: SlipRow = ['', '']
  const rows: SlipRow[] = [
    [t`amount`, amount],
    ...(inWords === null ? [] : [['', inWords] as const]),
    ...sections.flatMap((section, place) => (place === 0 ? section : [blank, ...section])),
  ]
  const labelWidth = Math.max(...rows.map(([label]) => label.length)) + 2
  const valueWidth = Math.max(8, columns - labelWidth)
  const body = rows.flatMap(([label, value]) => {
    const [first = '', ...others] = brokenProse(safeText(value), valueWidth)
    return [label.padEnd(labelWidth) + first, ...others.map((line) => ' '.repeat(labelWidth) + line)]
  })
  const first = vouched === null ? [] : [...brokenProse(safeText(vouched), columns), '']
  const lines = [...first, ...brokenProse(title, columns), '', ...body]
  const width = Math.max(...lines.map(displayWidth))
  return lines.map((line) => line + ' '.repeat(width - displayWidth(line)))
}

/** A slip in a frame, for a terminal. */
export function framedSlip(slip: Slip, columns: number): string[] {
  const lines = slipLines(slip, columns - FRAME_AND_MARGIN)
  const rule = '─'.repeat(displayWidth(lines[0] ?? '') + 2)
  return [`┌${rule}┐`, ...lines.map((line) => `│ ${line} │`), `└${rule}┘`]
}
