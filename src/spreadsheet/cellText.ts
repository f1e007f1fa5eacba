import { t } from '../text/translate.ts'
import { type CellStyles, dateText, timeText } from './cellStyles.ts'
import { type SharedStrings, unescaped } from './sharedStrings.ts'
import { UnsafeXml } from './xmlReader.ts'

/** A cell as the file format has it. */
export interface StoredCell {
  /** The attribute `t`. */
  type: string
  /** The attribute `s`. */
  style: string | undefined
  value: string
  inline: string
  hasFormula: boolean
}

/** What cells refer to. */
export interface CellFormats {
  strings: SharedStrings
  styles: CellStyles
  countsFrom1904: boolean
}

/** Thrown for a formula without its result, as some programs write it: a missing amount could be taken for a refund of everything. */
export class MissingResult extends Error {}

/** The digits of a number that a spreadsheet keeps. */
const NUMBER_DIGITS = 15
/** A number as the file format has it; `Number` reads more than that, such as `0x10`. */
const STORED_NUMBER = /^\s*[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:E[-+]?\d+)?\s*$/i

/**
 * The text of a cell; empty if the cell is. An error value is text, so that it is a fault of its row. Throws UnsafeXml for a cell that no spreadsheet
 * writes, and MissingResult.
 */
export function cellText({ type, style, value, inline, hasFormula }: StoredCell, formats: CellFormats): string {
  // Empty text is the result of a formula only in a cell of the type `str`.
  if (hasFormula && type !== 'str' && type !== 'inlineStr' && value.trim() === '') throw new MissingResult()
  switch (type) {
    case 'inlineStr':
      return inline
    case 'str':
      return unescaped(value)
    case 'e':
      return value
    case 's':
      return value === '' ? '' : sharedText(value, formats.strings)
    case 'b':
      return value === '' ? '' : truthText(value)
    case 'd':
      return timeText(Date.parse(value)) ?? value
    case 'n':
      return numberCellText(value, style, formats)
    default:
      throw new UnsafeXml(t`it has a cell of the type ${type}`)
  }
}

function sharedText(value: string, strings: SharedStrings): string {
  const text = /^\s*\d+\s*$/.test(value) ? strings.get(Number(value)) : undefined
  if (text === undefined) throw new UnsafeXml(t`a cell has a text that is missing`)
  return text
}

function truthText(value: string): string {
  if (value === '1') return 'true'
  if (value === '0') return 'false'
  throw new UnsafeXml(t`it has a cell that is neither true nor false`)
}

function numberCellText(value: string, style: string | undefined, { styles, countsFrom1904 }: CellFormats): string {
  if (value === '') return ''
  const isDate = style !== undefined && styles.isDate(style)
  if (!isDate || !STORED_NUMBER.test(value)) return numberText(value)
  return dateText(Number(value), countsFrom1904) ?? value
}

/**
 * A number as the spreadsheet shows it, without the noise of binary fractions. One with more digits than a spreadsheet keeps is written with
 * an exponent, so that it is not a valid id; text that is no number stays as it is, so that it is no amount.
 */
function numberText(stored: string): string {
  // Rounding takes longer than all the rest of reading a cell, and most numbers of a file need none.
  if (stored.length <= NUMBER_DIGITS && /^[1-9]\d*(?:\.\d*[1-9])?$/.test(stored)) return stored
  if (!STORED_NUMBER.test(stored)) return stored
  const rounded = Number(Number(stored).toPrecision(NUMBER_DIGITS))
  if (!Number.isFinite(rounded)) return stored
  return Math.abs(rounded) >= 10 ** NUMBER_DIGITS ? rounded.toExponential().replace('e', 'E') : String(rounded)
}
