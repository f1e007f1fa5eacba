import { hash } from 'node:crypto'
import type { RefundPayment, TransferPayment } from '../ledger/facts.ts'
import { PLAN_KINDS, type PlanKind } from '../ledger/records.ts'
import { centsFromJson } from '../pix/amount.ts'
import { parseInstant } from '../pix/calendar.ts'
import { Malformed } from '../pix/malformed.ts'
import { assertPixKey, isKeyType } from '../pix/pixKey.ts'
import type { RuleChange } from '../profiles/accountRules.ts'
import { ACCOUNT_RULES, type SettingValue } from '../profiles/settings.ts'
import { hasControlCharacter } from '../text/safeText.ts'
import { t } from '../text/translate.ts'
import { isObject } from '../wire/answers.ts'
import { isHttpUrl } from '../wire/baseAddress.ts'
import { UsageError } from '../wire/errors.ts'
import type { RefundIdField } from '../wire/requestFormat.ts'
import { isPrincipal } from './sshSignature.ts'

/** The largest plan, in bytes, and the most requests that one may have. */
const PLAN_BYTES_MAX = 16 * 1024 * 1024
export const PLAN_REQUESTS_MAX = 20_000

/** Earlier payments that the maker accepted to make once more. */
interface PlanRepeats {
  again: boolean
  inAdditionTo: readonly string[]
  despiteChargeback: boolean
}

/** The file that the requests of a plan were read from. */
interface PlanBatch {
  reference: string
  /** The name of the file; null for standard input. */
  file: string | null
  columns: readonly string[]
  /** The places of the request's fields among the columns. */
  fields: Readonly<Record<string, number>>
}

/** The row of a request in its file. */
interface PlanRow {
  line: number
  /** What identifies it in its reference: the external id of a transfer. */
  id: string
  isTypedId: boolean
  cells: readonly string[]
}

/** What `resume` was asked for: which payments are sent again. */
interface PlanResume {
  /** The name of a run; null for a single payment. */
  run: string | null
  /** The external id of a single payment; null for a run. */
  payment: string | null
  refused: boolean
  includeUnknown: boolean
}

/** Payments that wait for a second person, as they are in a file. Optional members are left out if they do not apply. */
export interface Plan {
  version: 1
  kind: PlanKind
  account: { baseUrl: string; clientId: string }
  /** The bodies of the requests, as they will be sent, with their external ids; or the changes of the rules of the account. */
  requests: readonly Readonly<Record<string, unknown>>[]
  totalCents: number
  /** What the maker was shown. A reader computes its own. */
  warnings: readonly string[]
  /** Hex SHA-256 of the file of a batch; null for others. */
  sourceSha256: string | null
  maker: string
  /** RFC 3339, UTC. */
  expiresAt: string
  batch?: PlanBatch
  /** One for each request of a batch. */
  rows?: readonly PlanRow[]
  resume?: PlanResume
  repeats?: PlanRepeats
  /** The profile with which the rules are changed. */
  profile?: string
}

/** A plan that was read. */
export interface OpenPlan {
  /** `plan-` and the beginning of its SHA-256. */
  id: string
  /** How commands name it: its file as it was typed, or its name. */
  shown: string
  /** The exact text, which the signatures cover. */
  text: string
  plan: Plan
  expiresMs: number
  /** What the requests ask for, in their order; none if rules are changed. */
  requests: readonly PlannedRequest[]
  /** The rules that are changed; none if payments are sent. */
  changes: readonly RuleChange[]
}

const MEMBERS = [
  'version',
  'kind',
  'account',
  'requests',
  'totalCents',
  'warnings',
  'sourceSha256',
  'maker',
  'expiresAt',
]
const OPTIONAL = ['batch', 'rows', 'resume', 'repeats', 'profile']
const ID_DIGITS = 16
/** The members with one line for each entry, so that a person can read and compare them. */
const LISTS = ['requests', 'rows']

/** The name of a plan, by its text. */
function planId(text: string): string {
  return `plan-${hash('sha256', text).slice(0, ID_DIGITS)}`
}

/** The text of a plan: one member a line, and one request a line. */
export function planText(plan: Plan): string {
  const members = Object.entries(plan).map(([key, value]) => {
    if (!LISTS.includes(key) || !Array.isArray(value)) return `  ${JSON.stringify(key)}: ${JSON.stringify(value)}`
    const entries = value.map((entry: unknown) => `    ${JSON.stringify(entry)}`)
    return `  ${JSON.stringify(key)}: [\n${entries.join(',\n')}\n  ]`
  })
  return `{\n${members.join(',\n')}\n}\n`
}

