import { hash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fingerprintOf, KEY_TYPE } from '../profiles/approvers.ts'
import { runProgram } from '../profiles/childProgram.ts'
import type { EnvironmentVariables } from '../programInfo.ts'
import { systemTrouble } from '../storage/systemTrouble.ts'
import { inHome } from '../storage/userFolders.ts'
import { readInputFile } from '../terminal/inputFile.ts'
import { t } from '../text/translate.ts'
import { isSystemError, UsageError } from '../wire/errors.ts'

/** What an SSH signature says of itself, before it is verified. */
interface SshSignature {
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

const PRIVATE = { mode: 0o600 }

/** OpenSSH could not do its work, so nothing is known of a signature. */
export class OpenSshFailed extends UsageError {}

/**
 * Signs a text with the key of a file; of a public key the agent has the private half. A passphrase, or the touch of a hardware key, is asked for by
 * OpenSSH itself. Returns the armoured signature. Throws UsageError.
 */
async function signText(text: string, keyFile: string, env: EnvironmentVariables): Promise<string> {
  const { exit, stdout, stderr } = await run('ssh-keygen', ['-Y', 'sign', '-n', NAMESPACE, '-f', keyFile], env, text)
  if (exit === 0 && stdout !== '') return stdout
  const said = stderr.split('\n').filter((line) => line !== '' && !line.startsWith('Signing data'))
  throw new UsageError(t`\`${keyFile}\` could not sign the plan`, {
    details: [...said.slice(-2), t`Nothing was sent`],
    hint: t`Check that the key exists and that its agent runs: \`ssh-add -l\`; or name another one with \`--ssh-key\``,
  })
}

/**
 * True if a signature is that of a person of the list over this text, and the key was valid at this time. Only the exit code of OpenSSH counts. Throws UsageError if OpenSSH is missing.
 */
export async function isSignedBy(
  text: string,
  signature: string,
  principal: string,
  list: Pick<AllowedSigners, 'text'> & { atMs: number },
  env: EnvironmentVariables,
): Promise<boolean> {
  return withFiles({ list: list.text, signature }, (pathOf) => {
    const words = ['-Y', 'verify', '-n', NAMESPACE, '-f', pathOf('list'), '-I', principal, '-s', pathOf('signature')]
    return isVerified([...words, '-O', `verify-time=${verifyTime(list.atMs)}`], text, env)
  })
}

/** True if a signature is that of the key in it over this text, regardless of who has that key. Throws UsageError if OpenSSH is missing. */
export async function isSigned(text: string, signature: string, env: EnvironmentVariables): Promise<boolean> {
  return withFiles({ signature }, (pathOf) =>
    isVerified(['-Y', 'check-novalidate', '-n', NAMESPACE, '-s', pathOf('signature')], text, env),
  )
}

async function isVerified(words: readonly string[], text: string, env: EnvironmentVariables): Promise<boolean> {
  return (await run('ssh-keygen', words, env, text)).exit === 0
}

/** The public half of a private key, as a line of OpenSSH; undefined if it cannot be read. */
async function publicKeyOf(keyFile: string, env: EnvironmentVariables): Promise<string | undefined> {
  const { exit, stdout } = await run('ssh-keygen', ['-y', '-f', keyFile], env)
  return exit === 0 ? stdout : undefined
}

/** The public keys that the agent has, as lines of OpenSSH; none if there is no agent. */
async function agentKeys(env: EnvironmentVariables): Promise<string[]> {
  if (!env.SSH_AUTH_SOCK) return []
  const { exit, stdout } = await run('ssh-add', ['-L'], env)
  return exit === 0 ? stdout.split('\n').filter((line) => line !== '') : []
}

/** Does work with texts in private files, which are gone afterwards. `pathOf` gives the path of each by its name. Throws OpenSshFailed if they cannot be written. */
async function withFiles<Result>(
  texts: Readonly<Record<string, string>>,
  work: (pathOf: (name: string) => string) => Promise<Result>,
): Promise<Result> {
  const folder = await written(mkdtemp(join(tmpdir(), 'pixgate-plan-')))
  try {
    for (const [name, text] of Object.entries(texts)) await written(writeFile(join(folder, name), text, PRIVATE))
    return await work((name) => join(folder, name))
  } finally {
    // What cannot be removed holds no secret.
    await rm(folder, { recursive: true, force: true }).catch(() => undefined)
  }
}

/** What was made among the temporary files. Throws OpenSshFailed if the system does not let pixgate write there. */
async function written<Made>(making: Promise<Made>): Promise<Made> {
  try {
    return await making
  } catch (error) {
    if (!isSystemError(error)) throw error
    throw new OpenSshFailed(
      t`\`${tmpdir()}\`, the folder for temporary files, cannot be written: ${systemTrouble(error, '').reason}`,
      {
        details: [t`Nothing was sent or changed`],
        hint: t`Make room there, or name another folder in \`TMPDIR\``,
      },
    )
  }
}

/** `20261122140509Z`. */
function verifyTime(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19).replace(/[-T:]/g, '')}Z`
}

/** Runs a program of OpenSSH. Throws OpenSshFailed if it gives no answer. */
async function run(program: 'ssh-keygen' | 'ssh-add', words: readonly string[], env: EnvironmentVariables, input = '') {
  const ended = await runProgram({ command: program, words, env, input, reads: ['stdout', 'stderr'] })
  if (ended.exit !== null) return ended
  throw new OpenSshFailed(t`\`${program}\`, which signs and verifies plans, failed: ${ended.fault ?? ''}`, {
    details: [t`Nothing was sent or changed`],
    hint: t`Check that OpenSSH is installed (the package \`openssh-client\`, in Windows an optional feature), then run the command again`,
  })
}

