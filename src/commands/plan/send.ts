import { claimRun, dropRun } from '../../batch/claimRun.ts'
import type { PlanReview } from '../../batch/planReview.ts'
import { lookUpOriginals } from '../../batch/refundOriginals.ts'
import { previewRun, type RunOrder, UNSENT_ROWS } from '../../batch/runPreview.ts'
import { defineCommand, type OptionsOf } from '../../commandDefinition.ts'
import type { Context } from '../../context.ts'
import type { RefundPayment } from '../../ledger/facts.ts'
import { knownOriginal, refundedCharge } from '../../ledger/originals.ts'
import type { PaymentState } from '../../ledger/paymentState.ts'
import { findPayments, loadPayment, type Payment } from '../../ledger/payments.ts'
import { approvalsByOthers, findPlan, type KnownPlan, paymentsOfPlan, usesOfRequest } from '../../ledger/plans.ts'
import type { RunRow } from '../../ledger/records.ts'
import { accountRules } from '../../ledger/rulesInForce.ts'
import { addRunRow, countRun, leaveOutAnswered } from '../../ledger/runRows.ts'
import { acceptRun, findRun } from '../../ledger/runs.ts'
import { unknownOutcomeHint } from '../../payments/attemptOutcomes.ts'
import { askConsent, assertCanSend, isAnswered } from '../../payments/consent.ts'
import { ownerOf, type PaymentContext } from '../../payments/paymentContext.ts'
import { refundedCents } from '../../payments/paymentRules.ts'
import { assertMayBeSent, assertNotExpired, assertNotRejected, assertNotSent } from '../../payments/planApproval.ts'
import { previewPayment } from '../../payments/preview.ts'
import type { RepeatOptions } from '../../payments/repeatOptions.ts'
import { formatReais } from '../../pix/amount.ts'
import type { OpenPlan } from '../../plans/plan.ts'
import { type ApprovedPlan, approvedPlan } from '../../plans/verifyPlan.ts'
import type { Account } from '../../profiles/account.ts'
import type { AccountRules, RuleChange } from '../../profiles/accountRules.ts'
import { verifyRules } from '../../ruleApprovals.ts'
import { DEFAULT_SENDING } from '../../steps/batch/batchOptions.ts'
import { resumeByPlans } from '../../steps/batch/resumeRun.ts'
import { assertNoConflicts, assertWithinLimits, checkRun, sendRun } from '../../steps/batch/sendRun.ts'
import {
  begunPlan,
  keepPlan,
  type LoadedPlan,
  loadPlan,
  PLAN_ARGUMENT,
  planVerification,
  reviewOf,
} from '../../steps/plans/loadPlan.ts'
import { lookUpOriginal, payRefund } from '../../steps/sendRefund.ts'
import { payTransfer, resumeTransferById } from '../../steps/sendTransfer.ts'
import type { Database } from '../../storage/sqlite.ts'
import { askToType, mustBeWord } from '../../terminal/typedConfirmation.ts'
import { shellWord } from '../../text/shellWord.ts'
import { t } from '../../text/translate.ts'
import { customerRows, originalRows } from '../../views/payments/paymentQuestion.ts'
import { planDocument, planLines, reviewRows } from '../../views/plans/planText.ts'
import { Cancelled, UsageError } from '../../wire/errors.ts'

/** The states of payments of which something is left to send; those of a run include rows that were never sent. */
const OPEN_STATES: readonly (PaymentState | 'none')[] = ['none', 'not-sent', 'unknown']

/** Rows that are added in one transaction, so that other processes can write between two. */
const GROUP_ROWS = 1000

const OPTIONS = [
  { flags: '--watch', description: 'send plans of the shared ledger as they are approved, without a question' },
] as const

export const planSend = defineCommand({
  arguments: [{ ...PLAN_ARGUMENT, name: '[plan]' }],
  options: OPTIONS,
  examples: [
    ['pixgate plan send plan.json', 'asks as the payment itself would, then sends it'],
    ['pixgate plan send --watch', 'on the host that sends: each plan of the shared ledger once it is approved'],
  ],
  run: send,
})

async function send(context: Context, { plan, watch }: OptionsOf<typeof OPTIONS> & { plan?: string }): Promise<number> {
  if (watch && plan !== undefined) {
    throw new UsageError(t`\`--watch\` sends the plans of the shared ledger and takes no \`<plan>\``, {
      details: [t`Nothing was sent`],
      hint: t`Send this one with \`pixgate plan send ${shellWord(plan)}\``,
    })
  }
  if (watch) return (await import('../../steps/plans/watchPlans.ts')).watchPlans(context, sendPlan)
  if (plan !== undefined) return sendPlan(context, plan)
  throw new UsageError(t`\`<plan>\` is missing`, {
    details: [t`Nothing was sent`],
    hint: t`Run \`pixgate plan list\` to list the plans, or add \`--watch\` to send them as they are approved`,
  })
}

