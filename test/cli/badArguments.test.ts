import { it } from 'vitest'
import { expectRejected, type RejectedCommandLine } from './rejectedCommandLines.ts'

const ARGUMENTS: readonly RejectedCommandLine[] = [
  [
    ['refund'],
    ['error: `pixgate refund` needs `<original-id>`', 'hint: Add it; run `pixgate refund --help` for examples'],
  ],
  [
    ['refund', 'a', 'b', '--reason', 'r'],
    [
      'error: Unexpected argument `b` for `pixgate refund`',
      'hint: Quote values that contain spaces, or run `pixgate refund --help`',
    ],
  ],
  [
    ['refund', 'a', '--reason', 'ordered', 'twice'],
    [
      'error: Unexpected argument `twice` for `pixgate refund`',
      'hint: Quote values that contain spaces, or run `pixgate refund --help`',
    ],
  ],
  [
    ['qr', 'draw'],
    ['error: `pixgate qr draw` needs `<code>`', 'hint: Add it; run `pixgate qr draw --help` for examples'],
  ],
  [
    ['qr', 'decode'],
    ['error: `pixgate qr decode` needs `<code>`', 'hint: Add it; run `pixgate qr decode --help` for examples'],
  ],
  [
    ['qr', 'create', 'extra'],
    [
      'error: Unexpected argument `extra` for `pixgate qr create`',
      'hint: Quote values that contain spaces, or run `pixgate qr create --help`',
    ],
  ],
  [
    ['transfer', '--amount', 'R$', '10'],
    [
      'error: Unexpected argument `10` for `pixgate transfer`',
      'hint: Quote values that contain spaces, or run `pixgate transfer --help`',
    ],
  ],
  [
    ['transfer', '-5'],
    [
      'error: Unexpected argument `-5` for `pixgate transfer`',
      'hint: Quote values that contain spaces, or run `pixgate transfer --help`',
    ],
  ],
  [
    ['status'],
    [
      'error: `pixgate status` needs an id',
      'hint: Add the `idTransaction` that the gateway gave, or `--from payments.csv`; run `pixgate status --help` for examples',
    ],
  ],
  [
    ['doctor', 'extra'],
    [
      'error: Unexpected argument `extra` for `pixgate doctor`',
      'hint: Quote values that contain spaces, or run `pixgate doctor --help`',
    ],
  ],
  [
    ['sandbox', 'start', 'extra'],
    [
      'error: Unexpected argument `extra` for `pixgate sandbox start`',
      'hint: Quote values that contain spaces, or run `pixgate sandbox start --help`',
    ],
  ],
  [
    ['sandbox', 'exec'],
    ['error: `pixgate sandbox exec` needs `<command>`', 'hint: Add it; run `pixgate sandbox exec --help` for examples'],
  ],
  [
    ['sandbox', 'pay'],
    ['error: `pixgate sandbox pay` needs `<id>`', 'hint: Add it; run `pixgate sandbox pay --help` for examples'],
  ],
  [
    ['sandbox', 'expire'],
    ['error: `pixgate sandbox expire` needs `<id>`', 'hint: Add it; run `pixgate sandbox expire --help` for examples'],
  ],
  [
    ['sandbox', 'cancel'],
    ['error: `pixgate sandbox cancel` needs `<id>`', 'hint: Add it; run `pixgate sandbox cancel --help` for examples'],
  ],
  [
    ['sandbox', 'chargeback'],
    [
      'error: `pixgate sandbox chargeback` needs `<id>`',
      'hint: Add it; run `pixgate sandbox chargeback --help` for examples',
    ],
  ],
  [
    ['sandbox', 'return'],
    ['error: `pixgate sandbox return` needs `<id>`', 'hint: Add it; run `pixgate sandbox return --help` for examples'],
  ],
  [
    ['sandbox', 'deliver'],
    [
      'error: `pixgate sandbox deliver` needs `<id>`',
      'hint: Add it; run `pixgate sandbox deliver --help` for examples',
    ],
  ],
  [
    ['sandbox', 'fail'],
    ['error: `pixgate sandbox fail` needs `<id>`', 'hint: Add it; run `pixgate sandbox fail --help` for examples'],
  ],
  [
    ['sandbox', 'fault'],
    ['error: `pixgate sandbox fault` needs `<kind>`', 'hint: Add it; run `pixgate sandbox fault --help` for examples'],
  ],
  [
    ['sandbox', 'advance'],
    [
      'error: `pixgate sandbox advance` needs `<duration>`',
      'hint: Add it; run `pixgate sandbox advance --help` for examples',
    ],
  ],
  [
    ['sandbox', 'state', 'x'],
    [
      'error: Unexpected argument `x` for `pixgate sandbox state`',
      'hint: Quote values that contain spaces, or run `pixgate sandbox state --help`',
    ],
  ],
]

it('says which argument is missing or too many', () => expectRejected([], ARGUMENTS))
