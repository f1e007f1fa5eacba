import { runFigures } from '../batch/runTally.ts'
import type { Context } from '../context.ts'
import { isFinalStatus, waitForPayment } from '../gateway/waitForPayment.ts'
import { acceptedBeforeOf } from '../ledger/acceptedBefore.ts'
import { externalDocument, externalTransaction, unlinkedEvents } from '../ledger/events.ts'
import { countingPayments } from '../ledger/namedByIds.ts'
import { type Finding, isFinding, isOpen, type PaymentState } from '../ledger/paymentState.ts'
import {
  findPayments,
  isNamedByGateway,
  isOfAccount,
  NO_REFUNDS,
  type Payment,
  type RefundSums,
  refundSumsOf,
  refundsOf,
  sumRefunds,
  withSender,
} from '../ledger/payments.ts'
import { type PaymentsBeingSent, paymentsBeingSent } from '../ledger/processes.ts'
import { countRun } from '../ledger/runRows.ts'
import { findRun, type Run } from '../ledger/runs.ts'
import { stateText } from '../ledger/stateWords.ts'
import { findingFromStatus } from '../ledger/statusMeaning.ts'
import { knownBy } from '../payments/explanation.ts'
import { reaisFromCents } from '../pix/amount.ts'
import type { Account } from '../profiles/account.ts'
import { compareExpectation, type Expectation, type ExpectationResult } from '../reconcile/expectations.ts'
import { signedCents } from '../reconcile/tableFile.ts'
import { objectOf, shapedBy } from '../schemas/jsonSchema.ts'
import type { Database } from '../storage/sqlite.ts'
import { withPixgate } from '../terminal/printer.ts'
import { t } from '../text/translate.ts'
import { isFinished, RUN_STATUS } from '../views/batch/runFields.ts'
import { FAILURE } from '../views/failureView.ts'
import { fullPaymentDocument, paymentDocument, refundsDocument } from '../views/payments/paymentFields.ts'
import type { StatusDocument, StatusResult } from '../views/payments/statusText.ts'
import { type AnswerFields, readPaymentStatus, statusOf } from '../wire/answers.ts'
import { Cancelled, Failure, NotFound } from '../wire/errors.ts'
import { watchLedger } from './finalEvent.ts'

/** The result for one id: its document, and the exit code that it alone would give. */
export interface LookUpResult extends StatusResult {
  /** What is known of it; null if it is not finished or could not be looked up. */
  state: PaymentState | null
  failure: Failure | null
  judgement: ExpectationResult | null
  exitCode: number
}

/** How ids are looked up; `waitMs` is null if one answer is enough. */
interface LookUpOptions {
  /** Adds all attempts and records to what the ledger answers. */
  isWhole: boolean
  waitMs: number | null
  /** The same for a transfer, which may take longer. */
  transferWaitMs: number | null
  /** Called when a transfer is waited for. */
  onTransferWait(): void
  intervalMs: number
  /** True for a list from a file, which may be longer than the limit of queries. */
  isList: boolean
}

/** The account whose ledger entries count; undefined for all accounts. */
type EntryOwner = Pick<Account, 'url' | 'clientId'> | undefined

/**
 * Whose entries answer for an id. External ids, request numbers and ids of rows say nothing of the account, and a file tried in a sandbox
 * has the same ones as in production: of several accounts only the active one answers, and a comparison never takes another account's
 * payment for its own unless the file has the gateway's id or the UUID of it. `active` is called only if that matters.
 */
async function entryOwner(
  context: Context,
  { idTransaction: id, isLocal, isJudged }: Expectation,
  active: () => Promise<NonNullable<EntryOwner>>,
): Promise<EntryOwner> {
  const named = await context.namedAccount()
  if (named !== undefined) return named
  if (isLocal) return active()
  const found = await context.read((database) => findPayments(database, id))
  const accounts = new Set(found.map(({ owner }) => JSON.stringify([owner.baseUrl, owner.clientId])))
  const isOwnOnly = isJudged && !found.some((payment) => isNamedByGateway(payment, id) || payment.id === id)
  if (accounts.size === 0 || (accounts.size === 1 && !isOwnOnly)) return undefined
  const account = await active()
  return isOwnOnly || found.some((payment) => isOfAccount(payment, account)) ? account : undefined
}

