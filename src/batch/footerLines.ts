import { tryParseAmount } from '../pix/amount.ts'
import type { FieldNames, FileHeader } from '../spreadsheet/header.ts'
import type { TableRecord } from '../spreadsheet/table.ts'
import { foldedText } from '../text/foldedText.ts'
import { t } from '../text/translate.ts'
import { isTarget, linesText } from './headerSearch.ts'

/** No more lines are taken for a footer, so that memory does not grow with the file. */
const LINES_MAX = 50
/** A CPF, a phone number or the like has this many digits. */
const KEY_DIGITS_MIN = 8
const DATES_AND_TIMES =
  /\b\d{4}-\d{2}-\d{2}\b|\b\d{1,2}[/.-]\d{1,2}[/.-](?:\d{4}|\d{2})\b|\b\d{1,2}(?::|h)\d{2}(?::\d{2})?\b/g
/** A line to sign on, or between two parts. */
const RULE = /^[\s_.=*–—-]{3,}$/
/** What is written below a table, as {@link foldedText} gives it; never the beginning of a name. */
const NOTE = new RegExp(
  [
    '^(?:gerad|emitid|impress|elaborad|preparad|exportad|atualizad|extraid|aprovad|autorizad|conferid|assinad)[oa] (?:em|por|pel[oa])\\b',
    '^(?:generated|created|printed|prepared|exported|updated|approved|checked|signed) (?:on|at|by)\\b',
    '^(?:obs|observac(?:ao|oes)|notas?|assinatura|responsavel|visto|fonte|notes?|remarks?|signature|source)\\s*[:.]',
    '^(?:pagina|page) \\d',
  ].join('|'),
)

/**
 * Finds the lines below the last payment that are left out: a note, a signature, when the file was made. Such a line has text in its first
 * cell only, and neither a key nor an amount. Directly below a row, where it could be a payment that is not filled in, it must also read like
 * a note; below an empty line or a total any words will do. What payments follow is none, and stays a fault.
 */
export class FooterLines {
  readonly #place: number
  readonly #fields: FieldNames
  #lines: TableRecord[] = []
  #row: number
  #isBelowTotal = false

  constructor({ names, record }: FileHeader & { record: TableRecord }, fields: FieldNames) {
    const first = names.findIndex((name) => name !== '')
    this.#place = Math.max(0, first)
    this.#fields = fields
    this.#row = record.row
  }

  /** True if a record may be a footer: it is held back, and is one unless `release` gives it back. */
  takes(record: TableRecord): boolean {
    const isApart = record.row > this.#row + 1 || this.#isBelowTotal || this.#lines.length > 0
    const text = this.#onlyText(record)
    const isFooter = text !== undefined && this.#lines.length < LINES_MAX && isFooterText(text, isApart, this.#fields)
    if (isFooter) {
      this.#lines.push(record)
      this.#row = record.row
    }
    return isFooter
  }

  /** Notes a record that is no footer. */
  pass({ row }: TableRecord, isTotal: boolean): void {
    this.#row = row
    this.#isBelowTotal = isTotal
  }

  /** The lines that were taken, if a payment follows them. */
  release(): TableRecord[] {
    return this.#lines.splice(0)
  }

  lines(): readonly TableRecord[] {
    return this.#lines
  }

  /** What to do with a record that is no footer though it has text in its first cell only; undefined for any other. */
  adviceFor(record: TableRecord): string | undefined {
    return this.#onlyText(record) === undefined
      ? undefined
      : t`If it is not a payment, delete the line, or move it to the end of the file below an empty line`
  }

  /** The text of a record that has nothing but text in its first cell; undefined for any other. */
  #onlyText({ cells }: TableRecord): string | undefined {
    const filled = cells.flatMap((cell, place) => (cell.trim() === '' ? [] : [place]))
    const text = (cells[this.#place] ?? '').trim()
    return filled.length === 1 && filled[0] === this.#place && tryParseAmount(text) === null ? text : undefined
  }
}

/** A sentence about the lines below the payments, which are not read; none if there are none. */
export function footerRemark(lines: readonly TableRecord[]): string[] {
  return lines.length === 0 ? [] : [t`The lines below the payments are not read: ${linesText(lines)}`]
}

function isFooterText(text: string, isApart: boolean, fields: FieldNames): boolean {
  const folded = foldedText(text)
  if (RULE.test(text)) return true
  if (/tota|soma/.test(folded) || holdsTarget(text, fields) || holdsAmount(text)) return false
  const words = folded.match(/[a-z]{2,}/g) ?? []
  const dates = folded.match(DATES_AND_TIMES) ?? []
  if (NOTE.test(folded) || (dates.length > 0 && words.length >= 2)) return true
  // `NF 1043` may be the beginning of a payment.
  return isApart && words.length >= (/\d/.test(folded) ? 3 : 1)
}

/** True if a part of the text could be a PIX key or the id of a payment. */
function holdsTarget(text: string, fields: FieldNames): boolean {
  const plain = text.replace(DATES_AND_TIMES, ' ')
  const digits = plain.match(/\d/g) ?? []
  const parts = text.split(/[\s,;:()]+/)
  return /@/.test(plain) || digits.length >= KEY_DIGITS_MIN || [text, ...parts].some((part) => isTarget(part, fields))
}

function holdsAmount(text: string): boolean {
  return /r\$/i.test(text) || /\d[.,]\d{1,2}(?!\d)/.test(text.replace(DATES_AND_TIMES, ' '))
}
