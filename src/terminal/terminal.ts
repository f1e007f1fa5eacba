import type { Writable } from 'node:stream'
import type { WriteStream } from 'node:tty'
import { Chalk, type ChalkInstance, type ColorSupportLevel } from 'chalk'
import type { EnvironmentVariables } from '../programInfo.ts'
import { displayWidth, truncateCells, wrapWords } from '../text/cellLayout.ts'
import { safeText } from '../text/safeText.ts'
import { hintCommands } from '../text/shellWord.ts'
import { t } from '../text/translate.ts'
import { isObject } from '../wire/answers.ts'
import { redact, type Secret } from '../wire/secret.ts'
import type { InputStream } from './oneLine.ts'
import { openPrompts, type Prompts } from './prompts.ts'
import { asciiSigns, isAsciiTerminal } from './signs.ts'

/** A stream for output; only a terminal has `isTTY`, `columns` and `rows`. */
export type OutputStream = Writable & Partial<Pick<WriteStream, 'isTTY' | 'columns' | 'rows'>>

interface TerminalSetup {
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
  /** Suggests nothing: what a command works on is gone when it could be typed. */
  hidesAdvice?: boolean
  verbose: boolean
  noInput: boolean
  /** Suppresses notes and warnings, because a program reads the output. */
  machineReadable: boolean
  /** How long a run takes is measured with it, in ms; by default the monotonic clock. */
  clock?: () => number
}

/** All output to the user and all prompts: data to stdout, everything else to stderr, secrets redacted in both. */
export interface Terminal extends Prompts {
  readonly outIsTerminal: boolean
  /** True for a terminal that shows nothing beyond ASCII. */
  readonly isAscii: boolean
  readonly columns: number
  /** The lines that stdout shows at once; infinite in a pipe. */
  readonly rows: number
  /** The width in which text on stdout is wrapped; infinite in a pipe. */
  readonly textColumns: number
  /** The width in which text on stderr is wrapped; infinite in a pipe. */
  readonly errColumns: number
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
  /** Writes a note that suggests what to do next, and commands to copy below it: these, or those in a line that is wrapped. */
  next(line: string, commands?: readonly string[]): void
  /** Writes a warning to stderr, once, except with JSON output, where warnings are in the document; one `aboutLedger` is in that of an error, too. */
  warn(line: string, aboutLedger?: boolean): void
  /** The warnings about the ledger that were left to the document, for an error, which takes its place. */
  leftToDocument(): readonly string[]
  /** Writes a warning that is in no document, so it is also written with JSON output. */
  alarm(line: string): void
  /** Writes a transient note that the next line replaces; only on a terminal. */
  passing(line: string): void
  /** The same about how far a run is: a long one shows it in the title of the terminal, too. */
  progress(line: string, title?: string): void
  /** Rings the bell and restores the title if a run was long. To be called when the command ends. */
  endProgress(): void
  /** Writes a protocol line, only with `--verbose`. */
  trace(line: string): void
  /** Writes to stderr unconditionally. */
  say(text: string): void
  /** Writes a command to copy to stderr, on a line of its own that is never wrapped. */
  command(line: string): void
  /** For servers: from now on nothing waits for a screen that is paused, and of what it does not take only the beginning is kept. */
  goOnUnread(): void
}

const UNWRITTEN_CHARACTERS_MAX = 16 * 1024
/** What an ellipsis takes more where it is three dots. */
const ELLIPSIS_GROWTH = 2
const ERASE_LINE = '\r\u001b[K'

