import { spawn } from 'node:child_process'
import { platform } from 'node:os'
import { t } from '../text/words.ts'
import { AuthError } from '../wire/errors.ts'

const SERVICE = 'pixgate'
/** The longest time that the tool may take; one that asks a person who is not there would hang. */
const TIMEOUT_MS = 3000
const OUTPUT_BYTES_MAX = 64 * 1024

/** One call of the system's tool. The secret goes in through stdin, because every user can read a command line. */
interface ToolCall {
  tool: string
  args: readonly string[]
  input?: string
}

interface ToolAnswer {
  exitCode: number
  stdout: string
}

/**
 * Puts a secret into the system's keychain under this name, and reads it back. Throws
 * AuthError where the keychain does not take it within 3 s.
 */
export async function storeInKeychain(entry: string, secret: string): Promise<void> {
  const { exitCode } = await callTool(storeCall(entry, secret))
  // `security -i` ends with 0 whatever became of its commands, so only the secret itself is proof.
  if (exitCode === 0 && (await lookUp(entry)) === secret) return
  throw keychainFailure(t`the keychain did not take the secret`)
}

/** The secret under this name in the system's keychain. Throws AuthError where it is not there or not given in 3 s. */
export async function readFromKeychain(entry: string): Promise<string> {
  const secret = await lookUp(entry)
  if (secret !== undefined) return secret
  throw keychainFailure(t`it has no entry \`${entry}\`, or is locked`)
}

/** Removes the secret under this name from the system's keychain; none is well too. Throws AuthError where that fails. */
export async function removeFromKeychain(entry: string): Promise<void> {
  await callTool(removeCall(entry))
  if ((await lookUp(entry)) === undefined) return
  throw keychainFailure(t`it did not remove the entry \`${entry}\``)
}

async function lookUp(entry: string): Promise<string | undefined> {
  const { exitCode, stdout } = await callTool(readCall(entry))
  const secret = stdout.replace(/\r?\n$/, '')
  return exitCode === 0 && secret !== '' ? secret : undefined
}

function storeCall(entry: string, secret: string): ToolCall {
  if (platform() === 'darwin') {
    // In hex nothing can be taken for a quote or an option of the tool's own little language.
    const hex = Buffer.from(secret).toString('hex')
    return { tool: 'security', args: ['-i'], input: `add-generic-password -U -s ${SERVICE} -a ${entry} -X ${hex}\n` }
  }
  const label = `--label=${SERVICE} ${entry}`
  return { tool: 'secret-tool', args: ['store', label, ...attributes(entry)], input: secret }
}

function readCall(entry: string): ToolCall {
  if (platform() === 'darwin') {
    return { tool: 'security', args: ['find-generic-password', '-s', SERVICE, '-a', entry, '-w'] }
  }
  return { tool: 'secret-tool', args: ['lookup', ...attributes(entry)] }
}

function removeCall(entry: string): ToolCall {
  if (platform() === 'darwin') {
    return { tool: 'security', args: ['delete-generic-password', '-s', SERVICE, '-a', entry] }
  }
  return { tool: 'secret-tool', args: ['clear', ...attributes(entry)] }
}

function attributes(entry: string): string[] {
  return ['service', SERVICE, 'account', entry]
}

/** What the tool says on stderr is not read: it is for people at its own terminal. */
function callTool({ tool, args, input }: ToolCall): Promise<ToolAnswer> {
  if (platform() === 'win32') throw keychainFailure(t`there is none on this system that pixgate can use`)
  return new Promise((resolve, reject) => {
    const child = spawn(tool, [...args], { stdio: ['pipe', 'pipe', 'ignore'] })
    const chunks: Buffer[] = []
    let bytes = 0
    const giveUp = (why: string) => {
      clearTimeout(timer)
      child.kill('SIGKILL')
      // A grandchild may hold the pipes open; nobody waits for it.
      child.stdin.destroy()
      child.stdout.destroy()
      child.unref()
      reject(keychainFailure(why))
    }
    const timer = setTimeout(
      () => giveUp(t`\`${tool}\` did not answer within ${TIMEOUT_MS / 1000} seconds`),
      TIMEOUT_MS,
    )
    child.stdout.on('data', (chunk: Buffer) => {
      chunks.push(chunk)
      bytes += chunk.length
      if (bytes > OUTPUT_BYTES_MAX) giveUp(t`\`${tool}\` wrote more than a secret can be`)
    })
    child.on('error', (error: NodeJS.ErrnoException) => {
      giveUp(error.code === 'ENOENT' ? t`\`${tool}\` is not installed` : t`\`${tool}\` cannot be run: ${error.message}`)
    })
    child.on('close', (code) => {
      clearTimeout(timer)
      resolve({ exitCode: code ?? -1, stdout: Buffer.concat(chunks).toString('utf8') })
    })
    // A tool that does not read its input may have closed it.
    child.stdin.on('error', () => undefined)
    child.stdin.end(input ?? '')
  })
}

function keychainFailure(why: string): AuthError {
  return new AuthError(t`The keychain cannot be used: ${why}`, {
    hint: t`Unlock the keychain, or give the profile another source; \`pixgate profile edit --help\` lists them`,
  })
}
