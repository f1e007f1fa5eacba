import { ROW_FIELDS } from '../../batch/rowFields.ts'
import { RUN_FIELDS } from '../../batch/runFields.ts'
import {
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
  TEXT,
} from '../../schemas/jsonSchema.ts'
import { schemasBelow } from '../../terminal/fields.ts'
import { FAILURE, OUTCOME, PAYMENT_FACTS, PAYMENT_MEMBERS, STATE } from './payments.ts'

const VERDICT = enumOf('match', 'only-here', 'only-there', 'differs', 'agrees', 'open', 'late', 'unknown')

const ID = describe('Accepted by show, settle and resume', TEXT)
const PAYMENT = objectOf({ pixgate: objectOf({ id: ID, state: STATE }, PAYMENT_FACTS) }, PAYMENT_MEMBERS)

const TALLY = { rows: COUNT, accepted: COUNT, refused: COUNT, unknown: COUNT, notSent: COUNT }
const RUN = schemasBelow(RUN_FIELDS, '')
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
const SUMMARY_LINE = objectOf({
  type: constant('summary'),
  run: TEXT,
  ...TALLY,
  acceptedBefore: COUNT,
  totalCents: CENTS,
  namesDiffer: COUNT,
})
const PLAN = objectOf({
  kind: enumOf('transfer', 'refund'),
  reference: TEXT,
  encoding: orNull(TEXT),
  delimiter: orNull(TEXT),
  sheet: orNull(TEXT),
  rows: COUNT,
  totalCents: CENTS,
  toSend: COUNT,
  toSendCents: CENTS,
  leftOut: objectOf({ accepted: COUNT, refused: COUNT, unknown: COUNT }),
  equalRows: COUNT,
  hiddenRows: COUNT,
  hiddenCents: CENTS,
  unusualRows: COUNT,
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
  'One line each, the summary last; with --dry-run or --rehearse one object',
  either(ROW_LINE, SUMMARY_LINE, PLAN, REHEARSAL),
)

/** The JSON of batches and history, by the names that `pixgate schema` gives them. */
export const RECORD_SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  'batch-transfer': BATCH,
  'batch-refund': BATCH,
  resume: describe(
    'A payment, or the lines of a run; with --dry-run of a run one object',
    either(
      ROW_LINE,
      SUMMARY_LINE,
      RESUME_PLAN,
      objectOf({ pixgate: objectOf({ outcome: OUTCOME }, PAYMENT_FACTS) }, PAYMENT_MEMBERS),
    ),
  ),
  'batch-list': list(objectOf(RUN)),
  'batch-report': objectOf({
    run: TEXT,
    file: TEXT,
    format: enumOf('csv', 'xlsx', 'html'),
    rows: COUNT,
    totalCents: CENTS,
    leftOut: COUNT,
    namesDiffer: COUNT,
    states: list(objectOf({ state: STATE, rows: COUNT, cents: CENTS })),
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
    user: TEXT,
    machine: TEXT,
    rowsDetail: list(objectOf({}, schemasBelow(ROW_FIELDS, ''))),
  }),
  history: list(PAYMENT),
  'history-find': list(PAYMENT),
  'history-show': describe('An object for one payment, an array for several', either(PAYMENT, list(PAYMENT))),
  'history-settle': PAYMENT,
  'history-check': either(
    list(
      either(
        objectOf(
          {
            pixgate: objectOf(
              {},
              { ...PAYMENT_FACTS, id: ID, verdict: VERDICT, gateway: orNull(OBJECT), statement: orNull(OBJECT) },
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
  'history-backup': objectOf({ file: TEXT, records: COUNT, bytes: COUNT }),
  'history-export': describe('One line each; the other fields depend on the type', {
    ...objectOf({ seq: COUNT, id: TEXT, at: INSTANT, user: TEXT, machine: TEXT, type: TEXT, digest: TEXT }),
    additionalProperties: true,
  }),
}
