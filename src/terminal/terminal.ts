import type { Writable } from 'node:stream'
import type { ReadStream, WriteStream } from 'node:tty'
import type { ChalkInstance } from 'chalk'
import { safeText } from '../text/safeText.ts'
import { t } from '../text/words.ts'
import { wrapWords } from '../views/wrap.ts'
import { Cancelled } from '../wire/errors.ts'
import { redact, type Secret } from '../wire/secret.ts'
import { styleFor } from './style.ts'

export type InputStream = NodeJS.ReadableStream & Partial<Pick<ReadStream, 'isTTY'>>

/** A stream for output; only a terminal has `isTTY` and `columns`. */
export type OutputStream = Writable & Partial<Pick<WriteStream, 'isTTY' | 'columns'>>

/** Where words and data go and come from. */
export interface TerminalSetup {
  /** Called when something is asked, because it takes a while to open. */
  stdin: () => InputStream
  stdout: OutputStream
  stderr: OutputStream
  env: Readonly<Record<string, string | undefined>>
  /** What is replaced by dots wherever it would be printed; `hide` adds to it. */
  secrets: Secret[]
  /** Ends a question. */
  interrupt: () => AbortSignal
  colourForbidden: boolean
  quiet: boolean
  verbose: boolean
  /** No question is ever asked. */
  noInput: boolean
  /** Words are left out, because a program reads the answer. */
  machineReadable: boolean
}

/** The one way to the user: data to stdout, everything else to stderr, secrets out of both. */
export interface Terminal {
  readonly outIsTerminal: boolean
  readonly columns: number
  /** How much data waits because nobody reads it, in bytes. */
  outBacklogBytes(): number
  /** Colours for data and for words; they paint nothing where there should be no colour. */
  readonly out: ChalkInstance
  readonly err: ChalkInstance
  /** True where a person can be asked. */
  readonly canAsk: boolean
  /** From now on this text is replaced by dots wherever it would be printed. */
  hide(secret: Secret): void
  /** Data, one line or more, to stdout; an `end` of its own for data that goes on in the same line. */
  data(text: string, end?: string): void
  /** A line for people, unless `--quiet` or a program reads. */
  note(line: string): void
  /** Like a note, for what the user will want to do next. */
  next(line: string): void
  /** What the user must not miss, unless a program reads: it finds warnings in the document. */
  warn(line: string): void
  /** Like a warning, for what stands in no document: it is said to programs too. */
  alarm(line: string): void
  /** A note whose place the next line takes; only where a person watches. */
  passing(line: string): void
  /** A line of protocol, with `--verbose` only. */
  trace(line: string): void
  /** Whatever must be said on stderr in any case. */
  say(text: string): void
  /** A command to copy: a line on stderr of its own, never wrapped. */
  command(line: string): void
  /** Asks yes or no; no is the default. Throws Cancelled at the end of input and on Ctrl-C. */
  confirm(question: string): Promise<boolean>
  /**
   * Asks for a line of text, whose outer spaces do not count, until `faultOf` finds nothing wrong with it. Throws Cancelled
   * like `confirm`.
   */
  askText(question: string, faultOf?: (text: string) => string | undefined): Promise<string>
  /** The same for a secret: dots are drawn in place of what is typed, and no key reveals it. */
  askSecret(question: string): Promise<string>
}

const ERASE_LINE = '\r\u001b[K'

/** The terminal of one command. */
export function openTerminal(setup: TerminalSetup): Terminal {
  const { stdin, stdout, stderr, env, secrets } = setup
  const wish = { forbidden: setup.colourForbidden, env }
  const err = styleFor(stderr.isTTY === true, wish)
  let passes = false
  const erasePassing = () => {
    if (passes) stderr.write(ERASE_LINE)
    passes = false
  }
  const write = (stream: OutputStream, text: string, end = '\n') => {
    erasePassing()
    return stream.write(redact(text, secrets) + end)
  }
  const errColumns = stderr.isTTY ? stderr.columns || 80 : Number.POSITIVE_INFINITY
  const words = (text: string) => write(stderr, wrapWords(text, errColumns))
  const wordsWanted = !setup.quiet && !setup.machineReadable
  const ask = async <Value>(prompt: (context: PromptContext) => Promise<Value>): Promise<Value> => {
    const { discardTypedAhead } = await import('./typedAhead.ts')
    if (!(await discardTypedAhead(stdin()))) throw notAnswered()
    return orCancelled(prompt({ input: stdin(), output: stderr, signal: setup.interrupt() }))
  }

  return {
    outIsTerminal: stdout.isTTY === true,
    columns: stdout.columns || stderr.columns || 80,
    outBacklogBytes: () => stdout.writableLength,
    out: styleFor(stdout.isTTY === true, wish),
    err,
    get canAsk() {
      return stderr.isTTY === true && !setup.noInput && stdin().isTTY === true
    },
    hide(secret) {
      if (!secrets.some((known) => known.reveal() === secret.reveal())) secrets.push(secret)
    },
    data: (text, end) => write(stdout, text, end),
    note: (line) => wordsWanted && words(err.dim(line)),
    next: (line) => wordsWanted && words(`${err.cyan('→')} ${line}`),
    warn: (line) => !setup.machineReadable && words(`${err.yellow.bold(t`warning:`)} ${line}`),
    alarm: (line) => words(`${err.yellow.bold(t`warning:`)} ${line}`),
    passing: (line) => {
      if (!wordsWanted || !stderr.isTTY) return
      passes = true
      stderr.write(`${ERASE_LINE}${err.dim(redact(line, secrets).slice(0, errColumns - 1))}`)
    },
    trace: (line) => setup.verbose && write(stderr, err.dim(line)),
    say: (text) => (setup.machineReadable ? write(stderr, text) : words(text)),
    command: (line) => write(stderr, `  ${line}`),
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
  return new Cancelled(t`The question was not answered, and nothing was done`, {
    hint: t`Run the command again when you are ready`,
  })
}

/** A label, its value, and the colour of the value where it has one. */
export type LabelledRow = readonly [label: string, value: string, colour?: ChalkInstance]

/** Labels and their values as lines of two aligned columns. */
export function labelled(rows: readonly LabelledRow[], style: ChalkInstance): string[] {
  const width = Math.max(...rows.map(([label]) => label.length))
  return rows.map(([label, value, colour]) => {
    const shown = safeText(value)
    return `${style.dim(label.padEnd(width))}  ${colour === undefined ? shown : colour(shown)}`
  })
}