/**
 * Reads a plan. It must be exactly what {@link planText} writes, so that one plan has one text. `shown` names it in errors and hints. Throws UsageError that says
 * what is wrong.
 */
export function readPlan(text: string, shown: string): OpenPlan {
  try {
    if (Buffer.byteLength(text) > PLAN_BYTES_MAX) {
      throw new PlanFault(t`it is larger than ${PLAN_BYTES_MAX / 1024 / 1024} MiB`)
    }
    const { plan, requests, changes } = parsePlan(parseJson(text))
    if (planText(plan) !== text) throw new PlanFault(t`it is not written as pixgate writes plans`)
    const expiresMs = parseInstant(plan.expiresAt)
    if (expiresMs === undefined) throw new PlanFault(t`\`expiresAt\` is not a time`)
    return { id: planId(text), shown, text, plan, expiresMs, requests, changes }
  } catch (error) {
    if (!(error instanceof PlanFault)) throw error
    throw new UsageError(t`\`${shown}\` is not a plan that can be used: ${error.message}`, {
      details: [t`Nothing was sent`],
      hint: t`Ask its maker to make the plan again with \`--plan\``,
    })
  }
}

function parseJson(text: string): Record<string, unknown> {
  try {
    const parsed: unknown = JSON.parse(text)
    if (isObject(parsed)) return parsed
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
  }
  throw new PlanFault(t`it is not a JSON object`)
}

function parsePlan(members: Record<string, unknown>): Pick<OpenPlan, 'plan' | 'requests' | 'changes'> {
  if (members.version !== 1) throw new PlanFault(t`its version is not 1`)
  objectIn({ plan: members }, 'plan', MEMBERS, OPTIONAL)
  const kind = PLAN_KINDS.find((each) => each === members.kind)
  if (kind === undefined) throw new PlanFault(t`\`kind\` is not one of: ${PLAN_KINDS.join(', ')}`)
  const account = objectIn(members, 'account', ['baseUrl', 'clientId'])
  const { bodies, requests, changes } = readRequests(members.requests, kind)
  const totalCents = countIn(members, 'totalCents')
  const sum = requests.reduce((cents, { facts }) => cents + facts.amountCents, 0)
  if (sum !== totalCents) throw new PlanFault(t`\`totalCents\` is not the sum of its requests`)
  const maker = textIn(members, 'maker')
  if (!isPrincipal(maker)) throw new PlanFault(t`\`maker\` is not a valid name`)
  const plan: Plan = {
    version: 1,
    kind,
    account: { baseUrl: textIn(account, 'baseUrl'), clientId: textIn(account, 'clientId') },
    requests: bodies,
    totalCents,
    warnings: textsIn(members, 'warnings'),
    sourceSha256: textOrNullIn(members, 'sourceSha256'),
    maker,
    expiresAt: textIn(members, 'expiresAt'),
    ...batchOf(members, requests),
    ...('resume' in members ? { resume: resumeOf(members) } : {}),
    ...('repeats' in members ? { repeats: repeatsOf(members) } : {}),
    ...('profile' in members ? { profile: textIn(members, 'profile') } : {}),
  }
  if ((kind === 'profile') !== (plan.profile !== undefined)) throw new PlanFault(t`\`profile\` is for changes of rules`)
  return { plan, requests, changes }
}

function readRequests(
  value: unknown,
  kind: PlanKind,
): { bodies: Record<string, unknown>[]; requests: PlannedRequest[]; changes: RuleChange[] } {
  if (!Array.isArray(value) || value.length === 0) throw new PlanFault(t`it has no requests`)
  if (value.length > PLAN_REQUESTS_MAX) throw new PlanFault(t`it has more than ${PLAN_REQUESTS_MAX} requests`)
  const bodies = value.filter(isObject)
  if (bodies.length < value.length) throw new PlanFault(t`a request is not a JSON object`)
  if (kind === 'profile') return { bodies, requests: [], changes: bodies.map(readRuleChange) }
  const seen = new Set<string>()
  const requests = bodies.map((body, index) => {
    const request = readRequest(body, kind, index + 1)
    const name = request.externalId ?? JSON.stringify(body)
    if (seen.has(name)) throw new PlanFault(t`request ${index + 1} is in it twice`)
    seen.add(name)
    return request
  })
  return { bodies, requests, changes: [] }
}

