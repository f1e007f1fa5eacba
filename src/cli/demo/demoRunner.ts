import { Writable } from 'node:stream'
import type { Runtime } from '../../context.ts'
import type { OutputStream, Terminal } from '../../terminal/terminal.ts'
import { wrapWords } from '../../text/wrapWords.ts'
import { type AnswerFields, readObject } from '../../wire/answers.ts'

/** Runs one command line in this process and returns its exit code. */
export type RunCommandLine = (argv: readonly string[], runtime: Runtime) => Promise<number>

const INDENT = '  '

/** Runs command lines through the real command tree and indents their output under them. */
export class DemoRunner {
  readonly #runtime: Runtime
  readonly #terminal: Terminal
  readonly #isVisible: boolean
  readonly #runLine: RunCommandLine

  constructor(runtime: Runtime, terminal: Terminal, isVisible: boolean, runLine: RunCommandLine) {
    this.#runtime = runtime
    this.#terminal = terminal
    this.#isVisible = isVisible
    this.#runLine = runLine
  }

  /** Writes a sentence, wrapped at the width of the terminal. */
  say(sentence: string): void {
    const columns = this.#terminal.outIsTerminal ? this.#terminal.columns : Number.POSITIVE_INFINITY
    this.#line(wrapWords(sentence, columns))
  }

  #line(text: string): void {
    if (this.#isVisible) this.#terminal.data(text)
  }

  blank(): void {
    this.say('')
  }

  title(number: number, text: string): void {
    this.blank()
    this.#line(this.#terminal.out.bold(`${number}. ${text}`))
  }

  good(line: string): void {
    this.#line(`${INDENT}${this.#terminal.out.green('✓')} ${line}`)
  }

  bad(line: string): void {
    this.#line(`${INDENT}${this.#terminal.out.red('✗')} ${line}`)
  }

  /** Shows a command line and runs it, with its output. Returns the exit code. */
  async perform(argv: readonly string[]): Promise<number> {
    this.#line(`${INDENT}${this.#terminal.out.cyan(`$ ${commandText(argv)}`)}`)
    const out = this.#indented(this.#runtime.stdout)
    const err = this.#indented(this.#runtime.stderr)
    return this.#runLine(argv, { ...this.#runtime, stdout: out, stderr: err })
  }

  /** Runs a command line without showing it, for its JSON; undefined if it printed none. */
  async ask(argv: readonly string[]): Promise<AnswerFields | undefined> {
    const texts: string[] = []
    const stdout = collecting(texts)
    await this.#runLine([...argv, '-o', 'json'], { ...this.#runtime, stdout, stderr: collecting([]) })
    return readObject(texts.join(''))
  }

  /** A stream like the other, whose lines appear indented on stdout, or nowhere in JSON mode. */
  #indented(like: OutputStream): OutputStream {
    const { stdout } = this.#runtime
    const isVisible = this.#isVisible
    let atLineStart = true
    const stream = new Writable({
      write(chunk: Buffer, _encoding, done) {
        const text = chunk.toString('utf8')
        const prefix = atLineStart ? INDENT : ''
        atLineStart = text.endsWith('\n')
        const body = atLineStart ? text.slice(0, -1) : text
        if (isVisible) stdout.write(prefix + body.replaceAll('\n', `\n${INDENT}`) + (atLineStart ? '\n' : ''))
        done()
      },
    })
    return Object.assign(stream, { isTTY: like.isTTY, columns: (like.columns ?? 80) - INDENT.length })
  }
}

function collecting(texts: string[]): OutputStream {
  return new Writable({
    write(chunk: Buffer, _encoding, done) {
      texts.push(chunk.toString('utf8'))
      done()
    },
  })
}

function commandText(argv: readonly string[]): string {
  return ['pixgate', ...argv].map((word) => (/^[\w@.,:+/=-]+$/.test(word) ? word : `'${word}'`)).join(' ')
}
