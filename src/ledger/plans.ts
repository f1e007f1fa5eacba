import { hash } from 'node:crypto'
import { type Database, integerOf, textOf, textOrNull } from '../storage/sqlite.ts'
import { type AccountKey, accountId, addAccount } from './accounts.ts'
import { IS_READABLE, RECORD_COLUMNS, readRecord } from './chain.ts'
import type { AttemptRecord, LedgerRecord, PlanRecord, PlanStepRecord } from './records.ts'
import { type RevocationRecord, revocationsOf } from './rulesInForce.ts'

/** The table that finds the records of plans, which is built from records. */
export const PLAN_TABLE = `
-- A record about a plan: its text, that it was made, approved, rejected or sent. run is that of a sending.
CREATE TABLE plan_step (
  seq INTEGER PRIMARY KEY REFERENCES record (seq),
  plan TEXT NOT NULL,
  type TEXT NOT NULL,
  account INTEGER NOT NULL REFERENCES account (id),
  run TEXT
) STRICT;
CREATE INDEX plan_step_run ON plan_step (run) WHERE run IS NOT NULL;
CREATE INDEX plan_step_plan ON plan_step (plan, type);
CREATE INDEX plan_step_account ON plan_step (account, type);
-- An attempt that was made by a plan. request is the hex SHA-256 of its body.
CREATE TABLE planned_attempt (
  seq INTEGER PRIMARY KEY REFERENCES record (seq),
  plan TEXT NOT NULL,
  request TEXT NOT NULL
) STRICT;
CREATE INDEX planned_attempt_request ON planned_attempt (plan, request);
`

/** The types of the records about a plan, without its text. */
const STEPS = "('plan', 'plan-approval', 'plan-rejection', 'plan-sending')"

type StepRecord = Exclude<PlanStepRecord, { type: 'plan-text' }>
type Step<Type extends StepRecord['type']> = LedgerRecord<Extract<StepRecord, { type: Type }>>

/** What the ledger knows of a plan, without its text. */
export interface KnownPlan {
  made: LedgerRecord<PlanRecord>
  /** Oldest first. */
  approvals: readonly Step<'plan-approval'>[]
  /** Those that count no more, because the maker or the approver was revoked before the sending began. */
  endedApprovals: readonly Step<'plan-approval'>[]
  /** The first one; null if it was not rejected. */
  rejection: Step<'plan-rejection'> | null
  /** The first one; null if its sending did not begin, or not before the plan was rejected or expired. */
  sending: Step<'plan-sending'> | null
}

export const PLAN_STATES = ['open', 'approved', 'sending', 'interrupted', 'sent', 'rejected', 'expired'] as const
export type PlanState = (typeof PLAN_STATES)[number]

interface StandingPlan extends Pick<KnownPlan, 'made' | 'rejection' | 'sending'> {
  isApproved: boolean
  /** How the sending goes, if it began: `living` while a process works on it. */
  sendingNow: 'finished' | 'living' | 'interrupted'
}

/** How a plan stands at a time. What was sent or rejected stays so. */
export function planState({ made, rejection, sending, ...now }: StandingPlan, nowMs: number): PlanState {
  if (sending !== null && now.sendingNow === 'finished') return 'sent'
  if (rejection !== null) return 'rejected'
  if (sending !== null) return now.sendingNow === 'living' ? 'sending' : 'interrupted'
  if (Date.parse(made.expiresAt) <= nowMs) return 'expired'
  return now.isApproved ? 'approved' : 'open'
}

/** The approvals that may count: with a shared ledger, whose server says who somebody is, those that another login than the maker's recorded. */
export function approvalsByOthers({ made, approvals }: KnownPlan, isShared: boolean): readonly Step<'plan-approval'>[] {
  return isShared ? approvals.filter(({ login }) => login !== made.login) : approvals
}

/** So many records before another one tell that its time is too early. */
const COMPARED_MAX = 10_000

/**
 * When a record was added, in ms: as the server of a shared ledger says; else no earlier than the records before it say, because a record that was written by
 * hand may be dated back. Answers and events do not count, which a machine without a connection to the server dates itself.
 */
