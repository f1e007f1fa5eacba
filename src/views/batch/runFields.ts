import type { ChalkInstance } from 'chalk'
import type { RunFigures } from '../../batch/runTally.ts'
import type { RunWorker } from '../../batch/sendRows.ts'
import { MONEY_KINDS } from '../../ledger/facts.ts'
import type { ShownState } from '../../ledger/paymentState.ts'
import type { LedgerRecord, RunRecord } from '../../ledger/records.ts'
import { stateText } from '../../ledger/stateWords.ts'
import { formatReais } from '../../pix/amount.ts'
import { parseInstant } from '../../pix/calendar.ts'
import { ENVIRONMENTS } from '../../profiles/settings.ts'
import {
  ADDRESS,
  BOOLEAN,
  CENTS,
  COUNT,
  constant,
  enumOf,
  INSTANT,
  list,
  objectOf,
  orNull,
  REAIS,
  TEXT,
} from '../../schemas/jsonSchema.ts'
import { columnOf, type Field, fieldsOf } from '../../terminal/fields.ts'
import type { Column } from '../../terminal/printer.ts'
import type { LabelledRow } from '../../terminal/terminal.ts'
import { t } from '../../text/translate.ts'
import { stateColour } from '../payments/paymentCells.ts'
import { amountText, instantText, shortInstantText } from '../valueText.ts'

/** A run with the outcomes of its rows. */
export interface ListedRun {
  record: LedgerRecord<RunRecord>
  figures: RunFigures
  /** Who works on it now; null if no one does, as far as this machine knows. */
  worker: RunWorker | null
}

const WORKER = objectOf({ user: TEXT, machine: TEXT, since: INSTANT })

const field = fieldsOf<Field<ListedRun, ListedRun>>('')
const own = fieldsOf<Field<ListedRun, ListedRun>, 'pixgate'>('pixgate')

/** What is shown of a run, in the order of its JSON in `batch list` and `batch show`. A new field is a row here. */
export const RUN_FIELDS = [
  field('run', TEXT, ({ record }) => record.run)`its name, by which \`batch show\`, \`resume\` and \`status\` take it`,
  field('kind', enumOf(...MONEY_KINDS), ({ record }) => record.kind, {
    column: { drop: 2 },
  })`\`transfer\` or \`refund\``,
  field('file', orNull(TEXT), ({ record }) => record.file, {
    column: { isProse: true, text: ({ record }) => record.file ?? '-' },
  })`the name of the file`,
  field('reference', TEXT, ({ record }) => record.reference, {
    column: { isProse: true, drop: 3 },
  })`what the file is known by`,
  field('rows', COUNT, ({ record }) => record.rows, {
    column: { align: 'right' },
  })`rows to send, without those that an earlier run had sent`,
  field('accepted', COUNT, ({ figures }) => figures.accepted, {
    column: { align: 'right' },
  })`how many of them the gateway accepted`,
  field('refused', COUNT, ({ figures }) => figures.refused, {
    column: { align: 'right' },
  })`how many it refused`,
  field('unknown', COUNT, ({ figures }) => figures.unknown, {
    column: { align: 'right' },
  })`how many have an unknown outcome`,
  field('beingSent', COUNT, ({ figures }) => figures.beingSent, {
    column: { align: 'right' },
  })`how many are recorded to be sent and have no answer yet: on their way, or the next to leave`,
  field('notSent', COUNT, ({ figures }) => figures.notSent, {
    column: { align: 'right' },
  })`how many were not sent; these five add up to \`rows\``,
  field('date', INSTANT, ({ record }) => record.at, {
    path: 'startedAt',
    column: { text: ({ record }) => instantText(parseInstant(record.at) ?? null) },
  })`when it was started`,
  field('finished', BOOLEAN, ({ figures }) => isFinished(figures))`no row is unknown, being sent or not sent`,
  field('profile', orNull(TEXT), ({ record }) => record.owner.profile)`the profile that sent it`,
  field(
    'environment',
    enumOf(...ENVIRONMENTS),
    ({ record }) => record.owner.environment,
  )`\`production\` or \`sandbox\``,
  field('account', ADDRESS, ({ record }) => record.owner.baseUrl, { path: 'baseUrl' })`the gateway's address`,
  field('clientId', TEXT, ({ record }) => record.owner.clientId)`the client id there`,
  own('user', TEXT, ({ record }) => record.user)`who started it`,
  own('machine', TEXT, ({ record }) => record.machine)`on which machine`,
  own(
    'storedBy',
    TEXT,
    ({ record }) => record.login,
  )`whose login stored it in the ledger: another one only if a shared ledger took it over from another ledger`,
  own('worker', orNull(WORKER), ({ worker }) => worker, {
    column: null,
  })`who is working on it now, where, and since when; null if no one is`,
  field(
    'acceptedBefore',
    COUNT,
    ({ figures }) => figures.acceptedBefore,
  )`how many of the accepted ones an earlier attempt had made, in this ledger or elsewhere`,
  field('acceptedBeforeCents', CENTS, ({ figures }) => figures.acceptedBeforeCents)`their sum in cents`,
  field(
    'sentElsewhere',
    COUNT,
    ({ figures }) => figures.sentElsewhere,
  )`how many of these were first sent with another ledger, maybe another machine's, which counts them as well`,
  field('sentElsewhereCents', CENTS, ({ figures }) => figures.sentElsewhereCents)`their sum in cents`,
]

