import { describe, expect, it } from 'vitest'
import { openQueryQuota } from '../../src/gateway/queryQuota.ts'
import { emptyWorld } from '../world.ts'
import { GATEWAY_HOST } from './certificates.ts'
import { endingOf, PAYMENT_ID, POSTS, STATUS } from './commandLines.ts'
import { startFaultGateway } from './faultGateway.ts'
import { startFaultProxy } from './faultProxy.ts'
import { answering, held } from './faults.ts'
import { start } from './running.ts'

const CTRL_C = 'SIGINT'
const TERMINATE = 'SIGTERM'
const HELD_NOTE = 'The request was already sent; waiting for the answer'
const CANCELLED = { code: 'CANCELLED', outcome: 'not-sent' }

describe('before the first byte of a payment', () => {
  it.each([
    [CTRL_C, 130],
    [TERMINATE, 143],
  ] as const)('%s ends it with exit %d and nothing sent', async (signal, exit) => {
    const mute = await startFaultGateway({ tls: {}, isMute: true })
    const world = emptyWorld({ PIXGATE_BASE_URL: mute.url, PIXGATE_OUTPUT: 'json' })
    for (const args of signal === CTRL_C ? Object.values(POSTS) : [POSTS.transfer]) {
      const running = start(world, [...args, '--no-input'])
      await mute.connected(mute.connections + 1)
      running.signal(signal)
      expect(endingOf(await running.ended)).toMatchObject({ exit, ...CANCELLED })
    }
  })

  it('Ctrl-C ends it while the proxy is silent', async () => {
    const proxy = await startFaultProxy(0, 'swallow')
    const world = emptyWorld({
      PIXGATE_BASE_URL: `https://${GATEWAY_HOST}`,
      PIXGATE_CLIENT_ID: 'shop',
      PIXGATE_CLIENT_SECRET: 'shop-secret',
      PIXGATE_CALLBACK_URL: 'https://shop.test/pix',
      PIXGATE_OUTPUT: 'json',
      HTTPS_PROXY: proxy.url,
    })
    const running = start(world, POSTS.qr)
    await proxy.arrived(1)
    running.signal(CTRL_C)
    expect(endingOf(await running.ended)).toMatchObject({ exit: 130, ...CANCELLED })
  })

  it('Ctrl-C ends a refund while its payment is looked up', async () => {
    const gateway = await startFaultGateway()
    gateway.misbehave([held().fault], 'GET')
    const world = emptyWorld({ PIXGATE_BASE_URL: gateway.url, PIXGATE_OUTPUT: 'json' })
    const running = start(world, ['refund', PAYMENT_ID, '--reason', 'ordered twice', '--yes'])
    await gateway.arrived(1)
    running.signal(CTRL_C)
    expect(endingOf(await running.ended)).toMatchObject({ exit: 130, ...CANCELLED })
    expect(gateway.ledger).toEqual([])
  })
})

