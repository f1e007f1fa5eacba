import { SHOWN_STATES } from '../ledger/paymentState.ts'
import { PLAN_STATES } from '../ledger/plans.ts'
import { ENVIRONMENTS } from '../profiles/settings.ts'
import {
  ADDRESS,
  ANYTHING,
  BOOLEAN,
  COUNT,
  constant,
  describe,
  either,
  enumOf,
  INSTANT,
  type JsonSchema,
  list,
  OBJECT,
  objectOf,
  orNull,
  REAIS,
  TEXT,
  type ValueOf,
} from '../schemas/jsonSchema.ts'
import { SANDBOX_SCHEMAS } from '../schemas/sandboxAnswers.ts'
import { EVENT_SCHEMAS } from '../schemas/webhookBodies.ts'
import { schemasBelow } from '../terminal/fields.ts'
import { LANGUAGE_SOURCES, LANGUAGES } from '../text/languages.ts'
import { PROFILE_CHANGE, RULES } from './accountRuleText.ts'
import { FILE_PREVIEW, RESUME_PREVIEW } from './batch/batchQuestion.ts'
import { ROW_FIELDS } from './batch/rowFields.ts'
import { REHEARSAL, RUN_FIELDS, RUN_STATUS as RUN_STATUS_MEMBERS, RUN_SUMS, SUMMARY_LINE } from './batch/runFields.ts'
import { RUN_REPORT } from './batch/runReport.ts'
import { ROW_LINE } from './batch/runScreen.ts'
import { BR_CODE } from './brCodeView.ts'
import { RECEIVER_REPORT } from './events/checkText.ts'
import { DELIVERED } from './events/deliveryText.ts'
import { EVENT_FIELDS } from './events/eventFields.ts'
import { FORWARD_LINE, SUMMARY_LINE as LISTENED, READY_LINE, SKIPPED_LINE } from './events/listenScreen.ts'
import { DIAGNOSIS_LINE, VERIFICATION } from './events/signatureText.ts'
import { FAILURE, OUTCOME } from './failureView.ts'
import { MONTH } from './month/monthSums.ts'
import { PAYEE_CHANGE, PAYEE_FIELDS, PAYEE_IMPORT } from './payees/payeeText.ts'
import { GATEWAY_VERDICTS, PAYMENT_FIELDS } from './payments/paymentFields.ts'
import { STATEMENT_LINE } from './payments/statementMatches.ts'
import { PLAN_FIELDS, PLAN_MEMBERS } from './plans/planText.ts'
import { PROFILE } from './profileView.ts'
import { PAYMENT_RECEIPT } from './receipts/receipt.ts'

/** What `--plan` prints instead of the answer to a payment. */
const MADE_PLAN = objectOf({ ...PLAN_MEMBERS, file: describe('null if only the ledger has it', orNull(TEXT)) })

const PLAN_SCHEMAS = {
  'plan-list': list(objectOf(schemasBelow(PLAN_FIELDS, ''))),
  'plan-show': objectOf(PLAN_MEMBERS),
  'plan-approve': objectOf(PLAN_MEMBERS),
  'plan-reject': objectOf(PLAN_MEMBERS),
} as const

const ENVIRONMENT = enumOf(...ENVIRONMENTS)
const WARNINGS = list(TEXT)
const ACCOUNT_FACTS = { profile: orNull(TEXT), environment: ENVIRONMENT }

const PAYMENT_MEMBERS = schemasBelow(PAYMENT_FIELDS, '')
const PAYMENT_FACTS = schemasBelow(PAYMENT_FIELDS, 'pixgate')

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
  ...RUN_STATUS_MEMBERS,
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

const FAILED_MEMBER = objectOf({ idTransaction: TEXT, error: FAILURE.schema }, { pixgate: OBJECT })

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

/** The second line of a command that waits. */
const WAITED = describe('With --wait', STATUS)

const REFUNDED = objectOf(
  { idTransaction: TEXT, pixgate: SENT },
  { originalTransactionId: TEXT, amount: REAIS, status: TEXT, response: TEXT },
)

const TRANSFERRED = either(
  objectOf({ idTransaction: TEXT, externalId: TEXT, pixgate: SENT }, { status: TEXT, response: TEXT }),
  objectOf({ externalId: TEXT, pixgate: SENT }, { idTransaction: orNull(TEXT), status: orNull(TEXT) }),
)

