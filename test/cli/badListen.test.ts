import { it } from 'vitest'
import { expectRefused, type Refusal } from './refusals.ts'

const EXAMPLE = 'https://shop.example.com/pix'

function both(words: readonly string[], error: string, hint: string): Refusal {
  return [words, [`error: ${error}`, `hint: ${hint}`]]
}

const NUMBERS: readonly Refusal[] = [
  ...['x', '', '-1', '65536', '1.5', '0x10', ' 1', '１'].map((port) =>
    both(
      [`--port=${port}`],
      `\`${port}\` is not something that \`--port\` can be`,
      'Write a whole number from 0 to 65535',
    ),
  ),
  ...['x', '', '0', '-1', '1.5', '1000000001', '1e3'].map((count) =>
    both(
      [`--max-events=${count}`],
      `\`${count}\` is not something that \`--max-events\` can be`,
      'Write a whole number from 1 to 1000000000',
    ),
  ),
]

const TIMES: readonly Refusal[] = ['--for', '--timeout'].flatMap((option) => [
  both([`${option}=5`], `\`${option}\`: The duration \`5\` has no unit`, 'Type `5s` if seconds are meant'),
  both(
    [`${option}=`],
    `\`${option}\`: The duration is empty`,
    'Type a whole number and a unit (ms, s, m, h or d), like `30s`',
  ),
  both([`${option}=0s`], `\`${option}\`: The duration is zero`, 'Type a whole number and a unit, like `30s`'),
  both([`${option}=366d`], `\`${option}\`: The duration \`366d\` is too long`, 'Use at most `365d`'),
])

const PLACES: readonly Refusal[] = [
  ...['--forward-to', '--public-url'].flatMap((option) => [
    ...['x', 'ftp://a/', 'http://', 'http://a b'].map((url) =>
      both(
        [option, url],
        `\`${url}\` is not a URL that \`${option}\` can take`,
        `Write the whole address, for example \`${option} ${EXAMPLE}\``,
      ),
    ),
    both([`${option}=`], `\`${option}\` is empty`, `Write the whole address, for example \`${option} ${EXAMPLE}\``),
    both(
      [option, 'ftp://ana:secret@a/'],
      `\`ftp://••••@a/\` is not a URL that \`${option}\` can take`,
      `Write the whole address, for example \`${option} ${EXAMPLE}\``,
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
      `\`--host\`: \`${host}\` is no address of this machine`,
      'Write `127.0.0.1`, or `0.0.0.0` to let other machines in',
    ),
  ),
  both(['--host='], '`--host` is empty', 'Write a value after `--host`'),
  both(['--tunnel='], '`--tunnel` is empty', 'Write a value after `--tunnel`'),
]

const WHAT: readonly Refusal[] = [
  ...['', ',', 'pix.received,', 'a, ,b'].map((names) =>
    both(
      [`--events=${names}`],
      `\`--events ${names}\` names an empty event`,
      'Write names with commas between them: `--events pix.received,refund.status`',
    ),
  ),
  ...['', 'x', ':', ': a', 'a b: c', 'X-Env=test', 'é: 1', 'a: ☃'].map((header) =>
    both(
      [`--header=${header}`],
      `\`--header\` takes a name and a value, not \`${header}\``,
      "Write them with a colon in between: `--header 'X-Env: test'`",
    ),
  ),
  ...['Host', 'content-length', 'Transfer-Encoding'].map((name) =>
    both(
      ['--header', `${name}: 1`],
      `\`--header ${name}\` cannot be set: it belongs to the connection to your server`,
      'Remove it; host and length are those of what is sent',
    ),
  ),
]

const TOGETHER: readonly Refusal[] = [
  both(
    ['--for', '1s', '--timeout', '2s'],
    '`--for 1s` and `--timeout 2s` contradict each other',
    'Give one of them: they are the same option',
  ),
  both(['--port', '0', '--port', '1'], '`--port` is given twice, as `0` and as `1`', 'Give `--port` once'),
  both(['--path', '/a', '--path', '/b'], '`--path` is given twice, as `/a` and as `/b`', 'Give `--path` once'),
  both(['-o', 'csv'], 'This answer is not a list, so there is no CSV of it', 'Use `-o json` or `-o text`'),
  both(
    ['4242'],
    '`pixgate webhook listen` does not know what to do with `4242`',
    'Quote a value that has spaces in it; run `pixgate webhook listen --help` for examples',
  ),
  both(['--secret', 'x'], '`pixgate webhook listen` has no option `--secret`', 'Run `pixgate webhook listen --help`'),
  [
    ['-p', 'nobody'],
    [
      'error: There is no profile `nobody`',
      'hint: Run `pixgate profile list` to list the profiles, or `pixgate profile add nobody` to add this one',
    ],
  ],
  [
    [],
    ['error: `PIXGATE_CLIENT_SECRET` gives no value', "hint: Give the value as the gateway's dashboard shows it"],
    { env: { PIXGATE_CLIENT_SECRET: '  ' } },
  ],
]

it('says which numbers it takes', () => expectRefused(['webhook', 'listen'], NUMBERS))

it('says which times it takes', () => expectRefused(['webhook', 'listen'], TIMES))

it('says which addresses it takes', () => expectRefused(['webhook', 'listen'], PLACES))

it('says which events and headers it takes', () => expectRefused(['webhook', 'listen'], WHAT))

it('says what cannot be combined', () => expectRefused(['webhook', 'listen'], TOGETHER))
