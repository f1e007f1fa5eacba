import type { Context } from '../context.ts'
import { type TransferPayment, taxDocumentsOf } from '../ledger/facts.ts'
import { findPayments, findReceivedPayment, type Payment, type ReceivedPayment } from '../ledger/payments.ts'
import type { AttemptRecord, LedgerRecord } from '../ledger/records.ts'
import { readText } from '../optionParsers.ts'
import { isOfOtherLogin } from '../payments/decide.ts'
import type { PaymentContext, PlansInUse } from '../payments/paymentContext.ts'
import { planCommand } from '../payments/paymentRules.ts'
import { previewPayment, previewResume } from '../payments/preview.ts'
import { singlePayment, type WantedPayment } from '../payments/proposal.ts'
import { acceptedRepeats, type RepeatOptions } from '../payments/repeatOptions.ts'
import { resumeProposal, type TransferInLedger, transferToResume } from '../payments/resumeTransfer.ts'
import { formatReais } from '../pix/amount.ts'
import { DAY_MS } from '../pix/calendar.ts'
import { chargeAddress, destinationText, formatKey } from '../pix/destination.ts'
import type { Account } from '../profiles/account.ts'
import { readProfiles } from '../profiles/store.ts'
import { commandArgument } from '../text/shellWord.ts'
import { t } from '../text/translate.ts'
import { transferRows } from '../views/payments/paymentQuestion.ts'
import { writerText } from '../views/valueText.ts'
import { UsageError } from '../wire/errors.ts'
import { assertListenerRuns } from './callbackUrl.ts'
import { type HowToSend, sendingAccount, sendOne, showPaid } from './sendPayments.ts'

interface NewTransfer extends Pick<WantedPayment, 'isIdMadeUp'> {
  facts: TransferPayment
  externalId: string
  /** True if the key was not said to be a phone number, and could be a mistyped CPF. */
  isGuessedPhone: boolean
}

/** Makes a transfer, or a plan of it. Returns the exit code. Throws like {@link sendOne}. */
export async function sendTransfer(
  context: Context,
  payments: PaymentContext,
  { facts, externalId, isGuessedPhone, isIdMadeUp }: NewTransfer,
  options: RepeatOptions & HowToSend & { wait?: number | null },
): Promise<number> {
  const { amountCents, key, keyType } = facts
  const wanted = singlePayment({ facts, externalId }, { isIdMadeUp })
  const preview = await previewPayment(payments, wanted, options)
  const received = await findPaymentOfReceiver(payments, facts)
  const destination = chargeAddress(key) === null ? formatKey(key, keyType) : t`this payment code`
  const one = {
    facts,
    externalId,
    proposal: { ...wanted, accepted: preview.accepted },
    planCommand: planCommand(facts, externalId),
    newTodayCents: amountCents,
    question: {
      amountCents,
      rows: transferRows(facts, externalId, preview, { err: payments.terminal.err, isGuessedPhone, received }),
      text: t`Send ${formatReais(amountCents)} to ${destination}?`,
    },
    plan: { payments: [{ facts, externalId }], repeats: options },
  }
  return sendOne(context, payments, one, options)
}

/** How long ago a payment may be that a transfer seems to give back. */
const GIVEN_BACK_MS = 90 * DAY_MS

/** The payment of the same amount that the receiver of a transfer made, and that was not refunded; undefined if there is none. */
function findPaymentOfReceiver(
  { ledger, account, now }: PaymentContext,
  facts: TransferPayment,
): Promise<ReceivedPayment | undefined> {
  const taxDocuments = taxDocumentsOf(facts)
  const { amountCents } = facts
  return ledger.read((database) =>
    findReceivedPayment(database, account, { amountCents, taxDocuments, sinceMs: now() - GIVEN_BACK_MS }),
  )
}

/** Reads the external id of a transfer to resume. Throws UsageError. */
export function readExternalId(typed: string): string {
  return readText(typed, '<external-id>')
}

export interface ResumedPayment extends HowToSend, Partial<RepeatOptions> {
  includeUnknown: boolean
  wait?: number | null
  /** The plans that allow it. */
  plans?: PlansInUse
}

