import { defineCommand, defineOptions, type OptionsOf } from '../../commandDefinition.ts'
import type { Context } from '../../context.ts'
import { findPlan, PLAN_STATES } from '../../ledger/plans.ts'
import { readText } from '../../optionParsers.ts'
import { askToAgree } from '../../payments/consent.ts'
import { ownerOf } from '../../payments/paymentContext.ts'
import { assertNotExpired, assertNotRejected, assertNotSent } from '../../payments/planApproval.ts'
import { bodiesOfPlan, type Plan } from '../../plans/plan.ts'
import { chooseKey, signWith } from '../../plans/sshSignature.ts'
import { assertSecondPerson, signatureFile, verifyMaker } from '../../plans/verifyPlan.ts'
import type { Account } from '../../profiles/account.ts'
import { companyOf } from '../../profiles/company.ts'
import { readTime } from '../../steps/historyFilters.ts'
import { ALL_ROWS_OPTION, LIMIT_OPTION, listLimit, SSH_KEY_OPTION, suggestAllRows } from '../../steps/optionSets.ts'
import { pickPlan, standingPlans, withVerifiedApprovers } from '../../steps/plans/listPlans.ts'
import {
  assertPayeesAsPlanned,
  keepPlan,
  type LoadedPlan,
  loadPlan,
  PLAN_ARGUMENT,
  planVerification,
  reviewOf,
  standingOf,
} from '../../steps/plans/loadPlan.ts'
import { writeNew } from '../../steps/plans/makePlan.ts'
import { isUsedUp } from '../../steps/plans/planStandings.ts'
import { OUT_OPTION, reportFile, writeReport } from '../../steps/reportFile.ts'
import { systemUser } from '../../systemUser.ts'
import { documentOf, listColumns } from '../../terminal/fields.ts'
import { askToType, mustBeAmount, mustBeWord } from '../../terminal/typedConfirmation.ts'
import { commandArgument, shellWord } from '../../text/shellWord.ts'
import { t } from '../../text/translate.ts'
import { workerText } from '../../views/batch/runScreen.ts'
import {
  LISTED_MAX,
  type ListedPlan,
  PLAN_FIELDS,
  PLAN_ONLY_CSV,
  PLANNED_PAYMENT,
  permissionText,
  planDocument,
  planLines,
  planReport,
  planSummary,
} from '../../views/plans/planText.ts'
import { UsageError } from '../../wire/errors.ts'

const LIST_OPTIONS = defineOptions(
  { flags: '--state <state>', description: PLAN_STATES.join(', '), choices: PLAN_STATES },
  { flags: '--since <when>', description: 'made since: 7d, a day, or a time as it is printed', parse: readTime },
  LIMIT_OPTION,
  { ...ALL_ROWS_OPTION, conflicts: { options: ['--limit'] } },
)

export const planList = defineCommand({
  options: LIST_OPTIONS,
  examples: [
    ['pixgate plan list', 'what waits for approval, and what was sent'],
    ['pixgate plan list --state open', 'what waits for approval'],
  ],
  acceptsCsv: true,
  run: list,
})

async function list(context: Context, { state, since, ...options }: OptionsOf<typeof LIST_OPTIONS>): Promise<number> {
  const { print, terminal } = context
  context.forgoSecret()
  const account = await context.account()
  const nowMs = context.now()
  const found = await standingPlans(context, account, since?.sinceMs)
  const inState = found.filter(({ standing }) => state === undefined || standing.state === state)
  const limit = options.limit ?? listLimit(context, options.allRows) ?? inState.length
  const shown = await withVerifiedApprovers(context, account, inState.slice(0, limit))
  const plans = shown.map((plan): ListedPlan => ({ ...plan, nowMs }))
  if (plans.length === 0 && print.format === 'text') {
    terminal.note(
      state === undefined && since === undefined
        ? t`No plan of this account was made, approved or sent from this ledger yet`
        : t`No plan of this account is like this`,
    )
    return 0
  }
  const columns = listColumns(PLAN_FIELDS)
  await print.list(plans, {
    columns: print.format === 'text' ? columns.filter(({ header }) => !PLAN_ONLY_CSV.includes(header ?? '')) : columns,
    more: columns,
    documentOf: (plan) => documentOf(PLAN_FIELDS, plan),
  })
  if (inState.length > limit && print.format !== 'json') {
    terminal.note(
      limit === 1
        ? t`This is the newest of ${inState.length} plans`
        : t`These are the newest ${limit} of ${inState.length} plans`,
    )
    suggestAllRows(context, options.limit !== undefined)
  }
  return 0
}

const SHOW_OPTIONS = defineOptions(
  { flags: '--all-rows', description: 'on a terminal, too, all payments', conflicts: { options: ['--out'] } },
  OUT_OPTION,
)

