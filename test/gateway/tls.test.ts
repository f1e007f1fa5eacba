import { afterAll, beforeAll, describe, expect, it } from 'vitest'
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

describe('a certificate', () => {
  it('is accepted where its authority is named', async () => {
    const gateway = await startFaultGateway({ tls: certificates.right })
    const world = emptyWorld({ PIXGATE_BASE_URL: gateway.url, NODE_EXTRA_CA_CERTS: certificates.caPath })
    for (const args of COMMANDS) expect(endingOf(await world.run([...args, '-o', 'json']))).toEqual(ACCEPTED)
  })

  it.each(['right', 'otherHost'] as const)(
    'that cannot be trusted (%s) stops everything before it is sent',
    async (name) => {
      const gateway = await startFaultGateway({ tls: certificates[name] })
      const extra = name === 'otherHost' ? { NODE_EXTRA_CA_CERTS: certificates.caPath } : {}
      const world = emptyWorld({ PIXGATE_BASE_URL: gateway.url, ...extra })
      for (const args of COMMANDS) {
        const connections = gateway.connections
        const ran = await world.run([...args, '-o', 'json'])
        const hint = expect.stringContaining('NODE_EXTRA_CA_CERTS')
        expect(endingOf(ran)).toMatchObject({ ...NOT_SENT, hint, message: expect.stringContaining('certificate') })
        expect(gateway.connections - connections).toBe(1)
      }
      expect(gateway.arrivals).toEqual([])
    },
  )
})

describe('TLS that fails', () => {
  it('after the request was written leaves a POST unknown', async () => {
    // In TLS 1.3 the server judges the client's certificate when the client has long begun to send.
    const tls = { ...certificates.right, requestCert: true, rejectUnauthorized: true, minVersion: 'TLSv1.3' } as const
    const gateway = await startFaultGateway({ tls })
    const world = emptyWorld({ PIXGATE_BASE_URL: gateway.url, NODE_EXTRA_CA_CERTS: certificates.caPath })
    for (const args of Object.values(POSTS)) {
      expect(endingOf(await world.run([...args, '-o', 'json']))).toMatchObject(UNKNOWN)
    }
    expect(gateway.connections).toBe(Object.keys(POSTS).length)
    expect(endingOf(await world.run([...STATUS, '-o', 'json']))).toMatchObject(UNUSABLE)
  })

  it('because plain HTTP is spoken there leaves nothing sent', async () => {
    const gateway = await startFaultGateway()
    const world = emptyWorld({ PIXGATE_BASE_URL: gateway.url.replace('http:', 'https:') })
    expect(endingOf(await world.run([...POSTS.transfer, '-o', 'json']))).toMatchObject(NOT_SENT)
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
