import type { KeyType } from '../pix/pixKey.ts'
import type { SettingChange } from '../profiles/settingChanges.ts'
import type { AccountRule, SettingValue } from '../profiles/settings.ts'
import type { Outcome } from '../wire/errors.ts'
import type { EventFacts } from '../wire/eventFacts.ts'
import type { EventOwner, Owner } from './accounts.ts'
import type { MoneyPayment, PaymentFacts } from './facts.ts'
import type { RunSums } from './runFingerprint.ts'
import type { ServerIdentity } from './serverIdentity.ts'

/** The row of a batch run that a payment belongs to. */
export interface RunPlace {
  /** The name of the run, such as `run-5f0c2a9b1d3e`. */
  run: string
  /** The line of the file, from 1. */
  line: number
  reference: string
  /** True if the row's id was derived from its reference and payment, rather than typed in the file. */
  isDerivedId: boolean
}

/**
 * The newest time in the ledger, in the form of a record's time, if the clock was behind it when a request was recorded. The request counts as made
 * then.
 */
type NotBefore = string

/**
 * Until when a request may be sent, in the form of a record's time, by the clock of the ledger's server. Only in a ledger that several machines share:
 * until then the others see it as being sent.
 */
type NotAfter = string

/** Records that a request is about to be sent: the first attempt of a payment, or a later one. */
export interface AttemptRecord {
  type: 'attempt'
  /** UUID of the payment, new for its first attempt. */
  payment: string
  /** From 1. */
  number: number
  owner: Owner
  facts: PaymentFacts
  /** The externalId of a transfer; null for other kinds. */
  externalId: string | null
  /** The exact body of the request; null for a charge, which is never sent again. */
  body: string | null
  place: RunPlace | null
  /** What identifies the row in its reference: the externalId of its first attempt, or the derived id of a refund. */
  rowId: string | null
  /** The plan that allowed it. */
  plan?: string
  /** Who made that plan, and who approved it. */
  requestedBy?: string
  approvedBy?: string
  /** The process that sends; see the table `process`. */
  sender: string
  notBefore?: NotBefore
  notAfter?: NotAfter
}

/** Records that the request of an attempt is about to be sent again, byte for byte. */
export interface ResendRecord {
  type: 'resend'
  payment: string
  /** Id of the attempt's record. */
  attempt: string
  /** The plan that allowed it. */
  plan?: string
  sender: string
  notBefore?: NotBefore
  notAfter?: NotAfter
}

/** The code of the answer that is recorded for a process that ended before it recorded one. */
export const SENDER_ENDED = 'SENDER_ENDED'

export interface AnswerRecord {
  type: 'answer'
  payment: string
  attempt: string
  outcome: Outcome
  idTransaction: string | null
  /** As it came; null if none did. */
  status: string | null
  /** The error code of the gateway, or `SENDER_ENDED` if the sending process ended before it recorded an answer. */
  code: string | null
  /** The gateway's sentence for the code. */
  message: string | null
  httpStatus: number | null
  amountCents: number | null
  /** What the gateway's clock showed, in the form of a record's time, if that was more than an hour ahead: the request left then. */
  gatewayAt?: string
}

/** What the record of an answer says if no response was read: all but the payment, the attempt and the outcome. */
export const NO_RESPONSE = {
  type: 'answer',
  idTransaction: null,
  status: null,
  code: null,
  message: null,
  httpStatus: null,
  amountCents: null,
} as const satisfies Partial<AnswerRecord>

export const FINDINGS = ['paid', 'not-paid', 'returned'] as const
export type Finding = (typeof FINDINGS)[number]

/** What a person found out about a payment. */
export interface FindingRecord {
  type: 'finding'
  payment: string
  as: Finding
  because: string
  /** The id of the record of the event that proves it; absent for one that rests on the person's word. */
  event?: string
}

