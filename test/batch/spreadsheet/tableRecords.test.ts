import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Delimiter, detectDelimiter, readRecords } from '../../../src/spreadsheet/tableRecords.ts'
import { collected } from './csvFiles.ts'

async function* parts(text: string, size: number): AsyncGenerator<string> {
  for (let start = 0; start < text.length; start += size) yield text.slice(start, start + size)
}

async function read(text: string, delimiter: Delimiter = ',', size = 7) {
  const records = await collected(readRecords(parts(text, size), delimiter))
  return records.map(({ row: _, ...record }) => record)
}

const CLOSED_TOO_EARLY =
  'There is a quote `"` inside a cell. Put the cell in quotes and double the quotes in it; the lines after it were not read'

describe('readRecords', () => {
  it.each<[string, Delimiter, { line: number; cells: string[] }[]]>([
    [
      'a,b\n1,2\n',
      ',',
      [
        { line: 1, cells: ['a', 'b'] },
        { line: 2, cells: ['1', '2'] },
      ],
    ],
    [
      'a,b\n1: "x",2 "y"\n"""3"" 4","5 ""z"""\n',
      ',',
      [
        { line: 1, cells: ['a', 'b'] },
        { line: 2, cells: ['1: "x"', '2 "y"'] },
        { line: 3, cells: ['"3" 4', '5 "z"'] },
      ],
    ],
    [
      'a;b\r\n1;2',
      ';',
      [
        { line: 1, cells: ['a', 'b'] },
        { line: 2, cells: ['1', '2'] },
      ],
    ],
    [
      'a\tb\r1\t2\r',
      '\t',
      [
        { line: 1, cells: ['a', 'b'] },
        { line: 2, cells: ['1', '2'] },
      ],
    ],
    [
      'a\n\n\r\n1\r2',
      ',',
      [
        { line: 1, cells: ['a'] },
        { line: 4, cells: ['1'] },
        { line: 5, cells: ['2'] },
      ],
    ],
    [
      'a,b\n,,\n  ,\n1,2',
      ',',
      [
        { line: 1, cells: ['a', 'b'] },
        { line: 4, cells: ['1', '2'] },
      ],
    ],
    [
      '"x\r\ny\nz",1\r\n2,3',
      ',',
      [
        { line: 1, cells: ['x\r\ny\nz', '1'] },
        { line: 4, cells: ['2', '3'] },
      ],
    ],
    [
      '"a""b",""\n1,"c,d"',
      ',',
      [
        { line: 1, cells: ['a"b', ''] },
        { line: 2, cells: ['1', 'c,d'] },
      ],
    ],
    ['', ',', []],
    ['\n\n', ',', []],
  ])('reads %j', async (text, delimiter, records) => {
    for (const size of [1, 2, 1000]) expect(await read(text, delimiter, size)).toEqual(records)
  })

  it.each([
    ['a,b\n1,"2', 2, 1, 'A quote `"` is opened here and never closed. The lines after it were not read'],
    ['a,b\n1, "2"\n3,4', 2, 1, CLOSED_TOO_EARLY],
    ['a,b\n1,"2 "x" y"\n3,4\n', 2, 1, CLOSED_TOO_EARLY],
    ['a,b\n1,2\n"3" ,4\n5,6', 3, 0, CLOSED_TOO_EARLY],
    ['a,b\n"x\ny",2\n\n"3"4,5\n', 5, 0, CLOSED_TOO_EARLY],
  ])('ends at the misplaced quote of %j', async (text, line, place, message) => {
    for (const size of [1, 5, 1000]) {
      const records = await read(text, ',', size)
      expect(records.at(-1)).toEqual({ line, place, message })
      expect(records.slice(0, -1).every((record) => 'cells' in record && record.line < line)).toBe(true)
      expect(records.length).toBeGreaterThan(1)
    }
  })

  it('does not read a whole file into a quote that is never closed', async () => {
    const text = `a,b\n1,"2\n${'3,4\n'.repeat(400_000)}`
    const last = (await read(text, ',', 65_536)).at(-1)
    expect(last).toMatchObject({ line: 2, message: expect.stringContaining('longer than 1000000 characters') })
  })

  it('reads back any table, whatever its delimiter, quotes, line ends and chunks', async () => {
    const cell = fc.string({
      unit: fc.constantFrom('a', 'ç', '"', ',', ';', '\t', '\n', '\r\n', ' ', '=', '1'),
      maxLength: 8,
    })
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(cell, { minLength: 2, maxLength: 4 }), { maxLength: 8 }),
        fc.constantFrom<Delimiter>(',', ';', '\t'),
        fc.constantFrom('\n', '\r\n', '\r'),
        fc.boolean(),
        fc.integer({ min: 1, max: 20 }),
        async (table, delimiter, lineEnd, quotesAll, size) => {
          const lines = table.map((cells) => cells.map((each) => written(each, quotesAll)).join(delimiter))
          let line = 1
          const expected = table.flatMap((cells, index) => {
            const own = line
            line += (lines[index]?.match(/\r\n|\r|\n/g)?.length ?? 0) + 1
            return cells.some((each) => each.trim() !== '') ? [{ line: own, cells }] : []
          })
          expect(await read(lines.map((each) => each + lineEnd).join(''), delimiter, size)).toEqual(expected)
        },
      ),
      { numRuns: 300 },
    )
  })
})

