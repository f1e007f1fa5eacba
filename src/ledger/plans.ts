import { hash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { type Database, integerOf, textOf, textOrNull } from '../storage/sqlite.ts'
import { isObject } from '../wire/answers.ts'
import { isSameAccount } from '../wire/baseAddress.ts'
import { parseJson } from '../wire/jsonTree.ts'
import { type AccountKey, accountId, addAccount } from './accounts.ts'
import { IS_READABLE, RECORD_COLUMNS, readRecord, recordsOf } from './chain.ts'
import { isOwnRecord, noted } from './ledgerNotes.ts'
import type {
  AttemptRecord,
  LedgerRecord,
  PlanRecord,
  PlanStepRecord,
  PlanTextRecord,
  ResendRecord,
} from './records.ts'
import { type RevocationRecord, revocationsOf, ruleChangeOfPlan } from './rulesInForce.ts'

/** The tables that find the records of plans, which are built from records. */
export const PLAN_TABLE = `
-- A record about a plan: its text, that it was made, approved or rejected. is_judged: 1 if this machine has looked at its signature.
CREATE TABLE plan_step (
  seq INTEGER PRIMARY KEY REFERENCES record (seq),
  plan TEXT NOT NULL,
  type TEXT NOT NULL,
  account INTEGER NOT NULL REFERENCES account (id),
  is_judged INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX plan_step_unjudged ON plan_step (account, seq) WHERE is_judged = 0 AND type IN ('plan', 'plan-approval');
CREATE INDEX plan_step_plan ON plan_step (plan, type);
CREATE INDEX plan_step_account ON plan_step (account, type);
-- A request that was sent by a plan: the record of its attempt, or that the attempt was sent again. request is the hex SHA-256 of its body.
CREATE TABLE planned_attempt (
  seq INTEGER PRIMARY KEY REFERENCES record (seq),
  attempt INTEGER NOT NULL REFERENCES record (seq),
  plan TEXT NOT NULL,
  request TEXT NOT NULL
) STRICT;
CREATE INDEX planned_attempt_request ON planned_attempt (plan, request);
CREATE INDEX planned_attempt_attempt ON planned_attempt (attempt);
`

/** The types of the records about a plan, without its text. */
const STEPS = "('plan', 'plan-approval', 'plan-rejection')"

type StepRecord = Exclude<PlanStepRecord, { type: 'plan-text' }>
type Step<Type extends StepRecord['type']> = LedgerRecord<Extract<StepRecord, { type: Type }>>

/** The first thing that a plan did: a request that was sent by it, or the change of a rule. Only that begins its sending. */
interface PlanSending extends Pick<LedgerRecord, 'seq' | 'at' | 'user' | 'machine'> {
  /** When it was recorded, in ms. */
  addedMs: number
  /** The run of its payment; null if that has none. */
  run: string | null
}

/** What the ledger knows of a plan, without its text. */
export interface KnownPlan {
  made: LedgerRecord<PlanRecord>
  /** Oldest first; none that came after this machine's login began to send it. */
  approvals: readonly Step<'plan-approval'>[]
  /** Those that count no more, because the maker or the approver was revoked before that, with the first record that did that. */
  endedApprovals: readonly (Step<'plan-approval'> & { endedBy: RevocationRecord })[]
  /** The record that revoked the maker after the plan was made and before that; null without one. */
  makerEndedBy: RevocationRecord | null
  /** The first one; null if it was not rejected. */
  rejection: Step<'plan-rejection'> | null
  /** Null if its sending did not begin, or not before the plan was rejected or expired. */
  sending: PlanSending | null
  /**
   * The same for what this machine's login sent, see {@link isOwnRecord}: only that keeps a plan past its end, or past a revocation, because anybody can copy
   * its request into a shared ledger.
   */
  ownSending: PlanSending | null
}

export const PLAN_STATES = ['open', 'approved', 'sending', 'interrupted', 'sent', 'rejected', 'expired'] as const
export type PlanState = (typeof PLAN_STATES)[number]

interface StandingPlan extends Pick<KnownPlan, 'made' | 'rejection' | 'sending' | 'ownSending'> {
  isApproved: boolean
  /** How the sending goes, if it began: `living` while a process works on it. */
  sendingNow: 'finished' | 'living' | 'interrupted'
}

/** The state of a plan at a time. What was sent or rejected stays so. */
export function planState({ made, rejection, sending, ownSending, ...now }: StandingPlan, nowMs: number): PlanState {
  if (sending !== null && now.sendingNow === 'finished') return 'sent'
  if (rejection !== null) return 'rejected'
  if (sending !== null && now.sendingNow === 'living') return 'sending'
  if (ownSending === null && Date.parse(made.expiresAt) <= nowMs) return 'expired'
  if (sending !== null) return 'interrupted'
  return now.isApproved ? 'approved' : 'open'
}

/** The approvals that may count: with a shared ledger, whose server says who somebody is, those that another login than the maker's recorded. */
export function approvalsByOthers({ made, approvals }: KnownPlan, isShared: boolean): readonly Step<'plan-approval'>[] {
  return isShared ? approvals.filter(({ login }) => login !== made.login) : approvals
}

/** The number of earlier records that are compared to tell that the time of another one is too early. */
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
  const before = database.text(
    `SELECT max(at) FROM (SELECT at, type FROM record WHERE seq < ? AND ${IS_READABLE} ORDER BY seq DESC LIMIT ${COMPARED_MAX})
     WHERE type NOT IN ('answer', 'event')`,
    seq,
  )
  return Date.parse(before !== null && before > at ? before : at)
}

