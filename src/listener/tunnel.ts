import { type ChildProcess, spawn } from 'node:child_process'
import { platform } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { formatDuration } from '../pix/duration.ts'
import { endProcessGroup } from '../processGroup.ts'
import type { EnvironmentVariables } from '../programInfo.ts'
import { t } from '../text/translate.ts'
import { TunnelOutput } from './tunnelOutput.ts'

/** How long a tunnel is waited for, all in milliseconds. */
export interface TunnelPauses {
  /** Before the first new start, the second, …; the last is the pause of all further ones. */
  restartMs: readonly number[]
  /** A tunnel that ran this long is restarted as if it were the first time. */
  stableMs: number
  /** A tunnel that prints no URL for this long hangs. */
  urlMs: number
  /** How long to wait for a better URL, by the doubt about the one that was printed. */
  doubtMs: Readonly<Record<1 | 2, number>>
  /** Before a tunnel that is closed is asked to end: the last answers are still on their way through it. */
  passMs: number
  /** From asking the tunnel to end to killing it. */
  killMs: number
}

/** How a tunnel is run. */
export interface TunnelOptions {
  /** The user's command line, for the shell; `{port}` is replaced by the port. */
  command: string
  port: number
  /** Without secrets, because the command is not ours. */
  env: EnvironmentVariables
  /** False if the user named the public URL: then the output is not searched for one. */
  expectsUrl: boolean
  pauses?: Partial<TunnelPauses>
  /** Gets the public URL of each run of the command, and a less doubtful one that follows. */
  onUrl(url: string): void
  /** Gets a sentence that says why the tunnel does not run and when it is started again; safe for a terminal. */
  onTrouble(line: string): void
  /** Gets what the shell wrote if it did not find the command, or may not run it; then it is not started again. */
  onNotFound?(output: string): void
}

/** A tunnel that is kept running. */
export interface Tunnel {
  /** Ends the command and everything that it started, half a second later; resolves when they are gone. */
  close(): Promise<void>
}

/** Why a run ended. */
interface Ending {
  reason: string
  quote: readonly string[]
  wasStable: boolean
  hadUrl: boolean
  /** True if the shell could not run the command. */
  isNotFound: boolean
}

const PAUSES: TunnelPauses = {
  restartMs: [1000, 2000, 5000, 10_000],
  stableMs: 60_000,
  urlMs: 20_000,
  // The best-known tunnel prints a link to its terms 3 s and more before its own URL.
  doubtMs: { 1: 3000, 2: 8000 },
  passMs: 500,
  killMs: 1000,
}
/** A doubt above all real ones, until a URL was reported. */
const NOTHING_TAKEN = 3
/** What POSIX shells exit with if a command cannot be executed, or does not exist. */
const NOT_FOUND_CODES: readonly (number | null)[] = [126, 127]
/** How long the last words of a tunnel that has ended are waited for. */
const LAST_WORDS_MS = 500

/** Runs the command that opens a tunnel to the port, and starts it again whenever it ends or shows no URL. */
export function openTunnel(options: TunnelOptions): Tunnel {
  const closing = new AbortController()
  const ended = keepRunning(options, { ...PAUSES, ...options.pauses }, closing.signal)
  return {
    close() {
      closing.abort()
      return ended
    },
  }
}

async function keepRunning(options: TunnelOptions, pauses: TunnelPauses, closing: AbortSignal): Promise<void> {
  let failures = 0
  let lastGist = ''
  while (!closing.aborted) {
    const { reason, quote, wasStable, hadUrl, isNotFound } = await runOnce(options, pauses, closing)
    if (closing.aborted) return
    if (isNotFound && failures === 0 && options.onNotFound !== undefined) return options.onNotFound(quote.join(' / '))
    if (wasStable) failures = 0
    if (wasStable || hadUrl) lastGist = ''
    const last = pauses.restartMs.length - 1
    const pauseMs = pauses.restartMs[Math.min(failures, last)] ?? 0
    const isEvery = failures >= last
    failures++
    // A problem is reported once until the tunnel works again; digits are ignored, as logs contain times and counts.
    const gist = [reason, ...quote.map((line) => line.replaceAll(/\d+/g, '')), isEvery].join('\n')
    if (gist !== lastGist) options.onTrouble(troubleText(reason, quote, formatDuration(pauseMs), isEvery))
    lastGist = gist
    await sleep(pauseMs, undefined, { signal: closing }).catch(rethrowUnless(closing))
  }
}

