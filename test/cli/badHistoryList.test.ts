import { it } from 'vitest'
import { expectRejected, type RejectedCommandLine } from './rejectedCommandLines.ts'

const RANGES: readonly RejectedCommandLine[] = [
  [
    ['--since', '2026-11-21', '--until', '2026-11-20'],
    [
      'error: `--since 2026-11-21` is not before `--until 2026-11-20`',
      'hint: Swap them, or give `--month 2026-11` for a whole month',
    ],
  ],
  [
    ['--min', '20', '--max', '10,50'],
    ['error: `--min 20` is more than `--max 10,50`', 'hint: Swap them'],
  ],
]

const CHECKS: readonly RejectedCommandLine[] = [
  [
    ['--statement', '-', '--map', 'identity=x'],
    [
      'error: `--map`: there is no field `identity`',
      'hint: Choose from the fields `id`, `date`, `debit`, `credit`, `balance`, `direction`, `amount`, `status`, `description`, `details`, `name`, `receiver`, `sender`, `currency`',
    ],
    { stdin: 'id,amount\n' },
  ],
  [
    ['--statement', '-'],
    [
      'error: The statement has no rows',
      'hint: Give an OFX file, or a CSV or workbook whose header names `date` and `amount`, or name these columns with `--map`',
    ],
    { stdin: 'id,amount\n' },
  ],
  [
    ['--statement', '-'],
    [
      'error: The statement has 2 faults',
      '  line 3, amount: `x` is not an amount. Type it like `10.50`, `10,50` or `1.234,56`',
      '  line 4, date: `31/02/2026` is not a day. Write it like `2026-11-21` or `21/11/2026`',
      'hint: Correct the listed cells, then run the command again',
    ],
    { stdin: 'id,amount,date\n,1,2026-11-21\na,x,\nb,2,31/02/2026\n' },
  ],
]

const SHOWN: readonly RejectedCommandLine[] = [
  [
    ['x', '--receipt', '--pdf', 'nowhere/slip.pdf'],
    [
      'error: `--pdf nowhere/slip.pdf` cannot be written: it does not exist (ENOENT)',
      'hint: Name a file in a folder that exists and that you may write to',
    ],
  ],
  [
    ['x', '--receipt'],
    [
      'error: No recorded payment has the id x',
      'hint: Run `pixgate history find x` to search for it, or `pixgate status x` to ask the gateway',
    ],
    { exit: 3 },
  ],
]

it('says which range is empty', () => expectRejected(['history', 'list'], RANGES))

it('says it without `list` too', () => expectRejected(['history'], RANGES.slice(0, 1)))

it('says what is wrong with a statement', () => expectRejected(['history', 'check'], CHECKS))

it('says what is wrong with a receipt', () => expectRejected(['history', 'show'], SHOWN))
