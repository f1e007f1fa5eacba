import { AMOUNT_CENTS_MAX } from '../pix/amount.ts'
import { parseInstant } from '../pix/calendar.ts'
import { KEY_TYPES } from '../pix/pixKey.ts'
import { ACCOUNT_RULES, SETTINGS, type SettingValue } from '../profiles/settings.ts'
import {
  accepted,
  anything,
  byName,
  flag,
  list,
  object,
  oneOf,
  orNull,
  type Reader,
  reader,
  readJson,
  string,
  text,
  where,
  wholeNumber,
} from '../schemas/jsonReader.ts'
import { ANYTHING } from '../schemas/jsonSchema.ts'
import { isObject } from '../wire/answers.ts'
import { OUTCOMES } from '../wire/errors.ts'
import { REFUND_ID_FIELDS } from '../wire/requestFormat.ts'
import { type MoneyPayment, type PaymentFacts, requestBody } from './facts.ts'
import { FINDINGS, type FirstWriter, PLAN_KINDS, type RecordContents, type RecordType } from './records.ts'
import { SERVER } from './serverIdentity.ts'

const ENVIRONMENTS = ['sandbox', 'production'] as const
const SUBJECTS = ['payment', 'refund', 'transfer'] as const

const texts = orNull(string)
const number = wholeNumber(0, Number.MAX_SAFE_INTEGER)
const count = wholeNumber(1, Number.MAX_SAFE_INTEGER)
const numbers = orNull(number)
const cents = wholeNumber(1, AMOUNT_CENTS_MAX)
const time = where(string, (value) => parseInstant(value) !== undefined, 'text')
const address = where(string, (value) => URL.canParse(value), 'url')
const environment = oneOf(ENVIRONMENTS)
const owner = object({ profile: texts, environment, baseUrl: address, clientId: string })
const machine = object({ login: string, machine: string })
const settingValue = orNull(
  accepted((value): value is NonNullable<SettingValue> => ['string', 'number', 'boolean'].includes(typeof value)),
)

const QR = object({ kind: oneOf(['qr']), requestNumber: string, amountCents: cents, payer: texts, payerName: texts })
const TRANSFER = object({
  kind: oneOf(['transfer']),
  key: text,
  keyType: oneOf(KEY_TYPES),
  amountCents: cents,
  documentValidation: texts,
  callbackUrl: string,
  payee: texts,
  payeeDisplayName: texts,
})
const REFUND = object({
  kind: oneOf(['refund']),
  originalTransactionId: text,
  amountCents: orNull(cents),
  isWhole: flag,
  refundReason: string,
  callbackUrl: string,
  idField: oneOf(REFUND_ID_FIELDS),
})

/** What a payment asks for, of whichever kind it is. */
export const FACTS = byKind<PaymentFacts>((kind) => (kind === 'qr' ? QR : moneyReader(kind)))
const MONEY = byKind<MoneyPayment>(moneyReader)

function moneyReader(kind: unknown): Reader<MoneyPayment> {
  return kind === 'refund' ? REFUND : TRANSFER
}

function byKind<Value>(readerOf: (kind: unknown) => Reader<Value>): Reader<Value> {
  return {
    schema: ANYTHING,
    read: (value, report) => readerOf(isObject(value) ? value.kind : undefined).read(value, report),
  }
}

const place = object({ run: string, line: count, reference: string, isDerivedId: flag })
const sentTimes = { notBefore: time, notAfter: time }
const results = object({ path: string, isExcel: flag })
const header = reader<[string, string]>(
  ANYTHING,
  (value) =>
    Array.isArray(value) && value.length === 2 && typeof value[0] === 'string' && typeof value[1] === 'string'
      ? [value[0], value[1]]
      : undefined,
  'list',
)
const headers: Reader<[string, string][]> = {
  schema: ANYTHING,
  read: (value, report) => list(header, 'header').read(value, report)?.slice(),
}
const runRow = object({
  line: number,
  rowId: string,
  isTypedId: flag,
  facts: MONEY,
  cells: list(string, 'cell'),
  originalCents: numbers,
  isLeftOut: flag,
})
const change = object({ setting: string, from: settingValue, to: settingValue })
const payee = object({
  name: text,
  displayName: texts,
  key: text,
  keyType: oneOf(KEY_TYPES),
  documentValidation: texts,
})
const planStep = { plan: string, owner }

type Shaped<Type extends RecordType> = Omit<RecordContents[Type], 'type'>

