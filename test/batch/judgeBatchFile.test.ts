import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type BatchKind, judgeBatchFile, readBatchFile } from '../../src/batch/batchFile.ts'
import type { Encoding } from '../../src/spreadsheet/fileContent.ts'
import type { Delimiter } from '../../src/spreadsheet/tableRecords.ts'
import { encoded, faultsOf, rowsIn, rowsOf } from './spreadsheet/csvFiles.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pixgate-batch-'))
})
afterAll(() => rm(folder, { recursive: true }))

async function judge(text: string, kind: BatchKind = 'transfer') {
  const file = await readBatchFile(Buffer.from(text), kind, { reference: 'folha', isFull: true })
  return judgeBatchFile(file)
}

describe('a file', () => {
  const texts: [string, Delimiter][] = [
    ['key,value,nome\r\nana@b.co,"1.234,50",João\r\n"+5511987654321",10,"Ana ""Bia"""\r\n', ','],
    ['key;value;nome\nana@b.co;R$ 1.234,50;João\n+5511987654321;10,00;"Ana ""Bia"""', ';'],
    ['sep=\t\nKEY\tValue\tnome\nana@b.co\t1234,5\tJoão\n\n+5511987654321\t10.0\t"Ana ""Bia"""', '\t'],
  ]
  const encodings: Encoding[] = ['utf-8', 'utf-8-bom', 'utf-16le', 'utf-16be', 'windows-1252']

  it.each(texts.flatMap(([text, delimiter]) => encodings.map((encoding) => ({ text, delimiter, encoding }))))(
    'is the same in $encoding with $delimiter',
    async ({ text, delimiter, encoding }) => {
      const path = join(folder, 'folha.csv')
      await writeFile(path, encoded(text, encoding))
      const file = await readBatchFile(path, 'transfer')
      expect(file).toMatchObject({ format: { encoding, delimiter }, reference: 'folha', remarks: [] })
      expect(file.columns.map((column) => column.toLowerCase())).toEqual(['key', 'value', 'nome'])
      const rows = await rowsIn(file)
      expect(rows.map(({ cells }) => cells[2])).toEqual(['João', 'Ana "Bia"'])
      expect(rows).toMatchObject([{ amountCents: 123_450 }, { amountCents: 1000, key: '+5511987654321' }])
      // The payments are the same ones in every form of the file.
      expect(await judgeBatchFile(file)).toMatchObject({
        count: 2,
        totalCents: 124_450,
        fingerprint: '86fca61d41e8f50d',
      })
    },
  )

  it('with a random key in capitals holds the key in lower case', async () => {
    const random = '123e4567-e12b-12d1-a456-426655440000'
    const bytes = Buffer.from(`key;value\n${random.toUpperCase()};1\n${random};2`)
    expect(await rowsOf(bytes)).toMatchObject([{ key: random }, { key: random }])
  })

  it('of UTF-16 needs no mark', async () => {
    const bytes = encoded('key;value\na@b.co;1', 'utf-16le', { mark: false })
    expect(await readBatchFile(bytes, 'transfer', { reference: 'r' })).toMatchObject({
      format: { encoding: 'utf-16le' },
    })
  })

  it.each(['~$pagamentos.xlsx', '._pagamentos.xlsx', '.~lock.pagamentos.xlsx#'])(
    'that another program left beside the file is named: %s',
    async (name) => {
      await writeFile(join(folder, name), 'x')
      await expect(readBatchFile(join(folder, name), 'transfer')).rejects.toMatchObject({
        message: expect.stringMatching(/is what another program leaves beside `pagamentos.xlsx`/),
        hint: 'Use the path of `pagamentos.xlsx`',
      })
    },
  )

  it.each([
    ['missing.csv', 'does not exist'],
    ['.', 'is a folder'],
  ])('that cannot be read is refused: %s', async (name, message) => {
    await expect(readBatchFile(join(folder, name), 'transfer')).rejects.toThrow(message)
  })

  it.each([
    ['folha (1).csv', 'folha'],
    ['folha - Copia.csv', 'folha'],
    ['folha copy 2.csv', 'folha'],
    ['folha - Copy (3).csv', 'folha'],
  ])('whose name looks like a copy is remarked on: %s', async (name, original) => {
    const path = join(folder, name)
    await writeFile(path, 'key,value\n')
    const { remarks } = await readBatchFile(path, 'transfer')
    expect(remarks).toEqual([expect.stringContaining(`add \`--reference ${original}\``)])
    expect((await readBatchFile(path, 'transfer', { reference: 'folha (1)' })).remarks).toEqual([])
  })

  it('from standard input needs a reference', async () => {
    await expect(readBatchFile(Buffer.from('key,value\n'), 'transfer')).rejects.toThrow(
      'Standard input needs a reference',
    )
    const path = join(folder, 'spooled')
    await writeFile(path, 'key,value\n')
    await expect(readBatchFile(path, 'transfer', { fileName: null })).rejects.toThrow(
      'Standard input needs a reference',
    )
  })
})

