import { it } from 'vitest'
import { expectRejected, type RejectedCommandLine } from './rejectedCommandLines.ts'

const AMOUNTS: readonly RejectedCommandLine[] = [
  [
    ['--amount', ''],
    ['error: `--amount` is empty', 'hint: Add a value after `--amount`'],
  ],
  [
    ['--amount', ' '],
    ['error: `--amount` is empty', 'hint: Add a value after `--amount`'],
  ],
  [
    ['--amount', '10\n'],
    ['error: `--amount` contains a line break or another control character', 'hint: Type the value on a single line'],
  ],
  [
    ['--amount', '0'],
    ['error: `--amount`: The amount is zero', 'hint: Type at least `0.01`'],
  ],
  [
    ['--amount', '-10'],
    ['error: `--amount`: The amount `-10` is negative', 'hint: Type it without a sign, like `10.50`'],
  ],
  [['--amount=-10'], ['error: `--amount`: The amount `-10` is negative', 'hint: Type it without a sign, like `10.50`']],
  [
    ['--amount', '1e3'],
    ['error: `--amount`: The amount `1e3` has an exponent', 'hint: Type all its digits, like `1000.00`'],
  ],
  [
    ['--amount', '1.234'],
    [
      'error: `--amount`: The amount `1.234` is ambiguous: the `.` could separate thousands or decimals',
      'hint: Type `1234` for thousands, or at most two decimals, like `1.23`',
    ],
  ],
  [
    ['--amount', '1,234.56'],
    [
      'error: `--amount`: The amount `1,234.56` uses commas for thousands, but a comma is the decimal separator here',
      'hint: Type `1234.56`',
    ],
  ],
  [
    ['--amount', '10.5555'],
    [
      'error: `--amount`: The amount `10.5555` has more than two decimals',
      'hint: Type it with at most two, like `10.50`',
    ],
  ],
  [
    ['--amount', '12.34,5'],
    [
      'error: `--amount`: The amount `12.34,5` is not grouped in thousands',
      'hint: Type it like `1234.56` or `1.234,56`',
    ],
  ],
  [
    ['--amount', '.5'],
    ['error: `--amount`: The amount `.5` has no digit before the `.`', 'hint: Type it like `0.50`'],
  ],
  [
    ['--amount', '5.'],
    ['error: `--amount`: The amount `5.` has no digit after the `.`', 'hint: Type it like `5.00`'],
  ],
  [
    ['--amount', '05'],
    ['error: `--amount`: The amount `05` has a leading zero', 'hint: Type it like `5.00` or `0.50`'],
  ],
  [
    ['--amount', '1 000'],
    ['error: `--amount`: The amount `1 000` has white space inside', 'hint: Type it like `1234.56` or `1.234,56`'],
  ],
  [
    ['--amount', 'US$ 10'],
    ['error: `--amount`: The amount `US$ 10` is not in reais', 'hint: Type reais, like `10.50` or `R$ 10,50`'],
  ],
  [
    ['--amount', '１０'],
    ['error: `--amount`: The amount `１０` is not written with the digits 0 to 9', 'hint: Type it like `10.50`'],
  ],
  [
    ['--amount', '10000000000'],
    ['error: `--amount`: The amount `10000000000` is too large', 'hint: Enter at most `9999999999.99`'],
  ],
  [
    ['--amount', 'ten'],
    ['error: `--amount`: `ten` is not an amount', 'hint: Type it like `10.50`, `10,50` or `1.234,56`'],
  ],
  [
    ['--amount', '💸'],
    ['error: `--amount`: `💸` is not an amount', 'hint: Type it like `10.50`, `10,50` or `1.234,56`'],
  ],
  [
    ['--value', 'ten'],
    ['error: `--value`: `ten` is not an amount', 'hint: Type it like `10.50`, `10,50` or `1.234,56`'],
  ],
  [
    ['--amount', '10', '--value', '20'],
    ['error: `--amount 10` and `--value 20` conflict', 'hint: Use only one of them; they are the same option'],
  ],
]

it('says how an amount is written, one for each reason', () =>
  expectRejected(['transfer', '--key', 'maria@example.com', '--yes'], AMOUNTS))
