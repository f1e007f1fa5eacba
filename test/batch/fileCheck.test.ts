import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type BatchKind, readBatchFile } from '../../../src/money/batch/batchFile.ts'
import type { Encoding } from '../../../src/money/batch/encoding.ts'
import { checkBatchFile } from '../../../src/money/batch/fileCheck.ts'
import { type EarlierAmounts, noticeWords } from '../../../src/money/batch/notices.ts'
import type { Delimiter } from '../../../src/money/batch/table.ts'
import { collected, encoded, faultsOf } from './csvFiles.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pixgate-batch-'))
})
afterAll(() => rm(folder, { recursive: true }))

async function check(text: string, kind: BatchKind = 'transfer', earlierAmounts?: EarlierAmounts) {
  const file = await readBatchFile(Buffer.from(text), kind, { reference: 'folha', isFull: true })
  return checkBatchFile(file, { earlierAmounts })
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
      expect(file).toMatchObject({ encoding, delimiter, reference: 'folha', remarks: [] })
      expect(file.columns.map((column) => column.toLowerCase())).toEqual(['key', 'value', 'nome'])
      const rows = await collected(file.rows)
      expect(rows.map(({ cells }) => cells[2])).toEqual(['João', 'Ana "Bia"'])
      expect(rows).toMatchObject([{ amountCents: 123_450 }, { amountCents: 1000, key: '+5511987654321' }])
      // The rows can be read as often as they are needed, and the payments are the same ones in every form of the file.
      expect(await collected(file.rows)).toEqual(rows)
      expect(await checkBatchFile(file)).toMatchObject({
        count: 2,
        totalCents: 124_450,
        fingerprint: '86fca61d41e8f50d',
      })
    },
  )

  it('of UTF-16 needs no mark', async () => {
    const bytes = encoded('key;value\na@b.co;1', 'utf-16le', { mark: false })
    expect(await readBatchFile(bytes, 'transfer', { reference: 'r' })).toMatchObject({ encoding: 'utf-16le' })
  })

  it.each([
    ['missing.csv', 'There is no file `'],
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
    expect(remarks).toEqual([expect.stringContaining(`add \`--reference "${original}"\``)])
    expect((await readBatchFile(path, 'transfer', { reference: 'folha (1)' })).remarks).toEqual([])
  })

  it('from standard input needs a reference', async () => {
    await expect(readBatchFile(Buffer.from('key,value\n'), 'transfer')).rejects.toThrow('standard input needs a name')
    const path = join(folder, 'spooled')
    await writeFile(path, 'key,value\n')
    await expect(readBatchFile(path, 'transfer', { fileName: null })).rejects.toThrow('standard input needs a name')
  })

  it('that has changed is not sent from the fault on', async () => {
    const path = join(folder, 'changing.csv')
    await writeFile(path, 'key,value\na@b.co,1\n')
    const file = await readBatchFile(path, 'transfer')
    await writeFile(path, 'key,value\na@b.co,1\nb@b.co,x\n')
    await expect(collected(file.rows)).rejects.toThrow('The file has a fault that was not there before')
  })
})

describe('the faults of a file', () => {
  it('include ragged lines, with nothing else of them', async () => {
    expect(await faultsOf('key,value,nome\nx,1\na@b.co,1,Ana,2\na@b.co,1,"Silva, Ana"')).toEqual([
      '2 nome: The line has 2 cells, but the header has 3: cells are missing at its end',
      '3 #4: The line has 4 cells, but the header has 3. Put a cell that holds the separator in quotes',
    ])
  })

  it('are told up to a misplaced quote', async () => {
    expect(await faultsOf('key,value,nome\nx,"1\n",A\n\na@b.co,1,Loja "Boa"\ny,1,B')).toEqual([
      expect.stringMatching(/^2 key: `x` is not a PIX key/),
      '5 nome: A quote `"` stands inside a cell. Put the cell in quotes and double the quotes in it; the lines after it were not read',
    ])
  })

  it('are all counted, and the first thousand kept', async () => {
    const checked = await check(`key,value\n${'x,1\n'.repeat(1500)}a@b.co,1`)
    expect(checked).toMatchObject({ count: 1, faultCount: 1500, totalCents: 100 })
    expect(checked.faults).toHaveLength(1000)
    expect(checked.faults.at(-1)).toMatchObject({ line: 1001, column: 'key' })
  })

  it('include a total beyond what can be added exactly', async () => {
    const rows = Array.from({ length: 9008 }, (_, index) => `a${index}@b.co,9999999999.99`)
    const { faultCount, faults, totalCents } = await check(`key,value\n${rows.join('\n')}`)
    expect(Number.isSafeInteger(totalCents)).toBe(true)
    expect({ faultCount, fault: faults[0] }).toEqual({
      faultCount: 1,
      fault: { line: 9009, column: 'value', message: 'The total is too large from here on. Split the file' },
    })
  })
})

