import type { Context } from '../context.ts'
import { describeRequest } from '../gateway/requests.ts'
import { type TransferPayment, taxDocumentsOf } from '../ledger/facts.ts'
import { findPayments, findReceivedPayment, type ReceivedPayment, refundsOf } from '../ledger/payments.ts'
import { readText } from '../optionParsers.ts'
import { UNRECORDED_EXIT } from '../payments/attemptOutcomes.ts'
import { assertCanSend } from '../payments/consent.ts'
import { type Accepted, pay } from '../payments/pay.ts'
import type { PaymentContext, PlansInUse } from '../payments/paymentContext.ts'
import { assertNoApprovalNeeded, planCommand } from '../payments/paymentRules.ts'
import { dryRun, previewPayment, previewResume } from '../payments/preview.ts'
import type { RepeatOptions } from '../payments/repeatOptions.ts'
import { resumeProposal, resumeTransfer, type TransferInLedger, transferToResume } from '../payments/resumeTransfer.ts'
import { formatReais } from '../pix/amount.ts'
import { DAY_MS } from '../pix/calendar.ts'
import { formatKey } from '../pix/pixKey.ts'
import type { Account } from '../profiles/account.ts'
import { readProfiles } from '../profiles/store.ts'
import { labelledLines } from '../terminal/terminal.ts'
import { safeLines } from '../text/safeText.ts'
import { commandArgument } from '../text/shellWord.ts'
import { t } from '../text/translate.ts'
import { transferRows } from '../views/payments/paymentQuestion.ts'
import { statusColour } from '../views/valueText.ts'
import { type AnswerFields, statusOf } from '../wire/answers.ts'
import type { Outcome } from '../wire/errors.ts'
import { assertListenerRuns } from './callbackUrl.ts'
import { showFinalEvent } from './finalEvent.ts'
import type { PlanOptions } from './optionSets.ts'

/** A transfer to make. */
interface NewTransfer {
  facts: TransferPayment
  externalId: string
  /** True if nobody said that the key is a phone number, and it could be a mistyped CPF. */
  isGuessedPhone: boolean
  /** True if nobody typed the external id. */
  isIdMadeUp: boolean
}

/** Makes a transfer: shows it, asks, sends it once, and prints the result. Returns the exit code. Throws like {@link pay}. */
export async function payTransfer(
  context: Context,
  payments: PaymentContext,
  { facts, externalId, isGuessedPhone, isIdMadeUp }: NewTransfer,
  { dryRun: isDryRun, wait: waitMs = null, ...repeats }: RepeatOptions & { dryRun: boolean; wait?: number | null },
): Promise<number> {
  const { account } = payments
  const { amountCents, key, keyType } = facts
  if (waitMs !== null && !isDryRun) await assertListenerRuns(context, account, facts.callbackUrl)
  const intended = { facts, externalId, payment: null, run: null, originalCents: null, isIdMadeUp }
  await assertNoApprovalNeeded(payments, { amountCents, newTodayCents: amountCents }, planCommand(facts, externalId))
  const preview = await previewPayment(payments, intended, repeats)
  const received = await findPaymentOfReceiver(payments, facts)
  const destination = keyType === 'paymentCode' ? t`this payment code` : formatKey(key, keyType)
  const question = {
    amountCents,
    rows: transferRows(facts, externalId, preview, { err: payments.terminal.err, isGuessedPhone, received }),
    text: t`Send ${formatReais(amountCents)} to ${destination}?`,
  }
  const { accepted: acceptedRepeats } = preview
  const proposal = {
    action: 'pay',
    facts,
    externalId,
    rowId: externalId,
    place: null,
    accepted: acceptedRepeats,
    originalCents: null,
    isIdMadeUp,
  } as const
  if (isDryRun) return showDryRun(context, describeRequest(await dryRun(payments, proposal, facts, question)))
  const accepted = await pay(payments, proposal, question)
  showTransfer(context, account, accepted, { amountCents, externalId, outcome: 'accepted', waits: waitMs !== null })
  if (!accepted.isRecorded) return UNRECORDED_EXIT
  if (waitMs === null) return 0
  const { idTransaction } = accepted
  return showFinalEvent(context, account, { kind: 'transfer', idTransaction, externalId }, waitMs)
}

/** A resume makes nothing once more. */
const NO_OPTIONS = { again: false, inAdditionTo: [] }
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

