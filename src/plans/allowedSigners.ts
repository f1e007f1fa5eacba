import { hash } from 'node:crypto'
import { statSync } from 'node:fs'
import { readInputFile } from '../terminal/inputFile.ts'
import { t } from '../text/translate.ts'
import { UsageError } from '../wire/errors.ts'
import { isPrincipal } from './principal.ts'
import { keyTypeOf } from './sshSignature.ts'

/** A line of a list of approvers: a person and one of their keys. */
export interface AllowedSigner {
  principal: string
  /** The public key as OpenSSH writes it: the Base64 of its bytes. */
  key: string
}

/** A list of the people who may make and approve plans, in OpenSSH's format `allowed_signers`. */
export interface AllowedSigners {
  /** As it was typed. */
  path: string
  text: string
  /** Hex SHA-256 of the file. */
  sha256: string
  signers: readonly AllowedSigner[]
}

/** The namespace of the signatures of plans. */
export const NAMESPACE = 'pixgate'
const SIGNERS_MAX = 1000
const OPTION = /^(?:namespaces="([^"]*)"|valid-(?:after|before)="?\d{8}(?:\d{4}(?:\d{2})?)?Z?"?)$/

/**
 * Reads a list of approvers strictly: each line is one person, `namespaces="pixgate"`, and one key that no other line has. OpenSSH itself accepts more, by
 * which somebody could sign as another person. Throws UsageError that names the line.
 */
export function readAllowedSigners(text: string, path: string): AllowedSigners {
  const signers: AllowedSigner[] = []
  const keys = new Map<string, number>()
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '' || line.trimStart().startsWith('#')) continue
    const signer = readLine(line, (what) => listFault(path, index + 1, what))
    const earlier = keys.get(signer.key)
    if (earlier !== undefined) throw listFault(path, index + 1, t`it has the key of line ${earlier} again`)
    keys.set(signer.key, index + 1)
    signers.push(signer)
    if (signers.length > SIGNERS_MAX) throw listFault(path, index + 1, t`it has more than ${SIGNERS_MAX} keys`)
  }
  if (signers.length === 0) {
    throw new UsageError(t`The list of approvers \`${path}\` has no keys`, {
      details: [t`Nothing was sent or changed`],
      hint: t`Write one line for each person: \`maria namespaces="pixgate" ssh-ed25519 AAAA…\``,
    })
  }
  return { path, text, sha256: hash('sha256', text), signers }
}

/** {@link readAllowedSigners} for a file. Throws UsageError also if it cannot be read. */
export function readApprovers(path: string): AllowedSigners {
  return readAllowedSigners(readInputFile(path, 'sshKey').toString('utf8'), path)
}

/** The file of revoked keys beside a list, as OpenSSH reads it; null if there is none. Throws UsageError if that cannot be told. */
export function revokedKeys(path: string): string | null {
  const file = `${path}.revoked`
  try {
    return statSync(file, { throwIfNoEntry: false }) === undefined ? null : file
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error
    throw new UsageError(t`Cannot tell whether \`${file}\` revokes keys: ${String(error.code)}`, {
      details: [t`Nothing was sent or changed`],
      hint: t`Make the folder readable, then run the command again`,
    })
  }
}

/** The line of a key; undefined if the list does not have it. */
export function signerOf({ signers }: AllowedSigners, key: string): AllowedSigner | undefined {
  return signers.find((signer) => signer.key === key)
}

function readLine(line: string, fault: (what: string) => UsageError): AllowedSigner {
  const [principal = '', ...rest] = line.trim().split(/[ \t]+/)
  if (/[*?!,"]/.test(principal)) throw fault(t`\`${principal}\` is a pattern, and each line must name one person`)
  if (!isPrincipal(principal)) throw fault(t`\`${principal}\` is not a valid name`)
  // A key type begins with letters and has no `=`; everything before it is options.
  const at = rest.findIndex((word) => /^(?:ssh-|ecdsa-|sk-)/.test(word))
  const options = (at === -1 ? rest : rest.slice(0, at)).flatMap((word) => word.split(/,(?=[a-z])/i))
  if (options.some((option) => option.toLowerCase() === 'cert-authority'))
    throw fault(t`it has a certificate authority`)
  if (at === -1) throw fault(t`it has no key`)
  const namespaces = options.flatMap((option) => OPTION.exec(option)?.[1] ?? [])
  if (namespaces.length !== 1 || namespaces[0] !== NAMESPACE) throw fault(t`it lacks \`namespaces="${NAMESPACE}"\``)
  const unknown = options.find((option) => !OPTION.test(option))
  if (unknown !== undefined) throw fault(t`\`${unknown}\` is not an option that it can have`)
  const [type = '', key = ''] = rest.slice(at)
  if (type.includes('-cert-')) throw fault(t`it has a certificate, and only plain keys are accepted`)
  if (keyTypeOf(key) !== type) throw fault(t`its key is not a whole \`${type}\` key`)
  return { principal, key }
}

function listFault(path: string, line: number, what: string): UsageError {
  return new UsageError(t`The list of approvers \`${path}\` cannot be used, line ${line}: ${what}`, {
    details: [t`Nothing was sent or changed`],
    hint: t`Write one line for each key: \`maria namespaces="pixgate" ssh-ed25519 AAAA…\``,
  })
}
