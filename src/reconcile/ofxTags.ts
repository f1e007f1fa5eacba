import { decodeEntities } from '../spreadsheet/xmlText.ts'

/** A tag of an OFX file, with the text behind it. */
export interface OfxTag {
  /** In capitals, without the slash of a closing tag. */
  name: string
  isClosing: boolean
  /** Up to the next tag, without outer spaces. */
  text: string
  /** The line of the file on which it begins, from 1. */
  line: number
}

const NAME = '<(\\/?)([a-z][\\w.:-]*)(?:\\s[^<>]*)?\\/?>'
const SGML_TAG = new RegExp(NAME, 'gi')
const XML_TAG = new RegExp(`<!--|<!\\[CDATA\\[|<\\?|${NAME}`, 'gi')
const ENDS: Readonly<Record<string, string>> = { '<!--': '-->', '<![CDATA[': ']]>', '<?': '?>' }
const CDATA = '<![CDATA['
/** Longer texts are of no use. */
const TEXT_CHARACTERS_MAX = 1000

/**
 * The tags of an OFX file, as SGML, in which most closing tags are missing, or as XML, whose comments are skipped. Text of SGML is never a comment:
 * what a payer wrote could hide other payments. Only the predefined entities are decoded, so that none can grow. Takes time in proportion to the
 * text.
 */
export function* ofxTags(text: string): Generator<OfxTag> {
  const pattern = new RegExp(/^\s*<\?/.test(text) ? XML_TAG : SGML_TAG)
  let line = 1
  let lineBreak = text.indexOf('\n')
  let tag: OfxTag | undefined
  let textStart = 0
  for (let found = pattern.exec(text); found !== null; found = pattern.exec(text)) {
    const [beginning, slash = '', name] = found
    if (tag !== undefined) tag.text += decodeEntities(part(text, textStart, found.index))
    textStart = found.index + beginning.length
    if (name === undefined) {
      const end = text.indexOf(ENDS[beginning] ?? '', textStart)
      const contentEnd = end === -1 ? text.length : end
      if (tag !== undefined && beginning === CDATA) tag.text += part(text, textStart, contentEnd)
      textStart = end === -1 ? text.length : end + (ENDS[beginning]?.length ?? 0)
      pattern.lastIndex = textStart
      continue
    }
    if (tag !== undefined) yield withPlainSpaces(tag)
    for (; lineBreak !== -1 && lineBreak < found.index; lineBreak = text.indexOf('\n', lineBreak + 1)) line += 1
    tag = { name: name.toUpperCase(), isClosing: slash !== '', text: '', line }
  }
  if (tag !== undefined)
    yield withPlainSpaces({ ...tag, text: tag.text + decodeEntities(part(text, textStart, text.length)) })
}

function part(text: string, start: number, end: number): string {
  return text.slice(start, Math.min(end, start + TEXT_CHARACTERS_MAX))
}

function withPlainSpaces(tag: OfxTag): OfxTag {
  return { ...tag, text: tag.text.replace(/\s+/g, ' ').trim() }
}
