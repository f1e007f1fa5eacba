import { createHash, createHmac } from 'node:crypto'
import { asWritten, type NumberStyle, shortest, twoDecimals } from './jsonNumbers.ts'
import { type MemberOrder, originalOrder, reorder, sorted } from './jsonOrders.ts'
import { type JsonTree, locateJson, memberOf } from './jsonTree.ts'
import { writtenForms } from './serialisers.ts'

/** A signature that was computed in another way than the service does, proved by the signature itself. */
export interface WrongConstruction {
  /** How it was computed: `sha256(body + secret)`, `base64(hex(hmac-sha256(secret, body)))`. */
  formula: string
  /** The index of the secret that was used; 0 if none was. */
  secretIndex: number
}

/** A signature that does not match, and what may have been used to make it. */
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

/** The digest in a header value, of any algorithm. */
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
export function isAnyDigest(signature: string): boolean {
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
): WrongConstruction | undefined {
  const digest = readDigest(signature)
  if (digest === undefined) return undefined
  let budget = BYTES_MAX
  for (const content of contents === 'received' ? contentsOf(body, tree) : rewrittenData(tree)) {
    budget -= content.bytes.length * secrets.length
    if (budget < 0 && content.bytes !== body) return undefined
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
    if (!bytes.equals(body)) yield { name: `"${text}"`, bytes }
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

/** The member `data` as serialisers write it. */
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
