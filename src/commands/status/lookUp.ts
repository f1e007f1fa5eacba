import type { Context } from '../../context.ts'
import { isFinalStatus, waitForPayment } from '../../gateway/waitForPayment.ts'
import type { Account } from '../../profiles/account.ts'
import type { Document } from '../../terminal/printer.ts'
import { t } from '../../text/words.ts'
import { elsewhereDocument, findElsewhere } from '../../timeline/elsewhere.ts'
import { isSameAccount } from '../../timeline/ownership.ts'
import { isOf, type Ledger, namedBy, type TransactionState } from '../../timeline/transactions.ts'
import { transactionDocument } from '../../timeline/transactionView.ts'
import { type AnswerFields, statusOf } from '../../wire/answers.ts'
import { Cancelled, Failure, failureDocument, NotFound } from '../../wire/errors.ts'
import { waitInLedger } from '../ledgerWait.ts'
import { queryWithinLimit } from '../queryWithinLimit.ts'
import type { Checkpoint } from './checkpoint.ts'
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
  /** Of a list from a file, which may be longer than the limit of queries; null for ids that were typed. */
  checkpoint: Checkpoint | null
}

/** What this machine itself knows under an id, and how that stands. */
interface Entry {
  state: TransactionState
  document: Document
}

/** The part of the ledger that is of this account; all of it where the command line names none. */
export function ledgerOf(ledger: Ledger, account: Account | undefined): Ledger {
  if (account === undefined) return ledger
  const { environment, url, clientId } = account
  return {
    transactions: ledger.transactions.filter((each) => isOf(each, account)),
    unlinked: ledger.unlinked.filter((event) => isSameAccount(event, { environment, baseUrl: url, clientId })),
  }
}

/**
 * What this machine itself knows under an id that the service has no query for: a transfer, a refund, an externalId or a
 * request number, asked for from here or only told by events. Undefined for ids that the gateway is asked for.
 */
export function ledgerEntry(ledger: Ledger, id: string): Entry | undefined {
  const named = namedBy(ledger.transactions, id)
  const own = named.findLast(({ intent, idTransaction }) => intent.kind !== 'qr' || idTransaction !== id)
  if (own !== undefined) return { state: own.state, document: transactionDocument(own) }
  const other = named.length > 0 ? undefined : findElsewhere(ledger.unlinked, id)
  return other === undefined ? undefined : { state: other.state, document: elsewhereDocument(other) }
}

/** Looks one id up where it is known; a failure is part of the result, except an interruption, which is thrown. */
export async function lookUp(
  context: Context,
  expectation: Expectation,
  ledger: Ledger,
  patience: Patience,
): Promise<Result> {
  const entry = ledgerEntry(ledger, expectation.idTransaction)
  if (entry !== undefined) return fromLedger(context, expectation, entry, patience)
  return fromGateway(context, expectation, patience)
}

async function fromLedger(
  context: Context,
  expectation: Expectation,
  entry: Entry,
  { waitMs }: Patience,
): Promise<Result> {
  const { state, document } = waitMs === null ? entry : await lastEntry(context, expectation, entry, waitMs)
  const verdict = judge(expectation, document)
  const pixgate = { ...asObject(document.pixgate), ...(verdict === null ? {} : { verdict }) }
  const isPending = waitMs !== null && !isOver(state)
  return {
    idTransaction: expectation.idTransaction,
    document: { ...document, pixgate },
    failure: null,
    exitCode: isPending ? 8 : verdict === 'differs' ? 1 : 0,
  }
}

async function lastEntry(
  context: Context,
  { idTransaction }: Expectation,
  first: Entry,
  waitMs: number,
): Promise<Entry> {
  if (isOver(first.state)) return first
  const account = await context.namedAccount()
  const last = await waitInLedger(context, idTransaction, waitMs, (ledger) => {
    const found = ledgerEntry(ledgerOf(ledger, account), idTransaction)
    return found === undefined ? undefined : { found, isOver: isOver(found.state) }
  })
  return last ?? first
}

async function fromGateway(
  context: Context,
  expectation: Expectation,
  { waitMs, intervalMs, checkpoint }: Patience,
): Promise<Result> {
  const { idTransaction } = expectation
  const account = await context.account()
  // Outside of the `try`, because an environment in which no query can leave fails the command, not one id of it.
  const gateway = await context.gateway()
  const about = { profile: account.profile, environment: account.environment, baseUrl: account.url }
  async function ask(): Promise<AnswerFields> {
    if (waitMs === null && checkpoint !== null) {
      const { fields } = await queryWithinLimit(context, idTransaction)
      await checkpoint.keep(idTransaction, fields)
      return fields
    }
    const wait = {
      waitMs: waitMs ?? 0,
      intervalMs,
      interrupt: context.world.interrupt,
      now: context.now,
      onTrouble: (message: string) => context.terminal.note(t`${idTransaction}: ${message}`),
    }
    const query = waitMs === null ? gateway.consult(idTransaction) : waitForPayment(gateway, idTransaction, wait)
    return (await query).fields
  }
  try {
    const kept = waitMs === null ? checkpoint?.answerTo(idTransaction) : undefined
    const fields = kept?.fields ?? (await ask())
    const known = statusOf(fields)
    const verdict = judge(expectation, fields)
    const judged = verdict === null ? {} : { verdict }
    const asked = kept === undefined ? {} : { askedAt: new Date(kept.atMs).toISOString() }
    const pixgate = { ...about, knownBy: 'gateway', ...judged, ...asked, warnings: [] }
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
function isOver(state: TransactionState): boolean {
  return state !== 'unknown' && state !== 'accepted'
}

function asObject(value: unknown): object {
  return typeof value === 'object' && value !== null ? value : {}
}
