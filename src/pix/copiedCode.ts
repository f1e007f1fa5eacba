import { t } from '../text/translate.ts'
import { formatReais } from './amount.ts'
import { readBrCode } from './brCode.ts'
import { Malformed } from './expectedError.ts'
import { assertNoBoleto } from './pixKey.ts'

/** A payment code without what stuck to it when it was copied. */
interface CopiedCode {
  code: string
  /** What stuck to it, a sentence each; none if the text is the code. */
  stuck: readonly string[]
}

const INVISIBLE = /[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]/g
const SPACES = /[^\S\r\n\u2028\u2029 ]/g
/** With what an e-mail or a page adds to it: `=` before it, `>` or blanks behind it. Not those around a whole code, beside which words may be. */
const LINE_END = /(?<!6304[0-9A-F]{4})=?[\r\n\u2028\u2029]+[> ]*(?!000201)/gi
/** Those within a paragraph: the CRC may be broken, too, and words be below an empty line. */
const LINE_END_IN_PARAGRAPH = /(?<![\r\n]|6304[0-9A-F]{4})=?\r?\n[> ]*(?!\r?\n|000201)/gi
/** A letter or digit right behind it, or before it, may be what is left of the code. */
const BEGINNING = /(?<![\p{L}\p{N}])000201/gu
const END = /6304[0-9A-F]{4}(?![\p{L}\p{N}])/giu
/** A code that is not whole or has a wrong CRC, to its CRC or the end of its line. */
const BROKEN = /(?<![\p{L}\p{N}])000201.*?br\.gov\.bcb\.pix.*?(?:6304[0-9A-F]{4}(?![\p{L}\p{N}])|$)/imu
/** The length of text that is searched: no key but an address is so long, and a code has 512 characters. At most so many ends are tried. */
const CHARACTERS_MIN = 37
const CHARACTERS_MAX = 4000
const ENDS_MAX = 20

/** `0002 0126 5800`: groups as for reading aloud, of which a blank of the code may be a part. */
const GROUPS = /^(?:.{4} )+.{1,4}$/

interface Undone {
  of: (text: string) => string
  /** The sentence about what was undone; null if nothing was. */
  told: (() => string) | null
}