function batchOf(members: Record<string, unknown>, requests: readonly PlannedRequest[]): Pick<Plan, 'batch' | 'rows'> {
  if (!('batch' in members)) {
    if ('rows' in members) throw new PlanFault(t`it has \`rows\` without \`batch\``)
    if (requests.length > 1 && !('resume' in members)) throw new PlanFault(t`it has several requests without \`batch\``)
    return {}
  }
  const batch = objectIn(members, 'batch', ['reference', 'file', 'columns', 'fields'])
  const list = members.rows
  if (!Array.isArray(list) || list.length !== requests.length)
    throw new PlanFault(t`it has not one row for each request`)
  const rows = list.map((value: unknown): PlanRow => {
    const row = objectIn({ row: value }, 'row', ['line', 'id', 'isTypedId', 'cells'])
    const isTypedId = booleanIn(row, 'isTypedId')
    return { line: countIn(row, 'line'), id: textIn(row, 'id'), isTypedId, cells: namesIn(row, 'cells') }
  })
  if (rows.some(({ id }, index) => (requests[index]?.externalId ?? id) !== id)) {
    throw new PlanFault(t`a row has another id than its request`)
  }
  if (new Set(rows.map(({ line }) => line)).size < rows.length) throw new PlanFault(t`it has two rows of one line`)
  return {
    batch: {
      reference: textIn(batch, 'reference'),
      file: textOrNullIn(batch, 'file'),
      columns: namesIn(batch, 'columns'),
      fields: placesIn(batch, 'fields'),
    },
    rows,
  }
}

function resumeOf(members: Record<string, unknown>): PlanResume {
  const resume = objectIn(members, 'resume', ['run', 'payment', 'refused', 'includeUnknown'])
  const [run, payment] = [textOrNullIn(resume, 'run'), textOrNullIn(resume, 'payment')]
  if ((run === null) === (payment === null)) throw new PlanFault(t`\`resume\` names not one run or payment`)
  return {
    run,
    payment,
    refused: booleanIn(resume, 'refused'),
    includeUnknown: booleanIn(resume, 'includeUnknown'),
  }
}

function repeatsOf(members: Record<string, unknown>): PlanRepeats {
  const repeats = objectIn(members, 'repeats', ['again', 'inAdditionTo', 'despiteChargeback'])
  return {
    again: booleanIn(repeats, 'again'),
    inAdditionTo: textsIn(repeats, 'inAdditionTo'),
    despiteChargeback: booleanIn(repeats, 'despiteChargeback'),
  }
}

/** What a request of a plan asks for. Its amount is always known. */
export interface PlannedRequest {
  facts: TransferPayment | (RefundPayment & { amountCents: number })
  /** Of a transfer; null for a refund, which has none. */
  externalId: string | null
}

type Body = Readonly<Record<string, unknown>>

/** Reads the body of a request. `place` counts from 1. Throws PlanFault. */
function readRequest(body: Body, kind: 'transfer' | 'refund', place: number): PlannedRequest {
  try {
    return kind === 'transfer' ? readTransfer(body) : readRefund(body)
  } catch (error) {
    if (!(error instanceof PlanFault) && !(error instanceof Malformed)) throw error
    throw new PlanFault(t`request ${place}: ${error.message}`)
  }
}

function readTransfer(body: Body): PlannedRequest {
  const members = ['value', 'key', 'typeKey', 'callbackUrl', 'externalId']
  objectIn({ request: body }, 'request', members, ['documentValidation'])
  const keyType = body.typeKey
  if (!isKeyType(keyType)) throw new PlanFault(t`\`typeKey\` is not a type of key`)
  const key = lineIn(body, 'key')
  assertPixKey(key, keyType)
  return {
    facts: {
      kind: 'transfer',
      key,
      keyType,
      amountCents: amountIn(body, 'value'),
      documentValidation: 'documentValidation' in body ? lineIn(body, 'documentValidation') : null,
      callbackUrl: urlIn(body),
      payee: null,
      payeeDisplayName: null,
    },
    externalId: lineIn(body, 'externalId'),
  }
}

/** A refund of a plan names its amount, so that whoever approves it knows how much is sent. */
function readRefund(body: Body): PlannedRequest {
  if (!('amount' in body)) throw new PlanFault(t`it refunds an unknown amount`)
  objectIn({ request: body }, 'request', ['refundReason', 'callbackUrl', 'amount'], ID_FIELDS)
  const [id, ...others] = ID_FIELDS.filter((name) => name in body).map((name) => lineIn(body, name))
  if (id === undefined || others.some((other) => other !== id)) {
    throw new PlanFault(t`it does not say which payment it refunds`)
  }
  return {
    facts: {
      kind: 'refund',
      originalTransactionId: id,
      amountCents: amountIn(body, 'amount'),
      isWhole: false,
      refundReason: lineIn(body, 'refundReason'),
      callbackUrl: urlIn(body),
      idField: idFieldOf(body),
    },
    externalId: null,
  }
}

