/** What a number format shows of a cell. */
interface ShownValue {
  /** As a Brazilian spreadsheet shows it, without outer spaces. */
  text: string
  /** True if a person reads another value than the cell holds, or none. */
  isOther: boolean
}

/** A number format such as `#,##0.00;[Red]-#,##0.00`. */
export interface NumberFormat {
  /** True if it shows a number as a date or a time. */
  isDate: boolean
  /** What it shows of a number with these digits, such as `-1234.5`; undefined if that is the number itself. */
  ofNumber(digits: string): ShownValue | undefined
  /** What it shows of a text; undefined if that is the text itself. */
  ofText(text: string): ShownValue | undefined
}

/** The formats that every spreadsheet has, by their numbers; those of money show the currency of the country. */
const BUILT_IN: Readonly<Record<number, string>> = {
  1: '0',
  2: '0.00',
  3: '#,##0',
  4: '#,##0.00',
  5: '"R$" #,##0;-"R$" #,##0',
  6: '"R$" #,##0;[Red]-"R$" #,##0',
  7: '"R$" #,##0.00;-"R$" #,##0.00',
  8: '"R$" #,##0.00;[Red]-"R$" #,##0.00',
  9: '0%',
  10: '0.00%',
  11: '0.00E+00',
  12: '# ?/?',
  13: '# ??/??',
  37: '#,##0 ;(#,##0)',
  38: '#,##0 ;[Red](#,##0)',
  39: '#,##0.00 ;(#,##0.00)',
  40: '#,##0.00 ;[Red](#,##0.00)',
  41: '#,##0 ;-#,##0 ;"-" ;@',
  42: '"R$" #,##0 ;-"R$" #,##0 ;"R$" "-" ;@',
  43: '#,##0.00 ;-#,##0.00 ;"-"?? ;@',
  44: '"R$" #,##0.00 ;-"R$" #,##0.00 ;"R$" "-"?? ;@',
  48: '##0.0E+0',
}
/** The numbers of the formats of dates and times that every spreadsheet has: those of all languages, of East Asian ones, and of Thai. */
const BUILT_IN_DATES = [
  [14, 22],
  [45, 47],
  [27, 36],
  [50, 58],
  [71, 81],
] as const
const DATE_WORDS = /^(?:s{1,2}|m{1,5}|h{1,2}|d{1,4}|a{1}|a{3,5}|p|am|pm|y|yy|yyyy|e|ee|eeee)$/
const DATE: NumberFormat = { isDate: true, ofNumber: () => undefined, ofText: () => undefined }

/** The number format with a number, or with the code that the workbook gives it. */
export function numberFormat(id: number, code: string | undefined): NumberFormat {
  if (BUILT_IN_DATES.some(([first, last]) => first <= id && id <= last)) return DATE
  const read = code ?? BUILT_IN[id] ?? 'General'
  return isDateFormat(read) ? { ...ofSections(read), isDate: true } : ofSections(read)
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

/** The parts of a format: quoted and escaped characters, a space as wide as one, a fill, brackets, and what has a meaning. */
const TOKEN = /"([^"]*)"?|\\(.)|_(.)|\*(.)|\[([^\]]*)\]|(General)|([0#?@%.,;/]|E[+-])|(.)/gisu
const CONDITION = /^(<=|>=|<>|<|>|=)\s*(-?[\d.]+)$/
const CURRENCY = /^\$([^-]*)/
const COLOUR = /^(?:black|blue|cyan|green|magenta|red|white|yellow|colou?r ?\d+)$/i

type Token = { is: 'literal'; text: string } | { is: 'sign'; sign: string }

interface Section {
  tokens: readonly Token[]
  condition: { operator: string; bound: number } | undefined
  isColoured: boolean
  has(sign: string): boolean
  /** How many decimals it has at most; undefined unless it shows a number as it is up to these, with nothing else but the currency. */
  plainDecimals: number | undefined
}

