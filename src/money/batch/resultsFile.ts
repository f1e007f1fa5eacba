import { type FileHandle, open, rename, rm } from 'node:fs/promises'
import { t } from '../../text/words.ts'
import type { MoneyIntent, OutcomeRecord, TimelineRecord } from '../../timeline/records.ts'
import type { TimelineFollower } from '../../timeline/timelineFollower.ts'
import { type Outcome, UsageError } from '../../wire/errors.ts'
import type { CheckedRow } from './batchFile.ts'
import type { KeptRow } from './keptRow.ts'
import type { LedgerIndex } from './ledgerIndex.ts'
import { type RowContext, standingOf } from './plan.ts'
import { type ResultsMode, type RowResult, resultLine, resultsHeader } from './resultsCsv.ts'

/** A file of results that is being made; it stands under its name when it is whole. */
export interface ResultsFile {
  /** Writes what became of every row. */
  write(
    columns: readonly string[],
    rows: AsyncIterable<CheckedRow | KeptRow>,
    ledger: { index: LedgerIndex; context: RowContext; follow(): TimelineFollower },
  ): Promise<void>
  /** Leaves nothing behind where it was not written. */
  close(): Promise<void>
}

/** So many rows are looked up in one reading of the timeline. */
const CHUNK_ROWS = 50_000

/** What the timeline holds of one entry. */
interface Told {
  intent: TimelineRecord<MoneyIntent>
  sentAt: string
  outcome: TimelineRecord<OutcomeRecord> | null
  idTransaction: string | null
}

/** Opens a file for results before anything is sent. Throws UsageError where it cannot be written. */
export async function openResults(path: string, mode: ResultsMode): Promise<ResultsFile> {
  const part = `${path}.part`
  const file = await open(part, 'w', 0o600).catch((error: unknown) => {
    if (!(error instanceof Error && 'code' in error)) throw error
    throw new UsageError(t`\`--results\`: ${path} cannot be written: ${String(error.code)}`, {
      details: [t`Nothing was sent`],
      hint: t`Name a file in a folder that exists and that you may write to`,
    })
  })
  let isOpen = true
  return {
    async write(columns, rows, { index, context, follow }) {
      await file.write(resultsHeader(columns, mode))
      let chunk: (CheckedRow | KeptRow)[] = []
      for await (const row of rows) {
        if (chunk.push(row) < CHUNK_ROWS) continue
        await writeChunk(file, await resultsOf(chunk, index, context, follow()), mode)
        chunk = []
      }
      await writeChunk(file, await resultsOf(chunk, index, context, follow()), mode)
      isOpen = false
      await file.close()
      await rename(part, path)
    },
    async close() {
      if (!isOpen) return
      isOpen = false
      await file.close()
      await rm(part, { force: true })
    },
  }
}

async function writeChunk(file: FileHandle, results: readonly RowResult[], mode: ResultsMode): Promise<void> {
  if (results.length > 0) await file.write(results.map((result) => resultLine(result, mode)).join(''))
}

async function resultsOf(
  rows: readonly (CheckedRow | KeptRow)[],
  index: LedgerIndex,
  context: RowContext,
  follower: TimelineFollower,
): Promise<RowResult[]> {
  const entries = rows.map((row) => {
    const entry = index.find(context.account, row.kind, row.id)
    return standingOf(index, row, context).as === 'other' ? undefined : entry
  })
  const told = await toldOf(follower, new Set(entries.filter((entry) => entry !== undefined)))
  return rows.map((row, place) => {
    const entry = entries[place]
    const facts = entry === undefined ? undefined : told.get(entry)
    const outcome = outcomeOf(standingOf(index, row, context).as, facts)
    const errorCode = outcome === 'refused' || outcome === 'unknown' ? (facts?.outcome?.code ?? null) : null
    const { line, cells, id } = row
    return {
      line,
      cells,
      externalId: facts?.intent.kind === 'transfer' ? facts.intent.externalId : id,
      idTransaction: facts?.idTransaction ?? null,
      outcome,
      status: facts?.outcome?.status ?? null,
      errorCode,
      message: messageOf(outcome, errorCode),
      sentAt: outcome === 'not-sent' ? null : (facts?.sentAt ?? null),
    }
  })
}

function outcomeOf(as: ReturnType<typeof standingOf>['as'], facts: Told | undefined): Outcome {
  if (as === 'other') return 'not-sent'
  if (as === 'accepted' && facts?.outcome?.outcome === 'accepted-before') return 'accepted-before'
  return as
}

function messageOf(outcome: Outcome, code: string | null): string | null {
  switch (outcome) {
    case 'refused':
      return code === null ? t`It was refused` : t`The gateway refused it with ${code}`
    case 'unknown':
      return t`Whether it was carried out is unknown`
    default:
      return null
  }
}

/** Reads what the timeline holds of these entries. */
async function toldOf(follower: TimelineFollower, wanted: ReadonlySet<number>): Promise<Map<number, Told>> {
  const told = new Map<number, Told>()
  const byIntent = new Map<string, Told>()
  let entry = 0
  for await (const records of follower.records()) {
    for (const record of records) {
      if (record.type === 'run' || (record.type === 'intent' && record.kind === 'qr')) continue
      if (record.type === 'intent') {
        if (wanted.has(entry)) {
          const facts: Told = { intent: record, sentAt: record.at, outcome: null, idTransaction: null }
          told.set(entry, facts)
          byIntent.set(record.id, facts)
        }
        entry += 1
        continue
      }
      const facts = byIntent.get(record.of)
      if (facts === undefined) continue
      if (record.type === 'attempt') facts.sentAt = record.at
      if (record.type !== 'outcome') continue
      facts.outcome = record
      facts.idTransaction ??= record.idTransaction
    }
  }
  return told
}
