import { existsSync } from 'node:fs'
import { type PlanReview, reviewPlan } from '../../batch/planReview.ts'
import type { Context } from '../../context.ts'
import { addPlan } from '../../ledger/addPlan.ts'
import type { Ledger } from '../../ledger/ledger.ts'
import type { Payment } from '../../ledger/payments.ts'
import { findPlan, type KnownPlan, plansBeginningWith, plansOfRun } from '../../ledger/plans.ts'
import { accountRules, approversOfSending, type RevocationRecord } from '../../ledger/rulesInForce.ts'
import type { Writer } from '../../ledger/writer.ts'
import { ownerOf, type PlansInUse } from '../../payments/paymentContext.ts'
import { assertPayeesUnchanged } from '../../payments/planApproval.ts'
import { bodiesOfPlan, isOfRun, type OpenPlan } from '../../plans/plan.ts'
import { readApprovers } from '../../plans/sshSignature.ts'
import {
  type ApprovedPlan,
  approvedPlan,
  isValid,
  type NamedSignature,
  type PlanSignatures,
  planOfRecord,
  readPlanFile,
  readPlanSignatures,
  recordedSignatures,
  type Verification,
  verificationBy,
  verifyMaker,
} from '../../plans/verifyPlan.ts'
import type { Account } from '../../profiles/account.ts'
import { recordedApprovers } from '../../profiles/approvers.ts'
import { verifyRules } from '../../ruleApprovals.ts'
import type { Database } from '../../storage/sqlite.ts'
import { t } from '../../text/translate.ts'
import { type CheckedSignature, type PlanStanding, standingOfNew } from '../../views/plans/planText.ts'
import { isSameAccount } from '../../wire/baseAddress.ts'
import { UsageError } from '../../wire/errors.ts'
import { planStandings } from './planStandings.ts'

/** A plan that somebody named, with all that is known of it. */
export interface LoadedPlan {
  open: OpenPlan
  /** The path of its file, beside which its signatures are; null if only the ledger has them. */
  file: string | null
  /** Those of its file and of the ledger; with a shared ledger only those that it has. */
  signatures: PlanSignatures
  /** What the ledger knows of it; undefined if nothing. */
  known: KnownPlan | undefined
}

export const PLAN_ARGUMENT = {
  name: '<plan>',
  description: 'file of a plan, or its name in `pixgate plan list`',
  completes: 'files',
} as const

/** As many plans that a beginning names are listed. */
const LISTED_MAX = 10
/** A shorter beginning lists the plans that have it, and names none. */
const DIGITS_MIN = 6
const BEGINNING_MIN = 'plan-'.length + DIGITS_MIN

/** Loads the plan that a file or a name names, which must be of this account. Throws UsageError. */
export async function loadPlan(context: Context, account: Account, typed: string): Promise<LoadedPlan> {
  const loaded = existsSync(typed) ? await planOfFile(context, typed) : await planOfLedger(context, typed)
  const { id, plan } = loaded.open
  if (isSameAccount(plan.account, { baseUrl: account.url, clientId: account.clientId })) return loaded
  throw new UsageError(t`The plan ${id} is for another account: ${plan.account.clientId} at ${plan.account.baseUrl}`, {
    details: [t`This is ${account.clientId} at ${account.url}`, t`Nothing was sent or changed`],
    hint: t`Choose the profile of that account with \`--profile\`; \`pixgate profile list\` lists them`,
  })
}

/** Records that a plan came to this ledger, if it does not know it. */
export function keepPlan(writer: Writer, account: Account, { open, signatures }: LoadedPlan): void {
  const { id, text, plan } = open
  const { kind, totalCents, expiresAt } = plan
  const made = { plan: id, owner: ownerOf(account), kind, requests: plan.requests.length, totalCents }
  addPlan(writer, { ...made, maker: plan.maker, signature: signatures.maker, expiresAt }, text)
}

async function planOfFile(context: Context, file: string): Promise<LoadedPlan> {
  const open = readPlanFile(file)
  const ledger = await context.ledger()
  // Its server says who somebody is, and a file does not.
  if (ledger.environment.sharedAt !== undefined) {
    const isKnown = await ledger.read((database) => findPlan(database, open.id) !== undefined)
    if (!isKnown) throw notInSharedLedger(open)
    return planOfLedger(context, open.id)
  }
  const { maker, others } = readPlanSignatures(file, open)
  const known = await ledger.read((database) => findPlan(database, open.id, { bodies: bodiesOfPlan(open) }))
  const { approvals, ended } = known === undefined ? { approvals: [], ended: [] } : recordedSignatures(known, ledger)
  const fresh = others.filter(({ signature }) => [...approvals, ...ended].every((each) => each.signature !== signature))
  return { open, file, signatures: { maker, approvals: [...approvals, ...fresh], ended }, known }
}

