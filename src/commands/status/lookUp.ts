import type { Context } from '../../context.ts'
import { isFinalStatus, waitForPayment } from '../../gateway/waitForPayment.ts'
import { findingFromStatus } from '../../ledger/eventMeaning.ts'
import type { PaymentState } from '../../ledger/paymentState.ts'
import { NO_REFUNDS, type Payment } from '../../ledger/payments.ts'
import { reaisFromCents } from '../../pix/amount.ts'
import { compareExpectation, type Expectation, type ExpectationResult } from '../../reconcile/expectations.ts'
import { signedCents } from '../../reconcile/externalLine.ts'
import { cellText, valueAt, withPixgate } from '../../terminal/documentFields.ts'
import { t } from '../../text/translate.ts'
import { refundsDocument } from '../../views/payments/paymentDocument.ts'
import type { StatusResult } from '../../views/payments/statusText.ts'
import { type AnswerFields, readPaymentStatus, statusOf } from '../../wire/answers.ts'
import { Cancelled, Failure, failureDocument, NotFound } from '../../wire/errors.ts'
import { queryWithinLimit } from '../concurrentQueries.ts'
import { watchLedger } from '../finalEvent.ts'
import type { Checkpoint } from './checkpoint.ts'
import {
  type EntryOwner,
  knownCharge,
  knownRefunds,
  type LedgerEntry,
  ledgerEntry,
  type Subject,
} from './ledgerEntry.ts'

/** The result for one id: its document, and the exit code that it alone would give. */
export interface LookUpResult extends StatusResult {
  idTransaction: string
  /** What is known of it; null if it is not finished or could not be looked up. */
  state: PaymentState | null
  failure: Failure | null
  judgement: ExpectationResult | null
  exitCode: number
}

/** How ids are looked up; `waitMs` is null if one answer is enough. */
export interface LookUpOptions {
  /** Adds all attempts and records to what the ledger answers. */
  isWhole: boolean
  waitMs: number | null
  /** The same for a transfer, which may take longer. */
  transferWaitMs: number | null
  /** Called when a transfer is waited for. */
  onTransferWait(): void
  intervalMs: number
  /** Of a list from a file, which may be longer than the limit of queries; null for ids that were typed. */
  checkpoint: Checkpoint | null
}

const MISSING: ExpectationResult = { verdict: 'missing', differences: [] }

/**
 * The answer for an id: what was found in the ledger, else what the gateway says. A failure is part of the result, except an interruption,
 * which is thrown.
 */
export async function lookUp(context: Context, subject: Subject, options: LookUpOptions): Promise<LookUpResult> {
  const { expectation, owner, entry } = subject
  if (entry !== undefined) return fromLedger(context, expectation, entry, { ...options, owner })
  return expectation.isLocal ? fromResults(expectation) : fromGateway(context, expectation, options)
}

/** A row of a batch that this account has no record of: only what the results say is known, and what may have been sent is unknown. */
function fromResults(expectation: Expectation): LookUpResult {
  const { idTransaction: externalId, outcome } = expectation
  const state = outcome === 'not-sent' || outcome === 'refused' ? outcome : 'unknown'
  const warnings =
    state === 'unknown'
      ? [t`The ledger has no record of ${externalId} for this account, so its outcome is unknown`]
      : []
  const pixgate = { name: externalId, state, knownBy: 'ledger', ...expectationFields(expectation, MISSING), warnings }
  return {
    idTransaction: externalId,
    expectation,
    document: { idTransaction: null, externalId, status: null, amount: null, pixgate },
    amountCents: null,
    payment: null,
    refunds: NO_REFUNDS,
    state,
    failure: null,
    judgement: MISSING,
    exitCode: state === 'unknown' ? 5 : 1,
  }
}

async function fromLedger(
  context: Context,
  expectation: Expectation,
  first: LedgerEntry,
  options: LookUpOptions & { owner: EntryOwner },
): Promise<LookUpResult> {
  const isTransfer = first.document.kind === 'transfer' || valueAt(first.document, 'pixgate.kind') === 'transfer'
  const waitMs = isTransfer ? options.transferWaitMs : options.waitMs
  if (isTransfer && waitMs !== null && !first.isOver) options.onTransferWait()
  const entry = waitMs === null || first.isOver ? first : await lastEntry(context, expectation, first, options, waitMs)
  const kind = cellText(valueAt(entry.document, 'pixgate.kind'))
  const found = { status: statusOf(entry.document), amountCents: entry.amountCents }
  const judgement = compareExpectation(expectation, found, kind, entry.state)
  const isPending = waitMs !== null && !entry.isOver
  return {
    idTransaction: expectation.idTransaction,
    expectation,
    document: withPixgate(entry.document, expectationFields(expectation, judgement)),
    amountCents: entry.amountCents,
    payment: entry.payment,
    refunds: entry.refunds,
    state: entry.state,
    failure: null,
    judgement,
    exitCode: exitCodeOf(isPending, judgement),
  }
}

