import { describe, expect, it } from 'vitest'
import { endingOf, POSTS, STATUS, UNKNOWN, UNUSABLE } from './commandLines.ts'
import { startFaultGateway } from './faultGateway.ts'
import { actedBut } from './faults.ts'
import { runHere } from './running.ts'

const REDIRECTS = [301, 302, 303, 307, 308]

describe('a redirect', () => {
  it.each(REDIRECTS)('with %d is not followed, so no other server gets the credentials', async (status) => {
    const [gateway, elsewhere] = await Promise.all([startFaultGateway(), startFaultGateway()])
    gateway.always(actedBut(status, { location: `${elsewhere.url}/api/v1/gateway/pix-payment` }))
    for (const [args, expected] of [
      [STATUS, UNUSABLE],
      [POSTS.qr, UNKNOWN],
      [POSTS.refund, UNKNOWN],
      [POSTS.transfer, UNKNOWN],
    ] as const) {
      const ran = await runHere([...args, '-o', 'json', '--base-url', gateway.url], {})
      expect(endingOf(ran)).toMatchObject({ ...expected, httpStatus: status })
    }
    expect(gateway.arrivals.length).toBe(4)
    expect(elsewhere.connections).toBe(0)
  })
})

describe('http beyond this machine', () => {
  const addresses = [
    'http://gateway.test',
    'http://192.168.0.1:4010',
    'http://127.0.0.1.gateway.test',
    'http://0.0.0.0',
  ]
  it.each(addresses)('is refused for %s', async (address) => {
    const credentials = { PIXGATE_CLIENT_ID: 'shop', PIXGATE_CLIENT_SECRET: 'shop-secret' }
    for (const args of [STATUS, ...Object.values(POSTS)]) {
      const ran = await runHere([...args, '-o', 'json'], { ...credentials, PIXGATE_BASE_URL: address })
      expect(endingOf(ran)).toMatchObject({ exit: 2, code: 'USAGE', outcome: 'not-sent' })
    }
  })
})

it('sends the credentials that belong to each endpoint and no others', async () => {
  const gateway = await startFaultGateway()
  const env = {
    PIXGATE_BASE_URL: `${gateway.url}/base/`,
    PIXGATE_CLIENT_ID: 'shop',
    PIXGATE_CLIENT_SECRET: 'shop-secret',
  }
  for (const args of [STATUS, POSTS.qr, POSTS.refund, POSTS.transfer]) {
    await runHere([...args, '-o', 'json'], { ...env, PIXGATE_CALLBACK_URL: 'http://127.0.0.1:1/' })
  }
  const sent = gateway.arrivals.map(({ method, target, headers: { authorization, ci, cs } }) => ({
    line: `${method} ${target.split('?')[0]}`,
    authorization,
    ci,
    cs,
  }))
  const bearer = { authorization: 'Bearer shop-secret', ci: undefined, cs: undefined }
  expect(sent).toEqual([
    { line: 'GET /base/api/v2/gateway/consult-transaction', ...bearer },
    { line: 'POST /base/api/v2/gateway/request-qrcode', ...bearer },
    { line: 'POST /base/api/v2/gateway/pix-refund', ...bearer },
    { line: 'POST /base/api/v1/gateway/pix-payment', authorization: undefined, ci: 'shop', cs: 'shop-secret' },
  ])
})
