import { addRunRows } from '../../batch/claimRun.ts'
import type { PlanReview } from '../../batch/planReview.ts'
import type { Context } from '../../context.ts'
import type { Payment } from '../../ledger/payments.ts'
import { findPlan, type KnownPlan } from '../../ledger/plans.ts'
import type { RunRow } from '../../ledger/records.ts'
import { accountRules } from '../../ledger/rulesInForce.ts'
import { findRun } from '../../ledger/runs.ts'
import { unknownOutcomeHint } from '../../payments/attemptOutcomes.ts'
import { askToAgree, assertCanSend } from '../../payments/consent.ts'
import { ownerOf, type PaymentContext } from '../../payments/paymentContext.ts'
import {
  assertMayChangeRules,
  assertNotExpired,
  assertNotRejected,
  assertNotSent,
} from '../../payments/planApproval.ts'
import { formatReais } from '../../pix/amount.ts'
import { isOfRun, type OpenPlan } from '../../plans/plan.ts'
import { type ApprovedPlan, approvedPlan } from '../../plans/verifyPlan.ts'
import type { Account } from '../../profiles/account.ts'
import type { AccountRules, RuleChange } from '../../profiles/accountRules.ts'
import { verifyRules } from '../../ruleApprovals.ts'
import { askToType, mustBeWord } from '../../terminal/typedConfirmation.ts'
import { t } from '../../text/translate.ts'
import { planDocument, planLines, reviewRows, standingOfNew } from '../../views/plans/planText.ts'
import { UsageError } from '../../wire/errors.ts'
import { DEFAULT_SENDING } from '../batch/batchOptions.ts'
import { type NewRun, newRunName, resumeRun, sendNewRun } from '../batch/sendRun.ts'
import { assertNotOnItsWay, resumePayment } from '../resumePayment.ts'
import type { HowToSend } from '../sendPayments.ts'
import { queryOriginal, readOriginal, sendRefund } from '../sendRefund.ts'
import { sendTransfer } from '../sendTransfer.ts'
import { assertPayeesAsPlanned, keepPlan, type LoadedPlan, loadPlan, planVerification, reviewOf } from './loadPlan.ts'
import { restOfPlan } from './planStandings.ts'

const SEND: HowToSend = { dryRun: false }

/** Sends an approved plan, or what is left of one whose sending was interrupted. Returns the exit code. Throws the Failure of the payment. */
export async function sendPlan(context: Context, typed: string): Promise<number> {
  const account = await context.account()
  const loaded = await loadPlan(context, account, typed)
  const { open, known } = loaded
  if (open.plan.kind !== 'profile') assertCanSend(account)
  assertNotRejected(open.id, known?.rejection ?? null)
  if (known?.ownSending == null) assertNotExpired(open, context.now())
  await assertPayeesAsPlanned(context, account, loaded)
  const rest = known?.sending == null ? null : await readRest(context, open, known.sending)
  const { resume, batch } = open.plan
  const begunRun = isOfRun(open.plan) ? known?.sending?.run : null
  const run = begunRun ?? resume?.run ?? (batch === undefined ? null : newRunName(context))
  const approved = await verified(context, account, loaded, run)
  const plans = { approved: [approved], isOnly: true }
  if (open.plan.kind === 'profile') return changeRulesByPlan(context, account, loaded, approved)
  const payments: PaymentContext = { ...(await context.payments()), plans }
  const { maker, approver } = approved
  context.terminal.note(t`${open.id}, made by ${maker}, approved by ${approver}`)
  if (run !== null) return sendRunOfPlan(context, payments, loaded, run)
  const resumed = rest?.id ?? resume?.payment
  if (resumed != null) {
    const { includeUnknown = false } = resume ?? {}
    return resumePayment(context, resumed, { ...SEND, ...open.plan.repeats, includeUnknown, plans })
  }
  const [request] = open.requests
  if (request === undefined) throw new Error('a plan has no requests')
  const { facts, externalId } = request
  const options = { again: false, inAdditionTo: [], ...SEND, ...open.plan.repeats }
  if (facts.kind === 'refund') {
    const id = facts.originalTransactionId
    const refunded = await queryOriginal(context, id, await readOriginal(payments, id))
    return sendRefund(context, payments, facts, refunded, options)
  }
  const transfer = { facts, externalId: externalId ?? '', isGuessedPhone: false, isIdMadeUp: false }
  return sendTransfer(context, payments, transfer, options)
}

