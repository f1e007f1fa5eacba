import { execFileSync } from 'node:child_process'
import { createHmac } from 'node:crypto'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { decodeSignature, isSameSecret, judgeSignature, signBody } from '../../src/wire/signature.ts'

const SECRET = 'a-long-secret-0123456789'
const BODY = Buffer.from('{"event":"pix.received","data":{"amount":10.50,"payerName":"João"}}')
const HEX = createHmac('sha256', SECRET).update(BODY).digest('hex')
const BASE64 = Buffer.from(HEX, 'hex').toString('base64')
const BASE64URL = Buffer.from(HEX, 'hex').toString('base64url')
const OTHER = createHmac('sha256', 'other').update(BODY).digest('hex')
const OTHER_BASE64 = Buffer.from(OTHER, 'hex').toString('base64')
/** A secret whose signature has `+` or `/` in it, so that the two alphabets differ. */
const MIXED = alphabetSecret()
const MIXED_BASE64 = signBody(BODY, MIXED, 'base64')

function alphabetSecret(): string {
  for (let n = 0; ; n++) if (/[+].*\/|\/.*[+]/.test(signBody(BODY, `secret-${n}`, 'base64'))) return `secret-${n}`
}

function withDigit(text: string, place: number, digit: string): string {
  return text.slice(0, place) + digit + text.slice(place + 1)
}

type Case = readonly [name: string, values: readonly string[], verdict: string]

