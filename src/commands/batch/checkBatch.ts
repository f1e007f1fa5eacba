import { setMaxListeners } from 'node:events'
import type { Context } from '../../context.ts'
import { pause } from '../../gateway/pause.ts'
import type { BatchFile, CheckedRow, JudgedRow } from '../../money/batch/batchFile.ts'
import { checkBatchFile, type FileCheck } from '../../money/batch/fileCheck.ts'
import { Fingerprint } from '../../money/batch/fingerprint.ts'
import type { LedgerTail } from '../../money/batch/ledgerTail.ts'
import { checkOriginals, type Originals } from '../../money/batch/originals.ts'
import { Planner, type RowContext, returnedCentsOf, standingOf } from '../../money/batch/plan.ts'
import type { Fault } from '../../money/batch/rowCells.ts'
import { ownerOf } from '../../money/recording.ts'
import { formatReais } from '../../pix/amount.ts'
import type { Account } from '../../profiles/account.ts'
import { t } from '../../text/words.ts'
import type { Timeline } from '../../timeline/timeline.ts'
import { UsageError } from '../../wire/errors.ts'
import { checkHindrances, type HindranceWish } from './hindrances.ts'
import type { Proposal } from './question.ts'

/** A file that may be sent, with what is known of it. */
export interface CheckedBatch extends Proposal {
  tail: LedgerTail
  rowContext: RowContext
  /** The payments that a refund file returns; null for transfers. */
  originals: Originals | null
}

/** The file, the ledger, and whose they are. */
export interface BatchParts {
  account: Account
  timeline: Timeline
  tail: LedgerTail
  file: BatchFile
  path: string
  /** The callback URL of rows that name none. Throws UsageError where there is none. */
  target(): string
}

export interface CheckWish extends HindranceWish {
  skipQuery: boolean
  concurrency: number
}

const LIMIT_PAUSE_MS = 2000
const FAULTS_MAX = 1000

/**
 * Reads the whole file, holds it against the ledger, the limits and, for refunds, the gateway. Throws UsageError with all
 * faults where it must not be sent.
 */
export async function checkBatch(context: Context, parts: BatchParts, wish: CheckWish): Promise<CheckedBatch> {
  const { account, tail, file, path } = parts
  const owner = ownerOf(account)
  const rowContext: RowContext = { account: owner, reference: file.reference, nowMs: context.now() }
  const planner = new Planner(tail.index, rowContext)
  const toSend = new Fingerprint()
  const overLimit: Fault[] = []
  async function* watched(): AsyncGenerator<JudgedRow> {
    for await (const judged of file.judged) {
      const { row } = judged
      if (row !== null) {
        if (row.callbackUrl === null) parts.target()
        if (planner.add(row)) toSend.add(row)
        overLimit.push(...limitFaults(row, account))
      }
      yield judged
    }
  }
  const earlierAmounts = (key: string) => tail.index.amountsTo(owner, key)
  const check = await checkBatchFile({ ...file, judged: { [Symbol.asyncIterator]: watched } }, { earlierAmounts })
  refuseFaults(check)
  if (overLimit.length > 0) throw overLimits(overLimit, account)
  refuseNoRows(check)
  const plan = planner.plan(file.kind)
  await checkHindrances(plan, tail, parts, wish)
  const originals = file.kind === 'refund' ? await lookUpOriginals(context, parts, rowContext, wish) : null
  const isKnown = originals === null || originals.unknownAmounts === 0
  return {
    path,
    file,
    check,
    plan,
    totalCents: isKnown ? (originals?.totalCents ?? plan.toSendCents) : null,
    fingerprint: toSend.toString(),
    sentTodayCents: 0,
    tail,
    rowContext,
    originals,
  }
}

function limitFaults({ line, kind, amountCents }: CheckedRow, { maxAmountCents }: Account): Fault[] {
  if (maxAmountCents === null || (amountCents ?? 0) <= maxAmountCents) return []
  const message = t`${formatReais(amountCents ?? 0)} is more than ${formatReais(maxAmountCents)}, the most that one payment may move`
  return [{ line, column: kind === 'transfer' ? 'value' : 'amount', message }]
}

function overLimits(faults: readonly Fault[], { confirmName }: Account): UsageError {
  return new UsageError(t`Rows above the limit of the profile ${confirmName}: ${faults.length}`, {
    code: 'OVER_LIMIT',
    details: [t`Nothing was sent`],
    faults: faults.slice(0, FAULTS_MAX),
    hint: t`Check the amounts; whoever may do so raises the limit with \`pixgate profile edit ${confirmName} --max-amount\``,
  })
}

/** Throws UsageError with the faults of a file, where it has any. */
export function refuseFaults({ faults, faultCount }: Pick<FileCheck, 'faults' | 'faultCount'>): void {
  if (faultCount === 0) return
  const unlisted = faultCount > faults.length ? [t`The first ${faults.length} are listed`] : []
  throw new UsageError(t`The file has faults: ${faultCount}`, {
    details: [t`Nothing was sent`, ...unlisted],
    faults,
    hint: t`Mend them in the file and send it again: rows that are right keep their ids`,
  })
}

/** Throws UsageError for a file with a header alone. */
export function refuseNoRows({ count }: Pick<FileCheck, 'count'>): void {
  if (count > 0) return
  throw new UsageError(t`The file has no rows`, { hint: t`Put the payments below its header, one on each line` })
}

async function lookUpOriginals(
  context: Context,
  { account, tail, file }: BatchParts,
  rowContext: RowContext,
  { skipQuery, concurrency }: CheckWish,
): Promise<Originals> {
  const gateway = await context.gateway()
  // Each of the queries under way listens to both.
  setMaxListeners(0, context.world.interrupt, context.world.abandon)
  async function* rows() {
    for await (const row of file.rows) {
      if (row.kind === 'refund' && standingOf(tail.index, row, rowContext).as === 'not-sent') yield row
    }
  }
  const originals = await checkOriginals(rows(), {
    consult: skipQuery ? null : (id) => gateway.consult(id),
    returnedCents: (id) => returnedCentsOf(tail.index, rowContext.account, id),
    concurrency,
    now: context.now,
    waitForLimit: () => pause(LIMIT_PAUSE_MS, context.world.interrupt),
    progress: (done, all) => context.terminal.passing(t`Looked up ${done} of ${all} payments`),
  })
  refuseFaults({ faults: originals.faults.slice(0, FAULTS_MAX), faultCount: originals.faults.length })
  if (originals.withoutDate > 0) {
    context.terminal.warn(
      t`Payments of which the gateway does not say when they were paid: ${originals.withoutDate}. The 30 days were not checked`,
    )
  }
  const { maxAmountCents, maxDayCents, confirmName } = account
  if (originals.unknownAmounts > 0 && (maxAmountCents !== null || maxDayCents !== null)) {
    throw new UsageError(t`The profile ${confirmName} has limits, and the amounts of some refunds are not known`, {
      code: 'OVER_LIMIT',
      details: [t`Nothing was sent`],
      hint: t`Write an amount in every row`,
    })
  }
  return originals
}
