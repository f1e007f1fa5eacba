import { t } from '../text/translate.ts'
import { formatReais } from './amount.ts'
import { readBrCode } from './brCode.ts'
import { Malformed } from './malformed.ts'

/** A payment code without what stuck to it when it was copied. */
interface CopiedCode {
  code: string
  /** What stuck to it, a sentence each; none if the text is the code. */
  stuck: readonly string[]
}

const INVISIBLE = /[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]/g
const SPACES = /[^\S\r\n ]/g
/** With what an e-mail adds to it: `=` before it, `>` behind it. Not those around a whole code, beside which words may be. */
const LINE_END = /(?<!6304[0-9A-F]{4})=?[\r\n\u2028\u2029]+(?:> ?)*(?!000201)/gi
/** Those within a paragraph: the CRC may be broken, too, and words be below an empty line. */
const LINE_END_IN_PARAGRAPH = /(?<![\r\n]|6304[0-9A-F]{4})=?\r?\n(?:> ?)*(?!\r?\n|000201)/gi
/** A letter or digit right behind it, or before it, may be what is left of the code. */
const BEGINNING = /(?<![\p{L}\p{N}])000201/gu
const END = /6304[0-9A-F]{4}(?![\p{L}\p{N}])/giu
/** The length of text that is searched, and the number of ends that are tried: a code has 512 characters. */
const CHARACTERS_MAX = 4000
const ENDS_MAX = 20

/** `0002 0126 5800`: groups as for reading aloud, of which a blank of the code may be a part. */
const GROUPS = /^(?:.{4} )+.{1,4}$/

/** What programs do to a text that is copied, undone, and the sentence about it; the first that has a sound code is right. */
const UNDONE: readonly { of: (text: string) => string; told: (() => string) | null }[] = [
  { of: (text) => text, told: null },
  ...[LINE_END, LINE_END_IN_PARAGRAPH].flatMap((lineEnd) =>
    ['', ' '].map((blank) => ({
      of: (text: string) => text.replace(lineEnd, blank),
      told: () => t`The code was broken into lines, which belong together`,
    })),
  ),
  {
    of: (text) => (GROUPS.test(text) ? text.replace(/(.{4}) /g, '$1') : text),
    told: () => t`The code was written in groups of four characters`,
  },
  {
    of: (text) => withBytes(text.replace(LINE_END, ''), /(?:=[0-9A-F]{2})+/gi),
    told: () => t`The code was written as in the source of an e-mail, with \`=3D\` for \`=\``,
  },
  {
    of: (text) => (text.endsWith(text.slice(0, text.length / 2)) ? text.slice(0, text.length / 2) : text),
    told: () => t`The code was there twice, without anything between`,
  },
  {
    of: (text) => withBytes(text, /(?:%[0-9A-F]{2})+/gi),
    told: () => t`The code was written as in a link, with \`%20\` for a blank`,
  },
  {
    of: (text) => text.replace(/&(?:amp|#0*38|#x0*26);/gi, '&').replace(/&(?:nbsp|#0*160|#xa0);/gi, ' '),
    told: () => t`The code was written as on a web page, with \`&amp;\` for \`&\``,
  },
  {
    of: (text) =>
      text.replace(
        /\\u00([2-7][0-9a-f])|\\(["/])/gi,
        (_, digits: string, mark: string) => mark ?? String.fromCharCode(Number(`0x${digits}`)),
      ),
    told: () => t`The code was written as in JSON, with \`\\/\` for \`/\``,
  },
  {
    of: (text) => text.replace(/[\u2010-\u2015\u2212]/g, '-').replace(/[\u2018\u2019]/g, "'"),
    told: () => t`The code had dashes or apostrophes of a text, which are \`-\` and \`'\` in the code`,
  },
  {
    of: (text) => text.replace(/https?:\/\/(?=br\.gov\.bcb\.pix)/gi, '').replace(/mailto:/gi, ''),
    told: () => t`The code had a link in it, which a program made of a name or an address`,
  },
  {
    of: (text) => text.replace(/0503(?=6304|80\d{4})/g, '0503***'),
    told: () => t`The \`***\` of the code was missing: chats take asterisks for bold letters`,
  },
]

/** A text with what the hexadecimal digits in it say in UTF-8. */
function withBytes(text: string, pattern: RegExp): string {
  return text.replace(pattern, (found) => {
    const bytes = found.match(/[0-9A-F]{2}/gi) ?? []
    return new TextDecoder().decode(Uint8Array.from(bytes, (digits) => Number(`0x${digits}`)))
  })
}

/**
 * The payment code in a text that was copied: without invisible characters, line breaks in it, quotes, a `pix:` before it, and words that a blank or a mark
 * parts from it. Only if its checksum proves that it is whole; undefined for any other text. Throws Malformed if the text has several.
 */
export function copiedCode(text: string): CopiedCode | undefined {
  const typed = text.trim()
  if (!typed.includes('0002') || typed.length > CHARACTERS_MAX) return undefined
  if (readBrCode(typed).valid) return { code: typed, stuck: [] }
  const visible = typed.replace(INVISIBLE, '')
  const spaced = visible.replace(SPACES, ' ')
  for (const { of, told } of UNDONE) {
    const undone = of(spaced)
    const code = onlyCodeIn(undone)
    if (code === undefined) continue
    const stuck = [
      ...(visible === typed ? [] : [t`The text has invisible characters, which are not part of the code`]),
      ...(spaced === visible ? [] : [t`The text has no-break spaces or tabs, which are blanks in the code`]),
      ...(told === null ? [] : [told()]),
      ...aroundIt(undone, code),
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
  if (found.size > 1) {
    const list = [...found].map((code) => `\`${payableText(code)}\``).join(', ')
    throw new Malformed(t`The text has ${found.size} codes: ${list}`, t`Keep only the code that you mean`)
  }
  return [...found][0]
}

/** Who receives the payment of a code, and how much. */
export function payableText(code: string): string {
  const { merchantName, key, url, amountCents } = readBrCode(code)
  const receiver = [merchantName, key ?? url].filter((part) => part !== null).join(', ')
  return amountCents === null ? receiver : `${receiver}, ${formatReais(amountCents)}`
}

/** What is before and behind a code, a sentence each; the same code once more is nothing else. */
function aroundIt(text: string, code: string): string[] {
  const start = text.indexOf(code)
  return [text.slice(0, start), text.slice(start + code.length)]
    .map((part) => part.replaceAll(code, ' ').replace(/\s+/g, ' ').trim())
    .filter((part) => part !== '')
    .map((part) => t`\`${part}\` is not part of the code`)
}
