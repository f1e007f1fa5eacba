import type { LedgerRecord, RunRecord } from '../ledger/records.ts'
import { parseInstant } from '../pix/calendar.ts'
import { ADDRESS, BOOLEAN, COUNT, enumOf, INSTANT, orNull, TEXT } from '../schemas/jsonSchema.ts'
import type { Field } from '../terminal/fields.ts'
import { instantText } from '../views/valueText.ts'
import type { RunTally } from './runTally.ts'

/** A run with the outcomes of its rows. */
export interface ListedRun {
  record: LedgerRecord<RunRecord>
  tally: RunTally
}

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
    schema: enumOf('transfer', 'refund'),
    mask: 'public',
    column: { drop: 4 },
    csv: 2,
    meaning: '`transfer` or `refund`',
  },
  {
    name: 'file',
    path: 'file',
    json: ({ record }) => record.file,
    schema: orNull(TEXT),
    mask: 'public',
    column: { isProse: true, drop: 7 },
    csv: 3,
    meaning: 'the name of the file',
  },
  {
    name: 'reference',
    path: 'reference',
    json: ({ record }) => record.reference,
    schema: TEXT,
    mask: 'public',
    column: { isProse: true },
    csv: 4,
    meaning: 'what the file is known by',
  },
  {
    name: 'rows',
    path: 'rows',
    json: ({ record }) => record.rows,
    schema: COUNT,
    mask: 'public',
    column: { align: 'right', drop: 3 },
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
    column: { drop: 5, text: ({ record }) => instantText(parseInstant(record.at) ?? null) },
    csv: 10,
    meaning: 'when it was started',
  },
  {
    name: 'finished',
    path: 'finished',
    json: ({ tally }) => tally.unknown === 0 && tally.notSent === 0,
    schema: BOOLEAN,
    mask: 'public',
    column: { drop: 6 },
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
    schema: enumOf('sandbox', 'production'),
    mask: 'public',
    column: { drop: 1 },
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
] as const satisfies readonly Field<ListedRun, ListedRun>[]
