import type { Context } from '../context.ts'
import { verifyEvents } from '../eventSignatures.ts'
import { pause } from '../gateway/retry.ts'
import { chainEnd } from '../ledger/chain.ts'
import { nameOfEvent, type possibleEvents, unlinkedEvents } from '../ledger/events.ts'
import { findingFromEvent, type PaymentState } from '../ledger/paymentState.ts'
import { findPayments, isOfAccount, type Payment } from '../ledger/payments.ts'
import type { EventRecord, LedgerRecord } from '../ledger/records.ts'
import { resendRefusal, unknownOutcomeHint } from '../payments/attemptOutcomes.ts'
import { waitHint } from '../payments/conflictFailure.ts'
import { reasonMeaning, whatToDoRows } from '../payments/explanation.ts'
import { reaisOrNull } from '../pix/amount.ts'
import { formatDuration } from '../pix/duration.ts'
import type { Account } from '../profiles/account.ts'
import type { Database } from '../storage/sqlite.ts'
import { type LabelledRow, labelledLines, type Terminal } from '../terminal/terminal.ts'
import { commandArgument } from '../text/shellWord.ts'
import { t, translated } from '../text/translate.ts'
import { stateRow } from '../views/payments/paymentCells.ts'
import type { PaymentDocument } from '../views/payments/paymentFields.ts'
import { amountText } from '../views/valueText.ts'
import { type CodeMeaning, failureText, meaningOfCode } from '../wire/errorCodes.ts'
import { Cancelled } from '../wire/errors.ts'

/** A payment whose final event is awaited. `idTransaction` is null if only its externalId is known. */
interface AwaitedPayment {
  kind: 'transfer' | 'refund'
  idTransaction: string | null
  externalId: string | null
}

interface Progress {
  state: PaymentState
  /** Null if only an event is known. */
  payment: Payment | null
  /** An event of a payment whose record has no id; null if none is known. */
  event: LedgerRecord<EventRecord> | null
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
  const { state, event } = progress
  const document = await documentOf(progress, payment)
  const amountCents = progress.payment?.amountCents ?? event?.amountCents ?? null
  print.item(document, () =>
    labelledLines(
      [
        stateRow(state, terminal.out),
        [t`amount`, amountText(amountCents)],
        ...reasonRows(document, terminal.out),
        ...whatToDoRows(meaningOf(progress)),
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

/** What is known of the payment when its state is final or the time is up. */
async function awaitEnd(
  context: Context,
  account: Account,
  payment: AwaitedPayment,
  waitMs: number,
): Promise<Progress> {
  const ledger = await context.ledger()
  const verify = () => verifyEvents(ledger, account, [account.clientSecret])
  const last = await watchLedger(
    context,
    waitMs,
    (database) => {
      const found = progressOf(database, account, payment)
      return found === undefined ? undefined : { found, isOver: exitCodeOf(found.state) !== 8 }
    },
    verify,
  )
  return last ?? { state: 'accepted', payment: null, event: null }
}

function progressOf(database: Database, account: Account, awaited: AwaitedPayment): Progress | undefined {
  const { kind, idTransaction, externalId } = awaited
  for (const id of [idTransaction, externalId]) {
    const found = id === null ? [] : findPayments(database, id)
    const payment = found.findLast((each) => each.facts.kind === kind && isOfAccount(each, account))
    if (payment !== undefined) {
      const { state, isVerified } = payment.summary
      return { state: isVerified ? state : 'accepted', payment, event: null }
    }
  }
  return idTransaction === null ? undefined : unlinkedProgress(database, idTransaction)
}

/** What events alone tell, if the answer with the payment's id could not be recorded. */
function unlinkedProgress(database: Database, idTransaction: string): Progress | undefined {
  const event = unlinkedEvents(database, idTransaction).findLast(
    (each) => each.isVerified === true && findingFromEvent(each) !== null,
  )
  const state = event === undefined ? null : findingFromEvent(event)
  return event === undefined || state === null ? undefined : { state, payment: null, event }
}

/** What is known as JSON, the amount in reais. */
async function documentOf({ state, payment, event }: Progress, awaited: AwaitedPayment): Promise<PaymentDocument> {
  const { idTransaction } = awaited
  if (payment !== null) {
    const { partialDocument } = await import('../views/payments/paymentFields.ts')
    return partialDocument(payment, LAST_FIELDS)
  }
  if (event === null) return { idTransaction, status: null }
  const pixgate = { outcome: 'accepted', state, errorCode: event.errorCode, knownBy: 'event' } as const
  return { idTransaction, status: event.status, amount: reaisOrNull(event.amountCents), pixgate }
}

function meaningOf({ payment, event }: Progress): CodeMeaning | undefined {
  if (payment !== null) return reasonMeaning(payment)
  const code = event?.errorCode ?? null
  return code === null ? undefined : meaningOfCode(code, { hasAlphanumericCnpj: false })
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
