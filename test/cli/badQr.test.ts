import { join } from 'node:path'
import { expect, it } from 'vitest'
import { here } from '../inProcess.ts'
import { emptyWorld } from '../world.ts'
import { expectRejected, type RejectedCommandLine } from './rejectedCommandLines.ts'

const AMOUNTS: readonly RejectedCommandLine[] = [
  [[], ['error: `--amount` is missing', 'hint: Add `--amount 10,50`, or see `--help` for examples']],
]

const TEXTS: readonly RejectedCommandLine[] = [
  [
    ['--split-username', 'partner'],
    [
      'error: `--split-username` and `--split-percentage` must be used together',
      'hint: Add both, for example `--split-username partner --split-percentage 10`',
    ],
  ],
  [
    ['--split-percentage', '10'],
    [
      'error: `--split-username` and `--split-percentage` must be used together',
      'hint: Add both, for example `--split-username partner --split-percentage 10`',
    ],
  ],
]

const FILES: readonly RejectedCommandLine[] = [
  [
    ['--from', 'missing.json'],
    ['error: The file `missing.json` does not exist', 'hint: Check the path, or use `-` to read from standard input'],
  ],
  [
    ['--from', '.'],
    ['error: `.` is a folder', 'hint: Use the path of a file'],
  ],

  [
    ['--png', 'missing/code.png'],
    [
      'error: `--png missing/code.png` cannot be written: it does not exist (ENOENT)',
      'hint: Name a file in a folder that exists and that you may write to',
    ],
  ],
  [
    ['--png', '.'],
    [
      'error: `--png .` cannot be written: it is a folder (EISDIR)',
      'hint: Name a file in a folder that exists and that you may write to',
    ],
  ],
]

const CODES: readonly RejectedCommandLine[] = [
  [
    ['draw', ''],
    [
      'error: The code is empty',
      'hint: Enter the whole copy-and-paste code, which begins with `000201`, or `-` to read it from standard input',
    ],
  ],
  [
    ['draw', 'hello'],
    [
      'error: The text is not a BR Code, which begins with `000201`',
      'hint: Enter the whole copy-and-paste code, which begins with `000201`, or `-` to read it from standard input',
    ],
  ],
  [
    ['draw', '-'],
    [
      'error: The code is empty',
      'hint: Enter the whole copy-and-paste code, which begins with `000201`, or `-` to read it from standard input',
    ],
    { stdin: '' },
  ],
  [
    ['decode', ''],
    [
      'error: The code is empty',
      'hint: Enter the whole copy-and-paste code, which begins with `000201`, an image of it, or `-` for standard input',
    ],
  ],
  [
    ['decode', 'hello'],
    [
      'error: `hello` is neither a BR Code nor a readable file',
      'hint: Enter the whole copy-and-paste code, which begins with `000201`, an image of it, or `-` for standard input',
    ],
  ],
  [
    ['decode', '\u001b[2J'],
    [
      'error: `\\u{1b}[2J` is neither a BR Code nor a readable file',
      'hint: Enter the whole copy-and-paste code, which begins with `000201`, an image of it, or `-` for standard input',
    ],
  ],
  [
    ['decode', '-'],
    [
      'error: The code is empty',
      'hint: Enter the whole copy-and-paste code, which begins with `000201`, an image of it, or `-` for standard input',
    ],
    { stdin: '' },
  ],
  [
    ['decode', '-'],
    [
      'error: The text is not a BR Code, which begins with `000201`',
      'hint: Enter the whole copy-and-paste code, which begins with `000201`, an image of it, or `-` for standard input',
    ],
    { stdin: 'hello' },
  ],
  [
    ['decode', 'missing.png'],
    ['error: The file `missing.png` does not exist', 'hint: Check the path, or use `-` to read from standard input'],
  ],
  [
    ['decode', '.'],
    ['error: `.` is a folder', 'hint: Use the path of a file'],
  ],
]

it('says which amount is missing or malformed', () => expectRejected(['qr', 'create'], AMOUNTS))

it('says what the other options take', () => expectRejected(['qr', 'create', '--amount', '10'], TEXTS))

it('says which file cannot be used', () => expectRejected(['qr', 'create', '--amount', '10'], FILES))

it('says what a code is', () => expectRejected(['qr'], CODES))

it('refuses a picture with two codes that can be paid, and takes one beside a link', async () => {
  const run = here(emptyWorld())
  const picture = (name: string) => join(import.meta.dirname, '../fixtures', name)
  const two = await run(['qr', 'decode', picture('twoPayable.png')])
  expect([two.exit, two.stdout]).toEqual([2, ''])
  expect(two.stderr).toContain('has 2 codes that can be paid')
  expect(two.stderr).toContain('123e4567-e12b-12d1-a456-426655440000')
  expect(two.stderr).toContain('pix.example.com/8b3da2')
  const one = await run(['qr', 'decode', picture('twoCodes.jpg'), '-o', 'json'])
  expect(one.exit).toBe(0)
  expect(JSON.parse(one.stdout)).toMatchObject({ valid: true, kind: 'dynamic' })
})