const ID_FIELDS = ['originalTransactionId', 'idTransaction'] as const

function idFieldOf(body: Body): RefundIdField {
  if (ID_FIELDS.every((name) => name in body)) return 'both'
  return 'idTransaction' in body ? 'idTransaction' : 'originalTransactionId'
}

function amountIn(body: Body, name: string): number {
  const value = body[name]
  const cents = typeof value === 'number' ? centsFromJson(value) : undefined
  if (cents === undefined || cents === 0) throw new PlanFault(t`\`${name}\` is not an amount`)
  return cents
}

function lineIn(body: Body, name: string): string {
  const text = textIn(body, name)
  if (hasControlCharacter(text)) throw new PlanFault(t`\`${name}\` contains a control character`)
  return text
}

function urlIn(body: Body): string {
  const url = lineIn(body, 'callbackUrl')
  if (!isHttpUrl(url)) throw new PlanFault(t`\`callbackUrl\` is not a URL`)
  return url
}

/** Reads the change of a rule. Throws PlanFault. */
function readRuleChange(body: Body): RuleChange {
  objectIn({ request: body }, 'request', ['rule', 'from', 'to'])
  const rule = ACCOUNT_RULES.find((each) => each === body.rule)
  if (rule === undefined) throw new PlanFault(t`\`rule\` is not a rule of an account`)
  return { rule, from: settingIn(body, 'from'), to: settingIn(body, 'to') }
}

function settingIn(body: Body, name: string): SettingValue {
  const value = body[name]
  if (value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
    return value
  throw new PlanFault(t`\`${name}\` is not the value of a rule`)
}

/** What is wrong with a plan: the end of a sentence. */
class PlanFault extends Error {}

type Members = Readonly<Record<string, unknown>>

/** An object with all these members, maybe the optional ones, and no others. Throws PlanFault. */
function objectIn(
  members: Members,
  key: string,
  required: readonly string[],
  optional: readonly string[] = [],
): Record<string, unknown> {
  const value = members[key]
  if (!isObject(value)) throw new PlanFault(t`\`${key}\` is not an object`)
  const missing = required.find((each) => !Object.hasOwn(value, each))
  if (missing !== undefined) throw new PlanFault(t`\`${missing}\` is missing`)
  const unknown = Object.keys(value).find((each) => !required.includes(each) && !optional.includes(each))
  if (unknown !== undefined) throw new PlanFault(t`\`${unknown}\` is not part of a plan`)
  return value
}

/** A text that is not empty. Throws PlanFault. */
function textIn(members: Members, key: string): string {
  const value = members[key]
  if (typeof value === 'string' && value.trim() !== '') return value
  throw new PlanFault(t`\`${key}\` is not a text`)
}

function textOrNullIn(members: Members, key: string): string | null {
  return members[key] === null ? null : textIn(members, key)
}

/** A whole number from 0. Throws PlanFault. */
function countIn(members: Members, key: string): number {
  const value = members[key]
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return value
  throw new PlanFault(t`\`${key}\` is not a whole number`)
}

function booleanIn(members: Members, key: string): boolean {
  const value = members[key]
  if (typeof value === 'boolean') return value
  throw new PlanFault(t`\`${key}\` is neither true nor false`)
}

/** A list of texts that are not empty. Throws PlanFault. */
function textsIn(members: Members, key: string): string[] {
  const texts = namesIn(members, key)
  if (texts.some((text) => text.trim() === '')) throw new PlanFault(t`\`${key}\` has an empty text`)
  return texts
}

/** A list of texts, which may be empty. Throws PlanFault. */
function namesIn(members: Members, key: string): string[] {
  const value = members[key]
  if (Array.isArray(value)) {
    const texts = value.filter((each: unknown) => typeof each === 'string')
    if (texts.length === value.length) return texts
  }
  throw new PlanFault(t`\`${key}\` is not a list of texts`)
}

/** Whole numbers by name. Throws PlanFault. */
function placesIn(members: Members, key: string): Record<string, number> {
  const value = members[key]
  if (!isObject(value)) throw new PlanFault(t`\`${key}\` is not an object`)
  return Object.fromEntries(Object.keys(value).map((name) => [name, countIn(value, name)]))
}
