import { withoutFormula } from '../../text/excelCsv.ts'
import { currentLanguage } from '../../text/translate.ts'
import { isNumeric, type Report, type ReportColumn, type ReportRow, type ReportTable, valueText } from './report.ts'

/**
 * No scripts or external resources; the heading of a table is repeated on every printed page. A word is never broken: ids, keys, dates and amounts
 * stay on one line, other text is broken between words.
 */
const STYLE = `
@page { size: A4 landscape; margin: 10mm }
* { box-sizing: border-box }
body { font: 14px/1.4 system-ui, sans-serif; color: #111; background: #fff; margin: 2rem }
h1 { font-size: 1.5rem; margin: 0 0 .3rem }
h2 { font-size: 1.1rem; margin: 2rem 0 .5rem; break-after: avoid }
p { margin: .2rem 0; color: #444; max-width: 60rem }
table { border-collapse: collapse }
table.list { width: 100% }
th, td { border-bottom: 1px solid #ccc; padding: .3rem .5rem; text-align: left; vertical-align: top }
thead { display: table-header-group }
thead th { border-bottom: 2px solid #333; vertical-align: bottom; white-space: normal }
tr { break-inside: avoid }
.line { white-space: nowrap }
.number { text-align: right; font-variant-numeric: tabular-nums }
td.number { white-space: nowrap }
.marked { color: #b00020; font-weight: 700 }
.about { margin-top: 1rem }
.about th { font-weight: 600; white-space: nowrap }
.sum td { font-weight: 700; border-top: 2px solid #333 }
@media print { body { margin: 0; font-size: 6.5pt } h1 { font-size: 12pt } h2 { font-size: 9pt } th, td { padding: .6mm 1mm } }
`

/** A longer word can be broken, because it would make the page wider than paper: an address behind its `@`, others every so many characters. */
const WORD_CHARACTERS_MAX = 40
const LONG_WORD = /(?<!\S)(\S{41,})(?!\S)/
const BREAKS = /([^@]{1,39}@|[^@]{40}(?=.))/

/** A report as one HTML page that needs nothing else, for a browser or for paper, in pieces. */
export async function* htmlReport({ title, lines, tables }: Report): AsyncGenerator<string> {
  yield `<!doctype html>
<html lang="${currentLanguage()}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width">
<title>${escaped(title)}</title>
<style>${STYLE}</style>
</head>
<body>
<h1>${escaped(title)}</h1>
${lines.map(paragraph).join('')}`
  for (const table of tables) yield* tableOf(table)
  yield '</body>\n</html>\n'
}

async function* tableOf(table: ReportTable): AsyncGenerator<string> {
  const groups = groupsOf(table.columns)
  yield `<h2>${escaped(table.title)}</h2>
${table.notes.map(paragraph).join('')}<table class="list">
<thead><tr>${groups.map(heading).join('')}</tr></thead>
<tbody>
`
  for await (const rows of table.pages()) yield rows.map((row) => rowOf(groups, row)).join('')
  yield table
    .totals()
    .map((cells) => rowOf(groups, { cells, isSum: true }))
    .join('')
  yield '</tbody>\n</table>\n'
  if (table.about.length === 0) return
  const about = table.about.map(
    ([label, value]) => `<tr><th>${escaped(label)}</th><td>${broken(withoutFormula(value))}</td></tr>\n`,
  )
  yield `<table class="about">\n${about.join('')}</table>\n`
}

/** A column of the page: columns whose values are one below the other, with their places in a row. */
type Group = { column: ReportColumn; place: number }[]

function groupsOf(columns: readonly ReportColumn[]): Group[] {
  const groups: Group[] = []
  for (const [place, column] of columns.entries()) {
    const last = groups.at(-1)
    if (column.isBelow === true && last !== undefined) last.push({ column, place })
    else groups.push([{ column, place }])
  }
  return groups
}

function heading(group: Group): string {
  const style = group.every(({ column }) => isNumeric(column)) ? ' class="number"' : ''
  return `<th${style}>${group.map(({ column }) => escaped(column.title)).join('<br>')}</th>`
}

function rowOf(groups: readonly Group[], { cells, marked = [], isSum = false }: ReportRow): string {
  const shown = groups.map((group) => {
    const isMarked = group.some(({ place }) => marked.includes(place))
    const isNumber = group.every(({ column }) => isNumeric(column))
    const classes = [...(isNumber ? ['number'] : []), ...(isMarked ? ['marked'] : [])].join(' ')
    const texts = group.flatMap(({ column, place }) => {
      const value = cells[place] ?? null
      const shown = valueText(column, value)
      if (shown === '') return []
      if (isNumber) return escaped(shown)
      const text = typeof value === 'string' ? withoutFormula(shown) : shown
      const isLine = column.kind !== 'text' && text.length <= WORD_CHARACTERS_MAX
      return isLine ? `<span class="line">${escaped(text)}</span>` : broken(text)
    })
    return `<td${classes === '' ? '' : ` class="${classes}"`}>${texts.join('<br>')}</td>`
  })
  return `<tr${isSum ? ' class="sum"' : ''}>${shown.join('')}</tr>\n`
}

function paragraph(sentence: string): string {
  return `<p>${broken(withoutFormula(sentence))}</p>\n`
}

/** Text that may continue on the next line between words. */
function broken(text: string): string {
  const pieces = text.split(LONG_WORD)
  return pieces.map((piece, place) => (place % 2 === 1 ? breakable(piece) : escaped(piece))).join('')
}

function breakable(word: string): string {
  const pieces = word.split(BREAKS).filter((piece) => piece !== '')
  return pieces.map(escaped).join('<wbr>')
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '')
}