/** Writes the row of a record. */
export function addPlanStep(database: Database, { seq, plan, type, owner }: LedgerRecord<PlanStepRecord>): void {
  const account = addAccount(database, { url: owner.baseUrl, clientId: owner.clientId })
  database.run('INSERT INTO plan_step (seq, plan, type, account) VALUES (?, ?, ?, ?)', seq, plan, type, account)
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
  const query = `SELECT ${RECORD_COLUMNS} FROM record
    WHERE record.payment = ? AND type = 'attempt' AND ${IS_READABLE} ORDER BY seq DESC LIMIT 1`
  return plannedBy(recordsOf(database.all(query, payment), 'attempt')[0])
}

/** Writes the row of an attempt, if a plan allowed it. */
export function addPlannedAttempt(database: Database, { seq, plan, body }: LedgerRecord<AttemptRecord>): void {
  if (plan !== undefined) addPlanned(database, seq, seq, plan, body)
}

/** Writes the row of a request that was sent again, if a plan allowed that. */
export function addPlannedResend(database: Database, { seq, plan, attempt }: LedgerRecord<ResendRecord>): void {
  if (plan === undefined) return
  const again = database.get(
    "SELECT seq, content ->> '$.body' AS body FROM attempt JOIN record USING (seq) WHERE attempt.id = ?",
    attempt,
  )
  if (again !== undefined) addPlanned(database, seq, integerOf(again, 'seq'), plan, textOrNull(again, 'body'))
}

function addPlanned(database: Database, seq: number, attempt: number, plan: string, body: string | null): void {
  const request = hash('sha256', body ?? '')
  database.run(
    'INSERT INTO planned_attempt (seq, attempt, plan, request) VALUES (?, ?, ?, ?)',
    seq,
    attempt,
    plan,
    request,
  )
}

/** The requests that were sent by plans, with their attempts. */
const PLANNED = 'planned_attempt JOIN attempt ON attempt.seq = planned_attempt.attempt'

/** How often a request with this body was sent by a plan, without attempts of which nothing ever left. */
export function usesOfRequest(database: Database, plan: string, body: string): number {
  const query = `SELECT count(*) FROM ${PLANNED}
    WHERE planned_attempt.plan = ? AND planned_attempt.request = ? AND attempt.outcome <> 'not-sent'`
  return database.integer(query, plan, hash('sha256', body)) ?? 0
}

/** How many requests of a plan were sent. */
export function sentRequests(database: Database, plan: string): number {
  const query = `SELECT count(DISTINCT request) FROM ${PLANNED}
    WHERE planned_attempt.plan = ? AND attempt.outcome <> 'not-sent'`
  return database.integer(query, plan) ?? 0
}

