import { isUtf8 } from 'node:buffer'
import { createHash, createHmac } from 'node:crypto'
import { unescape as decodePercent } from 'node:querystring'
import { WINDOWS_1252, windows1252Text } from '../text/windows1252.ts'
import { isObject, keysOf } from '../wire/answers.ts'
import { type JsonTree, locateJson, memberOf, parseJson, readJsonTree } from '../wire/jsonTree.ts'
import {
  asWritten,
  type MemberOrder,
  type NamedWriter,
  type NumberStyle,
  originalOrder,
  reorder,
  shortest,
  sorted,
  twoDecimals,
  writeJsonTree,
} from '../wire/jsonWriters.ts'
import { decodeSignature, isSignedBy, signBody } from '../wire/signature.ts'
import { writersOf, writtenForms } from './serialisers.ts'

/** Possible causes of a mismatch, in the order in which they are tried. */
export const CAUSES = [
  'empty-body',
  'secret-whitespace',
  'secret-changed',
  'other-profile',
  'trailing-newline',
  'bom',
  'crlf',
  'latin1',
  'wrapped',
  'wrong-construction',
  'reserialized',
  'signature-cut',
] as const

/** What carried a secret may have done to it, here or at the sender. */
export type SecretChange = 'quotes' | 'line-break' | 'byte-order-mark' | 'base64' | 'percent-signs'

export type SignatureCause = (typeof CAUSES)[number]

/** Another profile's secret, under the profile's name. */
export interface OtherSecret {
  profile: string
  secret: string
}

/** A signature that does not match, and the secrets that may have been used. */
export interface Mismatch {
  body: Buffer
  /** The header value, which may be malformed. */
  signature: string
  /** The expected secrets, the current one first. */
  secrets: readonly string[]
  others: readonly OtherSecret[]
  /** It may have been used as the key; null if it is not known. */
  clientId?: string | null
}

/** The result of a diagnosis. A cause is proved, because the signature matches if it is undone. */
export interface SignatureDiagnosis {
  /** Null if no cause was found. */
  cause: SignatureCause | null
  /** The causes that were tried, the one that was found among them. */
  tried: SignatureCause[]
  /** The bytes that were signed, if they differ from the given ones; null if they do not or are unknown. */
  original: Buffer | null
  /** All that may have written the given body after parsing the original; only for `reserialized`. */
  writers: readonly NamedWriter[]
  /** In how many ways the JSON was written to find the one that was signed. */
  formsTried: number
  /** How the signature was computed, as a formula: `sha256(body + secret)`; only for `wrong-construction`. */
  construction: string | null
  /** What was done to the secret; only for `secret-changed`. */
  secretChange: SecretChange | null
  /** How the body was wrapped, as its beginning shows; only for `wrapped`. */
  wrapping: Wrapping | null
  /** The other profile whose secret matches. */
  profile: string | null
  /** The index of the expected secret that matches, with or without white space; 0 if none does. */
  secretIndex: number
  /** True if the client id is known and was tried as the key. */
  triesClientId: boolean
  /** False if the body is not JSON, so it cannot have been reserialised. */
  isJson: boolean
  /** True if the body is too large to try everything. */
  isCutShort: boolean
}

type Found = Partial<SignatureDiagnosis>

/** What a body was put into. */
export type Wrapping = 'json-string' | 'base64' | 'buffer'

/** Bytes and a secret that may have made the signature, and what it tells if they have. */
interface Guess {
  content: Buffer | string
  secret: string
  found: Found
}

/** What a secret may have become, and what that tells. */
type Changed = readonly [secret: string, found?: Found]

/** White space that gets into a secret when it is copied or read from a file. */
const BEFORE = ['', ' ', '\t', '\n', '\r\n', '\u00a0']
const BEHIND = ['', '\n', '\r\n', '\r', ' ', '\t', ' \n', '\n\n', '\u00a0', '\0']
/** A byte order mark is no white space here: it comes from a file, not from copying. */
const SPACE_AROUND = /^[^\S\uFEFF]+|[^\S\uFEFF]+$/g
/** What can be serialised and hashed in about a second. */
const WRITTEN_CHARACTERS_MAX = 64 * 1024 * 1024
/** What can be hashed in all ways in about a second. */
const CONTENT_BYTES_MAX = 8 * 1024 * 1024

