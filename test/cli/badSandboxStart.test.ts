import { it } from 'vitest'
import { expectRejected, type RejectedCommandLine } from './rejectedCommandLines.ts'

const START: readonly RejectedCommandLine[] = [
  [
    ['--port', 'abc'],
    ['error: `abc` is not a valid value for `--port`', 'hint: Use a whole number from 0 to 65535'],
  ],
  [
    ['--port', '65536'],
    ['error: `65536` is not a valid value for `--port`', 'hint: Use a whole number from 0 to 65535'],
  ],
  [
    ['--port', ''],
    ['error: `` is not a valid value for `--port`', 'hint: Use a whole number from 0 to 65535'],
  ],
  [
    ['--host', ''],
    ['error: `--host` is empty', 'hint: Add a value after `--host`'],
  ],
  [
    ['--host', 'nohost.invalid'],
    [
      'error: `--host`: `nohost.invalid` is not an address of this machine',
      'hint: Use `127.0.0.1`, or `0.0.0.0` to accept connections from other machines',
    ],
  ],
  [
    ['--host', '203.0.113.5'],
    [
      'error: `--host`: `203.0.113.5` is not an address of this machine',
      'hint: Use `127.0.0.1`, or `0.0.0.0` to accept connections from other machines',
    ],
  ],
  [
    ['--client-id', ''],
    ['error: `--client-id` is empty', 'hint: Add a value after `--client-id`'],
  ],
  [
    ['--client-secret', ' '],
    ['error: `--client-secret` is empty', 'hint: Add a value after `--client-secret`'],
  ],
  [
    ['--client-secret', 'a\nb'],
    [
      'error: `--client-secret` contains a line break or another control character',
      'hint: Type the value on a single line',
    ],
  ],
  [
    ['--signature', 'rsa'],
    ['error: `rsa` is not a valid value for `--signature`', 'hint: Use one of: hex, base64'],
  ],
  [
    ['--webhook-style', 'cobol'],
    ['error: `cobol` is not a valid value for `--webhook-style`', 'hint: Use one of: java, php, python, javascript'],
  ],
  [
    ['--base-url-name', 'http://gateway'],
    [
      'error: `--base-url-name`: `http://gateway` is not a host name',
      'hint: Give the name alone, without `http://` and port: `--base-url-name gateway`',
    ],
  ],
  [
    ['--control-token', ''],
    ['error: `--control-token` is empty', 'hint: Add a value after `--control-token`'],
  ],
  [
    ['--status-key', 'state'],
    ['error: `state` is not a valid value for `--status-key`', 'hint: Use one of: status, statusTransaction'],
  ],
  [
    ['--refund-event', 'both'],
    [
      'error: `both` is not a valid value for `--refund-event`',
      'hint: Use one of: originalTransactionId, repeated-key',
    ],
  ],
  [
    ['--deliver-attempts', '0'],
    ['error: `0` is not a valid value for `--deliver-attempts`', 'hint: Use a whole number from 1 to 100'],
  ],
  [
    ['--auto-pay', '3'],
    ['error: `--auto-pay`: The duration `3` has no unit', 'hint: Type `3s` for seconds'],
  ],
  [
    ['--latency', ''],
    [
      'error: `--latency`: The duration is empty',
      'hint: Type a whole number and a unit (ms, s, m, h or d), like `30s`',
    ],
  ],
  [
    ['--allow-ip', 'nonsense'],
    [
      'error: `--allow-ip`: `nonsense` is not an IP address',
      'hint: Give an address like `203.0.113.5`, or a range like `10.0.0.0/8`',
    ],
  ],
  [
    ['--balance', 'ten'],
    ['error: `--balance`: `ten` is not an amount', 'hint: Type it like `10.50`, `10,50` or `1.234,56`'],
  ],
  [['--balance=-1'], ['error: `--balance`: The amount `-1` is negative', 'hint: Type it without a sign, like `10.50`']],
  [
    ['--partner', ''],
    ['error: `--partner` is empty', 'hint: Add a value after `--partner`'],
  ],
  [
    ['--dashboard-webhook', 'x'],
    [
      'error: `x` is not a valid URL for `--dashboard-webhook`',
      'hint: Write a complete URL, for example `--dashboard-webhook https://shop.example.com/pix`',
    ],
  ],
  [
    ['--dashboard-webhook', ''],
    [
      'error: `--dashboard-webhook` is empty',
      'hint: Write a complete URL, for example `--dashboard-webhook https://shop.example.com/pix`',
    ],
  ],
]

const EXEC: readonly RejectedCommandLine[] = [
  [
    ['--', ''],
    ['error: `<command>` is empty', 'hint: Replace `<command>` with a value'],
  ],
  [
    ['--', 'no-such-command-anywhere'],
    [
      'error: The command `no-such-command-anywhere` was not found',
      'hint: Check its name; words after `--` are the command and its arguments',
    ],
  ],
  [
    ['--', 'no such command'],
    [
      'error: The command `no such command` was not found',
      'hint: Check its name; words after `--` are the command and its arguments',
    ],
  ],
  [
    ['--', '/'],
    [
      'error: The command `/` cannot be run: EACCES',
      'hint: Check its name; words after `--` are the command and its arguments',
    ],
  ],
  [
    ['--port', 'x', '--', 'true'],
    ['error: `x` is not a valid value for `--port`', 'hint: Use a whole number from 0 to 65535'],
  ],
  [
    ['--env', 'A=B', '--', 'true'],
    [
      'error: `--env`: `A=B` is not the name of an environment variable',
      'hint: Write the name alone, like `--env GATEWAY_URL`',
    ],
  ],
  [
    ['--log', '/nowhere/sandbox.ndjson', '--', 'true'],
    [
      'error: `--log /nowhere/sandbox.ndjson` cannot be written: ENOENT',
      'hint: Name a file in a folder that exists and that you may write to',
    ],
  ],
  [
    ['--auto-pay', 'x', '--', 'true'],
    [
      'error: `--auto-pay`: `x` is not a duration',
      'hint: Type a whole number and a unit (ms, s, m, h or d), like `30s`',
    ],
  ],
]

it('says what an option of the sandbox takes', () => expectRejected(['sandbox', 'start'], START))

it('says what can be run', () => expectRejected(['sandbox', 'exec'], EXEC))
