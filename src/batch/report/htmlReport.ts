import { formatReais } from '../../pix/amount.ts'
import { t } from '../../text/translate.ts'
import type { ReportColumn, ReportValue, RowSum, TextReport } from './reportContent.ts'

/** No scripts or external resources; the table's heading is repeated on every printed page. */
const STYLE = `
@page { size: A4 landscape; margin: 12mm }
* { box-sizing: border-box }
body { font: 14px/1.4 system-ui, sans-serif; color: #111; background: #fff; margin: 2rem }
h1 { font-size: 1.5rem; margin: 0 0 1rem }
h2 { font-size: 1.1rem; margin: 2rem 0 .5rem }
table { border-collapse: collapse; width: 100% }
th, td { border-bottom: 1px solid #ccc; padding: .3rem .5rem; text-align: left; vertical-align: top; overflow-wrap: anywhere }
thead { display: table-header-group }
thead th { border-bottom: 2px solid #333; overflow-wrap: normal }
tr { break-inside: avoid }
.number { text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums }
.marked { color: #b00020; font-weight: 700 }
.about th { width: 14rem; font-weight: 600 }
.all { font-weight: 700 }
@media print { body { margin: 0; font-size: 8pt } th, td { padding: 1mm } }
`

/** A report as one HTML page that needs nothing else, for a browser or for paper. */
export function htmlReport(
  title: string,
  columns: readonly ReportColumn[],
  about: readonly (readonly [string, string])[],
): TextReport {
  const sum = (label: string, meaning: string, { rows, cents }: RowSum, style = '') =>
    `<tr${style}><th>${escaped(label)}</th><td>${escaped(meaning)}</td><td class="number">${rows}</td>` +
    `<td class="number">${escaped(formatReais(cents))}</td></tr>\n`
  return {
    head: () => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width">
<title>${escaped(title)}</title>
<style>${STYLE}</style>
</head>
<body>
<h1>${escaped(title)}</h1>
<table class="about">
${about.map(([label, value]) => `<tr><th>${escaped(label)}</th><td>${escaped(value)}</td></tr>\n`).join('')}</table>
<h2>${escaped(t`All rows of the file`)}</h2>
<table>
<thead><tr>${columns.map((column) => `<th${cellClass(column)}>${escaped(column.title)}</th>`).join('')}</tr></thead>
<tbody>
`,
    row: (result) => {
      const cells = columns.map(
        (column) =>
          `<td${cellClass(column, column.isMarked?.(result))}>${escaped(shownValue(column, column.cellOf(result)))}</td>`,
      )
      return `<tr>${cells.join('')}</tr>\n`
    },
    foot: (totals) => `</tbody>
</table>
<h2>${escaped(t`Totals`)}</h2>
<table>
<thead><tr><th>${escaped(t`State`)}</th><th>${escaped(t`Meaning`)}</th><th class="number">${escaped(t`Rows`)}</th><th class="number">${escaped(t`Sum`)}</th></tr></thead>
<tbody>
${totals
  .states()
  .map((each) => sum(each.state, each.meaning, each))
  .join(
    '',
  )}${sum(t`all rows`, '', totals.all, ' class="all"')}${sum(t`of these`, t`sent before this run`, totals.leftOut)}${sum(t`of these`, t`with another name in the event`, totals.namesDiffer)}</tbody>
</table>
</body>
</html>
`,
  }
}

function cellClass({ kind }: ReportColumn, isMarked = false): string {
  const classes = [...(kind === 'text' ? [] : ['number']), ...(isMarked ? ['marked'] : [])]
  return classes.length === 0 ? '' : ` class="${classes.join(' ')}"`
}

function shownValue({ kind }: ReportColumn, value: ReportValue): string {
  if (value === null) return ''
  return kind === 'amount' && typeof value === 'number' ? formatReais(value) : String(value)
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
