import { MONEY_KINDS } from '../../ledger/facts.ts'
import { MOVEMENT_KINDS } from '../../ledger/movements.ts'
import { ENVIRONMENTS } from '../../profiles/profile.ts'
import {
  ADDRESS,
  BOOLEAN,
  CENTS,
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
} from '../../schemas/jsonSchema.ts'
import { schemasBelow } from '../../terminal/fields.ts'
import { ROW_FIELDS } from '../../views/batch/rowFields.ts'
import { RUN_FIELDS } from '../../views/batch/runFields.ts'
import { FAILURE, OUTCOME, PAYMENT_FACTS, PAYMENT_MEMBERS, STATE } from './payments.ts'
import { MADE_PLAN } from './plans.ts'

const VERDICT = enumOf('match', 'only-here', 'only-there', 'differs', 'duplicate', 'agrees', 'open', 'late', 'unknown')

const STATEMENT_LINE = objectOf({
  line: COUNT,
  id: orNull(TEXT),
  amount: REAIS,
  direction: orNull(enumOf('credit', 'debit')),
  status: orNull(TEXT),
  date: orNull(TEXT),
  description: TEXT,
  name: orNull(TEXT),
})

const ID = describe('Accepted by show, settle and resume', TEXT)
const PAYMENT = objectOf({ pixgate: objectOf({ id: ID, state: STATE }, PAYMENT_FACTS) }, PAYMENT_MEMBERS)

const TALLY = { rows: COUNT, accepted: COUNT, refused: COUNT, unknown: COUNT, notSent: COUNT }
const RUN = { ...schemasBelow(RUN_FIELDS, ''), pixgate: objectOf(schemasBelow(RUN_FIELDS, 'pixgate')) }
const ROW_LINE = objectOf(
  {
    type: constant('row'),
    line: COUNT,
    externalId: TEXT,
    outcome: OUTCOME,
    status: orNull(TEXT),
    idTransaction: orNull(TEXT),
    errorCode: orNull(TEXT),
  },
  // Only of a row whose answer could not be recorded.
  { pixgate: objectOf({ warnings: list(TEXT) }) },
)
const REHEARSAL = describe(
  'What happened in the rehearsal',
  objectOf({
    type: constant('rehearsal'),
    rows: COUNT,
    fileRows: COUNT,
    faults: COUNT,
    kills: COUNT,
    starts: COUNT,
    paidOnce: COUNT,
    paidTwice: COUNT,
    missing: COUNT,
    totalCents: CENTS,
    paidCents: CENTS,
    fingerprint: TEXT,
    seed: COUNT,
    passed: BOOLEAN,
  }),
)
const SUMMARY_LINE = objectOf(
  {
    type: constant('summary'),
    run: TEXT,
    ...TALLY,
    acceptedBefore: COUNT,
    acceptedBeforeCents: CENTS,
    sentElsewhere: COUNT,
    sentElsewhereCents: CENTS,
    totalCents: CENTS,
    namesDiffer: COUNT,
  },
  // Only of a file of which something was left out.
  { pixgate: objectOf({ warnings: list(TEXT) }) },
)
const PLAN = objectOf({
  kind: enumOf(...MONEY_KINDS),
  reference: TEXT,
  encoding: orNull(TEXT),
  delimiter: orNull(TEXT),
  sheet: orNull(TEXT),
  headerLine: COUNT,
  skippedLines: list(objectOf({ line: COUNT, text: TEXT })),
  columns: OBJECT,
  rows: COUNT,
  totalCents: CENTS,
  namedRows: COUNT,
  firstNames: list(TEXT),
  totalLines: list(objectOf({ line: COUNT, totalCents: CENTS })),
  toSend: COUNT,
  toSendCents: CENTS,
  leftOut: objectOf({ accepted: COUNT, refused: COUNT, unknown: COUNT }),
  equalRows: COUNT,
  hiddenRows: COUNT,
  hiddenCents: CENTS,
  unusualRows: COUNT,
  newPayees: describe('Rows to payees that were added, without a confirmed payment since', COUNT),
  changedPayees: describe('Rows to payees whose key or owner was changed, without a confirmed payment since', COUNT),
  fingerprint: TEXT,
})
const RESUME_PLAN = objectOf({
  run: TEXT,
  rows: COUNT,
  neverSent: COUNT,
  unknown: COUNT,
  refused: COUNT,
  totalCents: orNull(CENTS),
  notAllowed: COUNT,
  notResent: list(objectOf({ line: COUNT, externalId: TEXT, sentAt: orNull(INSTANT) })),
})
const BATCH = describe(
  'One line each, the summary last; with --dry-run, --rehearse or --plan one object',
  either(ROW_LINE, SUMMARY_LINE, PLAN, REHEARSAL, MADE_PLAN),
)

