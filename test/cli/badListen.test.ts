import { it } from 'vitest'
import { expectRejected, type RejectedCommandLine } from './rejectedCommandLines.ts'

function both(words: readonly string[], error: string, hint: string): RejectedCommandLine {
  return [words, [`error: ${error}`, `hint: ${hint}`]]
}

const PLACES: readonly RejectedCommandLine[] = [
  ...['192.0.2.1', 'no-such-host.invalid', 'a b'].map((host) =>
    both(
      ['--port', '0', '--host', host],
      `\`--host\`: \`${host}\` is not an address of this machine`,
      'Use `127.0.0.1`, or `0.0.0.0` to accept connections from other machines',
    ),
  ),
]

const TOGETHER: readonly RejectedCommandLine[] = [
  both(['-o', 'csv'], 'CSV output is only available for lists', 'Use `-o json` or `-o text`'),

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

it('says at which addresses it cannot listen', () => expectRejected(['webhook', 'listen'], PLACES))

it('says whose events cannot be verified', () => expectRejected(['webhook', 'listen'], TOGETHER))
