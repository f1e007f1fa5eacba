import { it } from 'vitest'
import { expectRefused, type Refusal } from './refusals.ts'

const ARGUMENTS: readonly Refusal[] = [
  [
    ['refund'],
    [
      'error: `pixgate refund` needs `<original-id>`',
      'hint: Write `pixgate refund <original-id>`, or see `pixgate refund --help`',
    ],
  ],
  [
    ['refund', 'a', 'b', '--reason', 'r'],
    [
      'error: Unexpected argument `b` for `pixgate refund`',
      'hint: Quote a value that contains spaces, or see `pixgate refund --help`',
    ],
  ],
  [
    ['refund', 'a', '--reason', 'ordered', 'twice'],
    [
      'error: Unexpected argument `twice` for `pixgate refund`',
      'hint: Quote a value that contains spaces, or see `pixgate refund --help`',
    ],
  ],
  [
    ['qr', 'draw'],
    [
      'error: `pixgate qr draw` needs `<code>`',
      'hint: Write `pixgate qr draw <code>`, or see `pixgate qr draw --help`',
    ],
  ],
  [
    ['qr', 'decode'],
    [
      'error: `pixgate qr decode` needs `<code>`',
      'hint: Write `pixgate qr decode <code>`, or see `pixgate qr decode --help`',
    ],
  ],
  [
    ['qr', 'create', 'extra'],
    [
      'error: Unexpected argument `extra` for `pixgate qr create`',
      'hint: Quote a value that contains spaces, or see `pixgate qr create --help`',
    ],
  ],
  [
    ['transfer', '--amount', 'R$', '10'],
    [
      'error: Unexpected argument `10` for `pixgate transfer`',
      'hint: Quote a value that contains spaces, or see `pixgate transfer --help`',
    ],
  ],
  [
    ['transfer', '-5'],
    [
      'error: Unexpected argument `-5` for `pixgate transfer`',
      'hint: Quote a value that contains spaces, or see `pixgate transfer --help`',
    ],
  ],
  [
    ['status'],
    [
      'error: `pixgate status` needs an id',
      'hint: Write `pixgate status <id>` with the `idTransaction` that the gateway gave, or `--from <file>`',
    ],
  ],
  [
    ['doctor', 'extra'],
    [
      'error: Unexpected argument `extra` for `pixgate doctor`',
      'hint: Quote a value that contains spaces, or see `pixgate doctor --help`',
    ],
  ],
  [
    ['sandbox', 'start', 'extra'],
    [
      'error: Unexpected argument `extra` for `pixgate sandbox start`',
      'hint: Quote a value that contains spaces, or see `pixgate sandbox start --help`',
    ],
  ],
  [
    ['sandbox', 'exec'],
    [
      'error: `pixgate sandbox exec` needs `<command>`',
      'hint: Write `pixgate sandbox exec -- <command>`, or see `pixgate sandbox exec --help`',
    ],
  ],
  [
    ['sandbox', 'pay'],
    [
      'error: `pixgate sandbox pay` needs `<id>`',
      'hint: Write `pixgate sandbox pay <id>`, or see `pixgate sandbox pay --help`',
    ],
  ],
  [
    ['sandbox', 'expire'],
    [
      'error: `pixgate sandbox expire` needs `<id>`',
      'hint: Write `pixgate sandbox expire <id>`, or see `pixgate sandbox expire --help`',
    ],
  ],
  [
    ['sandbox', 'cancel'],
    [
      'error: `pixgate sandbox cancel` needs `<id>`',
      'hint: Write `pixgate sandbox cancel <id>`, or see `pixgate sandbox cancel --help`',
    ],
  ],
  [
    ['sandbox', 'chargeback'],
    [
      'error: `pixgate sandbox chargeback` needs `<id>`',
      'hint: Write `pixgate sandbox chargeback <id>`, or see `pixgate sandbox chargeback --help`',
    ],
  ],
  [
    ['sandbox', 'return'],
    [
      'error: `pixgate sandbox return` needs `<id>`',
      'hint: Write `pixgate sandbox return <id>`, or see `pixgate sandbox return --help`',
    ],
  ],
  [
    ['sandbox', 'deliver'],
    [
      'error: `pixgate sandbox deliver` needs `<id>`',
      'hint: Write `pixgate sandbox deliver <id>`, or see `pixgate sandbox deliver --help`',
    ],
  ],
  [
    ['sandbox', 'fail'],
    [
      'error: `pixgate sandbox fail` needs `<id>`',
      'hint: Write `pixgate sandbox fail <id>`, or see `pixgate sandbox fail --help`',
    ],
  ],
  [
    ['sandbox', 'fault'],
    [
      'error: `pixgate sandbox fault` needs `<kind>`',
      'hint: Write `pixgate sandbox fault <kind>`, or see `pixgate sandbox fault --help`',
    ],
  ],
  [
    ['sandbox', 'advance'],
    [
      'error: `pixgate sandbox advance` needs `<duration>`',
      'hint: Write `pixgate sandbox advance <duration>`, or see `pixgate sandbox advance --help`',
    ],
  ],
  [
    ['sandbox', 'state', 'x'],
    [
      'error: Unexpected argument `x` for `pixgate sandbox state`',
      'hint: Quote a value that contains spaces, or see `pixgate sandbox state --help`',
    ],
  ],
]

it('says which argument is missing or too many', () => expectRefused([], ARGUMENTS))
