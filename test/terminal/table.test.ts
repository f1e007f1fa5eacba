import { Chalk } from 'chalk'
import { expect, it } from 'vitest'
import { type TableColumn, tableWriter } from '../../src/terminal/table.ts'
import { displayWidth } from '../../src/text/cellLayout.ts'

const COLUMNS: readonly TableColumn[] = [
  { header: 'date' },
  { header: 'kind', drop: 2 },
  { header: 'party', isProse: true },
  { header: 'errorCode', drop: 5 },
  { header: 'idTransaction', shortHeader: 'id' },
]
const ROWS = [
  [
    { text: '22/11/2026 16:08:00 BRT', short: '22/11 16:08' },
    { text: 'transfer' },
    { text: 'Maria Aparecida da Silva Santos' },
    { text: 'NO_FUNDS' },
    { text: 'c6014eed-4e0d-4d17-aa13-f9e075d4c88c', short: 'c6014eed' },
  ],
]

/** The header and the row in so many columns, and what was dropped. */
function laidOut(columns: number) {
  const writer = tableWriter({ outIsTerminal: true, columns, out: new Chalk({ level: 0 }) }, COLUMNS)
  const [header = '', row = ''] = writer.lines(ROWS)
  expect(Math.max(displayWidth(header), displayWidth(row))).toBeLessThanOrEqual(columns)
  return [header.split(/ {2,}/).join(' '), row.split(/ {2,}/).join(' | '), writer.dropped.join(', ')]
}

it.each([
  [
    115,
    'date kind party errorCode idTransaction',
    '22/11/2026 16:08:00 BRT | transfer | Maria Aparecida da Silva Santos | NO_FUNDS | c6014eed-4e0d-4d17-aa13-f9e075d4c88c',
    '',
  ],
  [
    114,
    'date kind party errorCode idTransaction',
    '22/11 16:08 | transfer | Maria Aparecida da Silva Santos | NO_FUNDS | c6014eed-4e0d-4d17-aa13-f9e075d4c88c',
    '',
  ],
  [
    102,
    'date kind party errorCode id',
    '22/11 16:08 | transfer | Maria Aparecida da Silva Santos | NO_FUNDS | c6014eed',
    '',
  ],
  [66, 'date kind party errorCode id', '22/11 16:08 | transfer | Maria Aparecida da Si… | NO_FUNDS | c6014eed', ''],
  [60, 'date kind party id', '22/11 16:08 | transfer | Maria Aparecida da Silva S… | c6014eed', 'errorCode'],
  [50, 'date party id', '22/11 16:08 | Maria Aparecida da Silva S… | c6014eed', 'errorCode, kind'],
  [34, 'date party id', '22/11 16:08 | Maria Apar… | c6014eed', 'errorCode, kind'],
])('in %i columns shortens, then drops in the stated order', (columns, header, row, dropped) => {
  expect(laidOut(columns)).toEqual([header, row, dropped])
})

it('shortens nothing in a pipe', () => {
  const writer = tableWriter({ outIsTerminal: false, columns: 20, out: new Chalk({ level: 0 }) }, COLUMNS)
  expect(writer.lines(ROWS)[1]).toContain('22/11/2026 16:08:00 BRT\ttransfer\tMaria Aparecida da Silva Santos\t')
})
