import { t } from '../text/translate.ts'
import { UnsafeXml, type XmlHandler } from './xmlReader.ts'

/** The most formats of cells that Excel opens. */
const STYLES_MAX = 65_490
/** The numbers of the formats of dates and times that every spreadsheet has: those of all languages, of East Asian ones, and of Thai. */
const BUILT_IN_DATES = [
  [14, 22],
  [45, 47],
  [27, 36],
  [50, 58],
  [71, 81],
] as const
const OWN_FORMATS_FROM = 100
const DATE_WORDS = /^(?:s{1,2}|m{1,5}|h{1,2}|d{1,4}|a{1}|a{3,5}|p|am|pm|y|yy|yyyy|e|ee|eeee)$/
const DAY_MS = 24 * 3600 * 1000
/** Days from the day 0 of a spreadsheet, which takes 1900 for a leap year, to 1970; and from 1900 to 1904, from which some workbooks count. */
const DAYS_TO_1970 = 25_569
const DAYS_TO_1904 = 1462

/** Which formats of cells show a number as a date, from the part `xl/styles.xml`. */
export class CellStyles implements XmlHandler {
  readonly #ownDates = new Map<number, boolean>()
  /** The number formats of the styles that others are based on, and of those of cells with their bases. */
  readonly #bases: (number | undefined)[] = []
  readonly #styles: { format: number | undefined; base: number }[] = []

  open(name: string, attributes: () => ReadonlyMap<string, string>, parent: string): void {
    if (name === 'numFmt') {
      const format = Number(attributes().get('numFmtId'))
      if (format >= OWN_FORMATS_FROM) this.#ownDates.set(format, isDateFormat(attributes().get('formatCode') ?? ''))
    } else if (name === 'xf' && (parent === 'cellStyleXfs' || parent === 'cellXfs')) {
      const own = attributes().get('numFmtId')
      const format = own === undefined ? undefined : Number(own)
      if (parent === 'cellStyleXfs') this.#bases.push(format)
      else this.#styles.push({ format, base: Number(attributes().get('xfId') ?? -1) })
    }
    if (Math.max(this.#ownDates.size, this.#bases.length, this.#styles.length) > STYLES_MAX) {
      throw new UnsafeXml(t`it has more than ${STYLES_MAX} formats of cells`)
    }
  }

  /** True if a number in a cell of this style is a date. Throws UnsafeXml if there is no such style. */
  isDate(style: string): boolean {
    const found = this.#styles[Number(style)]
    if (found === undefined) throw new UnsafeXml(t`a cell has a format that is missing`)
    const format = found.format ?? this.#bases[found.base]
    if (format === undefined) return false
    return this.#ownDates.get(format) ?? BUILT_IN_DATES.some(([first, last]) => first <= format && format <= last)
  }
}

/** True if a format such as `[$-416]dd/mm/yyyy;@` shows a number as a date or a time. */
function isDateFormat(format: string): boolean {
  const sections = format.toLowerCase().replace(/;@$/, '').replace(/\\./g, ' ').split(';')
  return sections.some((section) => {
    const shown = section
      .replace(/"[^"]*"/g, ' ')
      // Fractions of a second, and hours above 24, are still times.
      .replace(/(\[?[smhd]{1,2}\]?)[.,]00?0?/g, '$1')
      .replace(/\[([smhd]{1,2})\]/g, '$1')
      .replace(/\[[^\]]*\]/g, '')
    const words = shown.split(/[^a-z0#?%]+/).filter((word) => word !== '')
    return words.length > 0 && words.every((word) => DATE_WORDS.test(word))
  })
}

/** The date or time that a number in a cell means, as text; undefined if no spreadsheet has such a date. */
export function dateText(days: number, countsFrom1904: boolean): string | undefined {
  return timeText(Math.floor((days + (countsFrom1904 ? DAYS_TO_1904 : 0) - DAYS_TO_1970) * DAY_MS))
}

/** A time in ms as text, without `00:00:00`; undefined if there is no such time. */
export function timeText(ms: number): string | undefined {
  // Times are fractions of a day, which are not exact.
  const time = new Date(Math.round(ms / 1000) * 1000)
  if (Number.isNaN(time.getTime())) return undefined
  const text = time.toISOString()
  return text.endsWith('T00:00:00.000Z') ? text.slice(0, 10) : text.slice(0, 19).replace('T', ' ')
}
