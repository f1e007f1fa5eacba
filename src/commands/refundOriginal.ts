import type { Context } from '../context.ts'
import type { Named } from '../ledger/namedByIds.ts'
import type { Payment } from '../ledger/payments.ts'
import { recentRefundable } from '../payments/recentPayments.ts'
import type { Account } from '../profiles/account.ts'
import { t, translated } from '../text/translate.ts'
import { UsageError } from '../wire/errors.ts'
import { pickRecent, resolveId } from './namedPayment.ts'

const COMMAND = 'pixgate refund'

/**
 * The idTransaction of the payment to refund that a typed id names, or that a person picks if none was typed: as it is recorded, or as typed if the
 * ledger does not know it. Throws UsageError, also for an id that names
 * something else, such as a transfer; Cancelled.
 */
export async function refundOriginal(context: Context, account: Account, typed: string | undefined): Promise<string> {
  const named =
    typed === undefined
      ? await pickOriginal(context, account)
      : (await resolveId(context, typed, { command: COMMAND, account, rank: (named) => (isReceived(named) ? 0 : 1) }))
          ?.named
  if (named === undefined) return typed ?? ''
  switch (named.is) {
    case 'external':
      return named.charge.id
    case 'run':
      throw notReceived(t`\`${named.run.record.run}\` is a batch`)
    case 'payment':
      return idOfCharge(named.payment)
  }
}

function pickOriginal(context: Context, account: Account): Promise<Named> {
  const question = {
    command: COMMAND,
    argument: '<original-id>',
    question: t`Which payment should be refunded?`,
    nothing: t`The ledger knows of no payment that was received within 30 days and has something left`,
  }
  return pickRecent(context, question, (database) => recentRefundable(database, account, context.now()))
}

function isReceived(named: Named): boolean {
  return named.is === 'external' || (named.is === 'payment' && named.payment.facts.kind === 'qr')
}

function idOfCharge({ id, givenId, facts, summary }: Payment): string {
  if (facts.kind !== 'qr') throw notReceived(t`\`${givenId}\` is a ${translated(facts.kind)}`)
  if (summary.idTransaction !== null) return summary.idTransaction
  throw new UsageError(t`The gateway's id of the charge ${givenId} is not known, so it cannot be refunded`, {
    details: [t`Nothing was sent`],
    hint: t`Run \`pixgate history show ${id}\` to see what is known of it`,
  })
}

function notReceived(what: string): UsageError {
  return new UsageError(t`${what}, and only a payment that was received can be refunded`, {
    details: [t`Nothing was sent`],
    hint: t`Run \`pixgate history --kind qr --state paid\` to list received payments`,
  })
}