/** The fields of a CSV of runs. */
export const RUN_CSV = [
  ...['run', 'kind', 'file', 'reference', 'rows', 'accepted', 'refused', 'unknown', 'notSent', 'date', 'finished'],
  ...[
    'environment',
    'acceptedBefore',
    'acceptedBeforeCents',
    'sentElsewhere',
    'sentElsewhereCents',
    'user',
    'machine',
    'beingSent',
  ],
]

/** The columns of a list of runs for people. Where they were sent is only shown if it is not the same for all. */
export function runColumns(runs: readonly ListedRun[], nowMs: number): Column<ListedRun>[] {
  const environments = new Set(runs.map(({ record }) => record.owner.environment))
  const column = (name: (typeof RUN_FIELDS)[number]['name']): Column<ListedRun> => columnOf(RUN_FIELDS, name)
  const short = ({ record }: ListedRun) => shortInstantText(parseInstant(record.at) ?? null, nowMs)
  return [
    { ...column('date'), short },
    column('run'),
    ...(environments.size > 1 ? [column('environment')] : []),
    column('kind'),
    column('file'),
    column('reference'),
    column('rows'),
    { path: 'outcome', header: 'outcome', text: outcomeText, colour: outcomeColour },
  ]
}

/** A state of the rows of a run, and how many are in it. */
interface RunState {
  state: ShownState
  rows: number
  cents: number
  /** The rows of it that are no payments yet, so that no list of payments has them. */
  notStarted: number
}

/** How many rows of a run are in each state, those that no longer change first. Programs read some of these under older names. */
function runStates(figures: RunFigures): RunState[] {
  const of = (state: ShownState, rows: number, cents: number, notStarted = 0) => ({ state, rows, cents, notStarted })
  return [
    of('paid', figures.paid, figures.paidCents),
    of('accepted', figures.pending, figures.pendingCents),
    of('not-paid', figures.failed, figures.failedCents),
    of('returned', figures.returned, figures.returnedCents),
    of('refused', figures.refused, figures.refusedCents),
    of('unknown', figures.unknown, figures.unknownCents),
    of('being-sent', figures.beingSent, figures.beingSentCents),
    of('not-sent', figures.notSent, figures.notSentCents, figures.notStarted),
  ]
}

/** A number of rows, with how many of them are no payments yet if that is not the same for all. */
function notStartedText(text: string, { rows, notStarted }: Pick<RunState, 'rows' | 'notStarted'>): string {
  return notStarted === 0 || notStarted === rows ? text : t`${text}, ${notStarted} of them not started`
}