export function addedMs(
  database: Database,
  { seq, at, storedAtMs }: Pick<LedgerRecord, 'seq' | 'at' | 'storedAtMs'>,
): number {
  if (storedAtMs !== undefined) return storedAtMs
  const row = database.get(
    `SELECT max(at) AS at FROM (SELECT at, type FROM record WHERE seq < ? AND ${IS_READABLE} ORDER BY seq DESC LIMIT ${COMPARED_MAX})
     WHERE type NOT IN ('answer', 'event')`,
    seq,
  )
  const before = row === undefined ? null : textOrNull(row, 'at')
  return Date.parse(before !== null && before > at ? before : at)
}

/** Writes the row of a record. */
export function addPlanStep(database: Database, record: LedgerRecord<PlanStepRecord>): void {
  const { seq, plan, type, owner } = record
  const account = addAccount(database, { url: owner.baseUrl, clientId: owner.clientId })
  const run = record.type === 'plan-sending' ? record.run : null
  const insert = 'INSERT INTO plan_step (seq, plan, type, account, run) VALUES (?, ?, ?, ?, ?)'
  database.run(insert, seq, plan, type, account, run)
}

/** Who made and who approved the plan by which a payment was made. */
export interface PlannedBy {
  requestedBy: string
  approvedBy: string
}

/** Who made and approved the plan of an attempt; null if it needed none. */
export function plannedBy(attempt: Pick<AttemptRecord, 'requestedBy' | 'approvedBy'> | undefined): PlannedBy | null {
  const { requestedBy, approvedBy } = attempt ?? {}
  return requestedBy === undefined || approvedBy === undefined ? null : { requestedBy, approvedBy }
}

/** Who made and approved the plan of the newest attempt of a payment; null if it needed none. Throws DamagedRecord. */
export function planOfNewestAttempt(database: Database, payment: string): PlannedBy | null {
  const row = database.get(
    `SELECT ${RECORD_COLUMNS} FROM record WHERE record.payment = ? AND type = 'attempt' AND ${IS_READABLE} ORDER BY seq DESC LIMIT 1`,
    payment,
  )
  const record = row === undefined ? undefined : readRecord(row)
  return record?.type === 'attempt' ? plannedBy(record) : null
}

/** Writes the row of an attempt, if a plan allowed it. */
export function addPlannedAttempt(database: Database, { seq, plan, body }: LedgerRecord<AttemptRecord>): void {
  if (plan === undefined) return
  const request = hash('sha256', body ?? '')
  database.run('INSERT INTO planned_attempt (seq, plan, request) VALUES (?, ?, ?)', seq, plan, request)
}

/** How many attempts of a plan were made with a body, without those of which nothing ever left. */
export function usesOfRequest(database: Database, plan: string, body: string): number {
  const row = database.get(
    `SELECT count(*) AS attempts FROM planned_attempt JOIN attempt USING (seq)
     WHERE planned_attempt.plan = ? AND planned_attempt.request = ? AND attempt.outcome <> 'not-sent'`,
    plan,
    hash('sha256', body),
  )
  return row === undefined ? 0 : integerOf(row, 'attempts')
}

/** How many requests of a plan were sent. */
export function sentRequests(database: Database, plan: string): number {
  const row = database.get(
    `SELECT count(DISTINCT request) AS requests FROM planned_attempt JOIN attempt USING (seq)
     WHERE planned_attempt.plan = ? AND attempt.outcome <> 'not-sent'`,
    plan,
  )
  return row === undefined ? 0 : integerOf(row, 'requests')
}

/** True if the outcome of a payment that was made by a plan is unknown, also while it is sent. */
export function hasUnknownPayments(database: Database, plan: string): boolean {
  const unknown = `SELECT 1 FROM planned_attempt JOIN attempt USING (seq) JOIN payment ON payment.id = attempt.payment
    WHERE plan = ? AND payment.state = 'unknown' LIMIT 1`
  return database.get(unknown, plan) !== undefined
}

/** The payments of a plan that wait for an answer, with the processes that sent them. */
export function sendersOfPlan(database: Database, plan: string): { payment: string; sender: string }[] {
  const rows = database.all(
    'SELECT payment, sender FROM planned_attempt JOIN attempt USING (seq) WHERE plan = ? AND sender IS NOT NULL',
    plan,
  )
  return rows.map((row) => ({ payment: textOf(row, 'payment'), sender: textOf(row, 'sender') }))
}

