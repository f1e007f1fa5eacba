import { type ChildProcess, spawn } from 'node:child_process'
import { platform } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { stripVTControlCharacters } from 'node:util'
import { formatDuration } from '../pix/duration.ts'
import { endProcessGroup } from '../processGroup.ts'
import type { EnvironmentVariables } from '../programInfo.ts'
import { systemTrouble } from '../storage/systemTrouble.ts'
import { safeText } from '../text/safeText.ts'
import { t } from '../text/translate.ts'
import { Failure, NotReached, UsageError } from '../wire/errors.ts'

/** How a tunnel is run. */
export interface TunnelOptions {
  /** The user's command line, for the shell; `{port}` is replaced by the port. */
  command: string
  port: number
  /** Without secrets, because the command is not ours. */
  env: EnvironmentVariables
  /** How long its URL is waited for. */
  urlMs?: number
  /** Gets a sentence if the command cannot be ended. */
  onLeft(line: string): void
}

/** A command that opens a tunnel to the listener. */
export interface Tunnel {
  /** Resolves when the command ends, with what to report unless it was closed. */
  readonly ended: Promise<Failure>
  /** The first https URL without a path that it prints; null at an interrupt. Throws NotReached if it ends or there is none in time, UsageError if it does not exist. */
  url(interrupt: AbortSignal): Promise<string | null>
  /** Ends the command and everything that it started, half a second later; resolves when they are gone. */
  close(): Promise<void>
}

const URL_MS = 30_000
/** Before the command is asked to end: the last answers are still on their way through the tunnel. */
const PASS_MS = 500
/** From asking the command to end to killing it. */
const KILL_MS = 1000
/** How long the last words of a command that has ended are waited for, because what it started may still have its output. */
const LAST_WORDS_MS = 500
/** What POSIX shells exit with if a command cannot be executed, or does not exist. */
const NOT_FOUND_CODES: readonly (number | null)[] = [126, 127]

/** What is kept of each stream, so that a URL at its end is read whole. */
const CHARACTERS_MAX = 64 * 1024
const URL_CHARACTERS_MAX = 2048
const QUOTE_LINES = 2
const QUOTE_CHARACTERS_MAX = 200

const URLS = /https?:\/\/[\w.~:/?#@!$&*+%=-]+/gi
/** Colours and links occur inside words; every other escape sequence ends a word. */
const INSIDE_WORDS = /\x1b\[[\d;:]*m|\x1b\][^\x07\x1b\r\n]*(?:\x07|\x1b\\)/g
const UNFINISHED_ESCAPE = /\x1b(?:\[[0-?]*[ -/]*|\][^\x07\x1b\r\n]*\x1b?|[ -/]*)?$/

/** Starts the command of a tunnel. */
export function openTunnel({ command, port, env, urlMs = URL_MS, onLeft }: TunnelOptions): Tunnel {
  const output = new TunnelOutput()
  const child = spawn(command.replaceAll(/\$?\{port\}/g, String(port)), {
    shell: true,
    // A separate process group can be ended as a whole.
    detached: platform() !== 'win32',
    windowsHide: true,
    // Some tunnels end with their input, so it stays open as long as we do.
    stdio: ['pipe', 'pipe', 'pipe'],
    env,
  })
  // A command that does not read its input may close it.
  child.stdin.on('error', () => undefined)
  for (const [name, stream] of Object.entries({ stdout: child.stdout, stderr: child.stderr })) {
    stream.setEncoding('utf8').on('data', (chunk: string) => output.add(name, chunk))
  }
  const ended = new Promise<Failure>((resolve) => {
    const end = (code: number | null, signal: string | null) => resolve(endOf(command, output, code, signal))
    child.once('error', (error) =>
      resolve(failed(t`The tunnel command cannot be run: ${systemTrouble(error, '').reason}`, output)),
    )
    child.once('exit', (code, signal) => setTimeout(end, LAST_WORDS_MS, code, signal).unref())
    child.once('close', end)
  })
  let closing: Promise<void> | undefined
  return {
    ended,
    async url(interrupt) {
      const over = new Promise<null>((resolve) => {
        setTimeout(resolve, urlMs, null).unref()
        if (interrupt.aborted) resolve(null)
        interrupt.addEventListener('abort', () => resolve(null))
      })
      const first = await Promise.race([output.found, ended, over])
      if (first instanceof Failure) throw first
      if (first !== null || interrupt.aborted) return first
      const url = output.unfinishedUrl()
      if (url !== undefined) return url
      throw failed(t`The tunnel command printed no https URL without a path within ${formatDuration(urlMs)}`, output)
    },
    close: () => (closing ??= end(child, onLeft)),
  }
}

async function end(child: ChildProcess, onLeft: TunnelOptions['onLeft']): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) await sleep(PASS_MS)
  if (child.pid !== undefined && !(await endProcessGroup(child.pid, KILL_MS))) {
    onLeft(t`The tunnel command runs as another user; stop process ${child.pid} yourself`)
  }
  for (const stream of child.stdio) stream?.destroy()
  child.unref()
}

