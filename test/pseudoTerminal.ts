import { spawn, spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { it, onTestFinished } from 'vitest'
import { ShownText } from './shownText.ts'
import { BINARY, NODE, type RunOptions, type World } from './world.ts'

const DRIVER = join(import.meta.dirname, 'pseudoTerminal.py')
/** The interpreter's path: a test may give the command line another PATH. Empty where there is none. */
const PYTHON =
  spawnSync('python3', ['-c', 'import sys, termios; print(sys.executable)'], { encoding: 'utf8' }).stdout?.trim() ?? ''
if (PYTHON === '') process.stderr.write('WITHOUT python3 NO TEST RUNS ON A TERMINAL: they are skipped\n')

/** A test that needs a terminal; skipped, and said so, where there is no python3 to make one. Mutation tests have no binary to start. */
export const itOnTerminal = PYTHON !== '' && process.env.TEST_IN_PROCESS === undefined ? it : it.skip

/** What a command line on a terminal did. */
interface Seen {
  /** As a shell sees it: 128 and the signal's number where a signal ended it. */
  exit: number
  /** Everything that was written, in its order: prompts are drawn anew with every key. No colours, no cursor. */
  screen: string
  /** What was written, escape sequences included. */
  raw: string
  /** True where the terminal was left in the state in which a shell wants it. */
  cooked: boolean
}

/** A command line on a terminal of its own. */
export interface OnTerminal {
  /** When this text has been written after everything that was waited for before. Rejects if the command ends first. */
  shows(text: string): Promise<void>
  /** Presses keys: `\r` is Enter, `\x03` Ctrl-C, `\x04` Ctrl-D. */
  press(keys: string): void
  signal(name: 'SIGINT' | 'SIGTERM' | 'SIGKILL' | 'SIGCONT'): void
  resize(columns: number, rows: number): void
  /** Stops reading what is written, as a person does with Ctrl-S, a selection or a frozen connection; or goes on. */
  read(reads: boolean): void
  /** Closes the window. */
  close(): void
  /** What has been written so far, without colours and cursor movements. */
  written(): string
  ended: Promise<Seen>
}

/** Types answers, each after the message about the one before it. */
export async function typeWrongly(
  terminal: Pick<OnTerminal, 'press' | 'shows'>,
  answers: readonly (readonly [answer: string, message: string])[],
) {
  for (const [answer, message] of answers) {
    terminal.press(`${answer}\r`)
    await terminal.shows(message)
  }
}

export interface TerminalOptions extends Pick<RunOptions, 'env'> {
  columns?: number
  rows?: number
}

/** Starts the real binary on a terminal, 80 columns wide; it is killed if the test ends before it. */
export function onTerminal(world: World, args: readonly string[], options: TerminalOptions = {}): OnTerminal {
  const { columns = 80, rows = 40 } = options
  const env = { NO_COLOR: '1', TERM: 'xterm-256color', ...world.env, ...options.env }
  // Without the packages of the system, which the driver does not need, Python starts faster.
  const command = ['-I', '-S', DRIVER, String(columns), String(rows), NODE, BINARY, ...args]
  const driver = spawn(PYTHON, command, { env, stdio: ['pipe', 'pipe', 'inherit'] })
  driver.stdin.on('error', () => undefined)
  onTestFinished(() => void driver.stdin.end())

  const shown = new ShownText()
  const decoder = new TextDecoder()
  const order = (fields: object) => void driver.stdin.write(`${JSON.stringify(fields)}\n`)

  const ended = new Promise<Seen>((resolve, reject) => {
    createInterface(driver.stdout).on('line', (line) => {
      const report = JSON.parse(line)
      if (typeof report.data === 'string')
        shown.add(decoder.decode(Buffer.from(report.data, 'base64'), { stream: true }))
      else {
        const exit = report.exit < 0 ? 128 - report.exit : report.exit
        resolve({ exit, screen: shown.written(), raw: shown.raw, cooked: report.cooked })
      }
    })
    driver.on('close', () => reject(new Error('the driver of the terminal ended early')))
  })
  ended.catch(() => undefined)

  return {
    shows: (text) => shown.shows(text, ended),
    press: (keys) => order({ keys }),
    signal: (signal) => order({ signal }),
    resize: (width, height) => order({ columns: width, rows: height }),
    read: (reads) => order({ reads }),
    close: () => order({ close: true }),
    written: () => shown.written(),
    ended,
  }
}
