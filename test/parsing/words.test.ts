import { expect, it } from 'vitest'
import { type Rejected, rejection, wordsOf } from '../parsedCommandLine.ts'

const REJECTED: readonly Rejected[] = [
  [
    'profile add shop --max-amount ten --client-secret x',
    'Secrets are not accepted on the command line, where other users and the shell history can see them',
    'Omit it to be prompted, or use `--client-secret-stdin`, `--client-secret-env`, `--client-secret-command` or `--keychain`',
  ],
  ['--nope', '`pixgate` has no option `--nope`', 'Run `pixgate --help`'],
  ['-z', '`pixgate` has no option `-z`', 'Run `pixgate --help`'],
  ['--outptu json status x', '`pixgate` has no option `--outptu`', 'Did you mean `--output`?'],
  ['-p', '`--profile` needs a value', 'Write a value after it; run `pixgate --help` for examples'],
  ['transfer --amout 10', '`pixgate transfer` has no option `--amout`', 'Did you mean `--amount`?'],
  [
    'transfer --amount',
    '`--amount` needs a value',
    'Write a value after it; run `pixgate transfer --help` for examples',
  ],
  [
    'transfer --key --amount 10',
    '`--key` needs a value, and `--amount` looks like an option',
    'Add the value after `--key`, or, if it begins with `-`, write `--key=--amount`',
  ],
  ['transfer --yes=maybe', '`--yes` takes no value', 'Write `--yes` without a value'],
  ['qr create --qr=1 --amount 10', '`--qr` takes no value', 'Write `--qr` without a value'],
  ['qr draw --q 000201', '`pixgate qr draw` has no option `--q`', 'Did you mean `--qr`?'],
  ['refund x --resaon r', '`pixgate refund` has no option `--resaon`', 'Did you mean `--reason`?'],
  ['status x --form a', '`pixgate status` has no option `--form`', 'Did you mean `--from`?'],
  [
    'status x --confirm',
    '`--confirm` needs a value',
    'Write a value after it; run `pixgate status --help` for examples',
  ],
  ['sandbox start --auto-pya 1s', '`pixgate sandbox start` has no option `--auto-pya`', 'Did you mean `--auto-pay`?'],
  [
    'sandbox exec ls -l',
    '`pixgate sandbox exec` has no option `-l`',
    'Write `--` before the command to run: `pixgate sandbox exec -- ls -l`',
  ],
  ['sandbox exec --prt 0 -- ls', '`pixgate sandbox exec` has no option `--prt`', 'Did you mean `--port`?'],
  [
    'sandbox advance -1d',
    '`pixgate sandbox advance` has no option `-1d`',
    'Write `--` before a value that begins with `-`; see `pixgate sandbox advance --help`',
  ],
  ['demo --nope', '`pixgate demo` has no option `--nope`', 'Run `pixgate demo --help`'],
  [
    'transfer --key a@b.co --amount 10 --amount 20 --yes',
    '`--amount` is given twice, as `10` and as `20`',
    'Use `--amount` only once',
  ],
  [
    'transfer --key a@b.co --amount 10 --amount=20 --yes',
    '`--amount` is given twice, as `10` and as `20`',
    'Use `--amount` only once',
  ],
  [
    'transfer --key a@b.co --amount 10 --key b@b.co --yes',
    '`--key` is given twice, as `a@b.co` and as `b@b.co`',
    'Use `--key` only once',
  ],
  ['status x -o text --output csv', '`--output` is given twice, as `text` and as `csv`', 'Use `--output` only once'],
  ['status x -p one -p two', '`--profile` is given twice, as `one` and as `two`', 'Use `--profile` only once'],
  ['status x -pone -ptwo', '`--profile` is given twice, as `one` and as `two`', 'Use `--profile` only once'],
  ['status x -p one -ptwo', '`--profile` is given twice, as `one` and as `two`', 'Use `--profile` only once'],
  [
    'status x --profile=one --profile two',
    '`--profile` is given twice, as `one` and as `two`',
    'Use `--profile` only once',
  ],
  ['status x -p one --profile=two', '`--profile` is given twice, as `one` and as `two`', 'Use `--profile` only once'],
  ['-p one status x -p two', '`--profile` is given twice, as `one` and as `two`', 'Use `--profile` only once'],
  ['status x --expect PAID --expect PAID', '`--expect` is given twice', 'Use `--expect` only once'],
  ['status x --wait --wait=1s', '`--wait` is given twice, as `default` and as `1s`', 'Use `--wait` only once'],
  ['transfer -y --yes', '`--yes` is given twice', 'Use `--yes` only once'],
  ['qr draw 000201 --qr --no-qr', '`--qr` and `--no-qr` conflict', 'Use only one of them'],
  [
    'history --month 2026-11 check',
    '`--month` before `check` has no effect',
    'Write the options of `check` after its name, or omit them',
  ],
  [
    'refund a b --reason r',
    'Unexpected argument `b` for `pixgate refund`',
    'Quote values that contain spaces, or run `pixgate refund --help`',
  ],
  [
    'refund a --reason ordered twice',
    'Unexpected argument `twice` for `pixgate refund`',
    'Quote values that contain spaces, or run `pixgate refund --help`',
  ],
  ['qr draw', '`pixgate qr draw` needs `<code>`', 'Add it; run `pixgate qr draw --help` for examples'],
  ['qr decode', '`pixgate qr decode` needs `<code>`', 'Add it; run `pixgate qr decode --help` for examples'],
  [
    'qr create extra',
    'Unexpected argument `extra` for `pixgate qr create`',
    'Quote values that contain spaces, or run `pixgate qr create --help`',
  ],
  [
    'transfer --amount R$ 10',
    'Unexpected argument `10` for `pixgate transfer`',
    'Quote values that contain spaces, or run `pixgate transfer --help`',
  ],
  [
    'transfer -5',
    'Unexpected argument `-5` for `pixgate transfer`',
    'Quote values that contain spaces, or run `pixgate transfer --help`',
  ],
  [
    'doctor extra',
    'Unexpected argument `extra` for `pixgate doctor`',
    'Quote values that contain spaces, or run `pixgate doctor --help`',
  ],
  [
    'sandbox start extra',
    'Unexpected argument `extra` for `pixgate sandbox start`',
    'Quote values that contain spaces, or run `pixgate sandbox start --help`',
  ],
  [
    'sandbox exec',
    '`pixgate sandbox exec` needs `<command>`',
    'Add it; run `pixgate sandbox exec --help` for examples',
  ],
  ['trasnfer', '`pixgate` has no command `trasnfer`', 'Did you mean `transfer`?'],
  ['xyz', '`pixgate` has no command `xyz`', 'See `pixgate --help` for a list of commands'],
  [[''], '`pixgate` has no command ``', 'See `pixgate --help` for a list of commands'],
  ['\u001b[31mx', '`pixgate` has no command `\\u{1b}[31mx`', 'See `pixgate --help` for a list of commands'],
  ['💸', '`pixgate` has no command `💸`', 'See `pixgate --help` for a list of commands'],
  ['-y transfr', '`pixgate` has no command `transfr`', 'Did you mean `transfer`?'],
  [
    'sandbox fault',
    '`pixgate sandbox fault` needs `<kind>`',
    'Add it; run `pixgate sandbox fault --help` for examples',
  ],
  ['qr', '`pixgate qr` requires a subcommand', 'Use one of: create, draw, decode'],
  ['qr crate', '`pixgate qr` has no command `crate`', 'Did you mean `create`?'],
  ['qr zzzzzz', '`pixgate qr` has no command `zzzzzz`', 'See `pixgate qr --help` for a list of commands'],
  ['sandbox pya x', '`pixgate sandbox` has no command `pya`', 'Did you mean `pay`?'],
  ['sandbox zzz', '`pixgate sandbox` has no command `zzz`', 'See `pixgate sandbox --help` for a list of commands'],
  ['-- xyz', '`pixgate` has no command `xyz`', 'See `pixgate --help` for a list of commands'],
  [
    'sandbox advance',
    '`pixgate sandbox advance` needs `<duration>`',
    'Add it; run `pixgate sandbox advance --help` for examples',
  ],
  [
    'sandbox state x y',
    'Unexpected argument `y` for `pixgate sandbox state`',
    'Quote values that contain spaces, or run `pixgate sandbox state --help`',
  ],
]

it.each(REJECTED)(
  'rejects words that it does not know, or that are missing, repeated or too many: %j',
  async (typed, message, hint) => {
    expect(await rejection(wordsOf(typed))).toEqual([message, hint])
  },
)
