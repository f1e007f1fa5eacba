import { createHash, createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import { diagnoseSignature } from '../../src/diagnosis/signatureDiagnosis.ts'

const SECRET = 'a-long-secret-0123456789'
const HEX_SECRET = '00ff10a9b8c7d6e5f4030201'
const BODY = '{"event":"pix.received","data":{"idTransaction":"tx-1","status":"PAID","amount":10.50,"paidAt":null}}'
const DATA = '{"idTransaction":"tx-1","status":"PAID","amount":10.50,"paidAt":null}'
const DASHBOARD = '{"idTransaction":"tx-1","typeTransaction":"PIX","statusTransaction":"PAID_OUT","value":10.00}'

function plain(algorithm: string, text: string): string {
  return createHash(algorithm).update(text).digest('hex')
}

function hmac(text: string, key: string | Buffer = SECRET, algorithm = 'sha256'): string {
  return createHmac(algorithm, key).update(text).digest('hex')
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64')
}

/** What is found for this signature, with the right secret and with another one. */
function constructions(signature: string, body: string, secret = SECRET): (string | null)[] {
  return [[secret, 'another-secret'], ['another-secret', secret], ['another-secret']].map((secrets) => {
    const { cause, construction, secretIndex } = diagnoseSignature({
      body: Buffer.from(body),
      signature,
      secrets,
      others: [],
    })
    expect(cause).toBe(construction === null ? null : 'wrong-construction')
    expect(secretIndex).toBe(construction === null ? 0 : secrets.indexOf(secret))
    return construction
  })
}

test.each([
  ['sha256(body + secret)', plain('sha256', BODY + SECRET), BODY],
  ['sha256(secret + body)', plain('sha256', SECRET + BODY), BODY],
  ['sha256(body + "." + secret)', plain('sha256', `${BODY}.${SECRET}`), BODY],
  ['sha1(body + secret)', plain('sha1', BODY + SECRET), BODY],
  ['sha1(secret + ":" + body)', `sha1=${plain('sha1', `${SECRET}:${BODY}`)}`, BODY],
  ['sha512(body + secret)', plain('sha512', BODY + SECRET), BODY],
  ['md5(secret + body)', plain('md5', SECRET + BODY).toUpperCase(), BODY],
  ['md5(body + secret)', createHash('md5').update(`hello${SECRET}`).digest('base64'), 'hello'],
  ['hmac-sha1(secret, body)', hmac(BODY, SECRET, 'sha1'), BODY],
  ['hmac-sha512(secret, body)', createHmac('sha512', SECRET).update(BODY).digest('base64'), BODY],
  ['hmac-sha256(secret, data)', hmac(DATA), BODY],
  ['hmac-sha256(secret, data)', hmac(DATA), `\uFEFF{ "data" :${DATA} }`],
  ['hmac-sha256(secret, data)', hmac(JSON.stringify(JSON.parse(DATA))), BODY],
  ['hmac-sha256(secret, values of data)', hmac('tx-1PAID10.50'), BODY],
  ['hmac-sha256(secret, values of data joined by "|")', hmac('tx-1|PAID|10.5|null'), BODY],
  ['hmac-sha256(secret, values of data)', hmac('10.50tx-1PAID'), BODY],
  ['hmac-sha256(secret, all values joined by ",")', hmac('pix.received,tx-1,PAID,10.50,'), BODY],
  ['sha256(all values + secret)', plain('sha256', `tx-1PIXPAID_OUT10${SECRET}`), DASHBOARD],
  ['base64(hex(hmac-sha256(secret, body)))', base64(hmac(BODY)), BODY],
  ['hmac-sha256(body, secret)', hmac(SECRET, BODY), BODY],
  ['hmac-sha256(unbase64(secret), body)', hmac(BODY, Buffer.from(SECRET, 'base64')), BODY],
  ['hmac-sha256(secret, hex(body))', hmac(Buffer.from(BODY).toString('hex')), BODY],
  ['hmac-sha256(secret, base64(body))', hmac(base64(BODY)), BODY],
  ['hmac-sha256(secret, "[object Object]")', hmac('[object Object]'), BODY],
  ['hmac-sha256(secret, "{}")', hmac('{}'), BODY],
  ['hmac-sha384(secret, body)', hmac(BODY, SECRET, 'sha384'), BODY],
  ['base64(hex(sha1(body + secret)))', base64(plain('sha1', BODY + SECRET)), BODY],
])('%s', (formula, signature, body) => {
  expect(constructions(signature, body)).toEqual([formula, formula, null])
})

test('the client id as the key', () => {
  const about = { body: Buffer.from(BODY), signature: hmac(BODY, 'shop-1'), secrets: [SECRET], others: [] }
  expect(diagnoseSignature({ ...about, clientId: 'shop-1' }).construction).toBe('hmac-sha256(client id, body)')
  expect(diagnoseSignature(about)).toMatchObject({ cause: null, triesClientId: false })
})

test('the secret as hex bytes', () => {
  const formula = 'hmac-sha256(unhex(secret), body)'
  const signature = hmac(BODY, Buffer.from(HEX_SECRET, 'hex'))
  expect(constructions(signature, BODY, HEX_SECRET)).toEqual([formula, formula, null])
})

test('the right construction is not called wrong, however it is written', () => {
  const digest = createHmac('sha256', SECRET).update(BODY).digest('base64')
  const twin = digest.replace(/.=$/, (end) => `${String.fromCharCode(end.charCodeAt(0) + 1)}=`)
  expect(Buffer.from(twin, 'base64')).toEqual(Buffer.from(digest, 'base64'))
  const about = { signature: twin, body: Buffer.from(BODY), secrets: [SECRET], others: [] }
  expect(diagnoseSignature(about)).toMatchObject({ construction: null })
})

test.each(['', 'nonsense', 'f'.repeat(63), 'g'.repeat(66), '='.repeat(44)])('nothing is tried for %j', (signature) => {
  const about = { body: Buffer.from(BODY), secrets: [SECRET], others: [] }
  expect(diagnoseSignature({ ...about, signature })).toMatchObject({ cause: null, tried: [] })
})
