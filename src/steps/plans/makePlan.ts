import { rm, writeFile } from 'node:fs/promises'
import { EVERYTHING } from '../../batch/planPermissions.ts'
import { type PlanReview, reviewPlan } from '../../batch/planReview.ts'
import { type RunPreview, rowsToSend, type SelectedRow } from '../../batch/runPreview.ts'
import type { Context } from '../../context.ts'
import { addPlan } from '../../ledger/addPlan.ts'
import { type MoneyPayment, requestBody, withAmountNamed } from '../../ledger/facts.ts'
import { loadPayment } from '../../ledger/payments.ts'
import { planName } from '../../ledger/plans.ts'
import { accountRules } from '../../ledger/rulesInForce.ts'
import { askCheckCommand } from '../../payments/askCheckCommand.ts'
import { ownerOf, type PaymentContext } from '../../payments/paymentContext.ts'
import { nextExternalId } from '../../payments/paymentLookup.ts'
import type { RequestedPayment } from '../../payments/proposal.ts'
import type { RepeatOptions } from '../../payments/repeatOptions.ts'
import { DAY_MS } from '../../pix/calendar.ts'
import { PLAN_REQUESTS_MAX, type Plan, planText, readPlan } from '../../plans/plan.ts'
import { chooseKey, signWith } from '../../plans/sshSignature.ts'
import { signatureFile } from '../../plans/verifyPlan.ts'
import type { Account } from '../../profiles/account.ts'
import { type RuleEdit, ruleChanges } from '../../profiles/accountRules.ts'
import type { StoredProfile } from '../../profiles/profile.ts'
import { verifyRules } from '../../ruleApprovals.ts'
import type { Database } from '../../storage/sqlite.ts'
import { systemUser } from '../../systemUser.ts'
import { writeFailure } from '../../terminal/outputFile.ts'
import { commandArgument, shellWord } from '../../text/shellWord.ts'
import { t } from '../../text/translate.ts'
import { planDocument, planLines, standingOfNew } from '../../views/plans/planText.ts'
import { isObject } from '../../wire/answers.ts'
import { isSameAccount } from '../../wire/baseAddress.ts'
import { isSystemError, UsageError } from '../../wire/errors.ts'
import { amountRequiredForPlan, type PlanOptions } from '../optionSets.ts'
import { planVerification } from './loadPlan.ts'

/** What is planned. */
export interface PlanDraft extends Pick<Plan, 'batch' | 'rows' | 'resume'> {
  kind: MoneyPayment['kind']
  payments: readonly RequestedPayment[]
  sourceSha256?: string
  /** Sentences about the file, for the plan. */
  warnings?: readonly string[]
  repeats: RepeatOptions
}

/**
 * Writes payments as a plan instead of sending them: signed, into a file that only this user can read, with the signature beside it, and into the
 * ledger. Prints it and returns the exit code. Throws UsageError, also for a refund of an unknown amount.
 */
export async function makePlan(
  context: Context,
  payments: PaymentContext,
  draft: PlanDraft,
  options: PlanOptions,
): Promise<number> {
  const { account, ledger } = payments
  const requests = draft.payments.map(({ facts, externalId }) => bodyOf(facts, externalId, draft.batch !== undefined))
  const { kind, batch, rows, resume, repeats, sourceSha256 = null } = draft
  const contents = {
    kind,
    requests,
    totalCents: draft.payments.reduce((cents, { facts }) => cents + (facts.amountCents ?? 0), 0),
    warnings: draft.warnings ?? [],
    sourceSha256,
    ...(batch === undefined ? {} : { batch }),
    ...(rows === undefined ? {} : { rows }),
    ...(resume === undefined ? {} : { resume }),
    ...repeatsOf(repeats),
  }
  const bodies = requests.map((body) => JSON.stringify(body))
  await askCheckCommand(payments, 'plan', { kind, bodies, totalCents: contents.totalCents })
  return signPlan(context, { account, ledger }, contents, options)
}

type PlanContents = Omit<Plan, 'version' | 'account' | 'maker' | 'expiresAt'>