const CASES: readonly Case[] = [
  ['no header', [], 'missing'],
  ['an empty header', [''], 'missing'],
  ['hex', [HEX], 'valid hex'],
  ['hex in capitals', [HEX.toUpperCase()], 'valid hex'],
  ['hex, half in capitals', [HEX.slice(0, 32).toUpperCase() + HEX.slice(32)], 'valid hex'],
  ['hex with its prefix', [`sha256=${HEX}`], 'valid hex'],
  ['capitals behind the prefix', [`sha256=${HEX.toUpperCase()}`], 'valid hex'],
  ['Base64', [BASE64], 'valid base64'],
  ['Base64 with its prefix', [`sha256=${BASE64}`], 'valid base64'],
  ['base64url', [BASE64URL], 'valid base64'],
  ['base64url with its prefix', [`sha256=${BASE64URL}`], 'valid base64'],
  ['the same header twice', [HEX, HEX], 'malformed'],
  ['two headers, the first right', [HEX, OTHER], 'malformed'],
  ['two headers, the second right', [OTHER, HEX], 'malformed'],
  ['two headers, the first empty', ['', HEX], 'malformed'],
  ['two empty headers', ['', ''], 'malformed'],
  ['three headers', [HEX, HEX, HEX], 'malformed'],
  ['two joined by a comma', [`${HEX}, ${HEX}`], 'malformed'],
  ['two joined without space', [`${HEX},${HEX}`], 'malformed'],
  ['hex twice in a row', [HEX + HEX], 'malformed'],
  ['63 digits', [HEX.slice(1)], 'malformed'],
  ['63 digits, the last missing', [HEX.slice(0, -1)], 'malformed'],
  ['65 digits', [`${HEX}0`], 'malformed'],
  ['65 digits, one in front', [`0${HEX}`], 'malformed'],
  ['62 digits', [HEX.slice(2)], 'malformed'],
  ['one digit', ['0'], 'malformed'],
  ['two digits', [HEX.slice(0, 2)], 'malformed'],
  ['40 digits, as of SHA-1', [HEX.slice(0, 40)], 'malformed'],
  ['128 digits, as of SHA-512', [HEX + OTHER], 'malformed'],
  ['junk behind', [`${HEX}xyz`], 'malformed'],
  ['junk in front', [`xyz${HEX}`], 'malformed'],
  ['a letter that is not a digit', [withDigit(HEX, 10, 'g')], 'malformed'],
  ['a letter that is not a digit at the end', [withDigit(HEX, 63, 'z')], 'malformed'],
  ['right to the middle, then junk', [HEX.slice(0, 32) + 'g'.repeat(32)], 'malformed'],
  ['0x in front', [`0x${HEX}`], 'malformed'],
  ['0x in place of two digits', [`0x${HEX.slice(2)}`], 'malformed'],
  ['a space in front', [` ${HEX}`], 'malformed'],
  ['a space behind', [`${HEX} `], 'malformed'],
  ['a space inside', [withDigit(HEX, 20, ' ')], 'malformed'],
  ['a line break behind', [`${HEX}\n`], 'malformed'],
  ['CRLF behind', [`${HEX}\r\n`], 'malformed'],
  ['a tab behind', [`${HEX}\t`], 'malformed'],
  ['a line break in front', [`\n${HEX}`], 'malformed'],
  ['NUL behind', [`${HEX}\0`], 'malformed'],
  ['NUL inside', [withDigit(HEX, 5, '\0')], 'malformed'],
  ['NUL alone', ['\0'], 'malformed'],
  ['a byte order mark in front', [`\uFEFF${HEX}`], 'malformed'],
  ['quotes around', [`"${HEX}"`], 'malformed'],
  ['colons between', [HEX.replace(/..(?=.)/g, '$&:')], 'malformed'],
  ['full-width digits', ['０'.repeat(64)], 'malformed'],
  ['Arabic digits', ['٠'.repeat(64)], 'malformed'],
  ['one full-width digit', [withDigit(HEX, 3, '１')], 'malformed'],
  ['a digit of which the low byte fits', [withDigit(HEX, 3, String.fromCharCode(0x100 + 0x61))], 'malformed'],
  ['a Cyrillic letter', [withDigit(HEX, 0, 'а')], 'malformed'],
  ['64 astral characters', ['𝟎'.repeat(64)], 'malformed'],
  ['32 astral characters, 64 units', ['𝟎'.repeat(32)], 'malformed'],
  ['half a pair of surrogates', [`${HEX.slice(1)}\ud800`], 'malformed'],
  ['10 KB of digits', ['a'.repeat(10_240)], 'malformed'],
  ['10 KB that begin right', [HEX + 'a'.repeat(10_240)], 'malformed'],
  ['10 KB of Base64', ['A'.repeat(10_240)], 'malformed'],
  ['10 KB of spaces', [' '.repeat(10_240)], 'malformed'],
  ['the prefix alone', ['sha256='], 'malformed'],
  ['the prefix twice', [`sha256=sha256=${HEX}`], 'malformed'],
  ['the prefix in capitals', [`SHA256=${HEX}`], 'malformed'],
  ['another prefix', [`sha1=${HEX}`], 'malformed'],
  ['a prefix with a space', [`sha256= ${HEX}`], 'malformed'],
  ['the prefix behind', [`${HEX}sha256=`], 'malformed'],
  ['a version in front', [`v1=${HEX}`], 'malformed'],
  ['a time in front', [`t=1,v1=${HEX}`], 'malformed'],
  ['Base64 without its padding sign where the alphabet is that of Base64', ['+'.repeat(43)], 'malformed'],
  ['base64url with a padding sign', [`${'_'.repeat(42)}8=`], 'malformed'],
  ['Base64 with two padding signs', [`${BASE64.slice(0, 42)}==`], 'malformed'],
  ['Base64 of 31 bytes', [Buffer.alloc(31).toString('base64')], 'malformed'],
  ['Base64 of 33 bytes', [Buffer.alloc(33).toString('base64')], 'malformed'],
  ['Base64 with junk behind', [`${BASE64}x`], 'malformed'],
  ['Base64 with a space in it', [withDigit(BASE64, 9, ' ')], 'malformed'],
  ['Base64 of the hex', [Buffer.from(HEX).toString('base64')], 'malformed'],
  ['Base64 of other bytes', [OTHER_BASE64], 'mismatch base64'],
  ['Base64 of the same bytes in other digits', [otherDigits(BASE64)], 'mismatch base64'],
  ['base64url of the same bytes in other digits', [otherDigits(BASE64URL)], 'mismatch base64'],
  ['hex of another secret', [OTHER], 'mismatch hex'],
  ['zeros', ['0'.repeat(64)], 'mismatch hex'],
  ['hex of a plain hash', [createHmac('sha256', '').update(BODY).digest('hex')], 'mismatch hex'],
  ['hex backwards', [Buffer.from(HEX, 'hex').reverse().toString('hex')], 'mismatch hex'],
  ['one digit wrong', [withDigit(HEX, 63, HEX.endsWith('0') ? '1' : '0')], 'mismatch hex'],
]

/** The last digit of 43 has two bits that belong to no byte. */
function otherDigits(base64: string): string {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
  return withDigit(base64, 42, alphabet[alphabet.indexOf(base64[42] ?? '') + 1] ?? '')
}

it('has at least 70 cases', () => expect(CASES.length).toBeGreaterThanOrEqual(70))

