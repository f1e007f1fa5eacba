import type { Context } from '../context.ts'
import type { Account } from '../profiles/account.ts'
import type { Document } from '../terminal/printer.ts'
import { type LabelledRow, labelled, type Terminal } from '../terminal/terminal.ts'
import { t } from '../text/words.ts'
import { elsewhereDocument, findElsewhere } from '../timeline/elsewhere.ts'
import { isOf, type Ledger, type TransactionState } from '../timeline/transactions.ts'
import { transactionDocument } from '../timeline/transactionView.ts'
import { cellText, valueAt } from '../views/fields.ts'
import { amountText, statusColour } from '../views/payment.ts'
import { readPaymentState } from '../wire/answers.ts'
import { Cancelled } from '../wire/errors.ts'
import { waitInLedger } from './ledgerWait.ts'

/** A payment whose end is waited for. `idTransaction` is null where only its externalId is known. */
export interface AwaitedPayment {
  kind: 'transfer' | 'refund'
  idTransaction: string | null
  externalId: string | null
}

interface Standing {
  state: TransactionState
  document: Document
}

/**
 * Waits until an event tells the end of an accepted payment, prints how it stands then, and gives the exit code: 0 where
 * it was carried out, 1 where it was not or came back, 8 where nobody knows yet. Throws Cancelled on Ctrl-C.
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
  const last = await waitInLedger(context, name, waitMs, (ledger) => {
    const found = standingOf(ledger, account, payment)
    return found === undefined ? undefined : { found, isOver: exitCodeOf(found.state) !== 8 }
  }).catch((error: unknown) => {
    throw error instanceof Cancelled ? interrupted(payment, name) : error
  })
  const standing = last ?? { state: 'accepted', document: { idTransaction: payment.idTransaction, status: null } }
  const { status, amountCents } = readPaymentState(standing.document)
  print.item(standing.document, () =>
    labelled(
      [
        [t`status`, status ?? '—', statusColour(status, terminal.out)],
        [t`amount`, amountText(amountCents)],
        ...reasonRows(standing.document, terminal.out),
        [t`known by`, cellText(valueAt(standing.document, 'pixgate.knownBy')) || '—'],
      ],
      terminal.out,
    ),
  )
  const exitCode = exitCodeOf(standing.state)
  if (exitCode === 8) terminal.next(t`No event has told its end yet; wait on with \`pixgate status ${name} --wait\``)
  return exitCode
}

function reasonRows(document: Document, out: Terminal['out']): LabelledRow[] {
  const code = cellText(valueAt(document, 'pixgate.errorCode'))
  return code === '' ? [] : [[t`reason`, code, out.red]]
}

function standingOf(ledger: Ledger, account: Account, payment: AwaitedPayment): Standing | undefined {
  const { kind, idTransaction, externalId } = payment
  const own = ledger.transactions.findLast(
    (each) =>
      each.intent.kind === kind &&
      isOf(each, account) &&
      (idTransaction === null
        ? each.intent.kind === 'transfer' && each.intent.externalId === externalId
        : each.idTransaction === idTransaction),
  )
  if (own !== undefined) return { state: own.state, document: transactionDocument(own) }
  // Where the answer could not be recorded, the ledger does not know the id that the event names.
  const other = idTransaction === null ? undefined : findElsewhere(ledger.unlinked, idTransaction)
  return other === undefined ? undefined : { state: other.state, document: elsewhereDocument(other) }
}

function exitCodeOf(state: TransactionState): number {
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

function interrupted({ externalId }: AwaitedPayment, name: string): Cancelled {
  return new Cancelled(t`Interrupted while waiting; the payment was accepted and goes on`, {
    outcome: 'accepted',
    externalId: externalId ?? undefined,
    hint: t`Wait on with \`pixgate status ${name} --wait\`; do not send it again`,
  })
}