export const planShow = defineCommand({
  arguments: [{ ...PLAN_ARGUMENT, isPicked: true }],
  options: SHOW_OPTIONS,
  examples: [
    ['pixgate plan show plan.json', 'what it pays, to whom, and what is new'],
    ['pixgate plan show plan.json --out plan.xlsx', 'all of its payments, as a workbook'],
  ],
  acceptsCsv: true,
  run: show,
})

async function show(
  context: Context,
  { plan: typed, allRows, out: typedOut }: OptionsOf<typeof SHOW_OPTIONS> & { plan: string | undefined },
): Promise<number> {
  context.forgoSecret()
  const account = await context.account()
  const name = typed ?? (await pickPlan(context, account, 'pixgate plan show', PLAN_STATES))
  const list = `pixgate plan show ${commandArgument(name)}`
  const path = typedOut === undefined ? undefined : reportFile(typedOut, t`plan`, list)
  const loaded = await loadPlan(context, account, name)
  const { open } = loaded
  const review = await reviewOf(context, account, loaded)
  const standing = await standingOf(context, account, loaded)
  const { print, terminal } = context
  const { out: style, textColumns: columns } = terminal
  if (path !== undefined) {
    const { user, machine } = (await context.ledger()).environment
    const owner = ownerOf(account)
    const company = await companyOf(context.configFolder(), owner, (line) => terminal.warn(line))
    const summary = planSummary(open, account, standing, review, style)
    const origin = { owner, company, user, machine, writtenMs: context.now() }
    await writeReport(path, () => planReport(summary, open, review, origin), list)
    terminal.note(t`All payments of ${open.id} are in ${path}`)
    if (print.format === 'text') return 0
  }
  if (print.format === 'csv') {
    const columns = Object.keys(PLANNED_PAYMENT.members).map((path) => ({ path, header: path }))
    await print.list(review.payments, { columns, documentOf: PLANNED_PAYMENT.documentOf })
    // Its columns are those of payments.
    for (const each of review.permissions) terminal.warn(t`The plan permits: ${permissionText(each)}`)
    return 0
  }
  const limit = allRows || !terminal.outIsTerminal ? review.payments.length : LISTED_MAX
  print.one(planDocument(open, standing, review), () =>
    planLines(open, account, standing, review, { style, columns, limit }),
  )
  return 0
}

/** Of a name, so that a number after it fits. */
const NAME_MAX = 62

const APPROVE_OPTIONS = [SSH_KEY_OPTION] as const

export const planApprove = defineCommand({
  arguments: [{ ...PLAN_ARGUMENT, isPicked: true }],
  options: APPROVE_OPTIONS,
  examples: [['pixgate plan approve plan.json', 'shows it and asks for its total']],
  run: approve,
})

async function approve(
  context: Context,
  { plan: typed, sshKey }: OptionsOf<typeof APPROVE_OPTIONS> & { plan: string | undefined },
): Promise<number> {
  context.forgoSecret()
  const account = await context.account()
  const picked = typed ?? (await pickPlan(context, account, 'pixgate plan approve', ['open', 'approved']))
  const loaded = await loadPlan(context, account, picked)
  const { open, file, known } = loaded
  assertNotRejected(open.id, known?.rejection ?? null)
  assertNotSent(open.id, known?.sending ?? null)
  assertNotExpired(open, context.now())
  const verification = await planVerification(context, account)
  const { list, env } = verification
  const makerKey = await verifyMaker(open, loaded.signatures.maker, verification)
  const key = await chooseKey({ typed: sshKey, list, user: systemUser(env), env })
  assertSecondPerson(open, makerKey, key, list)
  // Without a list two keys may have one name, and each signature needs a file of its own.
  const approver = key.principal === open.plan.maker ? `${key.principal.slice(0, NAME_MAX)}-2` : key.principal
  const ledger = await context.ledger()
  if (ledger.environment.sharedAt !== undefined) await assertOtherLogin(context, loaded)
  await assertPayeesAsPlanned(context, account, loaded)
  const review = await reviewOf(context, account, loaded)
  const standing = await standingOf(context, account, loaded)
  const lines = planLines(open, account, standing, review, {
    style: context.terminal.err,
    columns: context.terminal.errColumns,
  })
  await askApproval(context, account, open.plan, lines)
  const signature = await signWith(key, open.text, env)
  await ledger.write((writer) => {
    keepPlan(writer, account, loaded)
    assertNotRejected(open.id, findPlan(writer.database, open.id)?.rejection ?? null)
    // Another login may have recorded the same signature, which then does not count.
    if (standing.approvers.includes(approver)) return
    const shown = { newKeys: review.newCount, paidBefore: review.payments.length - review.newCount }
    const record = { plan: open.id, owner: ownerOf(account), approver, signature, shown }
    writer.append({ type: 'plan-approval', ...record })
  })
  // An approval that was interrupted may have left it behind.
  if (file !== null && !loaded.signatures.approvals.some((each) => each.signature === signature))
    await writeNew(signatureFile(file, approver), signature)
  const approvers = [...new Set([...standing.approvers, approver])]
  const document = planDocument(open, { ...standing, approvers, state: 'approved' }, review)
  context.print.one(document, () => [t`${open.id} is approved by ${approver}`])
  context.terminal.next(
    t`Send it with \`pixgate plan send ${shellWord(file ?? open.id)}\` on a machine that has the secret`,
  )
  return 0
}

