import { createHash, createHmac } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { hmacSha256, isHmacSha256, sha256 } from '../../src/wire/sha256.ts'

// The examples of FIPS 180-4.
test.each([
  ['', 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'],
  ['abc', 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'],
  [
    'abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq',
    '248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1',
  ],
])('the SHA-256 of %j', (text, digest) => {
  expect(sha256(Buffer.from(text)).toString('hex')).toBe(digest)
})

test('the SHA-256 of every length up to four blocks', () => {
  for (let length = 0; length <= 256; length++) {
    const message = Buffer.alloc(length, 'pix')
    expect(sha256(message)).toEqual(createHash('sha256').update(message).digest())
  }
})

test('any key and any message give what Node.js gives', () => {
  const bytes = fc.uint8Array({ maxLength: 300 })
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 1, maxLength: 200 }), bytes, (key, message) => {
      expect(hmacSha256(key, message)).toEqual(createHmac('sha256', key).update(message).digest())
      expect(sha256(message)).toEqual(createHash('sha256').update(message).digest())
    }),
    { numRuns: 500 },
  )
})

test('an empty key signs nothing', () => {
  expect(() => hmacSha256(Buffer.alloc(0), Buffer.from('x'))).toThrow(RangeError)
})

test('a digest is the HMAC as a whole or not at all', () => {
  const [key, message] = [Buffer.from('secret'), Buffer.from('a body')]
  const digest = hmacSha256(key, message)
  expect(isHmacSha256(digest, key, message)).toBe(true)
  for (let index = 0; index < digest.length; index++) {
    const other = Buffer.from(digest)
    other[index] = Number(other[index]) ^ 0x80
    expect(isHmacSha256(other, key, message)).toBe(false)
  }
  expect(isHmacSha256(digest.subarray(0, 31), key, message)).toBe(false)
})