/** A genuine webhook with its exact bytes. The time of the record is when it arrived; amounts in cents. */
export interface EventRecord extends Omit<EventFacts, 'happenedAt'> {
  type: 'event'
  /** Counts the events of the ledger from 1. That of a pending event is provisional, see `eventNumber`. */
  n: number
  /** The event that this one repeats in other bytes; null for the first. */
  duplicateOf: number | null
  owner: EventOwner
  /** False if it was accepted without a signature, which was requested; such an event belongs to no account. */
  isSigned: boolean
  via: 'listen' | 'import'
  /** Path and query of the request. */
  target: string
  /** Names as they were sent, repeated ones too. */
  headers: [name: string, value: string][]
  bodyBase64: string
}

/** The result of forwarding an event, or of replaying it. */
export interface ForwardRecord {
  type: 'forward'
  n: number
  /** The id of the event's record, by which it is found while its number may still change. */
  event: string
  /** Without user name and password. */
  url: string
  status: number | null
  ms: number
  /** The beginning of the answer's body. */
  body: string
  error: string | null
  /** True if the target was typed for this one, so that later replays do not go there. */
  once?: boolean
}

/** Records that a person confirmed a batch; its rows are sent from then on. What it says of them is of all that it did not leave out. */
export interface RunRecord extends RunSums {
  type: 'run'
  run: string
  kind: 'transfer' | 'refund'
  owner: Owner
  /** The name of the file; null for standard input. */
  file: string | null
  reference: string
  /** False if the reference is only the name of the file. */
  isReferenceTyped: boolean
  sending: RunSending
  /** The names of the file's columns, and the places of the request's fields among them. */
  columns: readonly string[]
  fields: Readonly<Record<string, number>>
  /** The names of the columns that were not to be used. */
  ignored: readonly string[]
}

/** How the rows of a batch are sent, also when it is resumed. */
export interface RunSending {
  /** Requests at once. */
  concurrency: number
  /** Requests per second; null for no limit. */
  perSecond: number | null
  /** Stops after this many rows in succession that were not accepted. */
  stopAfter: number
  /** The file of results; null if none was requested. */
  results: RunResults | null
}

export interface RunResults {
  /** Absolute. */
  path: string
  isExcel: boolean
}

/** A row of a batch's file, as it was read. */
export interface RunRow {
  line: number
  /** Its externalId, typed or derived; what a refund is known by in its reference. */
  rowId: string
  isTypedId: boolean
  facts: MoneyPayment
  /** All cells of the row, in the order of the file's columns. */
  cells: readonly string[]
  /** The amount in cents of the payment that a refund returns; null if it was not asked for. */
  originalCents: number | null
  /** True if it had been sent before this run, so that it is only shown. */
  isLeftOut: boolean
}

/** Some rows of a run, for the other machines of a shared ledger. They are written before its record, which confirms them. */
export interface RunRowsRecord {
  type: 'run-rows'
  run: string
  rows: readonly RunRow[]
}

/** Records what the gateway answered to a query, if that is final and was not known. */
export interface QueryRecord {
  type: 'query'
  /** The UUID of the charge; null if this ledger did not create it. */
  payment: string | null
  owner: Owner
  idTransaction: string
  /** As it came. */
  status: string
  amountCents: number | null
  paidAtMs: number | null
}

/** Records that a person accepted a ledger that lacks records which this machine had written. */
export interface AcceptedOlderRecord {
  type: 'accepted-older'
  /** The UUID of the ledger from then on, null if it keeps its own: the file with the missing records may still exist under the earlier one. */
  ledger: string | null
  /** The number of the last record that was known to exist. */
  lastKnown: number
  /** The number of the last record of the ledger that was accepted. */
  last: number
}

/** Records that the clock is behind the newest payment of an environment, and that the gateway's clock agrees: what has a later time has a wrong one. */
interface ClockRecord {
  type: 'clock'
  environment: Owner['environment']
  /** What the gateway's clock showed, in the form of a record's own time. */
  gatewayAt: string
}

