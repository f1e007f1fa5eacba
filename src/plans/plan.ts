import { hash } from 'node:crypto'
import { PLAN_KINDS, type PlanKind } from '../ledger/planRecords.ts'
import { parseInstant } from '../pix/calendar.ts'
import type { RuleChange } from '../profiles/accountRules.ts'
import { t } from '../text/translate.ts'
import { isObject } from '../wire/answers.ts'
import { UsageError } from '../wire/errors.ts'
import { type PlannedRequest, readRequest, readRuleChange } from './planRequest.ts'
import {
  booleanIn,
  countIn,
  namesIn,
  objectIn,
  PlanFault,
  placesIn,
  textIn,
  textOrNullIn,
  textsIn,
} from './planValues.ts'
import { isPrincipal } from './principal.ts'

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
