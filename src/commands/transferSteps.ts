import type { Context } from '../context.ts'
import { describeRequest } from '../gateway/requests.ts'
import type { TransferPayment } from '../ledger/facts.ts'
import { taxDocumentsOf } from '../ledger/facts.ts'
import { findPayments, refundsOf } from '../ledger/payments.ts'
import { findReceivedPayment, type ReceivedPayment } from '../ledger/receivedPayment.ts'
import { readText } from '../optionParsers.ts'
import { UNRECORDED_EXIT } from '../payments/attemptOutcomes.ts'
import { assertCanSend } from '../payments/consent.ts'
import { dryRun } from '../payments/dryRun.ts'
import type { Accepted } from '../payments/pay.ts'
import type { PaymentContext } from '../payments/paymentContext.ts'
import { type PaymentPreview, previewResume } from '../payments/preview.ts'
import { resumeProposal, resumeTransfer, transferToResume } from '../payments/resume.ts'
import { formatReais } from '../pix/amount.ts'
import { readBrCode } from '../pix/brCode.ts'
import { parseInstant } from '../pix/calendar.ts'
import type { Account } from '../profiles/account.ts'
import { readProfiles } from '../profiles/store.ts'
import { type LabelledRow, labelledLines, type Terminal } from '../terminal/terminal.ts'
import { commandArgument } from '../text/shellWord.ts'
import { t } from '../text/translate.ts'
import { instantText, statusColour } from '../views/valueText.ts'
import { type AnswerFields, statusOf } from '../wire/answers.ts'
import type { Outcome } from '../wire/errors.ts'
import { checkListener } from './callbackUrl.ts'
import { showDryRun } from './dryRun.ts'
import { showFinalEvent } from './finalEvent.ts'

/** What a person checks before a transfer is sent: the exact destination and what was paid to it before. */
export function transferRows(
  facts: TransferPayment,
  externalId: string,
  { paidBefore, sentTodayCents, settledEarlier }: PaymentPreview,
  {
    err,
    isGuessedPhone = false,
    received,
  }: { err: Terminal['err']; isGuessedPhone?: boolean; received?: ReceivedPayment | undefined },
): LabelledRow[] {
  const owner = facts.documentValidation
  return [
    [t`to`, facts.key, err.bold],
    [t`key type`, facts.keyType],
    ...(isGuessedPhone ? [[t`check`, guessedPhoneText(facts.key), err.yellow] as const] : []),
    ...receiverRows(facts),
    [t`owner`, owner === null ? t`not checked` : t`must be ${owner}`],
    [t`external id`, externalId],
    ...(paidBefore.count === 0 && settledEarlier !== null ? [] : [paidBeforeRow(paidBefore, err)]),
    ...settledRows(settledEarlier, err),
    ...(received === undefined ? [] : [[t`note`, receivedText(received), err.yellow] as const]),
    [t`sent today`, t`${formatReais(sentTodayCents)} without this one`],
  ]
}

/** How long ago a payment may be that a transfer seems to give back. */
const GIVEN_BACK_MS = 90 * 24 * 60 * 60 * 1000

/** The payment of the same amount that the receiver of a transfer made, and that was not refunded; undefined if there is none. */
export function findPaymentOfReceiver(
  { ledger, account, now }: PaymentContext,
  facts: TransferPayment,
): Promise<ReceivedPayment | undefined> {
  const documents = taxDocumentsOf(facts)
  const { amountCents } = facts
  return ledger.read((database) =>
    findReceivedPayment(database, account, { amountCents, documents, sinceMs: now() - GIVEN_BACK_MS }),
  )
}

function receivedText({ idTransaction, at }: ReceivedPayment): string {
  const paidAt = instantText(parseInstant(at) ?? null)
  return t`The receiver paid you the same amount, known since ${paidAt}; to give money back use \`pixgate refund ${idTransaction}\``
}

/** Why a person should check a key that was only guessed to be a phone number. */
function guessedPhoneText(key: string): string {
  return t`${key} is treated as a mobile number because it is not a valid CPF; a mistyped CPF looks the same`
}

/** People cannot read a payment code, so the receiver that it names is shown with it. */
function receiverRows({ key, keyType }: TransferPayment): LabelledRow[] {
  if (keyType !== 'paymentCode') return []
  const { merchantName, merchantCity } = readBrCode(key)
  return [[t`receiver`, [merchantName, merchantCity].filter((part) => part !== null).join(', ')]]
}

