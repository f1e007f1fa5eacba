import type { BatchFile } from '../../batch/batchFile.ts'
import type { FileCheck } from '../../batch/fileCheck.ts'
import { footerRemark } from '../../batch/footerLines.ts'
import { recordText } from '../../batch/headerSearch.ts'
import { hiddenRowsText } from '../../batch/hiddenCells.ts'
import type { TotalLine } from '../../batch/totalLines.ts'
import { formatReais } from '../../pix/amount.ts'
import { isOwnReference } from '../../pix/columnHeading.ts'
import { formatDocument, formatText } from '../../spreadsheet/fileContent.ts'
import { columnNames, quotedList } from '../../spreadsheet/header.ts'
import type { LabelledRow, Terminal } from '../../terminal/terminal.ts'
import { t } from '../../text/translate.ts'

/** Lines of totals that are listed. */
const TOTALS_SHOWN = 5

/** How a file was read, for the question and the dry run. `path` is as it was typed, `-` for standard input. */
export function fileSummaryRows(
  { path, file, check }: { path: string; file: BatchFile; check: FileCheck },
  style: Terminal['err'],
): LabelledRow[] {
  return [
    [t`file`, t`${path}, ${formatText(file.format)}`],
    ...columnRows(file),
    [t`reference`, file.reference],
    [t`rows`, t`${check.count} in the file, ${formatReais(check.totalCents)}`],
    ...nameRows(check),
    ...hiddenRows(file, style),
  ]
}

/** How a file was read, in JSON. */
export function fileSummaryDocument(file: BatchFile, check: FileCheck) {
  const hidden = file.hiddenSummary()
  const names = columnNames(file.columns)
  return {
    ...formatDocument(file.format),
    headerLine: file.headerLine,
    skippedLines: [...file.linesAbove, ...file.linesBelow()].map((record) => ({
      line: record.line,
      text: recordText(record),
    })),
    columns: Object.fromEntries(Object.entries(file.fields).map(([field, place]) => [field, names[place] ?? ''])),
    rows: check.count,
    totalCents: check.totalCents,
    namedRows: check.names.rows,
    firstNames: check.names.first,
    totalLines: file.totalLines().map(({ line, cents }) => ({ line, totalCents: cents })),
    hiddenRows: hidden?.rows ?? 0,
    hiddenCents: hidden?.cents ?? 0,
  }
}

/** Sentences about the lines below the header that are not sent: totals, and what is below the payments. */
export function leftOutTexts(file: BatchFile): string[] {
  return [...totalLineTexts(file.totalLines()), ...footerRemark(file.linesBelow())]
}

/** Sentences about the lines of totals, which are not sent. */
export function totalLineTexts(lines: readonly TotalLine[]): string[] {
  const texts = lines.slice(0, TOTALS_SHOWN).map(({ line, label, cents, isOfVisibleRows, isSinceSubtotal }) => {
    const total = t`Line ${line} is not sent: \`${label}\`, ${formatReais(cents)}`
    if (isOfVisibleRows) return t`${total}, is the sum of the rows above it that are not hidden`
    if (isSinceSubtotal) return t`${total}, is the sum of the rows below the subtotal before it`
    return t`${total}, is the sum of the rows above it`
  })
  const unlisted = lines.length - texts.length
  return unlisted > 0 ? [...texts, t`Further lines of totals, which are not sent: ${unlisted}`] : texts
}

/** Which column is which field, and which columns are only carried along. */
function columnRows({ columns, fields }: BatchFile): LabelledRow[] {
  const names = columnNames(columns)
  const read = Object.entries(fields).map(([field, place]) => {
    const name = names[place] ?? ''
    return name.toLowerCase() === field.toLowerCase() ? field : t`\`${name}\` is ${field}`
  })
  const used = new Set(Object.values(fields))
  const carried = names.flatMap((name, place) => {
    if (used.has(place) || columns[place] === '') return []
    return [isOwnReference(name) ? t`\`${name}\` (your reference)` : `\`${name}\``]
  })
  return [[t`columns`, read.join(', ')], ...(carried.length === 0 ? [] : [[t`not sent`, carried.join(', ')] as const])]
}

function nameRows({ count, names }: FileCheck): LabelledRow[] {
  if (names.rows === 0) return []
  const unshown = names.rows - names.first.length
  const list = [...names.first, ...(unshown > 0 ? [t`${unshown} more`] : [])].join(', ')
  const unnamed = count - names.rows
  return [[t`names`, unnamed === 0 ? list : t`${list}; rows without a name: ${unnamed}`]]
}

/** What the spreadsheet does not show; nothing if it shows all. */
function hiddenRows(file: BatchFile, style: Terminal['err']): LabelledRow[] {
  const hidden = file.hiddenSummary()
  if (hidden === null) return []
  const { rows, cents, columns, isLeftOut } = hidden
  const text = hiddenRowsText({ rows, cents })
  return [
    ...(rows === 0
      ? []
      : [[t`hidden`, isLeftOut ? t`${text}, left out` : t`${text}, sent too`, style.yellow] as const]),
    ...(columns.length === 0 ? [] : [[t`hidden`, t`columns ${quotedList(columns)}, sent too`, style.yellow] as const]),
  ]
}
