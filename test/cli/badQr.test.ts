import { it } from 'vitest'
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
      'error: `--png missing/code.png` cannot be written: ENOENT',
      'hint: Name a file in a folder that exists and that you may write to',
    ],
  ],
  [
    ['--png', '.'],
    [
      'error: `--png .` cannot be written: EISDIR',
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
      'hint: Enter the whole copy-and-paste code, which begins with `000201`, a PNG image of it, or `-` for standard input',
    ],
  ],
  [
    ['decode', 'hello'],
    [
      'error: `hello` is neither a BR Code nor a readable file',
      'hint: Enter the whole copy-and-paste code, which begins with `000201`, a PNG image of it, or `-` for standard input',
    ],
  ],
  [
    ['decode', '\u001b[2J'],
    [
      'error: `\\u{1b}[2J` is neither a BR Code nor a readable file',
      'hint: Enter the whole copy-and-paste code, which begins with `000201`, a PNG image of it, or `-` for standard input',
    ],
  ],
  [
    ['decode', '-'],
    [
      'error: The code is empty',
      'hint: Enter the whole copy-and-paste code, which begins with `000201`, a PNG image of it, or `-` for standard input',
    ],
    { stdin: '' },
  ],
  [
    ['decode', '-'],
    [
      'error: The text is not a BR Code, which begins with `000201`',
      'hint: Enter the whole copy-and-paste code, which begins with `000201`, a PNG image of it, or `-` for standard input',
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
