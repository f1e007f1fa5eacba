import { expect, it } from 'vitest'
import { sandboxWorld } from '../world.ts'
import { inThisProcess } from './payments.ts'
import { expectedOf, type RejectedCommandLine, runAll } from './rejectedCommandLines.ts'

/** When a sandbox was begun is in what it says of a transaction that it does not have. */
const BEGUN = /: this sandbox was begun at [\d/]+ [\d:]+ BRT and does not have it/g
const UNKNOWN = '0b935d10-3c90-4af3-8776-dd18622a7941'
const STATE_HINT = 'hint: Check the current state with `pixgate sandbox state`'
const LIST_HINT = 'hint: List all transactions with `pixgate sandbox state`'

it('refuses a control command that makes no sense with exit 1, an unknown id with exit 3, and changes nothing', async () => {
  const world = await sandboxWorld()
  const { json } = inThisProcess(world)
  const create = async () => String((await json(['qr', 'create', '--amount', '10'])).idTransaction)
  const [pending, paid, expired] = [await create(), await create(), await create()]
  await json(['sandbox', 'pay', paid])
  await json(['sandbox', 'expire', expired])
  const before = await json(['sandbox', 'state'])

  const table: readonly RejectedCommandLine[] = [
    [['pay', UNKNOWN], [`error: There is no transaction \`${UNKNOWN}\``, LIST_HINT], { exit: 3 }],
    [['pay', 'not an id'], ['error: There is no transaction `not an id`', LIST_HINT], { exit: 3 }],
    [['return', UNKNOWN], [`error: There is no transaction \`${UNKNOWN}\``, LIST_HINT], { exit: 3 }],
    [['deliver', UNKNOWN], [`error: There is no transaction \`${UNKNOWN}\``, LIST_HINT], { exit: 3 }],
    [['pay', paid], [`error: Payment \`${paid}\` is already paid`, STATE_HINT], { exit: 1 }],
    [
      ['pay', expired],
      [
        `error: Payment \`${expired}\` is EXPIRED: the payer's bank refuses its code unless \`late\` is set`,
        `hint: Pay it all the same with \`pixgate sandbox pay --late ${expired}\``,
      ],
      { exit: 1 },
    ],
    [['expire', paid], [`error: Payment \`${paid}\` is PAID, no longer PENDING`, STATE_HINT], { exit: 1 }],
    [['cancel', expired], [`error: Payment \`${expired}\` is EXPIRED, no longer PENDING`, STATE_HINT], { exit: 1 }],
    [
      ['chargeback', pending],
      [`error: Payment \`${pending}\` is PENDING: only a PAID one can be charged back`, STATE_HINT],
      { exit: 1 },
    ],
    [['return', paid], [`error: \`${paid}\` is a payment, not a transfer`, STATE_HINT], { exit: 1 }],
    [['fail', paid], [`error: \`${paid}\` is a payment, not a transfer`, STATE_HINT], { exit: 1 }],
    [['deliver', pending], [`error: Transaction \`${pending}\` has had no event yet`, STATE_HINT], { exit: 1 }],
  ]
  const ran = JSON.parse(JSON.stringify(await runAll(world, ['sandbox'], table)).replace(BEGUN, ''))
  expect(ran).toEqual(expectedOf(['sandbox'], table))

  const after = await json(['sandbox', 'state'])
  expect({ ...after, now: null, deliveries: null }).toEqual({ ...before, now: null, deliveries: null })
})

it('gives the same as an error object', async () => {
  const world = await sandboxWorld()
  const { exit, stdout, stderr } = await world.run(['sandbox', 'pay', UNKNOWN, '-o', 'json'])
  expect(stderr).toMatch(BEGUN)
  expect({ exit, stdout, error: JSON.parse(stderr.replace(BEGUN, '')) }).toEqual({
    exit: 3,
    stdout: '',
    error: {
      error: {
        code: 'TRANSACTION_NOT_FOUND',
        message: `There is no transaction \`${UNKNOWN}\``,
        details: '',
        hint: 'List all transactions with `pixgate sandbox state`',
        httpStatus: 404,
        outcome: 'refused',
        exitCode: 3,
      },
    },
  })
})
