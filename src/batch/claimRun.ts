import type { Ledger } from '../ledger/ledger.ts'
import { concludeEndedSenders, type SenderProcess } from '../ledger/processes.ts'
import type { RunRow } from '../ledger/records.ts'
import { addHeldRows, addRunRow, leaveOutAnswered } from '../ledger/runRows.ts'
import {
  addUnacceptedRun,
  claimReference,
  dropUnacceptedRun,
  type Run,
  setRunWorker,
  type UnacceptedRun,
} from '../ledger/runs.ts'
import type { Writer } from '../ledger/writer.ts'
import { holderSentence, workerSentence } from '../payments/conflictFailure.ts'
import { assertLedgerIsCurrent } from '../payments/currentLedger.ts'
import type { PaymentContext } from '../payments/paymentContext.ts'
import { only } from '../pix/expectedError.ts'
import { t } from '../text/translate.ts'
import { Failure, UsageError } from '../wire/errors.ts'
import { assertNoFaults, type BatchFile, type FileJudgement, judgeBatchFile } from './batchFile.ts'
import { batchInterrupted } from './runPreview.ts'

/** Rows that are added in one transaction, so that other processes can write between two. */
const GROUP_ROWS = 1000

/**
 * Adds an unaccepted run without rows, and keeps every other process from working on its reference. Throws UsageError that names the process that does,
 * or if the ledger cannot be trusted.
 */
export async function claimRun(context: PaymentContext, run: UnacceptedRun): Promise<void> {
  await claim(context, run, run.isDryRun, (writer, sender, folder) => addUnacceptedRun(writer, sender, folder, run))
}

/** Takes an accepted run for this process, and keeps every other process from working on its reference. Throws like {@link claimRun}. */
export async function claimAcceptedRun(context: PaymentContext, { record }: Run): Promise<void> {
  await claim(context, record, false, ({ database }, sender) => setRunWorker(database, record.run, sender.id))
}

type ClaimedRun = Pick<UnacceptedRun, 'run' | 'owner' | 'kind' | 'reference'>

async function claim(
  context: PaymentContext,
  claimed: ClaimedRun,
  isDryRun: boolean,
  take: (writer: Writer, sender: SenderProcess, folder: string) => void,
): Promise<void> {
  const { ledger } = context
  const sender = await ledger.sender()
  const { folder } = ledger.environment
  await ledger.write((writer) => {
    assertLedgerIsCurrent(context, writer.database)
    // Payments that a dead process was sending have an unknown outcome, in the preview too.
    concludeEndedSenders(writer, sender, folder)
  })
  const holder = await ledger.writeHere((writer) => {
    const other = isDryRun ? undefined : claimReference(writer, sender, folder, claimed)
    if (other === undefined) take(writer, sender, folder)
    return other
  })
  if (holder !== undefined) throw claimedFailure(claimed, holderSentence(holder))
  const elsewhere = isDryRun ? undefined : await ledger.activities?.claim('run', teamClaim(claimed))
  if (elsewhere !== undefined) throw claimedFailure(claimed, workerSentence(elsewhere))
}

/** What keeps the other machines of a team from working on the reference of a run. */
function teamClaim({ run, owner: { baseUrl, clientId }, kind, reference }: ClaimedRun) {
  return { run, claim: JSON.stringify([baseUrl, clientId, kind, reference]) }
}

function claimedFailure({ reference }: ClaimedRun, who: string): UsageError {
  return new UsageError(t`Another process is working on the batch ${reference}`, {
    details: [who, t`Nothing was sent from here`],
    hint: t`Wait for it to finish; run \`pixgate batch list\` to see its progress`,
  })
}

/**
 * Reads a file into an unaccepted run, once. `callbackUrl` gives the callback URL of rows that name none. Throws UsageError with the faults of
 * the file, or if it has no rows; Cancelled at an interrupt; what `callbackUrl` throws.
 */
export async function readFileIntoRun(
  { ledger, terminal, interrupt }: PaymentContext,
  file: BatchFile,
  run: string,
  callbackUrl: () => string,
): Promise<FileJudgement> {
  const group: RunRow[] = []
  const heldIds: string[] = []
  let rows = 0
  const store = async () => {
    const [stored, held] = [group.splice(0), heldIds.splice(0)]
    if (held.length > 0) await ledger.writeHere(({ database }) => addHeldRows(database, run, held))
    await addRunRows(ledger, run, stored)
    rows += stored.length
    if (stored.length > 0) terminal.progress(rows === 1 ? t`Read 1 row` : t`Read ${rows} rows`)
  }
  const judgement = await judgeBatchFile(file, async (row, isHeld) => {
    if (isHeld) heldIds.push(row.rowId)
    else group.push({ ...row, facts: { ...row.facts, callbackUrl: row.facts.callbackUrl || callbackUrl() } })
    if (group.length + heldIds.length < GROUP_ROWS) return
    if (interrupt.aborted) throw batchInterrupted()
    await store()
  })
  if (judgement.faultCount === 0) await store()
  if (interrupt.aborted) throw batchInterrupted()
  const { accepted, unknown } = judgement.elsewhere
  assertNoFaults({ ...judgement, count: judgement.count + accepted + unknown })
  return judgement
}

/** Adds rows to an unaccepted run, and leaves out those that were sent under its reference before. */
export async function addRunRows(ledger: Ledger, run: string, rows: readonly RunRow[]): Promise<void> {
  for (let from = 0; from < rows.length; from += GROUP_ROWS) {
    const group = rows.slice(from, from + GROUP_ROWS)
    await ledger.writeHere(({ database }) => {
      for (const row of group) addRunRow(database, run, row)
      leaveOutAnswered(database, run, Math.min(...group.map(({ line }) => line)))
    })
  }
}

/** Removes a run whose question was not accepted. If the ledger cannot be written now, the next batch removes it. */
export async function dropRun({ ledger }: PaymentContext, run: string): Promise<void> {
  await ledger.writeHere(({ database }) => dropUnacceptedRun(database, run)).catch(only(Failure, () => undefined))
}
