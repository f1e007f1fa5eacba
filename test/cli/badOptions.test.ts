import { it } from 'vitest'
import { expectRejected, type RejectedCommandLine } from './rejectedCommandLines.ts'

const OPTIONS: readonly RejectedCommandLine[] = [
  [['--nope'], ['error: `pixgate` has no option `--nope`', 'hint: Run `pixgate --help`']],
  [['-z'], ['error: `pixgate` has no option `-z`', 'hint: Run `pixgate --help`']],
  [
    ['--outptu', 'json', 'status', 'x'],
    ['error: `pixgate` has no option `--outptu`', 'hint: Did you mean `--output`?'],
  ],
  [['-p'], ['error: `--profile` needs a value', 'hint: Write a value after it; run `pixgate --help` for examples']],
  [
    ['transfer', '--amout', '10'],
    ['error: `pixgate transfer` has no option `--amout`', 'hint: Did you mean `--amount`?'],
  ],
  [
    ['transfer', '--amount'],
    ['error: `--amount` needs a value', 'hint: Write a value after it; run `pixgate transfer --help` for examples'],
  ],
  [
    ['transfer', '--key', '--amount', '10'],
    [
      'error: `--key` needs a value, and `--amount` looks like an option',
      'hint: Add the value after `--key`, or, if it begins with `-`, write `--key=--amount`',
    ],
  ],
  [
    ['transfer', '--yes=maybe'],
    ['error: `--yes` takes no value', 'hint: Write `--yes` without a value'],
  ],
  [
    ['qr', 'create', '--qr=1', '--amount', '10'],
    ['error: `--qr` takes no value', 'hint: Write `--qr` without a value'],
  ],
  [
    ['qr', 'draw', '--q', '000201'],
    ['error: `pixgate qr draw` has no option `--q`', 'hint: Did you mean `--qr` or `--quiet`?'],
  ],
  [
    ['refund', 'x', '--resaon', 'r'],
    ['error: `pixgate refund` has no option `--resaon`', 'hint: Did you mean `--reason` or `--json`?'],
  ],
  [
    ['status', 'x', '--form', 'a'],
    ['error: `pixgate status` has no option `--form`', 'hint: Did you mean `--from`?'],
  ],
  [
    ['status', 'x', '--confirm'],
    ['error: `--confirm` needs a value', 'hint: Write a value after it; run `pixgate status --help` for examples'],
  ],
  [
    ['sandbox', 'start', '--auto-pya', '1s'],
    ['error: `pixgate sandbox start` has no option `--auto-pya`', 'hint: Did you mean `--auto-pay`?'],
  ],
  [
    ['sandbox', 'exec', 'ls', '-l'],
    [
      'error: `pixgate sandbox exec` has no option `-l`',
      'hint: Write `--` before the command to run: `pixgate sandbox exec -- ls -l`',
    ],
  ],
  [
    ['sandbox', 'exec', '--prt', '0', '--', 'ls'],
    ['error: `pixgate sandbox exec` has no option `--prt`', 'hint: Did you mean `--port`?'],
  ],
  [
    ['sandbox', 'advance', '-1d'],
    [
      'error: `pixgate sandbox advance` has no option `-1d`',
      'hint: Write `--` before a value that begins with `-`; see `pixgate sandbox advance --help`',
    ],
  ],
  [
    ['demo', '--nope'],
    ['error: `pixgate demo` has no option `--nope`', 'hint: Run `pixgate demo --help`'],
  ],
]

const MISPLACED: readonly RejectedCommandLine[] = [
  [
    ['history', '--month', '2026-11', 'check'],
    [
      'error: `--month` before `check` has no effect',
      'hint: Write the options of `check` after its name, or omit them',
    ],
  ],
]

const REPEATED: readonly RejectedCommandLine[] = [
  [
    ['transfer', '--key', 'a@b.co', '--amount', '10', '--amount', '20', '--yes'],
    ['error: `--amount` is given twice, as `10` and as `20`', 'hint: Use `--amount` only once'],
  ],
  [
    ['transfer', '--key', 'a@b.co', '--amount', '10', '--amount=20', '--yes'],
    ['error: `--amount` is given twice, as `10` and as `20`', 'hint: Use `--amount` only once'],
  ],
  [
    ['transfer', '--key', 'a@b.co', '--amount', '10', '--key', 'b@b.co', '--yes'],
    ['error: `--key` is given twice, as `a@b.co` and as `b@b.co`', 'hint: Use `--key` only once'],
  ],
  [
    ['status', 'x', '-o', 'text', '--output', 'csv'],
    ['error: `--output` is given twice, as `text` and as `csv`', 'hint: Use `--output` only once'],
  ],
  ...['-p one -p two', '-pone -ptwo', '-p one -ptwo', '--profile=one --profile two', '-p one --profile=two'].map(
    (words): RejectedCommandLine => [
      ['status', 'x', ...words.split(' ')],
      ['error: `--profile` is given twice, as `one` and as `two`', 'hint: Use `--profile` only once'],
    ],
  ),
  [
    ['-p', 'one', 'status', 'x', '-p', 'two'],
    ['error: `--profile` is given twice, as `one` and as `two`', 'hint: Use `--profile` only once'],
  ],
  [
    ['status', 'x', '--expect', 'PAID', '--expect', 'PAID'],
    ['error: `--expect` is given twice', 'hint: Use `--expect` only once'],
  ],
  [
    ['status', 'x', '--wait', '--wait=1s'],
    ['error: `--wait` is given twice, as `default` and as `1s`', 'hint: Use `--wait` only once'],
  ],
  [
    ['transfer', '-y', '--yes'],
    ['error: `--yes` is given twice', 'hint: Use `--yes` only once'],
  ],
  [
    ['qr', 'draw', '000201', '--qr', '--no-qr'],
    ['error: `--qr` and `--no-qr` conflict', 'hint: Use only one of them'],
  ],
]

it('suggests an existing option, and describes its value', () => expectRejected([], OPTIONS))

it('refuses an option that is given twice, in every form', () => expectRejected([], REPEATED))

it('refuses an option of a group that its command would ignore', () => expectRejected([], MISPLACED))