/** Finds the cause of a mismatch by trying what would match. Nothing is tried if the header value cannot be a digest. */
export function diagnoseSignature(mismatch: Mismatch): SignatureDiagnosis {
  const { body, signature, secrets, others, clientId = null } = mismatch
  const tree = readJsonTree(body.toString('utf8').replace(/^\uFEFF/, ''))
  const data = memberOf(tree, 'data')
  const diagnosis: SignatureDiagnosis = {
    cause: null,
    tried: [],
    original: null,
    writers: [],
    formsTried: 0,
    construction: null,
    secretChange: null,
    wrapping: null,
    profile: null,
    secretIndex: 0,
    triesClientId: clientId !== null,
    isJson: tree !== undefined,
    isCutShort: false,
  }

  /** Those of these that can be tried in about a second. */
  function* affordable<Item>(items: Iterable<Item>, sizeOf: (item: Item) => number, sizeMax: number): Generator<Item> {
    let left = sizeMax
    for (const item of items) {
      left -= sizeOf(item) * secrets.length
      if (left < 0) {
        diagnosis.isCutShort = true
        return
      }
      yield item
    }
  }

  function* written(json: JsonTree, charactersMax: number): Generator<string> {
    for (const text of affordable(writtenForms(json), ({ length }) => length, charactersMax)) {
      if (json === tree) diagnosis.formsTried += 1
      yield text
    }
  }

  /** What the HMAC of other bytes, with each of the secrets, would prove. */
  function* ofContents(contents: Iterable<Buffer | string>, found: Found = {}): Generator<Guess> {
    for (const content of contents) {
      for (const [secretIndex, secret] of secrets.entries()) yield { content, secret, found: { ...found, secretIndex } }
    }
  }

  function* ofSecrets(changed: (secret: string) => Changed[]): Generator<Guess> {
    for (const [secretIndex, each] of secrets.entries()) {
      for (const [secret, found] of changed(each)) yield { content: body, secret, found: { ...found, secretIndex } }
    }
  }

  function* ofWrappings(): Generator<Guess> {
    for (const [wrapping, original] of unwrapped(
      body
        .toString('utf8')
        .replace(/^\uFEFF/, '')
        .trim(),
      2,
    )) {
      yield* ofContents([original, ...trailingBreakVariants(original)], { wrapping })
    }
  }

  /** In this order. */
  function* trials(): Generator<readonly [cause: SignatureCause, found: Found | undefined]> {
    const digest = decodeSignature(signature)?.digest
    const match = (guesses: Iterable<Guess>) => digest && firstMatch(mismatch, digest, guesses)
    if (digest !== undefined) {
      yield ['empty-body', body.length === 0 ? {} : match(ofContents(['']))]
      yield ['secret-whitespace', match(ofSecrets(spacedSecrets))]
      yield ['secret-changed', match(ofSecrets(changedSecrets))]
      if (others.length > 0) {
        yield [
          'other-profile',
          match(others.map(({ secret, profile }) => ({ content: body, secret, found: { profile } }))),
        ]
      }
      yield ['trailing-newline', match(ofContents(trailingBreakVariants(body)))]
      yield ['bom', match(ofContents(byteOrderMarkVariants(body)))]
      yield ['crlf', match(ofContents(lineEndingVariants(body)))]
      yield ['latin1', match(ofContents(characterSetVariants(body)))]
      yield ['wrapped', match(ofWrappings())]
    } else {
      const secretIndex = secrets.findIndex((secret) => isBeginning(signature, body, secret))
      if (secretIndex !== -1) yield ['signature-cut', { secretIndex }]
    }
    const anyDigest = readDigest(signature)
    if (anyDigest === undefined) return
    const contents = affordable(contentsOf(body, tree), ({ bytes }) => bytes.length, CONTENT_BYTES_MAX)
    yield ['wrong-construction', findConstruction(anyDigest, contents, secrets, clientId)]
    if (digest === undefined || tree === undefined) return
    const rewritten = match(ofContents(written(tree, WRITTEN_CHARACTERS_MAX)))
    const signed = readJsonTree(rewritten?.original?.toString('utf8') ?? '')
    const writers = signed === undefined ? [] : writersOf(signed, body.toString('utf8'))
    yield ['reserialized', rewritten && { ...rewritten, writers }]
    // This takes longest and finds least.
    if (data === undefined) return
    const found = { original: null, construction: 'hmac-sha256(secret, data)' }
    yield ['wrong-construction', match(ofContents(written(data, CONTENT_BYTES_MAX), found))]
  }

  for (const [cause, found] of trials()) {
    if (!diagnosis.tried.includes(cause)) diagnosis.tried.push(cause)
    if (found !== undefined) return { ...diagnosis, ...found, cause }
  }
  return diagnosis
}