/** Signs a plan, writes it into a file and into the ledger, and prints it. Returns the exit code. Throws UsageError. */
async function signPlan(
  context: Context,
  { account, ledger }: Pick<PaymentContext, 'account' | 'ledger'>,
  { kind, requests, totalCents, warnings, sourceSha256, ...rest }: PlanContents,
  { plan: typed, expires = DAY_MS, sshKey }: PlanOptions,
): Promise<number> {
  const { env } = context.runtime
  const { list } = await planVerification(context, account)
  const key = await chooseKey({ typed: sshKey, list, user: systemUser(env), env })
  const expiresAt = new Date(context.now() + expires).toISOString()
  // The order in which a plan is written.
  const plan: Plan = {
    version: 1,
    kind,
    account: { baseUrl: account.url, clientId: account.clientId },
    requests,
    totalCents,
    warnings: [],
    sourceSha256,
    maker: key.principal,
    expiresAt,
    ...rest,
  }
  const draft = readPlan(planText(plan), '--plan')
  const isShared = ledger.environment.sharedAt !== undefined
  const asked = { known: undefined, isShared, nowMs: context.now() }
  const review = await ledger.read((database) => reviewPlan(database, account, draft, asked))
  assertIdsNameSomething(review)
  const text = planText({ ...plan, warnings: [...warnings, ...review.warnings] })
  // A plan in a shared ledger needs no file.
  const id = planName(text)
  const file = typeof typed === 'string' ? typed : isShared ? null : `${id}.json`
  const named = isShared || file === null ? id : file
  const open = readPlan(text, named)
  const signature = await signWith(key, text, env)
  const files = file === null ? [] : [[file, text] as const]
  if (file !== null && !isShared) files.push([signatureFile(file, key.principal), signature])
  await withNewFiles(files, async () => {
    const made = { plan: id, owner: ownerOf(account), kind, requests: requests.length, totalCents }
    const content = { ...made, maker: key.principal, signature, expiresAt }
    await ledger.write((writer) => addPlan(writer, content, text))
  })
  const standing = standingOfNew(new Date(context.now()).toISOString())
  const { out, textColumns } = context.terminal
  context.print.one({ ...planDocument(open, standing, review), file }, () =>
    planLines(open, account, standing, review, { style: out, columns: textColumns }),
  )
  context.terminal.note(kind === 'profile' ? t`Nothing was changed` : t`Nothing was sent`)
  context.terminal.next(t`Ask a second person to run \`pixgate plan approve ${shellWord(named)}\``)
  if (file !== null && !isShared)
    context.terminal.note(t`Pass on \`${file}\` and \`${signatureFile(file, key.principal)}\` together`)
  return 0
}

/** An id that names nothing could become that of any later payment, which the approvers of the plan do not know. Throws UsageError. */
function assertIdsNameSomething({ permissions }: PlanReview): void {
  const unknown = permissions.find(
    ({ kind, value, refersTo }) => kind === 'in-addition-to' && value !== EVERYTHING && refersTo === null,
  )
  if (unknown === undefined) return
  throw new UsageError(
    t`\`--in-addition-to ${unknown.value}\` names neither a payment nor a request of a plan that is open or approved`,
    {
      details: [t`Nothing was sent or changed`],
      hint: t`Run \`pixgate history find ${commandArgument(unknown.value)}\` to look for it, or omit the option`,
    },
  )
}

function bodyOf(facts: MoneyPayment, externalId: string | null, isFile: boolean): Record<string, unknown> {
  if (facts.amountCents === null) throw amountRequiredForPlan(isFile)
  const body: unknown = JSON.parse(requestBody(withAmountNamed(facts), externalId))
  if (!isObject(body)) throw new Error('the body of a request is not an object')
  return body
}

function repeatsOf({ again, inAdditionTo, despiteChargeback = false }: RepeatOptions): Pick<Plan, 'repeats'> {
  if (!again && inAdditionTo.length === 0 && !despiteChargeback) return {}
  return { repeats: { again, inAdditionTo, despiteChargeback } }
}

/** Writes new files that only this user can read, and does work; if something of it fails, none of them stays. Throws UsageError, and what the work throws. */
async function withNewFiles(files: readonly (readonly [path: string, text: string])[], work: () => Promise<void>) {
  const written: string[] = []
  try {
    for (const [path, text] of files) {
      await writeNew(path, text)
      written.push(path)
    }
    await work()
  } catch (error) {
    for (const path of written) await removeQuietly(path)
    throw error
  }
}

