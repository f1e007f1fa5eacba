import type { TransferPayment } from '../../ledger/facts.ts'
import type { ChargeFacts } from '../../ledger/originals.ts'
import type { KnownPayee } from '../../ledger/payees.ts'
import type { ReceivedPayment } from '../../ledger/payments.ts'
import { stateText as paymentStateText } from '../../ledger/stateWords.ts'
import type { PaymentPreview } from '../../payments/preview.ts'
import type { RefundablePayment } from '../../payments/refundable.ts'
import { formatReais } from '../../pix/amount.ts'
import { formatPaymentDate, parseInstant } from '../../pix/calendar.ts'
import { destinationText } from '../../pix/destination.ts'
import { formatTaxDocument } from '../../pix/taxDocument.ts'
import type { Account } from '../../profiles/account.ts'
import type { TransferBody } from '../../schemas/moneyBodies.ts'
import type { LabelledRow, Terminal } from '../../terminal/terminal.ts'
import { safeText } from '../../text/safeText.ts'
import { t, translated } from '../../text/translate.ts'
import { isSameUrl } from '../../wire/baseAddress.ts'
import { stateText } from '../payees/payeeText.ts'
import { amountText, instantText, spokenInstantText } from '../valueText.ts'

/** What a person checks before a transfer is sent: the exact destination and what was paid to it before. */
export function transferRows(
  facts: TransferPayment,
  externalId: string,
  { paidBefore, sentTodayCents, settledEarlier, sentUnder, payees }: PaymentPreview,
  {
    err,
    isGuessedPhone = false,
    received,
  }: { err: Terminal['err']; isGuessedPhone?: boolean; received?: ReceivedPayment | undefined },
): LabelledRow[] {
  const owner = facts.documentValidation
  const rows: Readonly<Record<keyof TransferBody, readonly LabelledRow[]>> = {
    key: [...payeeRows(facts, payees, err), ...keyRows(facts, err)],
    typeKey: [
      [t`key type`, translated(facts.keyType)],
      ...(isGuessedPhone ? [[t`check`, guessedPhoneText(facts.key), err.yellow] as const] : []),
    ],
    documentValidation: [[t`owner`, owner === null ? t`not checked` : t`must be ${formatTaxDocument(owner)}`]],
    externalId: [[t`external id`, externalId]],
    // The amount is in the question, and where webhooks go cannot be judged.
    value: [],
    callbackUrl: [],
  }
  return [
    ...Object.values(rows).flat(),
    ...(paidBefore.count === 0 && settledEarlier !== null ? [] : [paidBeforeRow(paidBefore, err)]),
    ...(sentUnder === null ? [] : [[t`check`, sentUnderText(sentUnder), err.yellow] as const]),
    ...settledRows(settledEarlier, err),
    ...(received === undefined ? [] : [[t`note`, receivedText(received), err.yellow] as const]),
    [t`sent today`, t`${formatReais(sentTodayCents)}, not counting this one`],
  ]
}

/** Where the events of a payment go that another login recorded, if that is not the callback URL of the account. */
export function callbackRows(
  urls: readonly string[],
  { callbackUrl }: Pick<Account, 'callbackUrl'>,
  err: Terminal['err'],
): LabelledRow[] {
  return urls
    .filter((url) => !isSameUrl(url, callbackUrl))
    .map((url) => [t`check`, otherCallbackText(url), err.yellow] as const)
}

/** What it means that events go to another URL than the profile's, as a sentence. */
export function otherCallbackText(url: string): string {
  return t`events, with names and tax documents, go to ${url}, which is not the profile's callback URL`
}

/** The payee to whom it goes, or whose key it is, marked until a payment to it is confirmed. */
function payeeRows(
  { payee: named }: TransferPayment,
  payees: readonly KnownPayee[],
  err: Terminal['err'],
): LabelledRow[] {
  const [payee] = named === null ? payees : payees.filter(({ name }) => name === named)
  if (payee === undefined) return []
  const { name, displayName, state } = payee
  return [
    [t`payee`, displayName === null ? name : t`${name}, ${displayName}`, err.bold],
    ...(state === 'confirmed' ? [] : [[t`check`, stateText(payee), err.yellow] as const]),
  ]
}

/** The key as people write it, also that in a payment code with the name there, and as it is sent if that is another text. */
function keyRows({ key, keyType }: TransferPayment, err: Terminal['err']): LabelledRow[] {
  const shown = destinationText(key, keyType)
  return [[t`to`, shown, err.bold], ...(shown === key ? [] : [[t`sent as`, key] as const])]
}