/** The payments that were made by a plan, as their UUIDs. */
export function paymentsOfPlan(database: Database, plan: string): string[] {
  const payments = 'SELECT DISTINCT payment FROM planned_attempt JOIN attempt USING (seq) WHERE plan = ?'
  return database.all(payments, plan).map((row) => textOf(row, 'payment'))
}

/** What the ledger knows of a plan; undefined if nothing. Throws DamagedRecord. */
export function findPlan(database: Database, plan: string): KnownPlan | undefined {
  const rows = database.all(
    `SELECT ${RECORD_COLUMNS} FROM plan_step CROSS JOIN record USING (seq) WHERE plan_step.plan = ? AND plan_step.type IN ${STEPS} ORDER BY seq`,
    plan,
  )
  return knownPlan(database, rows.map(readRecord).filter(isStep))
}

/** The text of a plan that the ledger knows. Throws DamagedRecord. */
export function planTextOf(database: Database, { plan, parts, seq }: LedgerRecord<PlanRecord>): string {
  const rows = database.all(
    `SELECT ${RECORD_COLUMNS} FROM plan_step CROSS JOIN record USING (seq)
     WHERE plan_step.plan = ? AND plan_step.type = 'plan-text' AND seq < ? ORDER BY seq DESC LIMIT ?`,
    plan,
    seq,
    parts,
  )
  return rows
    .map(readRecord)
    .map((record) => (record.type === 'plan-text' ? record.text : ''))
    .reverse()
    .join('')
}

/** The plans of an account, newest first. Throws DamagedRecord. */
export function plansOfAccount(database: Database, account: AccountKey): KnownPlan[] {
  const own = accountId(database, account)
  const rows = database.all(
    "SELECT plan FROM plan_step WHERE account = ? AND type = 'plan' GROUP BY plan ORDER BY min(seq) DESC",
    own,
  )
  return rows.flatMap((row) => findPlan(database, textOf(row, 'plan')) ?? [])
}

/** The plans of which the sending of a run began. Throws DamagedRecord. */
export function plansOfRun(database: Database, run: string): KnownPlan[] {
  const rows = database.all('SELECT DISTINCT plan FROM plan_step WHERE run = ?', run)
  return rows.flatMap((row) => findPlan(database, textOf(row, 'plan')) ?? [])
}

/** The names of the plans that begin like this, newest first. */
export function plansBeginningWith(database: Database, beginning: string, limit: number): string[] {
  const rows = database.all(
    `SELECT DISTINCT plan FROM plan_step WHERE plan >= ? AND plan < ? AND type = 'plan' ORDER BY plan LIMIT ?`,
    beginning,
    `${beginning}~`,
    limit,
  )
  return rows.map((row) => textOf(row, 'plan'))
}

function isStep(record: LedgerRecord): record is LedgerRecord<StepRecord> {
  return ['plan', 'plan-approval', 'plan-rejection', 'plan-sending'].includes(record.type)
}

function knownPlan(database: Database, steps: readonly LedgerRecord<StepRecord>[]): KnownPlan | undefined {
  const made = steps.find((step) => step.type === 'plan')
  if (made === undefined) return undefined
  const rejection = steps.find((step) => step.type === 'plan-rejection') ?? null
  const sending = steps.find((step) => step.type === 'plan-sending') ?? null
  const isInTime =
    sending !== null &&
    sending.seq < (rejection?.seq ?? Number.POSITIVE_INFINITY) &&
    Date.parse(sending.at) < Date.parse(made.expiresAt)
  const approvals = steps.filter((step) => step.type === 'plan-approval')
  const { baseUrl: url, clientId } = made.owner
  const before = (isInTime ? sending : null)?.seq ?? Number.POSITIVE_INFINITY
  const revocations = revocationsOf(database, { url, clientId }).filter(({ seq }) => seq < before)
  const isEnded = (approval: Step<'plan-approval'>) =>
    revocations.some((each) => isEndOf(each, made.maker, made.seq) || isEndOf(each, approval.approver, approval.seq))
  return {
    made,
    approvals: approvals.filter((approval) => !isEnded(approval)),
    endedApprovals: approvals.filter(isEnded),
    rejection,
    sending: isInTime ? sending : null,
  }
}

/** True if a revocation ends what a person had signed before it, also after the person came back. */
function isEndOf({ principal, seq }: RevocationRecord, signer: string, signedSeq: number): boolean {
  return principal === signer && seq > signedSeq
}