/** What is recorded, by its type. */
export interface RecordContents {
  attempt: AttemptRecord
  resend: ResendRecord
  answer: AnswerRecord
  finding: FindingRecord
  event: EventRecord
  forward: ForwardRecord
  run: RunRecord
  'run-rows': RunRowsRecord
  query: QueryRecord
  'profile-change': ProfileChangeRecord
  'account-rule': AccountRuleRecord
  'approver-revocation': ApproverRevocationRecord
  payee: PayeeRecord
  'plan-text': PlanTextRecord
  plan: PlanRecord
  'plan-approval': PlanApprovalRecord
  'plan-rejection': PlanRejectionRecord
  clock: ClockRecord
  'accepted-older': AcceptedOlderRecord
  'ledger-stopped': LedgerStoppedRecord
  'machine-heard': MachineHeardRecord
  'ledger-resumed': LedgerResumedRecord
  'set-aside': SetAsideRecord
  'machine-gone': MachineGoneRecord
  superseded: SupersededRecord
}

export type RecordType = keyof RecordContents
export type RecordContent = RecordContents[RecordType]

/** What is not sent while a record of a shared ledger cannot be read; `target` is everything to the same key, or of the same original. */
export type Stops = 'nothing' | 'target' | 'payees' | 'everything'

type RecordRule = {
  /** True if it tells of one payment: the payment's state is derived from it, and it is shown and searched with the payment. */
  isOfPayment: boolean
  /** What it could concern if it cannot be read. */
  stops: Stops
} & (
  | {
      /** It goes into whichever ledger its account uses from then on. */
      travels: 'with-account'
      /** False if no decision about money waits for it: it may arrive at any time. */
      decides: boolean
    }
  | {
      /**
       * `back`: only to the server of its own ledger, if that lost it, because other records tell the same. `never`: what a ledger records of itself, and a
       * clock that was confirmed, which would set back the time of what was recorded since.
       */
      travels: 'back' | 'never'
      decides: false
    }
)

/** What holds of each type of record. What it does to the tables is said in `derivedTables.ts`. */
export const RECORD_RULES = {
  attempt: { isOfPayment: true, travels: 'with-account', decides: true, stops: 'target' },
  resend: { isOfPayment: true, travels: 'with-account', decides: true, stops: 'target' },
  answer: { isOfPayment: true, travels: 'with-account', decides: true, stops: 'target' },
  finding: { isOfPayment: true, travels: 'with-account', decides: true, stops: 'target' },
  event: { isOfPayment: true, travels: 'with-account', decides: false, stops: 'nothing' },
  forward: { isOfPayment: false, travels: 'with-account', decides: false, stops: 'nothing' },
  // Without it its rows have no effect.
  run: { isOfPayment: false, travels: 'with-account', decides: true, stops: 'nothing' },
  // With its account a run takes its rows along: a ledger of one machine has them in no record.
  'run-rows': { isOfPayment: false, travels: 'back', decides: false, stops: 'nothing' },
  query: { isOfPayment: true, travels: 'with-account', decides: true, stops: 'everything' },
  'profile-change': { isOfPayment: false, travels: 'with-account', decides: true, stops: 'everything' },
  'account-rule': { isOfPayment: false, travels: 'with-account', decides: true, stops: 'everything' },
  'approver-revocation': { isOfPayment: false, travels: 'with-account', decides: true, stops: 'everything' },
  payee: { isOfPayment: false, travels: 'with-account', decides: true, stops: 'payees' },
  'plan-text': { isOfPayment: false, travels: 'with-account', decides: true, stops: 'nothing' },
  plan: { isOfPayment: false, travels: 'with-account', decides: true, stops: 'nothing' },
  'plan-approval': { isOfPayment: false, travels: 'with-account', decides: true, stops: 'nothing' },
  'plan-rejection': { isOfPayment: false, travels: 'with-account', decides: true, stops: 'everything' },
  clock: { isOfPayment: false, travels: 'never', decides: false, stops: 'nothing' },
  'accepted-older': { isOfPayment: false, travels: 'never', decides: false, stops: 'nothing' },
  'ledger-stopped': { isOfPayment: false, travels: 'never', decides: false, stops: 'everything' },
  'machine-heard': { isOfPayment: false, travels: 'never', decides: false, stops: 'nothing' },
  'ledger-resumed': { isOfPayment: false, travels: 'never', decides: false, stops: 'everything' },
  // Only the owner writes it, who does so again on a server that lost it.
  'set-aside': { isOfPayment: false, travels: 'never', decides: false, stops: 'everything' },
  'machine-gone': { isOfPayment: false, travels: 'never', decides: false, stops: 'nothing' },
  superseded: { isOfPayment: false, travels: 'back', decides: false, stops: 'nothing' },
} as const satisfies Record<RecordType, RecordRule>

