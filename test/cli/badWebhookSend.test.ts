import { it } from 'vitest'
import { expectRejected, type RejectedCommandLine } from './rejectedCommandLines.ts'

const EVENTS = 'pix.received, refund.status, transfer.completed, transfer.failed, payment'
const TO = ['--to', 'http://127.0.0.1:1/']

const SEND: readonly RejectedCommandLine[] = [
  [
    TO,
    [
      'error: `pixgate webhook send` needs an event, or a body of your own',
      `hint: Use one of: ${EVENTS}; or give \`--body event.json\``,
    ],
  ],
  ...[['payment'], ['--body', '-'], ['refund.status', '--body', '-']].map(
    (words): RejectedCommandLine => [
      [...words, ...TO, '--repeated-key'],
      [
        'error: `--repeated-key` only applies to the sample of `refund.status`',
        'hint: Write `pixgate webhook send refund.status --repeated-key`',
      ],
    ],
  ),
  [
    ['payment', ...TO, '--set', 'value.cents=1'],
    [
      'error: The path of `--set value.cents=1` does not match the body',
      '  `value` is neither an object nor an array',
      'hint: Check the path against the body, or give a whole body with `--body`',
    ],
  ],
  [
    ['--body', '-', ...TO, '--set', 'a=1'],
    ['error: The body is not JSON, so no value can be set in it', 'hint: Give a whole body with `--body`'],
    { stdin: 'a=1' },
  ],
  [
    ['--body', 'no-such-file', ...TO],
    ['error: The file `no-such-file` does not exist', 'hint: Check the path, or use `-` to read from standard input'],
  ],
  [
    ['payment', '--body', '-', ...TO],
    [
      'error: The body is a `pix.received`, not a `payment`',
      'hint: Omit `payment`; with `--body`, the body determines the event',
    ],
    { stdin: '{"event":"pix.received","data":{}}' },
  ],
  [
    ['payment', ...TO, '-o', 'csv'],
    ['error: CSV output is only available for lists', 'hint: Use `-o json` or `-o text`'],
  ],
  [
    ['payment', ...TO, '--confirm', 'prod'],
    [
      'error: `--confirm prod` does not match local, which is used here',
      '  Nothing was signed',
      'hint: Use `--confirm local` if you mean local',
    ],
  ],
  [
    ['payment'],
    [
      'error: There is no target: no listener runs here for this account, and it has no callback URL',
      'hint: Add `--to http://127.0.0.1:3000/webhooks`, or start `pixgate webhook listen` in another terminal',
    ],
    { env: { PIXGATE_CLIENT_SECRET: 'alone', PIXGATE_BASE_URL: undefined } },
  ],
]

const SIGN: readonly RejectedCommandLine[] = [
  [[], ['error: `--body` is missing', 'hint: Add `--body event.json`, or `--body -` for standard input']],
  [
    ['--body', 'no-such-file'],
    ['error: The file `no-such-file` does not exist', 'hint: Check the path, or use `-` to read from standard input'],
  ],
  [
    ['--body', '.'],
    ['error: `.` is a folder', 'hint: Use the path of a file'],
  ],

  [
    ['--body', '-', '-o', 'csv'],
    ['error: CSV output is only available for lists', 'hint: Use `-o json` or `-o text`'],
  ],
]

const UNKNOWN = 'Run `pixgate webhook events` to list the numbers and ids of recorded events'

const REPLAY: readonly RejectedCommandLine[] = [
  [
    [],
    [
      'error: No events selected',
      '  Name events by number or id, or add `--last`, `--failed` or `--since 1h`',
      'hint: Run `pixgate webhook events` to list the recorded events',
    ],
  ],
  ...['1', 'abc', '', '0'].map(
    (word): RejectedCommandLine => [
      [word],
      [`error: No event \`${word}\` is recorded`, `hint: ${UNKNOWN}`],
      { exit: 3 },
    ],
  ),
  [
    ['--last'],
    ['error: No recorded event matches', 'hint: Run `pixgate webhook events` to list the recorded events'],
    { exit: 3 },
  ],
  [
    ['--since', '1h', '--body', 'event.json'],
    ['error: `--body` replaces the body of one event, but 0 are selected', 'hint: Name one event by its number'],
  ],
]

it('says what send takes', () => expectRejected(['webhook', 'send'], SEND))

it('says what sign takes', () => expectRejected(['webhook', 'sign'], SIGN))

it('says what replay takes', () => expectRejected(['webhook', 'replay'], REPLAY))