/** An id to look up, and what the ledger answers for it; undefined if it has nothing to say. */
interface Subject {
  expectation: Expectation
  /** Whose entries answer. */
  owner: EntryOwner
  entry: LedgerEntry | undefined
}

/** Looks an id up in the ledger. `isWhole` adds all attempts and records; `active` is as for {@link entryOwner}. Throws UsageError. */
export async function findInLedger(
  context: Context,
  expectation: Expectation,
  isWhole: boolean,
  active: () => Promise<NonNullable<EntryOwner>>,
): Promise<Subject> {
  const owner = await entryOwner(context, expectation, active)
  const entry = await entryNow(context, expectation.idTransaction, owner, isWhole)
  return { expectation, owner, entry }
}

async function entryNow(
  context: Context,
  id: string,
  owner: EntryOwner,
  isWhole: boolean,
): Promise<LedgerEntry | undefined> {
  const ledger = await context.ledger()
  const sending = await paymentsBeingSent(ledger)
  return ledger.read((database) => ledgerEntry(database, id, owner, isWhole, sending))
}

const MISSING: ExpectationResult = { verdict: 'missing', differences: [] }
/** What is known of an id of which nothing is known. */
const UNKNOWN = { payment: null, amountCents: null, refunds: NO_REFUNDS, run: null, state: null }

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
  const judged = expectationFields(expectation, MISSING)
  const pixgate = { name: externalId, state, knownBy: 'ledger', ...judged, warnings } as const
  return {
    ...UNKNOWN,
    expectation,
    document: { idTransaction: null, externalId, status: null, amount: null, pixgate },
    isAnswered: false,
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
  const { kind, pixgate: own } = first.document
  const isTransfer = kind === 'transfer' || own?.kind === 'transfer'
  const waitMs = isTransfer ? options.transferWaitMs : options.waitMs
  if (isTransfer && waitMs !== null && !first.isOver) options.onTransferWait()
  const entry = waitMs === null || first.isOver ? first : await lastEntry(context, expectation, first, options, waitMs)
  const { document, isOver, ...known } = entry
  const found = { status: statusOf(document), amountCents: known.amountCents }
  const judgement = compareExpectation(expectation, found, document.pixgate?.kind ?? '', known.state)
  return {
    ...known,
    expectation,
    document: withPixgate(document, expectationFields(expectation, judgement)),
    isAnswered: false,
    failure: null,
    judgement,
    exitCode: exitCodeOf(waitMs !== null && !isOver, judgement),
  }
}

async function lastEntry(
  context: Context,
  { idTransaction: id }: Expectation,
  first: LedgerEntry,
  { owner, isWhole }: LookUpOptions & { owner: EntryOwner },
  waitMs: number,
): Promise<LedgerEntry> {
  await watchLedger(context, waitMs, (database) => {
    const found = ledgerEntry(database, id, owner, false, new Map())
    return found === undefined ? undefined : { found, isOver: found.isOver }
  })
  return (await entryNow(context, id, owner, isWhole)) ?? first
}