/** An amount in cents that left the account if it is below zero. */
const CENTS_BELOW_ZERO = describe('In cents; below zero if it left the account', CENTS)
const MOVEMENT_SUMS = list(
  objectOf({ kind: enumOf(...MOVEMENT_KINDS), payments: COUNT, cents: CENTS_BELOW_ZERO, unknownAmounts: COUNT }),
)

/** The JSON of batches and history, by the names that `pixgate schema` gives them. */
export const LEDGER_SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  'batch-transfer': BATCH,
  'batch-refund': BATCH,
  resume: describe(
    'A payment, or the lines of a run; with --dry-run of a run one object',
    either(
      ROW_LINE,
      SUMMARY_LINE,
      RESUME_PLAN,
      MADE_PLAN,
      objectOf({ pixgate: objectOf({ outcome: OUTCOME }, PAYMENT_FACTS) }, PAYMENT_MEMBERS),
    ),
  ),
  'batch-list': list(objectOf(RUN)),
  'batch-report': objectOf({
    run: TEXT,
    file: TEXT,
    rows: COUNT,
    totalCents: CENTS,
    unknownAmounts: COUNT,
    leftOut: COUNT,
    namesDiffer: COUNT,
    pixgate: objectOf({ user: TEXT, machine: TEXT, storedBy: TEXT }),
    states: list(objectOf({ state: STATE, rows: COUNT, cents: CENTS, unknownAmounts: COUNT })),
  }),
  'batch-show': objectOf(RUN, {
    totalCents: CENTS,
    paid: COUNT,
    paidCents: CENTS,
    failed: COUNT,
    failedCents: CENTS,
    pending: COUNT,
    pendingCents: CENTS,
    returned: COUNT,
    returnedCents: CENTS,
    refusedCents: CENTS,
    unknownCents: CENTS,
    notSentCents: CENTS,
    leftOut: COUNT,
    leftOutCents: CENTS,
    namesDiffer: COUNT,
    fingerprint: TEXT,
    rowsDetail: list(objectOf({}, schemasBelow(ROW_FIELDS, ''))),
  }),
  history: list(PAYMENT),
  'history-find': list(PAYMENT),
  'history-show': describe('An object for one payment, an array for several', either(PAYMENT, list(PAYMENT))),
  'history-settle': PAYMENT,
  'history-report': objectOf({
    month: TEXT,
    from: INSTANT,
    until: INSTANT,
    file: TEXT,
    profile: orNull(TEXT),
    environment: enumOf(...ENVIRONMENTS),
    baseUrl: ADDRESS,
    clientId: TEXT,
    sums: MOVEMENT_SUMS,
    netCents: CENTS_BELOW_ZERO,
    unknownAmounts: COUNT,
    days: list(objectOf({ day: TEXT, netCents: CENTS_BELOW_ZERO, sums: MOVEMENT_SUMS })),
    apart: describe(
      'What is not in the net, in groups; groups without payments are left out',
      list(objectOf({ group: TEXT, payments: COUNT, cents: CENTS, unknownAmounts: COUNT })),
    ),
  }),
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
                verdict: VERDICT,
                gateway: orNull(OBJECT),
                statement: orNull(STATEMENT_LINE),
              },
            ),
          },
          PAYMENT_MEMBERS,
        ),
        objectOf({ idTransaction: orNull(TEXT), error: FAILURE }),
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
  ),
  'history-backup': objectOf({ file: TEXT, records: COUNT, bytes: COUNT }),
  'history-export': describe('One line each; the other fields depend on the type', {
    ...objectOf({ seq: COUNT, id: TEXT, at: INSTANT, user: TEXT, machine: TEXT, type: TEXT, digest: TEXT }),
    additionalProperties: true,
  }),
}