const SSH_KEY_VARIABLE = 'PIXGATE_SSH_KEY'

interface SigningKey {
  principal: string
  /** The Base64 of its public half. */
  key: string
  /** The file of the private key, or of a public key whose private half the agent has; null for a key of the agent without a file. */
  file: string | null
  /** The public key as a line. */
  line: string
}

interface KeySources {
  /** `--ssh-key`. */
  typed: string | undefined
  /** The list of approvers that is in force; null if there is none. */
  list: AllowedSigners | null
  /** The user of the system. */
  user: string
  env: EnvironmentVariables
}

const USUAL_FILES = ['id_ed25519', 'id_ed25519_sk', 'id_ecdsa', 'id_ecdsa_sk', 'id_rsa']

/**
 * Chooses the key: that of `--ssh-key` or `PIXGATE_SSH_KEY`, else one of the agent that the list names, else the usual file. The list names its person;
 * without a list that is the comment of the key, or the user of the system. Throws UsageError.
 */
export async function chooseKey({ typed, list, user, env }: KeySources): Promise<SigningKey> {
  const named = typed ?? (env[SSH_KEY_VARIABLE] || undefined)
  if (named !== undefined) return keyOf(await lineOfFile(named, env), named, list, user)
  const fromAgent = list === null ? undefined : (await agentKeys(env)).find((line) => signerOf(list, keyIn(line)))
  if (fromAgent !== undefined) return keyOf(fromAgent, null, list, user)
  const folder = inHome('.ssh', env)
  const file = folder && USUAL_FILES.map((name) => join(folder, name)).find((path) => existsSync(path))
  if (file) return keyOf(await lineOfFile(file, env), file, list, user)
  throw new UsageError(t`There is no SSH key to sign the plan with`, {
    details: [
      t`Looked for \`--ssh-key\`, \`${SSH_KEY_VARIABLE}\`, a key of the agent that the list of approvers names, and in ${folder ?? '~/.ssh'}`,
    ],
    hint: t`Make a key with \`ssh-keygen -t ed25519\`, or name one with \`--ssh-key\``,
  })
}

