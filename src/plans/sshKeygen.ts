import { spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { withoutSecrets } from '../profiles/childEnvironment.ts'
import type { EnvironmentVariables } from '../programInfo.ts'
import { t } from '../text/translate.ts'
import { isSystemError, UsageError } from '../wire/errors.ts'
import { type AllowedSigners, NAMESPACE } from './allowedSigners.ts'

const OUTPUT_BYTES_MAX = 1024 * 1024
const PRIVATE = { mode: 0o600 }

/** OpenSSH could not do its work, so nothing is known of a signature. */
export class OpenSshFailed extends UsageError {}

/** What a program answered. */
interface Answer {
  /** Null if a signal ended it. */
  exit: number | null
  stdout: string
  stderr: string
}

/**
 * Signs a text with the key of a file; of a public key the agent has the private half. A passphrase, or the touch of a hardware key, is asked for by
 * OpenSSH itself. Returns the armoured signature. Throws UsageError.
 */
export async function signText(text: string, keyFile: string, env: EnvironmentVariables): Promise<string> {
  const { exit, stdout, stderr } = await run(['-Y', 'sign', '-n', NAMESPACE, '-f', keyFile], { env, input: text })
  if (exit === 0 && stdout !== '') return stdout
  const said = stderr.split('\n').filter((line) => line !== '' && !line.startsWith('Signing data'))
  throw new UsageError(t`\`${keyFile}\` could not sign the plan`, {
    details: [...said.slice(-2), t`Nothing was sent`],
    hint: t`Check that the key exists and that its agent runs: \`ssh-add -l\`; or name another one with \`--ssh-key\``,
  })
}

/**
 * True if a signature is that of a person of the list over this text, and the key was valid at this time. `revoked` is a file of revoked keys, if there
 * is one. Only the exit code of OpenSSH counts. Throws UsageError if OpenSSH is missing.
 */
export async function isSignedBy(
  text: string,
  signature: string,
  principal: string,
  list: Pick<AllowedSigners, 'text'> & { revoked: string | null; atMs: number },
  env: EnvironmentVariables,
): Promise<boolean> {
  return withFiles({ list: list.text, signature }, (pathOf) => {
    const words = ['-Y', 'verify', '-n', NAMESPACE, '-f', pathOf('list'), '-I', principal, '-s', pathOf('signature')]
    const revoked = list.revoked === null ? [] : ['-r', list.revoked]
    return isVerified([...words, '-O', `verify-time=${verifyTime(list.atMs)}`, ...revoked], { env, input: text })
  })
}

/** True if a signature is that of the key in it over this text, whoever has that key. Throws UsageError if OpenSSH is missing. */
export async function isSigned(text: string, signature: string, env: EnvironmentVariables): Promise<boolean> {
  return withFiles({ signature }, (pathOf) =>
    isVerified(['-Y', 'check-novalidate', '-n', NAMESPACE, '-s', pathOf('signature')], { env, input: text }),
  )
}

/** What the exit code says. Throws OpenSshFailed if something else ended it. */
async function isVerified(words: readonly string[], options: { env: EnvironmentVariables; input: string }) {
  const { exit } = await run(words, options)
  if (exit !== null) return exit === 0
  throw new OpenSshFailed(t`\`ssh-keygen\`, which verifies plans, was ended before it had an answer`, {
    details: [t`Nothing was sent or changed`],
    hint: t`Run the command again`,
  })
}

/** The public half of a private key, as a line of OpenSSH; undefined if it cannot be read. */
export async function publicKeyOf(keyFile: string, env: EnvironmentVariables): Promise<string | undefined> {
  const { exit, stdout } = await run(['-y', '-f', keyFile], { env, input: '' })
  return exit === 0 ? stdout : undefined
}

/** The public keys that the agent has, as lines of OpenSSH; none if there is no agent. */
export async function agentKeys(env: EnvironmentVariables): Promise<string[]> {
  if (!env.SSH_AUTH_SOCK) return []
  const { exit, stdout } = await start('ssh-add', ['-L'], { env, input: '' })
  return exit === 0 ? stdout.split('\n').filter((line) => line !== '') : []
}

/** Does work with texts in private files, which are gone afterwards. `pathOf` gives the path of each by its name. Throws OpenSshFailed if they cannot be written. */
export async function withFiles<Result>(
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
    throw new OpenSshFailed(t`\`${tmpdir()}\`, the folder for temporary files, cannot be written: ${error.code}`, {
      details: [t`Nothing was sent or changed`],
      hint: t`Make room there, or name another folder in \`TMPDIR\``,
    })
  }
}

/** `20261122140509Z`. */
function verifyTime(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19).replace(/[-T:]/g, '')}Z`
}

function run(words: readonly string[], options: { env: EnvironmentVariables; input: string }): Promise<Answer> {
  return start('ssh-keygen', words, options)
}

function start(
  program: string,
  words: readonly string[],
  { env, input }: { env: EnvironmentVariables; input: string },
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, words, {
      stdio: ['pipe', 'pipe', 'pipe'],
      windowsHide: true,
      env: withoutSecrets(env),
    })
    const output = { stdout: '', stderr: '' }
    for (const name of ['stdout', 'stderr'] as const) {
      child[name].setEncoding('utf8').on('data', (text: string) => {
        if (output[name].length < OUTPUT_BYTES_MAX) output[name] += text
      })
    }
    // A program that refuses the command line does not read its input.
    child.stdin.on('error', () => undefined)
    child.stdin.end(input)
    child.on('error', (error: NodeJS.ErrnoException) => reject(noProgram(program, error.code ?? error.message)))
    child.on('close', (exit) => resolve({ exit, ...output }))
  })
}

function noProgram(program: string, code: string): OpenSshFailed {
  return new OpenSshFailed(t`\`${program}\`, which signs and verifies plans, could not be started: ${code}`, {
    details: [t`Nothing was sent or changed`],
    hint: t`Install OpenSSH (the package \`openssh-client\`, in Windows an optional feature), then run the command again`,
  })
}