/** The JSON of the commands that ask the gateway, by the names that `pixgate schema` gives them. */
const PAYMENT_SCHEMAS = {
  'qr-create': describe('With --wait a second line has the final status', either(QR_CODE, WAITED)),
  refund: describe('With --wait a second line has the final status', either(REFUNDED, WAITED, MADE_PLAN)),
  transfer: describe('With --wait a second line has the final status', either(TRANSFERRED, WAITED, MADE_PLAN)),
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
  error: describe(
    'The last line of stderr with -o json, if the exit code is not 0',
    objectOf({ error: FAILURE.schema }),
  ),
  doctor: objectOf({
    ok: BOOLEAN,
    findings: list(objectOf({ name: TEXT, ok: BOOLEAN, finding: TEXT, hint: orNull(TEXT) })),
  }),
  demo: objectOf({ ok: BOOLEAN, steps: list(objectOf({ name: TEXT, ok: BOOLEAN, detail: TEXT })) }),
}

const HISTORY_CHECK_VERDICT = enumOf('match', 'only-here', 'only-there', 'duplicate', ...GATEWAY_VERDICTS)

const ID = describe('Accepted by show, settle and resume', TEXT)
const PAYMENT = objectOf(
  { pixgate: objectOf({ id: ID, state: enumOf(...SHOWN_STATES) }, PAYMENT_FACTS) },
  PAYMENT_MEMBERS,
)

const RUN = { ...schemasBelow(RUN_FIELDS, ''), pixgate: objectOf(schemasBelow(RUN_FIELDS, 'pixgate')) }
const BATCH = describe(
  'One line each, the summary last; with --dry-run, --rehearse or --plan one object',
  either(
    ROW_LINE.schema,
    SUMMARY_LINE,
    FILE_PREVIEW.schema,
    describe('What happened in the rehearsal', REHEARSAL),
    MADE_PLAN,
  ),
)

/** What is printed only if an option is typed, with the name of the option. */
export const PRINTED_WITH: ReadonlyMap<JsonSchema, string> = new Map<JsonSchema, string>([
  [WAITED, 'wait'],
  [MADE_PLAN, 'plan'],
  [PAYMENT_RECEIPT.schema, 'receipt'],
])

const WATCH_LINE = either(
  objectOf({ type: enumOf('ready', 'lost', 'back') }),
  describe(
    '`exitCode` and `error` are null for a plan that was interrupted before, `error` also for one that was sent',
    objectOf({
      type: enumOf('plan'),
      plan: TEXT,
      state: orNull(enumOf(...PLAN_STATES)),
      sentRequests: orNull(COUNT),
      exitCode: orNull(COUNT),
      error: orNull(FAILURE.schema),
    }),
  ),
)