/** A type that only a newer pixgate knows, or that somebody wrote by hand. */
const UNKNOWN_RULE: RecordRule = { isOfPayment: false, travels: 'with-account', decides: true, stops: 'everything' }

/** False for a type that only a newer pixgate knows, or that somebody wrote by hand. */
export function isRecordType(type: string): type is RecordType {
  return Object.hasOwn(RECORD_RULES, type)
}

/** What holds of the records of a type that was read from a ledger. */
export function ruleOfType(type: string): RecordRule {
  return isRecordType(type) ? RECORD_RULES[type] : UNKNOWN_RULE
}

/** What a record says that came from another ledger, or from the same one before its server lost it. */
export interface FirstWriter {
  /** Who wrote it first; `login` stored it in the same ledger before its server lost it, and had done that as the record `insteadOf`, which is another by now. */
  firstBy?: { user: string; machine: string; login?: string; insteadOf?: string } | undefined
  /** True if another record had taken its place there: of a rule or a payee, which then holds no more. */
  isPast?: true
}

/** A record as it is stored: its number, its id, when it was written, and by whom. */
export type LedgerRecord<Content extends RecordContent = RecordContent> = Content &
  FirstWriter & {
    /** From 1, without gaps. */
    seq: number
    id: string
    /** RFC 3339, UTC, with milliseconds. */
    at: string
    /**
     * When it counts as made, in ms: at its time; a request also at a later time that was in the ledger before it (`notBefore`), or at the time of
     * an earlier clock that the gateway confirmed after it.
     */
    madeMs: number
    /** When the server of a shared ledger stored it, in ms; undefined in a ledger of one machine, and before the server has it. */
    storedAtMs?: number | undefined
    user: string
    machine: string
    /** The login that stored it in a shared ledger, which its server vouches for. Otherwise the user. */
    login: string
    /** Only for an event: a secret of its account signed its bytes, as this machine has found out. */
    isVerified?: true
    /** Only where a shared ledger is read: it waits on this machine and is not in the ledger yet. */
    isPending?: true
  }

type TypesWith<Name extends keyof RecordRule, Value> = {
  [Type in RecordType]: (typeof RECORD_RULES)[Type][Name] extends Value ? Type : never
}[RecordType]

/** The records that the state of a payment is derived from, oldest first. */
export type PaymentRecord = LedgerRecord<RecordContents[TypesWith<'isOfPayment', true>]>

/** The records that go wherever their account goes. */
export type AccountRecord = LedgerRecord<RecordContents[TypesWith<'travels', 'with-account'>]>

/** A part of the text of a plan, before its {@link PlanRecord}. */
export interface PlanTextRecord {
  type: 'plan-text'
  plan: string
  owner: Owner
  /** From 1. */
  part: number
  text: string
}

export const PLAN_KINDS = ['transfer', 'refund', 'profile'] as const
/** What a plan does: it sends payments, or changes the rules of the account. */
export type PlanKind = (typeof PLAN_KINDS)[number]

/** Records that a plan was made, or came to this ledger. Its text is in the parts before it. */
export interface PlanRecord {
  type: 'plan'
  /** The name, by its text: `plan-0b935d103c904af3`. */
  plan: string
  owner: Owner
  kind: PlanKind
  /** How many payments it has, and their sum. */
  requests: number
  totalCents: number
  maker: string
  /** The maker's signature over the text, as OpenSSH writes it. */
  signature: string
  /** RFC 3339, UTC. */
  expiresAt: string
  parts: number
}