/** Sends an approved plan, or what is left of one whose sending was interrupted. Returns the exit code. Throws the Failure of the payment. */
async function sendPlan(context: Context, typed: string): Promise<number> {
  const account = await context.account()
  const loaded = await loadPlan(context, account, typed)
  if (loaded.open.plan.kind !== 'profile') assertCanSend(account)
  const known = loaded.known
  const { open } = loaded
  if (known?.sending == null) {
    assertNotRejected(open.id, known?.rejection ?? null)
    assertNotExpired(open, context.now())
  }
  const rest = known?.sending == null ? null : await readRest(context, open, known.sending)
  const { resume, batch } = open.plan
  const run = known?.sending?.run ?? resume?.run ?? (batch === undefined ? null : runOf(context.newId()))
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
    return resumeTransferById(context, resumed, { isDryRun: false, waitMs: null, includeUnknown, plans })
  }
  const [request] = open.requests
  if (request === undefined) throw new Error('a plan has no requests')
  const { facts, externalId } = request
  const repeats = { again: false, inAdditionTo: [], dryRun: false, ...open.plan.repeats }
  return facts.kind === 'refund'
    ? sendPlannedRefund(context, payments, facts, repeats)
    : payTransfer(
        context,
        payments,
        { facts, externalId: externalId ?? '', isGuessedPhone: false, isIdMadeUp: false },
        repeats,
      )
}

async function readRest(context: Context, open: OpenPlan, sending: NonNullable<KnownPlan['sending']>) {
  const ledger = await context.ledger()
  return ledger.read((database) => restOfPlan(database, open, sending))
}

