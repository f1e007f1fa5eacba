import { it } from 'vitest'
import { expectRejected, type RejectedCommandLine } from './rejectedCommandLines.ts'

const AMOUNTS: readonly RejectedCommandLine[] = [
  [[], ['error: `--amount` is missing', 'hint: Add `--amount 10,50`, or see `--help` for examples']],
  [
    ['--amount', ''],
    ['error: `--amount`: The amount is empty', 'hint: Type it like `10.50`'],
  ],
  [
    ['--amount', '0'],
    ['error: `--amount`: The amount is zero', 'hint: Type at least `0.01`'],
  ],
  [
    ['--amount', '1.234'],
    [
      'error: `--amount`: The amount `1.234` is ambiguous: the `.` could separate thousands or decimals',
      'hint: Type `1234` for thousands, or at most two decimals, like `1.23`',
    ],
  ],
  [
    ['--amount', '10', '--shipping-amount', 'x'],
    ['error: `--shipping-amount`: `x` is not an amount', 'hint: Type it like `10.50`, `10,50` or `1.234,56`'],
  ],
  [
    ['--amount', '10', '--shipping-amount=-1'],
    ['error: `--shipping-amount`: The amount `-1` is negative', 'hint: Type it without a sign, like `10.50`'],
  ],
]

const DATES: readonly RejectedCommandLine[] = [
  [[''], ['error: `--due-date` is empty', 'hint: Add a value after `--due-date`']],
  [
    ['yesterday'],
    [
      'error: `--due-date`: `yesterday` is not a valid due date',
      'hint: Type a day like `2026-11-21`, `today` or `+3d`, or a date-time with its zone like `2026-11-21T18:00:00-03:00`',
    ],
  ],
  [
    ['01/02/2030'],
    [
      'error: `--due-date`: `01/02/2030` is not a valid due date',
      'hint: Type a day like `2026-11-21`, `today` or `+3d`, or a date-time with its zone like `2026-11-21T18:00:00-03:00`',
    ],
  ],
  [
    ['2030-02-30'],
    [
      'error: `--due-date`: The date `2030-02-30` does not exist',
      'hint: Type a day like `2026-11-21`, `today` or `+3d`, or a date-time with its zone like `2026-11-21T18:00:00-03:00`',
    ],
  ],
  [
    ['2030-01-01T25:00:00Z'],
    [
      'error: `--due-date`: `2030-01-01T25:00:00Z` is not a valid due date',
      'hint: Type a day like `2026-11-21`, `today` or `+3d`, or a date-time with its zone like `2026-11-21T18:00:00-03:00`',
    ],
  ],
  [
    ['2030-01-01T00:00:00'],
    [
      'error: `--due-date`: The date-time `2030-01-01T00:00:00` has no zone',
      'hint: Type `2030-01-01T00:00:00-03:00` for São Paulo time',
    ],
  ],
  [
    ['-1d'],
    [
      'error: `--due-date`: `-1d` is not a valid due date',
      'hint: Type a day like `2026-11-21`, `today` or `+3d`, or a date-time with its zone like `2026-11-21T18:00:00-03:00`',
    ],
  ],
  [['+9999d'], ['error: `--due-date`: `+9999d` is too far in the future', 'hint: Use at most `+3650d`']],
]

const TEXTS: readonly RejectedCommandLine[] = [
  [
    ['--request-number', ''],
    ['error: `--request-number` is empty', 'hint: Add a value after `--request-number`'],
  ],
  [
    ['--request-number', ' '],
    ['error: `--request-number` is empty', 'hint: Add a value after `--request-number`'],
  ],
  [
    ['--request-number', 'a\nb'],
    [
      'error: `--request-number` contains a line break or another control character',
      'hint: Type the value on a single line',
    ],
  ],
  [
    ['--callback-url', 'x'],
    [
      'error: `x` is not a valid URL for `--callback-url`',
      'hint: Write a complete URL, for example `--callback-url https://shop.example.com/pix`',
    ],
  ],
  [
    ['--checkout-user', ''],
    ['error: `--checkout-user` is empty', 'hint: Add a value after `--checkout-user`'],
  ],
  [
    ['--payer-name', '\u0007'],
    [
      'error: `--payer-name` contains a line break or another control character',
      'hint: Type the value on a single line',
    ],
  ],
  [
    ['--payer-tax-id', ''],
    ['error: `--payer-tax-id` is empty', 'hint: Add a value after `--payer-tax-id`'],
  ],
  [
    ['--payer-tax-id', '1'],
    [
      'error: `--payer-tax-id`: `1` is neither a CPF nor a CNPJ',
      'hint: Type the 11 digits of a CPF or the 14 characters of a CNPJ, leading zeros included',
    ],
  ],
  [
    ['--payer-tax-id', '52998224724'],
    ['error: `--payer-tax-id`: `52998224724` is not a CPF: its check digits are wrong', 'hint: Check the 11 digits'],
  ],
  [
    ['--payer-email', ''],
    ['error: `--payer-email` is empty', 'hint: Add a value after `--payer-email`'],
  ],
  [
    ['--payer-email', 'x'],
    ['error: `--payer-email`: `x` is not an e-mail address', 'hint: Write it like `maria@example.com`'],
  ],
  [
    ['--payer-email', 'a b@c.de'],
    ['error: `--payer-email`: `a b@c.de` is not an e-mail address', 'hint: Write it like `maria@example.com`'],
  ],
  [
    ['--split-username', 'partner'],
    [
      'error: `--split-username` and `--split-percentage` must be used together',
      'hint: Add both, for example `--split-username partner --split-percentage 10`',
    ],
  ],
  [
    ['--split-percentage', '10'],
    [
      'error: `--split-username` and `--split-percentage` must be used together',
      'hint: Add both, for example `--split-username partner --split-percentage 10`',
    ],
  ],
  [
    ['--split-username', '', '--split-percentage', '10'],
    ['error: `--split-username` is empty', 'hint: Add a value after `--split-username`'],
  ],
  [
    ['--split-username', 'partner', '--split-percentage', '0'],
    [
      'error: `--split-percentage` must be a number above 0 and at most 100, not `0`',
      'hint: Write it like `--split-percentage 12.5`',
    ],
  ],
  [
    ['--split-username', 'partner', '--split-percentage', '100.1'],
    [
      'error: `--split-percentage` must be a number above 0 and at most 100, not `100.1`',
      'hint: Write it like `--split-percentage 12.5`',
    ],
  ],
  [
    ['--split-username', 'partner', '--split-percentage', '-5'],
    [
      'error: `--split-percentage` must be a number above 0 and at most 100, not `-5`',
      'hint: Write it like `--split-percentage 12.5`',
    ],
  ],
  [
    ['--split-username', 'partner', '--split-percentage', 'abc'],
    [
      'error: `--split-percentage` must be a number above 0 and at most 100, not `abc`',
      'hint: Write it like `--split-percentage 12.5`',
    ],
  ],
  [
    ['--split-username', 'partner', '--split-percentage', '10%'],
    [
      'error: `--split-percentage` must be a number above 0 and at most 100, not `10%`',
      'hint: Write it like `--split-percentage 12.5`',
    ],
  ],
]

it('says which amount is missing or malformed', () => expectRejected(['qr', 'create'], AMOUNTS))

it('says what a due date is', () => expectRejected(['qr', 'create', '--amount', '10', '--due-date'], DATES))

it('says what the other options take', () => expectRejected(['qr', 'create', '--amount', '10'], TEXTS))
