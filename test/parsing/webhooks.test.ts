import { expect, it } from 'vitest'
import { type Rejected, rejection, wordsOf } from '../parsedCommandLine.ts'

const REJECTED: readonly Rejected[] = [
  ['webhook verify --body - --request -', '`--body -` and `--request -` conflict', 'Use only one of them'],
  [
    'webhook verify --body - --signature 0000000000000000000000000000000000000000000000000000000000000000 --event 1',
    '`--body -` and `--event 1` conflict',
    'Use only one of them',
  ],
  [
    'webhook verify --request - --signature 0000000000000000000000000000000000000000000000000000000000000000',
    '`--signature` cannot be combined with `--request`, which has its own signature',
    'Omit it, or give the body with `--body`',
  ],
  [
    ['webhook', 'verify', '--event', '1', '--signature', ''],
    '`--signature` cannot be combined with `--event`, which has its own signature',
    'Omit it, or give the body with `--body`',
  ],
  [
    [
      'webhook',
      'verify',
      '--body',
      '',
      '--signature',
      '0000000000000000000000000000000000000000000000000000000000000000',
    ],
    '`--body` is empty',
    'Add a value after `--body`',
  ],
  [['webhook', 'verify', '--request', ''], '`--request` is empty', 'Add a value after `--request`'],
  [['webhook', 'verify', '--event', ''], '`--event` is empty', 'Add a value after `--event`'],
  [
    [
      'webhook',
      'verify',
      '--body',
      '-',
      '--signature',
      '0000000000000000000000000000000000000000000000000000000000000000',
      '--recover',
      '',
    ],
    '`--recover` is empty',
    'Add a value after `--recover`',
  ],
  [
    'webhook send pix.recieved --to http://127.0.0.1:1/',
    '`pix.recieved` is not a valid value for `<event>`',
    'Did you mean `pix.received`? Use one of: pix.received, refund.status, transfer.completed, transfer.failed, payment',
  ],
  [
    ['webhook', 'send', '', '--to', 'http://127.0.0.1:1/'],
    '`` is not a valid value for `<event>`',
    'Use one of: pix.received, refund.status, transfer.completed, transfer.failed, payment',
  ],
  [
    'webhook send payment payment --to http://127.0.0.1:1/',
    'Unexpected argument `payment` for `pixgate webhook send`',
    'Quote values that contain spaces, or run `pixgate webhook send --help`',
  ],
  [
    'webhook send payment --to http://127.0.0.1:1/ --times=0',
    '`0` is not a valid value for `--times`',
    'Use a whole number from 1 to 500',
  ],
  [
    'webhook send payment --to x',
    '`x` is not a valid URL for `--to`',
    'Write a complete URL, for example `--to https://shop.example.com/pix`',
  ],
  [
    'webhook send payment --to=',
    '`--to` is empty',
    'Write a complete URL, for example `--to https://shop.example.com/pix`',
  ],
  [
    'webhook send payment --to http://127.0.0.1:1/ --unsigned --bad-signature',
    '`--unsigned` and `--bad-signature` conflict',
    'Use only one of them',
  ],
  [
    'webhook send payment --to http://127.0.0.1:1/ --webhook-style Java',
    '`Java` is not a valid value for `--webhook-style`',
    'Did you mean `java`? Use one of: java, php, python, javascript',
  ],
  [
    'webhook send --body - --to http://127.0.0.1:1/ --webhook-style java',
    '`--webhook-style java` and `--body -` conflict',
    'Use only one of them',
  ],
  [
    'webhook send payment --to http://127.0.0.1:1/ --signature-encoding HEX',
    '`HEX` is not a valid value for `--signature-encoding`',
    'Use one of: hex, base64',
  ],
  [
    'webhook send payment --to http://127.0.0.1:1/ --set a',
    '`--set` takes a path and a value, not `a`',
    'Write a path and a value: `--set data.amount=10.50`',
  ],
  [
    'webhook send payment --to http://127.0.0.1:1/ --set =1',
    '`--set` takes a path and a value, not `=1`',
    'Write a path and a value: `--set data.amount=10.50`',
  ],
  [
    'webhook send payment --to http://127.0.0.1:1/ --set data..amount=1',
    '`--set` takes a path and a value, not `data..amount=1`',
    'Write a path and a value: `--set data.amount=10.50`',
  ],
  [
    'webhook sign --body - --signature-encoding sha256',
    '`sha256` is not a valid value for `--signature-encoding`',
    'Use one of: hex, base64',
  ],
  ['webhook replay --since 1', '`--since`: The duration `1` has no unit', 'Type `1s` for seconds'],
  [
    'webhook replay 1 --set x',
    '`--set` takes a path and a value, not `x`',
    'Write a path and a value: `--set data.amount=10.50`',
  ],
  [
    'webhook replay 1 --to x',
    '`x` is not a valid URL for `--to`',
    'Write a complete URL, for example `--to https://shop.example.com/pix`',
  ],
]

it.each(REJECTED)('says what the options of webhook commands take: %j', async (typed, message, hint) => {
  expect(await rejection(wordsOf(typed))).toEqual([message, hint])
})
