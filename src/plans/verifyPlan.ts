import { readdirSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import type { AccountKey } from '../ledger/accounts.ts'
import type { Ledger } from '../ledger/ledger.ts'
import {
  addedMs,
  approvalsByOthers,
  findPlan,
  isTextOf,
  type KnownPlan,
  noteJudged,
  planTextOf,
  type SignedStep,
  unjudgedSteps,
} from '../ledger/plans.ts'
import { refuseSignature } from '../ledger/refusedRecords.ts'
import { noteRuleApproval, type PlannedRuleChange, rulesBefore, unverifiedRuleChange } from '../ledger/rulesInForce.ts'
import { fingerprintOf, recordedApprovers } from '../profiles/approvers.ts'
import type { EnvironmentVariables } from '../programInfo.ts'
import type { Database } from '../storage/sqlite.ts'
import { readInputFile } from '../terminal/inputFile.ts'
import { commandArgument } from '../text/shellWord.ts'
import { t } from '../text/translate.ts'
import { isSameAccount } from '../wire/baseAddress.ts'
import { UsageError } from '../wire/errors.ts'
import { bodiesOfPlan, type OpenPlan, readPlan } from './plan.ts'
import {
  type AllowedSigners,
  isPrincipal,
  isSigned,
  isSignedBy,
  keyTypeOf,
  NAMESPACE,
  OpenSshFailed,
  readAllowedSigners,
  readSshSignature,
  signerOf,
} from './sshSignature.ts'

/** What signatures are verified with. */
export interface Verification {
  /** The list that is in force; null if there is none, so that any key but the maker's approves. */
  list: AllowedSigners | null
  /** The people of the list who were revoked since it was set. */
  revoked: readonly string[]
  /** When the keys must have been valid, in ms. */
  atMs: number
  env: EnvironmentVariables
}

/** What verifies with a value of the rule `approvers`, null without one. Throws UsageError for a list that cannot be used. */
export function verificationBy(value: string | null, atMs: number, env: EnvironmentVariables): Verification {
  if (value === null) return { list: null, revoked: [], atMs, env }
  const { file, list, revoked } = recordedApprovers(value)
  return { list: readAllowedSigners(list, basename(file)), revoked, atMs, env }
}

/** Verifies who made a plan, and returns the Base64 of the maker's key. Throws UsageError that says what is wrong. */
export async function verifyMaker(open: OpenPlan, signature: string, verification: Verification): Promise<string> {
  return verify(open, { principal: open.plan.maker, signature }, verification)
}

/**
 * Verifies an approval and returns the Base64 of the approver's key. It must be of another person than the maker, with another key. Throws UsageError that
 * says what is wrong.
 */
async function verifyApproval(
  open: OpenPlan,
  makerKey: string,
  approval: NamedSignature,
  verification: Verification,
): Promise<string> {
  const key = await verify(open, approval, verification)
  assertSecondPerson(open, makerKey, { principal: approval.principal, key }, verification.list)
  return key
}

/** Throws UsageError if a person or a key is the maker's own. Without a list names prove nothing, so only keys are compared. */
export function assertSecondPerson(
  { id, shown, plan }: OpenPlan,
  makerKey: string,
  { principal, key }: { principal: string; key: string },
  list: AllowedSigners | null,
): void {
  const isSameName = list !== null && principal === plan.maker
  if (!isSameName && key !== makerKey) return
  throw new UsageError(
    isSameName
      ? t`${principal} made the plan ${id} and cannot approve it, too`
      : t`The key of ${plan.maker}, who made the plan ${id}, cannot approve it, too`,
    {
      details: [t`Nothing was sent or changed`],
      hint: t`Ask a second person to run \`pixgate plan approve ${commandArgument(shown)}\` with a key of their own`,
    },
  )
}

async function verify(
  { id, text }: OpenPlan,
  { principal, signature }: NamedSignature,
  { list, revoked, atMs, env }: Verification,
): Promise<string> {
  const fail = (why: string, hint = t`Ask ${principal} for the plan and the signature again, unchanged`) =>
    new UsageError(t`The signature of ${principal} is not valid for the plan ${id}: ${why}`, {
      details: [t`Nothing was sent or changed`],
      hint,
    })
  const read = readSshSignature(signature)
  if (read === undefined) throw fail(t`it is not an SSH signature`)
  const { key, namespace } = read
  if (namespace !== NAMESPACE) throw fail(t`it is for \`${namespace}\`, not for \`${NAMESPACE}\``)
  // One key can have any number of certificates, each of which would pass for another key.
  if (keyTypeOf(key)?.includes('-cert-'))
    throw fail(t`it was made with a certificate, and only plain keys are accepted`)
  if (list === null) {
    if (!(await isSigned(text, signature, env))) throw fail(t`it is for another text`)
    return key
  }
  const signer = signerOf(list, key)
  if (signer === undefined && revoked.includes(principal))
    throw fail(t`${principal} was revoked`, t`Make a new plan with \`--plan\``)
  if (signer === undefined) throw fail(t`the list of approvers does not have the key ${fingerprintOf(key)}`)
  if (signer.principal !== principal) throw fail(t`its key is that of ${signer.principal} in the list of approvers`)
  if (await isSignedBy(text, signature, principal, { ...list, atMs }, env)) return key
  // OpenSSH's exit code does not say why.
  if (!(await isSigned(text, signature, env))) throw fail(t`it is for another text`)
  throw fail(t`its key has expired, or is not valid yet`)
}

/** A signature of a plan, and the name of who is said to have made it. */
export interface NamedSignature {
  principal: string
  signature: string
}

/** The signatures of a plan. */
export interface PlanSignatures {
  maker: string
  /** The approvals that may count. */
  approvals: readonly NamedSignature[]
  /** Those that a revocation ended. */
  ended: readonly NamedSignature[]
}

/** The signatures of a plan that a ledger has; of a shared one, the approvals by another login than the maker's. */
export function recordedSignatures(known: KnownPlan, { environment }: Pick<Ledger, 'environment'>): PlanSignatures {
  const named = (approvals: KnownPlan['approvals']) =>
    approvals.map(({ approver, signature }) => ({ principal: approver, signature }))
  return {
    maker: known.made.signature,
    approvals: named(approvalsByOthers(known, environment.sharedAt !== undefined)),
    ended: named(known.endedApprovals),
  }
}

const EXTENSION = '.sig'
const SIGNATURES_MAX = 100

/** The file of a person's signature beside that of a plan. */
export function signatureFile(file: string, principal: string): string {
  return `${file}.${principal}${EXTENSION}`
}

/** Reads a plan from a file. Throws UsageError. */
export function readPlanFile(file: string): OpenPlan {
  const bytes = readInputFile(file, 'plan')
  const text = bytes.toString('utf8')
  if (!Buffer.from(text).equals(bytes)) {
    throw new UsageError(t`\`${file}\` is not a plan that can be used: it is not UTF-8`, {
      details: [t`Nothing was sent`],
      hint: t`Ask its maker to pass it on again, unchanged`,
    })
  }
  return readPlan(text, file)
}

/** Reads the signatures beside the file of a plan: the maker's, and those of others. Throws UsageError. */
export function readPlanSignatures(file: string, open: OpenPlan): { maker: string; others: NamedSignature[] } {
  const signatures = readSignatures(file)
  const own = signatures.find(({ principal }) => principal === open.plan.maker)
  if (own === undefined) {
    throw new UsageError(t`The signature of ${open.plan.maker}, who made the plan, is missing`, {
      details: [t`It should be in \`${signatureFile(file, open.plan.maker)}\``, t`Nothing was sent`],
      hint: t`Ask ${open.plan.maker} to pass it on with the plan`,
    })
  }
  return { maker: own.signature, others: signatures.filter((each) => each !== own) }
}

function readSignatures(file: string): NamedSignature[] {
  const [folder, beginning] = [dirname(file), `${basename(file)}.`]
  const names = readdirSync(folder).filter((name) => name.startsWith(beginning) && name.endsWith(EXTENSION))
  const principals = names.sort().map((name) => name.slice(beginning.length, -EXTENSION.length))
  return principals
    .slice(0, SIGNATURES_MAX)
    .filter(isPrincipal)
    .map((principal) => ({ principal, signature: readInputFile(signatureFile(file, principal), 'sshKey').toString() }))
}

/** The plan that a record says was made. Throws UsageError if its text is not there, or if it is another plan than the record says; DamagedRecord. */
export function planOfRecord(database: Database, made: KnownPlan['made']): OpenPlan {
  const text = planTextOf(database, made)
  const open = readPlan(text, made.plan)
  if (isTextOf(text, made)) return open
  throw new UsageError(t`The text of the plan ${made.plan} in the ledger is not the one that was made`, {
    details: [
      t`Record ${made.seq}, written by ${made.user} on ${made.machine}, says that it was made`,
      t`Nothing was sent or changed`,
    ],
    hint: t`Run \`pixgate plan list\` to list the plans, or make it again with \`--plan\``,
  })
}

declare const approved: unique symbol

/** A plan whose signatures were verified. Only {@link approvedPlan} makes one, so nothing else unlocks a payment that needs one. */
export interface ApprovedPlan {
  readonly [approved]: true
  id: string
  account: { baseUrl: string; clientId: string }
  expiresMs: number
  maker: string
  approver: string
  /** The exact bodies of its requests, with the comparable keys that they pay. */
  bodies: ReadonlyMap<string, string | null>
  /** The checksum of the list of approvers with which it was verified; null without a list. */
  listSha256: string | null
  /** The run of a batch; null for a single payment. */
  run: string | null
}

/** Verifies the signatures of a plan, of which one approval must be valid. Throws UsageError that says what is wrong. */
export async function approvedPlan(
  open: OpenPlan,
  signatures: PlanSignatures,
  verification: Verification,
  run: string | null,
): Promise<ApprovedPlan> {
  const { id, plan, expiresMs } = open
  const makerKey = await verifyMaker(open, signatures.maker, verification)
  const faults: UsageError[] = []
  const endedKeys = signatures.ended.map(({ signature }) => readSshSignature(signature)?.key)
  for (const approval of signatures.approvals) {
    // Also under another name, or written in another way.
    if (endedKeys.includes(readSshSignature(approval.signature)?.key)) continue
    try {
      await verifyApproval(open, makerKey, approval, verification)
      return asApproved({
        id,
        account: plan.account,
        expiresMs,
        maker: plan.maker,
        approver: approval.principal,
        bodies: bodiesOfPlan(open),
        listSha256: verification.list?.sha256 ?? null,
        run,
      })
    } catch (error) {
      if (!(error instanceof UsageError)) throw error
      faults.push(error)
    }
  }
  throw faults[0] ?? notApproved(open, new Set(signatures.ended.map(({ principal }) => principal)))
}

/** True if what verifies a signature finds it valid; null if this machine has no `ssh-keygen`. */
export async function isValid(verifies: () => Promise<unknown>): Promise<boolean | null> {
  try {
    await verifies()
    return true
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    return error instanceof OpenSshFailed ? null : false
  }
}

function notApproved({ id, shown }: OpenPlan, ended: ReadonlySet<string>): UsageError {
  return new UsageError(t`The plan ${id} is not approved`, {
    code: 'APPROVAL_REQUIRED',
    details: [
      ...Array.from(
        ended,
        (principal) => t`The approval of ${principal} counts no more: ${principal} was revoked since`,
      ),
      t`Nothing was sent`,
    ],
    hint: t`Ask a second person to run \`pixgate plan approve ${commandArgument(shown)}\``,
  })
}

/** The one place where a plan becomes approved: its signatures were verified. */
function asApproved(plan: Omit<ApprovedPlan, typeof approved>): ApprovedPlan {
  return plan as ApprovedPlan
}

/** As many signatures are looked at before a question. */
const JUDGED_MAX = 50

/**
 * Verifies who signed what others recorded about plans of an account in a shared ledger, each record once on this machine, by the list that was in force when
 * it was added, and notes what was not signed by whom it names. `isThorough` looks at all of them; else at the newest. To be called outside of any
 * transaction. Returns how many are left. Throws what the ledger throws.
 */
export async function judgePlanSignatures(
  ledger: Ledger,
  account: AccountKey,
  env: EnvironmentVariables,
  isThorough: boolean,
): Promise<number> {
  for (;;) {
    const found = await ledger.read((database) =>
      unjudgedSteps(database, account, JUDGED_MAX).map((each) => ({
        ...each,
        text: planTextOf(database, each.made),
        approvers: rulesBefore(database, account, each.step.seq).approvers,
      })),
    )
    if (found.length === 0) return 0
    const judged: { step: SignedStep['step']; principal: string; isSigned: boolean }[] = []
    for (const each of found) {
      const isSigned = await isStepSigned(each, env)
      // Without OpenSSH nothing is known of it.
      if (isSigned === null) return 0
      const { step } = each
      judged.push({ step, principal: step.type === 'plan' ? step.maker : step.approver, isSigned })
    }
    await ledger.writeHere(({ database }) => {
      for (const { step, principal, isSigned } of judged) {
        noteJudged(database, step)
        if (!isSigned) refuseSignature(database, step, principal)
      }
    })
    if (found.length < JUDGED_MAX) return 0
    if (!isThorough) return ledger.read((database) => unjudgedSteps(database, account).length)
  }
}

/** Null if that cannot be found out here. */
function isStepSigned(
  { step, made, text, approvers, addedMs }: SignedStep & { text: string; approvers: string | null },
  env: EnvironmentVariables,
): Promise<boolean | null> {
  return isValid(async () => {
    const open = readPlan(text, made.plan)
    const verification = verificationBy(approvers, addedMs, env)
    if (step.type === 'plan') return verifyMaker(open, step.signature, verification)
    const makerKey = readSshSignature(made.signature)?.key ?? ''
    return verifyApproval(open, makerKey, { principal: step.approver, signature: step.signature }, verification)
  })
}

interface UnverifiedChange extends PlannedRuleChange {
  known: KnownPlan | undefined
  text: string
  /** When it was recorded, in ms. */
  changedMs: number
}

/**
 * Verifies the signatures of the plans that changed rules of an account, each once on this machine and outside of any transaction: a record says only that
 * its change was approved. Until then, and if the signatures are not valid, the stricter rule stays in force. Returns why records do not count, as sentences
 * without a full stop, by their numbers. Throws what the ledger throws.
 */
export async function verifyRuleChanges(
  ledger: Ledger,
  account: AccountKey,
  env: EnvironmentVariables,
): Promise<Map<number, string>> {
  const found = new Map<number, string>()
  for (;;) {
    const change = await ledger.read((database) => nextUnverified(database, account))
    if (change === undefined) return found
    const { record, isNeeded } = change
    const fault = await faultOf(change, account, ledger, env)
    if (fault !== undefined && isNeeded) found.set(record.seq, fault.why)
    // What comes later depends on this one.
    if (fault?.isPassing === true) return found
    await ledger.writeHere(({ database }) => noteRuleApproval(database, record, fault === undefined))
  }
}

function nextUnverified(database: Database, account: AccountKey): UnverifiedChange | undefined {
  const change = unverifiedRuleChange(database, account)
  if (change === undefined) return undefined
  const known = findPlan(database, change.record.plan ?? '', { beginSeq: change.record.seq })
  const text = known === undefined ? '' : planTextOf(database, known.made)
  return { ...change, known, text, changedMs: addedMs(database, change.record) }
}

/** Why a change was not approved; undefined if it was. `isPassing` if a later try may find that it was. Throws what is no UsageError. */
async function faultOf(
  change: UnverifiedChange,
  account: AccountKey,
  ledger: Ledger,
  env: EnvironmentVariables,
): Promise<{ why: string; isPassing: boolean } | undefined> {
  const { known, before, record, changedMs } = change
  try {
    if (known === undefined) return { why: t`no plan that was sent in time allows it`, isPassing: false }
    const open = readPlan(change.text, known.made.plan)
    const place = open.changes.findIndex(({ rule }) => rule === record.rule)
    const sentSeq = record.seq - place
    // All changes of a plan follow its first one at once, so that none can be made twice.
    const begunSeq = place === 0 ? null : sentSeq
    if (!isChangeOf(open, change, account) || (known.sending?.seq ?? null) !== begunSeq)
      return { why: t`it is not what its plan changes`, isPassing: false }
    if (known.rejection !== null && known.rejection.seq < sentSeq)
      return { why: t`its plan was rejected before it was sent`, isPassing: false }
    if (changedMs >= open.expiresMs) return { why: t`its plan had expired before it was sent`, isPassing: false }
    const verification = verificationBy(before.approvers, changedMs, env)
    await approvedPlan(open, recordedSignatures(known, ledger), verification, null)
    return undefined
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    return { why: error.message, isPassing: error instanceof OpenSshFailed }
  }
}

/** True if a record is the change of its rule that its plan makes. */
function isChangeOf(
  { id, plan, changes }: OpenPlan,
  { record, before }: PlannedRuleChange,
  account: AccountKey,
): boolean {
  const change = changes.find(({ rule }) => rule === record.rule)
  return (
    id === record.plan &&
    isSameAccount(plan.account, { baseUrl: account.url, clientId: account.clientId }) &&
    change?.rule === record.rule &&
    change.from === before[record.rule] &&
    change.to === record.to
  )
}