/** Prints the result of a transfer. `waits` means that its final state follows in the output. */
function showTransfer(
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

/** How a transfer is resumed. */
interface ResumedTransfer {
  isDryRun: boolean
  waitMs: number | null
  includeUnknown: boolean
  /** The plans that allow it. */
  plans?: PlansInUse
  /** Makes a plan of it instead of sending it. */
  plan?: PlanOptions
}

/**
 * The steps of `pixgate resume` and of `pixgate transfer --retry` for a transfer: `id` is one that {@link findPayments} takes. Throws NotFound and
 * UsageError.
 */
export async function resumeTransferById(
  context: Context,
  id: string,
  { isDryRun, waitMs, includeUnknown, plans, plan }: ResumedTransfer,
): Promise<number> {
  if (plan !== undefined) context.forgoSecret()
  const account = await context.account()
  assertCanSend(account)
  const opened = await context.payments()
  const { ledger } = opened
  const store = await readProfiles(context.configFolder())
  const payment = await ledger.read((database) =>
    transferToResume(findPayments(database, id), refundsOf(database, id), id, { account, store }),
  )
  const { facts, givenId } = payment
  const proposal = resumeProposal(payment, includeUnknown)
  if (plan !== undefined && proposal !== null) {
    const request = { facts, externalId: proposal.action === 'resend' ? unknownExternalId(payment) : givenId }
    const resume = { run: null, payment: givenId, refused: false, includeUnknown }
    const { makePlan } = await import('./plans/makePlan.ts')
    return makePlan(context, opened, { kind: 'transfer', payments: [request], resume, repeats: NO_OPTIONS }, plan)
  }
  if (waitMs !== null && !isDryRun) await assertListenerRuns(context, account, facts.callbackUrl)
  const allowing = plans ?? (await planThatAllowed(context, account, payment))
  const payments = allowing === undefined ? opened : { ...opened, plans: allowing }
  if (proposal !== null) {
    const newTodayCents = proposal.action === 'resend' ? 0 : facts.amountCents
    const command = `pixgate resume ${commandArgument(givenId)} --plan`
    await assertNoApprovalNeeded(payments, { amountCents: facts.amountCents, newTodayCents }, command)
  }
  const preview = await previewResume(payments, payment)
  const question = {
    amountCents: facts.amountCents,
    rows: transferRows(facts, givenId, preview, { err: context.terminal.err }),
    text: t`Resume it? ${formatReais(facts.amountCents)} goes to ${facts.key} only if it was not paid yet`,
  }
  if (isDryRun && proposal !== null) {
    return showDryRun(context, describeRequest(await dryRun(payments, proposal, facts, question)))
  }
  const resumed = await resumeTransfer(payments, payment, proposal, question)
  const { amountCents } = facts
  const waits = waitMs !== null && !isDryRun
  if (resumed.outcome === 'accepted') {
    showTransfer(context, account, resumed.accepted, { amountCents, externalId: givenId, outcome: 'accepted', waits })
  } else {
    const { idTransaction, status, warnings } = resumed
    const answer = { fields: { idTransaction, status }, warnings }
    showTransfer(context, account, answer, { amountCents, externalId: givenId, outcome: 'accepted-before', waits })
  }
  const { idTransaction, isRecorded } = resumed.outcome === 'accepted' ? resumed.accepted : resumed
  if (!isRecorded) return UNRECORDED_EXIT
  if (waitMs === null || isDryRun) return 0
  return showFinalEvent(context, account, { kind: 'transfer', idTransaction, externalId: givenId }, waitMs)
}

/** The plan that allowed a transfer before; its module is loaded only if there is one. */
async function planThatAllowed(context: Context, account: Account, payment: TransferInLedger) {
  if (payment.summary.attempts.at(-1)?.record.plan === undefined) return undefined
  const { planOfPayment } = await import('./plans/loadPlan.ts')
  return planOfPayment(context, account, payment)
}

/** The external id of the attempt with the unknown outcome. */
function unknownExternalId({ givenId, summary }: TransferInLedger): string {
  return summary.attempts.find(({ state }) => state === 'unknown')?.record.externalId ?? givenId
}

/** The option of a payment that is only shown. */
export const DRY_RUN_OPTION = {
  flags: '--dry-run',
  description: 'apply every rule, show the request, send nothing',
} as const

/** Prints the request that would be sent and returns the exit code of a dry run. */
export function showDryRun(context: Context, request: ReturnType<typeof describeRequest>): number {
  context.print.one(request, () => [
    ...safeLines(`${request.method} ${request.url}`),
    ...Object.entries(request.headers).flatMap(([name, value]) => safeLines(`${name}: ${value}`)),
    '',
    ...safeLines(JSON.stringify(request.body, null, 2)),
  ])
  context.terminal.note(t`Nothing was sent`)
  return 0
}