async function lastEntry(
  context: Context,
  { idTransaction: id }: Expectation,
  first: LedgerEntry,
  { owner, isWhole }: LookUpOptions & { owner: EntryOwner },
  waitMs: number,
): Promise<LedgerEntry> {
  const last = await watchLedger(context, waitMs, (database) => {
    const found = ledgerEntry(database, id, owner, isWhole)
    return found === undefined ? undefined : { found, isOver: found.isOver }
  })
  return last ?? first
}

async function fromGateway(context: Context, expectation: Expectation, options: LookUpOptions): Promise<LookUpResult> {
  const { idTransaction } = expectation
  const { waitMs, checkpoint } = options
  const account = await context.account()
  // Outside of the `try`, because an environment in which no query can leave fails the command, not one id of it.
  await context.gateway()
  const about = { profile: account.profile, environment: account.environment, baseUrl: account.url }
  const ledger = await context.ledger()
  const { charge, refunds } = await ledger.read((database) => ({
    charge: knownCharge(database, idTransaction, account) ?? null,
    refunds: knownRefunds(database, idTransaction, account),
  }))
  const known = { idTransaction, expectation, payment: charge, refunds }
  try {
    const earlierAnswer = waitMs === null ? checkpoint?.answerTo(idTransaction) : undefined
    const fields = earlierAnswer?.fields ?? (await queryGateway(context, idTransaction, options))
    const { status, amountCents } = readPaymentStatus(fields)
    const state = findingFromStatus(status ?? '')
    const judgement = compareExpectation(expectation, { status, amountCents }, 'qr', state)
    const asked = earlierAnswer === undefined ? {} : { askedAt: new Date(earlierAnswer.atMs).toISOString() }
    const pixgate = {
      ...about,
      ...(charge === null ? {} : { id: charge.id, kind: 'qr', ...chargeFacts(charge) }),
      knownBy: 'gateway',
      ...expectationFields(expectation, judgement),
      ...asked,
      ...refundsDocument(refunds),
      warnings: [],
    }
    const isPending = waitMs !== null && !isFinalStatus(status)
    return {
      ...known,
      document: { idTransaction, ...fields, status, pixgate },
      amountCents,
      state,
      failure: null,
      judgement,
      exitCode: exitCodeOf(isPending, judgement),
    }
  } catch (error) {
    if (!(error instanceof Failure) || error instanceof Cancelled) throw error
    const judgement = expectation.isJudged && error instanceof NotFound ? MISSING : null
    const pixgate = expectation.isJudged ? { pixgate: { ...about, ...expectationFields(expectation, judgement) } } : {}
    const document = { idTransaction, error: failureDocument(error), ...pixgate }
    const missing = { refunds: NO_REFUNDS, amountCents: null, state: null }
    return { ...known, ...missing, document, failure: error, judgement, exitCode: error.exitCode }
  }
}

async function queryGateway(
  context: Context,
  idTransaction: string,
  { waitMs, intervalMs, checkpoint }: LookUpOptions,
): Promise<AnswerFields> {
  const gateway = await context.gateway()
  if (waitMs === null && checkpoint !== null) {
    const { fields } = await queryWithinLimit(context, idTransaction)
    await checkpoint.keep(idTransaction, fields)
    return fields
  }
  if (waitMs === null) return (await gateway.consult(idTransaction)).fields
  const wait = {
    waitMs,
    intervalMs,
    interrupt: context.runtime.interrupt,
    now: context.now,
    onTrouble: (message: string) => context.terminal.note(t`${idTransaction}: ${message}`),
  }
  return (await waitForPayment(gateway, idTransaction, wait)).fields
}

function exitCodeOf(isPending: boolean, judgement: ExpectationResult | null): number {
  if (isPending) return 8
  return judgement?.verdict === 'differs' ? 1 : 0
}

function chargeFacts({ givenId, partyName, ownReference }: Payment): object {
  return { name: givenId, party: partyName, ownReference }
}

/** The verdict, what differs, and what was expected; no verdict if the payment could not be looked up. */
function expectationFields(
  { amountCents, direction, status, isJudged }: Expectation,
  judgement: ExpectationResult | null,
): object {
  if (judgement === null && !isJudged) return {}
  const amount = amountCents === null ? null : reaisFromCents(signedCents(amountCents, direction))
  return { ...judgement, expected: { amount, direction, status } }
}
