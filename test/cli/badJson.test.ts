import { expect, it } from 'vitest'
import { emptyWorld } from '../world.ts'
import { countingGateway, type RejectedCommandLine, remembered, runAll } from './rejectedCommandLines.ts'

const ID = '0b935d10-3c90-4af3-8776-dd18622a7941'

/** A command line and the facts of its error object that are not those of every usage error. */
type RejectedJson = readonly [words: readonly string[], facts: Record<string, unknown>, around?: RejectedCommandLine[2]]

const USAGE = { code: 'USAGE', details: '', httpStatus: null, outcome: 'not-sent', exitCode: 2 }

const REJECTED: readonly RejectedJson[] = [
  [
    ['xyz', '-o', 'json'],
    { message: '`pixgate` has no command `xyz`', hint: 'See `pixgate --help` for a list of commands' },
  ],
  [['-o', 'json', 'trasnfer'], { message: '`pixgate` has no command `trasnfer`', hint: 'Did you mean `transfer`?' }],
  [['-ojson', 'trasnfer'], { message: '`pixgate` has no command `trasnfer`', hint: 'Did you mean `transfer`?' }],
  [
    ['--json', 'transfer', '--amout', '1'],
    { message: '`pixgate transfer` has no option `--amout`', hint: 'Did you mean `--amount`?' },
  ],
  [
    ['qr', '--output', 'json'],
    { message: '`pixgate qr` requires a subcommand', hint: 'Use one of: create, draw, decode' },
  ],
  [
    ['refund', '--output=json'],
    {
      message: '`pixgate refund` needs `<original-id>`',
      hint: 'Add an id or an order number; to find it by a name, an amount or a day, run `pixgate history find maria 22/11`',
    },
  ],
  [
    ['refund', ID, '--json', '--reason', '--amount', '5'],
    {
      message: '`--reason` needs a value, and `--amount` looks like an option',
      hint: 'Add the value after `--reason`, or, if it begins with `-`, write `--reason=--amount`',
    },
  ],
  [
    ['refund', ID, '--reason', 'r', '--amount', '1.234', '-o', 'json'],
    {
      message: '`--amount`: The amount `1.234` is ambiguous: the `.` could separate thousands or decimals',
      hint: 'Type `1234` for thousands, or at most two decimals, like `1.23`',
    },
  ],
  [
    ['transfer', '--json', '-o', 'csv'],
    { message: '`--json` and `--output csv` conflict', hint: 'Use only one of them' },
  ],
  [
    ['transfer', '-o', 'json', '--key', 'a@b.co', '--key', 'b@b.co'],
    { message: '`--key` is given twice, as `a@b.co` and as `b@b.co`', hint: 'Use `--key` only once' },
  ],
  [
    ['transfer', '--amount', '10'],
    {
      message: '`--key` is missing',
      hint: 'Add `--key` and the PIX key of the receiver, or see `--help` for examples',
    },
    { env: { PIXGATE_OUTPUT: 'json' } },
  ],
  [
    ['transfer', '--key', 'a@b.co', '--amount', '10', '--yes', '--owner', '\u001b[2J', '-o', 'json'],
    {
      message: '`--owner` contains a line break or another control character',
      hint: 'Type the value on a single line',
    },
  ],
  [
    ['transfer', '--key', '000201', '--amount', '10', '--yes', '-o', 'json'],
    {
      message: '`--key`: the payment code is invalid',
      details: 'The code is cut off: at least 8 characters are missing at its end',
      hint: 'Copy the whole code again, or inspect it with `pixgate qr decode -`',
    },
  ],
  [
    ['qr', 'create', '-o', 'json'],
    { message: '`--amount` is missing', hint: 'Add `--amount 10,50`, or see `--help` for examples' },
  ],
  [
    ['qr', 'create', '--from', '-', '-o', 'json'],
    {
      message: '`client.taxId`: `1` is neither a CPF nor a CNPJ',
      hint: 'Type the 11 digits of a CPF or the 14 characters of a CNPJ, leading zeros included',
    },
    { stdin: '{"amount":10,"client":{"taxId":"1"}}' },
  ],
  [
    ['qr', 'decode', 'hello', '-o', 'json'],
    {
      message: '`hello` is neither a BR Code nor a readable file',
      hint: 'Enter the whole copy-and-paste code, which begins with `000201`, an image of it, or `-` for standard input',
    },
  ],
  [
    ['status', ID, '-o', 'json', '--fields', ','],
    {
      message: '`--fields ,` contains an empty field name',
      hint: 'Separate the names with commas: `--fields idTransaction,status`',
    },
  ],
  [
    ['status', ID, '-o', 'json'],
    {
      message: '`PIXGATE_TIMEOUT`: `abc` is not a duration',
      hint: 'Type a whole number and a unit (ms, s, m, h or d), like `30s`',
    },
    { env: { PIXGATE_TIMEOUT: 'abc' } },
  ],
  [
    ['status', '--from', '-', '-o', 'json'],
    {
      message: 'The file has 2 faults, so no query was sent',
      hint: 'Correct the listed cells, then run the command again',
      faults: [
        { row: 2, line: 2, column: 'idTransaction', message: 'The id is empty' },
        {
          row: 3,
          line: 3,
          column: 'amount',
          message: '`x` is not an amount. Type it like `10.50`, `10,50` or `1.234,56`',
        },
      ],
    },
    { stdin: 'idTransaction,amount\n,10\na,x\n' },
  ],
  [
    ['sandbox', '--port', '99999', '-o', 'json'],
    {
      message: '`99999` is not a valid value for `--port`',
      hint: 'Use a whole number from 0 to 65535',
    },
  ],
  [
    ['sandbox', 'exec', '-o', 'json', '--', 'no-such-command-anywhere'],
    {
      message: 'The command `no-such-command-anywhere` was not found',
      hint: 'Check its name; words after `--` are the command and its arguments',
    },
  ],
  [
    ['sandbox', 'advance', 'abc', '-o', 'json'],
    {
      message: '`<duration>`: `abc` is not a duration',
      hint: 'Type a whole number and a unit (ms, s, m, h or d), like `30s`',
    },
  ],
  [
    ['doctor', '--fix', '-o', 'json'],
    { message: '`pixgate doctor` has no option `--fix`', hint: 'Run `pixgate doctor --help`' },
  ],
  [
    ['demo', 'extra', '-o', 'json'],
    {
      message: 'Unexpected argument `extra` for `pixgate demo`',
      hint: 'Quote values that contain spaces, or run `pixgate demo --help`',
    },
  ],
]

it('puts one line with the error object on stderr, and nothing on stdout', async () => {
  const gateway = await countingGateway()
  const world = emptyWorld({ PIXGATE_BASE_URL: gateway.url })
  const table = REJECTED.map(([words, , around]): RejectedCommandLine => [words, [], around])
  const ran = Object.values(await runAll(world, [], table)).map(({ exit, stdout, stderr }) => {
    const lines = stderr.split('\n')
    return { exit, stdout, lines: lines.length, error: JSON.parse(lines[0] ?? '') }
  })
  const documents = REJECTED.map(([, facts]) => ({
    exit: 2,
    stdout: '',
    lines: 2,
    error: { error: { ...USAGE, ...facts } },
  }))
  expect(ran).toEqual(documents)
  expect(gateway.calls).toEqual([])
  expect(remembered(world)).toEqual([])
})
