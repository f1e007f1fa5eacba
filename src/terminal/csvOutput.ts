import { centsFromJson } from '../pix/amount.ts'
import { formatPaymentDate, parseInstant } from '../pix/calendar.ts'
import { csvLine } from '../text/csv.ts'
import { decimalComma, EXCEL_START, excelRecord, plainCell, textCell } from '../text/excelCsv.ts'
import { safeText } from '../text/safeText.ts'
import { cellText, valueAt, wordText } from './documentFields.ts'
import type { Terminal } from './terminal.ts'

type Document = Readonly<Record<string, unknown>>

/** What a value is for a spreadsheet: reais, a time in RFC 3339, one of a few words, or text. */
export type ExcelKind = 'amount' | 'time' | 'word' | 'text'

/** Writes a list as CSV, piece by piece. */
interface CsvWriter {
  piece(documents: readonly Document[]): Promise<void>
  end(): void
}

/** Writes a CSV for programs: the values at these paths as JSON has them, below the paths. */
export function csvWriter(terminal: Terminal, paths: readonly string[]): CsvWriter {
  const shown = (record: readonly string[]) => {
    const line = csvLine(record)
    return terminal.outIsTerminal ? safeText(line) : line
  }
  terminal.data(shown(paths))
  return {
    async piece(documents) {
      const records = documents.map((document) => paths.map((path) => cellText(valueAt(document, path))))
      if (records.length > 0) terminal.data(records.map(shown).join('\n'))
    },
    end: () => undefined,
  }
}

/** Writes a CSV that opens correctly in a Brazilian spreadsheet: the values at these paths, below headers for people. */
export function excelWriter(
  terminal: Terminal,
  paths: readonly string[],
  headers: readonly string[],
  kindOf: (path: string) => ExcelKind,
): CsvWriter {
  const start = terminal.outIsTerminal ? '' : EXCEL_START
  terminal.data(start + excelRecord(headers.map(plainCell)), '')
  return {
    async piece(documents) {
      const records = documents.map((document) =>
        excelRecord(paths.map((path) => excelCell(valueAt(document, path), kindOf(path)))),
      )
      terminal.data(records.join(''), '')
    },
    end: () => undefined,
  }
}

/** A value as a spreadsheet takes it for what it is: a number, a time in São Paulo, or text. */
function excelCell(value: unknown, kind: ExcelKind): string {
  const cents = kind === 'amount' ? centsFromJson(value) : undefined
  if (cents !== undefined) return decimalComma(cents)
  const text = kind === 'word' ? wordText(value) : cellText(value)
  const atMs = kind === 'time' ? parseInstant(text) : undefined
  return atMs === undefined ? textCell(safeText(text)) : formatPaymentDate(atMs)
}