function sentUnderText({ shown, sentMs, isPaid }: NonNullable<PaymentPreview['sentUnder']>): string {
  const day = formatPaymentDate(sentMs).split(' ', 1)[0] ?? ''
  return isPaid
    ? t`${shown} was paid on ${day}, the same amount to the same destination`
    : t`${shown} was sent on ${day}, the same amount to the same destination`
}

function receivedText({ idTransaction, at }: ReceivedPayment): string {
  const paidAt = instantText(parseInstant(at) ?? null)
  return t`The receiver paid you the same amount, known since ${paidAt}; to give money back use \`pixgate refund ${idTransaction}\``
}

/** Why a person should check a key that was only guessed to be a phone number. */
function guessedPhoneText(key: string): string {
  return t`${key} is treated as a mobile number because it is not a valid CPF; a mistyped CPF looks the same`
}

function paidBeforeRow({ count, lastMs }: PaymentPreview['paidBefore'], err: Terminal['err']): LabelledRow {
  if (count === 0) return [t`sent before`, t`never to this key`, err.yellow]
  const at = instantText(lastMs)
  return [t`sent before`, count === 1 ? t`once to this key, at ${at}` : t`${count} times to this key, last at ${at}`]
}

/** Which customer and order a refund is about, as far as the ledger knows. */
export function customerRows({ personName, typedName, orderNumber }: ChargeFacts): LabelledRow[] {
  const payer = personName ?? typedName
  return [
    ...(payer === null ? [] : [[t`payer`, payer] as const]),
    ...(typedName === null || typedName === payer ? [] : [[t`customer`, typedName] as const]),
    ...(orderNumber === null ? [] : [[t`order`, orderNumber] as const]),
  ]
}

/** The question before a refund: what, to whom, for which order, paid when. An amount of null is all of the payment. */
export function refundQuestion(
  amountCents: number | null,
  { personName, typedName, orderNumber }: ChargeFacts,
  paidAtMs: number | null,
  nowMs: number,
): string {
  const about = [
    safeText(personName ?? typedName ?? t`the payer`),
    ...(orderNumber === null ? [] : [orderText(safeText(orderNumber))]),
    ...(paidAtMs === null ? [] : [t`paid ${spokenInstantText(paidAtMs, nowMs)}`]),
  ].join(', ')
  return amountCents === null
    ? t`Refund the whole payment to ${about}?`
    : t`Refund ${formatReais(amountCents)} to ${about}?`
}

/** A number that begins with a word, such as `order-1005`, needs no other word before it. */
function orderText(orderNumber: string): string {
  return /^\p{L}/u.test(orderNumber) ? t`for ${orderNumber}` : t`order ${orderNumber}`
}

/**
 * What a person checks of the payment that a refund returns. `original` is null if nothing is known of it, `queriedBy` the login whose word it is, if that is
 * another one.
 */
export function originalRows(
  originalTransactionId: string,
  original: RefundablePayment | null,
  { isQuerySkipped, queriedBy }: { isQuerySkipped: boolean; queriedBy: string | null },
): LabelledRow[] {
  const rows: LabelledRow[] = [[t`original`, originalTransactionId]]
  if (isQuerySkipped) {
    rows.push([
      t`gateway`,
      original === null
        ? t`not queried, so the payment itself was not checked`
        : queriedBy === null
          ? t`not queried; this is what the ledger knows`
          : t`not queried; this is what ${queriedBy} recorded, and not verified here`,
    ])
  }
  if (original === null) return rows
  return [
    ...rows,
    [t`paid`, amountText(original.amountCents)],
    [t`paid at`, instantText(original.paidAtMs)],
    [t`refunded`, amountText(original.refundedCents)],
    [t`left`, amountText(original.leftCents)],
    [t`days left`, original.daysLeft === null ? t`unknown` : String(original.daysLeft)],
  ]
}

/** The equal payment of which only a person says what became of it; none if there is none. */
export function settledRows(earlier: PaymentPreview['settledEarlier'], err: Terminal['err']): LabelledRow[] {
  const denial = earlier?.summary.denial ?? null
  if (earlier === null || denial === null) return []
  const name = earlier.facts.kind === 'refund' ? (earlier.summary.idTransaction ?? earlier.id) : earlier.givenId
  const text = t`${name} as ${paymentStateText(denial.as)} by ${denial.user}, ${instantText(denial.madeMs)}`
  return [[t`settled`, text, err.red.bold]]
}