/** The steps of `pixgate resume` for a transfer: `id` is one that {@link findPayments} takes. Throws NotFound and UsageError. */
export async function resumeTransfer(
  context: Context,
  id: string,
  { includeUnknown, plans, again = false, inAdditionTo = [], ...how }: ResumedPayment,
): Promise<number> {
  const account = await sendingAccount(context, how)
  const opened = await context.payments()
  const { ledger } = opened
  const store = await readProfiles(context.configFolder())
  const payment = await ledger.read((database) => transferToResume(findPayments(database, id), id, { account, store }))
  const { givenId: externalId, summary } = payment
  const repeats = { again, inAdditionTo }
  const ofOther = attemptOfOther(opened, payment)
  if (ofOther === null) assertNoRepeats(externalId, repeats)
  const facts = ofOther?.facts ?? payment.facts
  const accepted = ofOther && (await ledger.read((database) => acceptedRepeats(database, account, facts, repeats)))
  const proposal = resumeProposal(payment, includeUnknown, accepted ?? undefined)
  const preview = await previewResume(opened, payment)
  if (proposal === null) {
    const waitMs = how.dryRun ? null : (how.wait ?? null)
    if (waitMs !== null) await assertListenerRuns(context, account, facts.callbackUrl)
    const { idTransaction, status } = summary
    const known = { idTransaction, fields: { idTransaction, status }, warnings: [], isRecorded: true }
    return showPaid(context, account, { facts, externalId }, { outcome: 'accepted-before', ...known }, waitMs)
  }
  const allowing = plans ?? (how.plan === undefined ? await planThatAllowed(context, account, payment) : undefined)
  const payments = allowing === undefined ? opened : { ...opened, plans: allowing }
  const isResend = proposal.action === 'resend'
  const { err } = context.terminal
  const one = {
    facts,
    externalId,
    proposal,
    planCommand: `pixgate resume ${commandArgument(externalId)} --plan`,
    newTodayCents: isResend ? 0 : facts.amountCents,
    question: {
      amountCents: facts.amountCents,
      rows: [
        ...(ofOther === null ? [] : [[t`by`, writerText(ofOther), err.yellow] as const]),
        ...transferRows(facts, externalId, preview, { err }),
      ],
      text: t`Resume it? ${formatReais(facts.amountCents)} goes to ${destinationText(facts.key, facts.keyType)} only if it was not paid yet`,
    },
    plan: {
      payments: [{ facts, externalId: isResend ? unknownExternalId(payment) : externalId }],
      resume: { run: null, payment: externalId, refused: false, includeUnknown },
      repeats,
    },
  }
  return sendOne(context, payments, one, how)
}

/** What another login recorded of a transfer in a shared ledger: it is judged like a new one. Null if this login did. */
function attemptOfOther(
  { ledger: { environment } }: PaymentContext,
  { first, summary }: TransferInLedger,
): (LedgerRecord<AttemptRecord> & { facts: TransferPayment }) | null {
  const { record } = summary.attempts.find(({ state }) => state === 'unknown') ?? { record: first }
  const login = { isShared: environment.sharedAt !== undefined, user: environment.user }
  return isTransferAttempt(record) && isOfOtherLogin(login, record) ? record : null
}

function isTransferAttempt(
  record: LedgerRecord<AttemptRecord>,
): record is LedgerRecord<AttemptRecord> & { facts: TransferPayment } {
  return record.facts.kind === 'transfer'
}

/** A resume makes nothing once more that was asked for here. Throws UsageError. */
function assertNoRepeats(externalId: string, { again, inAdditionTo }: RepeatOptions): void {
  if (!again && inAdditionTo.length === 0) return
  const option = again ? '--again' : '--in-addition-to'
  throw new UsageError(t`The transfer ${externalId} was recorded with this login, so \`${option}\` means nothing`, {
    details: [t`Nothing was sent`],
    hint: t`Omit \`${option}\`: it is for runs, and for transfers that another login recorded`,
  })
}

/** The plan that allowed a payment before; its module is loaded only if there is one. */
export async function planThatAllowed(context: Context, account: Account, payment: Payment) {
  if (payment.summary.attempts.at(-1)?.record.plan === undefined) return undefined
  const { planOfPayment } = await import('./plans/loadPlan.ts')
  return planOfPayment(context, account, payment)
}

/** The external id of the attempt with the unknown outcome. */
function unknownExternalId({ givenId, summary }: TransferInLedger): string {
  return summary.attempts.find(({ state }) => state === 'unknown')?.record.externalId ?? givenId
}