/** Signs a text with a key. Throws UsageError. */
export async function signWith(key: SigningKey, text: string, env: EnvironmentVariables): Promise<string> {
  const signature =
    key.file === null
      ? await withFiles({ 'key.pub': key.line }, (pathOf) => signText(text, pathOf('key.pub'), env))
      : await signText(text, key.file, env)
  if (readSshSignature(signature)?.key === key.key) return signature
  throw new UsageError(t`The plan was signed with another key than ${fingerprintOf(key.key)}`, {
    details: [t`Nothing was sent`],
    hint: t`Check that the file of the key and the file beside it that ends in \`.pub\` belong together`,
  })
}

function keyOf(line: string, file: string | null, list: AllowedSigners | null, user: string): SigningKey {
  const key = keyIn(line)
  if (keyTypeOf(key) === undefined) throw unreadableKey(file ?? 'ssh-agent')
  if (list === null) {
    // No list vouches for the name. The comment of a key is usually its owner's.
    const comment = line.trim().split(/\s+/)[2] ?? ''
    return { principal: isPrincipal(comment) ? comment : principalOfUser(user), key, file, line }
  }
  const signer = signerOf(list, key)
  if (signer !== undefined) return { principal: signer.principal, key, file, line }
  throw new UsageError(t`The list of approvers does not have the key ${fingerprintOf(key)}`, {
    details: [
      t`The list is \`${list.path}\`, without those who were revoked`,
      t`The key is ${file ?? 'ssh-agent'}`,
      t`Nothing was sent or changed`,
    ],
    hint: t`Name a key that the list has with \`--ssh-key\``,
  })
}

/** The line of a public key: from the file beside a private one, else OpenSSH derives it, and may ask for a passphrase. */
async function lineOfFile(file: string, env: EnvironmentVariables): Promise<string> {
  if (!existsSync(file)) {
    throw new UsageError(t`The SSH key \`${file}\` does not exist`, {
      details: [t`Nothing was sent`],
      hint: t`Name the file of a key with \`--ssh-key\`, or make one with \`ssh-keygen -t ed25519\``,
    })
  }
  const besides = file.endsWith('.pub') ? file : `${file}.pub`
  const line = existsSync(besides) ? readInputFile(besides, 'sshKey').toString('utf8') : await publicKeyOf(file, env)
  if (line === undefined) throw unreadableKey(file)
  return line
}

function unreadableKey(file: string): UsageError {
  return new UsageError(t`\`${file}\` is not an SSH key that can be used`, {
    details: [t`Nothing was sent`],
    hint: t`Name the file of a key with \`--ssh-key\`, or make one with \`ssh-keygen -t ed25519\``,
  })
}

function keyIn(line: string): string {
  return line.trim().split(/\s+/)[1] ?? ''
}

interface AllowedSigner {
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

/** The line of a key; undefined if the list does not have it. */
export function signerOf({ signers }: AllowedSigners, key: string): AllowedSigner | undefined {
  return signers.find((signer) => signer.key === key)
}

function readLine(line: string, fault: (what: string) => UsageError): AllowedSigner {
  const [principal = '', ...rest] = line.trim().split(/[ \t]+/)
  if (/[*?!,"]/.test(principal)) throw fault(t`\`${principal}\` is a pattern, and each line must name one person`)
  if (!isPrincipal(principal)) throw fault(t`\`${principal}\` is not a valid name`)
  const at = rest.findIndex((word) => KEY_TYPE.test(word))
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

const PRINCIPAL = /^[A-Za-z0-9][A-Za-z0-9._@-]{0,63}$/

/** True for a name under which a person can sign: no pattern, no list, safe in the name of a file. */
export function isPrincipal(name: string): boolean {
  return PRINCIPAL.test(name)
}

/** The name of a person whose key no list names: the user of the system, `finance (maria)` as `maria`. */
function principalOfUser(user: string): string {
  const [, login] = /\(([^)]*)\)$/.exec(user) ?? []
  const plain = (login ?? user)
    .replace(/[^A-Za-z0-9._@-]/g, '-')
    .replace(/^[^A-Za-z0-9]+/, '')
    .slice(0, 64)
  return plain === '' ? 'somebody' : plain
}