/** How many rows of a run are in each state, with their sums; states without rows are left out. */
export function stateCountRows(figures: RunFigures, out: ChalkInstance): LabelledRow[] {
  return runStates(figures)
    .filter(({ rows }) => rows > 0)
    .map((each) => [
      stateText(each.state),
      notStartedText(t`${each.rows}, ${amountText(each.cents)}`, each),
      stateColour(each.state, out) ?? out.yellow,
    ])
}

/** What became of the rows, the worst first: `unknown: 1, refused: 2, paid: 97`. */
function outcomeText({ figures }: ListedRun): string {
  const { acceptedBefore: before, acceptedBeforeCents: cents } = figures
  const parts = runStates(figures)
    .toReversed()
    .toSorted((one, other) => Number(other.state === 'unknown') - Number(one.state === 'unknown'))
    .filter(({ rows }) => rows > 0)
    .map((each) => notStartedText(`${stateText(each.state)}: ${each.rows}`, each))
  const text = parts.join(', ') || '—'
  return before === 0 ? text : t`${text} (accepted before: ${before}, ${formatReais(cents)})`
}

function outcomeColour({ figures }: ListedRun, style: ChalkInstance): ChalkInstance {
  if (figures.unknown > 0) return style.red.bold
  if (figures.refused + figures.failed + figures.returned > 0) return style.red
  return figures.notSent + figures.beingSent > 0 ? style.yellow : style.green
}

/** True if no row of a run is unknown, being sent or not sent. */
export function isFinished({
  unknown,
  beingSent,
  notSent,
}: Pick<RunFigures, 'unknown' | 'beingSent' | 'notSent'>): boolean {
  return unknown + beingSent + notSent === 0
}

const TALLY = { accepted: COUNT, refused: COUNT, unknown: COUNT, beingSent: COUNT, notSent: COUNT }
const BEFORE = {
  acceptedBefore: COUNT,
  acceptedBeforeCents: CENTS,
  sentElsewhere: COUNT,
  sentElsewhereCents: CENTS,
}

/**
 * The last line of the JSON of a batch. `totalCents` is the sum of all rows; `acceptedBefore` tells how many of the accepted ones an earlier
 * attempt had made, `sentElsewhere` how many of these another ledger sent first, and `namesDiffer` how many rows have another name in the file than
 * in an event.
 */
export const SUMMARY_LINE = objectOf(
  {
    type: constant('summary'),
    run: TEXT,
    rows: COUNT,
    ...TALLY,
    ...BEFORE,
    totalCents: CENTS,
    namesDiffer: COUNT,
  },
  // Only of a file of which something was left out.
  { pixgate: objectOf({ warnings: list(TEXT) }) },
)

/** The JSON of a rehearsal. */
export const REHEARSAL = objectOf({
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
})

/** What `batch show` has besides the fields of the run: the final states of its rows, with their sums. */
export const RUN_SUMS = {
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
  beingSentCents: CENTS,
  notSentCents: CENTS,
  leftOut: COUNT,
  leftOutCents: CENTS,
  namesDiffer: COUNT,
  fingerprint: TEXT,
}

/** A run as `status` shows it, but for `pixgate`. */
export const RUN_STATUS = {
  run: TEXT,
  kind: enumOf(...MONEY_KINDS),
  file: orNull(TEXT),
  reference: orNull(TEXT),
  rows: COUNT,
  amount: orNull(REAIS),
  status: enumOf('FINISHED', 'UNFINISHED'),
  accepted: COUNT,
  ...BEFORE,
  refused: COUNT,
  unknown: COUNT,
  beingSent: COUNT,
  notSent: COUNT,
  paid: COUNT,
  failed: COUNT,
  returned: COUNT,
  pending: COUNT,
  startedAt: INSTANT,
  finished: BOOLEAN,
}