async function planOfLedger(context: Context, name: string): Promise<LoadedPlan> {
  const typed = /^[0-9a-f]+$/.test(name) ? `plan-${name}` : name
  const ledger = await context.ledger()
  return ledger.read((database) => {
    const names = plansBeginningWith(database, typed, LISTED_MAX)
    const [name] = names
    const isNamed = typed.length >= BEGINNING_MIN && names.length === 1
    const found = name === undefined || !isNamed ? undefined : findPlan(database, name)
    if (found === undefined) throw unknownPlan(typed, names)
    return loadKnown(database, ledger, found)
  })
}

/** A plan with all that the ledger knows of it, judged by its text, and as of a record if it has a number. Throws like {@link planOfRecord}. */
export function loadKnown(
  database: Database,
  ledger: Ledger,
  { made }: KnownPlan,
  beginSeq?: number,
): LoadedPlan & { known: KnownPlan } {
  const open = planOfRecord(database, made)
  const bodies = bodiesOfPlan(open)
  const known = findPlan(database, made.plan, { bodies, ...(beginSeq !== undefined && { beginSeq }) })
  if (known === undefined) throw new Error('a plan of the ledger was not found again')
  return { open, file: null, signatures: recordedSignatures(known, ledger), known }
}

/** What somebody approved of another text, or beside the ledger, counts for nothing. */
function notInSharedLedger({ id, shown }: OpenPlan): UsageError {
  return new UsageError(t`The shared ledger does not have the plan in \`${shown}\``, {
    details: [t`Its name would be ${id}; a plan that was changed has another name`, t`Nothing was sent or changed`],
    hint: t`Run \`pixgate plan list\` to list the plans, or make it again with \`--plan\``,
  })
}

function unknownPlan(typed: string, names: readonly string[]): UsageError {
  if (names.length > 1) {
    return new UsageError(t`\`${typed}\` names several plans`, {
      details: names,
      hint: t`Name one of them whole`,
    })
  }
  if (names.length === 1) {
    return new UsageError(t`\`${typed}\` is too short to name a plan`, {
      details: names,
      hint: t`Type the beginning of its name with at least ${DIGITS_MIN} digits`,
    })
  }
  return new UsageError(t`There is no plan \`${typed}\`: neither a file nor a plan of this ledger`, {
    details: [t`Nothing was sent or changed`],
    hint: t`Run \`pixgate plan list\` to list the plans`,
  })
}

/** Throws UsageError for a plan with something left to send to a payee that was changed since it was made. */
export async function assertPayeesAsPlanned(
  context: Context,
  account: Account,
  { open, known }: LoadedPlan,
): Promise<void> {
  if (known === undefined) return
  const plan = { id: open.id, seq: known.made.seq, bodies: bodiesOfPlan(open) }
  await context.read((database) => assertPayeesUnchanged(database, account, plan))
}

/** What the ledger of this machine says about a plan. */
export async function reviewOf(context: Context, account: Account, { open, known }: LoadedPlan): Promise<PlanReview> {
  const ledger = await context.ledger()
  const isShared = ledger.environment.sharedAt !== undefined
  return ledger.read((database) => reviewPlan(database, account, open, { known, isShared, nowMs: context.now() }))
}

/** Looks at the signatures of a plan, the maker's first: each by `inForce`, and those that a revocation ended by the list of before it. Throws UsageError. */
export async function checkedSignatures(
  context: Context,
  account: Account,
  { open, signatures, known }: LoadedPlan,
  inForce: Verification,
): Promise<CheckedSignature[]> {
  const check = async (
    principal: string,
    endedBy: RevocationRecord | null,
    verifies: (by: Verification) => Promise<unknown>,
  ): Promise<CheckedSignature> => {
    const before = endedBy && { seq: endedBy.seq, addedMs: endedBy.madeMs }
    const by = before === null ? inForce : await verificationOf(context, account, before)
    return { principal, verified: await isValid(() => verifies(by)), endedBy }
  }
  const checkApproval = (named: NamedSignature, endedBy: RevocationRecord | null) => {
    const ended = endedBy === null ? signatures.ended : []
    return check(named.principal, endedBy, (by) =>
      approvedPlan(open, { ...signatures, approvals: [named], ended }, by, null),
    )
  }
  const ended = known?.endedApprovals ?? []
  return Promise.all([
    check(open.plan.maker, known?.makerEndedBy ?? null, (by) => verifyMaker(open, signatures.maker, by)),
    ...signatures.approvals.map((approval) => checkApproval(approval, null)),
    ...ended.map(({ approver, signature, endedBy }) => checkApproval({ principal: approver, signature }, endedBy)),
  ])
}

