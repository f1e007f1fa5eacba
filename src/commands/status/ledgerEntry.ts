import { beforeDocument } from '../../batch/runTally.ts'
import type { Context } from '../../context.ts'
import { acceptedBeforeOf } from '../../ledger/acceptedBefore.ts'
import { unlinkedEvents } from '../../ledger/events.ts'
import { countingPayments } from '../../ledger/namedByIds.ts'
import type { PaymentState } from '../../ledger/paymentState.ts'
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
} from '../../ledger/payments.ts'
import { countRun } from '../../ledger/runRows.ts'
import { findRun, type Run } from '../../ledger/runs.ts'
import { externalDocument, externalTransaction } from '../../ledger/unlinkedEvents.ts'
import { reaisFromCents } from '../../pix/amount.ts'
import type { Account } from '../../profiles/account.ts'
import type { Expectation } from '../../reconcile/expectations.ts'
import type { Database } from '../../storage/sqlite.ts'
import { withPixgate } from '../../terminal/documentFields.ts'
import type { Document } from '../../terminal/printer.ts'
import { fullPaymentDocument, paymentDocument, refundsDocument } from '../../views/payments/paymentDocument.ts'

/** The account whose ledger entries count; undefined for all accounts. */
export type EntryOwner = Pick<Account, 'url' | 'clientId'> | undefined

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
  const ledger = await context.ledger()
  const found = await ledger.read((database) => findPayments(database, id))
  const accounts = new Set(found.map(({ owner }) => JSON.stringify([owner.baseUrl, owner.clientId])))
  const isOwnOnly = isJudged && !found.some((payment) => isNamedByGateway(payment, id) || payment.id === id)
  if (accounts.size === 0 || (accounts.size === 1 && !isOwnOnly)) return undefined
  const account = await active()
  return isOwnOnly || found.some((payment) => isOfAccount(payment, account)) ? account : undefined
}

/** An id to look up, and what the ledger answers for it; undefined if it has nothing to say. */
export interface Subject {
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
  const ledger = await context.ledger()
  const entry = await ledger.read((database) => ledgerEntry(database, expectation.idTransaction, owner, isWhole))
  return { expectation, owner, entry }
}

/** What the ledger knows under an id that the service has no query for. */
export interface LedgerEntry {
  document: Document
  /** Null for a run, and for what only events tell. */
  payment: Payment | null
  /** Of the payment, or of all rows of a run; null if unknown. */
  amountCents: number | null
  refunds: RefundSums
  /** True if the state is final. */
  isOver: boolean
  /** Of a run only whether a row is unknown; null if none is. */
  state: PaymentState | null
}

/**
 * What the ledger itself answers for an id: a transfer, refund or request number of this machine, a run, or a refund or transfer that only
 * events tell of. Undefined for ids that the gateway is asked for. `isWhole` adds all attempts and records.
 */
export function ledgerEntry(
  database: Database,
  id: string,
  owner: EntryOwner,
  isWhole: boolean,
): LedgerEntry | undefined {
  const found = findPayments(database, id).filter((each) => isOf(each, owner))
  const own = countingPayments(found).findLast((each) => each.facts.kind !== 'qr' || !isNamedByGateway(each, id))
  if (own !== undefined) return paymentEntry(database, own, isWhole)
  if (found.length > 0) return undefined
  const run = findRun(database, id)
  if (run !== undefined && isOf(run.record, owner)) return runEntry(database, run)
  const events = unlinkedEvents(database, id).filter(
    (event) => (event.idTransaction === id || event.externalId === id) && isOf(event, owner),
  )
  const external = externalTransaction(events)
  if (external !== undefined) return entryOf(externalDocument(external), external.event.amountCents, external.state)
  return undefined
}

/** What was refunded of a payment from this machine. */
export function knownRefunds(database: Database, idTransaction: string, owner: EntryOwner): RefundSums {
  return sumRefunds(refundsOf(database, idTransaction).filter((each) => isOf(each, owner)))
}

/** The charge of this machine that the gateway knows by an id; undefined if there is none. */
export function knownCharge(database: Database, idTransaction: string, owner: EntryOwner): Payment | undefined {
  return findPayments(database, idTransaction).findLast((each) => each.facts.kind === 'qr' && isOf(each, owner))
}

function paymentEntry(database: Database, payment: Payment, isWhole: boolean): LedgerEntry {
  const refunds = refundSumsOf(database, payment)
  const document = isWhole ? fullPaymentDocument(payment) : paymentDocument(payment)
  const entry = entryOf(withPixgate(document, refundsDocument(refunds)), payment.amountCents, payment.summary.state)
  return { ...entry, payment, refunds }
}

function entryOf(document: Document, amountCents: number | null, state: PaymentState): LedgerEntry {
  return {
    document,
    payment: null,
    amountCents,
    refunds: NO_REFUNDS,
    isOver: state !== 'unknown' && state !== 'accepted',
    state,
  }
}

/** A run as `batch list` shows it, with the counts of its payments' states. */
function runEntry(database: Database, { record }: Run): LedgerEntry {
  const counts = countRun(database, record.run)
  const rows = (...states: (keyof typeof counts)[]) => states.reduce((sum, state) => sum + counts[state].rows, 0)
  const [unknown, notSent, pending] = [rows('unknown'), rows('none', 'not-sent'), rows('accepted')]
  const { run, kind, file, reference, totalCents, owner, at, user, machine } = record
  const isFinished = unknown + notSent === 0
  return {
    document: {
      run,
      kind,
      file,
      reference,
      rows: record.rows,
      amount: reaisFromCents(totalCents),
      status: isFinished ? 'FINISHED' : 'UNFINISHED',
      accepted: rows('accepted', 'paid', 'not-paid', 'returned'),
      ...beforeDocument(acceptedBeforeOf(database, record.run)),
      refused: rows('refused'),
      unknown,
      notSent,
      paid: rows('paid'),
      failed: rows('not-paid'),
      returned: rows('returned'),
      pending,
      startedAt: at,
      finished: isFinished,
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
    payment: null,
    amountCents: totalCents,
    refunds: NO_REFUNDS,
    isOver: isFinished && pending === 0,
    state: unknown > 0 ? 'unknown' : null,
  }
}

function isOf(payment: Parameters<typeof isOfAccount>[0], owner: EntryOwner): boolean {
  return owner === undefined || isOfAccount(payment, owner)
}
