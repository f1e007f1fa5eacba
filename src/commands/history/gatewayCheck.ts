import type { Context } from '../../context.ts'
import { isFinalStatus } from '../../gateway/waitForPayment.ts'
import { parseInstant } from '../../pix/calendar.ts'
import type { Account } from '../../profiles/account.ts'
import type { Document } from '../../terminal/printer.ts'
import { t } from '../../text/words.ts'
import { meaningOfStatus } from '../../timeline/eventMoves.ts'
import type { Transaction } from '../../timeline/transactions.ts'
import { transactionDocument } from '../../timeline/transactionView.ts'
import { type AnswerFields, isObject, readPaymentState, textField } from '../../wire/answers.ts'
import { Cancelled, Failure, failureDocument, NotFound } from '../../wire/errors.ts'
import { queryWithinLimit } from '../queryWithinLimit.ts'

/** How a payment stands against what the gateway says of it. */
export type CheckVerdict = 'open' | 'late' | 'unknown' | 'differs' | 'agrees'

/** A payment that was checked, and the exit code that it alone would give. */
export interface Checked {
  transaction: Transaction
  /** Null where the gateway could not be asked. */
  verdict: CheckVerdict | null
  document: Document
  exitCode: number
}

/** An event comes within seconds; so long after it was sent a transfer or refund without one is late. */
const LATE_MS = 60 * 60_000

const EXIT_CODES: Readonly<Record<CheckVerdict, number>> = { open: 0, agrees: 0, late: 1, differs: 1, unknown: 5 }

/**
 * True for what has no end yet, and for a code that was paid by what an event or a person says, as long as it is younger
 * than `paidSinceMs`.
 */
export function isToCheck({ intent, state, atMs }: Transaction, paidSinceMs: number): boolean {
  if (state === 'accepted' || state === 'unknown') return true
  return intent.kind === 'qr' && state === 'paid' && atMs >= paidSinceMs
}

/** True for what the gateway can be asked for: it has a query for payments alone. */
export function isAskable({ intent, idTransaction }: Transaction): boolean {
  return intent.kind === 'qr' && idTransaction !== null
}

/** Checks one payment. Throws Cancelled on Ctrl-C; another failure of the query is part of the result. */
export async function checkPayment(context: Context, account: Account, transaction: Transaction): Promise<Checked> {
  const nowMs = context.now()
  if (!isAskable(transaction)) return checked(transaction, verdictAlone(transaction, nowMs), {})
  // Outside of the `try`, because an environment in which no query can leave fails the command, not one payment of it.
  await context.gateway()
  const id = transaction.idTransaction ?? ''
  try {
    const { fields } = await queryWithinLimit(context, id)
    const { status, amountCents } = readPaymentState(fields)
    const gateway = { status, amount: amountCents === null ? null : amountCents / 100 }
    return checked(transaction, verdictWith(transaction, fields, nowMs), { gateway })
  } catch (error) {
    if (error instanceof NotFound) return checked(transaction, 'differs', { gateway: null })
    if (!(error instanceof Failure) || error instanceof Cancelled) throw error
    const document = { ...transactionDocument(transaction), error: failureDocument(error) }
    context.terminal.note(t`${id} at ${account.url}: ${error.message}`)
    return { transaction, verdict: null, document, exitCode: error.exitCode }
  }
}

/** The verdict on what the gateway cannot be asked for. */
export function verdictAlone({ intent, state, atMs }: Transaction, nowMs: number): CheckVerdict {
  if (state === 'unknown') return 'unknown'
  return intent.kind !== 'qr' && nowMs - atMs > LATE_MS ? 'late' : 'open'
}

/** The verdict on a code with the gateway's answer to its query. */
export function verdictWith(transaction: Transaction, fields: AnswerFields, nowMs: number): CheckVerdict {
  const { intent, state } = transaction
  const { status, amountCents } = readPaymentState(fields)
  if (intent.amountCents !== null && amountCents !== null && amountCents !== intent.amountCents) return 'differs'
  const meaning = meaningOfStatus(status ?? '')
  // What was paid may have been returned since.
  if (state === 'paid') return meaning === 'paid' || meaning === 'returned' ? 'agrees' : 'differs'
  if (isFinalStatus(status)) return 'agrees'
  const expiresAtMs = parseInstant(textField(fields, 'expiresAt') ?? '')
  return expiresAtMs !== undefined && expiresAtMs < nowMs ? 'late' : 'open'
}

function checked(transaction: Transaction, verdict: CheckVerdict, found: object): Checked {
  const document = transactionDocument(transaction)
  const pixgate = isObject(document.pixgate) ? document.pixgate : {}
  return {
    transaction,
    verdict,
    document: { ...document, pixgate: { ...pixgate, ...found, verdict } },
    exitCode: EXIT_CODES[verdict],
  }
}
