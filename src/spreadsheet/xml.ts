import { t } from '../text/translate.ts'
import { isSystemError } from '../wire/errors.ts'

/** Thrown for the XML of a workbook that is damaged or made to harm, with the reason. */
export class UnsafeXml extends Error {}

/** What takes the parts of an XML text in their order. Names are without their namespace prefixes. */
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
 * Gives an XML text in UTF-8 to a handler, chunk by chunk, and yields after each. It keeps no more of the text than one tag, and takes time in
 * proportion to it. Throws UnsafeXml.
 */
export async function* readXml(bytes: AsyncIterable<Uint8Array>, handler: XmlHandler): AsyncGenerator<void> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  const reader = new XmlReader(handler)
  try {
    for await (const chunk of bytes) {
      reader.push(decoder.decode(chunk, { stream: true }))
      yield
    }
    reader.push(decoder.decode())
  } catch (error) {
    if (isSystemError(error) && error.code === 'ERR_ENCODING_INVALID_ENCODED_DATA')
      throw new UnsafeXml(t`its text is not UTF-8`)
    throw error
  }
  reader.end()
  yield
}

class XmlReader {
  readonly #handler: XmlHandler
  /** The names of the open tags, as they are written. */
  readonly #open: string[] = []
  /** Text that is not complete yet. */
  #pending = ''
  /** What ends the comment or instruction whose text is being skipped. */
  #skippedUntil: string | undefined
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
      const next = end + this.#skippedUntil.length
      this.#skippedUntil = undefined
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
    // No spreadsheet writes either, and what is quoted like this could be read in two ways.
    if (all.startsWith(CDATA, at)) throw new UnsafeXml(t`it has text in CDATA sections`)
    if (all.length - at < CDATA.length) return undefined
    throw new UnsafeXml(t`it declares entities or types of its own`)
  }

  #readTag(tag: string): void {
    this.#tags += 1
    if (this.#tags > TAGS_MAX) throw new UnsafeXml(t`it has more than ${TAGS_MAX} tags`)
    if (tag.charCodeAt(0) === SLASH) {
      const name = tag.slice(1).trimEnd()
      if (this.#open.pop() !== name) throw new UnsafeXml(t`it has a tag without an end`)
      this.#handler.close?.(localName(name), this.#parent())
      return
    }
    const isEmpty = tag.charCodeAt(tag.length - 1) === SLASH
    const [name = ''] = /^[^\s/]*/.exec(tag) ?? []
    const local = localName(name)
    const parent = this.#parent()
    this.#handler.open(local, () => attributesOf(tag.slice(name.length)), parent)
    if (isEmpty) {
      this.#handler.close?.(local, parent)
      return
    }
    this.#open.push(name)
    if (this.#open.length > DEPTH_MAX) throw new UnsafeXml(t`it has more than ${DEPTH_MAX} tags inside each other`)
  }

  #parent(): string {
    return localName(this.#open.at(-1) ?? '')
  }

  /** What must be kept until more of the text comes. */
  #keep(all: string, at: number): string {
    if (this.#skippedUntil !== undefined) return all.slice(Math.max(at, all.length - this.#skippedUntil.length + 1))
    if (at >= all.length || all.charCodeAt(at) === LESS) return all.slice(at)
    const entity = all.lastIndexOf('&')
    const isCut = entity >= at && all.length - entity < ENTITY_CHARACTERS_MAX && !all.includes(';', entity)
    const end = isCut ? entity : all.length
    if (end > at) this.#handler.text?.(decodeEntities(all.slice(at, end)))
    return all.slice(end)
  }
}

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

/** The attributes in the text of a tag, their entities decoded, by their names without a namespace prefix. What is not of the form `name="value"` is skipped. */
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
    if (!name.startsWith('xmlns')) attributes.set(localName(name), decodeEntities(tag.slice(start + 1, end)))
  }
  return attributes
}

function isSpace(code: number): boolean {
  return code === 0x20 || (code >= 0x09 && code <= 0x0d)
}

function localName(name: string): string {
  const colon = name.indexOf(':')
  return colon === -1 ? name : name.slice(colon + 1)
}