async function fromGateway(context: Context, expectation: Expectation, options: LookUpOptions): Promise<LookUpResult> {
  const { idTransaction } = expectation
  const { waitMs } = options
  const account = await context.account()
  // Outside of the `try`, because an environment in which no query can leave fails the command, not one id of it.
  await context.gateway()
  const about = { profile: account.profile, environment: account.environment, baseUrl: account.url }
  const ledger = await context.ledger()
  const read = async () => {
    const sending = await paymentsBeingSent(ledger)
    return ledger.read((database) => ({
      payment: knownCharge(database, idTransaction, account) ?? null,
      refunds: knownRefunds(database, idTransaction, account, sending),
    }))
  }
  const common = { expectation, isAnswered: true }
  try {
    const fields = await queryGateway(context, idTransaction, options)
    // What the gateway answered is recorded by now.
    const { payment, refunds } = await read()
    const { status, amountCents } = readPaymentStatus(fields)
    const state = findingFromStatus(status ?? '')
    const judgement = compareExpectation(expectation, { status, amountCents }, 'qr', state)
    const judged = stateOnAnswer(payment, state, status)
    const pixgate = {
      ...about,
      ...(payment === null ? {} : { id: payment.id, kind: 'qr' as const, ...chargeFacts(payment) }),
      ...judged,
      warnings: [...judged.warnings, ...context.unrecorded],
      ...expectationFields(expectation, judgement),
      ...refundsDocument(refunds),
    }
    const isPending = waitMs !== null && !isFinalStatus(status)
    return {
      ...UNKNOWN,
      ...common,
      document: { idTransaction, ...fields, status, pixgate },
      ...{ payment, refunds, amountCents, state, judgement },
      failure: null,
      exitCode: exitCodeOf(isPending, judgement),
    }
  } catch (error) {
    if (!(error instanceof Failure) || error instanceof Cancelled) throw error
    const judgement = expectation.isJudged && error instanceof NotFound ? MISSING : null
    const pixgate = expectation.isJudged ? { pixgate: { ...about, ...expectationFields(expectation, judgement) } } : {}
    const document = { idTransaction, error: FAILURE.documentOf(error), ...pixgate }
    const { payment } = await read()
    return { ...UNKNOWN, ...common, payment, document, failure: error, judgement, exitCode: error.exitCode }
  }
}

async function queryGateway(
  context: Context,
  idTransaction: string,
  { waitMs, intervalMs, isList }: LookUpOptions,
): Promise<AnswerFields> {
  const gateway = await context.gateway()
  if (waitMs === null) return (await gateway.consult(idTransaction, { isOneOfMany: isList })).fields
  const wait = {
    waitMs,
    intervalMs,
    interrupt: context.runtime.interrupt,
    now: context.now,
    onTrouble: (message: string) => context.terminal.note(t`${idTransaction}: ${message}`),
  }
  return (await waitForPayment(gateway, idTransaction, wait)).fields
}

/**
 * The state of a charge that the gateway was asked for, as every other screen has it, and who says so: what an event or a person says is not undone by an
 * answer that says less.
 */
function stateOnAnswer(payment: Payment | null, answered: Finding | null, status: string | null) {
  const state = payment?.summary.state
  if (payment === null || state === undefined || !isFinding(state) || state === answered)
    return { state: answered ?? ('pending' as const), knownBy: 'gateway' as const, warnings: [] }
  const source = knownBy(payment.summary.deciding)
  // The gateway goes on saying that a charge was paid after a chargeback.
  if (state === 'returned' && answered === 'paid') return { state, knownBy: source, warnings: [] }
  const warning =
    source === 'person'
      ? t`The gateway answers ${status ?? '—'}, and a person recorded it as ${stateText(state)}`
      : t`The gateway answers ${status ?? '—'}, and an earlier answer or event says that it is ${stateText(state)}`
  return { state, knownBy: source, warnings: [warning] }
}

function exitCodeOf(isPending: boolean, judgement: ExpectationResult | null): number {
  if (isPending) return 8
  return judgement?.verdict === 'differs' ? 1 : 0
}