/** With a shared ledger its server says who somebody is. Throws UsageError. */
async function assertOtherLogin(context: Context, { open, known }: LoadedPlan): Promise<void> {
  const ledger = await context.ledger()
  if (known?.made.login !== ledger.environment.user) return
  throw new UsageError(t`${known.made.login} made the plan ${open.id} and cannot approve it, too`, {
    details: [t`Nothing was sent or changed`],
    hint: t`Ask a second person to run \`pixgate plan approve ${open.id}\` with a login of their own`,
  })
}

/** Shows the plan and asks for its total. Throws Cancelled, and UsageError with code CONFIRMATION_REQUIRED if no one can be asked. */
async function askApproval(
  context: Context,
  account: Account,
  { totalCents, profile }: Plan,
  lines: readonly string[],
): Promise<void> {
  const { terminal, settings } = context
  await askToAgree({ terminal, ...settings }, account, {
    lines,
    nothingDone: t`Nothing was approved`,
    unasked: t`This would approve a payment, and there is no terminal to ask on`,
    hint: t`Add \`--confirm ${account.confirmName}\` if this is what you want`,
    ask: () =>
      askToType(terminal, {
        question:
          profile === undefined ? t`Type the total to approve it` : t`Type the name of the profile to approve it`,
        faultOf: profile === undefined ? mustBeAmount(totalCents) : mustBeWord(profile),
        mismatch: t`The typed text does not match; nothing was approved`,
        hint: t`Check the plan, then run the command again`,
      }),
  })
}

const REJECTABLE = ['open', 'approved', 'sending', 'interrupted'] as const

const REJECT_OPTIONS = [
  { flags: '--because <text>', description: 'why, for its maker and the ledger', parse: readText },
] as const

export const planReject = defineCommand({
  arguments: [{ ...PLAN_ARGUMENT, isPicked: true }],
  options: REJECT_OPTIONS,
  examples: [['pixgate plan reject plan.json --because "the invoice is paid"', 'nothing of it is sent']],
  run: reject,
})

async function reject(
  context: Context,
  { plan: typed, because }: OptionsOf<typeof REJECT_OPTIONS> & { plan: string | undefined },
): Promise<number> {
  if (because === undefined) {
    throw new UsageError(t`\`--because\` is missing`, {
      hint: t`Add \`--because "the invoice is paid"\` so that others know why`,
    })
  }
  context.forgoSecret()
  const account = await context.account()
  const picked = typed ?? (await pickPlan(context, account, 'pixgate plan reject', REJECTABLE))
  const loaded = await loadPlan(context, account, picked)
  const { open, known } = loaded
  assertNotRejected(open.id, known?.rejection ?? null)
  const review = await reviewOf(context, account, loaded)
  const ledger = await context.ledger()
  const { rejection, sending } = await ledger.write((writer) => {
    keepPlan(writer, account, loaded)
    const { sending = null } = findPlan(writer.database, open.id, { bodies: bodiesOfPlan(open) }) ?? {}
    if (open.plan.kind === 'profile' || isUsedUp(writer.database, open)) assertNotSent(open.id, sending)
    const rejection = writer.append({ type: 'plan-rejection', plan: open.id, owner: ownerOf(account), because })
    return { rejection, sending }
  })
  const standing = await standingOf(context, account, loaded)
  context.print.one(planDocument(open, { ...standing, state: 'rejected', rejection }, review), () => [
    t`${open.id} is rejected`,
  ])
  if (sending !== null)
    context.terminal.note(t`What was sent of it before stays: ${standing.sentRequests} of ${open.plan.requests.length}`)
  if (standing.sender !== null) {
    context.terminal.warn(
      t`It is ${workerText(standing.sender)}; only a request that was recorded before is still made`,
    )
  }
  if (ledger.environment.sharedAt === undefined) {
    context.terminal.note(t`Without a shared ledger it is rejected on this machine only`)
  }
  return 0
}
