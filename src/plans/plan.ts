import { basename } from 'node:path'
import { type RefundPayment, refundIn, type TransferPayment, transferIn } from '../ledger/facts.ts'
import { planName } from '../ledger/plans.ts'
import { PLAN_KINDS } from '../ledger/records.ts'
import { parseInstant } from '../pix/calendar.ts'
import { comparableKey } from '../pix/destination.ts'
import { Malformed } from '../pix/expectedError.ts'
import { assertPixKey } from '../pix/pixKey.ts'
import type { RuleChange } from '../profiles/accountRules.ts'
import { recordedApprovers } from '../profiles/approvers.ts'
import { ACCOUNT_RULES, SETTINGS, type SettingValue } from '../profiles/settings.ts'
import {
  accepted,
  anyObject,
  anything,
  byName,
  exactly,
  type FaultKind,
  flag,
  list,
  object,
  oneOf,
  orNull,
  type ReadBy,
  type Reader,
  readJson,
  string,
  text,
  wholeNumber,
} from '../schemas/jsonReader.ts'
import { REFUND_BODY, TRANSFER_BODY } from '../schemas/moneyBodies.ts'
import { t } from '../text/translate.ts'
import { type AnswerFields, isObject } from '../wire/answers.ts'
import { isHttpUrl } from '../wire/baseAddress.ts'
import { UsageError } from '../wire/errors.ts'
import { isPrincipal, readAllowedSigners } from './sshSignature.ts'

const PLAN_BYTES_MAX = 16 * 1024 * 1024
export const PLAN_REQUESTS_MAX = 20_000

const count = wholeNumber(0, Number.MAX_SAFE_INTEGER)

/** The row of a request in its file. `id` is what identifies it in its reference: the external id of a transfer. */
const ROW = exactly(object({ line: count, id: text, isTypedId: flag, cells: list(string, 'cell') }))

const PLAN = exactly(
  object(
    {
      version: accepted((value) => value === 1),
      kind: oneOf(PLAN_KINDS),
      account: exactly(object({ baseUrl: text, clientId: text })),
      /** The bodies of the requests, as they will be sent, with their external ids; or the changes of the rules of the account. */
      requests: list(anyObject, 'request'),
      totalCents: count,
      /** What the maker was shown. A reader computes its own. */
      warnings: list(text, 'warning'),
      /** Hex SHA-256 of the file of a batch; null for others. */
      sourceSha256: orNull(text),
      maker: text,
      /** RFC 3339, UTC. */
      expiresAt: text,
    },
    {
      /** The file that the requests were read from: its name, null for standard input, and the places of the fields among its columns. */
      batch: exactly(
        object(
          { reference: text, file: orNull(text), columns: list(string, 'column'), fields: byName(count) },
          // How the maker's machine read it: its encoding, and what is not sent.
          { read: list(text, 'read') },
        ),
      ),
      /** One for each request of a batch. */
      rows: list(ROW, 'row'),
      /** What `resume` was asked for: the name of a run, or the external id of a single payment, and what is sent again. */
      resume: exactly(object({ run: orNull(text), payment: orNull(text), refused: flag, includeUnknown: flag })),
      /** Earlier payments that the maker accepted to make once more. */
      repeats: exactly(object({ again: flag, inAdditionTo: list(text, 'inAdditionTo'), despiteChargeback: flag })),
      /** The profile with which the rules are changed. */
      profile: text,
    },
  ),
)

/** Payments that wait for a second person. Optional members are left out if they do not apply. */
export type Plan = ReadBy<typeof PLAN>

/** The bodies of plans. A refund in a plan has an amount, so that the approver knows how much is sent. */
const TRANSFER = exactly(object(...TRANSFER_BODY))
const REFUND = exactly(object(...REFUND_BODY))
const RULE_CHANGE = exactly(object({ rule: oneOf(ACCOUNT_RULES), from: anything, to: anything }))

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

/** The members with one line for each entry, so that a person can read and compare them. */
const LISTS = ['requests', 'rows']

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
    return { id: planName(text), shown, text, plan, expiresMs, requests, changes }
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

function parsePlan(members: AnswerFields): Pick<OpenPlan, 'plan' | 'requests' | 'changes'> {
  if (members.version !== 1) throw new PlanFault(t`its version is not 1`)
  const plan = readPart(PLAN, members)
  const { kind, requests: bodies, maker, resume } = plan
  if (bodies.length === 0) throw new PlanFault(t`it has no requests`)
  if (bodies.length > PLAN_REQUESTS_MAX) throw new PlanFault(t`it has more than ${PLAN_REQUESTS_MAX} requests`)
  const changes = kind === 'profile' ? bodies.map(readRuleChange) : []
  const requests = kind === 'profile' ? [] : readRequests(bodies, kind)
  const sum = requests.reduce((cents, { facts }) => cents + facts.amountCents, 0)
  if (sum !== plan.totalCents) throw new PlanFault(t`\`totalCents\` is not the sum of its requests`)
  if (!isPrincipal(maker)) throw new PlanFault(t`\`maker\` is not a valid name`)
  assertRowsFit(plan, requests)
  if (resume !== undefined && (resume.run === null) === (resume.payment === null)) {
    throw new PlanFault(t`\`resume\` names not one run or payment`)
  }
  if ((kind === 'profile') !== (plan.profile !== undefined)) throw new PlanFault(t`\`profile\` is for changes of rules`)
  return { plan, requests, changes }
}

