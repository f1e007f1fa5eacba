import { isDeepStrictEqual } from 'node:util'
import { parseInstant } from '../pix/calendar.ts'
import { comparableName } from '../pix/payeeName.ts'
import { KEY_TYPES } from '../pix/pixKey.ts'
import type { SettingChange } from '../profiles/settingChanges.ts'
import { ACCOUNT_RULES, ENVIRONMENTS, SETTINGS, type SettingValue } from '../profiles/settings.ts'
import {
  accepted,
  anything,
  byName,
  flag,
  line,
  list,
  object,
  oneOf,
  orNull,
  type ReadBy,
  reader,
  readJson,
  string,
  text,
  where,
  wholeNumber,
} from '../schemas/jsonReader.ts'
import { ANYTHING } from '../schemas/jsonSchema.ts'
import { OUTCOMES } from '../wire/errors.ts'
import { EVENT_SUBJECTS } from '../wire/eventFacts.ts'
import { EVENT_OWNER, OWNER } from './accounts.ts'
import { FACTS, MONEY, requestBody } from './facts.ts'
import { FINDINGS } from './paymentState.ts'
import { SERVER } from './serverIdentity.ts'

/** The code of the answer that is recorded for a process that ended before it recorded one. */
export const SENDER_ENDED = 'SENDER_ENDED'

export const PLAN_KINDS = ['transfer', 'refund', 'profile'] as const
/** What a plan does: it sends payments, or changes the rules of the account. */
export type PlanKind = (typeof PLAN_KINDS)[number]

const texts = orNull(string)
const number = wholeNumber(0, Number.MAX_SAFE_INTEGER)
const count = wholeNumber(1, Number.MAX_SAFE_INTEGER)
const numbers = orNull(number)
/** The form of a record's own time: RFC 3339, UTC. */
const time = where(string, (value) => parseInstant(value) !== undefined, 'text')
const environment = oneOf(ENVIRONMENTS)
const owner = OWNER
const settingValue = orNull(
  accepted((value): value is NonNullable<SettingValue> => ['string', 'number', 'boolean'].includes(typeof value)),
)

const place = object({
  /** The name of the run, such as `run-5f0c2a9b1d3e`. */
  run: line,
  /** The line of the file, from 1. */
  line: count,
  reference: string,
  /** True if the row's id was derived from its reference and payment, rather than typed in the file. */
  isDerivedId: flag,
})
/** The row of a batch run that a payment belongs to. */
export type RunPlace = ReadBy<typeof place>

const requestTimes = {
  /** The newest time in the ledger, if the clock was behind it when a request was recorded. The request counts as made then. */
  notBefore: time,
  /**
   * Until when a request may be sent, by the clock of the ledger's server. Only in a ledger that several machines share: until then the others
   * see it as being sent.
   */
  notAfter: time,
}

const header = reader(
  ANYTHING,
  (value): [name: string, value: string] | undefined => {
    const [name, text, ...more]: unknown[] = Array.isArray(value) ? value : []
    return typeof name === 'string' && typeof text === 'string' && more.length === 0 ? [name, text] : undefined
  },
  'list',
)

const results = object({
  /** Absolute. */
  path: string,
  isExcel: flag,
})
/** The file of results of a run. */
export type RunResults = ReadBy<typeof results>

const sending = object({
  /** Requests at once. */
  concurrency: count,
  /** Requests per second; null for no limit. */
  perSecond: orNull(
    reader(ANYTHING, (value) => (typeof value === 'number' && value > 0 ? value : undefined), 'whole-number'),
  ),
  /** Stops after this many rows in succession that were not accepted. */
  stopAfter: count,
  /** The file of results; null if none was requested. */
  results: orNull(results),
})
/** How the rows of a batch are sent, also when it is resumed. */
export type RunSending = ReadBy<typeof sending>

const runRow = object({
  line: number,
  /** Its externalId, typed or derived; what a refund is known by in its reference. */
  rowId: line,
  isTypedId: flag,
  facts: MONEY,
  /** All cells of the row, in the order of the file's columns. */
  cells: list(string, 'cell'),
  /** The amount in cents of the payment that a refund returns; null if it was not asked for. */
  originalCents: numbers,
  /** True if it had been sent before this run, so that it is only shown. */
  isLeftOut: flag,
})
/** A row of a batch's file, as it was read. */
export type RunRow = ReadBy<typeof runRow>