/** The payment whose outcome is unknown; null for what has not been sent. Throws UsageError if nothing is left, and for a refund whose outcome is unknown; NotReached. */
async function readRest(
  context: Context,
  open: OpenPlan,
  sending: NonNullable<KnownPlan['sending']>,
): Promise<Payment | null> {
  const ledger = await context.ledger()
  const rest = await ledger.read((database) => restOfPlan(database, open, sending))
  if (rest === 'nothing') assertNotSent(open.id, sending)
  if (typeof rest === 'string') return null
  await assertNotOnItsWay({ ledger }, rest, `pixgate plan send ${open.id}`)
  if (rest.facts.kind === 'refund') throw unknownRefund(open, rest)
  return rest
}

/** Verifies the signatures, and records the plan and its approvals here, so that it can be finished from the ledger alone. Throws UsageError. */
async function verified(
  context: Context,
  account: Account,
  loaded: LoadedPlan,
  run: string | null,
): Promise<ApprovedPlan> {
  const { open, signatures, known } = loaded
  const verification = await planVerification(context, account, known?.ownSending)
  const ledger = await context.ledger()
  const approved = await approvedPlan(open, signatures, verification, run)
  await ledger.write((writer) => {
    keepPlan(writer, account, loaded)
    const recorded = findPlan(writer.database, open.id)?.approvals ?? []
    const own = signatures.approvals.find(({ principal }) => principal === approved.approver)
    if (own === undefined || recorded.some(({ signature }) => signature === own.signature)) return
    const { principal: approver, signature } = own
    writer.append({ type: 'plan-approval', plan: open.id, owner: ownerOf(account), approver, signature })
  })
  return approved
}

/** Sends the rows of a plan of a batch, or what is left of them. */
async function sendRunOfPlan(
  context: Context,
  payments: PaymentContext,
  loaded: LoadedPlan,
  run: string,
): Promise<number> {
  const { plan } = loaded.open
  const accepted = await payments.ledger.read((database) => findRun(database, run))
  if (accepted === undefined && plan.resume === undefined) {
    const review = await reviewOf(context, payments.account, loaded)
    return sendNewRun(context, payments, runOfPlan(context, payments, loaded.open, run, review), SEND)
  }
  if (accepted === undefined) {
    throw new UsageError(t`The batch ${run}, which the plan ${loaded.open.id} resumes, is not known here`, {
      details: [t`Nothing was sent`],
      hint: t`Send the plan on the machine that sent the batch`,
    })
  }
  const { refused = false, includeUnknown = false } = plan.resume ?? {}
  const { again = false, inAdditionTo = [], despiteChargeback = false } = plan.repeats ?? {}
  const repeats = { again, inAdditionTo: [...inAdditionTo], despiteChargeback }
  const options = { ...repeats, ...SEND, refused, includeUnknown, excel: false }
  return resumeRun(context, accepted, options, payments.plans)
}

/** Nothing makes the gateway refuse a refund that is sent twice. */
function unknownRefund({ id }: OpenPlan, refund: Payment): UsageError {
  return new UsageError(t`The refund of the plan ${id} was sent, and its outcome is unknown`, {
    details: [t`Nothing was sent now`],
    hint: unknownOutcomeHint(refund),
  })
}

