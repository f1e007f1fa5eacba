import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { expect, it } from 'vitest'
import { openPrinter } from '../../src/terminal/printer.ts'
import { openTerminal } from '../../src/terminal/terminal.ts'

const COLUMNS = [{ path: 'n' }, { path: 'name' }]

async function listed(format: 'json' | 'csv', count: number): Promise<string> {
  const stdout = new PassThrough()
  const terminal = openTerminal({
    stdin: () => new PassThrough(),
    stdout: stdout,
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
  await openPrinter(terminal, format, undefined).list(documentsOf(count), COLUMNS)
  stdout.end()
  return text(stdout)
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