/** Writes a file that must not exist yet. What is written of one that cannot be completed is removed. Throws UsageError. */
export async function writeNew(path: string, text: string): Promise<void> {
  try {
    await writeFile(path, text, { flag: 'wx', mode: 0o600 })
  } catch (error) {
    if (!isSystemError(error) || error.code !== 'EEXIST') {
      await removeQuietly(path)
      throw writeFailure('--plan', path, error)
    }
    throw new UsageError(t`\`${path}\` exists already`, {
      details: [t`Nothing was sent or changed`],
      hint: t`Name another file, or remove this one`,
    })
  }
}

/** The failure of what was to be written is what a person must know. */
async function removeQuietly(path: string): Promise<void> {
  await rm(path, { force: true }).catch(() => undefined)
}

/** The requests of the rows of a run that are to be sent, and the rows themselves. Throws UsageError for too many, and for a refund of no known amount. */
export async function draftOfRun(
  { account, ledger, now }: PaymentContext,
  preview: RunPreview,
): Promise<{ draft: PlanDraft; rows: NonNullable<Plan['rows']> }> {
  const { kind, repeats } = preview.order
  if (preview.now.count > PLAN_REQUESTS_MAX) {
    throw new UsageError(t`A plan has at most ${PLAN_REQUESTS_MAX} requests, and this file has ${preview.now.count}`, {
      details: [t`Nothing was sent`],
      hint: t`Use \`--limit ${PLAN_REQUESTS_MAX}\` to plan a part of it`,
    })
  }
  const selected: SelectedRow[] = []
  for await (const page of rowsToSend(ledger, preview, now())) selected.push(...page)
  const payments = await ledger.read((database) => selected.map((row) => requestOf(database, account, row)))
  const rows = selected.map(({ state: { row } }) => {
    const { line, rowId: id, isTypedId, cells } = row
    return { line, id, isTypedId, cells }
  })
  return { draft: { kind, payments, repeats }, rows }
}

/** What a row would ask for: a further attempt has an id that follows from those before it. */
function requestOf(
  database: Database,
  account: Account,
  { state: { row, payment, name }, action }: SelectedRow,
): RequestedPayment {
  const { facts, rowId } = row
  if (facts.kind === 'refund') {
    if (action === 'resend' && facts.isWhole) throw cannotBePlanned(row.line)
    return { facts, externalId: null }
  }
  if (action === 'pay') return { facts, externalId: rowId }
  if (action === 'resend' || payment === null) return { facts, externalId: name }
  return { facts, externalId: nextExternalId(database, account, loadPayment(database, payment).first) }
}

/** The same bytes would be sent again, and they name no amount. */
function cannotBePlanned(line: number): UsageError {
  return new UsageError(t`Line ${line} refunds a whole payment, which a plan cannot send again without an amount`, {
    details: [t`Nothing was sent`],
    hint: t`Look it up in the dashboard and record what you find with \`pixgate history settle\``,
  })
}

/** Writes a change of the rules of an account as a plan. Returns the exit code. Throws UsageError. */
export async function planRules(
  context: Context,
  { name, profile }: { name: string; profile: StoredProfile },
  edit: RuleEdit,
  options: PlanOptions,
): Promise<number> {
  context.forgoSecret()
  const account = await context.account()
  if (!isSameAccount(profile, { baseUrl: account.url, clientId: account.clientId })) {
    throw new UsageError(t`The profile \`${name}\` is of another account than the one that is used here`, {
      details: [t`Nothing was changed`],
      hint: t`Add \`--profile ${name}\` to use it`,
    })
  }
  const ledger = await context.ledger()
  await verifyRules(context, ledger, account)
  const changes = ruleChanges(await ledger.read((database) => accountRules(database, account)), edit)
  if (changes.length === 0) {
    throw new UsageError(t`The rules of the account are as they would be after this change`, {
      details: [t`Nothing was changed`],
      hint: t`Run \`pixgate profile show ${name}\` to see them`,
    })
  }
  const requests = changes.map(({ rule, from, to }) => ({ rule, from, to }))
  const contents = {
    kind: 'profile',
    requests,
    totalCents: 0,
    warnings: [],
    sourceSha256: null,
    profile: name,
  } as const
  return signPlan(context, { account, ledger }, contents, options)
}
