import type { IncomingHttpHeaders } from 'node:http'
import { BlockList, isIP } from 'node:net'
import { Malformed } from '../pix/malformed.ts'
import { english, t } from '../text/translate.ts'
import { isSameSecret } from '../wire/signature.ts'
import { HttpError } from './httpError.ts'

/** Throws HttpError 401 unless the bearer token is the client secret. */
export function assertBearer(headers: IncomingHttpHeaders, clientSecret: string): void {
  const token = bearerOf(headers)
  if (token === undefined)
    throw invalidCredentials(english`The header \`Authorization: Bearer <client secret>\` is missing`)
  if (!isSameSecret(token, clientSecret)) throw invalidCredentials(english`The bearer token is not the client secret`)
}

/** True if the bearer token is this one. */
export function hasBearer(headers: IncomingHttpHeaders, token: string): boolean {
  const given = bearerOf(headers)
  return given !== undefined && isSameSecret(given, token)
}

function bearerOf({ authorization = '' }: IncomingHttpHeaders): string | undefined {
  return /^Bearer +(.+)$/i.exec(authorization)?.[1]
}

/** Throws HttpError 401 unless the headers `ci` and `cs` are the client id and the client secret. */
export function assertClientPair(headers: IncomingHttpHeaders, clientId: string, clientSecret: string): void {
  const { ci, cs } = headers
  if (typeof ci !== 'string' || typeof cs !== 'string') {
    throw invalidCredentials(english`The headers \`ci\` and \`cs\` are both required`)
  }
  const isIdRight = isSameSecret(ci, clientId)
  const isSecretRight = isSameSecret(cs, clientSecret)
  if (!isIdRight || !isSecretRight) throw invalidCredentials(english`The client id or the client secret is wrong`)
}

/** The list of addresses and CIDR ranges as a question to ask of an address. Throws Malformed. */
export function addressList(entries: readonly string[]): (address: string | undefined) => boolean {
  const list = new BlockList()
  for (const entry of entries) addEntry(list, entry)
  return (address) => {
    const plain = plainAddress(address ?? '')
    const version = isIP(plain)
    return version !== 0 && list.check(plain, version === 4 ? 'ipv4' : 'ipv6')
  }
}

function addEntry(list: BlockList, entry: string): void {
  const [, address = '', bits] = /^([^/]*)(?:\/(\d{1,3}))?$/.exec(entry.trim()) ?? []
  const version = isIP(address)
  const family = version === 4 ? 'ipv4' : 'ipv6'
  if (version === 0 || Number(bits ?? 0) > (version === 4 ? 32 : 128)) {
    throw new Malformed(
      t`\`${entry}\` is not an IP address`,
      t`Give an address like \`203.0.113.5\`, or a range like \`10.0.0.0/8\``,
    )
  }
  if (bits === undefined) list.addAddress(address, family)
  else list.addSubnet(address, Number(bits), family)
}

/** An IPv4 address that came over an IPv6 socket, as IPv4. */
function plainAddress(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/i, '')
}

function invalidCredentials(details: string): HttpError {
  return new HttpError(401, 'INVALID_CREDENTIALS', details)
}
