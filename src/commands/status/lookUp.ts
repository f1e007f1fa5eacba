import type { Context } from '../../context.ts'
import { pause } from '../../gateway/pause.ts'
import { isFinalStatus, waitForPayment } from '../../gateway/waitForPayment.ts'
import type { Document } from '../../terminal/printer.ts'
import { t } from '../../text/words.ts'
import { foldTransactions, namedBy, type Transaction } from '../../timeline/transactions.ts'
import { transactionDocument } from '../../timeline/transactionView.ts'
import { statusOf } from '../../wire/answers.ts'
import { Cancelled, Failure, NotFound } from '../../wire/errors.ts'
import { failureDocument } from '../../wire/failureDocument.ts'
import { type Expectation, judge } from './expectations.ts'

/** What became of one id: the document for it and the exit code that it alone would give. */
export interface Result {
  idTransaction: string
  document: Document
  failure: Failure | null
  exitCode: number
}

/** How long and how often to ask; `waitMs` is null where one answer is enough. */
export interface Patience {
  waitMs: number | null
  intervalMs: number
}

/**
 * What this machine itself knows under an id that the service has no query for: a transfer, a refund, an externalId or a
 * request number. Undefined for ids that the gateway is asked for.
 */
export function ledgerEntry(ledger: readonly Transaction[], id: string): Transaction | undefined {
  return namedBy(ledger, id).findLast(({ intent, idTransaction }) => intent.kind !== 'qr' || idTransaction !== id)
}

/** Looks one id up where it is known; a failure is part of the result, except an interruption, which is thrown. */
export async function lookUp(
  context: Context,
  expectation: Expectation,
  ledger: readonly Transaction[],
  patience: Patience,
): Promise<Result> {
  const entry = ledgerEntry(ledger, expectation.idTransaction)
  if (entry !== undefined) return fromLedger(context, expectation, entry, patience)
  return fromGateway(context, expectation, patience)
}

async function fromLedger(
  context: Context,
  expectation: Expectation,
  entry: Transaction,
  { waitMs, intervalMs }: Patience,
): Promise<Result> {
  const deadlineMs = context.now() + (waitMs ?? 0)
  const timeline = await context.timeline()
  let current = entry
  while (waitMs !== null && !isOver(current) && context.now() < deadlineMs) {
    await pause(Math.min(intervalMs, Math.max(0, deadlineMs - context.now())), context.world.interrupt)
    const all = foldTransactions(await timeline.read())
    current = all.find(({ intent }) => intent.id === entry.intent.id) ?? current
  }
  const document = transactionDocument(current)
  const verdict = judge(expectation, document)
  const pixgate = { ...asObject(document.pixgate), ...(verdict === null ? {} : { verdict }) }
  const isPending = waitMs !== null && !isOver(current)
  return {
    idTransaction: expectation.idTransaction,
    document: { ...document, pixgate },
    failure: null,
    exitCode: isPending ? 8 : verdict === 'differs' ? 1 : 0,
  }
}

async function fromGateway(
  context: Context,
  expectation: Expectation,
  { waitMs, intervalMs }: Patience,
): Promise<Result> {
  const { idTransaction } = expectation
  const account = await context.account()
  const about = { profile: account.profile, environment: account.environment, baseUrl: account.url }
  try {
    const gateway = await context.gateway()
    const wait = {
      waitMs: waitMs ?? 0,
      intervalMs,
      interrupt: context.world.interrupt,
      now: context.now,
      onTrouble: (message: string) => context.terminal.note(t`${idTransaction}: ${message}`),
    }
    const { fields } =
      waitMs === null ? await gateway.consult(idTransaction) : await waitForPayment(gateway, idTransaction, wait)
    const known = statusOf(fields)
    const verdict = judge(expectation, fields)
    const pixgate = { ...about, knownBy: 'gateway', ...(verdict === null ? {} : { verdict }), warnings: [] }
    const isPending = waitMs !== null && !isFinalStatus(known)
    return {
      idTransaction,
      document: { idTransaction, ...fields, status: known, pixgate },
      failure: null,
      exitCode: isPending ? 8 : verdict === 'differs' ? 1 : 0,
    }
  } catch (error) {
    if (!(error instanceof Failure) || error instanceof Cancelled) throw error
    const isMissing = expectation.isJudged && error instanceof NotFound
    const pixgate = isMissing ? { pixgate: { ...about, verdict: 'missing' } } : {}
    const document = { idTransaction, error: failureDocument(error), ...pixgate }
    return { idTransaction, document, failure: error, exitCode: error.exitCode }
  }
}

/** True once nothing more can come of it. */
function isOver({ state }: Transaction): boolean {
  return state !== 'unknown' && state !== 'accepted'
}

function asObject(value: unknown): object {
  return typeof value === 'object' && value !== null ? value : {}
}
