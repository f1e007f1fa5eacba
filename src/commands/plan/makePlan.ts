import { chmod, rm, writeFile } from 'node:fs/promises'
import { reviewPlan } from '../../batch/planReview.ts'
import type { Context } from '../../context.ts'
import { addPlan } from '../../ledger/addPlan.ts'
import type { MoneyPayment } from '../../ledger/facts.ts'
import { check } from '../../payments/check.ts'
import { ownerOf, type PaymentContext } from '../../payments/paymentContext.ts'
import type { RepeatOptions } from '../../payments/repeatOptions.ts'
import { requestBody } from '../../payments/requestBody.ts'
import { DAY_MS } from '../../pix/calendar.ts'
import { type Plan, planText, readPlan } from '../../plans/plan.ts'
import { signatureFile } from '../../plans/planFiles.ts'
import { chooseKey, signWith } from '../../plans/signingKey.ts'
import { systemUser } from '../../systemUser.ts'
import { writeFailure } from '../../terminal/outputFile.ts'
import { shellWord } from '../../text/shellWord.ts'
import { t } from '../../text/translate.ts'
import { planDocument, planLines } from '../../views/plans/planText.ts'
import { isObject } from '../../wire/answers.ts'
import { isSystemError, UsageError } from '../../wire/errors.ts'
import { amountRequiredForPlan, type PlanOptions } from './planOptions.ts'
import { planVerification } from './verification.ts'

/** What is planned: the payments with their external ids, which a refund has none of. */
export interface PlanDraft extends Pick<Plan, 'batch' | 'rows' | 'resume'> {
  kind: MoneyPayment['kind']
  payments: readonly { facts: MoneyPayment; externalId: string | null }[]
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
  await check(payments, 'plan', { kind, bodies, totalCents: contents.totalCents })
  return signPlan(context, { account, ledger }, contents, options)
}

/** What a plan has beside whose it is and until when it can be sent. */
export type PlanContents = Omit<Plan, 'version' | 'account' | 'maker' | 'expiresAt'>

/** Signs a plan, writes it into a file and into the ledger, and prints it. Returns the exit code. Throws UsageError. */
export async function signPlan(
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
  const review = await ledger.read((database) => reviewPlan(database, account, draft, context.now()))
  const text = planText({ ...plan, warnings: [...warnings, ...review.warnings] })
  // A plan in a shared ledger needs no file.
  const { id } = readPlan(text, '--plan')
  const file = typeof typed === 'string' ? typed : ledger.environment.sharedAt === undefined ? `${id}.json` : null
  const open = readPlan(text, file ?? id)
  const signature = await signWith(key, text, env)
  if (file !== null) await writePlanFiles(file, text, key.principal, signature)
  try {
    const made = { plan: id, owner: ownerOf(account), kind, requests: requests.length, totalCents }
    const content = { ...made, maker: key.principal, signature, expiresAt }
    await ledger.write((writer) => addPlan(writer, content, text))
  } catch (error) {
    if (file !== null) for (const each of [file, signatureFile(file, key.principal)]) await removeQuietly(each)
    throw error
  }
  const standing = { approvers: [], state: 'open' } as const
  const { out, textColumns } = context.terminal
  context.print.one({ ...planDocument(open, standing, review), file }, () =>
    planLines(open, account, standing, review, { style: out, columns: textColumns }),
  )
  const named = shellWord(file ?? id)
  context.terminal.note(kind === 'profile' ? t`Nothing was changed` : t`Nothing was sent`)
  context.terminal.next(t`Ask a second person to run \`pixgate plan approve ${named}\``)
  if (file !== null)
    context.terminal.note(t`Pass on \`${file}\` and \`${signatureFile(file, key.principal)}\` together`)
  return 0
}

function bodyOf(facts: MoneyPayment, externalId: string | null, isFile: boolean): Record<string, unknown> {
  if (facts.amountCents === null) throw amountRequiredForPlan(isFile)
  // A whole refund names its amount in a plan, which somebody approves.
  const body: unknown = JSON.parse(
    requestBody(facts.kind === 'refund' ? { ...facts, isWhole: false } : facts, externalId),
  )
  if (!isObject(body)) throw new Error('the body of a request is not an object')
  return body
}

function repeatsOf({ again, inAdditionTo, despiteChargeback = false }: RepeatOptions): Pick<Plan, 'repeats'> {
  if (!again && inAdditionTo.length === 0 && !despiteChargeback) return {}
  return { repeats: { again, inAdditionTo, despiteChargeback } }
}

/** Writes new files that only this user can read, or none. Throws UsageError if one exists or cannot be written. */
async function writePlanFiles(file: string, text: string, principal: string, signature: string): Promise<void> {
  await writeNew(file, text)
  try {
    await writeNew(signatureFile(file, principal), signature)
  } catch (error) {
    await removeQuietly(file)
    throw error
  }
}

/** Writes a file that must not exist yet. What is written of one that cannot be completed is removed. Throws UsageError. */
export async function writeNew(path: string, text: string): Promise<void> {
  try {
    await writeFile(path, text, { flag: 'wx', mode: 0o600 })
    await chmod(path, 0o600)
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
