import type { Context } from '../context.ts'
import { planCommand, type TransferPayment, taxDocumentsOf } from '../ledger/facts.ts'
import { findReceivedPayment, type ReceivedPayment } from '../ledger/payments.ts'
import { readText } from '../optionParsers.ts'
import type { PaymentContext } from '../payments/paymentContext.ts'
import { previewPayment } from '../payments/preview.ts'
import { singlePayment, type WantedPayment } from '../payments/proposal.ts'
import type { RepeatOptions } from '../payments/repeatOptions.ts'
import { formatReais } from '../pix/amount.ts'
import { DAY_MS } from '../pix/calendar.ts'
import { chargeAddress, formatKey } from '../pix/destination.ts'
import { t } from '../text/translate.ts'
import { transferRows } from '../views/payments/paymentQuestion.ts'
import { type HowToSend, sendOne } from './sendPayments.ts'

interface NewTransfer extends Pick<WantedPayment, 'isIdMadeUp'> {
  facts: TransferPayment
  externalId: string
  /** True if the key was not said to be a phone number, and could be a mistyped CPF. */
  isGuessedPhone: boolean
}

/** Makes a transfer, or a plan of it. Returns the exit code. Throws like {@link sendOne}. */
export async function sendTransfer(
  context: Context,
  payments: PaymentContext,
  { facts, externalId, isGuessedPhone, isIdMadeUp }: NewTransfer,
  options: RepeatOptions & HowToSend & { wait?: number | null },
): Promise<number> {
  const { amountCents, key, keyType } = facts
  const wanted = singlePayment({ facts, externalId }, { isIdMadeUp })
  const preview = await previewPayment(payments, wanted, options)
  const received = await findPaymentOfReceiver(payments, facts)
  const destination = chargeAddress(key) === null ? formatKey(key, keyType) : t`this payment code`
  const one = {
    facts,
    externalId,
    proposal: { ...wanted, accepted: preview.accepted },
    planCommand: planCommand(facts, externalId),
    newTodayCents: amountCents,
    question: {
      amountCents,
      rows: transferRows(facts, externalId, preview, { err: payments.terminal.err, isGuessedPhone, received }),
      text: t`Send ${formatReais(amountCents)} to ${destination}?`,
    },
    plan: { payments: [{ facts, externalId }], repeats: options },
  }
  return sendOne(context, payments, one, options)
}

/** How long ago a payment may be that a transfer seems to give back. */
const GIVEN_BACK_MS = 90 * DAY_MS

/** The payment of the same amount that the receiver of a transfer made, and that was not refunded; undefined if there is none. */
function findPaymentOfReceiver(
  { ledger, account, now }: PaymentContext,
  facts: TransferPayment,
): Promise<ReceivedPayment | undefined> {
  const taxDocuments = taxDocumentsOf(facts)
  const { amountCents } = facts
  return ledger.read((database) =>
    findReceivedPayment(database, account, { amountCents, taxDocuments, sinceMs: now() - GIVEN_BACK_MS }),
  )
}

/** Reads the external id of a transfer to resume. Throws UsageError. */
export function readExternalId(typed: string): string {
  return readText(typed, '<external-id>')
}
