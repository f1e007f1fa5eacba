/** The parts of an HTTP request's head that other programs on its way may read differently. */
export interface RequestHead {
  httpVersion: string
  /** Names and values in turn, as they came. */
  rawHeaders: readonly string[]
  headers: Readonly<{ 'transfer-encoding'?: string | undefined }>
}

/**
 * True for a request that a program on its way may understand as another one: with two hosts, or with a length that is not told by
 * `Content-Length` or by chunks alone (RFC 9112, 3.2 and 6.1). Node.js accepts these.
 */
export function isAmbiguousRequest({ httpVersion, rawHeaders, headers }: RequestHead): boolean {
  const coding = headers['transfer-encoding']?.toLowerCase()
  if (coding !== undefined && (coding !== 'chunked' || httpVersion === '1.0')) return true
  let hosts = 0
  for (let index = 0; index < rawHeaders.length; index += 2) if (isHost(rawHeaders[index] ?? '')) hosts += 1
  return hosts > 1
}

function isHost(name: string): boolean {
  return name.length === 4 && name.toLowerCase() === 'host'
}
