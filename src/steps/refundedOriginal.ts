import { isTarget } from '../batch/fileHeader.ts'
import { type FindOriginal, type FoundOriginal, PAYMENT_TABLES } from '../batch/paymentRows.ts'
import type { Context } from '../context.ts'
import type { Named } from '../ledger/namedByIds.ts'
import { refundedCharge } from '../ledger/originals.ts'
import type { Payment } from '../ledger/payments.ts'
import { recentRefundable } from '../payments/explanation.ts'
import { REFUND_WINDOW_DAYS } from '../pix/calendar.ts'
import type { Account } from '../profiles/account.ts'
import { t, translated } from '../text/translate.ts'
import { wholeId } from '../views/payments/paymentChoices.ts'
import { UsageError } from '../wire/errors.ts'
import { beginningText, bestMatch, isQuestionRead, pickRecent, resolveId } from './namedPayment.ts'

const COMMAND = 'pixgate refund'

/**
 * The idTransaction of the payment to refund that a typed id names, or that a person picks if none was typed: as it is recorded, or as typed if the
 * ledger does not know it. Throws UsageError, also for an id that names
 * something else, such as a transfer; Cancelled.
 */
export async function refundedOriginal(context: Context, account: Account, typed: string | undefined): Promise<string> {
  const named =
    typed === undefined
      ? await pickOriginal(context, account)
      : (await resolveId(context, typed, { command: COMMAND, account, rank }))?.named
  return named === undefined ? (typed ?? '') : receivedId(named)
}

/**
 * Looks up the payments that the rows of a file return, as {@link refundedOriginal} does, but picks none of several. An id that the ledger does not
 * know is taken as it is typed, an order number is not.
 */
export function originalFinder(context: Context, account: Account): FindOriginal {
  return async (typed, isOrderNumber) => {
    const { isWhole, named } = await bestMatch(context, typed, { account, rank })
    // An order number may begin an id by accident, unless it goes on beyond the first part of one.
    const isFound = named.length > 0 && (isWhole || !isOrderNumber || /^[\da-f]{8}-/i.test(typed))
    if (!isFound && isOrderNumber && !isTarget(typed, PAYMENT_TABLES.refund)) {
      return { fault: t`No received payment of this account has the order number \`${typed}\`` }
    }
    const [only] = named
    if (!isFound || only === undefined) return { id: typed, payers: [], isKnown: false }
    if (named.length > 1) {
      const ids = named.map((each) => wholeId(each, named)).join(', ')
      return { fault: t`\`${typed}\` names ${named.length} payments. Write the id of one of them: ${ids}` }
    }
    if (!isWhole && account.environment === 'production' && !isQuestionRead(context)) {
      return { fault: t`${beginningText(typed)}: ${wholeId(only)}` }
    }
    return foundOriginal(context, account, typed, only)
  }
}

async function foundOriginal(context: Context, account: Account, typed: string, named: Named): Promise<FoundOriginal> {
  try {
    const id = receivedId(named)
    const owner = { ...account, baseUrl: account.url }
    const { personName, typedName } = await context.read((database) => refundedCharge(database, id, owner))
    const payers = [personName, typedName].filter((name) => name !== null)
    // The id of a row depends on how the file spells this one.
    return { id: typed.toLowerCase() === id.toLowerCase() ? typed : id, payers, isKnown: true }
  } catch (error) {
    if (error instanceof UsageError) return { fault: error.message }
    throw error
  }
}

/** Of what a whole id names, a payment that was received comes first. */
function rank(named: Named): number {
  return named.is === 'external' || (named.is === 'payment' && named.payment.facts.kind === 'qr') ? 0 : 1
}

/** The idTransaction of a received payment. Throws UsageError for anything else. */
function receivedId(named: Named): string {
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
    nothing: t`The ledger knows of no payment that was received within ${REFUND_WINDOW_DAYS} days and has something left`,
  }
  return pickRecent(context, question, (database) => recentRefundable(database, account, context.now()))
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
