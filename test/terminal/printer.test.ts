import { PassThrough, Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { expect, it } from 'vitest'
import { openPrinter, type Printer } from '../../src/terminal/printer.ts'
import { openTerminal } from '../../src/terminal/terminal.ts'

const COLUMNS = [{ path: 'n' }, { path: 'name' }]

interface PrintOptions {
  format: 'json' | 'csv'
  isTerminal?: boolean
  fields?: readonly string[]
}

function printerTo(stdout: Writable, { format, isTerminal = false, fields }: PrintOptions): Printer {
  const terminal = openTerminal({
    stdin: () => new PassThrough(),
    stdout: Object.assign(stdout, { isTTY: isTerminal }),
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
  return openPrinter(
    terminal,
    format,
    fields?.map((path) => ({ typed: path, path })),
    async () => (id) => id,
  )
}

async function printed(options: PrintOptions, print: (printer: Printer) => Promise<void>): Promise<string> {
  const stdout = new PassThrough()
  const output = text(stdout)
  await print(printerTo(stdout, options))
  stdout.end()
  return output
}

function printedList(format: 'json' | 'csv', count: number): Promise<string> {
  return printed({ format }, (printer) => printer.list(documentsOf(count), { columns: COLUMNS }))
}

/** The documents in pieces of two. */
async function* pieces(count: number) {
  const documents = documentsOf(count)
  for (let at = 0; at < count; at += 2) yield documents.slice(at, at + 2)
}

function documentsOf(count: number): { n: number; name: string }[] {
  return Array.from({ length: count }, (_, n) => ({ n, name: `no. ${n}, "quoted"` }))
}

it.each([0, 1, 999, 1000, 1001, 2500])('writes a list of %i as one line of JSON', async (count) => {
  expect(await printedList('json', count)).toBe(`${JSON.stringify(documentsOf(count))}\n`)
})

it.each([0, 1, 1000, 1001])('writes a list of %i as CSV, a line each below the header', async (count) => {
  const records = documentsOf(count).map(({ n }) => `${n},"no. ${n}, ""quoted"""\n`)
  expect(await printedList('csv', count)).toBe(`n,name\n${records.join('')}`)
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
    async function* endless() {
      for (; read < 100; read++) yield documentsOf(10)
    }
    const ended = printerTo(stdout, { format }).list(endless(), { columns: COLUMNS })
    await new Promise(setImmediate)
    expect(read).toBe(0)
    taken(new Error('EPIPE'))
    await ended
    expect(read).toBe(0)
  },
)

it.each([0, 1, 2, 5])('writes a document with a list of %i as it would be written whole', async (count) => {
  const document = { run: 'run-1', sums: { paid: 1 } }
  const whole = { ...document, rows: documentsOf(count) }
  for (const isTerminal of [false, true]) {
    const print = (fields?: readonly string[]) =>
      printed({ format: 'json', isTerminal, ...(fields === undefined ? {} : { fields }) }, (printer) =>
        printer.withList(document, 'rows', pieces(count)),
      )
    const indent = isTerminal ? 2 : 0
    expect(await print()).toBe(`${JSON.stringify(whole, null, indent)}\n`)
    expect(await print(['rows'])).toBe(`${JSON.stringify({ rows: whole.rows }, null, indent)}\n`)
    expect(await print(['run'])).toBe(`${JSON.stringify({ run: 'run-1' }, null, indent)}\n`)
  }
})
