import { expect, it } from 'vitest'
import { emptyWorld } from '../world.ts'
import { countingGateway, remembered } from './rejectedCommandLines.ts'

/** One of each kind; `test/parsing` has the others, which are judged before anything runs. */
it.each<[words: readonly string[], stderr: string]>([
  [
    ['transfer', '--amout', '10'],
    'error: `pixgate transfer` has no option `--amout`\nhint: Did you mean `--amount`?\n',
  ],
  [
    ['transfer', '--chave', 'a@b.co', '--valor', '10', '--', '--other'],
    'error: The command line has 2 mistakes\n  `pixgate transfer` has no option `--chave`. Did you mean `--key`?\n  `pixgate transfer` has no option `--valor`. Did you mean `--amount`?\nhint: Correct them, or run `pixgate transfer --help`\n  pixgate transfer --help\n',
  ],
  [
    ['transfer', '--key', 'a@b.co', '--amount', 'ten', '--wait=x'],
    'error: The command line has 2 mistakes\n  `--amount`: `ten` is not an amount. Type it like `10.50`, `10,50` or `1.234,56`\n  `--wait`: `x` is not a duration. Write `--wait=10m`, or only `--wait` to wait up to 65m\nhint: Correct them, or run `pixgate transfer --help`\n  pixgate transfer --help\n',
  ],
  [['transfre'], 'error: `pixgate` has no command `transfre`\nhint: Did you mean `transfer`?\n'],
  [
    ['refund'],
    'error: `pixgate refund` needs `<original-id>`\nhint: Add an id or an order number; to find it by a name, an amount or a day, run `pixgate history find maria 22/11`\n  pixgate history find maria 22/11\n',
  ],
  [
    ['transfer', '--key', 'a@b.co', '--amount', 'ten', '--yes'],
    'error: `--amount`: `ten` is not an amount\nhint: Type it like `10.50`, `10,50` or `1.234,56`\n',
  ],
  [
    ['transfer', '--key', 'a@b.co', '--amount', '10', '--amount', '20', '--yes'],
    'error: `--amount` is given twice, as `10` and as `20`\nhint: Use `--amount` only once\n',
  ],
  [
    ['completion', 'csh'],
    'error: `csh` is not a valid value for `<shell>`\nhint: Did you mean `zsh`? Use one of: bash, zsh, fish, powershell\n',
  ],
  [
    ['refund', 'x', '--full', '--amount', '12,50'],
    'error: `--full` and `--amount 12,50` conflict\nhint: Use only one of them\n',
  ],
  [
    ['batch', 'transfer', 'x.csv', '--excel'],
    'error: `--excel` requires `--results`\nhint: Add `--results results.csv`, or omit `--excel`\n',
  ],
])('exits 2, prints nothing on stdout, and sends and records nothing: %j', async (words, stderr) => {
  const gateway = await countingGateway()
  const world = emptyWorld({ PIXGATE_BASE_URL: gateway.url })
  expect(await world.run(words, { cwd: world.home })).toEqual({ exit: 2, stdout: '', stderr })
  expect([gateway.calls, remembered(world)]).toEqual([[], []])
})
