import { it } from 'vitest'
import { expectRejected, type RejectedCommandLine } from './rejectedCommandLines.ts'

const IDS: readonly RejectedCommandLine[] = [
  [
    ['', '--reason', 'r'],
    ['error: `<original-id>` is empty', 'hint: Replace `<original-id>` with a value'],
  ],
  [
    [' ', '--reason', 'r'],
    ['error: `<original-id>` is empty', 'hint: Replace `<original-id>` with a value'],
  ],
  [
    ['a\nb', '--reason', 'r'],
    [
      'error: `<original-id>` contains a line break or another control character',
      'hint: Type the value on a single line',
    ],
  ],
]

const OPTIONS: readonly RejectedCommandLine[] = [
  [[], ['error: `--reason` is missing', 'hint: Add `--reason "ordered twice"`, or see `--help` for examples']],
  [
    ['--reason', ''],
    ['error: `--reason` is empty', 'hint: Add a value after `--reason`'],
  ],
  [
    ['--reason', '\t'],
    ['error: `--reason` is empty', 'hint: Add a value after `--reason`'],
  ],
  [
    ['--reason', 'a\nb'],
    ['error: `--reason` contains a line break or another control character', 'hint: Type the value on a single line'],
  ],
  [
    ['--reason', 'r', '--amount', '0'],
    ['error: `--amount`: The amount is zero', 'hint: Type at least `0.01`'],
  ],
  [
    ['--reason', 'r', '--amount', 'ten'],
    ['error: `--amount`: `ten` is not an amount', 'hint: Type it like `10.50`, `10,50` or `1.234,56`'],
  ],
  [
    ['--reason', 'r', '--amount', ''],
    ['error: `--amount`: The amount is empty', 'hint: Type it like `10.50`'],
  ],
  [
    ['--reason', 'r', '--amount', '1.234'],
    [
      'error: `--amount`: The amount `1.234` is ambiguous: the `.` could separate thousands or decimals',
      'hint: Type `1234` for thousands, or at most two decimals, like `1.23`',
    ],
  ],
  [
    ['--reason', 'r', '--amount=-5'],
    ['error: `--amount`: The amount `-5` is negative', 'hint: Type it without a sign, like `10.50`'],
  ],
  [
    ['--reason', 'r', '--amount', '5', '--full'],
    ['error: `--full` and `--amount 5` conflict', 'hint: Use only one of them'],
  ],
  [
    ['--reason', 'r', '--id-field', 'id'],
    [
      'error: `id` is not a valid value for `--id-field`',
      'hint: Use one of: originalTransactionId, idTransaction, both',
    ],
  ],
  [
    ['--reason', 'r', '--callback-url', 'x'],
    [
      'error: `x` is not a valid URL for `--callback-url`',
      'hint: Write a complete URL, for example `--callback-url https://shop.example.com/pix`',
    ],
  ],
]

const CONSENT: readonly RejectedCommandLine[] = [
  [
    [],
    [
      'error: This would move money, and there is no terminal to ask on',
      '  Nothing was sent',
      'hint: Add `--yes` if this is what you want, or `--dry-run` to see what would be sent',
    ],
  ],
  [
    ['--no-input'],
    [
      'error: This would move money, and there is no terminal to ask on',
      '  Nothing was sent',
      'hint: Add `--yes` if this is what you want, or `--dry-run` to see what would be sent',
    ],
  ],
  [
    ['--confirm', 'other'],
    [
      'error: `--confirm other` does not match local, which is used here',
      '  Nothing was sent',
      'hint: Use `--confirm local` if you mean local',
    ],
  ],
  [
    ['--yes', '--confirm', 'other'],
    [
      'error: `--confirm other` does not match local, which is used here',
      '  Nothing was sent',
      'hint: Use `--confirm local` if you mean local',
    ],
  ],
]

it('says that an id is needed', () => expectRejected(['refund'], IDS))

it('says what an option takes', () => expectRejected(['refund', '0b935d10-3c90-4af3-8776-dd18622a7941'], OPTIONS))

it('requires an answer in advance if there is no terminal', () =>
  expectRejected(['refund', '0b935d10-3c90-4af3-8776-dd18622a7941', '--reason', 'r', '--skip-query'], CONSENT))
