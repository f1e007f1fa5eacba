import { it } from 'vitest'
import { expectRefused, type Refusal } from './refusals.ts'

const ARGUMENTS: readonly Refusal[] = [
  [
    ['refund'],
    ['error: `pixgate refund` needs `<original-id>`', 'hint: Add it; run `pixgate refund --help` for examples'],
  ],
  [
    ['refund', 'a', 'b', '--reason', 'r'],
    [
      'error: `pixgate refund` does not know what to do with `b`',
      'hint: Quote a value that has spaces in it; run `pixgate refund --help` for examples',
    ],
  ],
  [
    ['refund', 'a', '--reason', 'ordered', 'twice'],
    [
      'error: `pixgate refund` does not know what to do with `twice`',
      'hint: Quote a value that has spaces in it; run `pixgate refund --help` for examples',
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
      'error: `pixgate qr create` does not know what to do with `extra`',
      'hint: Quote a value that has spaces in it; run `pixgate qr create --help` for examples',
    ],
  ],
  [
    ['transfer', '--amount', 'R$', '10'],
    [
      'error: `pixgate transfer` does not know what to do with `10`',
      'hint: Quote a value that has spaces in it; run `pixgate transfer --help` for examples',
    ],
  ],
  [
    ['transfer', '-5'],
    [
      'error: `pixgate transfer` does not know what to do with `-5`',
      'hint: Quote a value that has spaces in it; run `pixgate transfer --help` for examples',
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
      'error: `pixgate doctor` does not know what to do with `extra`',
      'hint: Quote a value that has spaces in it; run `pixgate doctor --help` for examples',
    ],
  ],
  [
    ['sandbox', 'start', 'extra'],
    [
      'error: `pixgate sandbox start` does not know what to do with `extra`',
      'hint: Quote a value that has spaces in it; run `pixgate sandbox start --help` for examples',
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
      'error: `pixgate sandbox state` does not know what to do with `x`',
      'hint: Quote a value that has spaces in it; run `pixgate sandbox state --help` for examples',
    ],
  ],
]

it('says which argument is missing or too many', () => expectRefused([], ARGUMENTS))
