import type { Context } from '../context.ts'
import { describeRequest } from '../gateway/requests.ts'
import { isOpen } from '../ledger/paymentState.ts'
import { stateFromStatus } from '../ledger/statusMeaning.ts'
import { askCheckCommand, proposedBody } from '../payments/askCheckCommand.ts'
import { UNRECORDED_EXIT } from '../payments/attemptOutcomes.ts'
import {
  askConsent,
  assertCanSend,
  type Consent,
  dryRunLines,
  type Question,
  type QuestionStream,
} from '../payments/consent.ts'
import { type Paid, pay } from '../payments/pay.ts'
import type { PaymentContext } from '../payments/paymentContext.ts'
import { assertNoApprovalNeeded } from '../payments/paymentRules.ts'
import { tryPayment } from '../payments/preview.ts'
import type { Proposal, RequestedPayment } from '../payments/proposal.ts'
import { centsFromJson } from '../pix/amount.ts'
import type { Account } from '../profiles/account.ts'
import type { CheckedRequests } from '../profiles/checkCommand.ts'
import { type LabelledRow, labelledLines } from '../terminal/terminal.ts'
import { safeLines } from '../text/safeText.ts'
import { commandArgument } from '../text/shellWord.ts'
import { t } from '../text/translate.ts'
import { stateRow } from '../views/payments/paymentCells.ts'
import { amountText } from '../views/valueText.ts'
import { statusOf, wordsOf } from '../wire/answers.ts'
import { activeAccount } from './activeAccount.ts'
import { assertListenerRuns } from './callbackUrl.ts'
import { showFinalEvent } from './finalEvent.ts'
import type { PlanOptions } from './optionSets.ts'
import type { PlanDraft } from './plans/makePlan.ts'

/** What a command does with payments: writes a plan of them, only shows them, or sends them. */
export type HowToSend = Partial<PlanOptions> & { dryRun: boolean }

/** Payments that may be sent, as the ledger was when the rules were applied to them: one, or the rows of a run. */
export interface Sending {
  /** What the check command is asked about, and the rule about approval. */
  requests: CheckedRequests
  /** What they add to the sum of the day, in cents. */
  newTodayCents: number
  /** The command line that makes a plan of them; null if plans allow all of them. */
  planCommand: string | null
  question: Question
  /** What a plan of them holds; absent in what comes from a plan. */
  draft?: () => Promise<PlanDraft>
  /** Finds out whether they would be sent. Returns what shows them, below the question, and returns the exit code; absent like `draft`. */
  tryOut?: () => Promise<(question: (stream: QuestionStream) => string[]) => number>
  /** Records and sends them, and prints what became of them. Returns the exit code. */
  send(consent: Consent): Promise<number>
}

/** The account of a command that sends, plans or tries out payments. Throws UsageError for a read-only profile, and like {@link requestingAccount}. */
export async function sendingAccount(context: Context, how: Pick<HowToSend, 'plan' | 'dryRun'>): Promise<Account> {
  // Before the secret is asked for, which a reader lacks on purpose.
  assertCanSend(await activeAccount(context))
  return requestingAccount(context, how)
}

/**
 * The account of a request. A plan needs no secret, but a login that may write; a dry run takes no secret if this machine has none. Throws AuthError,
 * UsageError.
 */
export async function requestingAccount(
  context: Context,
  { plan, dryRun }: Pick<HowToSend, 'plan' | 'dryRun'>,
): Promise<Account> {
  const isWithout = plan !== undefined || (dryRun && (await activeAccount(context)).lacksSecret)
  if (isWithout) context.forgoSecret()
  const account = await context.account()
  if (plan !== undefined) {
    const ledger = await context.ledger()
    if ((await ledger.mayWrite()) === false) {
      const { planOfReader } = await import('../ledger/team/serverErrors.ts')
      throw planOfReader(ledger.environment.user)
    }
  }
  return account
}

/**
 * Sends what the rules allow, wherever it comes from: the rule about approval, the check command, the question, and only then the transaction
 * that decides, the record and the request. A step between the rules and the question belongs here. Returns the exit code. Throws the Failure
 * of what forbids it, Cancelled if a person declines.
 */
export async function sendPayments(
  context: Context,
  payments: PaymentContext,
  sending: Sending,
  { dryRun: isDryRun, ...plan }: HowToSend,
): Promise<number> {
  const { requests, newTodayCents, planCommand, question, draft, tryOut } = sending
  if (plan.plan !== undefined) {
    if (draft === undefined) throw new Error('what comes from a plan is not planned again')
    const { makePlan } = await import('./plans/makePlan.ts')
    return makePlan(context, payments, await draft(), { ...plan, plan: plan.plan })
  }
  const sums = { amountCents: requests.totalCents, newTodayCents }
  if (planCommand !== null) await assertNoApprovalNeeded(payments, sums, planCommand)
  await askCheckCommand(payments, isDryRun ? 'dry-run' : 'send', requests)
  if (isDryRun) {
    if (tryOut === undefined) throw new Error('what comes from a plan has no dry run')
    const show = await tryOut()
    return show(dryRunLines(payments, question))
  }
  return sending.send(await askConsent(payments, question))
}

