import { createServer } from 'node:net'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { here } from '../inProcess.ts'
import { emptyWorld } from '../world.ts'
import { type Certificates, makeCertificates } from './certificates.ts'
import { ACCEPTED, endingOf, NOT_SENT, POSTS, STATUS, UNKNOWN, UNUSABLE } from './commandLines.ts'
import { startFaultGateway } from './faultGateway.ts'
import { resetAfterActing } from './faults.ts'

let certificates: Certificates
beforeAll(() => {
  certificates = makeCertificates()
})
afterAll(() => certificates.remove())

const COMMANDS = [STATUS, ...Object.values(POSTS)]

/** What is wrong, and what to do about it. */
const NOT_TRUSTED = ['not trusted on this machine', 'NODE_EXTRA_CA_CERTS']

describe('a certificate', () => {
  it('is accepted if its authority is named', async () => {
    const gateway = await startFaultGateway({ tls: certificates.right })
    const world = emptyWorld({ PIXGATE_BASE_URL: gateway.url, NODE_EXTRA_CA_CERTS: certificates.caPath })
    for (const ran of await Promise.all([STATUS, POSTS.transfer].map((args) => world.run([...args, '-o', 'json'])))) {
      expect(endingOf(ran)).toEqual(ACCEPTED)
    }
  })

  it.each([
    { name: 'right', isTrusted: false, commands: COMMANDS, says: NOT_TRUSTED },
    { name: 'otherHost', isTrusted: true, commands: [POSTS.transfer], says: ['one for another host', 'base address'] },
    { name: 'expired', isTrusted: true, commands: [POSTS.transfer], says: ['has expired', 'date of this machine'] },
    { name: 'selfSigned', isTrusted: true, commands: [POSTS.transfer], says: NOT_TRUSTED },
  ] as const)('that cannot be trusted ($name) stops everything before it is sent', async (row) => {
    const { name, isTrusted, commands, says } = row
    const gateway = await startFaultGateway({ tls: certificates[name] })
    const trusted: Record<string, string> = isTrusted ? { NODE_EXTRA_CA_CERTS: certificates.caPath } : {}
    const world = emptyWorld({ PIXGATE_BASE_URL: gateway.url, ...trusted })
    // Only a process of its own trusts another authority.
    const run = isTrusted ? world.run : here(world)
    const [message, hint] = says.map((words) => expect.stringContaining(words))
    for (const ran of await Promise.all(commands.map((args) => run([...args, '-o', 'json'])))) {
      expect(endingOf(ran)).toMatchObject({ ...NOT_SENT, hint, message })
    }
    // A charge of a sandbox on this machine asks first what day it is there.
    expect(gateway.connections).toBe(commands.length + commands.filter(([command]) => command === 'qr').length)
    expect(gateway.arrivals).toEqual([])
  })
})

describe('TLS that fails', () => {
  it('after the request was written leaves a POST unknown', async () => {
    // In TLS 1.3 the server judges the client's certificate when the client has long begun to send.
    const tls = { ...certificates.right, requestCert: true, rejectUnauthorized: true, minVersion: 'TLSv1.3' } as const
    const gateway = await startFaultGateway({ tls })
    const world = emptyWorld({ PIXGATE_BASE_URL: gateway.url, NODE_EXTRA_CA_CERTS: certificates.caPath })
    const posts = Object.values(POSTS)
    for (const ran of await Promise.all(posts.map((args) => world.run([...args, '-o', 'json'])))) {
      expect(endingOf(ran)).toMatchObject(UNKNOWN)
    }
    expect(gateway.connections).toBe(posts.length + 1)
    expect(endingOf(await world.run([...STATUS, '-o', 'json']))).toMatchObject(UNUSABLE)
  })

  it('because plain HTTP is spoken there leaves nothing sent', async () => {
    const plain = createServer((socket) => socket.once('data', () => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')))
    await new Promise<void>((resolve) => plain.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void plain.close())
    const address = plain.address()
    const port = typeof address === 'object' ? address?.port : undefined
    const ran = await here(emptyWorld())([...POSTS.transfer, '-o', 'json', '--base-url', `https://127.0.0.1:${port}`])
    expect(endingOf(ran)).toMatchObject(NOT_SENT)
  })

  it('because the server takes old versions only leaves nothing sent', async () => {
    const tls = {
      ...certificates.right,
      minVersion: 'TLSv1',
      maxVersion: 'TLSv1.1',
      ciphers: 'ALL@SECLEVEL=0',
    } as const
    const gateway = await startFaultGateway({ tls })
    const ran = await here(emptyWorld({ PIXGATE_BASE_URL: gateway.url }))([...POSTS.transfer, '-o', 'json'])
    const message = expect.stringContaining('do not agree on an encrypted connection')
    expect(endingOf(ran)).toMatchObject({ ...NOT_SENT, message, hint: expect.stringContaining('TLS 1.2 or 1.3') })
    expect(gateway.arrivals).toEqual([])
  })

  it('by a reset after the request leaves a POST unknown', async () => {
    const gateway = await startFaultGateway({ tls: certificates.right })
    gateway.always(resetAfterActing)
    const world = emptyWorld({ PIXGATE_BASE_URL: gateway.url, NODE_EXTRA_CA_CERTS: certificates.caPath })
    expect(endingOf(await world.run([...POSTS.transfer, '-o', 'json']))).toMatchObject(UNKNOWN)
    expect(gateway.ledger.length).toBe(1)
  })
})