function endOf(command: string, output: TunnelOutput, code: number | null, signal: string | null): Failure {
  if (NOT_FOUND_CODES.includes(code) && !output.hasUrl) {
    return new UsageError(t`\`--tunnel\`: the command \`${command}\` was not found`, {
      details: output.quote,
      hint: t`Install the tunnel program, or check its path: \`command -v ${command.split(' ')[0] ?? ''}\``,
    })
  }
  if (code === null) return failed(t`The tunnel command was terminated by ${signal ?? ''}`, output)
  if (code === 0) return failed(t`The tunnel command exited with code 0, but it must stay in the foreground`, output)
  return failed(t`The tunnel command exited with code ${code}`, output)
}

function failed(message: string, { quote }: TunnelOutput): NotReached {
  return new NotReached(message, {
    details: quote,
    hint: t`Run the tunnel command by itself to see what it prints and whether it stays, then start the listener again`,
  })
}

class TunnelOutput {
  /** Resolves with the first https URL without a path. */
  readonly found: Promise<string>
  hasUrl = false
  #take: (url: string) => void = () => undefined
  /** The end of each stream. A URL may be cut anywhere between two chunks. */
  readonly #ends = new Map<string, string>()

  constructor() {
    this.found = new Promise((resolve) => {
      this.#take = resolve
    })
  }

  /** Takes what arrived on one of the streams. */
  add(stream: string, chunk: string): void {
    const text = ((this.#ends.get(stream) ?? '') + chunk).slice(-CHARACTERS_MAX)
    this.#ends.set(stream, text)
    const url = this.hasUrl ? undefined : firstUrl(text)
    if (url === undefined) return
    this.hasUrl = true
    this.#take(url)
  }

  /** A URL at the end of a line that has not ended. */
  unfinishedUrl(): string | undefined {
    return firstUrl([...this.#ends.values(), ''].join('\n'))
  }

  /** The last one or two lines that say something, the earlier first, safe for a terminal. */
  get quote(): readonly string[] {
    const lines = [...this.#ends.values()].flatMap((text) => text.split(/[\r\n]/)).map(quotableText)
    return lines
      .filter((line) => line !== '')
      .slice(-QUOTE_LINES)
      .map((line) => safeText(line))
  }
}

/** The first https URL without a path whose end is seen. One with a path is a page of help. */
function firstUrl(text: string): string | undefined {
  const words = withoutEscapes(text)
  for (const { 0: match, index } of words.matchAll(URLS)) {
    // The next chunk may continue it.
    if (index + match.length === words.length) return undefined
    if (match.length > URL_CHARACTERS_MAX) continue
    const printed = match.replace(/[.:!?*]+$/, '')
    if (!/^https:/i.test(printed) || !URL.canParse(printed)) continue
    const { origin, href } = new URL(printed)
    if (href === `${origin}/`) return printed.endsWith('/') ? href : origin
  }
  return undefined
}

function withoutEscapes(text: string): string {
  return text.replace(UNFINISHED_ESCAPE, '').replaceAll(INSIDE_WORDS, '')
}

/** The line as it can be quoted; empty if it is only a frame or has no words. */
function quotableText(line: string): string {
  const words = stripVTControlCharacters(withoutEscapes(line)).replaceAll(/\s+/g, ' ').trim()
  if (!/[\p{L}\p{N}]/u.test(words)) return ''
  return words.length > QUOTE_CHARACTERS_MAX ? `${words.slice(0, QUOTE_CHARACTERS_MAX)}…` : words
}