function ofSections(code: string): NumberFormat {
  const sections = sectionsOf(code)
  const last = sections.at(-1)
  const ofText = sections.length > 3 ? sections[3] : last?.has('@') === true ? last : undefined
  const numeric = sections.length > 1 && ofText !== undefined ? sections.slice(0, ofText === last ? -1 : 3) : sections
  const [first] = numeric
  // Nearly all numbers are positive, and nearly all formats as simple as this.
  const plainDecimals =
    numeric.some(({ condition }) => condition !== undefined) || first === undefined ? undefined : first.plainDecimals
  return {
    isDate: false,
    ofNumber: (digits) =>
      plainDecimals !== undefined && !digits.startsWith('-') && digits !== '0' && decimalsOf(digits) <= plainDecimals
        ? undefined
        : shownNumber(digits, numeric),
    ofText: (text) => (ofText === undefined ? undefined : shownText(text, ofText)),
  }
}

function decimalsOf(digits: string): number {
  const point = digits.indexOf('.')
  return point === -1 ? 0 : digits.length - point - 1
}

function sectionsOf(code: string): Section[] {
  const all: { tokens: Token[]; brackets: string[] }[] = [{ tokens: [], brackets: [] }]
  for (const [, quoted, escaped, wide, fill, bracket, general, sign, other] of code.matchAll(TOKEN)) {
    const current = all.at(-1)
    if (sign === ';') all.push({ tokens: [], brackets: [] })
    else if (bracket !== undefined) {
      current?.brackets.push(bracket)
      const [, currency = ''] = CURRENCY.exec(bracket) ?? []
      if (currency !== '') current?.tokens.push({ is: 'literal', text: currency })
    } else if (general !== undefined || sign !== undefined) {
      current?.tokens.push({ is: 'sign', sign: general === undefined ? (sign ?? '') : 'General' })
    } else {
      const text = quoted ?? escaped ?? (wide === undefined ? (fill ?? other) : ' ')
      if (text !== undefined && text !== '') current?.tokens.push({ is: 'literal', text })
    }
  }
  return all.map(({ tokens, brackets }) => section(tokens, brackets))
}

function section(tokens: readonly Token[], brackets: readonly string[]): Section {
  const signs = tokens.flatMap((token) => (token.is === 'sign' ? [token.sign] : []))
  const [, operator, bound] = brackets.map((bracket) => CONDITION.exec(bracket)).find((match) => match !== null) ?? []
  const has = (sign: string) => signs.includes(sign)
  const withoutValue = {
    tokens,
    condition: operator === undefined ? undefined : { operator, bound: Number(bound) },
    isColoured: brackets.some((bracket) => COLOUR.test(bracket)),
    has,
  }
  if (has('General') || has('@')) {
    const text = tokens.map((token) => (token.is === 'literal' ? token.text : '')).join('')
    return { ...withoutValue, plainDecimals: isCurrency(text) ? Number.POSITIVE_INFINITY : undefined }
  }
  const { around, inside, decimals, percents, thousands } = layoutOf(tokens)
  const isScaled = percents > 0 || thousands > 0 || signs.some((sign) => /^[E/]/i.test(sign))
  const isPlain = signs.some(isDigit) && !isScaled && inside === '' && isCurrency(around)
  return { ...withoutValue, plainDecimals: isPlain ? decimals : undefined }
}

function isCurrency(text: string): boolean {
  return /^(?:R\$|BRL|reais)?$/i.test(text.replace(/\s/g, ''))
}

function isDigit(sign: string): boolean {
  return sign === '0' || sign === '#' || sign === '?'
}

function layoutOf(tokens: readonly Token[]) {
  const places = tokens.flatMap((token, at) => (token.is === 'sign' && isDigit(token.sign) ? [at] : []))
  const [first = tokens.length, last = -1] = [places[0], places.at(-1)]
  const point = pointOf(tokens)
  const lastWhole = places.filter((at) => at < point).at(-1) ?? -1
  const texts = (from: number, to: number) =>
    tokens
      .slice(from, to)
      .map((token) => (token.is === 'literal' ? token.text : ''))
      .join('')
  let thousands = 0
  for (const end of new Set([lastWhole, last])) {
    for (let at = end + 1; end !== -1 && isSign(tokens[at], ','); at += 1) thousands += 1
  }
  return {
    /** The texts outside the digits, and between them. */
    around: texts(0, first) + texts(Math.max(first, last + 1), tokens.length),
    inside: texts(first, last + 1),
    decimals: places.filter((at) => at > point).length,
    percents: tokens.filter((token) => isSign(token, '%')).length,
    /** How many times it divides by 1000. */
    thousands,
  }
}

