import { it } from 'vitest'
import { expectRejected, type RejectedCommandLine } from './rejectedCommandLines.ts'

const OPTIONS: readonly RejectedCommandLine[] = [
  [
    [],
    [
      'error: `pixgate status` needs `<id>`',
      'hint: Add an id or an order number; to find it by a name, an amount or a day, run `pixgate history find maria 22/11`',
    ],
  ],
  [
    [''],
    [
      'error: The id `` is blank or contains a control character',
      'hint: Copy the `idTransaction` again, as the gateway gave it',
    ],
  ],
  [
    ['a', ''],
    [
      'error: The id `` is blank or contains a control character',
      'hint: Copy the `idTransaction` again, as the gateway gave it',
    ],
  ],
  [
    ['a\u0007'],
    [
      'error: The id `a\\u{7}` is blank or contains a control character',
      'hint: Copy the `idTransaction` again, as the gateway gave it',
    ],
  ],
]

const FILES: readonly RejectedCommandLine[] = [
  [
    ['missing.csv'],
    ['error: The file `missing.csv` does not exist', 'hint: Check the path, or use `-` to read from standard input'],
  ],
  [['.'], ['error: `.` is a folder', 'hint: Use the path of a file']],
  [
    ['-'],
    [
      'error: `--from -` contains no ids',
      'hint: Give one id a line, or a CSV with a header that names `idTransaction`',
    ],
    { stdin: '' },
  ],
  [
    ['-'],
    [
      'error: `--from -` contains no ids',
      'hint: Give one id a line, or a CSV with a header that names `idTransaction`',
    ],
    { stdin: '\n\n' },
  ],
  [
    ['-'],
    [
      'error: `--from -` contains no ids',
      'hint: Give one id a line, or a CSV with a header that names `idTransaction`',
    ],
    { stdin: 'idTransaction,amount\n' },
  ],
  [
    ['-'],
    [
      'error: The header has no column `idTransaction`: its columns are `a`, `b`, `c`',
      "hint: Name the columns `idTransaction`, `amount` and `status`; to compare a bank's file, run `pixgate history check --statement -`",
    ],
    { stdin: 'a,b,c\n1,2,3\n' },
  ],
  [
    ['-'],
    [
      'error: The header has no column `idTransaction`: its columns are `Data`, `Documento`, `Valor`',
      "hint: Name the columns `idTransaction`, `amount` and `status`; to compare a bank's file, run `pixgate history check --statement -`",
    ],
    { stdin: 'Data;Documento;Valor\n21/11/2026;1;10,50\n' },
  ],
  [
    ['-'],
    [
      'error: The header has the column `Amount` more than once',
      'hint: Give each of these columns a unique name, then run the command again',
    ],
    { stdin: 'idTransaction,amount,Amount\na,1,2\n' },
  ],
  [
    ['-'],
    [
      'error: The file has a fault, so no query was sent',
      '  line 2, id: The id has a control character in it',
      'hint: Correct the listed cells, then run the command again',
    ],
    { stdin: 'a\n\u001b[2J\n' },
  ],
  [
    ['-'],
    [
      'error: The file has 3 faults, so no query was sent',
      '  line 3, idTransaction: The id is empty',
      '  line 4, amount: The amount `1.234` is ambiguous: the `.` could separate thousands or decimals. Type `1234` for thousands, or at most two decimals, like `1.23`',
      '  line 5, amount: `x` is not an amount. Type it like `10.50`, `10,50` or `1.234,56`',
      'hint: Correct the listed cells, then run the command again',
    ],
    { stdin: 'idTransaction,amount,status\na,10,PAID\n,12,PAID\nb,1.234,PAID\nc,x,PAID\n' },
  ],
  [
    ['-'],
    [
      'error: The file has a fault, so no query was sent',
      '  line 2, idTransaction: A quote `"` is opened here and never closed. The lines after it were not read',
      'hint: Correct the listed cells, then run the command again',
    ],
    { stdin: 'idTransaction,amount\n"a,10\n' },
  ],
]

it('says what an option or id is', () => expectRejected(['status'], OPTIONS))

it('names line and column of what is wrong in a file', () => expectRejected(['status', '--from'], FILES))
