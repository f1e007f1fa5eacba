import type { Context } from '../context.ts'
import { pause } from '../gateway/retry.ts'
import { chainEnd } from '../ledger/chain.ts'
import { findingFromEvent } from '../ledger/eventMeaning.ts'
import { unlinkedEvents } from '../ledger/events.ts'
import type { PaymentState } from '../ledger/paymentState.ts'
import { findPayments, isOfAccount, type Payment } from '../ledger/payments.ts'
import { knownBy, reasonMeaning } from '../payments/explanation.ts'
import { reaisFromCents } from '../pix/amount.ts'
import { formatDuration } from '../pix/duration.ts'
import type { Account } from '../profiles/account.ts'
import type { Database } from '../storage/sqlite.ts'
import type { Document } from '../terminal/printer.ts'
import { type LabelledRow, labelledLines, type Terminal } from '../terminal/terminal.ts'
import { commandArgument } from '../text/shellWord.ts'
import { t } from '../text/translate.ts'
import { cellText, valueAt } from '../views/documentFields.ts'
import { amountText, statusColour } from '../views/valueText.ts'
import { readPaymentStatus } from '../wire/answers.ts'
import { type CodeMeaning, meaningOfCode } from '../wire/errorCodes.ts'
import { Cancelled } from '../wire/errors.ts'
import { meaningRows } from './paymentText.ts'

/** A payment whose final event is awaited. `idTransaction` is null if only its externalId is known. */
export interface AwaitedPayment {
  kind: 'transfer' | 'refund'
  idTransaction: string | null
  externalId: string | null
}

/** What is known of the payment so far. */
interface Progress {
  state: PaymentState
  document: Document
  /** What the error code in the document means. */
  meaning: CodeMeaning | undefined
}

/**
 * Waits until an event reports the result of an accepted payment, prints it, and returns the exit code: 0 if it was carried out, 1 if it was not or
 * was returned, 8 if no event came in time. Throws Cancelled on Ctrl-C.
 */
export async function showFinalEvent(
  context: Context,
  account: Account,
  payment: AwaitedPayment,
  waitMs: number,
): Promise<number> {
  const { terminal, print } = context
  const name = payment.idTransaction ?? payment.externalId ?? ''
  terminal.note(t`Waiting for the event; Ctrl-C stops the wait, not the payment`)
  if (payment.kind === 'transfer') terminal.note(transferHoldText(waitMs))
  const { state, document, meaning } = await awaitEnd(context, account, payment, waitMs).catch((error: unknown) => {
    throw error instanceof Cancelled ? interruptedFailure(payment, name) : error
  })
  const { status, amountCents } = readPaymentStatus(document)
  print.item(document, () =>
    labelledLines(
      [
        [t`status`, status ?? '—', statusColour(status, terminal.out)],
        [t`amount`, amountText(amountCents)],
        ...reasonRows(document, terminal.out),
        ...meaningRows(meaning),
        [t`known by`, cellText(valueAt(document, 'pixgate.knownBy')) || '—'],
      ],
      terminal.out,
    ),
  )
  const exitCode = exitCodeOf(state)
  if (exitCode === 8)
    terminal.next(t`Run \`pixgate status --wait ${commandArgument(name)}\` to keep waiting for its final event`)
  return exitCode
}

/** Why a transfer may take long, and how long it is waited for. */
export function transferHoldText(waitMs: number): string {
  return t`A bank may hold a transfer for up to 30 minutes by day and 60 minutes by night; this wait ends after ${formatDuration(waitMs)}`
}

/** What is known of the payment when its state is final or the time is up. */
async function awaitEnd(
  context: Context,
  account: Account,
  payment: AwaitedPayment,
  waitMs: number,
): Promise<Progress> {
  const last = await watchLedger(context, waitMs, (database) => {
    const found = progressOf(database, account, payment)
    return found === undefined ? undefined : { found, isOver: exitCodeOf(found.state) !== 8 }
  })
  return (
    last ?? {
      state: 'accepted',
      document: { idTransaction: payment.idTransaction, status: null },
      meaning: undefined,
    }
  )
}

