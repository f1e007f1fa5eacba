import { createHash, createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import { diagnoseSignature, type SignatureDiagnosis } from '../../src/diagnosis/signatureDiagnosis.ts'

const SECRET = 'c2VjcmV0LW9mLXNob3A='
const CLIENT_ID = 'shop-1'
const OTHER = { profile: 'other', secret: 'the-secret-of-other' }

/** As the service writes it: decimals of money, letters and punctuation as they are. */
const SIGNED =
  '{"event":"transfer.completed","data":{"idTransaction":"t1","value":10.50,"fee":2.00,"name":"João <&\'> S/A"}}'

const TOP = '{"event":"transfer.completed","data":{"idTransaction":"t1"'

/** What each of these makes of it, after parsing it as it usually does. */
const WRITERS: Readonly<Record<string, readonly [language: string, body: string]>> = {
  "JavaScript's JSON.stringify": ['JavaScript', `${TOP},"value":10.5,"fee":2,"name":"João <&'> S/A"}}`],
  "Python's json.dumps": [
    'Python',
    '{"event": "transfer.completed", "data": {"idTransaction": "t1", "value": 10.5, "fee": 2.0, "name": "Jo\\u00e3o <&\'> S/A"}}',
  ],
  "PHP's json_encode": ['PHP', `${TOP},"value":10.5,"fee":2,"name":"Jo\\u00e3o <&'> S\\/A"}}`],
  "Laravel's or Symfony's JsonResponse": [
    'PHP',
    `${TOP},"value":10.5,"fee":2,"name":"Jo\\u00e3o \\u003C\\u0026\\u0027\\u003E S\\/A"}}`,
  ],
  "Go's encoding/json": [
    'Go',
    '{"data":{"fee":2,"idTransaction":"t1","name":"João \\u003c\\u0026\'\\u003e S/A","value":10.5},"event":"transfer.completed"}',
  ],
  "Java's Jackson": ['Java', `${TOP},"value":10.5,"fee":2.0,"name":"João <&'> S/A"}}`],
  "Java's Gson": ['Java', `${TOP},"value":10.50,"fee":2.00,"name":"João \\u003c\\u0026\\u0027\\u003e S/A"}}`],
  "Java's org.json": ['Java', `${TOP},"value":10.5,"fee":2,"name":"João <&'> S/A"}}`],
  ".NET's System.Text.Json": [
    'C#',
    `${TOP},"value":10.50,"fee":2.00,"name":"Jo\\u00E3o \\u003C\\u0026\\u0027\\u003E S/A"}}`,
  ],
  ".NET's Newtonsoft.Json": ['C#', `${TOP},"value":10.5,"fee":2.0,"name":"João <&'> S/A"}}`],
  "Ruby's JSON.generate or Rails": ['Ruby', `${TOP},"value":10.5,"fee":2.0,"name":"João \\u003c\\u0026'\\u003e S/A"}}`],
  'the JSON columns of PostgreSQL or MySQL': [
    'database',
    '{"data": {"fee": 2.00, "name": "João <&\'> S/A", "value": 10.50, "idTransaction": "t1"}, "event": "transfer.completed"}',
  ],
  'a formatter or an editor': [
    'editor',
    '{\n  "event": "transfer.completed",\n  "data": {\n    "idTransaction": "t1",\n    "value": 10.50,\n    "fee": 2.00,\n    "name": "João <&\'> S/A"\n  }\n}',
  ],
}

type Digest = (body: string) => Buffer

const hash = (algorithm: string, text: string) => createHash(algorithm).update(text).digest()
const hmac = (key: string | Buffer, text: string | Buffer, algorithm = 'sha256') =>
  createHmac(algorithm, key).update(text).digest()
const hex = (text: string | Buffer) => Buffer.from(text).toString('hex')

/** Signatures over the body as it is, each with its true name: a formula, or a cause. */
const CONSTRUCTIONS: readonly (readonly [name: string, digest: Digest])[] = [
  ...['md5', 'sha1', 'sha256', 'sha384', 'sha512'].flatMap((algorithm) => [
    [`${algorithm}(body)`, (body: string) => hash(algorithm, body)] as const,
    [`${algorithm}(body + secret)`, (body: string) => hash(algorithm, body + SECRET)] as const,
    [`${algorithm}(secret + body)`, (body: string) => hash(algorithm, SECRET + body)] as const,
    [`hmac-${algorithm}(body, secret)`, (body: string) => hmac(body, SECRET, algorithm)] as const,
  ]),
  ...['md5', 'sha1', 'sha384', 'sha512'].map(
    (algorithm) => [`hmac-${algorithm}(secret, body)`, (body: string) => hmac(SECRET, body, algorithm)] as const,
  ),
  ['sha256(body + "." + secret)', (body) => hash('sha256', `${body}.${SECRET}`)],
  ['sha256(secret + ":" + body)', (body) => hash('sha256', `${SECRET}:${body}`)],
  ['sha256(secret + "|" + body)', (body) => hash('sha256', `${SECRET}|${body}`)],
  ['hmac-sha256(client id, body)', (body) => hmac(CLIENT_ID, body)],
  ['hmac-sha256(unbase64(secret), body)', (body) => hmac(Buffer.from(SECRET, 'base64'), body)],
  ['hmac-sha256(secret, hex(body))', (body) => hmac(SECRET, hex(body))],
  ['hmac-sha256(secret, base64(body))', (body) => hmac(SECRET, Buffer.from(body).toString('base64'))],
  ['hmac-sha256(secret, "[object Object]")', () => hmac(SECRET, '[object Object]')],
  ['hmac-sha256(secret, "{}")', () => hmac(SECRET, '{}')],
  ['empty-body', () => hmac(SECRET, '')],
  ['secret-whitespace', (body) => hmac(`${SECRET}\n`, body)],
  ['other-profile', (body) => hmac(OTHER.secret, body)],
  ['trailing-newline', (body) => hmac(SECRET, `${body}\n`)],
  ['bom', (body) => hmac(SECRET, `\uFEFF${body}`)],
  ['latin1', (body) => hmac(SECRET, Buffer.from(body).toString('latin1'))],
  ['unknown', (body) => hmac('a-secret-that-nobody-knows', body)],
]

const ENCODINGS: Readonly<Record<string, (digest: Buffer) => string>> = {
  hex: (digest) => digest.toString('hex'),
  'upper-case hex': (digest) => digest.toString('hex').toUpperCase(),
  Base64: (digest) => digest.toString('base64'),
  'hex in Base64': (digest) => Buffer.from(digest.toString('hex')).toString('base64'),
}

function diagnose(body: string, signature: string): SignatureDiagnosis {
  return diagnoseSignature({
    body: Buffer.from(body),
    signature,
    secrets: [SECRET],
    others: [OTHER],
    clientId: CLIENT_ID,
  })
}

/** The names that are true of a signature: only HMAC-SHA256 in hex or Base64 is compared with what may have changed the body. */
function trueName(name: string, encoding: string): string | null {
  const isEncodedHex = encoding === 'hex in Base64'
  if (name.includes('(')) return isEncodedHex ? `base64(hex(${name}))` : name
  if (name === 'unknown' || isEncodedHex) return null
  return name
}

test('40 constructions of 13 writers in 4 encodings: none is named wrongly', { timeout: 120_000 }, () => {
  expect(CONSTRUCTIONS).toHaveLength(40)
  const wrong: unknown[] = []
  const encodings = Object.entries(ENCODINGS)
  for (const [nth, [writer, [, body]]] of Object.entries(WRITERS).entries()) {
    for (const [index, [name, digest]] of CONSTRUCTIONS.entries()) {
      // In ASCII both character sets have the same bytes, so that signature is right.
      if (name === 'latin1' && /^[\0-\x7f]*$/.test(body)) continue
      // Each writer meets each encoding, and each construction is met in all of them.
      for (const [encoding, encode] of encodings.slice((nth + index) % encodings.length).slice(0, 1)) {
        const { cause, construction } = diagnose(body, encode(digest(body)))
        const found = construction ?? cause
        if (found !== trueName(name, encoding)) wrong.push([writer, name, encoding, found])
      }
    }
  }
  expect(wrong).toEqual([])
})

test.each(Object.entries(WRITERS))(
  'the writer of this body, and no language but those that write it so: %s',
  (name, [language, body]) => {
    const { cause, original, writers } = diagnose(body, ENCODINGS.hex?.(hmac(SECRET, SIGNED)) ?? '')
    expect([cause, original?.toString()]).toEqual(['reserialized', SIGNED])
    expect(writers.map((each) => each.name)).toContain(name)
    const sameBody = Object.entries(WRITERS).filter(([, [, other]]) => other === body)
    // Nobody who writes it otherwise without being told to is alone in the list.
    if (writers.length === 1) expect([writers[0]?.language, sameBody.length]).toEqual([language, 1])
  },
)
