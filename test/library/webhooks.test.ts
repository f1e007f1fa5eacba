import { createHash, createHmac } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { signWebhook, verifyWebhook } from '../../src/library/webhooks.ts'
import { expectDocument } from '../schemas/validity.ts'

const SECRET = 'a-client-secret'
const BODY = '{"event":"pix.received","data":{"amount":10.50}}'
const HEX = createHmac('sha256', SECRET).update(BODY).digest('hex')
const BASE64 = createHmac('sha256', SECRET).update(BODY).digest('base64')

describe('signWebhook', () => {
  test('gives the HMAC-SHA256 of the exact bytes, in hex or Base64', () => {
    expect(signWebhook(BODY, SECRET)).toBe(HEX)
    expect(signWebhook(Buffer.from(BODY), SECRET)).toBe(HEX)
    expect(signWebhook(new Uint8Array(Buffer.from(BODY)), SECRET, 'base64')).toBe(BASE64)
  })

  test('throws for an empty secret', () => {
    expect(() => signWebhook(BODY, '')).toThrow(RangeError)
  })
})

describe('verifyWebhook', () => {
  test.each([
    [HEX, 'hex'],
    [`sha256=${HEX.toUpperCase()}`, 'hex'],
    [BASE64, 'base64'],
  ])('%s is valid', (signature, encoding) => {
    expect(verifyWebhook(BODY, signature, SECRET)).toEqual({
      valid: true,
      encoding,
      reason: null,
      cause: null,
      tried: [],
      secret: { source: 'argument', length: 15, sha256Prefix: expect.stringMatching(/^[0-9a-f]{8}$/) },
    })
  })

  test.each([
    [undefined, 'missing'],
    [null, 'missing'],
    ['', 'missing'],
    ['nonsense', 'malformed'],
    [[HEX, HEX], 'malformed'],
    ['0'.repeat(64), 'mismatch'],
  ])('%j is not: %s', (signature, reason) => {
    expect(verifyWebhook(BODY, signature, SECRET)).toMatchObject({ valid: false, reason })
  })

  test('names the cause of a mismatch, in JSON too', () => {
    const parsed = JSON.stringify(JSON.parse(BODY))
    const verdict = verifyWebhook(parsed, HEX, SECRET)
    expect(verdict).toMatchObject({ valid: false, reason: 'mismatch', cause: 'reserialized' })
    expect(JSON.parse(JSON.stringify(verdict)).cause).toBe('reserialized')
    expect(verifyWebhook(`${BODY}\n`, HEX, SECRET).cause).toBe('trailing-newline')
    const plain = createHash('sha1')
      .update(BODY + SECRET)
      .digest('hex')
    const wrong = { reason: 'malformed', cause: 'wrong-construction', construction: 'sha1(body + secret)' }
    expect(verifyWebhook(BODY, plain, SECRET)).toMatchObject({ ...wrong, tried: ['wrong-construction'] })
  })

  test('gives the document of `pixgate webhook verify`', () => {
    const bodies = [BODY, `${BODY}\n`, JSON.stringify(JSON.parse(BODY)), `${BODY} `]
    const signatures = [HEX, createHash('sha1').update(BODY).digest('hex'), 'nonsense', '']
    for (const body of bodies) {
      for (const signature of signatures) {
        expectDocument('webhook-verify', JSON.parse(JSON.stringify(verifyWebhook(body, signature, SECRET))))
      }
    }
    expect(verifyWebhook(bodies[2] ?? '', HEX, SECRET).serializers).toContain("Java's Jackson")
  })

  test('does not look for a cause before it is asked for, so that wrong signatures cost a server nothing', () => {
    const long = Buffer.from(JSON.stringify(Array.from({ length: 5_000 }, (_, index) => ({ amount: index / 10 }))))
    const started = performance.now()
    for (let n = 0; n < 50; n += 1) expect(verifyWebhook(long, '0'.repeat(64), SECRET).valid).toBe(false)
    const quickMs = performance.now() - started
    const looking = performance.now()
    expect(verifyWebhook(long, '0'.repeat(64), SECRET).cause).toBeNull()
    expect(quickMs).toBeLessThan(performance.now() - looking)
  })

  test('throws for an empty secret and for a parsed body, instead of calling them invalid', () => {
    expect(() => verifyWebhook(BODY, HEX, '')).toThrow(new RangeError('the secret is missing'))
    for (const missing of [undefined, null, 7]) {
      const missed = new TypeError('the secret is missing')
      for (const signature of [HEX, 'nonsense']) {
        expect(() => Reflect.apply(verifyWebhook, undefined, [BODY, signature, missing])).toThrow(missed)
      }
      expect(() => Reflect.apply(signWebhook, undefined, [BODY, missing])).toThrow(missed)
    }
    expect(() => Reflect.apply(verifyWebhook, undefined, [JSON.parse(BODY), HEX, SECRET])).toThrow(/raw bytes/)
  })
})
