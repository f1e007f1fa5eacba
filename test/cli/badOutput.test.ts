import { it } from 'vitest'
import { expectRejected, type RejectedCommandLine } from './rejectedCommandLines.ts'

const ENVIRONMENT: readonly RejectedCommandLine[] = [
  [
    [],
    ['error: `xml` is not a valid output format for `PIXGATE_OUTPUT`', 'hint: Use `text`, `json` or `csv`'],
    { env: { PIXGATE_OUTPUT: 'xml' } },
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

it('names the variable that is malformed', () => expectRejected(['status', 'x'], ENVIRONMENT))

it('refuses CSV before anything is sent if the answer is not a list', () => expectRejected([], NO_LIST))