describe('the faults of a file', () => {
  it('include ragged lines, with nothing else of them', async () => {
    expect(await faultsOf('key,value,nome\nx,1\na@b.co,1,Ana,2\na@b.co,1,"Silva, Ana"\n')).toEqual([
      '2 nome: The line has 2 cells, but the header has 3: cells are missing at its end',
      '3 #4: The line has 4 cells, but the header has 3. Put a cell that holds the separator in quotes',
    ])
  })

  it('are reported up to a misplaced quote', async () => {
    expect(await faultsOf('key,value,nome\nx,"1\n",A\n\na@b.co,1,"Loja "Boa""\ny,1,B')).toEqual([
      expect.stringMatching(/^2 key: `x` is not a PIX key/),
      '5 nome: There is a quote `"` inside a cell. Put the cell in quotes and double the quotes in it; the lines after it were not read',
    ])
  })

  it('are all counted, and the first thousand kept', async () => {
    const checked = await judge(`key,value\n${'x,1\n'.repeat(1500)}a@b.co,1`)
    expect(checked).toMatchObject({ count: 1, faultCount: 1500, totalCents: 100 })
    expect(checked.faults).toHaveLength(1000)
    expect(checked.faults.at(-1)).toMatchObject({ line: 1001, column: 'key' })
  })

  it('include a total beyond what can be added exactly', async () => {
    const rows = Array.from({ length: 9008 }, (_, index) => `a${index}@b.co,9999999999.99`)
    const { faultCount, faults, totalCents } = await judge(`key,value\n${rows.join('\n')}`)
    expect(Number.isSafeInteger(totalCents)).toBe(true)
    expect({ faultCount, fault: faults[0] }).toEqual({
      faultCount: 1,
      fault: {
        row: 9009,
        line: 9009,
        column: 'value',
        message: 'The total becomes too large at this row: split the file',
      },
    })
  })
})

it('finds a row with a cell that may hold rows', async () => {
  const { swallowedLine, count } = await judge('key,value,nome\na@b.co,1,"Ana\nb@b.co,2,Bia"\nc@b.co,3,"Rua\nA"')
  expect({ count, swallowedLine }).toEqual({ count: 2, swallowedLine: 2 })
  expect((await judge('key,value\na@b.co,1')).swallowedLine).toBeNull()
})

it('names the row of a fault as a spreadsheet counts it', async () => {
  const { faults } = await judge('sep=,\nkey,value,nome\na@b.co,1,"Rua\nA\nB"\n\nb@b.co,x,y\n')
  expect(faults).toMatchObject([{ row: 4, line: 7, column: 'value' }])
})

describe('the fingerprint', () => {
  it('identifies the payments in any order, and nothing else', async () => {
    const header = 'key,value,externalId,nome\n'
    const { fingerprint } = await judge(`${header}a@b.co,1,,Ana\nb@b.co,2,,Bia\na@b.co,1,,Ana`)
    expect(fingerprint).toMatch(/^[0-9a-f]{16}$/)
    const same = await judge(`${header}b@b.co,"2,00",,\n\na@b.co,1,,\na@b.co,1,,`)
    expect(same.fingerprint).toBe(fingerprint)
    const others = [
      'a@b.co,1,,\nb@b.co,2,,',
      'a@b.co,1,,\nb@b.co,2,,\na@b.co,1.01,,',
      'a@b.co,1,,\nb@b.co,2,,\na@b.co,1,NF1,',
      'a@b.co,1,,\nb@b.co,2,,\nc@b.co,1,,',
    ]
    for (const rows of others) expect((await judge(header + rows)).fingerprint).not.toBe(fingerprint)
  })
})
