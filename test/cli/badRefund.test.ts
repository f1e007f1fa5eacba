import { it } from 'vitest'
import { expectRejected, type RejectedCommandLine } from './rejectedCommandLines.ts'

const OPTIONS: readonly RejectedCommandLine[] = [
  [[], ['error: `--reason` is missing', 'hint: Add `--reason "ordered twice"`, or see `--help` for examples']],
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

it('says what an option takes', () => expectRejected(['refund', '0b935d10-3c90-4af3-8776-dd18622a7941'], OPTIONS))

it('requires an answer in advance if there is no terminal', () =>
  expectRejected(['refund', '0b935d10-3c90-4af3-8776-dd18622a7941', '--reason', 'r', '--skip-query'], CONSENT))