const payee = object({
  /** As it was typed when it was added. */
  name: line,
  displayName: orNull(line),
  key: line,
  keyType: oneOf(KEY_TYPES),
  /** The plain CPF or CNPJ that must own the key; null if that is not checked. */
  documentValidation: texts,
})

/** Its name is that of a setting of any pixgate, so that a record of a newer one can be read. */
const change = object({
  setting: accepted((value): value is SettingChange['setting'] => typeof value === 'string'),
  from: settingValue,
  to: settingValue,
})

const machine = object({ login: string, machine: string })
/** A machine as the records know it, by the login that its records are stored under. */
export type LedgerMachine = ReadBy<typeof machine>

/** The name of a plan, by its text, `plan-0b935d103c904af3`; and its account. */
const planStep = { plan: string, owner }

/** What records of each type hold beside their type, so that everything that reads them can rely on it. */
const CONTENTS = {
  /** Records that a request is about to be sent: the first attempt of a payment, or a later one. */
  attempt: object(
    {
      /** UUID of the payment, new for its first attempt. */
      payment: text,
      /** From 1. */
      number: count,
      owner,
      facts: FACTS,
      /** The externalId of a transfer; null for other kinds. */
      externalId: orNull(line),
      /** The exact body of the request; null for a charge, which is never sent again. */
      body: texts,
      place: orNull(place),
      /** What identifies the row in its reference: the externalId of its first attempt, or the derived id of a refund. */
      rowId: orNull(line),
      /** The process that sends; see the table `process`. */
      sender: string,
    },
    {
      /** The plan that allowed it. */
      plan: string,
      /** Who made that plan, and who approved it. */
      requestedBy: string,
      approvedBy: string,
      ...requestTimes,
    },
    ({ facts, externalId, body }, report) => {
      if (facts === undefined || facts.kind === 'qr' || externalId === undefined) return
      // What is sent again are these bytes, and what is shown are the facts.
      if (body !== requestBody(facts, externalId)) report({ kind: 'choice', path: ['body'], value: body, detail: '' })
    },
  ),
  /** Records that the request of an attempt, which is the id of that record, is about to be sent again, byte for byte. */
  resend: object(
    { payment: text, attempt: text, sender: string },
    {
      /** The plan that allowed it. */
      plan: string,
      ...requestTimes,
    },
  ),
  answer: object(
    {
      payment: text,
      attempt: text,
      outcome: oneOf(OUTCOMES),
      idTransaction: texts,
      /** As it came; null if none did. */
      status: texts,
      /** The error code of the gateway, or `SENDER_ENDED` if the sending process ended before it recorded an answer. */
      code: texts,
      /** The gateway's sentence for the code. */
      message: texts,
      httpStatus: numbers,
      amountCents: numbers,
    },
    {
      /** What the gateway's clock showed, if that was more than an hour ahead: the request left then. */
      gatewayAt: time,
    },
  ),
  /** What a person found out about a payment. */
  finding: object(
    { payment: text, as: oneOf(FINDINGS), because: string },
    {
      /** The id of the record of the event that proves it; absent for one that rests on the person's word. */
      event: string,
    },
  ),
  /** A genuine webhook with its exact bytes, and the facts in them. The time of the record is when it arrived; amounts in cents. */
  event: object({
    /** Counts the events of the ledger from 1. That of a pending event is provisional, see `eventNumber`. */
    n: count,
    /** The event that this one repeats in other bytes; null for the first. */
    duplicateOf: numbers,
    owner: EVENT_OWNER,
    /** False if it was accepted without a signature, which was requested; such an event belongs to no account. */
    isSigned: flag,
    via: oneOf(['listen', 'import']),
    /** Path and query of the request. */
    target: string,
    /** Names as they were sent, repeated ones too. */
    headers: list(header, 'header'),
    bodyBase64: string,
    event: texts,
    subject: orNull(oneOf(EVENT_SUBJECTS)),
    idTransaction: texts,
    originalTransactionId: texts,
    externalId: texts,
    status: texts,
    amountCents: numbers,
    errorCode: texts,
    errorMessage: texts,
    name: texts,
    taxId: texts,
    bank: texts,
  }),
  /** The result of forwarding an event, or of replaying it. */
  forward: object(
    {
      n: count,
      /** The id of the event's record, by which it is found while its number may still change. */
      event: string,
      /** Without user name and password. */
      url: string,
      status: numbers,
      ms: number,
      /** The beginning of the answer's body. */
      body: string,
      error: texts,
    },
    {
      /** True if the target was typed for this one, so that later replays do not go there. */
      once: flag,
    },
  ),
  /** Records that a person confirmed a batch; its rows are sent from then on. What it says of them is of all that it did not leave out. */
  run: object({
    run: line,
    kind: oneOf(['transfer', 'refund']),
    owner,
    /** The name of the file; null for standard input. */
    file: texts,
    reference: string,
    /** False if the reference is only the name of the file. */
    isReferenceTyped: flag,
    // As `RunSums` has them.
    rows: number,
    totalCents: number,
    fingerprint: string,
    sending,
    /** The names of the file's columns, and the places of the request's fields among them. */
    columns: list(string, 'column'),
    fields: byName(number),
    /** The names of the columns that were not to be used. */
    ignored: list(string, 'column'),
  }),
  /** Some rows of a run, for the other machines of a shared ledger. They are written before its record, which confirms them. */
  'run-rows': object({ run: line, rows: list(runRow, 'row') }),
  /** Records what the gateway answered to a query, if that is final and was not known. */
  query: object({
    /** The UUID of the charge; null if this ledger did not create it. */
    payment: texts,
    owner,
    idTransaction: text,
    /** As it came. */
    status: text,
    amountCents: numbers,
    paidAtMs: numbers,
  }),
  /**
   * Records that settings of a profile that concern money are about to be changed. The stored profile is what holds: a process that is killed in
   * between leaves a record of a change that was not made, never a change without a record.
   */
  'profile-change': object({
    /** The profile, null for a change of all profiles of an account, and the account; after the change, unless it was removed or left the account. */
    owner,
    /** `undo` if the profile could not be stored: its changes take back those of the record before. */
    action: oneOf(['add', 'edit', 'remove', 'undo']),
    changes: list(change, 'change'),
  }),
  /** Records a change of a rule that binds every profile of an account; null is a rule that is not set. It is in force from then on. */
  'account-rule': object(
    {
      /** The account, and the profile with which the rule was changed. */
      owner,
      rule: oneOf(ACCOUNT_RULES),
      from: settingValue,
      to: settingValue,
    },
    {
      /** The plan that allowed it, which it needs to make a rule less strict while a second person must approve. */
      plan: string,
    },
    ({ rule, to }, report) => {
      if (rule === undefined || to === undefined || to === null || SETTINGS[rule].isValid(to)) return
      report({ kind: 'choice', path: ['to'], value: to, detail: '' })
    },
  ),
  /**
   * Records that a person of the list of approvers may approve nothing from then on. It makes the rule stricter, so that it needs no plan. It counts if
   * the list in force has that person, and two others. A later list may have the person again.
   */
  'approver-revocation': object({ owner, principal: text, because: string }),
  /** Records a payee of an account as it is from then on, or that it was removed; with the profile with which it was changed. */
  payee: object(
    {
      owner,
      /** Names are compared without case. */
      name: line,
      payee: orNull(payee),
    },
    {},
    ({ name, payee }, report) => {
      if (name === undefined || payee === undefined || payee === null) return
      if (comparableName(name) === comparableName(payee.name)) return
      report({ kind: 'choice', path: ['payee', 'name'], value: payee.name, detail: '' })
    },
  ),
  /** A part of the text of a plan, from 1, before its own record. */
  'plan-text': object({ ...planStep, part: count, text: string }),
  /** Records that a plan was made, or came to this ledger. Its text is in the parts before it. */
  plan: object({
    ...planStep,
    kind: oneOf(PLAN_KINDS),
    /** How many payments it has, and their sum. */
    requests: number,
    totalCents: number,
    maker: string,
    /** The maker's signature over the text, as OpenSSH writes it. */
    signature: string,
    expiresAt: time,
    parts: count,
  }),
  'plan-approval': object(
    { ...planStep, approver: string, signature: string },
    {
      /** What the approver was shown: how many payments go to keys that were never paid before, and how many to others. */
      shown: object({ newKeys: number, paidBefore: number }),
    },
  ),
  /** Records that a person rejected a plan: no request of it that has no attempt is sent from then on. */
  'plan-rejection': object({ ...planStep, because: string }),
  /** Records that the clock is behind the newest payment of an environment, and that the gateway's clock agrees: what has a later time has a wrong one. */
  clock: object({
    environment,
    /** What the gateway's clock showed. */
    gatewayAt: time,
  }),
  /** Records that a person accepted a ledger that lacks records which this machine had written. */
  'accepted-older': object({
    /** The UUID of the ledger from then on, null if it keeps its own: the file with the missing records may still exist under the earlier one. */
    ledger: texts,
    /** The number of the last record that was known to exist. */
    lastKnown: number,
    /** The number of the last record of the ledger that was accepted. */
    last: number,
  }),
  /** Records that a machine saw that the ledger was restored or replaced: no payments are sent until the owner of the ledger ends it. */
  'ledger-stopped': object(
    {
      /** The server that was found, and the one that the machine knew; null if it had noted none. */
      server: SERVER,
      known: orNull(SERVER),
      /** How many records the machine's copy has. */
      records: number,
      /** True if the server lacks some of them. */
      lacksRecords: flag,
    },
    {
      /** Earlier versions wrote whom they took for the owner; the server tells. */
      tableOwner: string,
    },
  ),
  /** Records that a machine has handed over what the server lacked, and uses the server as it is from now on. */
  'machine-heard': object({ server: SERVER }),
  /** Records that the owner of the ledger ended a stop. The server accepts it from no one else. */
  'ledger-resumed': object({
    server: SERVER,
    /** Whose copies may have records that the ledger lacks. */
    notHeardFrom: list(machine, 'machine'),
  }),
  /** Records that the owner of the ledger set an unreadable record aside. The server accepts it from no one else. */
  'set-aside': object(
    {
      /** The number of the record, or of the first one of several. */
      record: count,
      because: text,
    },
    {
      /** The number of the last one; absent for one record. */
      last: count,
    },
  ),
  /** Records that the owner of the ledger says that a machine is gone, so that it is no longer waited for. The server accepts it from no one else. */
  'machine-gone': object({ gone: text }),
  /** Keeps a refusal or a finding that the server lost without effect, because the payment was sent again meanwhile. */
  superseded: object({ record: anything }),
}

