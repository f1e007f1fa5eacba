import { safeText } from '../../text/safeText.ts'
import type { Slip } from './receipt.ts'

/** A5 in points. */
const PAGE = { width: 420, height: 595 }
const MARGIN = 40
const LABEL_GAP = 14
const LABEL_SIZE = 9
const VALUE_SIZE = 10
/** The height of a line for a font size of 1. */
const LINE_HEIGHT = 1.35
/** Each time that a receipt does not fit on its page, everything on it becomes smaller by this factor. */
const SMALLER = 0.95
/** Characters of Windows-1252 that are not at the place of their code point. */
const WIN_ANSI = '€ ‚ƒ„…†‡ˆ‰Š‹Œ Ž  ‘’“”•–—˜™š›œ žŸ'

/** The widths of the characters from a space to `~` in Helvetica-Bold, for a font size of 1000. Those of Helvetica are not larger. */
const WIDTHS = [
  278, 333, 474, 556, 556, 889, 722, 238, 333, 333, 389, 584, 278, 333, 278, 278, 556, 556, 556, 556, 556, 556, 556,
  556, 556, 556, 333, 333, 584, 584, 584, 611, 975, 722, 722, 722, 722, 667, 611, 778, 722, 278, 556, 722, 611, 833,
  722, 778, 667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 333, 278, 333, 584, 556, 333, 556, 611, 556, 611,
  556, 333, 611, 611, 278, 278, 556, 278, 889, 611, 611, 611, 611, 389, 556, 333, 611, 556, 778, 556, 556, 500, 389,
  280, 389, 584,
]
const WIDTH_MAX = 1000

type Style = 'plain' | 'bold' | 'grey'

/** A receipt as a PDF of one A5 page: the company, the amount large, who paid whom, and the ids. Nothing is masked. */
export function receiptPdf(slip: Slip, language: string): Buffer {
  let size = 1
  let page = drawnPage(slip, size)
  while (page.bottom < MARGIN) {
    size *= SMALLER
    page = drawnPage(slip, size)
  }
  const content = page.operators.join('\n')
  return document([
    `<< /Type /Catalog /Pages 2 0 R /Lang (${literal(language)}) >>`,
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${PAGE.width} ${PAGE.height}] /Contents 4 0 R /Resources << /Font << /F1 5 0 R /F2 6 0 R >> >> >>`,
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>',
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica-Bold /Encoding /WinAnsiEncoding >>',
    `<< /Title (${literal(slip.title)}) >>`,
  ])
}

/** The page with all sizes multiplied, and how far down it reaches. */
function drawnPage({ vouched, issuer, title, amount, inWords, sections }: Slip, factor: number) {
  const operators: string[] = []
  const right = PAGE.width - MARGIN
  let y = PAGE.height - MARGIN

  function write(text: string, pointSize: number, style: Style, x = MARGIN): void {
    const size = pointSize * factor
    for (const line of lines(safeText(text), size, right - x)) {
      y -= size * LINE_HEIGHT
      const font = style === 'bold' ? 'F2' : 'F1'
      const grey = style === 'grey' ? '0.4 g' : '0 g'
      operators.push(`BT ${grey} /${font} ${points(size)} Tf ${points(x)} ${points(y)} Td (${literal(line)}) Tj ET`)
    }
  }
  function skip(height: number): void {
    y -= height * factor
  }
  function rule(): void {
    skip(9)
    operators.push(`0.8 G 0.6 w ${points(MARGIN)} ${points(y)} m ${points(right)} ${points(y)} l S`)
    skip(5)
  }

  if (vouched !== null) {
    write(vouched, 10, 'bold')
    skip(8)
  }
  write(issuer.name, 13, 'bold')
  if (issuer.taxDocument !== null) write(issuer.taxDocument, LABEL_SIZE, 'grey')
  rule()
  write(title, 10, 'bold')
  skip(4)
  write(amount, 28, 'bold')
  skip(3)
  if (inWords !== null) write(inWords, LABEL_SIZE, 'grey')
  const labels = sections.flat().map(([label]) => widthOf(label, LABEL_SIZE * factor))
  const valueX = MARGIN + Math.max(...labels) + LABEL_GAP * factor
  for (const section of sections) {
    rule()
    for (const [label, value] of section) {
      skip(2)
      const top = y
      // Both on one line.
      skip((VALUE_SIZE - LABEL_SIZE) * LINE_HEIGHT)
      write(label, LABEL_SIZE, 'grey')
      y = top
      write(value, VALUE_SIZE, 'plain', valueX)
    }
  }
  return { operators, bottom: y }
}

/** Text in lines of at most this width, broken at spaces, and inside a word that is longer than a line. */
function lines(text: string, size: number, width: number): string[] {
  const found: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`
    if (widthOf(longer, size) <= width) {
      line = longer
      continue
    }
    if (line !== '') found.push(line)
    line = ''
    for (const character of word) {
      if (line !== '' && widthOf(line + character, size) > width) {
        found.push(line)
        line = ''
      }
      line += character
    }
  }
  return [...found, line]
}

function widthOf(text: string, size: number): number {
  let width = 0
  // A letter is as wide as it is without its accent.
  for (const character of text.normalize('NFD').replace(/\p{M}/gu, '')) {
    width += WIDTHS[(character.codePointAt(0) ?? 0) - 0x20] ?? WIDTH_MAX
  }
  return (width * size) / 1000
}

function document(objects: readonly string[]): Buffer {
  // A binary comment tells programs that the file is not plain text. Every character is one byte.
  let text = '%PDF-1.4\n%\xe2\xe3\xcf\xd3\n'
  const offsets = objects.map((object, index) => {
    const offset = text.length
    text += `${index + 1} 0 obj\n${object}\nendobj\n`
    return `${String(offset).padStart(10, '0')} 00000 n \n`
  })
  const start = text.length
  text += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${offsets.join('')}`
  text += `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R /Info ${objects.length} 0 R >>\nstartxref\n${start}\n%%EOF\n`
  return Buffer.from(text, 'latin1')
}

function points(value: number): string {
  return value.toFixed(2)
}

/** Text as bytes of Windows-1252, one character each, with a question mark for what it does not have. */
function literal(text: string): string {
  const bytes = Array.from(text.normalize('NFC'), (character) => {
    const code = character.codePointAt(0) ?? 0
    if ((code >= 0x20 && code < 0x7f) || (code >= 0xa0 && code <= 0xff)) return character
    const place = character === ' ' ? -1 : WIN_ANSI.indexOf(character)
    return place === -1 ? '?' : String.fromCharCode(0x80 + place)
  })
  return bytes.join('').replace(/[\\()]/g, '\\$&')
}
