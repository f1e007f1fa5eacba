import type { PaymentSummary } from '../ledger/derivePayment.ts'
import type { Payment } from '../ledger/payments.ts'
import { SENDER_ENDED } from '../ledger/records.ts'
import { commandArgument } from '../text/shellWord.ts'
import { t } from '../text/translate.ts'

/** Statuses by which the gateway refuses the caller, whatever the request is about. */
const REFUSING_CALLER: readonly (number | null)[] = [401, 403, 429]

/** True if the gateway refused the payment that a request is about, not its caller. `code` is its error code; null if it sent none. */
export function refusesPayment(code: string | null, httpStatus: number | null): boolean {
  return code !== null && !REFUSING_CALLER.includes(httpStatus)
}

/**
 * The code with which the gateway refused a payment of unknown outcome when it was sent again; null if it was not. The refusal does not
 * reveal the outcome of the first request, and the same request again gets the same answer until the cause is fixed.
 */
export function resendRefusal({ state, attempts }: PaymentSummary): string | null {
  const attempt = attempts.find((each) => each.state === 'unknown')
  if (state !== 'unknown' || attempt === undefined) return null
  const { answer, sender, sends } = attempt
  if (answer === null || sender !== null || sends.length < 2 || answer.code === SENDER_ENDED) return null
  return refusesPayment(answer.code, answer.httpStatus) ? answer.code : null
}

/** What can tell the outcome of a payment whose outcome is unknown, as a hint. */
export function unknownOutcomeHint({ id, givenId, facts, summary }: Payment): string {
  if (facts.kind !== 'transfer') {
    return t`Wait for its event, or look for it in the gateway's dashboard, then record what you found with \`pixgate history settle ${id}\``
  }
  const code = resendRefusal(summary)
  return code === null
    ? t`Run \`pixgate resume ${commandArgument(givenId)}\` to find out its outcome: it sends the same external id, which the gateway carries out only once`
    : t`Wait for its event, or look for ${givenId} in the gateway's dashboard, because sending it again was refused (${code}); run \`pixgate history show ${commandArgument(givenId)}\` to see all that is known`
}
