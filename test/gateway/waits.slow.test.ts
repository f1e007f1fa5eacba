import { describe, expect, it } from 'vitest'
import { here } from '../inProcess.ts'
import { emptyWorld } from '../world.ts'
import { endingOf, PAYMENT_ID, POSTS } from './commandLines.ts'
import { startFaultGateway } from './faultGateway.ts'
import { answering, held } from './faults.ts'
import { start } from './running.ts'

const PENDING = { status: 'PENDING', amount: 10 }

describe('a wait for the payment of a new code', () => {
  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('that %s ends says that the code was created', async (signal, exit) => {
    const gateway = await startFaultGateway()
    gateway.payment = PENDING
    const world = emptyWorld({ PIXGATE_BASE_URL: gateway.url, PIXGATE_OUTPUT: 'json' })
    for (const isAsking of [false, true]) {
      if (isAsking) gateway.misbehave([held().fault], 'GET')
      const arrivals = gateway.arrivals.length
      const number = `order-${isAsking}`
      const running = start(world, [...POSTS.qr, '--wait', '--interval', '1m', '--request-number', number])
      await gateway.arrived(arrivals + 2)
      running.signal(signal)
      const ran = await running.ended
      const idTransaction = gateway.ledger.at(-1)?.idTransaction
      const ending = endingOf(ran)
      expect(ending).toMatchObject({ exit, code: 'CANCELLED', outcome: 'accepted' })
      expect(ending.message).toContain(
        `the code \`${idTransaction}\` was created with the request number \`${number}\``,
      )
      expect(ending.hint).toContain(`\`pixgate status --wait ${idTransaction}\``)
      expect(JSON.parse(ran.stdout)).toMatchObject({ idTransaction, requestNumber: number })
    }
  })

  it('that fails says that the code was created', async () => {
    const gateway = await startFaultGateway()
    gateway.misbehave([answering({ status: 404, body: '{"error":"TRANSACTION_NOT_FOUND"}' })], 'GET')
    const world = emptyWorld({ PIXGATE_BASE_URL: gateway.url, PIXGATE_OUTPUT: 'json' })
    const ending = endingOf(await here(world)([...POSTS.qr, '--wait']))
    expect(ending).toMatchObject({ exit: 3, code: 'TRANSACTION_NOT_FOUND', outcome: 'accepted' })
    expect(ending.message).toContain('was created with the request number')
  })
})

describe('a wait that asks too often', () => {
  it('ends with the last answer and exit 8, and with a few notes only', async () => {
    const gateway = await startFaultGateway()
    gateway.payment = PENDING
    const world = emptyWorld({ PIXGATE_BASE_URL: gateway.url })
    const words = ['status', PAYMENT_ID, '--wait=4s', '--interval', '1ms']
    const ran = await world.run([...words, '-o', 'csv', '--timeout', '2s'])
    expect(ran).toMatchObject({ exit: 8, stdout: expect.stringContaining('PENDING') })
    expect(ran.stderr.split('\n').length).toBeLessThan(6)
    expect(gateway.arrivals.length).toBe(100)
    const more = await here(world)(['status', PAYMENT_ID, '--wait=1s', '--interval', '1ms', '-o', 'json'])
    expect(more.exit).toBe(7)
  })

  it('ends in time though the gateway has stopped answering', async () => {
    const gateway = await startFaultGateway()
    gateway.payment = PENDING
    const world = emptyWorld({ PIXGATE_BASE_URL: gateway.url })
    const running = start(world, ['status', PAYMENT_ID, '--wait=2s', '--interval', '50ms', '-o', 'json'])
    await gateway.arrived(1)
    gateway.always(held().fault)
    const ran = await running.ended
    expect(ran.exit).toBe(8)
    expect(JSON.parse(ran.stdout)).toMatchObject({ status: 'PENDING' })
  })

  it('reports the same problem only a few times', async () => {
    const gateway = await startFaultGateway()
    gateway.always(answering({ status: 500, body: 'no' }))
    const world = emptyWorld({ PIXGATE_BASE_URL: gateway.url })
    const ran = await here(world)(['status', PAYMENT_ID, '--wait=2s', '--interval', '1ms'])
    expect(ran.exit).toBe(6)
    expect(ran.stderr.split('\n').length).toBeLessThan(6)
    expect(gateway.arrivals.length).toBeLessThan(8)
  })
})