/** The JSON of batches and history, by the names that `pixgate schema` gives them. */
const LEDGER_SCHEMAS = {
  'plan-send': describe(
    'What the payment itself would print; of a plan of rules the plan; with --watch a line for each thing that happens',
    either(TRANSFERRED, REFUNDED, ROW_LINE.schema, SUMMARY_LINE, objectOf(PLAN_MEMBERS), WATCH_LINE),
  ),
  'batch-transfer': BATCH,
  'batch-refund': BATCH,
  resume: describe(
    'A payment, or the lines of a run; with --dry-run of a run one object',
    either(
      ROW_LINE.schema,
      SUMMARY_LINE,
      RESUME_PREVIEW.schema,
      MADE_PLAN,
      objectOf({ pixgate: objectOf({ outcome: OUTCOME }, PAYMENT_FACTS) }, PAYMENT_MEMBERS),
    ),
  ),
  'batch-list': list(objectOf(RUN)),
  'batch-report': RUN_REPORT.schema,
  'batch-show': objectOf(RUN, {
    ...RUN_SUMS,
    rowsDetail: list(objectOf({}, schemasBelow(ROW_FIELDS, ''))),
  }),
  history: list(PAYMENT),
  'history-find': list(PAYMENT),
  'history-show': describe(
    'An object for one payment, an array for several; with --receipt what the receipt says',
    either(PAYMENT, list(PAYMENT), PAYMENT_RECEIPT.schema),
  ),
  'history-settle': PAYMENT,
  'history-report': MONTH,
  'history-check': either(
    list(
      either(
        objectOf(
          {
            pixgate: objectOf(
              {},
              {
                ...PAYMENT_FACTS,
                id: ID,
                verdict: HISTORY_CHECK_VERDICT,
                gateway: orNull(OBJECT),
                statement: orNull(STATEMENT_LINE),
              },
            ),
          },
          PAYMENT_MEMBERS,
        ),
        objectOf({ idTransaction: orNull(TEXT), error: FAILURE.schema }),
      ),
    ),
    describe('With --accept-older', objectOf({ accepted: BOOLEAN, missing: COUNT }, { lastKnown: COUNT, last: COUNT })),
  ),
  'history-import': objectOf({
    imported: COUNT,
    duplicates: COUNT,
    refused: list(objectOf({ line: COUNT, reason: TEXT })),
  }),
  'ledger-show': objectOf({
    kind: enumOf('local', 'shared'),
    database: describe('The path of the file, or the address of the database', TEXT),
    records: COUNT,
    behind: describe(
      'How many records the server has that this machine lacks; null if it was not reached',
      orNull(COUNT),
    ),
    pending: describe('Answers and events that wait on this machine', COUNT),
    members: list(objectOf({ user: TEXT, machine: TEXT, records: COUNT, lastAt: INSTANT })),
    lastContact: orNull(INSTANT),
    stopped: describe(
      'Why nothing that moves money is sent, and what to do; null if nothing stops it',
      orNull(objectOf({ code: orNull(TEXT), message: TEXT, details: TEXT, hint: TEXT })),
    ),
  }),
  'ledger-init': objectOf({ ledger: TEXT, database: TEXT }),
  'ledger-join': objectOf({ ledger: TEXT, baseUrl: TEXT, clientId: TEXT, records: COUNT, brought: COUNT }),
  'ledger-leave': objectOf({ left: TEXT, baseUrl: TEXT, clientId: TEXT, brought: COUNT }),
  'ledger-repair': either(
    objectOf({
      database: TEXT,
      recovered: describe('Records that the database lacked and has got from this machine', COUNT),
      records: COUNT,
      keptCopy: describe('The file with the copy as it was; null if it could stay', orNull(TEXT)),
      stopped: describe('True until the owner ends it', BOOLEAN),
    }),
    describe(
      "With the owner's address",
      objectOf({ database: TEXT, ended: BOOLEAN, notHeardFrom: list(objectOf({ user: TEXT, machine: TEXT })) }),
    ),
    describe('With `--set-aside`', objectOf({ database: TEXT, setAside: COUNT, records: COUNT, by: TEXT })),
  ),
  'history-backup': objectOf({ file: TEXT, records: COUNT, bytes: COUNT }),
  'history-export': describe('One line each; the other fields depend on the type', {
    ...objectOf({ seq: COUNT, id: TEXT, at: INSTANT, user: TEXT, machine: TEXT, type: TEXT, digest: TEXT }),
    additionalProperties: true,
  }),
}

const CHANGED = { pixgate: objectOf({ warnings: list(TEXT) }) }
/** The JSON of the commands that need no gateway, by the names that `pixgate schema` gives them. */
const OFFLINE_SCHEMAS = {
  'qr-decode': BR_CODE,
  'qr-draw': objectOf({
    code: TEXT,
    valid: BOOLEAN,
    drawing: orNull(TEXT),
    errors: list(TEXT),
    warnings: list(TEXT),
  }),
  'webhook-verify': VERIFICATION.schema,
  'webhook-sign': objectOf({ signature: TEXT, encoding: enumOf('hex', 'base64') }),
  'profile-list': list(PROFILE.schema),
  'profile-show': objectOf({
    ...PROFILE.members,
    rules: describe(
      'Of the account, so for every profile of it; null if the ledger cannot be read',
      orNull(RULES.schema),
    ),
    sources: { type: 'object', additionalProperties: TEXT },
    changes: describe(
      'The newest 10, newest first; null if the ledger cannot be read',
      orNull(list(PROFILE_CHANGE.schema)),
    ),
  }),
  'profile-add': objectOf(PROFILE.members, CHANGED),
  'profile-edit': objectOf(PROFILE.members, CHANGED),
  'profile-use': objectOf(PROFILE.members, CHANGED),
  'profile-remove': objectOf({ name: TEXT, removed: BOOLEAN, wasActive: BOOLEAN }, CHANGED),
  schema: describe('Without a name', list(TEXT)),
  lang: objectOf({ lang: enumOf(...LANGUAGES), source: enumOf(...LANGUAGE_SOURCES) }),
}