/** What the first of these proves that has this digest; the body as it is, with a secret that is expected, proves nothing. */
function firstMatch({ body, secrets }: Mismatch, digest: Uint8Array, guesses: Iterable<Guess>): Found | undefined {
  for (const { content, secret, found } of guesses) {
    if (secret === '' || !isSignedBy(digest, content, secret)) continue
    const original = Buffer.from(content)
    if (!original.equals(body)) return { original: original.length === 0 ? null : original, ...found }
    if (!secrets.includes(secret)) return found
  }
  return undefined
}

function spacedSecrets(secret: string): Changed[] {
  const bare = secret.replace(SPACE_AROUND, '')
  return BEFORE.flatMap((before) => BEHIND.map((behind): Changed => [before + bare + behind]))
}

/** The secret as what carried it may have left it. */
function changedSecrets(secret: string): Changed[] {
  const encoded = [secret, `${secret}\n`].map((text) => Buffer.from(text))
  const changes: Readonly<Record<SecretChange, readonly string[]>> = {
    'byte-order-mark': [`\uFEFF${secret}`, secret.replace(/^\uFEFF/, '')],
    quotes: [`"${secret}"`, `'${secret}'`, `\`${secret}\``, secret.replace(/^(["'`])(.*)\1$/s, '$2')],
    // An env file with an escape that was not interpreted.
    'line-break': [`${secret}\\n`, `${secret}\\r\\n`, secret.replace(/(?:\\r)?\\n$/, ''), secret.replace(/\\n$/, '')],
    base64: encoded.flatMap((bytes) => {
      const text = bytes.toString('base64')
      return [text, text.replace(/=+$/, ''), bytes.toString('base64url')]
    }),
    'percent-signs': [
      encodeURIComponent(secret),
      encodeURIComponent(secret).replaceAll('%20', '+'),
      decodePercent(secret),
      decodePercent(secret.replaceAll('+', ' ')),
    ],
  }
  return keysOf(changes).flatMap((secretChange) =>
    changes[secretChange].map((other): Changed => [other, { secretChange }]),
  )
}

/** What a text may hold: a JSON string, an object with a body inside, a Buffer as JSON, Base64; each up to `depth` times. */
function* unwrapped(text: string, depth: number): Generator<[Wrapping, Buffer]> {
  const json = parseJson(text)
  const inside = isObject(json) ? json.body : json
  const bytes = bufferIn(json) ?? bufferIn(inside)
  if (bytes !== undefined) yield ['buffer', bytes]
  const encoded = typeof inside === 'string' ? inside : text
  if (BASE64_TEXT.test(encoded)) yield ['base64', Buffer.from(encoded, 'base64')]
  if (typeof inside !== 'string') return
  yield ['json-string', Buffer.from(inside)]
  if (depth > 1) for (const [, original] of unwrapped(inside, depth - 1)) yield ['json-string', original]
}

const BASE64_TEXT = /^[\w+/-]+={0,2}$/

function bufferIn(value: unknown): Buffer | undefined {
  if (!isObject(value) || value.type !== 'Buffer' || !Array.isArray(value.data)) return undefined
  return Buffer.from(value.data.map(Number))
}

/** Fewer digits could match by chance. */
const CUT_CHARACTERS_MIN = 8

/** True if a header value that is no signature begins the right one. */
function isBeginning(signature: string, body: Buffer, secret: string): boolean {
  const given = signature
    .trim()
    .replace(/^sha256=/i, '')
    .replace(/(?:…|\.\.\.)$/, '')
  if (given.length < CUT_CHARACTERS_MIN) return false
  const isPart = (whole: string, part: string) => whole.length > part.length && whole.startsWith(part)
  return isPart(signBody(body, secret), given.toLowerCase()) || isPart(signBody(body, secret, 'base64'), given)
}

/** What may have been hashed, and how a formula names it. */
interface Content {
  name: string
  bytes: Buffer
}

interface AnyDigest {
  bytes: Buffer
  algorithm: string
  /** True if its hex digits were encoded in Base64. */
  isEncodedHex: boolean
}

const RIGHT = 'hmac-sha256(secret, body)'
const ALGORITHMS: ReadonlyMap<number, string> = new Map([
  [16, 'md5'],
  [20, 'sha1'],
  [32, 'sha256'],
  [48, 'sha384'],
  [64, 'sha512'],
])
const SECRET_SEPARATORS = ['', '.', ':', '|'] as const
const VALUE_SEPARATORS = ['', '|', ',', '.', ':', ';', '-', '&', ' ', '\n'] as const
const ORDERS: readonly MemberOrder[] = [originalOrder, sorted]
const NUMBERS: readonly NumberStyle[] = [asWritten, shortest, twoDecimals]
const NULLS = ['', 'null'] as const
/** What languages make of an object or of nothing where a text is expected. */
const INSTEAD_OF_BODY = ['[object Object]', '{}', 'undefined', 'null', 'None', 'Array'] as const

/**
 * How a signature was computed, found by trying what public clients do: a plain hash over body and secret, an HMAC with
 * another algorithm, over `data` alone, over the parsed values joined together or over what an object becomes as text, hex in
 * Base64, the secret as hex or Base64, swapped arguments, or the client id as the key.
 */
function findConstruction(
  digest: AnyDigest,
  contents: Iterable<Content>,
  secrets: readonly string[],
  clientId: string | null,
): Found | undefined {
  for (const content of contents) {
    for (const [secretIndex, secret] of secrets.entries()) {
      for (const { formula, result } of computed(content, digest.algorithm, secret, clientId)) {
        if (!digest.bytes.equals(result)) continue
        if (digest.isEncodedHex) return { construction: `base64(hex(${formula}))`, secretIndex }
        if (formula !== RIGHT) return { construction: formula, secretIndex }
      }
    }
  }
  return undefined
}

function readDigest(signature: string): AnyDigest | undefined {
  const text = signature.replace(/^(?:md5|sha1|sha256|sha384|sha512)=/i, '')
  const inHex = digestOf(text, false)
  if (inHex !== undefined || !/^[\w+/-]+={0,2}$/.test(text)) return inHex
  const bytes = Buffer.from(text, 'base64')
  const algorithm = ALGORITHMS.get(bytes.length)
  const encodedHex = digestOf(bytes.toString('latin1'), true)
  return encodedHex ?? (algorithm === undefined ? undefined : { bytes, algorithm, isEncodedHex: false })
}

function digestOf(hex: string, isEncodedHex: boolean): AnyDigest | undefined {
  const algorithm = ALGORITHMS.get(hex.length / 2)
  if (algorithm === undefined || !/^[\da-f]+$/i.test(hex)) return undefined
  return { bytes: Buffer.from(hex, 'hex'), algorithm, isEncodedHex }
}

/** The digests of one content in all ways, the right one included. */
function* computed({ name, bytes }: Content, algorithm: string, secret: string, clientId: string | null) {
  const hmac = (key: string | Buffer) => createHmac(algorithm, key).update(bytes).digest()
  const plain = (...parts: (string | Buffer)[]) => {
    const hash = createHash(algorithm)
    for (const part of parts) hash.update(part)
    return hash.digest()
  }
  yield { formula: `hmac-${algorithm}(secret, ${name})`, result: hmac(secret) }
  if (/^(?:[\da-f]{2})+$/i.test(secret)) {
    yield { formula: `hmac-${algorithm}(unhex(secret), ${name})`, result: hmac(Buffer.from(secret, 'hex')) }
  }
  if (/^[\w+/-]+={0,2}$/.test(secret)) {
    yield { formula: `hmac-${algorithm}(unbase64(secret), ${name})`, result: hmac(Buffer.from(secret, 'base64')) }
  }
  if (clientId !== null) yield { formula: `hmac-${algorithm}(client id, ${name})`, result: hmac(clientId) }
  const swapped = createHmac(algorithm, bytes).update(secret).digest()
  yield { formula: `hmac-${algorithm}(${name}, secret)`, result: swapped }
  yield { formula: `${algorithm}(${name})`, result: plain(bytes) }
  for (const separator of SECRET_SEPARATORS) {
    const plus = separator === '' ? '+' : `+ "${separator}" +`
    yield { formula: `${algorithm}(${name} ${plus} secret)`, result: plain(bytes, separator, secret) }
    yield { formula: `${algorithm}(secret ${plus} ${name})`, result: plain(secret, separator, bytes) }
  }
}

function* contentsOf(body: Buffer, tree: JsonTree | undefined): Generator<Content> {
  yield { name: 'body', bytes: body }
  for (const text of INSTEAD_OF_BODY) {
    const bytes = Buffer.from(text)
    // Written with other spaces, it is the same JSON.
    const isSame = tree !== undefined && writeJsonTree(tree) === text
    if (!bytes.equals(body) && !isSame) yield { name: `"${text}"`, bytes }
  }
  yield { name: 'hex(body)', bytes: Buffer.from(body.toString('hex')) }
  yield { name: 'base64(body)', bytes: Buffer.from(body.toString('base64')) }
  if (tree?.kind !== 'object') return
  const data = memberOf(tree, 'data')
  if (data !== undefined) {
    yield { name: 'data', bytes: dataIn(body) }
    yield* joinedValues('values of data', data)
  }
  yield* joinedValues('all values', tree)
}

/** The bytes of the last member `data` as they are in the body. */
function dataIn(body: Buffer): Buffer {
  const text = body.toString('utf8').replace(/^\uFEFF/, '')
  const data = locateJson(text, 0).children.findLast(({ name }) => name === 'data')
  return Buffer.from(text.slice(data?.start, data?.end))
}

function* joinedValues(name: string, tree: JsonTree): Generator<Content> {
  const seen = new Set<string>()
  for (const order of ORDERS) {
    for (const numbers of NUMBERS) {
      for (const nothing of NULLS) {
        const values = leavesOf(reorder(tree, order), numbers, nothing)
        for (const separator of VALUE_SEPARATORS) {
          const joined = values.join(separator)
          if (seen.has(joined)) continue
          seen.add(joined)
          const how = separator === '' ? '' : ` joined by ${JSON.stringify(separator)}`
          yield { name: name + how, bytes: Buffer.from(joined) }
        }
      }
    }
  }
}

/** The values of a tree as text, without names and punctuation. */
function leavesOf(tree: JsonTree, numbers: NumberStyle, nothing: string): string[] {
  switch (tree.kind) {
    case 'object':
      return tree.members.flatMap(({ value }) => leavesOf(value, numbers, nothing))
    case 'array':
      return tree.items.flatMap((item) => leavesOf(item, numbers, nothing))
    case 'string':
      return [tree.text]
    case 'number':
      return [Number.isFinite(Number(tree.literal)) ? numbers(tree.literal, '') : tree.literal]
    case 'word':
      return [tree.word === 'null' ? nothing : tree.word]
  }
}

const BREAK_AT_END = /(?:\r\n|\n|\r)$/
const UTF8_MARK = Buffer.from([0xef, 0xbb, 0xbf])
const LITTLE_ENDIAN_MARK = Buffer.from([0xff, 0xfe])
const BIG_ENDIAN_MARK = Buffer.from([0xfe, 0xff])

/** The body with a different line break at the end, or none. */
export function* trailingBreakVariants(body: Buffer): Generator<Buffer> {
  const text = body.toString('latin1')
  for (const bare of new Set([text.replace(BREAK_AT_END, ''), withoutBreaksAtEnd(text)])) {
    yield Buffer.from(bare, 'latin1')
  }
  for (const end of ['\n', '\r\n']) yield Buffer.from(text + end, 'latin1')
}

function withoutBreaksAtEnd(text: string): string {
  let end = text.length
  while (text[end - 1] === '\n' || text[end - 1] === '\r') end -= 1
  return text.slice(0, end)
}

/** The body without its byte order mark, or with one added; UTF-16 becomes UTF-8. */
function* byteOrderMarkVariants(body: Buffer): Generator<Buffer> {
  const unmarked = withoutMark(body)
  if (unmarked === undefined) {
    yield Buffer.concat([UTF8_MARK, body])
    return
  }
  for (const lines of [unmarked, ...lineEndingVariants(unmarked)]) {
    yield lines
    yield* trailingBreakVariants(lines)
  }
}

/** The body with different line endings. */
export function* lineEndingVariants(body: Buffer): Generator<Buffer> {
  const text = body.toString('latin1')
  const lines = text.replace(/\r\n|\r/g, '\n')
  for (const end of ['\n', '\r\n', '\r']) {
    const changed = Buffer.from(lines.replaceAll('\n', end), 'latin1')
    if (changed.equals(body)) continue
    yield changed
    yield* trailingBreakVariants(changed)
  }
}

/** The body after UTF-8 was read as a single-byte character set, or the reverse, once or twice. */
function* characterSetVariants(body: Buffer): Generator<Buffer> {
  if (body.every((byte) => byte < 0x80)) return
  const once = recoded(body)
  for (const each of [...once, ...once.flatMap(recoded)]) {
    yield each
    yield* trailingBreakVariants(each)
  }
}

const WINDOWS_BYTES = new Map(
  Array.from(WINDOWS_1252, (character, place) => [character, String.fromCharCode(0x80 + place)]),
)

/** Bytes in Latin-1 and Windows-1252 instead of UTF-8, as far as these have their characters, and in UTF-8 instead of these. */
function recoded(bytes: Buffer): Buffer[] {
  const text = isUtf8(bytes) ? bytes.toString('utf8') : undefined
  const inWindows = text?.replace(/[^\0-\x7f\xa0-\xff]/g, (character) => WINDOWS_BYTES.get(character) ?? character)
  const encoded = [text, inWindows].filter((each) => each !== undefined && /^[\0-\xff]*$/.test(each))
  return [
    ...encoded.map((each) => Buffer.from(each ?? '', 'latin1')),
    ...[bytes.toString('latin1'), windows1252Text(bytes)].map((each) => Buffer.from(each)),
  ]
}

function withoutMark(body: Buffer): Buffer | undefined {
  if (startsWith(body, UTF8_MARK)) return body.subarray(UTF8_MARK.length)
  const isBigEndian = startsWith(body, BIG_ENDIAN_MARK)
  if (!isBigEndian && !startsWith(body, LITTLE_ENDIAN_MARK)) return undefined
  const units = Buffer.from(body.subarray(2, body.length - (body.length % 2)))
  return Buffer.from((isBigEndian ? units.swap16() : units).toString('utf16le'))
}

function startsWith(body: Buffer, mark: Buffer): boolean {
  return body.subarray(0, mark.length).equals(mark)
}