function troubleText(reason: string, quote: readonly string[], pause: string, isEvery: boolean): string {
  const written = quote.join(' / ')
  if (isEvery) {
    return written === ''
      ? t`${reason}; retrying every ${pause}`
      : t`${reason}; retrying every ${pause}; its output: ${written}`
  }
  return written === ''
    ? t`${reason}; restarting in ${pause}`
    : t`${reason}; restarting in ${pause}; its output: ${written}`
}

function rethrowUnless(closing: AbortSignal): (error: unknown) => void {
  return (error) => {
    if (!closing.aborted) throw error
  }
}

/** Runs the command until it ends, hangs or is ended; what it started is gone by then. */
async function runOnce(options: TunnelOptions, pauses: TunnelPauses, closing: AbortSignal): Promise<Ending> {
  const begunAtMs = performance.now()
  const output = new TunnelOutput()
  const child = start(options)
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()))
  const giveUp = new AbortController()
  const watch = options.expectsUrl ? watchForUrl(output, pauses, options.onUrl, () => giveUp.abort()) : undefined
  readOutput(child, output, () => watch?.look())
  const finished = new AbortController()
  const reason = await new Promise<string>((resolve) => {
    child.once('error', (error: NodeJS.ErrnoException) =>
      resolve(t`The tunnel command cannot be run: ${error.code ?? error.message}`),
    )
    child.once('exit', (code, signal) => resolve(endOf(code, signal)))
    giveUp.signal.addEventListener('abort', () =>
      resolve(t`The tunnel command printed no https URL within ${formatDuration(pauses.urlMs)}`),
    )
    closing.addEventListener('abort', () => resolve(''), { signal: finished.signal })
  })
  finished.abort()
  watch?.stop()
  if (closing.aborted && child.exitCode === null) await sleep(pauses.passMs)
  if (child.pid !== undefined && !(await endProcessGroup(child.pid, pauses.killMs))) {
    options.onTrouble(t`The tunnel command runs as another user; stop process ${child.pid} yourself`)
  }
  await Promise.race([closed, sleep(child.pid === undefined ? 0 : LAST_WORDS_MS)])
  for (const stream of child.stdio) stream?.destroy()
  child.unref()
  const wasStable = performance.now() - begunAtMs >= pauses.stableMs
  return {
    reason,
    quote: output.quote,
    wasStable,
    hadUrl: watch?.hasTaken() ?? false,
    isNotFound: NOT_FOUND_CODES.includes(child.exitCode),
  }
}

function start({ command, port, env }: TunnelOptions): ChildProcess {
  return spawn(command.replaceAll(/\$?\{port\}/g, String(port)), {
    shell: true,
    // A separate process group can be ended as a whole.
    detached: platform() !== 'win32',
    windowsHide: true,
    // Some tunnels end with their input, so it stays open as long as we do.
    stdio: ['pipe', 'pipe', 'pipe'],
    env,
  })
}

function endOf(code: number | null, signal: string | null): string {
  if (code === null) return t`The tunnel command was terminated by ${signal ?? ''}`
  if (code === 0) return t`The tunnel command exited with code 0, but it must stay in the foreground`
  return t`The tunnel command exited with code ${code}`
}

function readOutput(child: ChildProcess, output: TunnelOutput, onData: () => void): void {
  // A command that does not read its input may close it.
  child.stdin?.on('error', () => undefined)
  for (const [name, stream] of Object.entries({ stdout: child.stdout, stderr: child.stderr })) {
    stream?.setEncoding('utf8')
    stream?.on('data', (chunk: string) => {
      output.add(name, chunk)
      onData()
    })
  }
}

/** Reports the first certain URL immediately, and a doubtful one if no better one follows in time. */
function watchForUrl(
  output: TunnelOutput,
  pauses: TunnelPauses,
  onUrl: (url: string) => void,
  giveUp: () => void,
): { look(): void; stop(): void; hasTaken(): boolean } {
  let takenDoubt = NOTHING_TAKEN
  let isStopped = false
  const timers = new Map<1 | 2, NodeJS.Timeout>()
  const take = () => {
    const { best } = output
    if (best === undefined || best.doubt >= takenDoubt) return
    takenDoubt = best.doubt
    onUrl(best.url)
  }
  const hanging = setTimeout(() => {
    take()
    if (takenDoubt === NOTHING_TAKEN) giveUp()
  }, pauses.urlMs)
  return {
    look() {
      const doubt = takenDoubt === 0 || isStopped ? undefined : output.best?.doubt
      if (doubt === 0) take()
      else if (doubt !== undefined && !timers.has(doubt)) timers.set(doubt, setTimeout(take, pauses.doubtMs[doubt]))
    },
    stop() {
      for (const timer of [hanging, ...timers.values()]) clearTimeout(timer)
      isStopped = true
    },
    hasTaken: () => takenDoubt !== NOTHING_TAKEN,
  }
}