/** The rows of a plan as a run: with the rules, the question and the report of a batch. */
function runOfPlan(
  context: Context,
  { ledger }: PaymentContext,
  open: OpenPlan,
  run: string,
  review: PlanReview,
): NewRun {
  const { batch, kind, repeats = { again: false, inAdditionTo: [], despiteChargeback: false } } = open.plan
  if (batch === undefined || kind === 'profile') throw new Error('a plan without a batch is sent as a run')
  const { file, reference } = batch
  return {
    ...batch,
    run,
    kind,
    ignored: [],
    limit: null,
    repeats,
    sending: DEFAULT_SENDING,
    skipQuery: false,
    isReferenceTyped: true,
    async addRows() {
      await addRunRows(ledger, run, rowsOf(open))
      return null
    },
    async present({ count, now: { cents }, sentTodayCents }) {
      if (count === 0) throw nothingLeft(open.id)
      const { err } = context.terminal
      const question = {
        amountCents: cents,
        rows: [
          [t`file`, t`${file ?? '-'}, reference ${reference}`] as const,
          [t`to send`, String(count), err.bold] as const,
          ...reviewRows(review, err),
          [t`sent today`, t`${formatReais(sentTodayCents)}, not counting these`] as const,
        ],
        text:
          count === 1
            ? t`Send 1 payment, ${formatReais(cents)}?`
            : t`Send ${count} payments, ${formatReais(cents)} in total?`,
      }
      return { question, planCommand: null }
    },
  }
}

function rowsOf({ plan, requests }: OpenPlan): RunRow[] {
  const rows = plan.rows ?? []
  return requests.flatMap(({ facts }, index) => {
    const row = rows[index]
    if (row === undefined) return []
    const { line, id: rowId, isTypedId, cells } = row
    return [{ line, rowId, isTypedId, cells, facts, originalCents: null, isLeftOut: false }]
  })
}

function nothingLeft(id: string): UsageError {
  return new UsageError(t`Everything in the plan ${id} was sent before`, {
    details: [t`Nothing was sent now`],
    hint: t`Run \`pixgate plan show ${id}\` to see its payments`,
  })
}

/**
 * Changes the rules of the account as an approved plan says, all of them in one transaction. A person types the name of the profile, a script gives
 * `--confirm`. Returns the exit code. Throws UsageError; Cancelled.
 */
async function changeRulesByPlan(
  context: Context,
  account: Account,
  loaded: LoadedPlan,
  approved: ApprovedPlan,
): Promise<number> {
  const { open } = loaded
  const standing = {
    ...standingOfNew(loaded.known?.made.at ?? null),
    approvers: [approved.approver],
    state: 'approved',
  } as const
  const review = await reviewOf(context, account, loaded)
  const { terminal } = context
  await askToChange(
    context,
    account,
    planLines(open, account, standing, review, { style: terminal.err, columns: terminal.errColumns }),
  )
  const ledger = await context.ledger()
  await ledger.write((writer) => {
    const rules = accountRules(writer.database, account)
    assertMayChangeRules(writer, account, rules, approved)
    assertUnchanged(rules, open.changes)
    const owner = ownerOf(account)
    for (const change of open.changes) writer.append({ type: 'account-rule', owner, ...change, plan: open.id })
  })
  await verifyRules(context, ledger, account)
  const document = planDocument(open, { ...standing, state: 'sent', sentRequests: open.changes.length }, review)
  context.print.one(document, () => [t`The rules of the account are changed, for every profile of it`])
  return 0
}

/** The approver saw from what a rule changes. */
function assertUnchanged(rules: AccountRules, changes: readonly RuleChange[]): void {
  if (changes.every(({ rule, from }) => rules[rule] === from)) return
  throw new UsageError(t`The rules of the account are not what they were when the plan was made`, {
    details: [t`Nothing was changed`],
    hint: t`Make a new plan with \`--plan\``,
  })
}

async function askToChange(context: Context, account: Account, lines: readonly string[]): Promise<void> {
  const { terminal, settings } = context
  await askToAgree({ terminal, ...settings }, account, {
    lines,
    nothingDone: t`Nothing was changed`,
    unasked: t`This would change the rules of the account, and there is no terminal to ask on`,
    hint: t`Add \`--confirm ${account.confirmName}\` if this is what you want`,
    ask: () =>
      askToType(terminal, {
        question: t`Type the name of the profile to change the rules`,
        faultOf: mustBeWord(account.confirmName),
        mismatch: t`The typed text does not match; nothing was changed`,
        hint: t`Check the plan, then run the command again`,
      }),
  })
}
