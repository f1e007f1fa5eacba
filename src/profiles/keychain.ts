import { existsSync } from 'node:fs'
import { platform } from 'node:os'
import { delimiter, join } from 'node:path'
import type { EnvironmentVariables } from '../programInfo.ts'
import { t } from '../text/translate.ts'
import { AuthError } from '../wire/errors.ts'
import { runProgram } from './childProgram.ts'

const SERVICE = 'pixgate'
/** The time limit for the tool, which would hang if it waited for a person who is not there. */
const TIMEOUT_MS = 3000

/** One call of the system's keychain tool. Secrets are passed on stdin, because other users can read command lines. */
interface ToolCall {
  tool: string
  args: readonly string[]
  input?: string
}

interface ToolAnswer {
  exitCode: number
  stdout: string
}

/** True if the tool of the system's keychain is in one of the folders of `PATH`. It may still be locked. */
export function hasKeychainTool(path: string): boolean {
  if (platform() === 'win32') return false
  const tool = platform() === 'darwin' ? 'security' : 'secret-tool'
  return path.split(delimiter).some((folder) => folder !== '' && existsSync(join(folder, tool)))
}

/**
 * Stores a secret in the system's keychain under this name and reads it back. `env` is that of this process. Throws AuthError if the keychain does
 * not store it within 3 s.
 */
export async function storeInKeychain(entry: string, secret: string, env: EnvironmentVariables): Promise<void> {
  const { exitCode } = await callTool(storeCall(entry, secret), env)
  // `security -i` always exits with 0, so only reading the secret back proves that it was stored.
  if (exitCode === 0 && (await lookUp(entry, env)) === secret) return
  throw keychainFailure(t`it did not store the secret`)
}

/** Reads the secret with this name from the system's keychain. Throws AuthError if it is missing or takes over 3 s. */
export async function readFromKeychain(entry: string, env: EnvironmentVariables): Promise<string> {
  const secret = await lookUp(entry, env)
  if (secret !== undefined) return secret
  throw keychainFailure(t`it has no entry \`${entry}\`, or is locked`)
}

/** Removes the secret with this name from the system's keychain, if it exists. Throws AuthError on failure. */
export async function removeFromKeychain(entry: string, env: EnvironmentVariables): Promise<void> {
  await callTool(removeCall(entry), env)
  if ((await lookUp(entry, env)) === undefined) return
  throw keychainFailure(t`it did not remove the entry \`${entry}\``)
}

async function lookUp(entry: string, env: EnvironmentVariables): Promise<string | undefined> {
  const { exitCode, stdout } = await callTool(readCall(entry), env)
  const secret = stdout.replace(/\r?\n$/, '')
  return exitCode === 0 && secret !== '' ? secret : undefined
}

function storeCall(entry: string, secret: string): ToolCall {
  if (platform() === 'darwin') {
    // Hex contains no quotes or options that the tool's command language could misread.
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

/** Runs the tool of the keychain. Throws AuthError if it gives no answer. */
async function callTool({ tool, args, input = '' }: ToolCall, env: EnvironmentVariables): Promise<ToolAnswer> {
  if (platform() === 'win32') throw keychainFailure(t`pixgate supports none on this system`)
  const program = { command: tool, words: args, input, reads: ['stdout'], timeoutMs: TIMEOUT_MS } as const
  const { exit, fault, stdout } = await runProgram({ ...program, env })
  if (exit === null) throw keychainFailure(`\`${tool}\`: ${fault}`)
  return { exitCode: exit, stdout }
}

function keychainFailure(why: string): AuthError {
  return new AuthError(t`The keychain cannot be used: ${why}`, {
    hint: t`Unlock the keychain, or give the profile another source; \`pixgate profile edit --help\` lists them`,
  })
}