function chargeFacts({ givenId, partyName, ownReference, first }: Payment): object {
  return { name: givenId, party: partyName, ownReference, at: first.at }
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

/** What the ledger knows under an id that the service has no query for; the amount of a run is that of all its rows. */
interface LedgerEntry extends Pick<LookUpResult, 'document' | 'payment' | 'amountCents' | 'refunds' | 'run' | 'state'> {
  /** True if the state is final; that of a run tells only whether a row is unknown. */
  isOver: boolean
}

/**
 * What the ledger itself answers for an id: a transfer, refund or request number of this machine, a run, or a refund or transfer that only
 * events tell of. Undefined for ids that the gateway is asked for. `isWhole` adds all attempts and records.
 */
function ledgerEntry(
  database: Database,
  id: string,
  owner: EntryOwner,
  isWhole: boolean,
  sending: PaymentsBeingSent,
): LedgerEntry | undefined {
  const found = findPayments(database, id).filter((each) => isOf(each, owner))
  const own = countingPayments(found).findLast((each) => each.facts.kind !== 'qr' || !isNamedByGateway(each, id))
  if (own !== undefined) return paymentEntry(database, own, isWhole, sending)
  if (found.length > 0) return undefined
  const run = findRun(database, id)
  if (run !== undefined && isOf(run.record, owner)) return runEntry(database, run, sending)
  const events = unlinkedEvents(database, id).filter(
    (event) => (event.idTransaction === id || event.externalId === id) && isOf(event, owner),
  )
  const external = externalTransaction(events)
  if (external !== undefined) return entryOf(externalDocument(external), external.event.amountCents, external.state)
  return undefined
}

function knownRefunds(
  database: Database,
  idTransaction: string,
  owner: EntryOwner,
  sending: PaymentsBeingSent,
): RefundSums {
  return sumRefunds(
    refundsOf(database, idTransaction).filter((each) => isOf(each, owner)),
    sending,
  )
}

/** The charge of this machine that the gateway knows by an id; undefined if there is none. */
function knownCharge(database: Database, idTransaction: string, owner: EntryOwner): Payment | undefined {
  return findPayments(database, idTransaction).findLast((each) => each.facts.kind === 'qr' && isOf(each, owner))
}

function paymentEntry(database: Database, found: Payment, isWhole: boolean, sending: PaymentsBeingSent): LedgerEntry {
  const payment = withSender(found, sending)
  const refunds = refundSumsOf(database, payment, sending)
  const document = isWhole ? fullPaymentDocument(payment) : paymentDocument(payment)
  const entry = entryOf(withPixgate(document, refundsDocument(refunds)), payment.amountCents, payment.summary.state)
  return { ...entry, payment, refunds }
}

function entryOf(document: StatusDocument, amountCents: number | null, state: PaymentState): LedgerEntry {
  return { ...UNKNOWN, document, amountCents, isOver: !isOpen(state), state }
}

/** A run as `batch list` shows it, with the counts of its payments' states. */
function runEntry(database: Database, { record }: Run, sending: PaymentsBeingSent): LedgerEntry {
  const counts = countRun(database, record.run, sending.keys())
  const figures = runFigures(counts, acceptedBeforeOf(database, record.run))
  const { run, totalCents, owner, at, user, machine } = record
  const finished = isFinished(figures)
  const status = finished ? 'FINISHED' : 'UNFINISHED'
  const amount = reaisFromCents(totalCents)
  return {
    ...UNKNOWN,
    document: {
      ...shapedBy(objectOf(RUN_STATUS), { ...record, ...figures, amount, status, startedAt: at, finished }),
      pixgate: {
        profile: owner.profile,
        environment: owner.environment,
        baseUrl: owner.baseUrl,
        kind: 'run',
        name: run,
        knownBy: 'ledger',
        at,
        user,
        machine,
        warnings: [],
      },
    },
    amountCents: totalCents,
    run: figures,
    isOver: finished && figures.pending === 0,
    state: figures.unknown > 0 ? 'unknown' : null,
  }
}

function isOf(payment: Parameters<typeof isOfAccount>[0], owner: EntryOwner): boolean {
  return owner === undefined || isOfAccount(payment, owner)
}
