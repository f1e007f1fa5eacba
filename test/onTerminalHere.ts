import { PassThrough, Writable } from 'node:stream'
import { onTestFinished } from 'vitest'
import { runCli } from '../src/cli/run.ts'
import { unsetEmptyVariables } from '../src/programInfo.ts'
import type { OnTerminal, TerminalOptions } from './pseudoTerminal.ts'
import { ShownText } from './shownText.ts'
import { BINARY, NODE, type World } from './world.ts'

const CTRL_C = '\x03'

/** What is typed, from a stream that says that it is a terminal. */
class Keys extends PassThrough {
  readonly isTTY = true
  isRaw = false

  setRawMode(mode: boolean): this {
    this.isRaw = mode
    return this
  }
}

/**
 * Does what `onTerminal` does in this process, for what is asked and shown: streams that say that they are a terminal, without a
 * driver, signals, sizes that change, and keys that a kernel keeps.
 */
export function onTerminalHere(
  world: World,
  args: readonly string[],
  { columns = 80, rows = 40, env = {} }: TerminalOptions = {},
): Omit<OnTerminal, 'signal' | 'resize' | 'read' | 'close'> {
  const shown = new ShownText()
  const [interrupt, abandon] = [new AbortController(), new AbortController()]
  const stdin = new Keys()
  const output = () => {
    const stream = new Writable({
      decodeStrings: false,
      write(text, _encoding, done) {
        shown.add(String(text))
        done()
      },
    })
    // A prompt ends its output, which the streams of a process ignore.
    return Object.assign(stream, { isTTY: true, columns, rows, end: () => stream })
  }
  const variables = { NO_COLOR: '1', TERM: 'xterm-256color', ...world.env, ...env }
  unsetEmptyVariables(variables)
  const ended = runCli(args, {
    stdin,
    stdout: output(),
    stderr: output(),
    env: variables,
    program: [NODE, BINARY],
    secrets: [],
    interrupt: interrupt.signal,
    abandon: abandon.signal,
  }).then((exit) => ({ exit, screen: shown.written(), raw: shown.raw, cooked: !stdin.isRaw }))
  onTestFinished(async () => {
    abandon.abort()
    interrupt.abort()
    stdin.end()
    await ended
  })
  return {
    shows: (text) => shown.shows(text, ended),
    // Outside of a question the kernel makes a signal of it.
    press: (keys) => void (stdin.isRaw || keys !== CTRL_C ? stdin.write(keys) : interrupt.abort()),
    written: () => shown.written(),
    ended,
  }
}
