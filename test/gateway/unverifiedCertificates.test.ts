import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { here } from '../inProcess.ts'
import { emptyWorld } from '../world.ts'
import { type Certificates, GATEWAY_HOST, makeCertificates } from './certificates.ts'
import { ACCEPTED, endingOf, PAYMENT_ID, POSTS, STATUS } from './commandLines.ts'
import { startFaultGateway } from './faultGateway.ts'
import { startFaultProxy } from './faultProxy.ts'

let certificates: Certificates
beforeAll(() => {
  certificates = makeCertificates()
})
afterAll(() => certificates.remove())

const CONFIRM = ['--confirm', GATEWAY_HOST]
const UNVERIFIED = { NODE_TLS_REJECT_UNAUTHORIZED: '0' }
const QUESTIONS = [STATUS, ['status', PAYMENT_ID, 'paid-2'], ['status', PAYMENT_ID, '--wait=1s'], ['doctor']]
const PAYMENTS = [
  POSTS.qr,
  [...POSTS.transfer.slice(0, -1), ...CONFIRM],
  [...POSTS.refund.slice(0, -1), '--amount', '1', ...CONFIRM],
  ['refund', PAYMENT_ID, '--reason', 'ordered twice', '--amount', '1', ...CONFIRM],
]

describe('while NODE_TLS_REJECT_UNAUTHORIZED is 0', () => {
  it('nothing goes to an address beyond this machine, and nothing is recorded', async () => {
    const gateway = await startFaultGateway({ tls: certificates.right })
    const proxy = await startFaultProxy(gateway.port)
    const world = emptyWorld({
      PIXGATE_BASE_URL: `https://${GATEWAY_HOST}`,
      PIXGATE_CLIENT_ID: 'shop',
      PIXGATE_CLIENT_SECRET: 'shop-secret',
      PIXGATE_CALLBACK_URL: 'https://shop.test/pix',
      HTTPS_PROXY: proxy.url,
      ...UNVERIFIED,
    })
    writeFileSync(join(world.home, 'rows.csv'), 'key,value\nmaria@example.com,1.00\n')
    writeFileSync(join(world.home, 'refunds.csv'), `originalTransactionId,amount,refundReason\n${PAYMENT_ID},1.00,x\n`)
    const batches = [
      ['batch', 'transfer', join(world.home, 'rows.csv'), ...CONFIRM],
      ['batch', 'refund', join(world.home, 'refunds.csv'), ...CONFIRM],
    ]
    for (const args of [...QUESTIONS, ...PAYMENTS, ...batches]) {
      const run = args === PAYMENTS[1] ? world.run : here(world)
      const { exit, stdout, stderr } = await run(args)
      expect([args, exit, stdout + stderr]).toEqual([args, 2, expect.stringContaining('turns off certificate checks')])
    }
    expect([proxy.asked, gateway.connections]).toEqual([[], 0])
    expect(await world.prepare(['history', 'list', '-o', 'json'])).toBe('[]\n')

    await world.run(POSTS.qr, { env: { NODE_TLS_REJECT_UNAUTHORIZED: '1', NODE_EXTRA_CA_CERTS: certificates.caPath } })
    expect(gateway.arrivals.length).toBe(1)
    const check = await world.run(['history', 'check'])
    expect([check.exit, check.stderr]).toEqual([2, expect.stringContaining('turns off certificate checks')])
    expect(gateway.arrivals.length).toBe(1)
  })

  it('an address of this machine is used as always', async () => {
    const gateway = await startFaultGateway({ tls: certificates.right })
    const world = emptyWorld({ PIXGATE_BASE_URL: gateway.url, ...UNVERIFIED })
    for (const args of [STATUS, POSTS.transfer]) {
      expect(endingOf(await world.run([...args, '-o', 'json']))).toEqual(ACCEPTED)
    }
  })
})
