import { expect, it } from 'vitest'
import { type Rejected, rejection, wordsOf } from '../parsedCommandLine.ts'

const REJECTED: readonly Rejected[] = [
  ['history list --kind pix', '`pix` is not a valid value for `--kind`', 'Use one of: qr, transfer, refund'],
  [
    'history list --state PAID',
    '`PAID` is not a valid value for `--state`',
    'Use one of: not-sent, being-sent, refused, pending, accepted, unknown, paid, not-paid, returned',
  ],
  [
    'history list --month 2026-13',
    '`--month`: `2026-13` is not a month',
    'Write the month and the year, like `11/2026` or `2026-11`',
  ],
  [
    'history list --month 9999-12',
    '`--month`: `9999-12` is not a month',
    'Write the month and the year, like `11/2026` or `2026-11`',
  ],
  [
    'history list --until 9999-12-31',
    '`--until`: `9999-12-31` is not a time',
    'Write a duration like `7d`, a day like `21/11/2026` or `2026-11-21`, or a time like `21/11/2026 18:00` or `2026-11-21T18:00:00-03:00`',
  ],
  [
    'history list --since 0000-01-01T00:00:00Z',
    '`--since`: `0000-01-01T00:00:00Z` is not a time',
    'Write a duration like `7d`, a day like `21/11/2026` or `2026-11-21`, or a time like `21/11/2026 18:00` or `2026-11-21T18:00:00-03:00`',
  ],
  [
    'history list --month 13/2026',
    '`--month`: `13/2026` is not a month',
    'Write the month and the year, like `11/2026` or `2026-11`',
  ],
  [
    'history list --month 2026-11 --since 7d',
    '`--month`, `--day` and `--since` or `--until` cannot be combined',
    'Give a month, a day, or a beginning and an end',
  ],
  [
    'history list --month 2026-11 --until 7d',
    '`--month`, `--day` and `--since` or `--until` cannot be combined',
    'Give a month, a day, or a beginning and an end',
  ],
  [
    ['history', 'list', '--since', 'last week'],
    '`--since`: `last week` is not a time',
    'Write a duration like `7d`, a day like `21/11/2026` or `2026-11-21`, or a time like `21/11/2026 18:00` or `2026-11-21T18:00:00-03:00`',
  ],
  [
    'history list --since 2026-02-30',
    '`--since`: There is no day `2026-02-30` in the calendar',
    'Write it like `21/11/2026` or `2026-11-21`',
  ],
  [
    'history import',
    '`pixgate history import` needs `<file>`',
    'Add it; run `pixgate history import --help` for examples',
  ],
  [
    'history list --until 2026-11-21T18:00:00',
    '`--until`: `2026-11-21T18:00:00` is not a time',
    'Write a duration like `7d`, a day like `21/11/2026` or `2026-11-21`, or a time like `21/11/2026 18:00` or `2026-11-21T18:00:00-03:00`',
  ],
  [['history', 'import', ''], '`<file>` is empty', 'Replace `<file>` with a value'],
  [['history', 'list', '--reference', ''], '`--reference` is empty', 'Add a value after `--reference`'],
  [['history', 'list', '--by', ' '], '`--by` is empty', 'Add a value after `--by`'],
  ['history --kind pix', '`pix` is not a valid value for `--kind`', 'Use one of: qr, transfer, refund'],
  [
    'history --state PAID',
    '`PAID` is not a valid value for `--state`',
    'Use one of: not-sent, being-sent, refused, pending, accepted, unknown, paid, not-paid, returned',
  ],
  [
    'history check --map id=x',
    '`--map` is given without `--statement`',
    'Add `--statement` with the file whose columns it names',
  ],
  [
    'history show x --pdf /nowhere/slip.pdf',
    '`--pdf` is given without `--receipt`',
    'Add `--receipt` to show the receipt',
  ],
  ['status x -o xml', '`xml` is not a valid output format for `--output`', 'Use `text`, `json` or `csv`'],
  ['status x --output=xml', '`xml` is not a valid output format for `--output`', 'Use `text`, `json` or `csv`'],
  ['status x -o JSON', '`JSON` is not a valid output format for `--output`', 'Use `text`, `json` or `csv`'],
  [['status', 'x', '-o', ''], '`` is not a valid output format for `--output`', 'Use `text`, `json` or `csv`'],
  [
    'status x --fields ,',
    '`--fields ,` contains an empty field name',
    'Separate the names with commas: `--fields idTransaction,status`',
  ],
  [
    'status x --fields a,,b',
    '`--fields a,,b` contains an empty field name',
    'Separate the names with commas: `--fields idTransaction,status`',
  ],
  ['status x --timeout 0s', '`--timeout`: The duration is zero', 'Type a whole number and a unit, like `30s`'],
  [
    'status x --timeout abc',
    '`--timeout`: `abc` is not a duration',
    'Type a whole number and a unit (ms, s, m, h or d), like `30s`',
  ],
  ['status x --timeout 10', '`--timeout`: The duration `10` has no unit', 'Type `10s` for seconds'],
  [
    'status x --timeout 1m30s',
    '`--timeout`: `1m30s` is not a duration',
    'Type a whole number and a unit (ms, s, m, h or d), like `30s`',
  ],
  ['status x --timeout 400d', '`--timeout`: The duration `400d` is too long', 'Use at most `365d`'],
  [
    ['status', 'x', '--timeout', ''],
    '`--timeout`: The duration is empty',
    'Type a whole number and a unit (ms, s, m, h or d), like `30s`',
  ],
  [['webhook', 'events', 'show', ' '], '`<id>` is empty', 'Replace `<id>` with a value'],
  [
    'webhook events show a\u0007',
    '`<id>` contains a line break or another control character',
    'Type the value on a single line',
  ],
  [
    'webhook events show',
    '`pixgate webhook events show` needs `<id>`',
    'Add it; run `pixgate webhook events show --help` for examples',
  ],
  [
    'webhook events show 1 2',
    'Unexpected argument `2` for `pixgate webhook events show`',
    'Quote values that contain spaces, or run `pixgate webhook events show --help`',
  ],
  [
    'webhook events 17',
    '`pixgate webhook events` has no command `17`',
    'See `pixgate webhook events --help` for a list of commands',
  ],
  ['webhook events --last 0', '`0` is not a valid value for `--last`', 'Use a whole number from 1 to 1000000000'],
  ['webhook events --since 10', '`--since`: The duration `10` has no unit', 'Type `10s` for seconds'],
  [['status', 'x', '--expect', ''], '`--expect` is empty', 'Add a value after `--expect`'],
  [['status', 'x', '--expect', ' '], '`--expect` is empty', 'Add a value after `--expect`'],
  [
    'status x --wait=abc',
    '`--wait`: `abc` is not a duration',
    'Write `--wait=10m`, or only `--wait` to wait up to 15m',
  ],
  ['status x --interval 0s', '`--interval`: The duration is zero', 'Type a whole number and a unit, like `30s`'],
  [['status', '--from', ''], '`--from` is empty', 'Add a value after `--from`'],
]

it.each(REJECTED)('says what the options of lists and of every command take: %j', async (typed, message, hint) => {
  expect(await rejection(wordsOf(typed))).toEqual([message, hint])
})
