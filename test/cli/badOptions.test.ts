import { expect, it } from 'vitest'
import { emptyWorld } from '../world.ts'
import { countingGateway, remembered } from './rejectedCommandLines.ts'

/** One of each kind; `test/parsing` has the others, which are judged before anything runs. */
it.each<[words: readonly string[], stderr: string]>([
  [
    ['transfer', '--amout', '10'],
    'error: `pixgate transfer` has no option `--amout`\nhint: Did you mean `--amount`?\n',
  ],
  [['transfre'], 'error: `pixgate` has no command `transfre`\nhint: Did you mean `transfer`?\n'],
  [
    ['refund'],
    'error: `pixgate refund` needs `<original-id>`\nhint: Add it; run `pixgate refund --help` for examples\n  pixgate refund --help\n',
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
    'error: `csh` is not a valid value for `<shell>`\nhint: Use one of: bash, zsh, fish, powershell\n',
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
