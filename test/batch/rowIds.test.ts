import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { derivedId, referenceOf } from '../../src/batch/rowIds.ts'
import type { TransferPayment } from '../../src/ledger/facts.ts'
import { faultsOf, rowsOf } from './spreadsheet/csvFiles.ts'

const MARIA: TransferPayment = {
  kind: 'transfer',
  key: 'maria@example.com',
  keyType: 'email',
  amountCents: 15_000,
  documentValidation: null,
  callbackUrl: '',
  payee: null,
  payeeDisplayName: null,
}

describe('derivedId', () => {
  // These never change: another id is another payment. They come from Python's hashlib and base64.b32hexencode.
  it.each<[string, TransferPayment, number, string]>([
    ['folha-2026-11', MARIA, 0, 'folha-2026-11-ht4cup7mbsft5roc'],
    ['folha-2026-11', MARIA, 1, 'folha-2026-11-jvaiql510cqfol05'],
    [
      'Março (fornecedores) nº 2',
      { ...MARIA, key: '+5511987654321', keyType: 'phoneNumber' },
      0,
      'marco-fornecedores-47jd0g9abm92c4n2',
    ],
    [
      '給与',
      { ...MARIA, key: '11144477735', keyType: 'document', documentValidation: '11144477735' },
      0,
      'batch-o11m3plcoqjr7iud',
    ],
  ])('of %j %j %i is pinned', (reference, facts, above, id) => {
    expect(derivedId(reference, facts, above)).toBe(id)
  })

  it('of a refund is pinned', () => {
    const refund = { kind: 'refund', originalTransactionId: 'paid-1' } as const
    expect(derivedId('returns', { ...refund, amountCents: null }, 0)).toBe('returns-s05k0laam2ehqaj9')
    expect(derivedId('returns', { ...refund, amountCents: 100 }, 0)).toBe('returns-i0g3pmsilr4opmn1')
  })

  it('is at most 35 characters that any gateway takes', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.nat(), (reference, above) => {
        expect(derivedId(reference, MARIA, above)).toMatch(/^[a-z0-9](?:[a-z0-9-]{0,17})-[0-9a-v]{16}$/)
      }),
    )
  })

  it.each<[Partial<TransferPayment>]>([
    [{ key: '11987654321', keyType: 'phoneNumber' }],
    [{ key: '123E4567-E12B-12D1-A456-426655440000', keyType: 'randomKey' }],
    [{ key: 'MARIA@example.com' }],
    [{ key: '12.ABC.345/01DE-35', keyType: 'document' }],
  ])('is the same for another spelling of %j', (facts) => {
    const other: Record<string, string> = {
      '11987654321': '+5511987654321',
      '123E4567-E12B-12D1-A456-426655440000': '123e4567-e12b-12d1-a456-426655440000',
      'MARIA@example.com': 'maria@example.com',
      '12.ABC.345/01DE-35': '12abc34501de35',
    }
    const key = other[facts.key ?? ''] ?? ''
    expect(derivedId('r', { ...MARIA, ...facts }, 0)).toBe(derivedId('r', { ...MARIA, ...facts, key }, 0))
  })

  it('changes with the reference, key, kind of key, amount, owner or count, and with nothing else', () => {
    const digits = { ...MARIA, key: '11987654374' }
    const others = [
      derivedId('r', MARIA, 0),
      derivedId('R', MARIA, 0),
      derivedId('r', MARIA, 1),
      derivedId('r', { ...MARIA, key: 'joao@example.com' }, 0),
      derivedId('r', { ...MARIA, amountCents: 1500 }, 0),
      derivedId('r', { ...MARIA, documentValidation: '11144477735' }, 0),
      derivedId('r', { ...digits, keyType: 'document' }, 0),
      derivedId('r', { ...digits, keyType: 'phoneNumber' }, 0),
    ]
    expect(new Set(others).size).toBe(others.length)
    const elsewhere = { ...MARIA, callbackUrl: 'https://a.example/' }
    expect(derivedId('r', elsewhere, 0)).toBe(others[0])
    expect(derivedId('cafe\u0301', MARIA, 0)).toBe(derivedId('caf\u00e9', MARIA, 0))
  })
})