interface PlanApprovalRecord {
  type: 'plan-approval'
  plan: string
  owner: Owner
  approver: string
  signature: string
  /** What the approver was shown: how many payments go to keys that were never paid before, and how many to others. */
  shown?: { newKeys: number; paidBefore: number }
}

/** Records that a person rejected a plan: no request of it that has no attempt is sent from then on. */
interface PlanRejectionRecord {
  type: 'plan-rejection'
  plan: string
  owner: Owner
  because: string
}

export type PlanStepRecord = PlanTextRecord | PlanRecord | PlanApprovalRecord | PlanRejectionRecord

/**
 * Records that settings of a profile that concern money are about to be changed. The stored profile is what holds: a process that is killed in
 * between leaves a record of a change that was not made, never a change without a record.
 */
export interface ProfileChangeRecord {
  type: 'profile-change'
  /** The profile, null for a change of all profiles of an account, and the account; after the change, unless it was removed or left the account. */
  owner: Owner
  /** `undo` if the profile could not be stored: its changes take back those of the record before. */
  action: 'add' | 'edit' | 'remove' | 'undo'
  changes: SettingChange[]
}

/** Records a payee of an account as it is from then on, or that it was removed. */
export interface PayeeRecord {
  type: 'payee'
  /** The account, and the profile with which the payee was changed. */
  owner: Owner
  /** Names are compared without case. */
  name: string
  payee: {
    name: string
    displayName: string | null
    key: string
    keyType: KeyType
    documentValidation: string | null
  } | null
}

/** What changes what may be sent. */
export type SettingRecord = ProfileChangeRecord | AccountRuleRecord | ApproverRevocationRecord

/** Records a change of a rule that binds every profile of an account; null is a rule that is not set. It is in force from then on. */
export interface AccountRuleRecord {
  type: 'account-rule'
  /** The account, and the profile with which the rule was changed. */
  owner: Owner
  rule: AccountRule
  from: SettingValue
  to: SettingValue
  /** The plan that allowed it, which it needs to make a rule less strict while a second person must approve. */
  plan?: string
}

/**
 * Records that a person of the list of approvers may approve nothing from then on. It makes the rule stricter, so that it needs no plan. It counts if the
 * list in force has that person, and two others. A later list may have the person again.
 */
export interface ApproverRevocationRecord {
  type: 'approver-revocation'
  owner: Owner
  principal: string
  because: string
}

/** Records that a machine saw that the ledger was restored or replaced: no payments are sent until the owner of the ledger ends it. */
export interface LedgerStoppedRecord {
  type: 'ledger-stopped'
  /** The server that was found, and the one that the machine knew; null if it had noted none. */
  server: ServerIdentity
  known: ServerIdentity | null
  /** How many records the machine's copy has. */
  records: number
  /** True if the server lacks some of them. */
  lacksRecords: boolean
  /** The role that owns the ledger. */
  tableOwner: string
}

/** Records that a machine has handed over what the server lacked, and uses the server as it is from now on. */
interface MachineHeardRecord {
  type: 'machine-heard'
  server: ServerIdentity
}

/** Records that the owner of the ledger ended a stop. The server accepts it from no one else. */
export interface LedgerResumedRecord {
  type: 'ledger-resumed'
  server: ServerIdentity
  /** Whose copies may have records that the ledger lacks. */
  notHeardFrom: readonly LedgerMachine[]
}

/** A machine as the records know it, by the login that its records are stored under. */
export interface LedgerMachine {
  login: string
  machine: string
}

/** Records that the owner of the ledger set an unreadable record aside. The server accepts it from no one else. */
export interface SetAsideRecord {
  type: 'set-aside'
  /** The number of the record, or of the first one of several. */
  record: number
  /** The number of the last one; absent for one record. */
  last?: number
  because: string
}

/** Records that the owner of the ledger says that a machine is gone, so that it is no longer waited for. The server accepts it from no one else. */
export interface MachineGoneRecord {
  type: 'machine-gone'
  gone: string
}

/** Keeps a refusal or a finding that the server lost without effect, because the payment was sent again meanwhile. */
interface SupersededRecord {
  type: 'superseded'
  record: unknown
}
