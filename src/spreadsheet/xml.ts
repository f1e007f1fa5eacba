import { t } from '../text/translate.ts'
import { windows1252Text } from '../text/windows1252.ts'
import { isSystemError } from '../wire/errors.ts'

/** Thrown for the XML of a workbook that is damaged or made to harm, with the reason. */
export class UnsafeXml extends Error {}

/**
 * What takes the parts of an XML text in their order. Names are without their prefixes if they are of the same namespace as the first tag;
 * those of other namespaces have a colon in them.
 */
export interface XmlHandler {
  /** `parent` is the name of the tag around it, empty for the first; `attributes` reads the attributes, their entities decoded. */
  open(name: string, attributes: () => ReadonlyMap<string, string>, parent: string): void
  close?(name: string, parent: string): void
  /** A piece of the text between two tags, its entities decoded. */
  text?(text: string): void
}

/** Longer than any tag of a spreadsheet, with room for namespaces. */
const TAG_CHARACTERS_MAX = 16 * 1024
/** More than half a million rows of eight columns have. */
const TAGS_MAX = 20_000_000
const DEPTH_MAX = 100
/** Longer than any entity that is decoded. */
const ENTITY_CHARACTERS_MAX = 10
const COMMENT = ['<!--', '-->'] as const
const INSTRUCTION = ['<?', '?>'] as const
const CDATA = '<![CDATA['
const [LESS, GREATER, SLASH, QUOTE, APOSTROPHE] = [0x3c, 0x3e, 0x2f, 0x22, 0x27]

/**
 * Gives an XML text to a handler, chunk by chunk, and yields after each. It keeps no more of the text than one tag, and takes time in
 * proportion to it. Throws UnsafeXml.
 */
export async function* readXml(bytes: AsyncIterable<Uint8Array>, handler: XmlHandler): AsyncGenerator<void> {
  const reader = new XmlReader(handler)
  for await (const text of xmlText(bytes)) {
    reader.push(text)
    yield
  }
  reader.end()
  yield
}

/** The characters of an XML text, whose encoding its first bytes tell, chunk by chunk. Throws UnsafeXml. */
export async function* xmlText(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let head = Buffer.alloc(0)
  let decode: ChunkDecoder | undefined
  try {
    for await (const chunk of bytes) {
      head = Buffer.concat([head, chunk])
      if (decode === undefined && head.length < DECLARATION_BYTES_MAX) continue
      decode ??= decoderOf(encodingOf(head))
      yield decode(head)
      head = Buffer.alloc(0)
    }
    decode ??= decoderOf(encodingOf(head))
    yield decode(head) + decode()
  } catch (error) {
    if (isSystemError(error) && error.code === 'ERR_ENCODING_INVALID_ENCODED_DATA')
      throw new UnsafeXml(t`its text is not in the encoding that it names, or not UTF-8`)
    throw error
  }
}

/** Decodes the next bytes; without any, what is left. */
type ChunkDecoder = (chunk?: Uint8Array) => string

/** The encodings of XML that are read, as declarations name them in lower case. */
const ENCODINGS: Readonly<Record<string, Encoding>> = {
  'utf-8': 'utf-8',
  utf8: 'utf-8',
  'us-ascii': 'utf-8',
  ascii: 'utf-8',
  'utf-16': 'utf-16',
  'utf-16le': 'utf-16',
  'utf-16be': 'utf-16',
  // The control characters in which the two differ are in no sheet.
  'iso-8859-1': 'windows-1252',
  latin1: 'windows-1252',
  'windows-1252': 'windows-1252',
  cp1252: 'windows-1252',
}
type Encoding = 'utf-8' | 'utf-16' | 'windows-1252'