/** True if the outcome of a payment that was made by a plan is unknown, also while it is sent. */
export function hasUnknownPayments(database: Database, plan: string): boolean {
  const unknown = `SELECT 1 FROM ${PLANNED} JOIN payment ON payment.id = attempt.payment
    WHERE plan = ? AND payment.state = 'unknown' LIMIT 1`
  return database.has(unknown, plan)
}

/** The payments of a plan that wait for an answer, with the processes that sent them. */
export function sendersOfPlan(database: Database, plan: string): { payment: string; sender: string }[] {
  const rows = database.all(`SELECT payment, sender FROM ${PLANNED} WHERE plan = ? AND sender IS NOT NULL`, plan)
  return rows.map((row) => ({ payment: textOf(row, 'payment'), sender: textOf(row, 'sender') }))
}

/** The payments that were made by a plan, as their UUIDs. */
export function paymentsOfPlan(database: Database, plan: string): string[] {
  return database.texts(`SELECT DISTINCT payment FROM ${PLANNED} WHERE plan = ?`, plan)
}

/** What else than its records a plan is judged by. */
interface PlanContext {
  /** The bodies of its requests: a request with another body is none of it. */
  bodies?: ReadonlyMap<string, unknown>
  /** What begins with this record, if it did not begin before, is judged as of then. */
  beginSeq?: number
}

/** What the ledger knows of a plan; undefined if nothing. Throws DamagedRecord. */
export function findPlan(database: Database, plan: string, judged: PlanContext = {}): KnownPlan | undefined {
  const rows = database.all(
    `SELECT ${RECORD_COLUMNS} FROM plan_step CROSS JOIN record USING (seq) WHERE plan_step.plan = ? AND plan_step.type IN ${STEPS} ORDER BY seq`,
    plan,
  )
  return knownPlan(database, recordsOf(rows, 'plan', 'plan-approval', 'plan-rejection'), judged)
}

/** The text of a plan that the ledger knows. Throws DamagedRecord. */
export function planTextOf(database: Database, made: LedgerRecord<PlanRecord>): string {
  return planTextsOf(database, made)
    .map(({ text }) => text)
    .join('')
}

/** The records of the text of a plan, in their order. Throws DamagedRecord. */
export function planTextsOf(
  database: Database,
  { plan, parts, seq }: LedgerRecord<PlanRecord>,
): LedgerRecord<PlanTextRecord>[] {
  const rows = database.all(
    `SELECT ${RECORD_COLUMNS} FROM plan_step CROSS JOIN record USING (seq)
     WHERE plan_step.plan = ? AND plan_step.type = 'plan-text' AND seq < ? ORDER BY seq DESC LIMIT ?`,
    plan,
    seq,
    parts,
  )
  return recordsOf(rows, 'plan-text').reverse()
}

/** The name of the plan with this text. */
export function planName(text: string): string {
  return `plan-${hash('sha256', text).slice(0, NAME_DIGITS)}`
}

const NAME_DIGITS = 16

/** True if a plan that was made, as its record says, has this text. */
export function isTextOf(text: string, made: PlanRecord): boolean {
  const said = parseJson(text)
  if (planName(text) !== made.plan || !isObject(said) || !isObject(said.account) || !Array.isArray(said.requests))
    return false
  const account = { baseUrl: String(said.account.baseUrl), clientId: String(said.account.clientId) }
  return (
    isSameAccount(account, made.owner) &&
    isDeepStrictEqual(
      [said.kind, said.requests.length, said.totalCents, said.maker, said.expiresAt],
      [made.kind, made.requests, made.totalCents, made.maker, made.expiresAt],
    )
  )
}

/**
 * True for a record about a plan that no command writes into a shared ledger: a plan that is there already or has another text, a text of a plan that is
 * there already or that is not made yet, an approval of no plan, of a rejected one, or by the login that made it. A plan that is brought from another ledger may be there.
 */
export function isFalsePlanStep(database: Database, record: LedgerRecord<PlanStepRecord>): boolean {
  const known = findPlan(database, record.plan)
  const isBrought = record.firstBy !== undefined
  switch (record.type) {
    case 'plan':
      return !isTextOf(planTextOf(database, record), record) || (known !== undefined && !isBrought)
    case 'plan-text':
      return known === undefined || !isBrought || !planTextOf(database, known.made).includes(record.text)
    case 'plan-approval': {
      if (known === undefined || known.made.firstBy !== undefined) return known === undefined
      const login = record.firstBy?.login ?? record.login
      return known.made.login === login || known.rejection !== null
    }
    case 'plan-rejection':
      return known === undefined && !isBrought
  }
}

