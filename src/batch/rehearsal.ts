import { centsFromJson } from '../pix/amount.ts'
import { isObject, textField } from '../wire/answers.ts'

/** What has to be paid when all is over: the cents of each payment by its id. */
export interface ExpectedPayments {
  cents: ReadonlyMap<string, number>
  totalCents: number
}

/** What a gateway paid, compared with what had to be paid. */
export interface RehearsedBooks {
  paidOnce: number
  /** Payments that nobody asked for, or asked for once and got again. */
  paidTwice: number
  missing: number
  paidCents: number
  isRight: boolean
}

/** Compares payments with the transfers in a sandbox's state. A payment of another amount counts as one too many. */
export function compareBooks({ cents, totalCents }: ExpectedPayments, transfers: unknown): RehearsedBooks {
  const paid = new Set<string>()
  let paidTwice = 0
  let paidCents = 0
  for (const transfer of Array.isArray(transfers) ? transfers.filter(isObject) : []) {
    const id = textField(transfer, 'externalId') ?? ''
    const amountCents = centsFromJson(transfer.value) ?? 0
    paidCents += amountCents
    if (cents.get(id) === amountCents && !paid.has(id)) paid.add(id)
    else paidTwice += 1
  }
  const missing = cents.size - paid.size
  const isRight = paidTwice === 0 && missing === 0 && paidCents === totalCents
  return { paidOnce: paid.size, paidTwice, missing, paidCents, isRight }
}
