import { Chalk } from 'chalk'
import { expect, it } from 'vitest'
import { type TableColumn, tableWriter } from '../../src/terminal/tableWriter.ts'
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
async function laidOut(columns: number) {
  const writer = await tableWriter({ outIsTerminal: true, columns, out: new Chalk({ level: 0 }) }, COLUMNS)
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
])('in %i columns shortens, then drops in the stated order', async (columns, header, row, dropped) => {
  expect(await laidOut(columns)).toEqual([header, row, dropped])
})

it('keeps a column that outlasts prose until prose of the least width leaves no room for it', async () => {
  const columns = COLUMNS.map((column) => (column.header === 'kind' ? { ...column, outlastsProse: true } : column))
  const headerAt = async (width: number) => {
    const writer = await tableWriter({ outIsTerminal: true, columns: width, out: new Chalk({ level: 0 }) }, columns)
    return [...writer.lines(ROWS).map((line) => line.trim().split(/ {2,}/)), writer.dropped]
  }
  const kept = ['22/11 16:08', 'transfer', 'Maria Apar…', 'c6014eed']
  expect(await headerAt(44)).toEqual([['date', 'kind', 'party', 'id'], kept, ['errorCode']])
  expect((await headerAt(42)).at(-1)).toEqual(['errorCode', 'kind'])
})

it('aligns wide characters, and cuts no id that is wider in later rows', async () => {
  const writer = await tableWriter({ outIsTerminal: true, columns: 40, out: new Chalk({ level: 0 }) }, [
    { header: 'party', isProse: true },
    { header: 'amount', align: 'right' },
    { header: 'id' },
  ])
  const lines = (...rows: [party: string, amount: string, id: string][]) =>
    writer.lines(rows.map((row) => row.map((text) => ({ text }))))
  expect(lines(['日本語の店', 'R$ 1,00', 'a1'], ['Joa\u0303o', 'R$ 20,00', 'b2'])).toEqual([
    'party         amount  id',
    '日本語の店   R$ 1,00  a1',
    'Joa\u0303o        R$ 20,00  b2',
  ])
  expect(lines(['José', 'R$ 3.000.000,00', 'a-longer-id'], ['Ana', 'R$ 4,00', 'c3'])).toEqual([
    'José        R$ 3.000.000,00  a-longer-id',
    'Ana                 R$ 4,00  c3',
  ])
})

it('shortens nothing in a pipe', async () => {
  const writer = await tableWriter({ outIsTerminal: false, columns: 20, out: new Chalk({ level: 0 }) }, COLUMNS)
  expect(writer.lines(ROWS)[1]).toContain('22/11/2026 16:08:00 BRT\ttransfer\tMaria Aparecida da Silva Santos\t')
})

it('writes a block for each row where the least columns do not fit, and leaves nothing out', async () => {
  const writer = await tableWriter({ outIsTerminal: true, columns: 30, out: new Chalk({ level: 0 }) }, COLUMNS)
  const later = [
    { text: '23/11/2026 09:00:00 BRT', short: '23/11 09:00' },
    { text: 'refund' },
    { text: '—' },
    { text: 'an-id-of-23-characters!' },
  ]
  expect([...writer.lines(ROWS), ...writer.lines([later])]).toEqual([
    'date           22/11 16:08',
    'kind           transfer',
    'party          Maria Aparecida',
    '               da Silva Santos',
    'errorCode      NO_FUNDS',
    'idTransaction  c6014eed',
    '',
    'date           23/11 09:00',
    'kind           refund',
    'errorCode',
    'an-id-of-23-characters!',
  ])
  expect(writer.dropped).toEqual([])
})

it('draws no column of dashes, unless it was asked for', async () => {
  const terminal = { outIsTerminal: true, columns: 80, out: new Chalk({ level: 0 }) }
  const rows = [
    [{ text: 'a1' }, { text: '—' }],
    [{ text: 'b2' }, { text: '' }],
  ]
  const columns = [{ header: 'id' }, { header: 'payer' }]
  expect((await tableWriter(terminal, columns)).lines(rows)).toEqual(['id', 'a1', 'b2'])
  expect((await tableWriter(terminal, columns, { keepsEmpty: true })).lines(rows)[0]).toBe('id  payer')
})