describe('after the first byte of a payment', () => {
  it.each(Object.entries(POSTS))('Ctrl-C waits for the answer and says so (%s)', async (_, args) => {
    const gateway = await startFaultGateway()
    const answer = held()
    gateway.always(answer.fault)
    const running = start(emptyWorld({ PIXGATE_BASE_URL: gateway.url }), args)
    await gateway.arrived(1)
    running.signal(CTRL_C)
    await running.said(HELD_NOTE)
    answer.release()
    const ran = await running.ended
    expect(ran.exit).toBe(0)
    expect(ran.stdout).toContain(gateway.ledger[0]?.idTransaction)
    expect(gateway.arrivals.length).toBe(1)
  })

  it('a second Ctrl-C stops it, and the outcome is unknown', async () => {
    const gateway = await startFaultGateway()
    gateway.always(held().fault)
    const running = start(emptyWorld({ PIXGATE_BASE_URL: gateway.url }), POSTS.transfer)
    await gateway.arrived(1)
    running.signal(CTRL_C)
    await running.said(HELD_NOTE)
    running.signal(CTRL_C)
    const ran = await running.ended
    expect(ran).toMatchObject({ exit: 5, stdout: '' })
    expect(ran.stderr).toContain('order-1')
    expect(ran.stderr).toContain('unknown')
  })

  it.each(Object.entries(POSTS))('SIGTERM stops it at once, and the outcome is unknown (%s)', async (name, args) => {
    const gateway = await startFaultGateway()
    gateway.always(held().fault)
    const world = emptyWorld({ PIXGATE_BASE_URL: gateway.url })
    const running = start(world, [...args, '-o', 'json'])
    await gateway.arrived(1)
    running.signal(TERMINATE)
    const externalId = name === 'transfer' ? { externalId: 'order-1' } : {}
    const expected = { exit: 5, code: 'OUTCOME_UNKNOWN', outcome: 'unknown', ...externalId }
    expect(endingOf(await running.ended)).toMatchObject(expected)
  })

  it('SIGTERM does not promise to wait', async () => {
    const gateway = await startFaultGateway()
    gateway.always(held().fault)
    const running = start(emptyWorld({ PIXGATE_BASE_URL: gateway.url }), POSTS.transfer)
    await gateway.arrived(1)
    running.signal(TERMINATE)
    const ran = await running.ended
    expect(ran.exit).toBe(5)
    expect(ran.stderr).not.toContain(HELD_NOTE)
  })
})

describe('a query', () => {
  it.each([
    [CTRL_C, 130],
    [TERMINATE, 143],
  ] as const)('is ended by %s with exit %d while it is unanswered', async (signal, exit) => {
    const gateway = await startFaultGateway()
    gateway.always(held().fault)
    const world = emptyWorld({ PIXGATE_BASE_URL: gateway.url, PIXGATE_OUTPUT: 'json' })
    for (const args of signal === CTRL_C ? [STATUS, [...STATUS, '--wait']] : [STATUS]) {
      const running = start(world, args)
      await gateway.arrived(gateway.arrivals.length + 1)
      running.signal(signal)
      expect(endingOf(await running.ended)).toMatchObject({ exit, ...CANCELLED })
    }
  })

  it('is ended by Ctrl-C between two looks of a wait', async () => {
    const gateway = await startFaultGateway()
    gateway.payment = { status: 'PENDING' }
    const world = emptyWorld({ PIXGATE_BASE_URL: gateway.url, PIXGATE_OUTPUT: 'json' })
    const running = start(world, [...STATUS, '--wait', '--interval', '300ms'])
    await gateway.arrived(2)
    running.signal(CTRL_C)
    expect(endingOf(await running.ended)).toMatchObject({ exit: 130, ...CANCELLED })
  })

  it('is ended by Ctrl-C while it waits as the gateway asks', async () => {
    const gateway = await startFaultGateway()
    gateway.always(answering({ status: 429, headers: { 'retry-after': '20' } }))
    const running = start(emptyWorld({ PIXGATE_BASE_URL: gateway.url }), STATUS)
    await running.said('The gateway asked to wait')
    running.signal(CTRL_C)
    expect((await running.ended).exit).toBe(130)
    expect(gateway.arrivals.length).toBe(1)
  })

  it('is ended by Ctrl-C while it waits for its turn', async () => {
    const gateway = await startFaultGateway()
    const world = emptyWorld({ PIXGATE_BASE_URL: gateway.url })
    const limit = openQueryQuota(String(world.env.PIXGATE_DATA_DIR), gateway.url, () => Date.now())
    for (let count = 0; count < 100; count++) await limit.reserve()
    const running = start(world, [...STATUS, '--timeout', '5m'])
    await running.said('The limit of 100 queries per minute is reached')
    running.signal(CTRL_C)
    expect((await running.ended).exit).toBe(130)
    expect(gateway.arrivals.length).toBe(0)
  })
})