/** The terminal of one command. Nothing is written or read before it is used. */
export function openTerminal(setup: TerminalSetup): Terminal {
  const { stdin, stdout, stderr, env, secrets } = setup
  const wordsWanted = !setup.quiet && !setup.machineReadable
  const colour = { forbidden: setup.colourForbidden, env }
  const err = styleFor(stderr.isTTY === true, colour)
  let passes = false
  let unwritten = ''
  const left: string[] = []
  const warned = new Set<string>()
  // Without escape sequences nothing can be replaced.
  const isPlain = env.TERM === 'dumb'
  const showsPassing = wordsWanted && stderr.isTTY === true && !isPlain
  const isAscii = isAsciiTerminal(stdout.isTTY === true || stderr.isTTY === true, env)
  const screen = new Screen(isAscii && !setup.machineReadable, (lines) =>
    screen.write(stderr, `${t`… ${lines} lines not shown`}\n`),
  )
  const longRun = new LongRun((text) => screen.write(stderr, text), setup.clock ?? (() => performance.now()))
  const erasePassing = () => {
    if (passes) screen.write(stderr, ERASE_LINE)
    passes = false
  }
  const write = (text: string) => {
    erasePassing()
    screen.write(stderr, `${redact(text, secrets)}\n`)
  }
  const errColumns = stderr.isTTY ? stderr.columns || 80 : Number.POSITIVE_INFINITY
  const writeWrapped = (text: string) => write(wrapWords(text, errColumns))
  const passing = (line: string) => {
    if (!showsPassing) return
    passes = true
    // The window may have become narrower; a line in its last column would be wrapped by some terminals.
    const room = (stderr.columns || 80) - 1
    const shown = truncateCells(safeText(redact(line, secrets)), room - (isAscii ? ELLIPSIS_GROWTH : 0))
    screen.write(stderr, `${ERASE_LINE}${err.dim(shown)}`)
  }
  const prompts = openPrompts({
    stdin,
    stderr,
    columns: errColumns,
    rows: stderr.rows || 24,
    style: err,
    isPlain: isPlain || isAscii,
    shown: (text) => (isAscii ? asciiSigns(text) : text),
    interrupt: setup.interrupt,
    beforePrompt() {
      erasePassing()
      longRun.end()
    },
  })

  return {
    ...prompts,
    outIsTerminal: stdout.isTTY === true,
    isAscii,
    columns: stdout.columns || stderr.columns || 80,
    rows: stdout.isTTY === true ? stdout.rows || 24 : Number.POSITIVE_INFINITY,
    textColumns: stdout.isTTY === true ? stdout.columns || 80 : Number.POSITIVE_INFINITY,
    errColumns,
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
      screen.write(stdout, whole, (error) => {
        if (error) unwritten += whole.slice(0, UNWRITTEN_CHARACTERS_MAX - unwritten.length)
      })
    },
    unwritten: () => unwritten,
    flush: () => new Promise((resolve) => stdout.write('', (error) => resolve(!error))),
    note: (line) => wordsWanted && writeWrapped(err.dim(line)),
    next(line, commands = displayWidth(`→ ${line}`) > errColumns ? hintCommands(line) : []) {
      if (!wordsWanted || setup.hidesAdvice) return
      writeWrapped(`${err.cyan('→')} ${line}`)
      for (const command of commands) write(`  ${command}`)
    },
    warn(line, aboutLedger = false) {
      if (warned.has(line)) return
      warned.add(line)
      if (setup.machineReadable && aboutLedger) left.push(line)
      if (!setup.machineReadable) writeWrapped(`${err.yellow.bold(t`warning:`)} ${line}`)
    },
    leftToDocument: () => left,
    alarm: (line) => writeWrapped(`${err.yellow.bold(t`warning:`)} ${line}`),
    passing,
    progress(line, title = line) {
      passing(line)
      if (showsPassing) longRun.progress(safeText(redact(`pixgate: ${title}`, secrets)))
    },
    endProgress() {
      erasePassing()
      longRun.end()
    },
    trace: (line) => setup.verbose && write(err.dim(line)),
    say: (text) => (setup.machineReadable ? write(text) : writeWrapped(text)),
    command: (line) => write(`  ${line}`),
    goOnUnread() {
      screen.isUnread = true
      for (const stream of [stdout, stderr]) if (stream.isTTY === true) writeWithoutWaiting(stream)
    },
  }
}

/** How much may wait for a screen that is paused. */
const UNREAD_BYTES_MAX = 64 * 1024

/** What is written to both outputs. A pipe or a file gets everything, a screen that is not read only what came before its queue was full. */
class Screen {
  isUnread = false
  readonly #isAscii: boolean
  readonly #tellMissed: (lines: number) => void
  #missed = 0