/** A record in a shared ledger that somebody else is said to have signed, with the plan that it is about. */
export interface SignedStep {
  step: Step<'plan' | 'plan-approval'>
  made: LedgerRecord<PlanRecord>
  /** When it was added, in ms. */
  addedMs: number
}

/**
 * The newest records about plans of an account whose signatures this machine has not looked at, up to `limit`: those that other logins wrote into this shared
 * ledger, because a plan that came from another one was judged there with its approvals. Throws DamagedRecord.
 */
export function unjudgedSteps(database: Database, account: AccountKey, limit = -1): SignedStep[] {
  const rows = database.all(
    `SELECT ${RECORD_COLUMNS} FROM plan_step INDEXED BY plan_step_unjudged CROSS JOIN record USING (seq)
     WHERE account = ? AND is_judged = 0 AND plan_step.type IN ('plan', 'plan-approval')
       AND stored_at_ms IS NOT NULL AND user <> ? AND (content ->> '$.firstBy' IS NULL OR plan_step.type = 'plan-approval' AND EXISTS (
         SELECT 1 FROM plan_step made JOIN record ON record.seq = made.seq
         WHERE made.plan = plan_step.plan AND made.type = 'plan' AND record.content ->> '$.firstBy' IS NULL))
       AND seq NOT IN (SELECT seq FROM refused_record)
     ORDER BY seq DESC LIMIT ?`,
    accountId(database, account),
    noted(database, 'login') ?? '',
    limit,
  )
  return recordsOf(rows, 'plan', 'plan-approval').flatMap((step) => {
    const made = step.type === 'plan' ? step : findPlan(database, step.plan)?.made
    return made === undefined ? [] : [{ step, made, addedMs: addedMs(database, step) }]
  })
}

/** The numbers of the records about plans of an account on which nothing may rest: those that are named, and those whose signatures are not looked at yet. */
export function doubtfulSteps(database: Database, account: AccountKey): ReadonlySet<number> {
  const named = database.all(
    'SELECT seq FROM plan_step JOIN refused_record USING (seq) WHERE account = ?',
    accountId(database, account),
  )
  const unjudged = unjudgedSteps(database, account).map(({ step }) => step.seq)
  return new Set([...named.map((row) => integerOf(row, 'seq')), ...unjudged])
}

/** Notes that this machine has looked at the signature of a record. */
export function noteJudged(database: Database, { seq }: Pick<LedgerRecord, 'seq'>): void {
  database.run('UPDATE plan_step SET is_judged = 1 WHERE seq = ?', seq)
}

/** Why a record that says that a plan was made has no effect: it is not the plan of its text, or its maker did not sign it. Null for others. */
export function faultOfMaking(database: Database, { seq }: LedgerRecord<PlanRecord>): 'plan' | 'signature' | null {
  const why = database.text("SELECT why FROM refused_record WHERE seq = ? AND why IN ('plan', 'signature')", seq)
  return why === 'plan' || why === 'signature' ? why : null
}

/** The plans of an account, newest first. Throws DamagedRecord. */
export function plansOfAccount(database: Database, account: AccountKey): KnownPlan[] {
  const query = "SELECT plan FROM plan_step WHERE account = ? AND type = 'plan' GROUP BY plan ORDER BY min(seq) DESC"
  return database.texts(query, accountId(database, account)).flatMap((plan) => findPlan(database, plan) ?? [])
}

/** The plans by which something of a run was sent. Throws DamagedRecord. */
export function plansOfRun(database: Database, run: string): KnownPlan[] {
  const query = `SELECT DISTINCT plan FROM payment CROSS JOIN attempt ON attempt.payment = payment.id
    CROSS JOIN planned_attempt ON planned_attempt.attempt = attempt.seq WHERE payment.run = ?`
  return database.texts(query, run).flatMap((plan) => findPlan(database, plan) ?? [])
}

