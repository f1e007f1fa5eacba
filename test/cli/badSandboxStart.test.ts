import { it } from 'vitest'
import { expectRefused, type Refusal } from './refusals.ts'

const START: readonly Refusal[] = [
  [
    ['--port', 'abc'],
    ['error: `abc` is not something that `--port` can be', 'hint: Write a whole number from 0 to 65535'],
  ],
  [
    ['--port', '65536'],
    ['error: `65536` is not something that `--port` can be', 'hint: Write a whole number from 0 to 65535'],
  ],
  [
    ['--port', ''],
    ['error: `` is not something that `--port` can be', 'hint: Write a whole number from 0 to 65535'],
  ],
  [
    ['--host', ''],
    ['error: `--host` is empty', 'hint: Write a value after `--host`'],
  ],
  [
    ['--host', 'nohost.invalid'],
    [
      'error: `--host`: `nohost.invalid` is no address of this machine',
      'hint: Write `127.0.0.1`, or `0.0.0.0` to let other machines in',
    ],
  ],
  [
    ['--host', '203.0.113.5'],
    [
      'error: `--host`: `203.0.113.5` is no address of this machine',
      'hint: Write `127.0.0.1`, or `0.0.0.0` to let other machines in',
    ],
  ],
  [
    ['--client-id', ''],
    ['error: `--client-id` is empty', 'hint: Write a value after `--client-id`'],
  ],
  [
    ['--client-secret', ' '],
    ['error: `--client-secret` is empty', 'hint: Write a value after `--client-secret`'],
  ],
  [
    ['--client-secret', 'a\nb'],
    [
      'error: `--client-secret` has a line break or another control character in it',
      'hint: Type the value again on one line',
    ],
  ],
  [
    ['--signature', 'rsa'],
    ['error: `rsa` is not something that `--signature` can be', 'hint: Choose one of: hex, base64'],
  ],
  [
    ['--webhook-style', 'cobol'],
    [
      'error: `cobol` is not something that `--webhook-style` can be',
      'hint: Choose one of: java, php, python, javascript',
    ],
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
    ['error: `--control-token` is empty', 'hint: Write a value after `--control-token`'],
  ],
  [
    ['--status-key', 'state'],
    ['error: `state` is not something that `--status-key` can be', 'hint: Choose one of: status, statusTransaction'],
  ],
  [
    ['--refund-event', 'both'],
    [
      'error: `both` is not something that `--refund-event` can be',
      'hint: Choose one of: originalTransactionId, repeated-key',
    ],
  ],
  [
    ['--deliver-attempts', '0'],
    ['error: `0` is not something that `--deliver-attempts` can be', 'hint: Write a whole number from 1 to 100'],
  ],
  [
    ['--auto-pay', '3'],
    ['error: `--auto-pay`: The duration `3` has no unit', 'hint: Type `3s` if seconds are meant'],
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
    ['error: `--partner` is empty', 'hint: Write a value after `--partner`'],
  ],
  [
    ['--dashboard-webhook', 'x'],
    [
      'error: `x` is not a URL that `--dashboard-webhook` can take',
      'hint: Write the whole address, for example `--dashboard-webhook https://shop.example.com/pix`',
    ],
  ],
  [
    ['--dashboard-webhook', ''],
    [
      'error: `--dashboard-webhook` is empty',
      'hint: Write the whole address, for example `--dashboard-webhook https://shop.example.com/pix`',
    ],
  ],
]

const EXEC: readonly Refusal[] = [
  [
    ['--', ''],
    ['error: `<command>` is empty', 'hint: Write a value in place of `<command>`'],
  ],
  [
    ['--', 'no-such-command-anywhere'],
    [
      'error: There is no command `no-such-command-anywhere`',
      'hint: Check its name; words after `--` are the command and its arguments',
    ],
  ],
  [
    ['--', 'no such command'],
    [
      'error: There is no command `no such command`',
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
    ['error: `x` is not something that `--port` can be', 'hint: Write a whole number from 0 to 65535'],
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
      'error: Cannot write the log to `/nowhere/sandbox.ndjson` (ENOENT)',
      'hint: Name a file in a folder that exists: `--log sandbox.ndjson`',
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

it('says what an option of the sandbox takes', () => expectRefused(['sandbox', 'start'], START))

it('says what can be run', () => expectRefused(['sandbox', 'exec'], EXEC))
