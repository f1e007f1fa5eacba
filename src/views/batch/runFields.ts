import type { ChalkInstance } from 'chalk'
import { beforeDocument, type RunTally } from '../../batch/runTally.ts'
import type { RunWorker } from '../../batch/sendRows.ts'
import type { AcceptedBefore } from '../../ledger/acceptedBefore.ts'
import { MONEY_KINDS } from '../../ledger/facts.ts'
import type { LedgerRecord, RunRecord } from '../../ledger/records.ts'
import { formatReais } from '../../pix/amount.ts'
import { parseInstant } from '../../pix/calendar.ts'
import { ENVIRONMENTS } from '../../profiles/profile.ts'
import { ADDRESS, BOOLEAN, CENTS, COUNT, enumOf, INSTANT, orNull, TEXT } from '../../schemas/jsonSchema.ts'
import { columnOf, type Field, type Members, schemaOfMembers } from '../../terminal/fields.ts'
import type { Column } from '../../terminal/printer.ts'
import { t } from '../../text/translate.ts'
import { instantText, shortInstantText } from '../valueText.ts'

/** A run with the outcomes of its rows. */
export interface ListedRun {
  record: LedgerRecord<RunRecord>
  tally: RunTally
  before: AcceptedBefore
  /** Who works on it now; null if nobody does, as far as it is known here. */
  worker: RunWorker | null
}

const WORKER_MEMBERS = {
  user: { schema: TEXT, mask: 'public' },
  machine: { schema: TEXT, mask: 'public' },
  since: { schema: INSTANT, mask: 'public' },
} satisfies Members

