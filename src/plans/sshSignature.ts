import { hash } from 'node:crypto'

/** What an SSH signature says of itself, before it is verified. */
export interface SshSignature {
  /** The Base64 of the public key. */
  key: string
  namespace: string
}

const BEGIN = '-----BEGIN SSH SIGNATURE-----'
const END = '-----END SSH SIGNATURE-----'
const MAGIC = 'SSHSIG'
const VERSION = 1
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/

/** Reads the armour of an SSH signature; undefined for any other text. */
export function readSshSignature(armour: string): SshSignature | undefined {
  const lines = armour.trim().split(/\r?\n/)
  if (lines[0] !== BEGIN || lines.at(-1) !== END) return undefined
  const bytes = bytesOf(lines.slice(1, -1).join(''))
  if (bytes === undefined || bytes.length < MAGIC.length + 4) return undefined
  if (bytes.toString('latin1', 0, MAGIC.length) !== MAGIC || bytes.readUInt32BE(MAGIC.length) !== VERSION)
    return undefined
  const [key, namespace] = strings(bytes.subarray(MAGIC.length + 4), 2)
  if (key === undefined || namespace === undefined) return undefined
  return { key: key.toString('base64'), namespace: namespace.toString('utf8') }
}

/** The type that the bytes of a public key say themselves, such as `ssh-ed25519`; undefined if it is no key. */
export function keyTypeOf(key: string): string | undefined {
  const bytes = bytesOf(key)
  if (bytes === undefined || bytes.toString('base64') !== key) return undefined
  return strings(bytes, 1)[0]?.toString('latin1')
}

/** The fingerprint of a public key, as OpenSSH shows it. */
export function fingerprintOf(key: string): string {
  return `SHA256:${hash('sha256', Buffer.from(key, 'base64'), 'base64').replace(/=+$/, '')}`
}

function bytesOf(base64: string): Buffer | undefined {
  return BASE64.test(base64) ? Buffer.from(base64, 'base64') : undefined
}

/** The first strings of a buffer, each with its length before it; fewer if it ends before. */
function strings(bytes: Buffer, count: number): Buffer[] {
  const found: Buffer[] = []
  let at = 0
  while (found.length < count && at + 4 <= bytes.length) {
    const length = bytes.readUInt32BE(at)
    at += 4
    if (at + length > bytes.length) break
    found.push(bytes.subarray(at, at + length))
    at += length
  }
  return found
}
