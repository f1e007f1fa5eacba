import { platform } from 'node:os'
import type { Context } from '../../context.ts'
import { checkMoneyAllowed } from '../../money/allowed.ts'
import { holdBatch } from '../../money/batch/batchLock.ts'
import { checkDay, sentToday } from '../../money/batch/dayLimit.ts'
import type { KeptRow } from '../../money/batch/keptRow.ts'
import type { KnownRun } from '../../money/batch/ledgerIndex.ts'
import { LedgerTail } from '../../money/batch/ledgerTail.ts'
import type { RowContext } from '../../money/batch/plan.ts'
import { openResults } from '../../money/batch/resultsFile.ts'
import { planResume, type ResumePlan, type ResumeWish, resumeTask } from '../../money/batch/resumePlan.ts'
import { type RunRows, readRunRows } from '../../money/batch/runRows.ts'
import { tallyExitCode, tallyRun } from '../../money/batch/runTally.ts'
import { askConsent, type Question } from '../../money/consent.ts'
import { ownerOf } from '../../money/recording.ts'
import { formatReais } from '../../pix/amount.ts'
import { formatInstant } from '../../pix/calendar.ts'
import type { Account } from '../../profiles/account.ts'
import { labelled } from '../../terminal/terminal.ts'
import { t } from '../../text/words.ts'
import type { RunRecord } from '../../timeline/records.ts'
import { UsageError } from '../../wire/errors.ts'
import { refuseCsv } from '../optionValues.ts'
import { holderOf } from './holder.ts'
import { writeResults } from './results.ts'
import { showSummary } from './runScreen.ts'
import { workOnRun } from './runWork.ts'
import { readWorkOptions, type TypedWorkOptions, type WorkOptions } from './workOptions.ts'

/** The options of `resume` for a run, as they are typed. */
export interface ResumeRunOptions extends TypedWorkOptions, Partial<ResumeWish> {
  dryRun?: boolean
}

/** A run that is gone on with, as the ledger stands. */
interface Resuming {
  known: KnownRun
  tail: LedgerTail
  kept: RunRows
  rowContext: RowContext
  wish: ResumeWish
  plan: ResumePlan
}

/** The steps of `resume` and `batch resume` for a run that this machine knows. */
export async function resumeRun(context: Context, record: RunRecord, options: ResumeRunOptions): Promise<number> {
  refuseCsv(context)
  const work = readWorkOptions(options)
  const account = await context.account()
  checkMoneyAllowed(account)
  checkAccount(record, account)
  const release = await holdBatch(context.dataFolder(), platform(), record, holderOf(context))
  try {
    const resuming = await resumingOf(context, record, options)
    if (options.dryRun === true) return showPlan(context, account, resuming)
    return await resumeUnderLock(context, account, resuming, work)
  } finally {
    await release()
  }
}

async function resumeUnderLock(
  context: Context,
  account: Account,
  resuming: Resuming,
  work: WorkOptions,
): Promise<number> {
  const { known, tail, kept, rowContext, wish, plan } = resuming
  const { record, before } = known
  const count = plan.fresh + plan.again + plan.refused
  const results = work.results === null ? null : await openResults(work.results, work.excel ? 'excel' : 'lossless')
  try {
    listLeft(context, plan)
    let exitCode: number
    if (count === 0) {
      const tally = await tallyRun(tail.index, record, kept.rows)
      showSummary(context, record, tally)
      exitCode = tallyExitCode(tally)
    } else {
      checkLimits(tail, plan, account, context.now())
      await askConsent(await context.money(), questionOf(context, account, resuming))
      const taskOf = (row: KeptRow) => resumeTask(tail.index, row, rowContext, wish)
      exitCode = await workOnRun(
        context,
        tail,
        { record, rows: kept.rows, count, taskOf, repeatableBefore: before },
        work,
      )
    }
    return await writeResults(context, results, kept.columns, kept.rows, { tail, rowContext, exitCode })
  } finally {
    await results?.close()
  }
}