function readRequests(bodies: readonly AnswerFields[], kind: PlannedRequest['facts']['kind']): PlannedRequest[] {
  const seen = new Set<string>()
  return bodies.map((body, index) => {
    const request = readRequest(body, kind, index + 1)
    const name = request.externalId ?? JSON.stringify(body)
    if (seen.has(name)) throw new PlanFault(t`request ${index + 1} is in it twice`)
    seen.add(name)
    return request
  })
}

function assertRowsFit({ batch, rows, resume }: Plan, requests: readonly PlannedRequest[]): void {
  if (batch === undefined) {
    if (rows !== undefined) throw new PlanFault(t`it has \`rows\` without \`batch\``)
    if (requests.length > 1 && resume === undefined) throw new PlanFault(t`it has several requests without \`batch\``)
    return
  }
  if (rows?.length !== requests.length) throw new PlanFault(t`it has not one row for each request`)
  if (rows.some(({ id }, index) => (requests[index]?.externalId ?? id) !== id)) {
    throw new PlanFault(t`a row has another id than its request`)
  }
  if (new Set(rows.map(({ line }) => line)).size < rows.length) throw new PlanFault(t`it has two rows of one line`)
}

/** What a request of a plan asks for. Its amount is always known. */
export interface PlannedRequest {
  facts: TransferPayment | (RefundPayment & { amountCents: number })
  /** Of a transfer; null for a refund, which has none. */
  externalId: string | null
}

/** The exact bodies of the requests of a plan, with the comparable keys that they pay; null for what is no transfer. */
export function bodiesOfPlan({ plan, requests }: OpenPlan): Map<string, string | null> {
  const keys = requests.map(({ facts }) => (facts.kind === 'transfer' ? comparableKey(facts.key, facts.keyType) : null))
  return new Map(plan.requests.map((body, place) => [JSON.stringify(body), keys[place] ?? null]))
}

/** True if the requests of a plan are rows of a run. */
export function isOfRun({ batch, resume }: Plan): boolean {
  return batch !== undefined || (resume !== undefined && resume.run !== null)
}

/** Reads the body of a request. `place` counts from 1. Throws PlanFault. */
function readRequest(body: AnswerFields, kind: PlannedRequest['facts']['kind'], place: number): PlannedRequest {
  try {
    const request = kind === 'transfer' ? readTransfer(body) : readRefund(body)
    // A URL can be absolute and still too long to be sent.
    if (isHttpUrl(request.facts.callbackUrl)) return request
    throw new PlanFault(FAULTS.url('callbackUrl', ''))
  } catch (error) {
    if (!(error instanceof PlanFault) && !(error instanceof Malformed)) throw error
    throw new PlanFault(t`request ${place}: ${error.message}`)
  }
}

function readTransfer(body: AnswerFields): PlannedRequest {
  const transfer = readPart(TRANSFER, body)
  const { key, typeKey, externalId } = transfer
  if (externalId === undefined) throw new PlanFault(FAULTS.missing('externalId', ''))
  assertPixKey(key, typeKey)
  return { facts: transferIn(transfer), externalId }
}

function readRefund(body: AnswerFields): PlannedRequest {
  if (!('amount' in body)) throw new PlanFault(t`it refunds an unknown amount`)
  const facts = refundIn(readPart(REFUND, body))
  if (facts === undefined || facts.amountCents === null)
    throw new PlanFault(t`it does not say which payment it refunds`)
  return { facts: { ...facts, amountCents: facts.amountCents }, externalId: null }
}

/** Throws PlanFault; UsageError that names the line of a list that no one could use, which is not approved either. */
function readRuleChange(body: AnswerFields): RuleChange {
  const { rule, from, to } = readPart(RULE_CHANGE, body)
  const change = { rule, from: settingIn('from', from), to: settingIn('to', to) }
  if (rule !== 'approvers') return change
  if (!SETTINGS.approvers.isValid(to)) throw new PlanFault(t`\`to\` is not the value of a rule`)
  const { list, file } = recordedApprovers(to)
  readAllowedSigners(list, basename(file))
  return change
}

function settingIn(name: string, value: unknown): SettingValue {
  if (value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
    return value
  throw new PlanFault(t`\`${name}\` is not the value of a rule`)
}

/** What is wrong with a plan: the end of a sentence. */
class PlanFault extends Error {}

const FAULTS: Readonly<Record<FaultKind, (name: string, detail: string) => string>> = {
  missing: (name) => t`\`${name}\` is missing`,
  unknown: (name) => t`\`${name}\` is not part of a plan`,
  object: (name) => t`\`${name}\` is not an object`,
  list: (name) => t`\`${name}\` is not a list`,
  text: (name) => t`\`${name}\` is not a text`,
  'control-character': (name) => t`\`${name}\` contains a control character`,
  boolean: (name) => t`\`${name}\` is neither true nor false`,
  'whole-number': (name) => t`\`${name}\` is not a whole number`,
  choice: (name, words) => t`\`${name}\` is not one of: ${words}`,
  amount: (name) => t`\`${name}\` is not an amount`,
  url: (name) => t`\`${name}\` is not a URL`,
  'tax-document': (name) => t`\`${name}\` is not a CPF or CNPJ`,
  told: (_, text) => text,
}

/** Throws PlanFault for the first thing that is wrong. */
function readPart<Value>(part: Reader<Value>, json: unknown): Value {
  const { value, faults } = readJson(part, json)
  if (value !== undefined) return value
  const [fault] = faults
  if (fault === undefined) throw new Error('a part of a plan was not read')
  throw new PlanFault(FAULTS[fault.kind](fault.path.at(-1) ?? '', fault.detail))
}