/** Where the decimal separator is; behind the end if there is none. */
function pointOf(tokens: readonly Token[]): number {
  const point = tokens.findIndex((token) => isSign(token, '.'))
  return point === -1 ? tokens.length : point
}

function isSign(token: Token | undefined, sign: string): boolean {
  return token?.is === 'sign' && token.sign === sign
}

function shownText(text: string, { tokens }: Section): ShownValue | undefined {
  const shown = tokens.map((token) => (token.is === 'literal' ? token.text : token.sign === '@' ? text : token.sign))
  const trimmed = shown.join('').trim()
  return trimmed === text.trim() ? undefined : { text: trimmed, isOther: true }
}

/** A number that no section shows fills its cell with this. */
const NOT_SHOWN = '#####'

function shownNumber(digits: string, sections: readonly Section[]): ShownValue | undefined {
  const place = sectionFor(Number(digits), sections)
  const found = sections[place]
  if (found === undefined) return { text: NOT_SHOWN, isOther: true }
  const isNegative = digits.startsWith('-')
  // The second section is for negative numbers, and shows their sign itself, or by a colour.
  const hasOwnSign = isNegative && place === 1 && found.condition === undefined
  const { text, isExact, isPunctuated } = rendered(digits.replace('-', ''), found)
  const shown = (isNegative && !hasOwnSign ? `-${text}` : text).trim()
  if (Number(digits) === 0 && !/[1-9]/.test(shown) && isCurrency(shown.replace(/[^\p{L}$]/gu, ''))) return undefined
  const { around, inside } = layoutOf(found.tokens)
  const isSignShown = !hasOwnSign || found.isColoured || /[-\u2212(]/.test(around)
  const texts = isNegative ? around.replace(/[-\u2212()]/g, '') : around
  if (isExact && inside === '' && isSignShown && isCurrency(texts)) return undefined
  // A CPF or a telephone number with its punctuation; digits with dots and commas only could be another amount.
  const isSameId = isPunctuated && !isNegative && /^[-\d./()\s+]+$/.test(shown) && /\d[^\d.,\s]/.test(shown)
  return { text: shown, isOther: !isSameId }
}

/** The place of the section that shows a number; -1 if none does. */
function sectionFor(value: number, sections: readonly Section[]): number {
  const hasConditions = sections.some(({ condition }) => condition !== undefined)
  if (!hasConditions) {
    if (value < 0) return Math.min(1, sections.length - 1)
    return value === 0 && sections.length > 2 ? 2 : 0
  }
  return sections.findIndex(({ condition }, place) => {
    if (condition !== undefined) return holds(value, condition)
    if (place === sections.length - 1) return true
    return place === 0 ? value > 0 || (value === 0 && sections.length < 3) : value < 0
  })
}

function holds(value: number, { operator, bound }: { operator: string; bound: number }): boolean {
  if (operator === '=') return value === bound
  if (operator === '<>') return value !== bound
  if (value === bound) return operator.length === 2
  return value < bound === operator.startsWith('<')
}

interface Rendered {
  text: string
  /** True if the digits that are shown are the number. */
  isExact: boolean
  /** True if all digits of a whole number are shown, with other characters between them. */
  isPunctuated: boolean
}

function rendered(digits: string, { tokens, has }: Section): Rendered {
  const whole = (number: string) =>
    tokens
      .map((token) => (token.is === 'literal' ? token.text : /^(?:General|@)$/i.test(token.sign) ? number : ''))
      .join('')
  if (has('General') || has('@')) return { text: whole(digits.replace('.', ',')), isExact: true, isPunctuated: false }
  if (has('E+') || has('E-') || has('e+') || has('e-'))
    return { text: exponential(digits, tokens), isExact: false, isPunctuated: false }
  if (has('/')) return { text: fraction(digits), isExact: !digits.includes('.'), isPunctuated: false }
  const { inside, decimals, percents, thousands } = layoutOf(tokens)
  const { shown, isRounded } = rounded(digits, 2 * percents - 3 * thousands, decimals)
  const isExact =
    !isRounded &&
    percents === 0 &&
    thousands === 0 &&
    tokens.some((token) => token.is === 'sign' && isDigit(token.sign))
  const text = filled(tokens, shown, decimals)
  return { text, isExact, isPunctuated: isExact && inside.trim() !== '' && decimals === 0 && !/\d/.test(inside) }
}

/** The digits of a number times ten to the power of `shift`, rounded to this number of decimals, without its decimal separator. */
function rounded(digits: string, shift: number, decimals: number): { shown: string; isRounded: boolean } {
  const surplus = decimalsOf(digits) - shift - decimals
  const all = BigInt(digits.replace('.', ''))
  const unit = 10n ** BigInt(Math.abs(surplus))
  const shown = surplus > 0 ? (all * 2n + unit) / (unit * 2n) : all * unit
  return { shown: String(shown).padStart(decimals + 1, '0'), isRounded: surplus > 0 && all % unit !== 0n }
}

/** Puts the digits of a number into the places of a format. */
function filled(tokens: readonly Token[], digits: string, decimals: number): string {
  const point = pointOf(tokens)
  const integer = digits.slice(0, digits.length - decimals).replace(/^0+/, '')
  const fractional = digits.slice(digits.length - decimals)
  const places = (from: number, to: number) =>
    tokens.flatMap((token, at) => (from <= at && at < to && token.is === 'sign' && isDigit(token.sign) ? [at] : []))
  const wholePlaces = places(0, point)
  const [firstPlace = -1, lastPlace = -1] = [wholePlaces[0], wholePlaces.at(-1)]
  const isGrouped = tokens.some((token, at) => firstPlace < at && at < lastPlace && isSign(token, ','))
  const at = new Map<number, string>()
  const count = Math.max(integer.length, wholePlaces.length)
  for (let left = 0; left < count; left += 1) {
    const place = wholePlaces[Math.max(0, wholePlaces.length - 1 - left)] ?? -1
    const digit = integer.at(-1 - left) ?? (isSign(tokens[place], '0') ? '0' : '')
    const separator = isGrouped && left > 0 && left % 3 === 0 && digit !== '' ? '.' : ''
    at.set(place, digit + (separator === '' ? '' : separator) + (at.get(place) ?? ''))
  }
  const kept = fractional.replace(/0+$/, '').length
  places(point, tokens.length).forEach((place, index) => {
    if (index < kept || isSign(tokens[place], '0')) at.set(place, fractional[index] ?? '0')
  })
  return tokens
    .map((token, index) => {
      if (token.is === 'literal') return token.text
      if (index === point) return (at.get(-1) ?? '') + (decimals > 0 ? ',' : '')
      return token.sign === '%' ? '%' : (at.get(index) ?? '')
    })
    .join('')
}

function exponential(digits: string, tokens: readonly Token[]): string {
  const exponentAt = tokens.findIndex((token) => token.is === 'sign' && /^E/i.test(token.sign))
  const { decimals } = layoutOf(tokens.slice(0, exponentAt))
  const [mantissa = '', power = ''] = Number(digits).toExponential(decimals).split('e')
  return `${mantissa.replace('.', ',')}E${power.replace(/^([+-])(\d)$/, '$10$2')}`
}

const DENOMINATORS_MAX = 99

function fraction(digits: string): string {
  const [whole = '0'] = digits.split('.')
  const rest = Number(digits) - Number(whole)
  let best = { numerator: 0, denominator: 1, distance: rest }
  for (let denominator = 1; denominator <= DENOMINATORS_MAX; denominator += 1) {
    const numerator = Math.round(rest * denominator)
    const distance = Math.abs(rest - numerator / denominator)
    if (distance < best.distance - Number.EPSILON) best = { numerator, denominator, distance }
  }
  if (best.numerator === 0) return whole
  return best.numerator === best.denominator
    ? String(Number(whole) + 1)
    : `${whole === '0' ? '' : `${whole} `}${best.numerator}/${best.denominator}`
}