  constructor(isAscii: boolean, tellMissed: (lines: number) => void) {
    this.#isAscii = isAscii
    this.#tellMissed = tellMissed
  }

  write(stream: OutputStream, whole: string, done?: (error?: Error | null) => void): void {
    const text = this.#isAscii && stream.isTTY === true ? asciiSigns(whole) : whole
    if (!this.isUnread || stream.isTTY !== true || (this.#missed === 0 && stream.writableLength < UNREAD_BYTES_MAX)) {
      stream.write(text, done)
      return
    }
    if (this.#missed === 0) {
      stream.once('drain', () => {
        const missed = this.#missed
        this.#missed = 0
        this.#tellMissed(missed)
      })
    }
    this.#missed += Math.max(1, text.split('\n').length - 1)
  }
}

/** Node.js writes to a terminal synchronously, so that one which is paused would stop the whole process. Windows has no other way. */
function writeWithoutWaiting(stream: OutputStream): void {
  const handle: unknown = '_handle' in stream ? stream._handle : undefined
  if (isObject(handle) && typeof handle.setBlocking === 'function') handle.setBlocking(false)
}

/** Between a label and its value. */
export const LABEL_GAP = '  '

/** A label, its value, and an optional colour for the value. */
export type LabelledRow = readonly [label: string, value: string, colour?: ChalkInstance]

/**
 * Labels and values in two aligned columns, as lines. A value that is longer than these columns is wrapped between its words; one with a word that only fits
 * into a whole line is below its label.
 */
export function labelledLines(
  rows: readonly LabelledRow[],
  style: ChalkInstance,
  columns = Number.POSITIVE_INFINITY,
): string[] {
  const safe = rows.map(([label, ...shown]) => [safeText(label), ...shown] as const)
  const width = Math.max(...safe.map(([label]) => label.length))
  const room = columns - width - LABEL_GAP.length
  return safe.flatMap(([label, value, colour = (text: string) => text]) => {
    const text = safeText(value)
    const longest = Math.max(...text.split(/[ \n]/).map(displayWidth))
    if (longest > room && longest <= columns) {
      const lines = wrapWords(text, columns).split('\n')
      return [...(label === '' ? [] : [style.dim(label.trimEnd())]), ...lines.map((line) => colour(line))]
    }
    return wrapWords(text, room)
      .split('\n')
      .map((line, place) => `${style.dim((place === 0 ? label : '').padEnd(width))}${LABEL_GAP}${colour(line)}`)
  })
}

interface ColourSettings {
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

/** A run is long from here on: a person may be looking at another window. */
const LONG_MS = 10_000
/** Terminals with a stack of titles keep the current one; others ignore this. */
const KEEP_TITLE = '\u001b[22;2t'
const RESTORE_TITLE = '\u001b[23;2t'
const BELL = '\u0007'

/** Tells a person who looks at another window how far a long run is, in the title of the terminal, and with the bell when it ends. */
class LongRun {
  readonly #write: (sequence: string) => void
  readonly #now: () => number
  #startMs: number | null = null
  #title: string | null = null

  constructor(write: (sequence: string) => void, now: () => number) {
    this.#write = write
    this.#now = now
  }

  /** Notes how far the run is; `title` must not contain control characters. */
  progress(title: string): void {
    this.#startMs ??= this.#now()
    if (this.#now() - this.#startMs < LONG_MS || title === this.#title) return
    this.#write(`${this.#title === null ? KEEP_TITLE : ''}${titleSequence(title)}`)
    this.#title = title
  }

  /** Ends the run: after a long one it rings the bell and restores the title. A further run begins with its first progress. */
  end(): void {
    // An empty title clears that of a terminal without a stack.
    if (this.#title !== null) this.#write(`${titleSequence('')}${RESTORE_TITLE}${BELL}`)
    this.#startMs = null
    this.#title = null
  }
}

/** Sets the title of the window (OSC 2). */
function titleSequence(title: string): string {
  return `\u001b]2;${title}\u0007`
}
