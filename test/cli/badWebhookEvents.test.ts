import { expect, it } from 'vitest'
import { RECEIVED } from '../views/events/sampleEventViews.ts'
import { emptyWorld } from '../world.ts'
import { expectRejected, type RejectedCommandLine } from './rejectedCommandLines.ts'
import { receivedEvent, storeIn } from './storedEvents.ts'

const NOT_FOUND = (id: string): readonly string[] => [
  `error: No event \`${id}\` is recorded`,
  'hint: Run `pixgate webhook events` to list the numbers and ids of recorded events',
]
const _COUNT_HINT = 'hint: Use a whole number from 1 to 1000000000'

const REFUSALS: readonly RejectedCommandLine[] = [
  [['show', '1'], NOT_FOUND('1'), { exit: 3 }],
  [['show', '#1'], NOT_FOUND('#1'), { exit: 3 }],
  [['show', '99999999999999999999999'], NOT_FOUND('99999999999999999999999'), { exit: 3 }],
  [['show', '__proto__', '--raw'], NOT_FOUND('__proto__'), { exit: 3 }],
  [['show', '\u202e'], NOT_FOUND('\\u{202e}'), { exit: 3 }],

  [
    ['show', '1', '-o', 'csv'],
    ['error: CSV output is only available for lists', 'hint: Use `-o json` or `-o text`'],
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
