import { createHash, createHmac } from 'node:crypto'
import { valueOr } from '../pix/malformed.ts'
import { WINDOWS_1252, windows1252Text } from '../text/windows1252.ts'
import { isObject } from '../wire/answers.ts'
import { type JsonTree, locateJson, memberOf, parseJson, readJsonTree, writeJsonTree } from '../wire/jsonTree.ts'
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
  writersOf,
} from '../wire/jsonWriters.ts'
import { decodeSignature, isSignedBy, signBody } from '../wire/signature.ts'
import { writtenForms } from './serialisers.ts'

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

interface WellFormed extends Mismatch {
  /** The 32 bytes of the signature. */
  digest: Uint8Array
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

type Found = Partial<
  Pick<
    SignatureDiagnosis,
    'original' | 'writers' | 'construction' | 'profile' | 'secretIndex' | 'secretChange' | 'wrapping'
  >
>

/** What a body was put into. */
export type Wrapping = 'json-string' | 'base64' | 'buffer'
type Trial = readonly [cause: SignatureCause, find: () => Found | undefined]

interface Budget {
  characters: number
  forms: number
  /** True once something was left out. */
  isSpent: boolean
}

/** White space that gets into a secret when it is copied or read from a file. */
const BEFORE = ['', ' ', '\t', '\n', '\r\n', '\u00a0']
const BEHIND = ['', '\n', '\r\n', '\r', ' ', '\t', ' \n', '\n\n', '\u00a0', '\0']
/** A byte order mark is no white space here: it comes from a file, not from copying. */
const SPACE_AROUND = /^[^\S\uFEFF]+|[^\S\uFEFF]+$/g
/** What can be serialised and hashed in about a second. */
const WRITTEN_CHARACTERS_MAX = 64 * 1024 * 1024

/** Finds the cause of a mismatch by trying what would match. Nothing is tried if the header value cannot be a digest. */
export function diagnoseSignature(mismatch: Mismatch): SignatureDiagnosis {
  const { body, signature } = mismatch
  const tree = readJsonTree(body.toString('utf8').replace(/^\uFEFF/, ''))
  const budget: Budget = { characters: WRITTEN_CHARACTERS_MAX, forms: 0, isSpent: false }
  const digest = decodeSignature(signature)?.digest
  const asConstructed = (contents: 'received' | 'rewritten'): Trial[] =>
    isAnyDigest(signature) ? [['wrong-construction', () => otherwiseSigned(mismatch, tree, contents, budget)]] : []
  const trials: Trial[] = [
    ...(digest === undefined ? cutOf(mismatch) : changesOf({ ...mismatch, digest })),
    ...asConstructed('received'),
    ...(digest === undefined || tree === undefined
      ? []
      : [['reserialized', () => writtenAgain({ ...mismatch, digest }, tree, budget)] satisfies Trial]),
    // This takes longest and finds least.
    ...asConstructed('rewritten'),
  ]
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
    triesClientId: (mismatch.clientId ?? null) !== null,
    isJson: tree !== undefined,
    isCutShort: false,
  }
  for (const [cause, find] of trials) {
    if (!diagnosis.tried.includes(cause)) diagnosis.tried.push(cause)
    const found = find()
    if (found !== undefined) return { ...diagnosis, ...found, formsTried: budget.forms, cause }
  }
  return { ...diagnosis, formsTried: budget.forms, isCutShort: budget.isSpent }
}

/** What may have changed the secret or the body of an HMAC-SHA256, except writing its JSON again. */
function changesOf(mismatch: WellFormed): Trial[] {
  const { body, others } = mismatch
  return [
    ['empty-body', () => emptyBody(mismatch)],
    ['secret-whitespace', () => secretWithWhiteSpace(mismatch)],
    ['secret-changed', () => changedSecret(mismatch)],
    ...(others.length === 0 ? [] : [['other-profile', () => otherProfile(mismatch)] satisfies Trial]),
    ['trailing-newline', () => firstSigned(mismatch, trailingBreakVariants(body))],
    ['bom', () => firstSigned(mismatch, byteOrderMarkVariants(body))],
    ['crlf', () => firstSigned(mismatch, lineEndingVariants(body))],
    ['latin1', () => firstSigned(mismatch, characterSetVariants(body))],
    ['wrapped', () => wrappedBody(mismatch)],
  ]
}

function otherwiseSigned(
  { body, signature, secrets, clientId = null }: Mismatch,
  tree: JsonTree | undefined,
  contents: 'received' | 'rewritten',
  budget: Budget,
): Found | undefined {
  const found = findConstruction({ signature, body, secrets, clientId }, tree, contents, budget)
  return found === undefined ? undefined : { construction: found.formula, secretIndex: found.secretIndex }
}