async function resumingOf(context: Context, { run }: RunRecord, options: ResumeRunOptions): Promise<Resuming> {
  const timeline = await context.timeline()
  const tail = new LedgerTail(timeline.follow())
  await tail.refreshWithEvents()
  const known = tail.index.runs.get(run)
  if (known === undefined) throw new Error('the record of this run has gone from the log')
  const { baseUrl, clientId, reference } = known.record
  const rowContext = { account: { baseUrl, clientId }, reference, nowMs: context.now() }
  const kept = await readRunRows(context.dataFolder(), run)
  const wish = { refused: options.refused === true, includeUnknown: options.includeUnknown === true }
  return { known, tail, kept, rowContext, wish, plan: await planResume(tail.index, kept.rows, rowContext, wish) }
}

function checkAccount({ run, baseUrl, clientId, profile }: RunRecord, account: Account): void {
  const own = ownerOf(account)
  if (own.baseUrl === baseUrl && own.clientId === clientId) return
  throw new UsageError(t`${run} was sent to ${baseUrl} with client id ${clientId}`, {
    details: [t`It cannot go on with ${account.url} and client id ${account.clientId}`],
    hint: t`Name the profile that it was sent with: \`--profile ${profile ?? '<name>'}\``,
  })
}

function checkLimits(tail: LedgerTail, plan: ResumePlan, account: Account, nowMs: number): void {
  const { maxAmountCents, maxDayCents, confirmName } = account
  const isTooMuch = maxAmountCents !== null && plan.largestCents > maxAmountCents
  if (isTooMuch || (plan.hasUnknownAmount && (maxAmountCents !== null || maxDayCents !== null))) {
    throw new UsageError(
      t`A row is above what the profile ${confirmName} allows for one payment, or its amount is not known`,
      {
        code: 'OVER_LIMIT',
        details: [t`Nothing was sent`],
        hint: t`Whoever may do so raises the limit with \`pixgate profile edit ${confirmName} --max-amount\``,
      },
    )
  }
  const overDay = checkDay(tail.index, account, nowMs, plan.newCents)
  if (overDay !== null) throw overDay
}

function questionOf(context: Context, account: Account, { known, tail, plan }: Resuming): Question {
  const { run, file, reference, at, kind } = known.record
  const { fresh, again, refused, cents, leftCount, hasUnknownAmount } = plan
  return {
    amountCents: hasUnknownAmount ? null : cents,
    rows: [
      [t`run`, t`${run}, ${kind}, begun ${formatInstant(Date.parse(at))}`],
      [t`file`, file ?? '-'],
      [t`reference`, reference],
      [t`never sent`, String(fresh)],
      [t`in doubt`, t`${again} sent again under their own ids, ${leftCount} left alone`],
      [t`refused`, t`${refused} sent once more`],
      [t`sent today`, t`${formatReais(sentToday(tail.index, account, context.now()))} before this`],
    ],
    text: t`Go on with ${run}?`,
  }
}

function listLeft({ terminal }: Context, { left, leftCount }: ResumePlan): void {
  if (leftCount === 0) return
  terminal.warn(t`Rows in doubt that are left alone, because they may have been paid: ${leftCount}`)
  for (const { line, id, atMs } of left) terminal.warn(t`line ${line}, ${id}, sent ${formatInstant(atMs)}`)
  terminal.next(
    t`Find out what became of them and say so with \`pixgate history settle\`, or add \`--include-unknown\``,
  )
}

function showPlan(context: Context, account: Account, resuming: Resuming): number {
  const { known, plan } = resuming
  const { fresh, again, refused, cents, left } = plan
  const document = { run: known.record.run, neverSent: fresh, inDoubt: again, refused, totalCents: cents, left }
  const { out } = context.terminal
  context.print.one(document, () => labelled(questionOf(context, account, resuming).rows, out))
  context.terminal.note(t`Nothing was sent`)
  return 0
}
