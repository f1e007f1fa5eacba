import { MONEY_KINDS } from '../../ledger/facts.ts'
import { PAYMENT_STATES } from '../../ledger/paymentState.ts'
import { ENVIRONMENTS } from '../../profiles/profile.ts'
import {
  ADDRESS,
  ANYTHING,
  BOOLEAN,
  CENTS,
  COUNT,
  constant,
  describe,
  either,
  enumOf,
  HTTP_STATUS,
  INSTANT,
  type JsonSchema,
  list,
  OBJECT,
  objectOf,
  orNull,
  REAIS,
  TEXT,
} from '../../schemas/jsonSchema.ts'
import { schemasBelow } from '../../terminal/fields.ts'
import { PAYMENT_FIELDS } from '../../views/payments/paymentFields.ts'
import { OUTCOMES } from '../../wire/errors.ts'

import { MADE_PLAN } from './plans.ts'

export const OUTCOME = enumOf(...OUTCOMES)
export const STATE = enumOf(...PAYMENT_STATES)
const ENVIRONMENT = enumOf(...ENVIRONMENTS)
const WARNINGS = list(TEXT)
const ACCOUNT_FACTS = { profile: orNull(TEXT), environment: ENVIRONMENT }

/** The members of the JSON of a payment. */
export const PAYMENT_MEMBERS = schemasBelow(PAYMENT_FIELDS, '')
/** The members of `pixgate` in it. */
export const PAYMENT_FACTS = schemasBelow(PAYMENT_FIELDS, 'pixgate')

/** The error in the last line of stderr, or in a failed member of a list. */
export const FAILURE = objectOf(
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
    faults: list(objectOf({ line: COUNT, column: TEXT, message: TEXT })),
  },
)

const SENT = objectOf({ ...ACCOUNT_FACTS, outcome: OUTCOME, warnings: WARNINGS }, { kind: TEXT })

const VERDICT = enumOf('match', 'differs', 'missing')

const STATUS = objectOf(
  {
    idTransaction: orNull(TEXT),
    status: orNull(TEXT),
    pixgate: objectOf(
      { knownBy: PAYMENT_FACTS.knownBy ?? TEXT },
      { ...PAYMENT_FACTS, verdict: VERDICT, expected: OBJECT },
    ),
  },
  { ...PAYMENT_MEMBERS, statusTransaction: TEXT, response: TEXT },
)

const RUN_STATUS = objectOf({
  run: TEXT,
  kind: enumOf(...MONEY_KINDS),
  file: orNull(TEXT),
  reference: orNull(TEXT),
  rows: COUNT,
  amount: orNull(REAIS),
  status: enumOf('FINISHED', 'UNFINISHED'),
  accepted: COUNT,
  acceptedBefore: COUNT,
  acceptedBeforeCents: CENTS,
  sentElsewhere: COUNT,
  sentElsewhereCents: CENTS,
  refused: COUNT,
  unknown: COUNT,
  notSent: COUNT,
  paid: COUNT,
  failed: COUNT,
  returned: COUNT,
  pending: COUNT,
  startedAt: INSTANT,
  finished: BOOLEAN,
  pixgate: objectOf(
    {
      ...ACCOUNT_FACTS,
      baseUrl: ADDRESS,
      kind: constant('run'),
      name: TEXT,
      knownBy: constant('ledger'),
      at: INSTANT,
      user: TEXT,
      machine: TEXT,
      warnings: WARNINGS,
    },
    { verdict: VERDICT, expected: OBJECT, differences: PAYMENT_FACTS.differences ?? list(TEXT) },
  ),
})

const FAILED_MEMBER = objectOf({ idTransaction: TEXT, error: FAILURE }, { pixgate: OBJECT })

const QR_CODE = objectOf(
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
      objectOf(
        { idTransaction: TEXT, pixgate: SENT },
        { originalTransactionId: TEXT, amount: REAIS, status: TEXT, response: TEXT },
      ),
      STATUS,
      MADE_PLAN,
    ),
  ),
  transfer: describe(
    'With --wait a second line has the final status',
    either(
      objectOf({ idTransaction: TEXT, externalId: TEXT, pixgate: SENT }, { status: TEXT, response: TEXT }),
      objectOf({ externalId: TEXT, pixgate: SENT }, { idTransaction: orNull(TEXT), status: orNull(TEXT) }),
      STATUS,
      MADE_PLAN,
    ),
  ),
  status: describe(
    'An object for one id, an array for several or with --from, one line each with --wait and several',
    either(STATUS, RUN_STATUS, list(either(FAILED_MEMBER, STATUS, RUN_STATUS)), FAILED_MEMBER),
  ),
  'dry-run': objectOf({
    method: enumOf('GET', 'POST'),
    url: ADDRESS,
    headers: { type: 'object', additionalProperties: TEXT },
    body: ANYTHING,
  }),
  error: describe('The last line of stderr with -o json, if the exit code is not 0', objectOf({ error: FAILURE })),
  doctor: objectOf({
    ok: BOOLEAN,
    findings: list(objectOf({ name: TEXT, ok: BOOLEAN, finding: TEXT, hint: orNull(TEXT) })),
  }),
  demo: objectOf({ ok: BOOLEAN, steps: list(objectOf({ name: TEXT, ok: BOOLEAN, detail: TEXT })) }),
}
