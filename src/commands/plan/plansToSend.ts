import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Context } from '../../context.ts'
import { accountRules } from '../../ledger/accountRules.ts'
import { findPlan, type KnownPlan, planState, plansOfAccount } from '../../ledger/plans.ts'
import { assertNotExpired, assertNotRejected } from '../../payments/planApproval.ts'
import type { OpenPlan } from '../../plans/plan.ts'
import { isSignatureFile, readPlanFile } from '../../plans/planFiles.ts'
import type { Account } from '../../profiles/account.ts'
import { t } from '../../text/translate.ts'
import { isSystemError, UsageError } from '../../wire/errors.ts'

/** A plan that may be sent now: whether it really is approved is found out when it is sent. */
export interface PlanToSend {
  /** Its name, or its file. */
  named: string
  /** Changes when something about it changes, such as a further approval. */
  version: string
}

/** A file of the folder that is not sent now. */
export interface PassedOver {
  named: string
  /** As of a plan to send. */
  version: string
  /** A sentence that names the file. */
  reason: string
}

/** What a look at the ledger and at a folder found. */
export interface PlansFound {
  plans: PlanToSend[]
  passedOver: PassedOver[]
  /** True if the account has a list of approvers. */
  hasApprovers: boolean
}

/**
 * The plans of payments that somebody approved, and of which nothing was sent: those in the ledger, oldest first, then the files of a folder. Changes of
 * rules are left to a person. Throws UsageError for a folder that cannot be read.
 */
export async function findPlansToSend(
  context: Context,
  account: Account,
  folder: string | undefined,
): Promise<PlansFound> {
  const ledger = await context.ledger()
  const files = folder === undefined ? [] : filesIn(folder)
  return ledger.read((database) => {
    const nowMs = context.now()
    const plans = plansOfAccount(database, account)
      .filter((known) => known.made.kind !== 'profile' && planState(known, nowMs) === 'approved')
      .map((known): PlanToSend => ({ named: known.made.plan, version: versionOf(known) }))
      .reverse()
    const passedOver: PassedOver[] = []
    for (const file of files) {
      const known = file.plan === null ? undefined : findPlan(database, file.plan.id)
      const state = known === undefined ? 'open' : planState(known, nowMs)
      const isPayment = file.plan?.plan.kind !== 'profile'
      // One is reported when it is sent, the other is among those of the ledger.
      if (state === 'sent' || (state === 'approved' && isPayment)) continue
      const reason = reasonToPassOver(file, known, nowMs)
      if (reason === null) plans.push(file)
      else passedOver.push({ named: file.named, version: file.version, reason })
    }
    return { plans, passedOver, hasApprovers: accountRules(database, account).approvers !== null }
  })
}

function versionOf({ approvals }: KnownPlan): string {
  return approvals.map(({ seq }) => seq).join(' ')
}

/** A file of a folder. */
interface FolderFile extends PlanToSend {
  /** True if it has signatures of two people beside it, so that it may be approved. */
  isSigned: boolean
  /** The plan in it, else why it has none. */
  plan: OpenPlan | null
  fault: string
}

/** The files of a folder by name, except signatures beside their plan. */
function filesIn(folder: string): FolderFile[] {
  const names = readdirSync(folder).sort()
  const files: FolderFile[] = []
  const besidePlans = new Set<string>()
  for (const [place, name] of names.entries()) {
    if (besidePlans.has(name)) continue
    const signatures = name.endsWith('.json') ? signaturesOf(name, names, place) : []
    for (const each of signatures) besidePlans.add(each)
    const named = join(folder, name)
    const version = [name, ...signatures].map((each) => stampOf(join(folder, each))).join(' ')
    files.push({ named, version, isSigned: signatures.length > 1, ...planIn(named) })
  }
  return files
}

/** The signatures of the plan at a place of sorted names: all that begins with its name follows it. */
function signaturesOf(plan: string, names: readonly string[], place: number): string[] {
  let end = place + 1
  while (names[end]?.startsWith(plan)) end += 1
  return names.slice(place + 1, end).filter((name) => isSignatureFile(name, plan))
}

/** When a file was changed, and how long it is: one that is still being copied is looked at again. */
function stampOf(path: string): string {
  try {
    const { mtimeMs, size } = statSync(path)
    return `${mtimeMs}:${size}`
  } catch (error) {
    if (isSystemError(error)) return error.code
    throw error
  }
}

function planIn(file: string): Pick<FolderFile, 'plan' | 'fault'> {
  if (!file.endsWith('.json')) {
    return { plan: null, fault: t`\`${file}\` is passed over: the name of a plan ends in \`.json\`` }
  }
  try {
    return { plan: readPlanFile(file).open, fault: '' }
  } catch (error) {
    if (error instanceof UsageError) return { plan: null, fault: naming(file, error) }
    throw error
  }
}

/** Why a file is not sent, for a person; null if sending it is tried, which reports what is wrong with it. */
function reasonToPassOver(
  { named, isSigned, plan, fault }: FolderFile,
  known: KnownPlan | undefined,
  nowMs: number,
): string | null {
  if (plan === null) return isSigned ? null : fault
  if (plan.plan.kind === 'profile') {
    return t`\`${named}\` is passed over: it changes a rule, which a person does with \`pixgate plan send\``
  }
  try {
    assertNotRejected(plan.id, known?.rejection ?? null)
    if (known !== undefined || !isSigned) assertNotExpired(plan, nowMs)
  } catch (error) {
    if (error instanceof UsageError) return naming(named, error)
    throw error
  }
  return isSigned ? null : t`\`${named}\` waits for its approval: no signature of an approver is beside it`
}

function naming(file: string, { message }: UsageError): string {
  return message.includes(file) ? message : t`${file}: ${message}`
}
