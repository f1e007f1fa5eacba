import { createHash, createHmac } from 'node:crypto'
import { expect, it } from 'vitest'
import { emptyWorld } from '../world.ts'

const SECRET = 'a-long-secret-0123456789'
const BODY = '{"event":"pix.received","data":{"amount":10.50,"status":"PAID"}}'
const VERIFY = ['webhook', 'verify', '--body', '-', '--signature']
const ADVICE =
  "Compute HMAC-SHA256 over the raw bytes of the body, with the secret's text as the key, and write it as hex"

function plain(algorithm: string): string {
  return createHash(algorithm)
    .update(BODY + SECRET)
    .digest('hex')
}

it('names a wrong construction, whatever length its digest has', async () => {
  const { run } = emptyWorld({ PIXGATE_CLIENT_SECRET: SECRET })
  const sameLength = await run([...VERIFY, plain('sha256')], { stdin: BODY })
  expect([sameLength.exit, sameLength.stderr]).toEqual([1, ''])
  expect(sameLength.stdout.split('\n').slice(0, 4)).toEqual([
    'Not valid: the signature does not match these bytes',
    'The signature is `sha256(body + secret)`, not `hmac-sha256(secret, body)`',
    ADVICE,
    'encoding  hex',
  ])
  const shorter = await run([...VERIFY, plain('sha1')], { stdin: BODY })
  expect(shorter.stdout).toContain('has 40 characters\nThe signature is `sha1(body + secret)`, not')
  const encoded = Buffer.from(createHmac('sha256', SECRET).update(BODY).digest('hex')).toString('base64')
  const ran = await run([...VERIFY, encoded, '--json'], { stdin: BODY })
  expect([ran.exit, ran.stderr]).toEqual([1, ''])
  expect(JSON.parse(ran.stdout)).toEqual({
    valid: false,
    encoding: null,
    reason: 'malformed',
    cause: 'wrong-construction',
    tried: ['wrong-construction'],
    secret: { source: 'PIXGATE_CLIENT_SECRET', length: SECRET.length, sha256Prefix: expect.any(String) },
    construction: 'base64(hex(hmac-sha256(secret, body)))',
  })
})

it('names the language that wrote this body, and how to verify in it', async () => {
  const [original, given] = [
    '{"event":"pix.received","data":{"amount":10.50}}',
    '{"event": "pix.received", "data": {"amount": 10.5}}',
  ]
  const signature = createHmac('sha256', SECRET).update(original).digest('hex')
  const ran = await emptyWorld({ PIXGATE_CLIENT_SECRET: SECRET }).run([...VERIFY, signature], { stdin: given })
  expect(ran.stdout.split('\n').slice(1, 3)).toEqual([
    "The JSON was parsed and written again, as Python's json.dumps writes it",
    'In Python, verify `request.get_data()` (Flask), `request.body` (Django) or `await request.body()` (FastAPI), before `json.loads`',
  ])
})