/** The names of the plans that begin like this, newest first. */
export function plansBeginningWith(database: Database, beginning: string, limit: number): string[] {
  const query = `SELECT DISTINCT plan FROM plan_step WHERE plan >= ? AND plan < ? AND type = 'plan' ORDER BY plan LIMIT ?`
  return database.texts(query, beginning, `${beginning}~`, limit)
}

function knownPlan(
  database: Database,
  steps: readonly LedgerRecord<StepRecord>[],
  { bodies, beginSeq = Number.POSITIVE_INFINITY }: PlanContext,
): KnownPlan | undefined {
  const made = steps.find((step) => step.type === 'plan')
  if (made === undefined) return undefined
  const rejection = steps.find((step) => step.type === 'plan-rejection') ?? null
  const approvals = steps.filter((step) => step.type === 'plan-approval')
  const approved = approvals[0]?.seq
  const begun = (isOwnOnly: boolean): PlanSending | null => {
    const first = approved === undefined ? null : firstSent(database, made, approved, { bodies, isOwnOnly })
    const isInTime =
      first !== null &&
      first.seq < (rejection?.seq ?? Number.POSITIVE_INFINITY) &&
      first.addedMs < Date.parse(made.expiresAt)
    return isInTime ? first : null
  }
  const [sending, ownSending] = [begun(false), begun(true)]
  const { baseUrl: url, clientId } = made.owner
  const before = Math.min(ownSending?.seq ?? Number.POSITIVE_INFINITY, beginSeq)
  const revocations = revocationsOf(database, { url, clientId }).filter(({ seq }) => seq < before)
  const isOfMaker = (each: RevocationRecord) => isEndOf(each, made.maker, made.seq)
  // Of each person the first one: the same signature can be recorded again.
  const endOf = ({ approver }: Step<'plan-approval'>) => {
    const since = approvals.find((each) => each.approver === approver)?.seq ?? 0
    return revocations.find((each) => isOfMaker(each) || isEndOf(each, approver, since))
  }
  const recorded = approvals.filter(({ seq }) => seq < before)
  return {
    made,
    approvals: recorded.filter((approval) => endOf(approval) === undefined),
    endedApprovals: recorded.flatMap((approval) => {
      const endedBy = endOf(approval)
      return endedBy === undefined ? [] : [{ ...approval, endedBy }]
    }),
    makerEndedBy: revocations.find(isOfMaker) ?? null,
    rejection,
    sending,
    ownSending,
  }
}

/** What a plan did first, once somebody had approved it: an earlier record with its name was written by hand. */
function firstSent(
  database: Database,
  made: LedgerRecord<PlanRecord>,
  approvedSeq: number,
  { bodies, isOwnOnly }: Pick<PlanContext, 'bodies'> & { isOwnOnly: boolean },
): PlanSending | null {
  if (made.kind === 'profile') {
    const change = ruleChangeOfPlan(database, made.plan, made.firstBy !== undefined)
    return change === undefined ? null : { ...change, addedMs: addedMs(database, change), run: null }
  }
  for (let after = approvedSeq; ; ) {
    const row = database.get(
      `SELECT ${RECORD_COLUMNS}, payment.run, sent.content ->> '$.body' AS body FROM planned_attempt
       CROSS JOIN record USING (seq) CROSS JOIN record sent ON sent.seq = planned_attempt.attempt
       CROSS JOIN payment ON payment.id = record.payment
       WHERE planned_attempt.plan = ? AND planned_attempt.seq > ? ORDER BY planned_attempt.seq LIMIT 1`,
      made.plan,
      after,
    )
    if (row === undefined) return null
    const record = readRecord(row)
    const isOf = bodies === undefined || bodies.has(textOrNull(row, 'body') ?? '')
    if (isOf && (!isOwnOnly || isOwnRecord(database, record))) {
      return { ...record, addedMs: addedMs(database, record), run: textOrNull(row, 'run') }
    }
    after = record.seq
  }
}

/** True if a revocation ends what a person had signed before it, also after the person came back. */
function isEndOf({ principal, seq }: RevocationRecord, signer: string, signedSeq: number): boolean {
  return principal === signer && seq > signedSeq
}
