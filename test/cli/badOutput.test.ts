import { it } from 'vitest'
import { expectRejected, type RejectedCommandLine } from './rejectedCommandLines.ts'

const OUTPUT: readonly RejectedCommandLine[] = [
  [
    ['-o', 'xml'],
    ['error: `xml` is not a valid output format for `--output`', 'hint: Use `text`, `json` or `csv`'],
  ],
  [['--output=xml'], ['error: `xml` is not a valid output format for `--output`', 'hint: Use `text`, `json` or `csv`']],
  [
    ['-o', 'JSON'],
    ['error: `JSON` is not a valid output format for `--output`', 'hint: Use `text`, `json` or `csv`'],
  ],
  [
    ['-o', ''],
    ['error: `` is not a valid output format for `--output`', 'hint: Use `text`, `json` or `csv`'],
  ],
  [
    [],
    ['error: `xml` is not a valid output format for `PIXGATE_OUTPUT`', 'hint: Use `text`, `json` or `csv`'],
    { env: { PIXGATE_OUTPUT: 'xml' } },
  ],
  [
    ['--fields', ','],
    [
      'error: `--fields ,` contains an empty field name',
      'hint: Separate the names with commas: `--fields idTransaction,status`',
    ],
  ],
  [
    ['--fields', 'a,,b'],
    [
      'error: `--fields a,,b` contains an empty field name',
      'hint: Separate the names with commas: `--fields idTransaction,status`',
    ],
  ],
]

const NO_LIST: readonly RejectedCommandLine[] = [
  [
    ['transfer', '--key', 'a@b.co', '--amount', '10', '--yes', '-o', 'csv'],
    ['error: CSV output is only available for lists', 'hint: Use `-o json` or `-o text`'],
  ],
  [
    ['transfer', '--key', 'a@b.co', '--amount', '10', '--yes'],
    ['error: CSV output is only available for lists', 'hint: Use `-o json` or `-o text`'],
    { env: { PIXGATE_OUTPUT: 'csv' } },
  ],
  [
    ['refund', 'x', '--reason', 'r', '--yes', '-o', 'csv'],
    ['error: CSV output is only available for lists', 'hint: Use `-o json` or `-o text`'],
  ],
  [
    ['qr', 'create', '--amount', '10', '-o', 'csv'],
    ['error: CSV output is only available for lists', 'hint: Use `-o json` or `-o text`'],
  ],
  [
    ['qr', 'draw', '000201', '-o', 'csv'],
    ['error: CSV output is only available for lists', 'hint: Use `-o json` or `-o text`'],
  ],
  [
    [
      'qr',
      'decode',
      '00020126580014br.gov.bcb.pix0136123e4567-e12b-12d1-a456-4266554400005204000053039865802BR5913Fulano de Tal6008BRASILIA62070503***63041D3D',
      '-o',
      'csv',
    ],
    ['error: CSV output is only available for lists', 'hint: Use `-o json` or `-o text`'],
  ],
  [
    ['sandbox', 'start', '--port', '0', '-o', 'csv'],
    ['error: CSV output is only available for lists', 'hint: Use `-o json` or `-o text`'],
  ],
  [
    ['sandbox', 'pay', 'x', '-o', 'csv'],
    ['error: CSV output is only available for lists', 'hint: Use `-o json` or `-o text`'],
  ],
  [
    ['sandbox', 'state', '-o', 'csv'],
    ['error: CSV output is only available for lists', 'hint: Use `-o json` or `-o text`'],
  ],
  [
    ['doctor', '-o', 'csv'],
    ['error: CSV output is only available for lists', 'hint: Use `-o json` or `-o text`'],
  ],
  [
    ['demo', '-o', 'csv'],
    ['error: CSV output is only available for lists', 'hint: Use `-o json` or `-o text`'],
  ],
]

const TIMEOUT: readonly RejectedCommandLine[] = [
  [
    ['--timeout', '0s'],
    ['error: `--timeout`: The duration is zero', 'hint: Type a whole number and a unit, like `30s`'],
  ],
  [
    ['--timeout', 'abc'],
    [
      'error: `--timeout`: `abc` is not a duration',
      'hint: Type a whole number and a unit (ms, s, m, h or d), like `30s`',
    ],
  ],
  [
    ['--timeout', '10'],
    ['error: `--timeout`: The duration `10` has no unit', 'hint: Type `10s` for seconds'],
  ],
  [
    ['--timeout=-1s'],
    [
      'error: `--timeout`: The duration `-1s` is negative',
      'hint: Type a whole number and a unit (ms, s, m, h or d), like `30s`',
    ],
  ],
  [
    ['--timeout', '1.5s'],
    [
      'error: `--timeout`: The duration `1.5s` is not a whole number',
      'hint: Use a smaller unit, like `90m` for an hour and a half',
    ],
  ],
  [
    ['--timeout', '1m30s'],
    ['error: `--timeout`: The duration `1m30s` has more than one unit', 'hint: Use only the smaller unit, like `90s`'],
  ],
  [
    ['--timeout', '400d'],
    ['error: `--timeout`: The duration `400d` is too long', 'hint: Use at most `365d`'],
  ],
  [
    ['--timeout', ''],
    [
      'error: `--timeout`: The duration is empty',
      'hint: Type a whole number and a unit (ms, s, m, h or d), like `30s`',
    ],
  ],
  [
    [],
    [
      'error: `PIXGATE_TIMEOUT`: `abc` is not a duration',
      'hint: Type a whole number and a unit (ms, s, m, h or d), like `30s`',
    ],
    { env: { PIXGATE_TIMEOUT: 'abc' } },
  ],
]

it('names the output formats and fields', () => expectRejected(['status', 'x'], OUTPUT))

it('refuses CSV before anything is sent if the answer is not a list', () => expectRejected([], NO_LIST))

it('says how long a timeout is written', () => expectRejected(['status', 'x'], TIMEOUT))