/** What records of each type must hold, beside their type, so that everything that reads them can rely on it. */
const SHAPES: { readonly [Type in Exclude<RecordType, 'profile-change'>]: Reader<Shaped<Type>> } & {
  // The names of settings are those of any pixgate.
  readonly 'profile-change': Reader<unknown>
} = {
  attempt: object(
    {
      payment: text,
      number: count,
      owner,
      facts: FACTS,
      externalId: texts,
      body: texts,
      place: orNull(place),
      rowId: texts,
      sender: string,
    },
    { plan: string, requestedBy: string, approvedBy: string, ...sentTimes },
    ({ facts, externalId, body }, report) => {
      if (facts === undefined || facts.kind === 'qr' || externalId === undefined) return
      // What is sent again are these bytes, and what is shown are the facts.
      if (body !== requestBody(facts, externalId)) report({ kind: 'choice', path: ['body'], value: body, detail: '' })
    },
  ),
  resend: object({ payment: text, attempt: text, sender: string }, { plan: string, ...sentTimes }),
  answer: object(
    {
      payment: text,
      attempt: text,
      outcome: oneOf(OUTCOMES),
      idTransaction: texts,
      status: texts,
      code: texts,
      message: texts,
      httpStatus: numbers,
      amountCents: numbers,
    },
    { gatewayAt: time },
  ),
  finding: object({ payment: text, as: oneOf(FINDINGS), because: string }, { event: string }),
  event: object({
    n: count,
    duplicateOf: numbers,
    owner: object({ profile: texts, environment, baseUrl: orNull(address), clientId: texts }),
    isSigned: flag,
    via: oneOf(['listen', 'import']),
    target: string,
    headers,
    bodyBase64: string,
    event: texts,
    subject: orNull(oneOf(SUBJECTS)),
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
  forward: object(
    { n: count, event: string, url: string, status: numbers, ms: number, body: string, error: texts },
    { once: flag },
  ),
  run: object({
    run: text,
    kind: oneOf(['transfer', 'refund']),
    owner,
    file: texts,
    reference: string,
    isReferenceTyped: flag,
    rows: number,
    totalCents: number,
    fingerprint: string,
    sending: object({
      concurrency: count,
      perSecond: orNull(
        reader(ANYTHING, (value) => (typeof value === 'number' && value > 0 ? value : undefined), 'whole-number'),
      ),
      stopAfter: count,
      results: orNull(results),
    }),
    columns: list(string, 'column'),
    fields: byName(number),
    ignored: list(string, 'column'),
  }),
  'run-rows': object({ run: text, rows: list(runRow, 'row') }),
  query: object({ payment: texts, owner, idTransaction: text, status: text, amountCents: numbers, paidAtMs: numbers }),
  'profile-change': object({
    owner,
    action: oneOf(['add', 'edit', 'remove', 'undo']),
    changes: list(change, 'change'),
  }),
  'account-rule': object(
    { owner, rule: oneOf(ACCOUNT_RULES), from: settingValue, to: settingValue },
    { plan: string },
    ({ rule, to }, report) => {
      if (rule === undefined || to === undefined || to === null || SETTINGS[rule].isValid(to)) return
      report({ kind: 'choice', path: ['to'], value: to, detail: '' })
    },
  ),
  'approver-revocation': object({ owner, principal: text, because: string }),
  payee: object({ owner, name: text, payee: orNull(payee) }),
  'plan-text': object({ ...planStep, part: count, text: string }),
  plan: object({
    ...planStep,
    kind: oneOf(PLAN_KINDS),
    requests: number,
    totalCents: number,
    maker: string,
    signature: string,
    expiresAt: time,
    parts: count,
  }),
  'plan-approval': object(
    { ...planStep, approver: string, signature: string },
    { shown: object({ newKeys: number, paidBefore: number }) },
  ),
  'plan-rejection': object({ ...planStep, because: string }),
  clock: object({ environment, gatewayAt: time }),
  'accepted-older': object({ ledger: texts, lastKnown: number, last: number }),
  'ledger-stopped': object({
    server: SERVER,
    known: orNull(SERVER),
    records: number,
    lacksRecords: flag,
    tableOwner: string,
  }),
  'machine-heard': object({ server: SERVER }),
  'ledger-resumed': object({ server: SERVER, notHeardFrom: list(machine, 'machine') }),
  'set-aside': object({ record: count, because: text }, { last: count }),
  'machine-gone': object({ gone: text }),
  superseded: object({ record: anything }),
}

const FIRST_WRITER = object<Record<never, never>, { firstBy: Reader<FirstWriter['firstBy']>; isPast: Reader<true> }>(
  {},
  {
    firstBy: object({ user: string, machine: string }, { login: string, insteadOf: string }),
    isPast: accepted((value): value is true => value === true),
  },
)

/** The first member of a record's content that is missing or wrong, such as `facts.key`; undefined if all is as it must be. */
export function wrongMember(type: RecordType, content: object): string | undefined {
  const { faults } = readJson<unknown>(SHAPES[type], content, readJson(FIRST_WRITER, content).faults)
  return faults[0]?.path.join('.')
}
