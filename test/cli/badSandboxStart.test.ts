import { it } from 'vitest'
import { expectRejected, type RejectedCommandLine } from './rejectedCommandLines.ts'

const START: readonly RejectedCommandLine[] = [
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
    ['--allow-ip', 'nonsense'],
    [
      'error: `--allow-ip`: `nonsense` is not an IP address',
      'hint: Give an address like `203.0.113.5`, or a range like `10.0.0.0/8`',
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
      'error: The command `/` cannot be run: permission denied (EACCES)',
      '  A disk that is mounted with `noexec`, such as that of `TMPDIR`, forbids it, too',
      'hint: Check its name; words after `--` are the command and its arguments',
    ],
  ],

  [
    ['--log', '/nowhere/sandbox.ndjson', '--', 'true'],
    [
      'error: `--log /nowhere/sandbox.ndjson` cannot be written: it does not exist (ENOENT)',
      'hint: Name a file in a folder that exists and that you may write to',
    ],
  ],
]

it('says what an option of the sandbox takes', () => expectRejected(['sandbox', 'start'], START))

it('says what can be run', () => expectRejected(['sandbox', 'exec'], EXEC))
