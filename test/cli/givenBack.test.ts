import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { sandboxWorld, type World } from '../world.ts'
import { inThisProcess } from './payments.ts'
import { receivedEvent, storeIn } from './storedEvents.ts'

const DAY_MS = 24 * 60 * 60 * 1000
const CPF = '52998224725'
const TO_PAYER = ['--key', CPF, '--key-type', 'document']

/** Records that somebody paid. */
async function received(world: World & { url: string }, payerTaxId: string, more: { amount?: number; days?: number }) {
  const { amount = 10, days = 1 } = more
  const idTransaction = randomUUID()
  const data = { idTransaction, status: 'PAID', amount, payerName: 'Maria', payerTaxId }
  await storeIn(
    world,
    receivedEvent(JSON.stringify({ event: 'pix.received', data }), {
      owner: { profile: 'local', environment: 'sandbox', baseUrl: world.url, clientId: 'local' },
      receivedAtMs: Date.now() - days * DAY_MS,
    }),
  )
  return idTransaction
}

/** The id that the question of a transfer of R$ 10,00 proposes to refund. */
async function proposed(world: World, words: readonly string[]): Promise<string | undefined> {
  const { stderr } = await inThisProcess(world).run(['transfer', ...words, '--amount', '10', '--again', '--yes'])
  return /to give money back use `pixgate refund (\S+)`/.exec(stderr.replaceAll(/\s+/g, ' '))?.[1]
}

it('proposes a refund in place of a transfer to somebody who paid the same amount', async () => {
  const world = await sandboxWorld()
  expect(await proposed(world, TO_PAYER)).toBeUndefined()
  const first = await received(world, '529.982.247-25', { days: 89 })
  expect(await proposed(world, TO_PAYER)).toBe(first)
  const second = await received(world, '***.982.247-**', {})
  expect(await proposed(world, ['--key', 'maria@example.com', '--owner', CPF])).toBe(second)
  expect(await proposed(world, ['--key', 'maria@example.com'])).toBeUndefined()
})

it('proposes nothing for other amounts, other people and older payments', async () => {
  const world = await sandboxWorld()
  await received(world, CPF, { amount: 10.01 })
  await received(world, '***.456.789-**', {})
  await received(world, CPF, { days: 91 })
  await received(world, '***.***.***-**', {})
  expect(await proposed(world, TO_PAYER)).toBeUndefined()
})

it('knows charges that were created here, and forgets them when they are refunded', async () => {
  const world = await sandboxWorld()
  const charge = JSON.parse(await world.prepare(['qr', 'create', '--amount', '10', '-o', 'json']))
  const { idTransaction } = charge
  const data = { idTransaction, status: 'PAID', amount: 10, payerTaxId: CPF }
  await storeIn(
    world,
    receivedEvent(JSON.stringify({ event: 'pix.received', data }), {
      owner: { profile: 'local', environment: 'sandbox', baseUrl: world.url, clientId: 'local' },
      receivedAtMs: Date.now(),
    }),
  )
  expect(await proposed(world, TO_PAYER)).toBe(idTransaction)
  await world.prepare(['sandbox', 'pay', idTransaction])
  await world.prepare(['refund', idTransaction, '--reason', 'returned', '--yes'])
  expect(await proposed(world, TO_PAYER)).toBeUndefined()
})
