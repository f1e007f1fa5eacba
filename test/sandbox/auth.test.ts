import { describe, expect, test } from 'vitest'
import { addressList } from '../../src/sandbox/endpoints.ts'
import { SANDBOX_DEFAULTS } from '../../src/sandbox/sandboxOptions.ts'
import { CREDENTIALS, NOWHERE, SECRET, startWorld } from './sandboxWorld.ts'

const TRANSFER_PATH = '/api/v1/gateway/pix-payment'
const TRANSFER = { value: 1, key: 'maria@example.com', typeKey: 'email', callbackUrl: NOWHERE }

describe('bearer', () => {
  test.each([`Bearer ${SECRET}`, `bearer ${SECRET}`, `BEARER  ${SECRET}`])('%s is accepted', async (Authorization) => {
    const world = await startWorld()
    expect((await world.status('paid-1', { Authorization })).status).toBe(200)
  })

  test.each([
    undefined,
    '',
    SECRET,
    'Bearer',
    'Bearer wrong',
    `Bearer ${SECRET}x`,
    `Bearer ${SECRET.slice(1)}`,
    `Basic ${SECRET}`,
    `Bearer ${SECRET} x`,
  ])('%s is refused at every v2 endpoint', async (value) => {
    const world = await startWorld()
    const headers: Record<string, string> = value === undefined ? {} : { Authorization: value }
    const refused = { status: 401, body: { statusCode: 401, error: 'Unauthorized', message: 'INVALID_CREDENTIALS' } }
    expect(await world.status('paid-1', headers)).toMatchObject(refused)
    expect(await world.post('/api/v2/gateway/request-qrcode', {}, headers)).toMatchObject(refused)
    expect(await world.post('/api/v2/gateway/pix-refund', {}, headers)).toMatchObject(refused)
  })

  test('is not asked for at the transfer endpoint, nor `ci` and `cs` at the others', async () => {
    const world = await startWorld()
    expect((await world.post(TRANSFER_PATH, TRANSFER, { ci: 'local', cs: SECRET })).status).toBe(200)
    expect((await world.post(TRANSFER_PATH, TRANSFER, { Authorization: `Bearer ${SECRET}` })).status).toBe(401)
    expect((await world.status('paid-1', { ci: 'local', cs: SECRET })).status).toBe(401)
  })
})

describe('client id and secret', () => {
  test.each<[string, Record<string, string>]>([
    ['none', {}],
    ['only ci', { ci: 'local' }],
    ['only cs', { cs: SECRET }],
    ['wrong ci', { ci: 'Local', cs: SECRET }],
    ['wrong cs', { ci: 'local', cs: 'local' }],
    ['swapped', { ci: SECRET, cs: 'local' }],
  ])('%s is refused', async (_name, headers) => {
    const world = await startWorld()
    expect(await world.post(TRANSFER_PATH, TRANSFER, headers)).toMatchObject({
      status: 401,
      body: { message: 'INVALID_CREDENTIALS' },
    })
  })
})

describe('addresses', () => {
  test('an unregistered address is refused after the credentials were checked', async () => {
    const world = await startWorld({ allowIps: ['203.0.113.5'] })
    expect(await world.post(TRANSFER_PATH, TRANSFER, CREDENTIALS)).toMatchObject({
      status: 403,
      body: { statusCode: 403, error: 'Forbidden', message: 'UNAUTHORIZED_IP' },
    })
    expect((await world.post(TRANSFER_PATH, TRANSFER, { ci: 'x', cs: 'y' })).status).toBe(401)
    expect((await world.state()).transfers).toEqual([])
  })

  test('a header cannot claim an address', async () => {
    const world = await startWorld({ allowIps: ['203.0.113.5'] })
    const headers = { ...CREDENTIALS, 'X-Forwarded-For': '203.0.113.5', 'X-Real-IP': '203.0.113.5' }
    expect((await world.post(TRANSFER_PATH, TRANSFER, headers)).status).toBe(403)
  })

  test('lists hold addresses and ranges of both families', () => {
    const isListed = addressList(['203.0.113.5', '10.0.0.0/8', '2001:db8::/32', '::1'])
    const listed = ['203.0.113.5', '10.255.0.1', '::ffff:10.1.2.3', '2001:db8:1::9', '::1']
    const others = ['203.0.113.6', '11.0.0.1', '::ffff:11.0.0.1', '2001:db9::1', '127.0.0.1', '', 'x', undefined]
    expect(listed.filter(isListed)).toEqual(listed)
    expect(others.filter(isListed)).toEqual([])
  })

  test('the default is loopback', () => {
    const isListed = addressList(SANDBOX_DEFAULTS.allowIps)
    expect(['127.0.0.1', '127.8.8.8', '::1', '::ffff:127.0.0.1'].filter(isListed)).toHaveLength(4)
    expect(['192.168.0.1', '::2'].filter(isListed)).toEqual([])
  })

  test.each(['', 'localhost', '1.2.3', '10.0.0.0/33', '::1/129', '10.0.0.0/', '10.0.0.0/8/8'])(
    '`%s` is malformed',
    (entry) => {
      expect(() => addressList([entry])).toThrow(/is not an IP address/)
    },
  )
})
