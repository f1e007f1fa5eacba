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
  orNull,
  record,
  TEXT,
} from '../../schemas/jsonSchema.ts'
import { schemasBelow } from '../../terminal/fields.ts'
import { FAILURE, OUTCOME, PAYMENT_FACTS, PAYMENT_MEMBERS, STATE } from './payments.ts'

const VERDICT = enumOf('match', 'only-here', 'only-there', 'differs', 'agrees', 'open', 'late', 'unknown')

const ID = describe('Accepted by show, settle and resume', TEXT)
const PAYMENT = record({ pixgate: record({ id: ID, state: STATE }, PAYMENT_FACTS) }, PAYMENT_MEMBERS)

const TALLY = { rows: COUNT, accepted: COUNT, refused: COUNT, unknown: COUNT, notSent: COUNT }
const RUN = schemasBelow(RUN_FIELDS, '')
const ROW_LINE = record(
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
  { pixgate: record({ warnings: list(TEXT) }) },
)
const REHEARSAL = describe(
  'What happened in the rehearsal',
  record({
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
const SUMMARY_LINE = record({
  type: constant('summary'),
  run: TEXT,
  ...TALLY,
  acceptedBefore: COUNT,
  totalCents: CENTS,
  namesDiffer: COUNT,
})
const PLAN = record({
  kind: enumOf('transfer', 'refund'),
  reference: TEXT,
  encoding: orNull(TEXT),
  delimiter: orNull(TEXT),
  sheet: orNull(TEXT),
  rows: COUNT,
  totalCents: CENTS,
  toSend: COUNT,
  toSendCents: CENTS,
  leftOut: record({ accepted: COUNT, refused: COUNT, unknown: COUNT }),
  equalRows: COUNT,
  hiddenRows: COUNT,
  hiddenCents: CENTS,
  unusualRows: COUNT,
  fingerprint: TEXT,
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
    'A payment, or the lines of a run',
    either(ROW_LINE, SUMMARY_LINE, record({ pixgate: record({ outcome: OUTCOME }, PAYMENT_FACTS) }, PAYMENT_MEMBERS)),
  ),
  'batch-list': list(record(RUN)),
  'batch-report': record({
    run: TEXT,
    file: TEXT,
    format: enumOf('csv', 'xlsx', 'html'),
    rows: COUNT,
    totalCents: CENTS,
    leftOut: COUNT,
    namesDiffer: COUNT,
    states: list(record({ state: STATE, rows: COUNT, cents: CENTS })),
  }),
  'batch-show': record(RUN, {
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
    rowsDetail: list(record({}, schemasBelow(ROW_FIELDS, ''))),
  }),
  history: list(PAYMENT),
  'history-find': list(PAYMENT),
  'history-show': describe('An object for one payment, an array for several', either(PAYMENT, list(PAYMENT))),
  'history-settle': PAYMENT,
  'history-check': either(
    list(
      either(
        record(
          {
            pixgate: record(
              {},
              { ...PAYMENT_FACTS, id: ID, verdict: VERDICT, gateway: OBJECT, statement: orNull(OBJECT) },
            ),
          },
          PAYMENT_MEMBERS,
        ),
        record({ idTransaction: orNull(TEXT), error: FAILURE }),
      ),
    ),
    describe('With --accept-older', record({ accepted: BOOLEAN, missing: COUNT }, { lastKnown: COUNT, last: COUNT })),
  ),
  'history-import': record({
    imported: COUNT,
    duplicates: COUNT,
    refused: list(record({ line: COUNT, reason: TEXT })),
  }),
  'history-backup': record({ file: TEXT, records: COUNT, bytes: COUNT }),
  'history-export': describe('One line each; the other fields depend on the type', {
    ...record({ seq: COUNT, id: TEXT, at: INSTANT, user: TEXT, machine: TEXT, type: TEXT, digest: TEXT }),
    additionalProperties: true,
  }),
}
