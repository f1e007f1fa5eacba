import { PassThrough } from 'node:stream'
import { expect, it } from 'vitest'
import { openTerminal, type Terminal } from '../../src/terminal/terminal.ts'

interface Setup {
  term?: string
  isTerminal?: boolean
  columns?: number
  quiet?: boolean
  machineReadable?: boolean
}

/** What is written to stderr while `work` runs; `wait` moves the clock. */
function written(
  { term = 'xterm-256color', isTerminal = true, columns = 80, quiet = false, machineReadable = false }: Setup,
  work: (terminal: Terminal, wait: (ms: number) => void, resize: (columns: number) => void) => void,
): string {
  let nowMs = 5_000
  const stream = new PassThrough()
  const stderr = Object.assign(stream, { isTTY: isTerminal, columns })
  const terminal = openTerminal({
    stdin: () => new PassThrough(),
    stdout: new PassThrough(),
    stderr,
    env: { TERM: term, NO_COLOR: '1' },
    secrets: [],
    interrupt: () => new AbortController().signal,
    colourForbidden: false,
    quiet,
    verbose: false,
    noInput: true,
    machineReadable,
    clock: () => nowMs,
  })
  work(
    terminal,
    (ms) => {
      nowMs += ms
    },
    (width) => {
      stderr.columns = width
    },
  )
  return stream.read()?.toString() ?? ''
}

function longRun(terminal: Terminal, wait: (ms: number) => void): void {
  terminal.progress('1 of 2', '1/2 rows')
  wait(10_000)
  terminal.progress('2 of 2', '2/2 rows')
  terminal.endProgress()
}

it('shows a long run in the title, which it restores, and rings the bell at its end', () => {
  expect(written({}, longRun)).toBe(
    '\r\u001b[K1 of 2\r\u001b[K2 of 2\u001b[22;2t\u001b]2;pixgate: 2/2 rows\u0007\r\u001b[K\u001b]2;\u0007\u001b[23;2t\u0007',
  )
})

it.each([
  ['in a pipe', { isTerminal: false }],
  ['with --quiet', { quiet: true }],
  ['with -o json', { machineReadable: true }],
  ['in a dumb terminal', { term: 'dumb' }],
])('writes nothing %s', (_, setup) => {
  expect(written(setup, longRun)).toBe('')
})

it('leaves title and bell alone after a short run, however many there were', () => {
  const shown = written({}, (terminal, wait) => {
    for (let run = 0; run < 3; run++) {
      terminal.progress('1 of 2')
      wait(9_000)
      terminal.progress('2 of 2')
      terminal.endProgress()
      wait(60_000)
    }
  })
  expect(shown).not.toMatch(/[\u0007\]]/)
})

it('never fills the last column, also after the window became narrower, whatever the line contains', () => {
  const shown = written({ columns: 20 }, (terminal, _, resize) => {
    terminal.passing('A line of 19 cells.')
    resize(10)
    terminal.passing('Größe 漢字漢字')
    terminal.passing('\u0007\u001b[2Jx')
  })
  expect(shown.split('\r\u001b[K')).toEqual(['', 'A line of 19 cells.', 'Größe 漢…', '\\u{7}\\u{…'])
})