/** What is shown of a run, in the order of its JSON in `batch list` and `batch show`. A new field is a row here. */
export const RUN_FIELDS = [
  {
    name: 'run',
    path: 'run',
    json: ({ record }) => record.run,
    schema: TEXT,
    mask: 'public',
    csv: 1,
    meaning: 'its name, by which `batch show`, `resume` and `status` take it',
  },
  {
    name: 'kind',
    path: 'kind',
    json: ({ record }) => record.kind,
    schema: enumOf(...MONEY_KINDS),
    mask: 'public',
    column: { drop: 2 },
    csv: 2,
    meaning: '`transfer` or `refund`',
  },
  {
    name: 'file',
    path: 'file',
    json: ({ record }) => record.file,
    schema: orNull(TEXT),
    mask: 'public',
    column: { isProse: true, text: ({ record }) => record.file ?? '-' },
    csv: 3,
    meaning: 'the name of the file',
  },
  {
    name: 'reference',
    path: 'reference',
    json: ({ record }) => record.reference,
    schema: TEXT,
    mask: 'public',
    column: { isProse: true, drop: 3 },
    csv: 4,
    meaning: 'what the file is known by',
  },
  {
    name: 'rows',
    path: 'rows',
    json: ({ record }) => record.rows,
    schema: COUNT,
    mask: 'public',
    column: { align: 'right' },
    csv: 5,
    meaning: 'rows to send, without those that an earlier run had sent',
  },
  {
    name: 'accepted',
    path: 'accepted',
    json: ({ tally }) => tally.accepted,
    schema: COUNT,
    mask: 'public',
    column: { align: 'right' },
    csv: 6,
    meaning: 'how many of them the gateway accepted',
  },
  {
    name: 'refused',
    path: 'refused',
    json: ({ tally }) => tally.refused,
    schema: COUNT,
    mask: 'public',
    column: { align: 'right' },
    csv: 7,
    meaning: 'how many it refused',
  },
  {
    name: 'unknown',
    path: 'unknown',
    json: ({ tally }) => tally.unknown,
    schema: COUNT,
    mask: 'public',
    column: { align: 'right' },
    csv: 8,
    meaning: 'how many have an unknown outcome',
  },
  {
    name: 'notSent',
    path: 'notSent',
    json: ({ tally }) => tally.notSent,
    schema: COUNT,
    mask: 'public',
    column: { align: 'right' },
    csv: 9,
    meaning: 'how many were not sent; these four add up to `rows`',
  },
  {
    name: 'date',
    path: 'startedAt',
    json: ({ record }) => record.at,
    schema: INSTANT,
    mask: 'public',
    column: { text: ({ record }) => instantText(parseInstant(record.at) ?? null) },
    csv: 10,
    meaning: 'when it was started',
  },
  {
    name: 'finished',
    path: 'finished',
    json: ({ tally }) => tally.unknown === 0 && tally.notSent === 0,
    schema: BOOLEAN,
    mask: 'public',
    csv: 11,
    meaning: 'no row is unknown or not sent',
  },
  {
    name: 'profile',
    path: 'profile',
    json: ({ record }) => record.owner.profile,
    schema: orNull(TEXT),
    mask: 'public',
    meaning: 'the profile that sent it',
  },
  {
    name: 'environment',
    path: 'environment',
    json: ({ record }) => record.owner.environment,
    schema: enumOf(...ENVIRONMENTS),
    mask: 'public',
    csv: 12,
    meaning: '`production` or `sandbox`',
  },
  {
    name: 'account',
    path: 'baseUrl',
    json: ({ record }) => record.owner.baseUrl,
    schema: ADDRESS,
    mask: 'public',
    meaning: "the gateway's address",
  },
  {
    name: 'clientId',
    path: 'clientId',
    json: ({ record }) => record.owner.clientId,
    schema: TEXT,
    mask: 'public',
    meaning: 'the client id there',
  },
  {
    name: 'user',
    path: 'pixgate.user',
    json: ({ record }) => record.user,
    schema: TEXT,
    mask: 'public',
    csv: 17,
    meaning: 'who started it',
  },
  {
    name: 'machine',
    path: 'pixgate.machine',
    json: ({ record }) => record.machine,
    schema: TEXT,
    mask: 'public',
    csv: 18,
    meaning: 'on which machine',
  },
  {
    name: 'storedBy',
    path: 'pixgate.storedBy',
    json: ({ record }) => record.login,
    schema: TEXT,
    mask: 'public',
    meaning:
      'whose login stored it in the ledger: another one only if a shared ledger took it over from another ledger',
  },
  {
    name: 'worker',
    path: 'pixgate.worker',
    json: ({ worker }) => worker,
    schema: orNull(schemaOfMembers(WORKER_MEMBERS)),
    mask: 'public',
    members: WORKER_MEMBERS,
    column: null,
    meaning: 'who works on it now, where and since when; empty if nobody does',
  },
  {
    name: 'acceptedBefore',
    path: 'acceptedBefore',
    json: ({ before }) => beforeDocument(before).acceptedBefore,
    schema: COUNT,
    mask: 'public',
    csv: 13,
    meaning: 'how many of the accepted ones an earlier attempt had made, in this ledger or elsewhere',
  },
  {
    name: 'acceptedBeforeCents',
    path: 'acceptedBeforeCents',
    json: ({ before }) => beforeDocument(before).acceptedBeforeCents,
    schema: CENTS,
    mask: 'public',
    csv: 14,
    meaning: 'their sum in cents',
  },
  {
    name: 'sentElsewhere',
    path: 'sentElsewhere',
    json: ({ before }) => beforeDocument(before).sentElsewhere,
    schema: COUNT,
    mask: 'public',
    csv: 15,
    meaning:
      "how many of these were first sent with another ledger, maybe another machine's, which counts them as well",
  },
  {
    name: 'sentElsewhereCents',
    path: 'sentElsewhereCents',
    json: ({ before }) => beforeDocument(before).sentElsewhereCents,
    schema: CENTS,
    mask: 'public',
    csv: 16,
    meaning: 'their sum in cents',
  },
] as const satisfies readonly Field<ListedRun, ListedRun>[]

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

/** What became of the rows, the worst first: `1 unknown, 2 refused, 97 accepted`. */
function outcomeText({ tally: { accepted, refused, unknown, notSent }, before }: ListedRun): string {
  const parts = [
    ...(unknown > 0 ? [t`${unknown} unknown`] : []),
    ...(notSent > 0 ? [t`${notSent} not sent`] : []),
    ...(refused > 0 ? [t`${refused} refused`] : []),
    ...(accepted > 0 ? [acceptedText(accepted, before)] : []),
  ]
  return parts.join(', ') || '—'
}

function acceptedText(accepted: number, { rows, cents }: ListedRun['before']): string {
  return rows === 0 ? t`${accepted} accepted` : t`${accepted} accepted (${rows} before, ${formatReais(cents)})`
}

function outcomeColour({ tally }: ListedRun, style: ChalkInstance): ChalkInstance {
  if (tally.unknown > 0) return style.red.bold
  if (tally.refused > 0) return style.red
  return tally.notSent > 0 ? style.yellow : style.green
}