describe('the ids of a file', () => {
  const row = fc.record({
    key: fc.constantFrom('ana@b.co', 'bia@b.co', '(62) 99999-8888', '+5562999998888', '11144477735'),
    value: fc.constantFrom('1', '1,00', '2.00', '1.000,00'),
    documentValidation: fc.constantFrom('', '11144477735', '111.444.777-35'),
    nome: fc.constantFrom('Ana', 'Bia'),
  })
  type Row = Parameters<Parameters<typeof row.map>[0]>[0]

  async function ids(rows: readonly Row[], delimiter = ';'): Promise<string[]> {
    const lines = rows.map((each) => [each.key, each.value, each.documentValidation, each.nome])
    const table = [['key', 'value', 'documentValidation', 'nome'], ...lines]
    const text = table.map((cells) => cells.map((cell) => `"${cell}"`).join(delimiter)).join('\n')
    return (await rowsOf(text)).map(({ rowId }) => rowId)
  }

  it('are unique, and the same in any order and form of the file', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(row, { maxLength: 12 }), fc.gen(), async (rows, gen) => {
        const before = await ids(rows)
        expect(new Set(before).size).toBe(rows.length)
        const sorted = gen(fc.shuffledSubarray, rows, { minLength: rows.length })
        expect((await ids(sorted, '\t')).sort()).toEqual(before.toSorted())
      }),
      { numRuns: 30 },
    )
  })

  it('stay with the rows of a shortened or lengthened file', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(row, { maxLength: 10 }), fc.array(row, { maxLength: 4 }), async (rows, more) => {
        const before = new Set(await ids(rows))
        const after = new Set(await ids([...more, ...rows]))
        expect([...before].filter((id) => !after.has(id))).toEqual([])
      }),
      { numRuns: 30 },
    )
  })

  it.each([
    ['52998224725', '529.982.247-25'],
    ['12ABC34501DE35', '12.ABC.345/01DE-35'],
    ['+5511987654321', '(11) 98765-4321'],
    ['+5511987654321', '+55 11 98765-4321'],
  ])('are the same for %s and %s', async (bare, formatted) => {
    const [first, second] = await rowsOf(`key,value\n${bare},1\n${formatted},1`)
    const [again] = await rowsOf(`key,value\n${formatted},1`)
    expect(again?.rowId).toBe(first?.rowId)
    // In one file they are two payments of the same kind.
    expect(second?.rowId).not.toBe(first?.rowId)
  })

  it('are the same for a phone number whose type the row or the header tells', async () => {
    const [bare] = await rowsOf('key,value,typeKey\n11987654321,1,Celular')
    const [ofHeader] = await rowsOf('Celular,value\n11987654321,1', 'transfer', { map: ['key=Celular'] })
    const [formatted] = await rowsOf('key,value\n(11) 98765-4321,1')
    expect([ofHeader?.rowId, formatted?.rowId]).toEqual([bare?.rowId, bare?.rowId])
  })

  it('do not depend on a row that has an id of its own', async () => {
    const header = 'key,value,externalId\n'
    const [own, derived] = await rowsOf(`${header}a@b.co,1,NF1\na@b.co,1,`)
    const [first, second] = await rowsOf(`${header}a@b.co,1,\na@b.co,1,NF1`)
    expect([own?.rowId, second?.rowId]).toEqual(['NF1', 'NF1'])
    expect(derived?.rowId).toBe(first?.rowId)
  })

  it('must not collide, whatever their case', async () => {
    const header = 'key,value,externalId\n'
    expect(await faultsOf(`${header}a@b.co,1,NF1\nb@b.co,2,nf1\nc@b.co,3,NF1\nx,3,NF1`)).toEqual([
      '3 externalId: The id `nf1` is already used on line 2',
      '4 externalId: The id `NF1` is already used on line 2',
      '5 key: `x` is not a PIX key. Type a CPF, a CNPJ, a mobile number, an e-mail address, a random key with its dashes, or a payment code',
      '5 externalId: The id `NF1` is already used on line 2',
    ])
    const [row] = await rowsOf(`${header}a@b.co,1,`)
    const met = `The id \`${row?.rowId}\` is already used on line 2`
    expect(await faultsOf(`${header}a@b.co,1,\nb@b.co,2,${row?.rowId}`)).toEqual([`3 externalId: ${met}`])
    expect(await faultsOf(`${header}b@b.co,2,${row?.rowId}\na@b.co,1,`)).toEqual([`3 externalId: ${met}`])
  })
})

describe('referenceOf', () => {
  it.each([
    [undefined, 'folha.csv', 'folha'],
    [undefined, 'folha.2026-11.CSV', 'folha.2026-11'],
    [undefined, 'folha', 'folha'],
    [undefined, '.csv', '.csv'],
    [undefined, 'marc\u0327o.csv', 'mar\u00e7o'],
    [' payroll ', 'folha.csv', 'payroll'],
    ['payroll', null, 'payroll'],
  ])('of %j and %j is %j', (typed, fileName, reference) => {
    expect(referenceOf(typed, fileName)).toBe(reference)
  })

  it.each([
    [undefined, null, 'Standard input needs a reference, because the ids of its rows depend on it'],
    [' ', 'folha.csv', '`--reference` is empty, longer than 200 characters, or contains control characters'],
    ['a\nb', 'folha.csv', '`--reference` is empty, longer than 200 characters, or contains control characters'],
    ['a'.repeat(201), null, '`--reference` is empty, longer than 200 characters, or contains control characters'],
  ])('refuses %j and %j', (typed, fileName, message) => {
    expect(() => referenceOf(typed, fileName)).toThrow(message)
  })
})
