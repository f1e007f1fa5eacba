import { it } from 'vitest'
import { expectRefused, type Refusal } from './refusals.ts'

const COMMANDS: readonly Refusal[] = [
  [['trasnfer'], ['error: `pixgate` has no command `trasnfer`', 'hint: Did you mean `transfer`?']],
  [['xyz'], ['error: `pixgate` has no command `xyz`', 'hint: Run `pixgate --help` to list its commands']],
  [[''], ['error: `pixgate` has no command ``', 'hint: Run `pixgate --help` to list its commands']],
  [
    ['\u001b[31mx'],
    ['error: `pixgate` has no command `\\u{1b}[31mx`', 'hint: Run `pixgate --help` to list its commands'],
  ],
  [['💸'], ['error: `pixgate` has no command `💸`', 'hint: Run `pixgate --help` to list its commands']],
  [
    ['-y', 'transfr'],
    ['error: `pixgate` has no command `transfr`', 'hint: Did you mean `transfer`?'],
  ],
  [['qr'], ['error: `pixgate qr` needs one of its commands', 'hint: Choose one of create, draw, decode']],
  [
    ['qr', 'crate'],
    ['error: `pixgate qr` has no command `crate`', 'hint: Did you mean `create`?'],
  ],
  [
    ['qr', 'zzzzzz'],
    ['error: `pixgate qr` has no command `zzzzzz`', 'hint: Run `pixgate qr --help` to list its commands'],
  ],
  [
    ['sandbox', 'pya', 'x'],
    ['error: `pixgate sandbox` has no command `pya`', 'hint: Did you mean `pay`?'],
  ],
  [
    ['sandbox', 'zzz'],
    ['error: `pixgate sandbox` has no command `zzz`', 'hint: Run `pixgate sandbox --help` to list its commands'],
  ],
  [
    ['--', 'xyz'],
    ['error: `pixgate` has no command `xyz`', 'hint: Run `pixgate --help` to list its commands'],
  ],
]

it('names a command that there is', () => expectRefused([], COMMANDS))