/** A body that is empty needs no proof; else the signature must be that of nothing. */
function emptyBody(mismatch: WellFormed): Found | undefined {
  const secretIndex = signerOf(mismatch, '')
  if (secretIndex !== -1) return { secretIndex }
  return mismatch.body.length === 0 ? {} : undefined
}

function secretWithWhiteSpace({ body, digest, secrets }: WellFormed): Found | undefined {
  for (const [secretIndex, secret] of secrets.entries()) {
    const bare = secret.replace(SPACE_AROUND, '')
    for (const before of BEFORE) {
      for (const behind of BEHIND) {
        const other = before + bare + behind
        if (other !== '' && other !== secret && isSignedBy(digest, body, other)) return { secretIndex }
      }
    }
  }
  return undefined
}

/** The secret as what carried it may have left it; the first that signed the body tells what that was. */
function changedSecret({ body, digest, secrets }: WellFormed): Found | undefined {
  for (const [secretIndex, secret] of secrets.entries()) {
    for (const [secretChange, other] of changedSecrets(secret)) {
      if (other !== '' && other !== secret && isSignedBy(digest, body, other)) return { secretIndex, secretChange }
    }
  }
  return undefined
}

function* changedSecrets(secret: string): Generator<[SecretChange, string]> {
  const bare = secret.replace(/^\uFEFF/, '')
  yield ['byte-order-mark', bare === secret ? `\uFEFF${secret}` : bare]
  for (const quote of ['"', "'", '`']) {
    yield ['quotes', quote + secret + quote]
    if (secret.startsWith(quote) && secret.endsWith(quote)) yield ['quotes', secret.slice(1, -1)]
  }
  // An env file with an escape that was not interpreted.
  for (const end of ['\\n', '\\r\\n']) {
    yield ['line-break', secret + end]
    if (secret.endsWith(end)) yield ['line-break', secret.slice(0, -end.length)]
  }
  for (const text of [secret, `${secret}\n`]) {
    const encoded = Buffer.from(text).toString('base64')
    yield ['base64', encoded]
    yield ['base64', encoded.replace(/=+$/, '')]
    yield ['base64', encoded.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')]
  }
  yield ['percent-signs', encodeURIComponent(secret)]
  yield ['percent-signs', encodeURIComponent(secret).replaceAll('%20', '+')]
  yield ['percent-signs', decodePercent(secret)]
  yield ['percent-signs', decodePercent(secret.replaceAll('+', ' '))]
}

/** As it is if it has percent signs of another meaning. */
function decodePercent(text: string): string {
  return valueOr(text, URIError, () => decodeURIComponent(text))
}

/** A body that something before the receiver has put into a text, or that a log shows so. */
function wrappedBody(mismatch: WellFormed): Found | undefined {
  for (const [wrapping, original] of unwrapped(
    mismatch.body
      .toString('utf8')
      .replace(/^\uFEFF/, '')
      .trim(),
    2,
  )) {
    const found = firstSigned(mismatch, [original, ...trailingBreakVariants(original)])
    if (found !== undefined) return { ...found, wrapping }
  }
  return undefined
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

/** A signature that is too short to be one, but begins the right one. */
function cutOf({ body, signature, secrets }: Mismatch): Trial[] {
  const given = signature
    .trim()
    .replace(/^sha256=/i, '')
    .replace(/(?:…|\.\.\.)$/, '')
  if (given.length < CUT_CHARACTERS_MIN) return []
  const secretIndex = secrets.findIndex((secret) => {
    const [hex, base64] = [signBody(body, secret), signBody(body, secret, 'base64')]
    const isPart = (whole: string, part: string) => whole.length > part.length && whole.startsWith(part)
    return isPart(hex, given.toLowerCase()) || isPart(base64, given)
  })
  return secretIndex === -1 ? [] : [['signature-cut', () => ({ secretIndex })]]
}

function otherProfile({ body, digest, others }: WellFormed): Found | undefined {
  const owner = others.find(({ secret }) => isSignedBy(digest, body, secret))
  return owner === undefined ? undefined : { profile: owner.profile }
}

function firstSigned(mismatch: WellFormed, variants: Iterable<Buffer>): Found | undefined {
  for (const original of variants) {
    const secretIndex = signerOf(mismatch, original)
    if (secretIndex !== -1) return { original, secretIndex }
  }
  return undefined
}

function writtenAgain(mismatch: WellFormed, tree: JsonTree, budget: Budget): Found | undefined {
  for (const { text } of writtenForms(tree)) {
    budget.forms += 1
    budget.characters -= text.length * mismatch.secrets.length
    if (budget.characters < 0) {
      budget.isSpent = true
      return undefined
    }
    const secretIndex = signerOf(mismatch, text)
    if (secretIndex === -1) continue
    const signed = readJsonTree(text)
    const writers = signed === undefined ? [] : writersOf(signed, mismatch.body.toString('utf8'))
    return { original: Buffer.from(text), writers, secretIndex }
  }
  return undefined
}

/** The index of the secret that signed this content; -1 if none did. */
function signerOf({ digest, secrets }: WellFormed, content: Uint8Array | string): number {
  return secrets.findIndex((secret) => isSignedBy(digest, content, secret))
}

/** A signature that was computed in another way than the service does, proved by the signature itself. */
interface WrongConstruction {
  /** How it was computed: `sha256(body + secret)`, `base64(hex(hmac-sha256(secret, body)))`. */
  formula: string
  /** The index of the secret that was used; 0 if none was. */
  secretIndex: number
}

interface Suspect {
  signature: string
  body: Buffer
  secrets: readonly string[]
  clientId: string | null
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
/** What can be hashed in all ways in about a second. */
const BYTES_MAX = 8 * 1024 * 1024

/** True if the header value has the length of a digest that another construction gives. */
function isAnyDigest(signature: string): boolean {
  return readDigest(signature) !== undefined
}

/**
 * Finds how a signature was computed by trying what public clients do: a plain hash over body and secret, an HMAC with
 * another algorithm, over `data` alone, over the parsed values joined together or over what an object becomes as text, hex in
 * Base64, the secret as hex or Base64, swapped arguments, or the client id as the key. `tree` is the body as JSON, if it is.
 */
export function findConstruction(
  { signature, body, secrets, clientId }: Suspect,
  tree: JsonTree | undefined,
  contents: 'received' | 'rewritten',
  budget: Pick<Budget, 'isSpent'>,
): WrongConstruction | undefined {
  const digest = readDigest(signature)
  if (digest === undefined) return undefined
  let bytes = BYTES_MAX
  for (const content of contents === 'received' ? contentsOf(body, tree) : rewrittenData(tree)) {
    bytes -= content.bytes.length * secrets.length
    if (bytes < 0 && content.bytes !== body) {
      budget.isSpent = true
      return undefined
    }
    for (const [secretIndex, secret] of secrets.entries()) {
      for (const { formula, result } of computed(content, digest.algorithm, secret, clientId)) {
        if (digest.bytes.equals(result)) {
          if (digest.isEncodedHex) return { formula: `base64(hex(${formula}))`, secretIndex }
          if (formula !== RIGHT) return { formula, secretIndex }
        }
        // There are too many forms of rewritten data to try more than the HMAC of each, which comes first.
        if (contents === 'rewritten') break
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

function* rewrittenData(tree: JsonTree | undefined): Generator<Content> {
  const data = memberOf(tree, 'data')
  if (data === undefined) return
  for (const { text } of writtenForms(data)) yield { name: 'data', bytes: Buffer.from(text) }
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
const SINGLE_BYTE_SETS: readonly SingleByteEncoding[] = ['latin1', 'windows-1252']

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
  let level = [body]
  for (let times = 0; times < 2; times++) {
    level = level.flatMap((each) =>
      SINGLE_BYTE_SETS.flatMap((set) => [...encodedVariant(each, set), ...decodedVariant(each, set)]),
    )
    for (const each of level) {
      yield each
      yield* trailingBreakVariants(each)
    }
  }
}

/** Decodes UTF-8; undefined if the bytes are not valid UTF-8. */
function utf8Text(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return undefined
  }
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

function encodedVariant(body: Buffer, set: SingleByteEncoding): Buffer[] {
  const text = utf8Text(body)
  const bytes = text === undefined ? undefined : encodeSingleByte(text, set)
  return bytes === undefined ? [] : [bytes]
}

function decodedVariant(body: Buffer, set: SingleByteEncoding): Buffer[] {
  return [Buffer.from(decodeSingleByte(body, set))]
}

const PLACES = new Map(Array.from(WINDOWS_1252, (character, place) => [character, 0x80 + place]))

type SingleByteEncoding = 'latin1' | 'windows-1252'

function decodeSingleByte(bytes: Uint8Array, set: SingleByteEncoding): string {
  return set === 'latin1' ? Buffer.from(bytes).toString('latin1') : windows1252Text(bytes)
}

/** Encodes text in this character set; undefined if it contains another character. */
function encodeSingleByte(text: string, set: SingleByteEncoding): Buffer | undefined {
  const known = set === 'latin1' ? text : text.replace(/[^\u0000-\u007f\u00a0-\u00ff]/g, windowsByte)
  return /^[\u0000-\u00ff]*$/.test(known) ? Buffer.from(known, 'latin1') : undefined
}

function windowsByte(character: string): string {
  const place = PLACES.get(character)
  return place === undefined ? character : String.fromCharCode(place)
}