describe('the notices of a file', () => {
  it('are equal rows, unusual amounts, the largest, the kinds of keys', async () => {
    const text =
      'key,value,documentValidation\n(62) 99999-8888,10,\na@b.co,51,\n+5562999998888,10.00,11144477735\na@b.co,50,\nnew@b.co,900,\n(62) 99999-8888,10,'
    const habits: Record<string, number[]> = { 'a@b.co': [1000, 100, 1_000_000], '62999998888': [1, 1] }
    const { notices, count, totalCents } = await check(text, 'transfer', (key) => habits[key] ?? [])
    expect({ count, totalCents }).toEqual({ count: 6, totalCents: 103_100 })
    expect(notices).toEqual({
      equalCount: 2,
      equal: [
        { line: 4, firstLine: 2 },
        { line: 7, firstLine: 2 },
      ],
      unusualCount: 1,
      unusual: [{ line: 3, key: 'a@b.co', amountCents: 5100, medianCents: 1000 }],
      largest: { line: 6, destination: 'new@b.co', amountCents: 90_000 },
      keyTypes: { phoneNumber: 3, email: 3 },
      wholeCount: 0,
      swallowed: [],
    })
    expect(noticeWords(notices)).toEqual([
      'Amounts far above what the key was paid before: 1, the first on line 3: R$ 51,00 to a@b.co, which usually gets R$ 10,00',
      'Rows with the same destination and amount as one above: 2, the first on line 4, like line 2. Each is a payment of its own',
    ])
  })

  it('are rows that a quote may have swallowed', async () => {
    const { notices, count } = await check('key,value,nome\na@b.co,1,"Ana\nb@b.co,2,Bia"\nc@b.co,3,"Rua\nA"')
    expect({ count, swallowed: notices.swallowed }).toEqual({ count: 2, swallowed: [{ line: 2 }] })
    expect(noticeWords(notices)).toEqual([expect.stringContaining('A cell on line 2 has several lines')])
  })

  it('count refunds of all that is left', async () => {
    const { notices, totalCents } = await check(
      'originalTransactionId,amount,refundReason\na,,x\nb,2,x\nc,,x',
      'refund',
    )
    expect({ totalCents, whole: notices.wholeCount, largest: notices.largest?.destination }).toEqual({
      totalCents: 200,
      whole: 2,
      largest: 'b',
    })
  })

  it('are none for a file in order', async () => {
    expect(noticeWords((await check('key,value\na@b.co,1\nb@b.co,1')).notices)).toEqual([])
  })
})

describe('the fingerprint', () => {
  it('stands for the payments in any order, and for nothing else', async () => {
    const header = 'key,value,externalId,nome\n'
    const { fingerprint } = await check(`${header}a@b.co,1,,Ana\nb@b.co,2,,Bia\na@b.co,1,,Ana`)
    expect(fingerprint).toMatch(/^[0-9a-f]{16}$/)
    const same = await check(`${header}b@b.co,"2,00",,\n\na@b.co,1,,\na@b.co,1,,`)
    expect(same.fingerprint).toBe(fingerprint)
    const others = [
      'a@b.co,1,,\nb@b.co,2,,',
      'a@b.co,1,,\nb@b.co,2,,\na@b.co,1.01,,',
      'a@b.co,1,,\nb@b.co,2,,\na@b.co,1,NF1,',
      'a@b.co,1,,\nb@b.co,2,,\nc@b.co,1,,',
    ]
    for (const rows of others) expect((await check(header + rows)).fingerprint).not.toBe(fingerprint)
  })
})
