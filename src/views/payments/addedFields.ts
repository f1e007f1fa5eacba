import { PAYMENT_STATES } from '../../ledger/paymentState.ts'
import { BOOLEAN, COUNT, enumOf, INSTANT, list, OBJECT, orNull, REAIS, TEXT } from '../../schemas/jsonSchema.ts'
import { type Field, type Members, schemaOfMembers } from '../../terminal/fields.ts'
import { maskText } from '../personalData.ts'
import { differencesText, type PaymentItem, timeText, verdictColour } from './paymentCells.ts'

/** The properties in which a payment can differ from what was expected. */
const DIFFERENCES = ['amount', 'sign', 'status']

const VERDICTS = [
  'match',
  'differs',
  'missing',
  'only-here',
  'only-there',
  'duplicate',
  'agrees',
  'open',
  'late',
  'unknown',
]

const REFUND_MEMBERS = {
  id: { schema: TEXT, mask: 'public' },
  idTransaction: { schema: orNull(TEXT), mask: 'public' },
  amount: { schema: orNull(REAIS), mask: 'public' },
  reason: { schema: orNull(TEXT), mask: maskText },
  state: { schema: enumOf(...PAYMENT_STATES), mask: 'public' },
  status: { schema: orNull(TEXT), mask: 'public' },
  at: { schema: INSTANT, mask: 'public' },
  user: { schema: TEXT, mask: 'public' },
  machine: { schema: TEXT, mask: 'public' },
} satisfies Members

const PROSE = { schema: TEXT, mask: maskText }

/** What single commands add to the JSON of a payment. */
export const ADDED_FIELDS = [
  {
    name: 'paidAt',
    path: 'paidAt',
    schema: orNull(INSTANT),
    mask: 'public',
    column: { drop: 2, text: (item) => timeText(item, 'paidAt') },
    meaning: 'when a charge was paid, as the gateway answered',
  },
  {
    name: 'nameInFile',
    path: 'pixgate.nameInFile',
    schema: orNull(TEXT),
    mask: maskText,
    meaning: 'in `history show`: the name in the file of the batch',
  },
  {
    name: 'nameInEvent',
    path: 'pixgate.nameInEvent',
    schema: orNull(TEXT),
    mask: maskText,
    meaning: 'the name that an event of the payment has',
  },
  {
    name: 'namesDiffer',
    path: 'pixgate.namesDiffer',
    schema: orNull(BOOLEAN),
    mask: 'public',
    meaning:
      'these names differ: compared without case, accents, punctuation and company suffixes such as `LTDA`; empty unless both are known',
  },
  {
    name: 'refundedAmount',
    path: 'pixgate.refundedAmount',
    schema: orNull(REAIS),
    mask: 'public',
    column: null,
    meaning: 'what was refunded',
  },
  {
    name: 'refunds',
    path: 'pixgate.refunds',
    schema: list(schemaOfMembers(REFUND_MEMBERS)),
    mask: 'public',
    members: REFUND_MEMBERS,
    column: null,
    meaning: 'the refunds',
  },
  {
    name: 'verdict',
    path: 'pixgate.verdict',
    schema: enumOf(...VERDICTS),
    mask: 'public',
    column: { colour: verdictColour },
    meaning: 'how it compares with what was expected, or with what the statement or the gateway says',
  },
  {
    name: 'in',
    path: 'pixgate.differences',
    schema: list(enumOf(...DIFFERENCES)),
    mask: 'public',
    column: { drop: 1, text: differencesText },
    meaning: 'what differs',
  },
  {
    name: 'matchedBy',
    path: 'pixgate.matchedBy',
    schema: orNull(enumOf('id', 'by-amount')),
    mask: 'public',
    meaning: 'how a line of a statement was matched: by our id, or by amount, day and name; empty if it was not',
  },
  {
    name: 'ambiguous',
    path: 'pixgate.ambiguous',
    schema: BOOLEAN,
    mask: 'public',
    meaning: 'several payments or lines of a statement agree, and it is not known which belong together',
  },
  {
    name: 'possibleEvents',
    path: 'possibleEvents',
    schema: list(orNull(COUNT)),
    mask: 'public',
    column: null,
    meaning: 'in `history show`: the numbers of events that may be about it',
  },
  {
    name: 'attemptDetails',
    path: 'attempts',
    schema: list(OBJECT),
    mask: 'public',
    members: { errorMessage: PROSE, 'finding.because': PROSE },
    column: null,
    meaning: 'in `history show`: each attempt',
  },
  {
    name: 'answers',
    path: 'answers',
    schema: list(OBJECT),
    mask: 'public',
    members: { message: PROSE },
    column: null,
    meaning: 'in `history show`: what the gateway answered to each request',
  },
  {
    name: 'events',
    path: 'events',
    schema: list(OBJECT),
    mask: 'public',
    members: { errorMessage: PROSE },
    column: null,
    meaning: 'in `history show`: the events of the payment',
  },
  {
    name: 'findings',
    path: 'findings',
    schema: list(OBJECT),
    mask: 'public',
    members: { because: PROSE },
    column: null,
    meaning: 'in `history show`: what people found out',
  },
  {
    name: 'timeline',
    path: 'timeline',
    schema: list(OBJECT),
    mask: 'public',
    members: { message: PROSE, errorMessage: PROSE, because: PROSE },
    column: null,
    meaning: 'in `history show`: all records, in the order in which they were written',
  },
] as const satisfies readonly Field<never, PaymentItem>[]
