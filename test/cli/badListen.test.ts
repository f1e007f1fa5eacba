import { it } from 'vitest'
import { expectRejected, type RejectedCommandLine } from './rejectedCommandLines.ts'

const EXAMPLE = 'https://shop.example.com/pix'

function both(words: readonly string[], error: string, hint: string): RejectedCommandLine {
  return [words, [`error: ${error}`, `hint: ${hint}`]]
}

const NUMBERS: readonly RejectedCommandLine[] = [
  ...['x', '', '-1', '65536', '1.5', '0x10', ' 1', '１'].map((port) =>
    both([`--port=${port}`], `\`${port}\` is not a valid value for \`--port\``, 'Use a whole number from 0 to 65535'),
  ),
  ...['x', '', '0', '-1', '1.5', '1000000001', '1e3'].map((count) =>
    both(
      [`--max-events=${count}`],
      `\`${count}\` is not a valid value for \`--max-events\``,
      'Use a whole number from 1 to 1000000000',
    ),
  ),
]

const TIMES: readonly RejectedCommandLine[] = ['--for', '--timeout'].flatMap((option) => [
  both([`${option}=5`], `\`${option}\`: The duration \`5\` has no unit`, 'Type `5s` for seconds'),
  both(
    [`${option}=`],
    `\`${option}\`: The duration is empty`,
    'Type a whole number and a unit (ms, s, m, h or d), like `30s`',
  ),
  both([`${option}=0s`], `\`${option}\`: The duration is zero`, 'Type a whole number and a unit, like `30s`'),
  both([`${option}=366d`], `\`${option}\`: The duration \`366d\` is too long`, 'Use at most `365d`'),
])

const PLACES: readonly RejectedCommandLine[] = [
  ...['--forward-to', '--public-url'].flatMap((option) => [
    ...['x', 'ftp://a/', 'http://', 'http://a b'].map((url) =>
      both(
        [option, url],
        `\`${url}\` is not a valid URL for \`${option}\``,
        `Write a complete URL, for example \`${option} ${EXAMPLE}\``,
      ),
    ),
    both([`${option}=`], `\`${option}\` is empty`, `Write a complete URL, for example \`${option} ${EXAMPLE}\``),
    both(
      [option, 'ftp://ana:secret@a/'],
      `\`ftp://••••@a/\` is not a valid URL for \`${option}\``,
      `Write a complete URL, for example \`${option} ${EXAMPLE}\``,
    ),
  ]),
  ...['x', '', '/a?b', '/a#b', '/a b', 'https://a/b'].map((path) =>
    both(
      [`--path=${path}`],
      `\`--path\`: \`${path}\` is not a path`,
      'Write it like `--path /webhooks/pix`, without `?` and `#`',
    ),
  ),
  ...['192.0.2.1', 'no-such-host.invalid', 'a b'].map((host) =>
    both(
      ['--port', '0', '--host', host],
      `\`--host\`: \`${host}\` is not an address of this machine`,
      'Use `127.0.0.1`, or `0.0.0.0` to accept connections from other machines',
    ),
  ),
  both(['--host='], '`--host` is empty', 'Add a value after `--host`'),
  both(['--tunnel='], '`--tunnel` is empty', 'Add a value after `--tunnel`'),
]

const WHAT: readonly RejectedCommandLine[] = [
  ...['', ',', 'pix.received,', 'a, ,b'].map((names) =>
    both(
      [`--events=${names}`],
      `\`--events ${names}\` contains an empty event name`,
      'Write names with commas between them: `--events pix.received,refund.status`',
    ),
  ),
  ...['', 'x', ':', ': a', 'a b: c', 'X-Env=test', 'é: 1', 'a: ☃'].map((header) =>
    both(
      [`--header=${header}`],
      `\`--header\` takes \`name: value\`, not \`${header}\``,
      "Write them with a colon in between: `--header 'X-Env: test'`",
    ),
  ),
  ...['Host', 'content-length', 'Transfer-Encoding'].map((name) =>
    both(
      ['--header', `${name}: 1`],
      `\`--header ${name}\` cannot be set, because it depends on the connection to your server`,
      'Omit it; pixgate sets the host and the length itself',
    ),
  ),
]

const TOGETHER: readonly RejectedCommandLine[] = [
  both(
    ['--for', '1s', '--timeout', '2s'],
    '`--for 1s` and `--timeout 2s` conflict',
    'Use only one of them; they are the same option',
  ),
  both(['--port', '0', '--port', '1'], '`--port` is given twice, as `0` and as `1`', 'Use `--port` only once'),
  both(['--path', '/a', '--path', '/b'], '`--path` is given twice, as `/a` and as `/b`', 'Use `--path` only once'),
  both(['-o', 'csv'], 'CSV output is only available for lists', 'Use `-o json` or `-o text`'),
  both(
    ['4242'],
    'Unexpected argument `4242` for `pixgate webhook listen`',
    'Quote values that contain spaces, or run `pixgate webhook listen --help`',
  ),
  both(['--secret', 'x'], '`pixgate webhook listen` has no option `--secret`', 'Run `pixgate webhook listen --help`'),
  [
    ['-p', 'nobody'],
    [
      'error: There is no profile `nobody`',
      'hint: List all profiles with `pixgate profile list`, or create this one with `pixgate profile add nobody`',
    ],
  ],
  [
    [],
    ['error: `PIXGATE_CLIENT_SECRET` is empty', "hint: Enter the value that the gateway's dashboard shows"],
    { env: { PIXGATE_CLIENT_SECRET: '  ' } },
  ],
]

it('says which numbers it takes', () => expectRejected(['webhook', 'listen'], NUMBERS))

it('says which times it takes', () => expectRejected(['webhook', 'listen'], TIMES))

it('says which addresses it takes', () => expectRejected(['webhook', 'listen'], PLACES))

it('says which events and headers it takes', () => expectRejected(['webhook', 'listen'], WHAT))

it('says what cannot be combined', () => expectRejected(['webhook', 'listen'], TOGETHER))
