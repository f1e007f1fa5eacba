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
