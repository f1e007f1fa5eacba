import {
  ADDRESS,
  ANYTHING,
  BOOLEAN,
  COUNT,
  describe,
  either,
  enumOf,
  HTTP_STATUS,
  INSTANT,
  type JsonSchema,
  list,
  OBJECT,
  orNull,
  REAIS,
  record,
  TEXT,
} from './jsonSchema.ts'

export const OUTCOME = enumOf('not-sent', 'refused', 'accepted', 'accepted-before', 'unknown')
const ENVIRONMENT = enumOf('sandbox', 'production')
const WARNINGS = list(TEXT)
const KNOWN_BY = enumOf('gateway', 'event', 'person', 'ledger')
const STAMP = { at: INSTANT, user: TEXT, machine: TEXT }
export const STATE = enumOf('not-sent', 'refused', 'accepted', 'unknown', 'paid', 'not-paid', 'returned')
/** The properties in which a payment differs from what was expected. */
export const DIFFERENCES = list(enumOf('amount', 'sign', 'status'))
export const ACCOUNT_FACTS = { profile: orNull(TEXT), environment: ENVIRONMENT }

/** The error in the last line of stderr, or in a failed member of a list. */
export const FAILURE = record(
  {
    code: TEXT,
    message: TEXT,
    details: TEXT,
    hint: { type: 'string', minLength: 1 },
    httpStatus: orNull(HTTP_STATUS),
    outcome: OUTCOME,
    exitCode: { type: 'integer', minimum: 1, maximum: 255 },
  },
  {
    externalId: TEXT,
    faults: list(record({ line: COUNT, column: TEXT, message: TEXT })),
  },
)

const REFUNDS = {
  refundedAmount: orNull(REAIS),
  refunds: list(
    record({
      id: TEXT,
      idTransaction: orNull(TEXT),
      amount: orNull(REAIS),
      reason: orNull(TEXT),
      state: STATE,
      status: orNull(TEXT),
      ...STAMP,
    }),
  ),
}

/** What `pixgate` has in the document of a payment that was sent from this machine, beside its id and state. */
export const PAYMENT_FACTS = {
  ...ACCOUNT_FACTS,
  baseUrl: ADDRESS,
  kind: enumOf('qr', 'refund', 'transfer'),
  name: orNull(TEXT),
  payee: orNull(TEXT),
  outcome: OUTCOME,
  attempts: COUNT,
  attempt: COUNT,
  attemptId: TEXT,
  errorCode: orNull(TEXT),
  errorMessage: orNull(TEXT),
  knownBy: KNOWN_BY,
  ...STAMP,
  owner: orNull(TEXT),
  reason: TEXT,
  run: orNull(TEXT),
  line: orNull(COUNT),
  reference: orNull(TEXT),
  finding: orNull(record({ as: enumOf('paid', 'not-paid', 'returned'), because: TEXT, ...STAMP })),
  event: orNull(record({ n: COUNT, event: orNull(TEXT), status: orNull(TEXT), amount: orNull(REAIS), at: INSTANT })),
  warnings: WARNINGS,
  ...REFUNDS,
}

const SENT = record({ ...ACCOUNT_FACTS, outcome: OUTCOME, warnings: WARNINGS }, { kind: TEXT })

const STATUS = record(
  {
    idTransaction: orNull(TEXT),
    status: orNull(TEXT),
    pixgate: record(
      { knownBy: KNOWN_BY },
      {
        ...PAYMENT_FACTS,
        id: TEXT,
        state: STATE,
        verdict: enumOf('match', 'differs', 'missing'),
        differences: DIFFERENCES,
        expected: OBJECT,
        askedAt: INSTANT,
      },
    ),
  },
  {
    statusTransaction: TEXT,
    amount: orNull(REAIS),
    paidAt: orNull(INSTANT),
    response: TEXT,
    externalId: orNull(TEXT),
    requestNumber: TEXT,
    originalTransactionId: orNull(TEXT),
    key: TEXT,
    typeKey: TEXT,
  },
)

const FAILED_MEMBER = record({ idTransaction: TEXT, error: FAILURE }, { pixgate: OBJECT })

const QR_CODE = record(
  { idTransaction: TEXT, requestNumber: TEXT, pixgate: SENT },
  {
    paymentCode: TEXT,
    paymentCodeBase64: TEXT,
    expiresAt: INSTANT,
    response: TEXT,
    status: TEXT,
  },
)

/** The JSON of the commands that ask the gateway, by the names that `pixgate schema` gives them. */
export const PAYMENT_SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  'qr-create': describe('With --wait a second line has the final status', either(QR_CODE, STATUS)),
  refund: describe(
    'With --wait a second line has the final status',
    either(
      record(
        { idTransaction: TEXT, pixgate: SENT },
        { originalTransactionId: TEXT, amount: REAIS, status: TEXT, response: TEXT },
      ),
      STATUS,
    ),
  ),
  transfer: describe(
    'With --wait a second line has the final status',
    either(
      record({ idTransaction: TEXT, externalId: TEXT, pixgate: SENT }, { status: TEXT, response: TEXT }),
      record({ externalId: TEXT, pixgate: SENT }, { idTransaction: orNull(TEXT), status: orNull(TEXT) }),
      STATUS,
    ),
  ),
  status: describe(
    'An object for one id, an array for several or with --from, one line each with --wait and several',
    either(STATUS, list(either(FAILED_MEMBER, STATUS)), FAILED_MEMBER),
  ),
  'dry-run': record({
    method: enumOf('GET', 'POST'),
    url: ADDRESS,
    headers: { type: 'object', additionalProperties: TEXT },
    body: ANYTHING,
  }),
  error: describe('The last line of stderr with -o json, if the exit code is not 0', record({ error: FAILURE })),
  doctor: record({
    ok: BOOLEAN,
    findings: list(record({ name: TEXT, ok: BOOLEAN, finding: TEXT, hint: orNull(TEXT) })),
  }),
  demo: record({ ok: BOOLEAN, steps: list(record({ name: TEXT, ok: BOOLEAN, detail: TEXT })) }),
}
