import {
  ADDRESS,
  BOOLEAN,
  CENTS,
  COUNT,
  constant,
  describe,
  either,
  INSTANT,
  type JsonSchema,
  list,
  OBJECT,
  orNull,
  REAIS,
  record,
  TEXT,
  words,
} from './jsonSchema.ts'
import { FAILURE, OUTCOME, WHOSE } from './payments.ts'

const STATE = words('not-sent', 'refused', 'accepted', 'unknown', 'paid', 'not-paid', 'returned')
const VERDICT = words('match', 'only-here', 'only-there', 'differs')

const PAYMENT_FACTS = {
  ...WHOSE,
  baseUrl: ADDRESS,
  kind: words('qr', 'refund', 'transfer'),
  outcome: OUTCOME,
  errorCode: orNull(TEXT),
  knownBy: words('gateway', 'event', 'person', 'ledger'),
}
const PAYMENT_IDS = {
  idTransaction: orNull(TEXT),
  requestNumber: TEXT,
  externalId: orNull(TEXT),
  originalTransactionId: TEXT,
  status: orNull(TEXT),
  amount: orNull(REAIS),
  key: TEXT,
  typeKey: TEXT,
}
const PAYMENT = record(
  { pixgate: record({ id: describe('Accepted by show, settle and resume', TEXT), state: STATE }, PAYMENT_FACTS) },
  PAYMENT_IDS,
)

const TALLY = { rows: COUNT, accepted: COUNT, refused: COUNT, unknown: COUNT, notSent: COUNT }
const RUN = {
  run: TEXT,
  kind: words('transfer', 'refund'),
  file: orNull(TEXT),
  reference: TEXT,
  ...TALLY,
  startedAt: INSTANT,
  finished: BOOLEAN,
}
const ROW_LINE = record({
  type: constant('row'),
  line: COUNT,
  externalId: TEXT,
  outcome: OUTCOME,
  status: orNull(TEXT),
  idTransaction: orNull(TEXT),
  errorCode: orNull(TEXT),
})
const SUMMARY_LINE = record({ type: constant('summary'), run: TEXT, ...TALLY, totalCents: CENTS })
const BATCH = describe('One line each, the summary last', either(ROW_LINE, SUMMARY_LINE))

/** The JSON of batches and history, by the names that `pixgate schema` gives them. */
export const RECORD_SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  'batch-transfer': BATCH,
  'batch-refund': BATCH,
  resume: describe(
    'A payment, or the lines of a run',
    either(ROW_LINE, SUMMARY_LINE, record({ pixgate: record({ outcome: OUTCOME }) }, PAYMENT_IDS)),
  ),
  'batch-list': list(record(RUN)),
  'batch-show': record(
    { ...RUN, rows: either(COUNT, list(OBJECT)) },
    {
      totalCents: CENTS,
      paid: COUNT,
      paidCents: CENTS,
      failed: COUNT,
      failedCents: CENTS,
      pending: COUNT,
      pendingCents: CENTS,
    },
  ),
  history: list(PAYMENT),
  'history-find': list(PAYMENT),
  'history-show': describe('An object for one payment, an array for several', either(OBJECT, list(OBJECT))),
  'history-settle': PAYMENT,
  'history-check': list(
    either(
      record({ pixgate: record({}, { verdict: VERDICT }) }, PAYMENT_IDS),
      record({ idTransaction: orNull(TEXT), error: FAILURE }),
    ),
  ),
  'history-import': record({ imported: COUNT, duplicates: COUNT, refused: COUNT }),
}
