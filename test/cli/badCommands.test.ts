import { it } from 'vitest'
import { expectRejected, type RejectedCommandLine } from './rejectedCommandLines.ts'

const COMMANDS: readonly RejectedCommandLine[] = [
  [['trasnfer'], ['error: `pixgate` has no command `trasnfer`', 'hint: Did you mean `transfer`?']],
  [['xyz'], ['error: `pixgate` has no command `xyz`', 'hint: See `pixgate --help` for a list of commands']],
  [[''], ['error: `pixgate` has no command ``', 'hint: See `pixgate --help` for a list of commands']],
  [
    ['\u001b[31mx'],
    ['error: `pixgate` has no command `\\u{1b}[31mx`', 'hint: See `pixgate --help` for a list of commands'],
  ],
  [['💸'], ['error: `pixgate` has no command `💸`', 'hint: See `pixgate --help` for a list of commands']],
  [
    ['-y', 'transfr'],
    ['error: `pixgate` has no command `transfr`', 'hint: Did you mean `transfer`?'],
  ],
  [['qr'], ['error: `pixgate qr` requires a subcommand', 'hint: Use one of: create, draw, decode']],
  [
    ['qr', 'crate'],
    ['error: `pixgate qr` has no command `crate`', 'hint: Did you mean `create`?'],
  ],
  [
    ['qr', 'zzzzzz'],
    ['error: `pixgate qr` has no command `zzzzzz`', 'hint: See `pixgate qr --help` for a list of commands'],
  ],
  [
    ['sandbox', 'pya', 'x'],
    ['error: `pixgate sandbox` has no command `pya`', 'hint: Did you mean `pay`?'],
  ],
  [
    ['sandbox', 'zzz'],
    ['error: `pixgate sandbox` has no command `zzz`', 'hint: See `pixgate sandbox --help` for a list of commands'],
  ],
  [
    ['--', 'xyz'],
    ['error: `pixgate` has no command `xyz`', 'hint: See `pixgate --help` for a list of commands'],
  ],
]

it('suggests an existing command', () => expectRejected([], COMMANDS))