it.each(CASES)('%s', (_name, values, expected) => {
  const { valid, encoding, reason } = judgeSignature(BODY, values, SECRET)
  const told = [valid ? 'valid' : reason, encoding].filter((part) => part !== null).join(' ')
  expect(told).toBe(expected)
  expect(reason === null).toBe(valid)
})

it.each([
  ['Base64', MIXED_BASE64, true],
  ['base64url', MIXED_BASE64.replaceAll('+', '-').replaceAll('/', '_').replace('=', ''), true],
  ['the alphabet of base64url with padding', MIXED_BASE64.replaceAll('+', '-').replaceAll('/', '_'), false],
  ['the alphabet of Base64 without padding', MIXED_BASE64.replace('=', ''), false],
  ['both alphabets in one', MIXED_BASE64.replace('+', '-'), false],
])('does not mix alphabets: %s', (_name, value, valid) => {
  expect(judgeSignature(BODY, [value], MIXED).valid).toBe(valid)
})

it('rejects any other secret, and the right one with white space', () => {
  for (const secret of ['other', `${SECRET} `, ` ${SECRET}`, `${SECRET}\n`, SECRET.toUpperCase()]) {
    expect(judgeSignature(BODY, [HEX], secret).reason).toBe('mismatch')
  }
  expect(() => judgeSignature(BODY, [HEX], '')).toThrow(RangeError)
  expect(() => signBody(BODY, '')).toThrow(RangeError)
})

it('rejects any other bytes', () => {
  for (const body of ['', `${BODY}\n`, BODY.toString('latin1'), `\uFEFF${BODY}`, ` ${BODY}`]) {
    expect(judgeSignature(Buffer.from(body), [HEX], SECRET).reason).toBe('mismatch')
  }
})

it('signs as openssl does', () => {
  for (const body of [BODY, Buffer.alloc(0), Buffer.from([0, 0xff, 0x0a, 0x80])]) {
    const args = ['dgst', '-sha256', '-hmac', SECRET, '-binary']
    const digest = execFileSync('openssl', args, { input: body, stdio: ['pipe', 'pipe', 'ignore'] })
    expect(signBody(body, SECRET)).toBe(digest.toString('hex'))
    expect(signBody(body, SECRET, 'base64')).toBe(digest.toString('base64'))
  }
})

it('no single flipped bit of body, signature or secret is ever valid, and none throws', () => {
  let flips = 0
  const flipped = (bytes: Uint8Array, bit: number): Buffer => {
    flips++
    const changed = Buffer.from(bytes)
    changed.writeUInt8((changed[bit >> 3] ?? 0) ^ (1 << (bit & 7)), bit >> 3)
    return changed
  }
  for (let round = 0; flips < 10_000; round++) {
    const body = Buffer.from(`${BODY}${round}`)
    const secret = Buffer.from(`${SECRET}${round}`)
    const values = [signBody(body, `${secret}`), signBody(body, `${secret}`, 'base64')]
    for (const value of values) expect(judgeSignature(body, [value], `${secret}`).valid).toBe(true)
    for (let bit = 0; bit < body.length * 8; bit++) {
      for (const value of values) expect(judgeSignature(flipped(body, bit), [value], `${secret}`).valid).toBe(false)
    }
    for (let bit = 0; bit < secret.length * 8; bit++) {
      const other = flipped(secret, bit).toString('latin1')
      for (const value of values) expect(judgeSignature(body, [value], other).valid).toBe(false)
    }
    for (const value of values) {
      for (let bit = 0; bit < value.length * 8; bit++) {
        const other = flipped(Buffer.from(value), bit).toString('latin1')
        // The case of a hex digit means nothing.
        const isSame = value === values[0] && other.toLowerCase() === value
        expect(judgeSignature(body, [other], `${secret}`).valid).toBe(isSame)
      }
    }
  }
  expect(flips).toBeGreaterThanOrEqual(10_000)
})

it('never throws, whatever the headers hold', () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 100 }),
    fc.base64String(),
    fc.stringMatching(/^[0-9a-f]*$/),
  )
  fc.assert(
    fc.property(fc.array(text, { maxLength: 3 }), fc.uint8Array(), (values, body) => {
      expect(judgeSignature(body, values, SECRET).valid).toBe(false)
      for (const value of values) expect(decodeSignature(value)?.digest.length ?? 32).toBe(32)
    }),
    { numRuns: 500 },
  )
})

it.each([
  ['a secret', true],
  ['a secreT', false],
  ['a secret ', false],
  ['', false],
])('%j is the same as a secret: %s', (given, isSame) => {
  expect(isSameSecret(given, 'a secret')).toBe(isSame)
})
