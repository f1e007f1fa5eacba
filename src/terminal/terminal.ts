import type { Writable } from 'node:stream'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import type { ReadStream, WriteStream } from 'node:tty'
import { Chalk, type ChalkInstance, type ColorSupportLevel } from 'chalk'
import type { EnvironmentVariables } from '../programInfo.ts'
import { safeText } from '../text/safeText.ts'
import { t } from '../text/translate.ts'
import { wrapWords } from '../views/wrapWords.ts'
import { Cancelled } from '../wire/errors.ts'
import { redact, type Secret } from '../wire/secret.ts'

export type InputStream = NodeJS.ReadableStream & Partial<Pick<ReadStream, 'isTTY'>>

/** A stream for output; only a terminal has `isTTY` and `columns`. */
export type OutputStream = Writable & Partial<Pick<WriteStream, 'isTTY' | 'columns'>>

export interface TerminalSetup {
  /** Called only for prompts, because opening stdin takes time. */
  stdin: () => InputStream
  stdout: OutputStream
  stderr: OutputStream
  env: EnvironmentVariables
  /** Secrets to redact in all output; `hide` adds to them. */
  secrets: Secret[]
  /** Cancels a prompt. */
  interrupt: () => AbortSignal
  colourForbidden: boolean
  quiet: boolean
  verbose: boolean
  noInput: boolean
  /** Suppresses notes and warnings, because a program reads the output. */
  machineReadable: boolean
}

/** All output to the user and all prompts: data to stdout, everything else to stderr, secrets redacted in both. */
export interface Terminal {
  readonly outIsTerminal: boolean
  readonly columns: number
  /** The width in which text on stdout is wrapped; infinite in a pipe. */
  readonly textColumns: number
  /** The bytes buffered for stdout that have not been written yet. */
  outBacklogBytes(): number
  /** Colours for stdout; they have no effect if colour is disabled. */
  readonly out: ChalkInstance
  /** Colours for stderr; they have no effect if colour is disabled. */
  readonly err: ChalkInstance
  readonly canAsk: boolean
  /** Redacts this secret in all further output. */
  hide(secret: Secret): void
  /** Writes text to stdout, followed by `end` (default: a line break). */
  data(text: string, end?: string): void
  /** The beginning of what could not be written to stdout, without secrets. */
  unwritten(): string
  /** Waits until the reader has taken everything that was written to stdout. False if it has closed the pipe. */
  flush(): Promise<boolean>
  /** A line for people, unless `--quiet` or a program reads. */
  note(line: string): void
  /** Writes a note that suggests the next command. */
  next(line: string): void
  /** Writes a warning to stderr, except with JSON output, where warnings are in the document. */
  warn(line: string): void
  /** Writes a warning that is in no document, so it is also written with JSON output. */
  alarm(line: string): void
  /** Writes a transient note that the next line replaces; only on a terminal. */
  passing(line: string): void
  /** Writes a protocol line, only with `--verbose`. */
  trace(line: string): void
  /** Writes to stderr unconditionally. */
  say(text: string): void
  /** Writes a command to copy to stderr, on a line of its own that is never wrapped. */
  command(line: string): void
  /** Asks a yes/no question; the default is no. Throws Cancelled at the end of input and on Ctrl-C. */
  confirm(question: string): Promise<boolean>
  /**
   * Prompts for a line of text and trims it, until `faultOf` returns no error message for it. Throws Cancelled at the end of
   * input and on Ctrl-C.
   */
  askText(question: string, faultOf?: (text: string) => string | undefined): Promise<string>
  /** Prompts for a secret, showing dots for the typed characters. Throws Cancelled at the end of input and on Ctrl-C. */
  askSecret(question: string): Promise<string>
}

/** How much of what could not be written to stdout is kept. */
const UNWRITTEN_CHARACTERS_MAX = 16 * 1024
const ERASE_LINE = '\r\u001b[K'