/** Verifies the signatures, and records the plan and its approvals here, so that it can be finished from the ledger alone. Throws UsageError. */
async function verified(
  context: Context,
  account: Account,
  loaded: LoadedPlan,
  run: string | null,
): Promise<ApprovedPlan> {
  const { open, maker, approvals, known } = loaded
  const verification = await planVerification(context, account, begunPlan(open, known?.sending))
  const ledger = await context.ledger()
  const byOthers = known === undefined ? [] : approvalsByOthers(known, ledger.environment.sharedAt !== undefined)
  const byMaker = known?.approvals.filter((each) => !byOthers.includes(each)) ?? []
  const others = approvals.filter(({ signature }) => !byMaker.some((each) => each.signature === signature))
  const approved = await approvedPlan(open, { maker, approvals: others }, verification, run)
  await ledger.write((writer) => {
    keepPlan(writer, account, loaded)
    const recorded = findPlan(writer.database, open.id)?.approvals ?? []
    const own = approvals.find(({ principal }) => principal === approved.approver)
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
    return sendPlannedRun(context, payments, loaded.open, run, review)
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
  const options = { ...repeats, refused, includeUnknown, excel: false, dryRun: false }
  return resumeByPlans(context, accepted, options, payments.plans)
}

/**
 * What is left of a plan whose sending began: the transfer whose outcome is unknown, or null for what has not been sent. Throws UsageError if nothing is left,
 * and for a refund whose outcome is unknown.
 */
function restOfPlan(database: Database, open: OpenPlan, sending: NonNullable<KnownPlan['sending']>): Payment | null {
  const { id, plan } = open
  // What changes rules is done at once.
  if (plan.kind === 'profile') assertNotSent(id, sending)
  const { run } = sending
  if (run !== null && plan.resume?.refused !== true && findRun(database, run) !== undefined) {
    const counts = countRun(database, run)
    if (OPEN_STATES.every((state) => counts[state].rows === 0)) assertNotSent(id, sending)
    return null
  }
  const own = paymentsOfPlan(database, id).map((payment) => loadPayment(database, payment))
  const sent = plan.resume?.payment == null ? own : findPayments(database, plan.resume.payment)
  const unknown = run === null ? sent.find(({ summary }) => summary.state === 'unknown') : undefined
  if (unknown?.facts.kind === 'refund') throw unknownRefund(open, unknown)
  if (unknown !== undefined) return unknown
  const isUsed = plan.requests.every((body) => usesOfRequest(database, id, JSON.stringify(body)) > 0)
  const isResumed = plan.resume?.payment != null && sent.every(({ summary }) => !OPEN_STATES.includes(summary.state))
  if (isUsed || isResumed) assertNotSent(id, sending)
  return null
}

/** Nothing makes the gateway refuse a refund that is sent twice. */
function unknownRefund({ id }: OpenPlan, refund: Payment): UsageError {
  return new UsageError(t`The refund of the plan ${id} was sent, and its outcome is unknown`, {
    details: [t`Nothing was sent now`],
    hint: unknownOutcomeHint(refund),
  })
}

/** Makes the refund of a plan: queries the payment that it returns, shows it, asks and sends it. Returns the exit code. */
async function sendPlannedRefund(
  context: Context,
  payments: PaymentContext,
  facts: RefundPayment,
  repeats: RepeatOptions,
): Promise<number> {
  const { account, ledger } = payments
  const id = facts.originalTransactionId
  const { known, charge, refundedBefore } = await ledger.read((database) => ({
    known: knownOriginal(database, account, id),
    charge: refundedCharge(database, id, { ...account, baseUrl: account.url }),
    refundedBefore: refundedCents(database, account, id),
  }))
  const { original, warnings } = await lookUpOriginal(context, id, known, refundedBefore)
  const originalCents = original.amountCents
  const intended = { facts, externalId: null, payment: null, run: null, originalCents, isIdMadeUp: false }
  const { accepted, settledEarlier, sentTodayCents } = await previewPayment(payments, intended, repeats)
  const shown = {
    rows: [...customerRows(charge), ...originalRows(id, original, false)],
    sentTodayCents,
    settledEarlier,
  }
  const paidAtMs = original.paidAtMs ?? known.paidAtMs
  const refund = { facts, accepted, originalCents, charge, paidAtMs, warnings, shown }
  return payRefund(context, payments, refund, { dryRun: false })
}

/** The name of a new run. */
function runOf(id: string): string {
  return `run-${id.replaceAll('-', '').slice(0, 12)}`
}

/** Sends the rows of a plan as a run: with the rules, the question and the report of a batch. Returns the exit code. */
async function sendPlannedRun(
  context: Context,
  payments: PaymentContext,
  open: OpenPlan,
  run: string,
  review: PlanReview,
): Promise<number> {
  const { batch, kind, repeats = { again: false, inAdditionTo: [], despiteChargeback: false } } = open.plan
  if (batch === undefined || kind === 'profile') throw new Error('a plan without a batch is sent as a run')
  const { reference, file, columns, fields } = batch
  const isReferenceTyped = true
  const unaccepted = { run, kind, owner: ownerOf(payments.account), file, reference, isReferenceTyped, columns, fields }
  await claimRun(payments, { ...unaccepted, isDryRun: false })
  let isAccepted = false
  try {
    await addRows(payments, run, rowsOf(open))
    if (kind === 'refund') {
      await lookUpOriginals(payments, { run, skipQuery: false, concurrency: DEFAULT_SENDING.concurrency })
    }
    const order: RunOrder = {
      run,
      kind,
      reference,
      isReferenceTyped,
      selection: UNSENT_ROWS,
      limit: null,
      repeats,
    }
    const preview = await previewRun(payments, order)
    await assertNoConflicts(payments, preview)
    assertWithinLimits(payments, preview)
    if (preview.count === 0) throw nothingLeft(open.id)
    const { count: rows, cents: totalCents, fingerprint } = preview
    await checkRun(payments, preview, false)
    await askConsent(payments, {
      amountCents: totalCents,
      rows: [
        [t`file`, t`${file ?? '-'}, reference ${reference}`],
        [t`to send`, String(rows), context.terminal.err.bold],
        ...reviewRows(review, context.terminal.err),
        [t`sent today`, t`${formatReais(preview.sentTodayCents)} without these`],
      ],
      text:
        rows === 1
          ? t`Send 1 payment, ${formatReais(totalCents)}?`
          : t`Send ${rows} payments, ${formatReais(totalCents)} in total?`,
    })
    const accepted = { ...unaccepted, ignored: [], rows, totalCents, fingerprint, sending: DEFAULT_SENDING }
    const record = await payments.ledger.write((writer) => acceptRun(writer, accepted))
    isAccepted = true
    context.terminal.note(t`The run is ${run}`)
    return await sendRun(context, payments, { run: { record, columns, fields }, preview }, DEFAULT_SENDING)
  } finally {
    if (!isAccepted) await dropRun(payments, run)
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

async function addRows({ ledger }: PaymentContext, run: string, rows: readonly RunRow[]): Promise<void> {
  for (let from = 0; from < rows.length; from += GROUP_ROWS) {
    const group = rows.slice(from, from + GROUP_ROWS)
    await ledger.writeHere(({ database }) => {
      for (const row of group) addRunRow(database, run, row)
      leaveOutAnswered(database, run, Math.min(...group.map(({ line }) => line)))
    })
  }
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
  const standing = { approvers: [approved.approver], state: 'approved' } as const
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
    assertMayBeSent(writer, account, rules, approved)
    assertUnchanged(rules, open.changes)
    const { id: plan, approver } = approved
    const owner = ownerOf(account)
    writer.append({ type: 'plan-sending', plan, owner, approver, run: null })
    for (const change of open.changes) writer.append({ type: 'account-rule', owner, ...change, plan })
  })
  await verifyRules(context, ledger, account)
  const document = planDocument(open, { ...standing, state: 'sent' }, review)
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
  if (isAnswered(account, settings, t`Nothing was changed`)) {
    for (const line of lines) terminal.note(line)
    return
  }
  if (!terminal.canAsk) {
    throw new UsageError(t`This would change the rules of the account, and there is no terminal to ask on`, {
      code: 'CONFIRMATION_REQUIRED',
      details: [t`Nothing was changed`],
      hint: t`Add \`--confirm ${account.confirmName}\` if this is what you want`,
    })
  }
  terminal.say(lines.join('\n'))
  await askToType(terminal, {
    question: t`Type the name of the profile to change the rules`,
    faultOf: mustBeWord(account.confirmName),
    mismatch: () =>
      new Cancelled(t`The typed text does not match; nothing was changed`, {
        hint: t`Check the plan, then run the command again`,
      }),
  })
}
