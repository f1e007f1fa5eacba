import { t } from '../text/translate.ts'
import { readBrCode } from './brCode.ts'

/** A payment code without what stuck to it when it was copied. */
interface CopiedCode {
  code: string
  /** What stuck to it, a sentence each; none if the text is the code. */
  stuck: readonly string[]
}

const INVISIBLE = /[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]/g
const SPACES = /[^\S\r\n ]/g
/** With what an e-mail adds to it: `=` before it, `>` behind it. */
const LINE_END = /=?[\r\n\u2028\u2029]+(?:> ?)*/g
/** A character as links have it. */
const ESCAPED = /%([2-7][0-9a-f])/gi
/** A letter or digit right behind it, or before it, may be what is left of the code. */
const BEGINNING = /(?<![\p{L}\p{N}])000201/gu
const END = /6304[0-9A-F]{4}(?![\p{L}\p{N}])/giu
/** The length of text that is searched, and the number of ends that are tried: a code has 512 characters. */
const CHARACTERS_MAX = 4000
const ENDS_MAX = 20

/**
 * The payment code in a text that was copied: without invisible characters, line breaks in it, quotes, a `pix:` before it, and words that a blank or a mark
 * parts from it. Only if its checksum proves that it is whole, and it is the only one; undefined for any other text.
 */
export function copiedCode(text: string): CopiedCode | undefined {
  const typed = text.trim()
  if (!typed.includes('0002') || typed.length > CHARACTERS_MAX) return undefined
  if (readBrCode(typed).valid) return { code: typed, stuck: [] }
  const visible = typed.replace(INVISIBLE, '')
  const spaced = visible.replace(SPACES, ' ')
  const plain = spaced.replace(ESCAPED, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)))
  for (const joined of [spaced, spaced.replace(LINE_END, ''), spaced.replace(LINE_END, ' '), plain]) {
    const code = onlyCodeIn(joined)
    if (code === undefined) continue
    const stuck = [
      ...(visible === typed ? [] : [t`The text has invisible characters, which are not part of the code`]),
      ...(spaced === visible ? [] : [t`The text has no-break spaces or tabs, which are blanks in the code`]),
      ...(joined === spaced
        ? []
        : [
            joined === plain
              ? t`The code was written as in a link, with \`%20\` for a blank`
              : t`The code was broken into lines, which belong together`,
          ]),
      ...aroundIt(joined, code),
    ]
    return { code, stuck }
  }
  return undefined
}

function onlyCodeIn(text: string): string | undefined {
  const found = new Set<string>()
  for (const { index } of text.matchAll(BEGINNING)) {
    for (const end of [...text.slice(index).matchAll(END)].slice(0, ENDS_MAX)) {
      const code = text.slice(index, index + end.index + end[0].length)
      if (readBrCode(code).valid) found.add(code)
    }
  }
  const [code, ...others] = found
  return others.length === 0 ? code : undefined
}

/** What is before and behind a code, a sentence each. */
function aroundIt(text: string, code: string): string[] {
  const start = text.indexOf(code)
  const around = [text.slice(0, start), text.slice(start + code.length)].map((part) => part.replace(/\s+/g, ' ').trim())
  return around.filter((part) => part !== '').map((part) => t`\`${part}\` is not part of the code`)
}
