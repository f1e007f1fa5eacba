const FONT = 'Arial'
const FONT_POINTS = 9
const TITLE_POINTS = 14

/** The formats of numbers by their ids; the first 164 are a spreadsheet's own. */
const FORMATS = {
  general: [0, null],
  integer: [1, null],
  amount: [164, '#,##0.00;[Red]-#,##0.00'],
  time: [165, 'dd/mm/yyyy hh:mm:ss'],
  day: [166, 'dd/mm/yyyy'],
} as const

const FONTS = {
  plain: '',
  bold: '<b/>',
  marked: '<b/><color rgb="FFB00020"/>',
  quiet: '<color rgb="FF444444"/>',
  title: '<b/>',
} as const

const FILLS = {
  none: '<patternFill patternType="none"/>',
  // The format reserves the second fill.
  reserved: '<patternFill patternType="gray125"/>',
  header: '<patternFill patternType="solid"><fgColor rgb="FFE8E8E8"/></patternFill>',
} as const

const BORDERS = {
  none: '<left/><right/><top/><bottom/>',
  header: '<left/><right/><top/><bottom style="medium"><color rgb="FF333333"/></bottom>',
  sum: '<left/><right/><top style="medium"><color rgb="FF333333"/></top><bottom/>',
  row: '<left/><right/><top/><bottom style="hair"><color rgb="FF999999"/></bottom>',
} as const

interface StyleParts {
  font: keyof typeof FONTS
  format?: keyof typeof FORMATS
  fill?: keyof typeof FILLS
  border?: keyof typeof BORDERS
  align?: 'left' | 'right'
  wraps?: boolean
}

/** What a cell of a sheet looks like, by its meaning. The first is that of cells without a style. */
const STYLES = {
  empty: { font: 'plain' },
  text: { font: 'plain', border: 'row', wraps: true, align: 'left' },
  id: { font: 'plain', border: 'row', wraps: true, align: 'left' },
  integer: { font: 'plain', border: 'row', format: 'integer' },
  amount: { font: 'plain', border: 'row', format: 'amount' },
  time: { font: 'plain', border: 'row', format: 'time', align: 'left' },
  day: { font: 'plain', border: 'row', format: 'day', align: 'left' },
  marked: { font: 'marked', border: 'row', wraps: true, align: 'left' },
  textSum: { font: 'bold', border: 'sum', wraps: true, align: 'left' },
  integerSum: { font: 'bold', border: 'sum', format: 'integer' },
  amountSum: { font: 'bold', border: 'sum', format: 'amount' },
  header: { font: 'bold', fill: 'header', border: 'header', wraps: true, align: 'left' },
  numberHeader: { font: 'bold', fill: 'header', border: 'header', wraps: true, align: 'right' },
  title: { font: 'title', align: 'left' },
  sentence: { font: 'quiet', wraps: true, align: 'left' },
  label: { font: 'bold', align: 'left' },
} as const satisfies Record<string, StyleParts>

export type CellStyle = keyof typeof STYLES

const NAMES = Object.keys(STYLES)

/** The number by which a cell refers to a style. */
export function styleNumber(style: CellStyle): number {
  return NAMES.indexOf(style)
}

/** The part of a workbook that describes all styles. */
export function stylesXml(): string {
  const own = Object.values(FORMATS).flatMap(([id, code]) => (code === null ? [] : [[id, code] as const]))
  const formats = own.map(([id, code]) => `<numFmt numFmtId="${id}" formatCode="${code}"/>`)
  const fonts = Object.entries(FONTS).map(([name, parts]) => {
    const points = name === 'title' ? TITLE_POINTS : FONT_POINTS
    const [weight, colour] = parts.startsWith('<b/>') ? ['<b/>', parts.slice(4)] : ['', parts]
    return `<font>${weight}<sz val="${points}"/>${colour}<name val="${FONT}"/><family val="2"/></font>`
  })
  const fills = Object.values(FILLS).map((fill) => `<fill>${fill}</fill>`)
  const borders = Object.values(BORDERS).map((border) => `<border>${border}<diagonal/></border>`)
  const cells = Object.values(STYLES).map(styleXml)
  return (
    '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>' +
    '<styleSheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">' +
    counted('numFmts', formats) +
    counted('fonts', fonts) +
    counted('fills', fills) +
    counted('borders', borders) +
    '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>' +
    counted('cellXfs', cells) +
    '<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>'
  )
}

function counted(name: string, members: readonly string[]): string {
  return `<${name} count="${members.length}">${members.join('')}</${name}>`
}

function styleXml({ font, format = 'general', fill = 'none', border = 'none', align, wraps }: StyleParts): string {
  const [formatId] = FORMATS[format]
  const ids = [
    `numFmtId="${formatId}"`,
    `fontId="${Object.keys(FONTS).indexOf(font)}"`,
    `fillId="${Object.keys(FILLS).indexOf(fill)}"`,
    `borderId="${Object.keys(BORDERS).indexOf(border)}"`,
  ]
  // The indent keeps text apart from a number at its left.
  const side = { left: ' horizontal="left" indent="1"', right: ' horizontal="right"', none: '' }[align ?? 'none']
  const alignment = `<alignment vertical="top"${side}${wraps === true ? ' wrapText="1"' : ''}/>`
  return `<xf ${ids.join(' ')} xfId="0" applyNumberFormat="1" applyFont="1" applyFill="1" applyBorder="1" applyAlignment="1">${alignment}</xf>`
}
