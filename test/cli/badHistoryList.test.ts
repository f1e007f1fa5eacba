import { it } from 'vitest'
import { expectRejected, type RejectedCommandLine } from './rejectedCommandLines.ts'

const STATES = 'not-sent, refused, accepted, unknown, paid, not-paid, returned'
const TIME_HINT =
  'hint: Write a duration like `7d`, a day like `21/11/2026` or `2026-11-21`, or a time like `21/11/2026 18:00` or `2026-11-21T18:00:00-03:00`'

const OPTIONS: readonly RejectedCommandLine[] = [
  [
    ['--kind', 'pix'],
    ['error: `pix` is not a valid value for `--kind`', 'hint: Use one of: qr, transfer, refund'],
  ],
  [
    ['--state', 'PAID'],
    ['error: `PAID` is not a valid value for `--state`', `hint: Use one of: ${STATES}`],
  ],
  [
    ['--month', '2026-13'],
    ['error: `--month`: `2026-13` is not a month', 'hint: Write the month and the year, like `11/2026` or `2026-11`'],
  ],
  [
    ['--month', '9999-12'],
    ['error: `--month`: `9999-12` is not a month', 'hint: Write the month and the year, like `11/2026` or `2026-11`'],
  ],
  [
    ['--until', '9999-12-31'],
    ['error: `--until`: `9999-12-31` is not a time', TIME_HINT],
  ],
  [
    ['--since', '0000-01-01T00:00:00Z'],
    ['error: `--since`: `0000-01-01T00:00:00Z` is not a time', TIME_HINT],
  ],
  [
    ['--month', '13/2026'],
    ['error: `--month`: `13/2026` is not a month', 'hint: Write the month and the year, like `11/2026` or `2026-11`'],
  ],
  [
    ['--month', '2026-11', '--since', '7d'],
    [
      'error: `--month`, `--day` and `--since` or `--until` cannot be combined',
      'hint: Give a month, a day, or a beginning and an end',
    ],
  ],
  [
    ['--month', '2026-11', '--until', '7d'],
    [
      'error: `--month`, `--day` and `--since` or `--until` cannot be combined',
      'hint: Give a month, a day, or a beginning and an end',
    ],
  ],
  [
    ['--since', 'last week'],
    ['error: `--since`: `last week` is not a time', TIME_HINT],
  ],
  [
    ['--since', '2026-02-30'],
    [
      'error: `--since`: There is no day `2026-02-30` in the calendar',
      'hint: Write it like `21/11/2026` or `2026-11-21`',
    ],
  ],
  [
    ['--until', '2026-11-21T18:00:00'],
    ['error: `--until`: `2026-11-21T18:00:00` is not a time', TIME_HINT],
  ],
  [
    ['--since', '2026-11-21', '--until', '2026-11-20'],
    [
      'error: `--since 2026-11-21` is not before `--until 2026-11-20`',
      'hint: Swap them, or give `--month 2026-11` for a whole month',
    ],
  ],
  [
    ['--reference', ''],
    ['error: `--reference` is empty', 'hint: Add a value after `--reference`'],
  ],
  [
    ['--by', ' '],
    ['error: `--by` is empty', 'hint: Add a value after `--by`'],
  ],
]

const CHECKS: readonly RejectedCommandLine[] = [
  [
    ['--map', 'id=x'],
    ['error: `--map` is given without `--statement`', 'hint: Add `--statement` with the file whose columns it names'],
  ],
  [
    ['--statement', '-', '--map', 'identity=x'],
    ['error: `--map`: there is no field `identity`', 'hint: Choose from the fields `id`, `amount`, `status`, `date`'],
    { stdin: 'id,amount\n' },
  ],
  [
    ['--statement', '-'],
    [
      'error: The statement has no rows',
      'hint: Give a CSV whose header names `id` and `amount`, or name these columns with `--map`',
    ],
    { stdin: 'id,amount\n' },
  ],
  [
    ['--statement', '-'],
    [
      'error: The statement has 3 faults',
      '  line 2, id: The id is empty',
      '  line 3, amount: `x` is not an amount. Type it like `10.50`, `10,50` or `1.234,56`',
      '  line 4, date: `31/02/2026` is not a day. Write it like `2026-11-21` or `21/11/2026`',
      'hint: Correct the listed cells, then run the command again',
    ],
    { stdin: 'id,amount,date\n,1,2026-11-21\na,x,\nb,2,31/02/2026\n' },
  ],
]

const SHOWN: readonly RejectedCommandLine[] = [
  [
    ['x', '--png', '/nowhere/slip.png'],
    ['error: `--png` is given without `--receipt`', 'hint: Add `--receipt` to show the receipt'],
  ],
  [
    ['x', '--receipt', '--png', 'nowhere/slip.png'],
    [
      'error: `--png nowhere/slip.png` cannot be written: ENOENT',
      'hint: Name a file in a folder that exists and that you may write to',
    ],
  ],
  [
    ['x', '--receipt'],
    [
      'error: No payment on this machine has the id x',
      'hint: Run `pixgate history --all` to list the payments, or `pixgate status x` to ask the gateway',
    ],
    { exit: 3 },
  ],
]

it('says what the options of a list can be', () => expectRejected(['history', 'list'], OPTIONS))

it('says it without `list` too', () => expectRejected(['history'], OPTIONS.slice(0, 2)))

it('says what is wrong with a statement', () => expectRejected(['history', 'check'], CHECKS))

it('says what is wrong with a receipt', () => expectRejected(['history', 'show'], SHOWN))