/** Who approved a plan, as its signatures say. */
export function verifiedApprovers(signatures: readonly CheckedSignature[]): string[] {
  const counting = signatures.slice(1).filter(({ verified, endedBy }) => verified === true && endedBy === null)
  return [...new Set(counting.map(({ principal }) => principal))]
}

/** The state of a plan, as its signatures say. */
export async function standingOf(context: Context, account: Account, loaded: LoadedPlan): Promise<PlanStanding> {
  const { open, known } = loaded
  const nowMs = context.now()
  const inForce = await planVerification(context, account, known?.ownSending)
  const recorded = known?.approvals ?? []
  const signatures = await checkedSignatures(context, account, loaded, inForce)
  const approvers = verifiedApprovers(signatures)
  const [standing] = known === undefined ? [] : await planStandings(await context.ledger(), [known], nowMs)
  if (standing !== undefined && standing.state !== 'open' && standing.state !== 'approved')
    return { ...standing, approvers, signatures, approvals: recorded }
  const state = nowMs >= open.expiresMs ? 'expired' : approvers.length > 0 ? 'approved' : 'open'
  return { ...standingOfNew(known?.made.at ?? null), approvers, state, signatures, approvals: recorded }
}

/** From when on the list of approvers is asked for. */
type WhenSent = Pick<NonNullable<KnownPlan['sending']>, 'seq' | 'addedMs'>

/**
 * What the signatures of a plan of an account are verified with: the list that is in force now, or that was when this machine's login began to send it. Throws UsageError for a
 * list that cannot be used, or whose file was changed.
 */
export async function planVerification(
  context: Context,
  account: Account,
  sending: WhenSent | null = null,
): Promise<Verification> {
  const ledger = await context.ledger()
  const verification = await verificationOf(context, account, sending)
  const { approvers } = await ledger.read((database) => accountRules(database, account))
  if (sending === null && approvers !== null) assertUnchanged(approvers, account)
  return verification
}

/** The same for who only looks, also if the file of the list was changed. Throws UsageError for a list that cannot be used. */
export async function verificationOf(
  context: Context,
  account: Account,
  sending: WhenSent | null,
): Promise<Verification> {
  const ledger = await context.ledger()
  await verifyRules(context, ledger, account)
  const { value, atMs } = await ledger.read((database) =>
    sending === null
      ? { value: accountRules(database, account).approvers, atMs: context.now() }
      : { value: approversOfSending(database, account, sending.seq), atMs: sending.addedMs },
  )
  return verificationBy(value, atMs, context.runtime.env)
}

/** Another machine may not have the file; the ledger has the list. Who was revoked may be gone from it. */
function assertUnchanged(value: string, { confirmName }: Account): void {
  const { file: path, recorded, list } = recordedApprovers(value)
  if (!existsSync(path)) return
  const { text } = readApprovers(path)
  if (text === recorded || text === list) return
  throw new UsageError(t`The list of approvers \`${path}\` was changed since it was set`, {
    details: [t`Nothing was sent or changed`],
    hint: t`Restore it; another list goes into another file, with \`pixgate profile edit ${confirmName} --approvers ${path}-2 --plan\``,
  })
}

/**
 * The plans of which the sending of a run began: they allow what is left of it, also after they expired. Their signatures are verified again, as of then.
 * Throws UsageError.
 */
export async function plansToContinue(
  context: Context,
  account: Account,
  run: string,
): Promise<PlansInUse | undefined> {
  const known = await context.read((database) => plansOfRun(database, run))
  return inUse(await Promise.all(known.map((each) => planToContinue(context, account, each))))
}

/** The plan that allowed the newest attempt of a payment, which allows to finish it. Throws UsageError. */
export async function planOfPayment(
  context: Context,
  account: Account,
  { summary }: Payment,
): Promise<PlansInUse | undefined> {
  const id = summary.attempts.at(-1)?.record.plan
  if (id === undefined) return undefined
  const known = await context.read((database) => findPlan(database, id))
  return known === undefined ? undefined : inUse([await planToContinue(context, account, known)])
}

function inUse(plans: readonly (ApprovedPlan | undefined)[]): PlansInUse | undefined {
  const approved = plans.filter((plan) => plan !== undefined)
  return approved.length === 0 ? undefined : { approved, isOnly: false }
}

/** Undefined if the sending of the plan never began, or the plan has ended and was not begun by the login of this machine. */
async function planToContinue(context: Context, account: Account, found: KnownPlan): Promise<ApprovedPlan | undefined> {
  const ledger = await context.ledger()
  const { open, known, signatures } = await ledger.read((database) => loadKnown(database, ledger, found))
  const { sending, ownSending } = known
  if (sending === null || (ownSending === null && open.expiresMs <= context.now())) return undefined
  const verification = await planVerification(context, account, ownSending)
  return approvedPlan(open, signatures, verification, isOfRun(open.plan) ? sending.run : null)
}
