/** A4 in points. */
const PAGE = { width: 595, height: 842 }
const MARGIN = 48
const FRAME_GAP = 14
const FONT_SIZE_MAX = 10
/** The width of every letter of Courier, and the height of a line, for a font size of 1. */
const LETTER_WIDTH = 0.6
const LINE_HEIGHT = 1.4
/** Characters of Windows-1252 that are not at the place of their code point. */
const WIN_ANSI = '€ ‚ƒ„…†‡ˆ‰Š‹Œ Ž  ‘’“”•–—˜™š›œ žŸ'

/** Lines of text in a frame on one page of a PDF, the first line in bold, in a font that every reader has. */
export function textPdf(title: string, lines: readonly string[], language: string): Buffer {
  const columns = Math.max(1, ...lines.map((line) => Array.from(line).length))
  const size = Math.min(
    FONT_SIZE_MAX,
    (PAGE.width - MARGIN * 2) / (columns * LETTER_WIDTH),
    (PAGE.height - MARGIN * 2) / (lines.length * LINE_HEIGHT),
  )
  const leading = size * LINE_HEIGHT
  const top = PAGE.height - MARGIN - size
  const height = lines.length * leading + FRAME_GAP * 2 - (leading - size)
  const content = [
    `0.5 w ${points(MARGIN - FRAME_GAP)} ${points(top + size + FRAME_GAP - height)}`,
    `${points(columns * LETTER_WIDTH * size + FRAME_GAP * 2)} ${points(height)} re S`,
    `BT ${points(leading)} TL ${points(MARGIN)} ${points(top)} Td`,
    ...lines.map((line, index) => `/${index === 0 ? 'F2' : 'F1'} ${points(size)} Tf (${literal(line)}) Tj T*`),
    'ET',
  ].join('\n')
  return document([
    `<< /Type /Catalog /Pages 2 0 R /Lang (${literal(language)}) >>`,
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${PAGE.width} ${PAGE.height}] /Contents 4 0 R /Resources << /Font << /F1 5 0 R /F2 6 0 R >> >> >>`,
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Courier /Encoding /WinAnsiEncoding >>',
    '<< /Type /Font /Subtype /Type1 /BaseFont /Courier-Bold /Encoding /WinAnsiEncoding >>',
    `<< /Title (${literal(title)}) >>`,
  ])
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
