import { expect, it } from 'vitest'
import { RECEIVED } from '../views/sampleEventViews.ts'
import { emptyWorld } from '../world.ts'
import { expectRejected, type RejectedCommandLine } from './rejectedCommandLines.ts'
import { receivedEvent, storeIn } from './storedEvents.ts'

const NOT_FOUND = (id: string): readonly string[] => [
  `error: No event \`${id}\` is recorded on this machine`,
  'hint: Run `pixgate webhook events` to list the numbers and ids of recorded events',
]
const COUNT_HINT = 'hint: Use a whole number from 1 to 1000000000'

const REFUSALS: readonly RejectedCommandLine[] = [
  [['show', '1'], NOT_FOUND('1'), { exit: 3 }],
  [['show', '#1'], NOT_FOUND('#1'), { exit: 3 }],
  [['show', '99999999999999999999999'], NOT_FOUND('99999999999999999999999'), { exit: 3 }],
  [['show', '__proto__', '--raw'], NOT_FOUND('__proto__'), { exit: 3 }],
  [['show', '\u202e'], NOT_FOUND('\\u{202e}'), { exit: 3 }],
  [
    ['show', ' '],
    ['error: `<id>` is empty', 'hint: Replace `<id>` with a value'],
  ],
  [
    ['show', 'a\u0007'],
    ['error: `<id>` contains a line break or another control character', 'hint: Type the value on a single line'],
  ],
  [
    ['show'],
    [
      'error: `pixgate webhook events show` needs `<id>`',
      'hint: Add it; run `pixgate webhook events show --help` for examples',
    ],
  ],
  [
    ['show', '1', '2'],
    [
      'error: Unexpected argument `2` for `pixgate webhook events show`',
      'hint: Quote values that contain spaces, or run `pixgate webhook events show --help`',
    ],
  ],
  [
    ['show', '1', '-o', 'csv'],
    ['error: CSV output is only available for lists', 'hint: Use `-o json` or `-o text`'],
  ],
  [
    ['17'],
    [
      'error: `pixgate webhook events` has no command `17`',
      'hint: See `pixgate webhook events --help` for a list of commands',
    ],
  ],
  [
    ['--last', '0'],
    ['error: `0` is not a valid value for `--last`', COUNT_HINT],
  ],
  [
    ['--last', '1.5'],
    ['error: `1.5` is not a valid value for `--last`', COUNT_HINT],
  ],
  [
    ['list', '--last=-1'],
    ['error: `-1` is not a valid value for `--last`', COUNT_HINT],
  ],
  [
    ['--since', '10'],
    ['error: `--since`: The duration `10` has no unit', 'hint: Type `10s` for seconds'],
  ],
  [
    ['list', '--since', 'yesterday'],
    [
      'error: `--since`: `yesterday` is not a duration',
      'hint: Type a whole number and a unit (ms, s, m, h or d), like `30s`',
    ],
  ],
]

it('says what an event or option is', () => expectRejected(['webhook', 'events'], REFUSALS))

it('writes the bytes of one event only', async () => {
  const world = emptyWorld()
  await storeIn(world, receivedEvent(JSON.stringify(RECEIVED)))
  await storeIn(world, receivedEvent(JSON.stringify(RECEIVED, null, 1)))
  const id = RECEIVED.data.idTransaction
  expect(await world.run(['webhook', 'events', 'show', id, '--raw'])).toEqual({
    exit: 2,
    stdout: '',
    stderr: [
      `error: ${id} names 2 events, and \`--raw\` writes one`,
      '  1: pix.received PAID',
      '  2: pix.received PAID',
      'hint: Name one of them by its number',
      '',
    ].join('\n'),
  })
})
