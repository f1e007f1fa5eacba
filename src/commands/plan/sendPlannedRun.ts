import { claimRun, dropRun } from '../../batch/claimRun.ts'
import type { PlanReview } from '../../batch/planReview.ts'
import { lookUpOriginals } from '../../batch/refundOriginals.ts'
import { makeRunPlan, type RunOrder, UNSENT_ROWS } from '../../batch/runPlan.ts'
import type { Context } from '../../context.ts'
import type { RunRow } from '../../ledger/records.ts'
import { addRunRow } from '../../ledger/runRow.ts'
import { leaveOutAnswered } from '../../ledger/runRows.ts'
import { acceptRun } from '../../ledger/runs.ts'
import { askConsent } from '../../payments/consent.ts'
import { ownerOf, type PaymentContext } from '../../payments/paymentContext.ts'
import { formatReais } from '../../pix/amount.ts'
import type { OpenPlan } from '../../plans/plan.ts'
import { t } from '../../text/translate.ts'
import { reviewRows } from '../../views/plans/planText.ts'
import { UsageError } from '../../wire/errors.ts'
import { assertNoConflicts, assertWithinLimits } from '../batch/planFailures.ts'
import { DEFAULT_SENDING } from '../batch/runOptions.ts'
import { checkRun, sendRun } from '../batch/sendRun.ts'

/** Rows that are added in one transaction, so that other processes can write between two. */
const GROUP_ROWS = 1000

/** The name of a new run. */
export function runOf(id: string): string {
  return `run-${id.replaceAll('-', '').slice(0, 12)}`
}

/** Sends the rows of a plan as a run: with the rules, the question and the report of a batch. Returns the exit code. */
export async function sendPlannedRun(
  context: Context,
  payments: PaymentContext,
  open: OpenPlan,
  run: string,
  review: PlanReview,
): Promise<number> {
  const { batch, kind, repeats = { again: false, inAdditionTo: [], despiteChargeback: false } } = open.plan
  if (batch === undefined || kind === 'profile') throw new Error('a plan without a batch is sent as a run')
  const { reference, file, columns, fields } = batch
  const isReferenceTyped = true
  const planned = { run, kind, owner: ownerOf(payments.account), file, reference, isReferenceTyped, columns, fields }
  await claimRun(payments, { ...planned, isDryRun: false })
  let isAccepted = false
  try {
    await addRows(payments, run, rowsOf(open))
    if (kind === 'refund') {
      await lookUpOriginals(payments, { run, skipQuery: false, concurrency: DEFAULT_SENDING.concurrency })
    }
    const order: RunOrder = {
      run,
      kind,
      reference,
      isReferenceTyped,
      selection: UNSENT_ROWS,
      limit: null,
      repeats,
    }
    const plan = await makeRunPlan(payments, order)
    await assertNoConflicts(payments, plan)
    assertWithinLimits(payments, plan)
    if (plan.count === 0) throw nothingLeft(open.id)
    const { count: rows, cents: totalCents, fingerprint } = plan
    await checkRun(payments, plan, false)
    await askConsent(payments, {
      amountCents: totalCents,
      rows: [
        [t`file`, t`${file ?? '-'}, reference ${reference}`],
        [t`to send`, String(rows), context.terminal.err.bold],
        ...reviewRows(review, context.terminal.err),
        [t`sent today`, t`${formatReais(plan.sentTodayCents)} without these`],
      ],
      text:
        rows === 1
          ? t`Send 1 payment, ${formatReais(totalCents)}?`
          : t`Send ${rows} payments, ${formatReais(totalCents)} in total?`,
    })
    const accepted = { ...planned, ignored: [], rows, totalCents, fingerprint, sending: DEFAULT_SENDING }
    const record = await payments.ledger.write((writer) => acceptRun(writer, accepted))
    isAccepted = true
    context.terminal.note(t`The run is ${run}`)
    return await sendRun(context, payments, { run: { record, columns, fields }, plan }, DEFAULT_SENDING)
  } finally {
    if (!isAccepted) await dropRun(payments, run)
  }
}

function rowsOf({ plan, requests }: OpenPlan): RunRow[] {
  const rows = plan.rows ?? []
  return requests.flatMap(({ facts }, index) => {
    const row = rows[index]
    if (row === undefined) return []
    const { line, id: rowId, isTypedId, cells } = row
    return [{ line, rowId, isTypedId, cells, facts, originalCents: null, isLeftOut: false }]
  })
}

async function addRows({ ledger }: PaymentContext, run: string, rows: readonly RunRow[]): Promise<void> {
  for (let from = 0; from < rows.length; from += GROUP_ROWS) {
    const group = rows.slice(from, from + GROUP_ROWS)
    await ledger.writeHere(({ database }) => {
      for (const row of group) addRunRow(database, run, row)
      leaveOutAnswered(database, run, Math.min(...group.map(({ line }) => line)))
    })
  }
}

function nothingLeft(id: string): UsageError {
  return new UsageError(t`Everything in the plan ${id} was sent before`, {
    details: [t`Nothing was sent now`],
    hint: t`Run \`pixgate plan show ${id}\` to see its payments`,
  })
}
