import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { errorAnswer, startFaultGateway } from '../gateway/faultGateway.ts'
import { answering, resetAfterActing } from '../gateway/faults.ts'
import { emptyWorld } from '../world.ts'
import { failureOf, inProduction, inThisProcess } from './payments.ts'

const CONFIRM = ['--confirm', 'prod', '-o', 'json']
const HELD = answering(errorAnswer(400, 'DUPLICATE_EXTERNAL_ID'))

/** A production machine that may send R$ 100,00 a day. */
async function stage() {
  const gateway = await startFaultGateway()
  const world = inThisProcess(await inProduction(emptyWorld(), gateway.url, { maxDayCents: 10_000 }))
  const pay = (name: string, amount: string) =>
    world.run(['transfer', '--key', `${name}@example.com`, '--amount', amount, '--external-id', name, ...CONFIRM])
  /** What was sent today, as the refusal of too much says. */
  const sentToday = async () => {
    const { message } = failureOf(await pay('too-much', '100,01'))
    return /^(R\$ [\d.,]+) was sent today/.exec(String(message))?.[1]
  }
  return { gateway, world, pay, sentToday }
}

it('counts no refusal in the sum of the day', async () => {
  const { gateway, pay, sentToday } = await stage()
  gateway.misbehave(
    [answering(errorAnswer(400, 'NO_FUNDS')), HELD, answering(errorAnswer(404, 'PIX_KEY_NOT_FOUND'))],
    'POST',
  )
  for (const name of ['a', 'b', 'c']) expect((await pay(name, '90')).exit).toBe(1)
  expect(await sentToday()).toBe('R$ 0,00')
})

it('counts what the gateway had before only if it was first sent from here', async () => {
  const { gateway, world, pay, sentToday } = await stage()
  const file = join(world.home, 'rows.csv')
  writeFileSync(file, 'key,value\nelsewhere@example.com,95\n')
  gateway.misbehave([HELD], 'POST')
  const { stdout } = await world.run(['batch', 'transfer', file, ...CONFIRM])
  expect(JSON.parse(stdout.split('\n')[0] ?? '')).toMatchObject({ outcome: 'accepted-before' })
  expect(await sentToday()).toBe('R$ 0,00')

  gateway.misbehave([resetAfterActing], 'POST')
  expect((await pay('here', '40')).exit).toBe(5)
  expect(await sentToday()).toBe('R$ 40,00')
  expect(await world.json(['resume', 'here', '--confirm', 'prod'])).toMatchObject({
    pixgate: { outcome: 'accepted-before' },
  })
  expect(await sentToday()).toBe('R$ 40,00')
})

it('asks for the amount of a whole refund that it cannot judge', async () => {
  const { gateway, world } = await stage()
  const { amount, ...withoutAmount } = gateway.payment
  gateway.payment = withoutAmount
  expect(amount).toBe(10.5)
  const id = '0b935d10-3c90-4af3-8776-dd18622a7941'
  for (const more of [['--full'], ['--full', '--dry-run'], ['--full', '--skip-query']]) {
    const failure = failureOf(await world.run(['refund', id, '--reason', 'x', ...more, ...CONFIRM]))
    expect(failure).toMatchObject({ exit: 2, outcome: 'not-sent', hint: expect.stringContaining('--amount') })
  }
  expect(gateway.ledger).toEqual([])
})
