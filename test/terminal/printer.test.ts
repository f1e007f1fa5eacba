import { PassThrough, Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { expect, it } from 'vitest'
import { openPrinter, type Printer } from '../../src/terminal/printer.ts'
import { openTerminal } from '../../src/terminal/terminal.ts'

const COLUMNS = [{ path: 'n' }, { path: 'name' }]

function printerTo(stdout: Writable, format: 'json' | 'csv'): Printer {
  const terminal = openTerminal({
    stdin: () => new PassThrough(),
    stdout,
    stderr: new PassThrough(),
    env: {},
    secrets: [],
    interrupt: () => new AbortController().signal,
    colourForbidden: false,
    quiet: false,
    verbose: false,
    noInput: true,
    machineReadable: format === 'json',
  })
  return openPrinter(terminal, format, undefined)
}

async function listed(format: 'json' | 'csv', count: number): Promise<string> {
  const stdout = new PassThrough()
  const output = text(stdout)
  await printerTo(stdout, format).list(documentsOf(count), COLUMNS)
  stdout.end()
  return output
}

function documentsOf(count: number): { n: number; name: string }[] {
  return Array.from({ length: count }, (_, n) => ({ n, name: `no. ${n}, "quoted"` }))
}

it.each([0, 1, 999, 1000, 1001, 2500])('writes a list of %i as one line of JSON', async (count) => {
  expect(await listed('json', count)).toBe(`${JSON.stringify(documentsOf(count))}\n`)
})

it.each([0, 1, 1000, 1001])('writes a list of %i as CSV, a line each below the header', async (count) => {
  const records = documentsOf(count).map(({ n }) => `${n},"no. ${n}, ""quoted"""\n`)
  expect(await listed('csv', count)).toBe(`n,name\n${records.join('')}`)
})

it.each(['json', 'csv'] as const)(
  'waits for the reader of a long %s list, and stops when it is gone',
  async (format) => {
    let taken: (error?: Error) => void = () => undefined
    const stdout = new Writable({
      write: (_chunk, _encoding, done) => {
        taken = done
      },
    }).on('error', () => undefined)
    let read = 0
    async function* pieces() {
      for (; read < 100; read++) yield documentsOf(10)
    }
    const printed = printerTo(stdout, format).pieces(pieces(), { columns: COLUMNS })
    await new Promise(setImmediate)
    expect(read).toBe(0)
    taken(new Error('EPIPE'))
    await printed
    expect(read).toBe(0)
  },
)