/** More than a declaration has, in two bytes for each character. */
const DECLARATION_BYTES_MAX = 1024
const DECLARED = /^\s*<\?xml\s[^>]*?\sencoding\s*=\s*(["'])([^"'<>]*)\1/
/** How the first bytes of an XML text in UTF-16 look, with and without a mark. */
const UTF_16 = { fffe: 'utf-16le', '3c00': 'utf-16le', feff: 'utf-16be', '003c': 'utf-16be' } as const

/** The encoding of an XML text that begins with these bytes. Throws UnsafeXml for one that is not read, or that it does not have. */
function encodingOf(head: Buffer): Exclude<Encoding, 'utf-16'> | 'utf-16le' | 'utf-16be' {
  const [, wide] = Object.entries(UTF_16).find(([bytes]) => head.toString('hex', 0, 2) === bytes) ?? []
  const isMarked = head.toString('hex', 0, 3) === 'efbbbf'
  const beginning = head.subarray(isMarked ? 3 : 0, DECLARATION_BYTES_MAX)
  const text =
    wide === undefined
      ? beginning.toString('latin1')
      : beginning
          .toString('latin1')
          .replaceAll('\0', '')
          .replace(/^[\xfe\xff]{2}/, '')
  const [, , name = wide === undefined ? 'utf-8' : 'utf-16'] = DECLARED.exec(text) ?? []
  const declared = ENCODINGS[name.toLowerCase()]
  if (declared === undefined) throw new UnsafeXml(t`its text is in ${name}, which is not read`)
  const isAsDeclared =
    declared === 'utf-16' ? wide !== undefined : wide === undefined && (!isMarked || declared === 'utf-8')
  if (!isAsDeclared) throw new UnsafeXml(t`its text says that it is in ${name}, but it is not`)
  return declared === 'utf-16' ? (wide ?? 'utf-16le') : declared
}

function decoderOf(encoding: ReturnType<typeof encodingOf>): ChunkDecoder {
  if (encoding === 'windows-1252') return (chunk = new Uint8Array()) => windows1252Text(chunk)
  const decoder = new TextDecoder(encoding, { fatal: true })
  return (chunk) => decoder.decode(chunk, { stream: chunk !== undefined })
}

class XmlReader {
  readonly #handler: XmlHandler
  /** The names of the open tags, as they are written, and as the handler has them. */
  readonly #open: string[] = []
  readonly #given: string[] = []
  readonly #namespaces = new Namespaces()
  /** Text that is not complete yet. */
  #pending = ''
  /** What ends the comment or instruction whose text is being skipped, or the quoted text that is being read. */
  #skippedUntil: string | undefined
  #isQuoted = false
  #tags = 0

  constructor(handler: XmlHandler) {
    this.#handler = handler
  }

  push(text: string): void {
    const all = this.#pending + text
    let at = 0
    for (let next = this.#read(all, at); next !== undefined; next = this.#read(all, at)) at = next
    this.#pending = this.#keep(all, at)
  }

  end(): void {
    const rest = this.#pending
    if (this.#skippedUntil !== undefined || this.#open.length > 0) throw new UnsafeXml(t`it was cut off`)
    if (rest.includes('<')) throw new UnsafeXml(t`it has a tag without an end`)
  }

  /** Reads what begins at a place, and returns the place behind it; undefined if its end has not come yet. */
  #read(all: string, at: number): number | undefined {
    if (at >= all.length) return undefined
    if (this.#skippedUntil !== undefined) {
      const end = all.indexOf(this.#skippedUntil, at)
      if (end === -1) return undefined
      this.#takeQuoted(all.slice(at, end))
      const next = end + this.#skippedUntil.length
      this.#skippedUntil = undefined
      this.#isQuoted = false
      return next
    }
    if (all.charCodeAt(at) !== LESS) {
      const end = all.indexOf('<', at)
      if (end === -1) return undefined
      this.#handler.text?.(decodeEntities(all.slice(at, end)))
      return end
    }
    // Only these two letters tell a tag from other markup.
    if (at + 1 >= all.length) return undefined
    if (all[at + 1] === '!' || all[at + 1] === '?') return this.#readMarkup(all, at)
    const end = tagEnd(all, at + 1)
    if ((end === -1 ? all.length : end) - at > TAG_CHARACTERS_MAX) {
      throw new UnsafeXml(t`it has a tag of more than ${TAG_CHARACTERS_MAX} characters`)
    }
    if (end === -1) return undefined
    this.#readTag(all.slice(at + 1, end))
    return end + 1
  }

  #readMarkup(all: string, at: number): number | undefined {
    const [beginning, end] = all[at + 1] === '?' ? INSTRUCTION : COMMENT
    if (all.startsWith(beginning, at)) {
      this.#skippedUntil = end
      return at + beginning.length
    }
    if (all.startsWith(CDATA, at)) {
      this.#skippedUntil = ']]>'
      this.#isQuoted = true
      return at + CDATA.length
    }
    if (all.length - at < CDATA.length) return undefined
    throw new UnsafeXml(t`it declares entities or types of its own`)
  }

  #takeQuoted(text: string): void {
    if (this.#isQuoted && text !== '') this.#handler.text?.(text)
  }

  #readTag(tag: string): void {
    this.#tags += 1
    if (this.#tags > TAGS_MAX) throw new UnsafeXml(t`it has more than ${TAGS_MAX} tags`)
    if (tag.charCodeAt(0) === SLASH) {
      const name = tag.slice(1).trimEnd()
      if (this.#open.pop() !== name) throw new UnsafeXml(t`it has a tag without an end`)
      const given = this.#given.pop() ?? ''
      this.#namespaces.leave(this.#open.length)
      this.#handler.close?.(given, this.#parent())
      return
    }
    const isEmpty = tag.charCodeAt(tag.length - 1) === SLASH
    const [name = ''] = /^[^\s/]*/.exec(tag) ?? []
    if (tag.includes('xmlns')) this.#namespaces.enter(this.#open.length, attributesOf(tag.slice(name.length)))
    const given = this.#namespaces.nameOf(name)
    const parent = this.#parent()
    this.#handler.open(given, () => attributesOf(tag.slice(name.length)), parent)
    if (isEmpty) {
      this.#namespaces.leave(this.#open.length)
      this.#handler.close?.(given, parent)
      return
    }
    this.#open.push(name)
    this.#given.push(given)
    if (this.#open.length > DEPTH_MAX) throw new UnsafeXml(t`it has more than ${DEPTH_MAX} tags inside each other`)
  }

  #parent(): string {
    return this.#given.at(-1) ?? ''
  }

  /** What must be kept until more of the text comes. */
  #keep(all: string, at: number): string {
    if (this.#skippedUntil !== undefined) {
      const end = Math.max(at, all.length - this.#skippedUntil.length + 1)
      this.#takeQuoted(all.slice(at, end))
      return all.slice(end)
    }
    if (at >= all.length || all.charCodeAt(at) === LESS) return all.slice(at)
    const entity = all.lastIndexOf('&')
    const isCut = entity >= at && all.length - entity < ENTITY_CHARACTERS_MAX && !all.includes(';', entity)
    const end = isCut ? entity : all.length
    if (end > at) this.#handler.text?.(decodeEntities(all.slice(at, end)))
    return all.slice(end)
  }
}

/** What the prefixes of names mean, which each tag may declare anew for itself and what is inside it. */
class Namespaces {
  /** The declarations in their order, each with how many tags are open around it. */
  readonly #declared: { depth: number; prefix: string; namespace: string }[] = []
  /** The namespace of the first tag. */
  #first: string | undefined
  readonly #names = new Map<string, string>()

  enter(depth: number, attributes: ReadonlyMap<string, string>): void {
    for (const [name, namespace] of attributes) {
      if (!name.startsWith(XMLNS)) continue
      this.#declared.push({ depth, prefix: name.slice(XMLNS.length), namespace })
      if (this.#declared.length > DECLARATIONS_MAX)
        throw new UnsafeXml(t`it has more than ${DECLARATIONS_MAX} namespaces`)
      this.#names.clear()
    }
  }

  leave(depth: number): void {
    while ((this.#declared.at(-1)?.depth ?? -1) >= depth) {
      this.#declared.pop()
      this.#names.clear()
    }
  }

  /** The name of a tag as a handler has it. Throws UnsafeXml for a prefix that means nothing. */
  nameOf(written: string): string {
    const known = this.#names.get(written)
    if (known !== undefined) return known
    const colon = written.indexOf(':')
    const prefix = written.slice(0, Math.max(0, colon))
    const namespace = this.#declared.findLast((each) => each.prefix === prefix)?.namespace
    if (namespace === undefined && prefix !== '')
      throw new UnsafeXml(t`it has a tag \`${written}\` without a namespace`)
    this.#first ??= namespace ?? ''
    const local = written.slice(colon + 1)
    const name = (namespace ?? '') === this.#first ? local : `:${local}`
    if (this.#names.size < NAMES_MAX) this.#names.set(written, name)
    return name
  }
}

const XMLNS = 'xmlns:'
const DECLARATIONS_MAX = 1000
/** More than a workbook has; others are only read again. */
const NAMES_MAX = 1000

/** Where a tag ends whose name begins at `start`, attribute values skipped; -1 if that has not come yet. Throws UnsafeXml. */
function tagEnd(text: string, start: number): number {
  let quote = 0
  for (let at = start; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code === LESS) throw new UnsafeXml(t`it has a tag without an end`)
    if (quote !== 0) {
      if (code === quote) quote = 0
    } else if (code === GREATER) return at
    else if (code === QUOTE || code === APOSTROPHE) quote = code
  }
  return -1
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

/** Text with its entities decoded; unknown ones stay as they are. */
export function decodeEntities(text: string): string {
  if (!text.includes('&')) return text
  return text.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(\w{1,4}));/gi, (whole, decimal, hex, entity) => {
    if (entity !== undefined) return ENTITIES[String(entity)] ?? whole
    const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal)
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole
  })
}

/**
 * The attributes in the text of a tag, their entities decoded, by their names; those with a prefix have a colon instead of it, and declarations of
 * namespaces begin with `xmlns:`. What is not of the form `name="value"` is skipped. Throws UnsafeXml if one is given twice.
 */
function attributesOf(tag: string): ReadonlyMap<string, string> {
  const attributes = new Map<string, string>()
  let at = 0
  // Written as a loop, because there is one call for each cell of a sheet, and a pattern takes three times as long.
  for (let equals = tag.indexOf('='); equals !== -1; equals = tag.indexOf('=', at)) {
    let start = equals + 1
    while (isSpace(tag.charCodeAt(start))) start += 1
    const quote = tag[start]
    const end = quote === '"' || quote === "'" ? tag.indexOf(quote, start + 1) : -1
    if (end === -1) {
      at = equals + 1
      continue
    }
    const name = tag.slice(at, equals).trim()
    at = end + 1
    const key = name === 'xmlns' ? XMLNS : name.startsWith(XMLNS) ? name : withoutPrefix(name)
    if (key !== name && !key.startsWith(XMLNS) && attributes.has(key)) continue
    if (attributes.has(key)) throw new UnsafeXml(t`it has a tag with the attribute ${name} twice`)
    attributes.set(key, decodeEntities(tag.slice(start + 1, end)))
  }
  return attributes
}

function isSpace(code: number): boolean {
  return code === 0x20 || (code >= 0x09 && code <= 0x0d)
}

function withoutPrefix(name: string): string {
  const colon = name.indexOf(':')
  return colon === -1 ? name : name.slice(colon)
}