/** What is recorded, by its type. */
export type RecordContents = {
  [Type in keyof typeof CONTENTS]: { type: Type } & ReadBy<(typeof CONTENTS)[Type]>
}
export type RecordType = keyof RecordContents
export type RecordContent = RecordContents[RecordType]

export type AttemptRecord = RecordContents['attempt']
export type ResendRecord = RecordContents['resend']
export type AnswerRecord = RecordContents['answer']
export type FindingRecord = RecordContents['finding']
export type EventRecord = RecordContents['event']
export type ForwardRecord = RecordContents['forward']
export type RunRecord = RecordContents['run']
export type RunRowsRecord = RecordContents['run-rows']
export type QueryRecord = RecordContents['query']
export type ProfileChangeRecord = RecordContents['profile-change']
export type AccountRuleRecord = RecordContents['account-rule']
export type ApproverRevocationRecord = RecordContents['approver-revocation']
/** What changes what may be sent. */
export type SettingRecord = ProfileChangeRecord | AccountRuleRecord | ApproverRevocationRecord
export type PayeeRecord = RecordContents['payee']
export type PlanTextRecord = RecordContents['plan-text']
export type PlanRecord = RecordContents['plan']
export type PlanStepRecord = RecordContents['plan-text' | 'plan' | 'plan-approval' | 'plan-rejection']
export type AcceptedOlderRecord = RecordContents['accepted-older']
export type LedgerStoppedRecord = RecordContents['ledger-stopped']
export type LedgerResumedRecord = RecordContents['ledger-resumed']
export type SetAsideRecord = RecordContents['set-aside']
export type MachineGoneRecord = RecordContents['machine-gone']

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

const FIRST_WRITER = object(
  {},
  {
    /** Who wrote it first; `login` stored it in the same ledger before its server lost it, and had done that as the record `insteadOf`, which is another by now. */
    firstBy: object({ user: string, machine: string }, { login: string, insteadOf: string }),
    /** True if another record had taken its place there: of a rule or a payee, which then holds no more. */
    isPast: accepted((value): value is true => value === true),
  },
)
/** What a record says that came from another ledger, or from the same one before its server lost it. */
export type FirstWriter = ReadBy<typeof FIRST_WRITER>

/**
 * Finds the first member of a record's content that is missing, invalid, or written by no command, at any depth, such as `facts.key`. An extra member
 * could replace what only the columns of the record, or this machine, may say. Returns undefined if there is none.
 */
export function wrongMember(type: RecordType, content: object): string | undefined {
  const first = readJson(FIRST_WRITER, content)
  const { value, faults } = readJson<object>(CONTENTS[type], content, first.faults)
  if (faults[0] !== undefined) return faults[0].path.join('.')
  const known: Readonly<Record<string, unknown>> = { ...value, ...first.value, type }
  return Object.entries(content).find(([name, said]) => !isDeepStrictEqual(said, known[name]))?.[0]
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