/** The equal payment that only a person says was not made; none if there is none. */
export function settledRows(earlier: PaymentPreview['settledEarlier'], err: Terminal['err']): LabelledRow[] {
  const denial = earlier?.summary.denial ?? null
  if (earlier === null || denial === null) return []
  const name = earlier.facts.kind === 'refund' ? (earlier.summary.idTransaction ?? earlier.id) : earlier.name
  const text = t`${name} as ${denial.as} by ${denial.user}, ${instantText(denial.madeMs)}`
  return [[t`settled`, text, err.red.bold]]
}

function paidBeforeRow({ count, lastMs }: PaymentPreview['paidBefore'], err: Terminal['err']): LabelledRow {
  if (count === 0) return [t`paid before`, t`never to this key`, err.yellow]
  const at = instantText(lastMs)
  return [t`paid before`, count === 1 ? t`once to this key, at ${at}` : t`${count} times to this key, last at ${at}`]
}

/** Prints the result of a transfer. `waits` means that its final state follows in the output. */
export function showTransfer(
  context: Context,
  account: Account,
  answer: Pick<Accepted, 'fields' | 'warnings'>,
  {
    amountCents,
    externalId,
    outcome,
    waits,
  }: { amountCents: number; externalId: string; outcome: Outcome; waits: boolean },
): void {
  const status = statusOf(answer.fields)
  const pixgate = { profile: account.profile, environment: account.environment, outcome, warnings: answer.warnings }
  const document: AnswerFields = { ...answer.fields, externalId, status, pixgate }
  const { out } = context.terminal
  const { print } = context
  const write = waits ? print.item : print.one
  write(document, () =>
    labelledLines(
      [
        [t`amount`, formatReais(amountCents)],
        [t`id`, String(answer.fields.idTransaction ?? '—')],
        [t`status`, status ?? '—', statusColour(status, out)],
        [t`external id`, externalId],
      ],
      out,
    ),
  )
  if (outcome === 'accepted-before') {
    context.terminal.note(
      t`The gateway had already accepted this transfer, so nothing was paid twice; see \`pixgate history show ${commandArgument(externalId)}\``,
    )
    return
  }
  context.terminal.note(
    t`The transfer is accepted but not paid yet: a \`transfer.completed\` or \`transfer.failed\` event reports the result`,
  )
}

/** Reads the external id of a transfer to resume. Throws UsageError. */
export function readExternalId(typed: string): string {
  return readText(typed, '<external-id>')
}

/** The steps of `pixgate resume` and of `pixgate transfer --retry`. */
export async function resumeByExternalId(
  context: Context,
  externalId: string,
  { isDryRun, waitMs, includeUnknown }: { isDryRun: boolean; waitMs: number | null; includeUnknown: boolean },
): Promise<number> {
  const account = await context.account()
  assertCanSend(account)
  const payments = await context.payments()
  const { ledger } = payments
  const store = await readProfiles(context.configFolder())
  const payment = await ledger.read((database) =>
    transferToResume(findPayments(database, externalId), refundsOf(database, externalId), externalId, {
      account,
      store,
    }),
  )
  const { facts, name } = payment
  const proposal = resumeProposal(payment, includeUnknown)
  if (waitMs !== null && !isDryRun) await checkListener(context, account, facts.callbackUrl)
  const preview = await previewResume(payments, payment)
  const question = {
    amountCents: facts.amountCents,
    rows: transferRows(facts, name, preview, { err: context.terminal.err }),
    text: t`Resume it? ${formatReais(facts.amountCents)} goes to ${facts.key} only if it was not paid yet`,
  }
  if (isDryRun && proposal !== null) {
    return showDryRun(context, describeRequest(await dryRun(payments, proposal, facts, question)))
  }
  const resumed = await resumeTransfer(payments, payment, proposal, question)
  const { amountCents } = facts
  const waits = waitMs !== null && !isDryRun
  if (resumed.outcome === 'accepted') {
    showTransfer(context, account, resumed.accepted, { amountCents, externalId: name, outcome: 'accepted', waits })
  } else {
    const { idTransaction, status, warnings } = resumed
    const answer = { fields: { idTransaction, status }, warnings }
    showTransfer(context, account, answer, { amountCents, externalId: name, outcome: 'accepted-before', waits })
  }
  const { idTransaction, isRecorded } = resumed.outcome === 'accepted' ? resumed.accepted : resumed
  if (!isRecorded) return UNRECORDED_EXIT
  if (waitMs === null || isDryRun) return 0
  return showFinalEvent(context, account, { kind: 'transfer', idTransaction, externalId: name }, waitMs)
}