const PAYEE = schemasBelow(PAYEE_FIELDS, '')
const PAYEE_SCHEMAS = {
  'payee-list': list(objectOf(PAYEE)),
  'payee-add': objectOf(PAYEE),
  'payee-show': objectOf({ ...PAYEE, changes: describe('Newest first', list(PAYEE_CHANGE.schema)) }),
  'payee-edit': objectOf(PAYEE),
  'payee-remove': objectOf({ name: TEXT, removed: BOOLEAN }),
  'payee-import': PAYEE_IMPORT.schema,
} as const

const EVENT = schemasBelow(EVENT_FIELDS, '')
const FACTS = objectOf({}, schemasBelow(EVENT_FIELDS, 'pixgate'))
const { forwards: FORWARDS = {}, ...ARRIVED } = EVENT
const RECORDED = objectOf({ ...ARRIVED, pixgate: FACTS, forwards: FORWARDS })

const DELIVERIES = describe(
  'An object for one delivery, an array for several',
  either(DELIVERED.schema, list(DELIVERED.schema)),
)

const WEBHOOK_SCHEMAS = {
  'webhook-listen': describe(
    'One line each',
    either(
      READY_LINE.schema,
      objectOf(ARRIVED, { pixgate: FACTS }),
      FORWARD_LINE.schema,
      describe(
        'What was found about the signature of the refused webhook that arrived at this time',
        DIAGNOSIS_LINE.schema,
      ),
      describe('The number of lines that were skipped because the reader was too slow', SKIPPED_LINE),
      LISTENED,
    ),
  ),
  inspect: objectOf({ type: constant('ready'), url: describe('With the token', ADDRESS) }),
  'webhook-events': list(RECORDED),
  'webhook-events-show': describe('An object for one event, an array for several', either(RECORDED, list(RECORDED))),
  'webhook-check': RECEIVER_REPORT.schema,
  'webhook-send': DELIVERIES,
  'webhook-replay': DELIVERIES,
}

const DIALECT = 'https://json-schema.org/draft/2020-12/schema'

const CATALOGUE = {
  ...EVENT_SCHEMAS,
  ...PAYMENT_SCHEMAS,
  ...OFFLINE_SCHEMAS,
  ...LEDGER_SCHEMAS,
  ...PLAN_SCHEMAS,
  ...PAYEE_SCHEMAS,
  ...WEBHOOK_SCHEMAS,
  ...SANDBOX_SCHEMAS,
}
const SCHEMAS: ReadonlyMap<string, JsonSchema> = new Map(Object.entries<JsonSchema>(CATALOGUE))

/** The JSON that has the schema with this name. */
export type Printed<Name extends keyof typeof CATALOGUE> = ValueOf<(typeof CATALOGUE)[Name]>

/** Commands whose JSON has the schema of another one. */
const SHARED_SCHEMAS: ReadonlyMap<string, string> = new Map([
  ['sandbox', 'sandbox-start'],
  ['history-list', 'history'],
  ['webhook-events-list', 'webhook-events'],
  ['batch-resume', 'resume'],
  ...['pay', 'expire', 'cancel', 'chargeback', 'return', 'fail'].map(
    (name) => [`sandbox-${name}`, 'sandbox-control'] as const,
  ),
])

/** The name of the schema of a command's JSON, by the words of the command, such as `qr create`. */
export function schemaName(command: string): string {
  const words = command.trim().replace(/\s+/g, '-')
  return SHARED_SCHEMAS.get(words) ?? words
}

/** The names of all schemas: the five webhook bodies, then the JSON output of each command. */
export const SCHEMA_NAMES: readonly string[] = [...SCHEMAS.keys()]

/** The JSON Schema with this name, with its `$schema` and title; undefined if there is none. */
export function schemaOf(name: string): JsonSchema | undefined {
  const schema = SCHEMAS.get(name)
  return schema === undefined ? undefined : { $schema: DIALECT, title: name, ...schema }
}