/** What programs write for the characters of a text. */
const WRITTEN: readonly Undone[] = [
  { of: (text) => text, told: null },
  {
    of: (text) => (GROUPS.test(text) ? text.replace(/(.{4}) /g, '$1') : text),
    told: () => t`The code was written in groups of four characters`,
  },
  {
    of: (text) => withBytes(text, /(?:=[0-9A-F]{2})+/gi),
    told: () => t`The code was written as in the source of an e-mail, with \`=3D\` for \`=\``,
  },
  {
    of: (text) => (text.endsWith(text.slice(0, text.length / 2)) ? text.slice(0, text.length / 2) : text),
    told: () => t`The code was there twice, without anything between`,
  },
  // A form writes a blank as `+`; other links leave the `+` of a phone number.
  ...['+', ' '].map((plus) => ({
    of: (text: string) => withBytes(text.replaceAll('+', plus), /(?:%[0-9A-F]{2})+/gi),
    told: () => t`The code was written as in a link, with \`%20\` for a blank`,
  })),
  {
    of: (text) =>
      text
        .replace(/<\/?[a-z][^<>]*>/gi, '\n')
        .replace(/&nbsp;/gi, ' ')
        .replace(/&amp;/gi, '&')
        .replace(/&#(?:x([0-9a-f]{1,4})|(\d{1,4}));/gi, (_, hex?: string, decimal?: string) =>
          String.fromCharCode(hex === undefined ? Number(decimal) : Number(`0x${hex}`)),
        )
        .replace(SPACES, ' '),
    told: () => t`The code was written as on a web page, with \`&amp;\` for \`&\``,
  },
  {
    of: (text) =>
      text
        .replace(/\\+u([0-9a-f]{4})/gi, (_, digits: string) => String.fromCharCode(Number(`0x${digits}`)))
        .replace(/\\+[nr]/g, '\n')
        .replace(/\\+([^\p{L}\p{N}\s\\])/gu, '$1'),
    told: () => t`The code was written with backslashes, as in JSON: \`\\/\` for \`/\``,
  },
  {
    of: (text) => text.replace(/[\u2010-\u2015\u2212]/g, '-').replace(/[\u2018\u2019]/g, "'"),
    told: () => t`The code had dashes or apostrophes of a text, which are \`-\` and \`'\` in the code`,
  },
  {
    of: (text) => text.replace(/[\uff01-\uff5e]+/g, (wide) => wide.normalize('NFKC')),
    told: () => t`The code had letters or digits of double width`,
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

/** How a code that was broken into lines is joined: a line end may have taken the place of a blank. */
const JOINED: readonly Undone[] = [
  { of: (text) => text, told: null },
  ...[LINE_END, LINE_END_IN_PARAGRAPH].flatMap((lineEnd) =>
    ['', ' '].map((blank) => ({
      of: (text: string) => text.replace(lineEnd, blank),
      told: brokenIntoLines,
    })),
  ),
]

/** All that is tried; the first that has a sound code is right. */
const WAYS = WRITTEN.flatMap((written) => JOINED.map((joined) => [written, joined] as const))

function brokenIntoLines(): string {
  return t`The code was broken into lines, which belong together`
}

/** A text with what the hexadecimal digits in it say in UTF-8. */
function withBytes(text: string, pattern: RegExp): string {
  return text.replace(pattern, (found) => {
    const bytes = found.match(/[0-9A-F]{2}/gi) ?? []
    return new TextDecoder().decode(Uint8Array.from(bytes, (digits) => Number(`0x${digits}`)))
  })
}

/**
 * The payment code in a text that was copied: without invisible characters, line breaks in it, quotes, a `pix:` before it, and words that a blank or a mark
 * parts from it, if its checksum proves that it is whole. Without any such code it is the broken one among other words, which `readBrCode` judges;
 * undefined for any other text. Throws Malformed for several codes, and for the digits of a boleto.
 */
export function copiedCode(text: string): CopiedCode | undefined {
  const typed = text.trim()
  if (typed.length < CHARACTERS_MIN || typed.length > CHARACTERS_MAX) return undefined
  if (readBrCode(typed).valid) return { code: typed, stuck: [] }
  const visible = typed.replace(INVISIBLE, '')
  const spaced = visible.replace(SPACES, ' ')
  const found = foundIn(spaced)
  if (found === undefined) {
    assertNoBoleto(spaced)
    return undefined
  }
  const stuck = [
    ...(visible === typed ? [] : [t`The text has invisible characters, which are not part of the code`]),
    ...(spaced === visible ? [] : [t`The text has no-break spaces or tabs, which are blanks in the code`]),
    ...found.stuck,
  ]
  return stuck.length === 0 ? undefined : { code: found.code, stuck }
}

function foundIn(text: string): CopiedCode | undefined {
  const tried = new Set<string>()
  for (const [written, joined] of WAYS) {
    const undone = written.of(text)
    const whole = joined.of(undone)
    if (tried.has(whole)) continue
    tried.add(whole)
    const code = onlyCodeIn(whole)
    if (code === undefined) continue
    const told = [undone === text ? null : written.told, whole === undone ? null : joined.told]
    return { code, stuck: [...told.flatMap((say) => (say === null ? [] : [say()])), ...aroundIt(whole, code)] }
  }
  const joined = text.replace(LINE_END_IN_PARAGRAPH, '')
  const [broken] = BROKEN.exec(joined) ?? []
  if (broken === undefined) return undefined
  return { code: broken.trim(), stuck: [...(joined === text ? [] : [brokenIntoLines()]), ...aroundIt(joined, broken)] }
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