/** The terminal of one command. Nothing is written or read before it is used. */
export function openTerminal(setup: TerminalSetup): Terminal {
  const { stdin, stdout, stderr, env, secrets } = setup
  const colour = { forbidden: setup.colourForbidden, env }
  const err = styleFor(stderr.isTTY === true, colour)
  let passes = false
  let unwritten = ''
  const erasePassing = () => {
    if (passes) stderr.write(ERASE_LINE)
    passes = false
  }
  const write = (text: string) => {
    erasePassing()
    return stderr.write(`${redact(text, secrets)}\n`)
  }
  const errColumns = stderr.isTTY ? stderr.columns || 80 : Number.POSITIVE_INFINITY
  const writeWrapped = (text: string) => write(wrapWords(text, errColumns))
  const wordsWanted = !setup.quiet && !setup.machineReadable
  const ask = async <Value>(prompt: (context: PromptContext) => Promise<Value>): Promise<Value> => {
    if (!(await discardTypedAhead(stdin()))) throw notAnswered()
    return orCancelled(prompt({ input: stdin(), output: stderr, signal: setup.interrupt() }))
  }

  return {
    outIsTerminal: stdout.isTTY === true,
    columns: stdout.columns || stderr.columns || 80,
    textColumns: stdout.isTTY === true ? stdout.columns || 80 : Number.POSITIVE_INFINITY,
    outBacklogBytes: () => stdout.writableLength,
    out: styleFor(stdout.isTTY === true, colour),
    err,
    get canAsk() {
      return stderr.isTTY === true && !setup.noInput && stdin().isTTY === true
    },
    hide(secret) {
      if (!secrets.some((known) => known.reveal() === secret.reveal())) secrets.push(secret)
    },
    data(text, end = '\n') {
      erasePassing()
      const whole = redact(text, secrets) + end
      stdout.write(whole, (error) => {
        if (error) unwritten += whole.slice(0, UNWRITTEN_CHARACTERS_MAX - unwritten.length)
      })
    },
    unwritten: () => unwritten,
    flush: () => new Promise((resolve) => stdout.write('', (error) => resolve(!error))),
    note: (line) => wordsWanted && writeWrapped(err.dim(line)),
    next: (line) => wordsWanted && writeWrapped(`${err.cyan('→')} ${line}`),
    warn: (line) => !setup.machineReadable && writeWrapped(`${err.yellow.bold(t`warning:`)} ${line}`),
    alarm: (line) => writeWrapped(`${err.yellow.bold(t`warning:`)} ${line}`),
    passing: (line) => {
      if (!wordsWanted || !stderr.isTTY) return
      passes = true
      stderr.write(`${ERASE_LINE}${err.dim(redact(line, secrets).slice(0, errColumns - 1))}`)
    },
    trace: (line) => setup.verbose && write(err.dim(line)),
    say: (text) => (setup.machineReadable ? write(text) : writeWrapped(text)),
    command: (line) => write(`  ${line}`),
    confirm: async (question) => {
      const { confirm } = await import('@inquirer/prompts')
      return ask((context) => confirm({ message: question, default: false }, context))
    },
    askText: async (question, faultOf = () => undefined) => {
      const { input } = await import('@inquirer/prompts')
      const validate = (text: string) => faultOf(text.trim()) ?? true
      return (await ask((context) => input({ message: question, required: true, validate }, context))).trim()
    },
    askSecret: async (question) => {
      const { password } = await import('@inquirer/prompts')
      return ask((context) => password({ message: question, mask: '•', toggleMask: false }, context))
    },
  }
}

interface PromptContext {
  input: InputStream
  output: NodeJS.WritableStream
  signal: AbortSignal
}

async function orCancelled<Value>(answer: Promise<Value>): Promise<Value> {
  try {
    return await answer
  } catch (error) {
    if (!(error instanceof Error) || !/^(Exit|Abort|Cancel)PromptError$/.test(error.name)) throw error
    throw notAnswered()
  }
}

function notAnswered(): Cancelled {
  return new Cancelled(t`The prompt was not answered; nothing was done`, {
    hint: t`Run the command again when you are ready`,
  })
}

const LABEL_GAP = '  '

/** A label, its value, and an optional colour for the value. */
export type LabelledRow = readonly [label: string, value: string, colour?: ChalkInstance]

/** Labels and values in two aligned columns, as lines. A value that is longer than these columns is wrapped between its words. */
export function labelledLines(
  rows: readonly LabelledRow[],
  style: ChalkInstance,
  columns = Number.POSITIVE_INFINITY,
): string[] {
  const width = Math.max(...rows.map(([label]) => label.length))
  return rows.flatMap(([label, value, colour]) =>
    wrapWords(safeText(value), columns - width - LABEL_GAP.length)
      .split('\n')
      .map((line, place) => {
        const shown = colour === undefined ? line : colour(line)
        return `${style.dim((place === 0 ? label : '').padEnd(width))}${LABEL_GAP}${shown}`
      }),
  )
}

export interface ColourSettings {
  forbidden: boolean
  env: EnvironmentVariables
}

/** Colours for one stream. Without a terminal or with NO_COLOR or TERM=dumb there are none, unless FORCE_COLOR is set; `--no-color` always disables them. */
export function styleFor(isTerminal: boolean, colour: ColourSettings): ChalkInstance {
  return new Chalk({ level: colourLevel(isTerminal, colour) })
}

function colourLevel(isTerminal: boolean, { forbidden, env }: ColourSettings): ColorSupportLevel {
  if (forbidden) return 0
  const forced = env.FORCE_COLOR
  if (forced !== undefined) {
    if (forced === '0' || forced === 'false') return 0
    return forced === '2' ? 2 : forced === '3' ? 3 : 1
  }
  if (env.NO_COLOR !== undefined && env.NO_COLOR !== '') return 0
  if (!isTerminal || env.TERM === 'dumb') return 0
  return env.COLORTERM === 'truecolor' ? 3 : 1
}

/** A key that is held down or pressed twice by mistake repeats within this time. */
const REPEAT_MS = 50

/**
 * Discards input that was typed before a prompt appeared, because it cannot be meant as the answer. Returns false if
 * the input ended, so that no answer is possible.
 */
async function discardTypedAhead(stdin: NodeJS.ReadableStream): Promise<boolean> {
  let hasEnded = false
  const discard = () => undefined
  const end = () => {
    hasEnded = true
  }
  stdin.on('data', discard)
  stdin.on('end', end)
  stdin.resume()
  await sleep(REPEAT_MS)
  // On a busy machine the time may pass without a read; one more turn of the event loop reads what is available.
  await nextTurn()
  stdin.pause()
  stdin.off('data', discard)
  stdin.off('end', end)
  return !hasEnded
}