interface OnePayment extends RequestedPayment {
  proposal: Proposal
  planCommand: string
  newTodayCents: number
  question: Question
  /** What a plan of it says. */
  plan: Pick<PlanDraft, 'payments' | 'resume' | 'repeats'>
  /** Sentences that were shown, for the document of the payment. */
  warnings?: readonly string[]
}

/** Sends one payment, which is shown as itself and not as a run. Returns the exit code. Throws the Failure that describes its outcome. */
export async function sendOne(
  context: Context,
  payments: PaymentContext,
  one: OnePayment,
  { wait: waitMs = null, ...how }: HowToSend & { wait?: number | null },
): Promise<number> {
  const { facts, proposal, plan, planCommand, newTodayCents, question, warnings = [] } = one
  if (waitMs !== null && !how.dryRun) await assertListenerRuns(context, payments.account, facts.callbackUrl)
  const sending: Sending = {
    requests: { kind: facts.kind, bodies: bodyOf(payments, proposal), totalCents: facts.amountCents },
    newTodayCents,
    planCommand: payments.plans === undefined ? planCommand : null,
    question,
    draft: async () => ({ kind: facts.kind, ...plan }),
    async tryOut() {
      const request = describeRequest(await tryPayment(payments, proposal, facts))
      return (lines) => {
        for (const line of lines('err')) context.terminal.note(line)
        return showDryRun(context, request)
      }
    },
    async send(consent) {
      const paid = await pay(payments, consent, proposal, facts)
      const told = { ...paid, warnings: [...warnings, ...paid.warnings] }
      return showPaid(context, payments.account, one, told, waitMs)
    },
  }
  return sendPayments(context, payments, sending, how)
}

async function* bodyOf({ ledger, account }: PaymentContext, proposal: Proposal): AsyncGenerator<string> {
  yield await ledger.read((database) => proposedBody(database, account, proposal))
}

/** Prints what became of a payment, and with a time its final event. Returns the exit code. */
export async function showPaid(
  context: Context,
  account: Account,
  { facts, externalId }: RequestedPayment,
  paid: Paid,
  waitMs: number | null,
): Promise<number> {
  const { print, terminal } = context
  const { profile, environment } = account
  const { outcome, fields, idTransaction, warnings, isRecorded } = paid
  const { kind } = facts
  const status = statusOf(fields)
  const document = {
    ...fields,
    ...(kind === 'transfer' ? { externalId } : {}),
    status,
    pixgate: { profile, environment, outcome, warnings },
  }
  const write = waitMs === null ? print.one : print.item
  write(document, () => labelledLines(paidRows({ facts, externalId }, fields, terminal.out), terminal.out))
  // A transfer whose answer says that it was paid needs no event.
  if (outcome === 'accepted-before' || isOpen(stateFromStatus(kind, status))) {
    terminal.note(nextText({ facts, externalId }, outcome))
  }
  if (!isRecorded) return UNRECORDED_EXIT
  return waitMs === null ? 0 : showFinalEvent(context, account, { kind, idTransaction, externalId }, waitMs)
}

function paidRows(
  { facts, externalId }: RequestedPayment,
  fields: Paid['fields'],
  out: Context['terminal']['out'],
): LabelledRow[] {
  const answered: LabelledRow[] = [
    [t`id`, String(fields.idTransaction ?? '—')],
    stateRow(stateFromStatus(facts.kind, statusOf(fields)), out),
    ...answerRow(fields),
  ]
  const amountOf = (cents: number | null): LabelledRow => [t`amount`, amountText(cents)]
  return facts.kind === 'transfer'
    ? [amountOf(facts.amountCents), ...answered, [t`external id`, externalId ?? '—']]
    : [...answered, amountOf(centsFromJson(fields.amount) ?? facts.amountCents)]
}

/** The row of what an answer says in other words than the specification's. */
export function answerRow(fields: Paid['fields']): LabelledRow[] {
  const words = wordsOf(fields)
  return words === undefined ? [] : [[t`answer`, words]]
}

function nextText({ facts: { kind }, externalId }: RequestedPayment, outcome: Paid['outcome']): string {
  if (outcome === 'accepted-before') {
    return t`The gateway had already accepted this transfer, so nothing was paid twice; see \`pixgate history show ${commandArgument(externalId ?? '')}\``
  }
  return kind === 'transfer'
    ? t`The transfer is accepted but not paid yet: a \`transfer.completed\` or \`transfer.failed\` event reports the result`
    : t`The refund is accepted but not completed yet: a \`refund.status\` event reports the result`
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