function progressOf(database: Database, account: Account, awaited: AwaitedPayment): Progress | undefined {
  const { kind, idTransaction, externalId } = awaited
  for (const id of [idTransaction, externalId]) {
    const found = id === null ? [] : findPayments(database, id)
    const payment = found.findLast((each) => each.facts.kind === kind && isOfAccount(each, account))
    if (payment !== undefined)
      return { state: payment.summary.state, document: documentOf(payment), meaning: reasonMeaning(payment) }
  }
  return idTransaction === null ? undefined : unlinkedProgress(database, idTransaction)
}

/** What events alone tell, if the answer with the payment's id could not be recorded. */
function unlinkedProgress(database: Database, idTransaction: string): Progress | undefined {
  const event = unlinkedEvents(database, idTransaction).findLast(
    (each) => each.isSigned && findingFromEvent(each) !== null,
  )
  const state = event === undefined ? null : findingFromEvent(event)
  if (event === undefined || state === null) return undefined
  const amount = event.amountCents === null ? null : reaisFromCents(event.amountCents)
  const pixgate = { outcome: 'accepted', state, errorCode: event.errorCode, knownBy: 'event' }
  const meaning = event.errorCode === null ? undefined : meaningOfCode(event.errorCode, { hasAlphanumericCnpj: false })
  return { state, document: { idTransaction, status: event.status, amount, pixgate }, meaning }
}

function documentOf({ id, facts, name, owner, summary, amountCents }: Payment): Document {
  const { state, status, errorCode, idTransaction, deciding } = summary
  const { profile, environment } = owner
  return {
    idTransaction,
    ...(facts.kind === 'refund' ? { originalTransactionId: name } : { externalId: name }),
    status,
    amount: amountCents === null ? null : reaisFromCents(amountCents),
    pixgate: {
      profile,
      environment,
      id,
      kind: facts.kind,
      outcome: deciding.outcome,
      state,
      errorCode,
      knownBy: knownBy(deciding),
      warnings: [],
    },
  }
}

function reasonRows(document: Document, out: Terminal['out']): LabelledRow[] {
  const code = cellText(valueAt(document, 'pixgate.errorCode'))
  return code === '' ? [] : [[t`reason`, code, out.red]]
}

function exitCodeOf(state: PaymentState): number {
  switch (state) {
    case 'paid':
      return 0
    case 'accepted':
    case 'unknown':
      return 8
    default:
      return 1
  }
}

function interruptedFailure({ externalId }: AwaitedPayment, name: string): Cancelled {
  return new Cancelled(t`Interrupted while waiting; the payment was accepted and is still being processed`, {
    outcome: 'accepted',
    externalId: externalId ?? undefined,
    hint: t`Run \`pixgate status --wait ${commandArgument(name)}\` to keep waiting; do not send it again`,
  })
}

const POLL_MS = 200

/**
 * Reads from the ledger again whenever a record was added, until `read` finds what is waited for. Returns what was found last when the
 * time is up; undefined if that was nothing. Throws Cancelled on Ctrl-C.
 */
export async function watchLedger<Found>(
  context: Context,
  waitMs: number,
  read: (database: Database) => { found: Found; isOver: boolean } | undefined,
): Promise<Found | undefined> {
  const ledger = await context.ledger()
  const deadlineMs = context.now() + waitMs
  let seenSeq: number | undefined
  let last: Found | undefined
  for (;;) {
    const { seq, seen } = await ledger.read((database) => {
      const end = chainEnd(database).seq
      return { seq: end, seen: end === seenSeq ? undefined : read(database) }
    })
    seenSeq = seq
    if (seen !== undefined) last = seen.found
    const leftMs = deadlineMs - context.now()
    if (seen?.isOver === true || leftMs <= 0) return last
    await pause(Math.min(POLL_MS, leftMs), context.runtime.interrupt)
  }
}
