import type { Context } from '../context.ts'
import { verifyEvents } from '../eventSignatures.ts'
import { pause } from '../gateway/retry.ts'
import { chainEnd } from '../ledger/chain.ts'
import { nameOfEvent, type possibleEvents } from '../ledger/events.ts'
import { findingFromEvent, type PaymentState } from '../ledger/paymentState.ts'
import { findPayments, isOfAccount, type Payment } from '../ledger/payments.ts'
import { resendRefusal, unknownOutcomeHint } from '../payments/attemptOutcomes.ts'
import { waitHint } from '../payments/conflictFailure.ts'
import { reasonMeaning, whatToDoRows } from '../payments/explanation.ts'
import { formatDuration } from '../pix/duration.ts'
import type { Account } from '../profiles/account.ts'
import type { Database } from '../storage/sqlite.ts'
import { type LabelledRow, labelledLines, type Terminal } from '../terminal/terminal.ts'
import { commandArgument } from '../text/shellWord.ts'
import { t, translated } from '../text/translate.ts'
import { stateRow } from '../views/payments/paymentCells.ts'
import type { PaymentDocument } from '../views/payments/paymentFields.ts'
import { amountText } from '../views/valueText.ts'
import { failureText } from '../wire/errorCodes.ts'
import { Cancelled } from '../wire/errors.ts'

/** A payment whose final event is awaited. `idTransaction` is null if only its externalId is known. */
interface AwaitedPayment {
  kind: 'transfer' | 'refund'
  idTransaction: string | null
  externalId: string | null
}

interface Progress {
  state: PaymentState
  payment: Payment
}

/** The fields of a payment in the last line of JSON. */
const LAST_FIELDS: readonly string[] = [
  ...['idTransaction', 'externalId', 'originalTransactionId', 'status', 'amount', 'profile', 'environment', 'id'],
  ...['kind', 'outcome', 'state', 'errorCode', 'knownBy', 'warnings'],
]

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
  const progress = await awaitEnd(context, account, payment, waitMs).catch((error: unknown) => {
    throw error instanceof Cancelled ? interruptedFailure(payment, name) : error
  })
  const state = progress?.state ?? 'accepted'
  const found = progress?.payment
  const document = await documentOf(found, payment)
  print.item(document, () =>
    labelledLines(
      [
        stateRow(state, terminal.out),
        [t`amount`, amountText(found?.amountCents ?? null)],
        ...reasonRows(document, terminal.out),
        ...whatToDoRows(found && reasonMeaning(found)),
        [t`known by`, translated(document.pixgate?.knownBy ?? '') || '—'],
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

/** What is known of the payment when its state is final or the time is up; undefined if nothing is. */
async function awaitEnd(
  context: Context,
  account: Account,
  payment: AwaitedPayment,
  waitMs: number,
): Promise<Progress | undefined> {
  const ledger = await context.ledger()
  const verify = () => verifyEvents(ledger, account, [account.clientSecret])
  return watchLedger(
    context,
    waitMs,
    (database) => {
      const found = progressOf(database, account, payment)
      return found === undefined ? undefined : { found, isOver: exitCodeOf(found.state) !== 8 }
    },
    verify,
  )
}

function progressOf(database: Database, account: Account, awaited: AwaitedPayment): Progress | undefined {
  const { kind, idTransaction, externalId } = awaited
  for (const id of [idTransaction, externalId]) {
    const found = id === null ? [] : findPayments(database, id)
    const payment = found.findLast((each) => each.facts.kind === kind && isOfAccount(each, account))
    if (payment !== undefined) {
      const { state, isVerified } = payment.summary
      return { state: isVerified ? state : 'accepted', payment }
    }
  }
  return undefined
}

async function documentOf(payment: Payment | undefined, { idTransaction }: AwaitedPayment): Promise<PaymentDocument> {
  if (payment === undefined) return { idTransaction, status: null }
  const { partialDocument } = await import('../views/payments/paymentFields.ts')
  return partialDocument(payment, LAST_FIELDS)
}

function reasonRows(document: PaymentDocument, out: Terminal['out']): LabelledRow[] {
  const reason = failureText(document.pixgate?.errorCode ?? null, null)
  return reason === null ? [] : [[t`reason`, reason, out.red]]
}

function exitCodeOf(state: PaymentState): number {
  switch (state) {
    case 'paid':
      return 0
    case 'pending':
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
 * Reads from the ledger again whenever a record was added, or `verify` has verified one, until `read` finds what is waited for. Returns what was found last
 * when the time is up; undefined if that was nothing. Throws Cancelled on Ctrl-C.
 */
export async function watchLedger<Found>(
  context: Context,
  waitMs: number,
  read: (database: Database) => { found: Found; isOver: boolean } | undefined,
  verify: () => Promise<boolean> = async () => false,
): Promise<Found | undefined> {
  const deadlineMs = context.now() + waitMs
  let seenSeq: number | undefined
  let last: Found | undefined
  for (;;) {
    if (await verify()) seenSeq = undefined
    const { seq, seen } = await context.read((database) => {
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

/** What tells an unknown outcome. If an event may be about a payment with an unknown outcome but need not be, only a person can tell; no verdict is suggested. */
export function hintAtOutcome(
  { terminal }: Context,
  payment: Payment,
  possible: ReturnType<typeof possibleEvents>,
): void {
  if (payment.sentBy !== undefined) {
    terminal.next(waitHint(payment.sentBy, `pixgate status ${commandArgument(payment.id)}`))
    return
  }
  for (const record of possible) {
    const { event, status, idTransaction } = record
    terminal.note(
      t`Event ${nameOfEvent(record)} (${event ?? '—'}, ${status ?? '—'}) has the same amount and may be about this payment, but it names only ${idTransaction ?? '—'}`,
    )
  }
  if (possible.length === 0) {
    if (payment.summary.state !== 'unknown') return
    terminal.next(
      resendRefusal(payment.summary) === null
        ? unknownOutcomeHint(payment)
        : t`Wait until an event, the dashboard or the receiver tells its outcome, then record it with \`pixgate history settle ${payment.id}\``,
    )
    return
  }
  const [first] = possible
  const name = first === undefined ? '' : nameOfEvent(first)
  terminal.next(
    first !== undefined && findingFromEvent(first) === 'paid'
      ? t`Run \`pixgate webhook events show ${name}\` to see it; if it is about this payment, record it with \`pixgate history settle ${payment.id} --as paid --event ${name}\``
      : t`Run \`pixgate webhook events show ${name}\` to see it; record what you find out with \`pixgate history settle ${payment.id}\``,
  )
}