function written(cell: string, quotesAll: boolean): string {
  return quotesAll || /[",;\t\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell
}

describe('detectDelimiter', () => {
  const isKnown = (name: string) => ['key', 'value'].includes(name.trim().toLowerCase())

  it.each<[string, Delimiter]>([
    ['key,value\na,1', ','],
    ['key;value\na;1,5', ';'],
    ['Key \t value\n', '\t'],
    ['key;value;"note, with, many, commas"', ';'],
    ['note, with, many, commas;key;value', ';'],
    ['"key;x",value', ','],
    ['"key\n;;;",value', ','],
    ['chave;valor\n', ';'],
    ['chave\tvalor\n', '\t'],
    ['\r\n\r\nkey;value', ';'],
    ['Payments of November, December, January\nAccount\nkey;value\na;1,5', ';'],
    ['sep=,\nkey;a;b,value', ','],
    ['"SEP=;"\r\nkey,value', ';'],
    ['key', ','],
    ['', ','],
  ])('of %j is %j', (beginning, delimiter) => {
    expect(detectDelimiter(beginning, isKnown)).toBe(delimiter)
  })
})

describe('a file that is cut off', () => {
  const faults = async (text: string) =>
    (await collected(readRecords(parts(text, 7), ';'))).flatMap((record) => ('message' in record ? [record.line] : []))

  it('is noticed by its last line, which has no end', async () => {
    for (const last of ['28/11/2026;PIX RITA', '28/11/2026;PIX;-4', '28/11/2026;PIX;-430,0', '28/1', '28/11/2026']) {
      expect([last, await faults(`Data;Histórico;Valor\n27/11/2026;PIX ANA;-12,00\n${last}`)]).toEqual([last, [3]])
    }
    expect(await faults('Data;Valor;Id\n28/11/2026;-6')).toEqual([2])
    expect(await faults('Nome;Chave;Valor\nRita;rita@example.com;1.064,20\nRita;ana@example.com;6')).toEqual([3])
    expect(await faults('Tipo;Data;Valor\nPix enviado Rita;27/11/2026;-12,00\nPix env')).toEqual([3])
  })

  it('is noticed below rows that begin with an empty cell, too', async () => {
    const rows = 'Data;Histórico;Valor\n27/11/2026;;\n;PIX ANA;-12,00\n28/11/2026;;\n'
    expect(await faults(`${rows};PIX RITA;-4`)).toEqual([5])
    expect(await faults(`${rows};PIX RITA;-430,00`)).toEqual([])
    expect(await faults(`${rows};`)).toEqual([])
  })

  it('is noticed by another mark of decimals, and a sign that is missing', async () => {
    for (const [before, last] of [
      ['-12,00', '-1.31'],
      ['-12.00', '-1,31'],
      ['12,00 D', '1,45'],
      ['12,00-', '1,45'],
      ['12,00 (-)', '1,45'],
    ]) {
      const text = `Data;Histórico;Valor\n27/11/2026;PIX ANA;${before}\n28/11/2026;PIX RITA;${last}`
      expect([last, await faults(text)]).toEqual([last, [3]])
    }
  })

  it('is not one whose last line is whole, ended, or about something else', async () => {
    for (const last of ['28/11/2026;PIX RITA;-430,00', 'Total;-442,00', 'Gerado em 28/11/2026', '28/11/2026;PIX\n']) {
      expect([last, await faults(`Data;Histórico;Valor\n27/11/2026;PIX ANA;-12,00\n${last}`)]).toEqual([last, []])
    }
    expect(await faults('Nome;Chave;Valor\nRita;rita@example.com;100\nRita;ana@example.com;6')).toEqual([])
    expect(await faults('Data;Histórico;Valor\n27/11/2026;PIX;100\n28/11/2026;PIX;-20.4')).toEqual([])
    expect(await faults('Data;Valor\n26/11/2026;3,00-\n27/11/2026;12,00\n28/11/2026;1,45')).toEqual([])
  })
})
