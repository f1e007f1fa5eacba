const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** The fewest characters that are accepted in place of a whole id. */
const ID_PREFIX_MIN = 6

/** True for an id that can name a transaction here: a UUID, or text that begins with `paid-`. */
export function isTransactionId(id: string): boolean {
  return UUID.test(id) || id.startsWith('paid-')
}

/** True if the text is this id, or at least its first 6 characters if it is a UUID, in any case. */
export function isIdOrPrefix(text: string, id: string): boolean {
  if (text === id) return true
  if (!UUID.test(id)) return false
  const isLongEnough = text.length >= ID_PREFIX_MIN
  return isLongEnough && id.toLowerCase().startsWith(text.toLowerCase())
}

/** By what a transaction can be named. */
export interface TransactionNames {
  idTransaction: string
  paymentCode?: string
  requestNumber?: string
  externalId?: string | null
}

/** The transactions that a typed id names. */
export interface NamedTransactions<Each> {
  /** False if only the beginning of their ids was typed. */
  isWhole: boolean
  found: Each[]
}

/**
 * The transactions that a typed id names, in any case: by transaction id, payment code, request number or external id, else by at least the first 6
 * characters of a transaction id. This is the one rule of the control API and its commands.
 */
export function namedTransactions<Each extends TransactionNames>(
  all: readonly Each[],
  typed: string,
): NamedTransactions<Each> {
  const id = typed.trim().toLowerCase()
  const whole = all.filter(({ idTransaction, paymentCode, requestNumber, externalId }) =>
    [idTransaction, paymentCode, requestNumber, externalId].some((name) => name?.toLowerCase() === id),
  )
  if (whole.length > 0) return { isWhole: true, found: whole }
  return { isWhole: false, found: all.filter(({ idTransaction }) => isIdOrPrefix(id, idTransaction)) }
}
