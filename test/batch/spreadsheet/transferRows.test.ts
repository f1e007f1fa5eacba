import { describe, expect, it } from 'vitest'
import type { KeyType } from '../../../src/pix/pixKey.ts'
import { faultsOf, rowsOf } from './csvFiles.ts'

const HEADER = 'key;value;typeKey;externalId;documentValidation;callbackUrl;nome'
const ELSE = { key: 'a@b.co', value: '10', typeKey: '', externalId: '', documentValidation: '', callbackUrl: '' }

const TYPE_HINT =
  'Write `CPF` or `Celular` in the column `typeKey` of this row, or, if all rows are mobile numbers, rename the key column to `Celular` and add `--map key=Celular`'

function line(cells: Partial<typeof ELSE>): string {
  return Object.values({ ...ELSE, ...cells })
    .concat('Ana')
    .map((cell) => `"${cell.replaceAll('"', '""')}"`)
    .join(';')
}

function file(...rows: Partial<typeof ELSE>[]): string {
  return [HEADER, ...rows.map(line)].join('\r\n')
}

describe('a row of a transfer file', () => {
  it.each([
    [{ value: '1.234,56' }, { amountCents: 123_456 }],
    [{ value: ' R$\u00a01.234,56 ' }, { amountCents: 123_456 }],
    [{ value: '0,5' }, { amountCents: 50 }],
    [{ externalId: '8356040e-9' }, { rowId: '8356040e-9' }],
    [{ externalId: '8e123456' }, { rowId: '8e123456' }],
    [{ externalId: '123e45' }, { rowId: '123e45' }],
    [{ key: ' maria@example.com ' }, { key: 'maria@example.com', keyType: 'email' }],
    [{ key: '00000000000191' }, { key: '00000000000191', keyType: 'document' }],
    [
      { key: '62999998888', typeKey: 'phoneNumber' },
      { key: '62999998888', keyType: 'phoneNumber' },
    ],
    [
      { key: '62999998888', typeKey: 'Celular' },
      { key: '62999998888', keyType: 'phoneNumber' },
    ],
    [{ key: '(62) 99999-8888' }, { key: '62999998888', keyType: 'phoneNumber' }],
    [
      { key: '+55 62 99999-8888', typeKey: 'TELEFONE' },
      { key: '+5562999998888', keyType: 'phoneNumber' },
    ],
    [{ key: '52998224725' }, { key: '52998224725', keyType: 'document' }],
    [{ key: '529.982.247-25' }, { key: '52998224725', keyType: 'document' }],
    [
      { key: '529.982.247-25', typeKey: 'cpf' },
      { key: '52998224725', keyType: 'document' },
    ],
    [
      { key: '11.222.333/0001-81', typeKey: 'CNPJ' },
      { key: '11222333000181', keyType: 'document' },
    ],
    [
      { key: '11222333000181', typeKey: 'CPF/CNPJ' },
      { key: '11222333000181', keyType: 'document' },
    ],
    [
      { key: '11222333000181', typeKey: 'Documento' },
      { key: '11222333000181', keyType: 'document' },
    ],
    [{ typeKey: 'E-mail' }, { keyType: 'email' }],
    [{ typeKey: 'EMAIL' }, { keyType: 'email' }],
    [{ key: '123e4567-e12b-12d1-a456-426655440000', typeKey: 'Chave aleatória' }, { keyType: 'randomKey' }],
    [{ key: '123e4567-e12b-12d1-a456-426655440000', typeKey: 'Aleato\u0301ria' }, { keyType: 'randomKey' }],
    [{ key: '123e4567-e12b-12d1-a456-426655440000', typeKey: 'randomkey' }, { keyType: 'randomKey' }],
    [{ key: '+5511987654321' }, { key: '+5511987654321', keyType: 'phoneNumber' }],
    [{ documentValidation: '529.982.247-25' }, { documentValidation: '52998224725' }],
    [{ externalId: 'NF 17/2' }, { rowId: 'NF 17/2', isTypedId: true }],
    [{ callbackUrl: 'https://shop.example.com/pix' }, { callbackUrl: 'https://shop.example.com/pix' }],
    [{}, { line: 2, documentValidation: null, callbackUrl: '', isTypedId: false }],
    [{}, { cells: ['a@b.co', '10', '', '', '', '', 'Ana'] }],
  ])('%j is read as %j', async (cells, expected) => {
    expect(await rowsOf(file(cells))).toMatchObject([expected])
  })

  it.each<[Partial<typeof ELSE>, string]>([
    [{ key: '' }, '2 key: The key is empty. Type the PIX key of the receiver'],
    [
      { key: '5,5119E+12' },
      '2 key: `5,5119E+12` was shortened by the spreadsheet, so its digits are lost. Format the column as text and type all the digits again',
    ],
    [
      { key: '1.23E10' },
      '2 key: `1.23E10` was shortened by the spreadsheet, so its digits are lost. Format the column as text and type all the digits again',
    ],
    [
      { key: '3816610558' },
      '2 key: `3816610558` is not a PIX key. Type a CPF, a CNPJ, a mobile number, an e-mail address, a random key with its dashes, or a payment code',
    ],
    [
      { key: 'CPF: 529.982.247-25' },
      '2 key: `CPF: 529.982.247-25` has words before the key. Write only `529.982.247-25`, and `CPF` in the column `typeKey` of this row',
    ],
    [
      { key: 'Pix rita@example.com' },
      '2 key: `Pix rita@example.com` has words before the key. Write only `rita@example.com`',
    ],
    [
      { key: '191' },
      '2 key: `191` may be the CPF `00000000191` without its leading zeros or the CNPJ `00000000000191` without its leading zeros. Format the column as text and type the whole value: spreadsheets drop these characters from numbers',
    ],
    [
      { key: '38166000105' },
      '2 key: `38166000105` may be the CNPJ `00038166000105` without its leading zeros. Format the column as text and type the whole value: spreadsheets drop these characters from numbers',
    ],
    [
      { key: '5511987654321' },
      '2 key: `5511987654321` may be the mobile number `+5511987654321` without its `+`. Format the column as text and type the whole value: spreadsheets drop these characters from numbers',
    ],
    [
      { key: '5511987654321', typeKey: 'phoneNumber' },
      '2 key: `5511987654321` may be the mobile number `+5511987654321` without its `+`. Format the column as text and type the whole value: spreadsheets drop these characters from numbers',
    ],
    [
      { key: '52998224725,0' },
      '2 key: `52998224725,0` was converted to a number. Format the column as text and type `52998224725`',
    ],
    [
      { key: '62999998888' },
      `2 key: \`62999998888\` looks like a mobile number, but the file does not say that it is one. ${TYPE_HINT}`,
    ],
    [
      { key: '52998224726' },
      '2 key: `52998224726` is neither a CPF (its check digits are wrong) nor a mobile number (52 is not an area code). Compare the 11 digits with what the receiver sent you',
    ],
    [
      { key: '11222333000181', typeKey: 'CPF' },
      '2 key: `11222333000181` is not a CPF. Type its 11 digits, leading zeros included',
    ],
    [
      { key: '52998224725', typeKey: 'Celular' },
      '2 key: `52998224725` is not a mobile number: 52 is not an area code. Type the area code, a 9 and 8 digits, such as `11987654321`',
    ],
    [
      { key: 'Maria@Example.com' },
      '2 key: The e-mail key `Maria@Example.com` has upper-case letters. Type `maria@example.com`',
    ],
    [
      { key: '#N/D' },
      '2 key: `#N/D` is a spreadsheet error. Correct the cell in the spreadsheet and save the file again',
    ],
    [
      { key: '#REF!' },
      '2 key: `#REF!` is a spreadsheet error. Correct the cell in the spreadsheet and save the file again',
    ],
    [
      { key: '#########' },
      '2 key: `#########` is a spreadsheet error. Correct the cell in the spreadsheet and save the file again',
    ],
    [
      { key: '=PROCV(A2;B:C;2)' },
      '2 key: `=PROCV(A2;B:C;2)` is a formula. Replace it with its value: paste the column as "values only"',
    ],
    [
      { key: '="52998224725"&A1' },
      '2 key: `="52998224725"&A1` is a formula. Replace it with its value: paste the column as "values only"',
    ],
    [
      { key: "'52998224725" },
      "2 key: `'52998224725` begins with an apostrophe. Remove it, and format the column as text instead",
    ],
    [{ key: 'nan' }, '2 key: `nan` is what a program writes for an empty cell. Leave it empty, or fill it in'],
    [{ key: 'a@\u200bb.co' }, '2 key: `a@\\u{200b}b.co` has an invisible character in it. Type the cell again'],
    [
      { key: 'a@b\ufffd.co' },
      '2 key: `a@b\ufffd.co` has a character that could not be read. Save the file again as "CSV UTF-8"',
    ],
    [
      { key: 'a@b.co\nc@d.co' },
      '2 key: `a@b.co\\u{a}c@d.co` has a line break in it. Remove it; check for a quote `"` closed too late',
    ],
    [{ key: '529\u00a0982' }, '2 key: `529\u00a0982` contains a special space character. Type the cell again'],
    [{ key: 'a@b.co', typeKey: 'CPF' }, '2 key: `a@b.co` is not a CPF. Type its 11 digits, leading zeros included'],
    [
      { key: 'a@b.co', typeKey: 'constructor' },
      '2 typeKey: `constructor` is not a type of key. Write CPF, CNPJ, Celular, E-mail, Aleatória or document, phoneNumber, email, randomKey, paymentCode; without a type it is detected',
    ],
    [
      { key: '52998224725', typeKey: 'email' },
      '2 key: `52998224725` is not an e-mail address. Type it like `name@example.com`, without accents or spaces',
    ],
    [{ value: '' }, '2 value: The amount is empty. Type it like `10.50`'],
    [
      { value: '1.234' },
      '2 value: The amount `1.234` is ambiguous: the `.` could separate thousands or decimals. Type `1234` for thousands, or at most two decimals, like `1.23`',
    ],
    [
      { value: '1,23E+10' },
      '2 value: `1,23E+10` was shortened by the spreadsheet, so its digits are lost. Format the column as text and type all the digits again',
    ],
    [{ value: '0' }, '2 value: The amount is zero. Type at least `0.01`'],
    [{ value: '=B2*2' }, '2 value: `=B2*2` is a formula. Replace it with its value: paste the column as "values only"'],
    [
      { value: '-10' },
      '2 value: The amount `-10` is negative. Type it without a sign, like `10.50`, if this amount is meant',
    ],
    [
      { documentValidation: '191' },
      '2 documentValidation: `191` may be the CPF `00000000191` without its leading zeros or the CNPJ `00000000000191` without its leading zeros. Format the column as text and type the whole value: spreadsheets drop these characters from numbers',
    ],
    [
      { documentValidation: '12345678900' },
      '2 documentValidation: `12345678900` is not a CPF: its check digits are wrong. Check the 11 digits',
    ],
    [
      { callbackUrl: 'shop.example.com' },
      '2 callbackUrl: `shop.example.com` is not a URL. Write the whole address, such as `https://shop.example.com/pix`',
    ],
    [{ externalId: ' NF1' }, '2 externalId: `NF1` has white space around it. Remove it'],
    [
      { externalId: '1E+05' },
      '2 externalId: `1E+05` was shortened by the spreadsheet, so its digits are lost. Format the column as text and type all the digits again',
    ],
    ...['55,1E+12', '1e-7', '9E20'].map((externalId): [Partial<typeof ELSE>, string] => [
      { externalId },
      `2 externalId: \`${externalId}\` was shortened by the spreadsheet, so its digits are lost. Format the column as text and type all the digits again`,
    ]),
    [{ externalId: 'NF\u00a01' }, '2 externalId: `NF\u00a01` contains a special space character. Type the cell again'],
  ])('%j is a fault', async (cells, fault) => {
    expect(await faultsOf(file(cells))).toEqual([fault])
  })

  it('needs the type of a key that is both a CPF and a mobile number', async () => {
    const key = '11987654374'
    expect(await faultsOf(file({ key }))).toEqual([`2 key: \`${key}\` is both a CPF and a mobile number. ${TYPE_HINT}`])
    const rows = await rowsOf(file({ key, typeKey: 'document' }, { key, typeKey: 'phoneNumber' }))
    expect(rows).toMatchObject([{ keyType: 'document' }, { keyType: 'phoneNumber' }])
  })

  it('checks a payment code against the amount', async () => {
    const code =
      '00020126580014br.gov.bcb.pix0136123e4567-e12b-12d1-a456-4266554400005204000053039865406100.505802BR5913Fulano de Tal6008BRASILIA62070503***80740014br.gov.bcb.pix2552pix.example.com/rec/2353c790eefb11eaadc10242ac12000263042875'
    expect(await rowsOf(file({ key: code, value: '100,50' }))).toMatchObject([{ keyType: 'paymentCode' }])
    expect(await faultsOf(file({ key: code, value: '100' }))).toEqual([
      '2 key: The payment code asks for R$ 100,50, but the row pays R$ 100,00. Pay what the code asks for, or ask the receiver for another code',
    ])
    const [fault] = await faultsOf(file({ key: code.replace('Fulano', 'Fulana'), value: '100,50' }))
    expect(fault).toMatch(/^2 key: The payment code is invalid: .+\. Copy the whole code again$/)
  })

  it('reports all its faults, and those of the other rows', async () => {
    const text = file({ key: 'x', value: 'y', documentValidation: 'z' }, {}, { value: '' })
    expect((await faultsOf(text)).map((fault) => fault.split(':')[0])).toEqual([
      '2 value',
      '2 key',
      '2 documentValidation',
      '4 value',
    ])
  })

  it('names the columns as the file does', async () => {
    expect(await faultsOf('Chave;Valor\nx;1,5', 'transfer', { map: ['key=chave,value=valor'] })).toEqual([
      expect.stringMatching(/^2 Chave: /),
    ])
  })
})

describe('the name of the key column', () => {
  it.each<[string, string, string, KeyType]>([
    ['Celular', '11987654321', '11987654321', 'phoneNumber'],
    ['Celular', '11987654374', '11987654374', 'phoneNumber'],
    ['Telefone do favorecido', '(11) 98765-4321', '11987654321', 'phoneNumber'],
    ['Chave PIX (CPF)', '11987654374', '11987654374', 'document'],
    ['CPF/CNPJ', '11.222.333/0001-81', '11222333000181', 'document'],
    ['CNPJ', '11222333000181', '11222333000181', 'document'],
    ['E-mail', 'a@b.co', 'a@b.co', 'email'],
    ['email', 'a@b.co', 'a@b.co', 'email'],
    ['CHAVE ALEATÓRIA', '123e4567-e12b-12d1-a456-426655440000', '123e4567-e12b-12d1-a456-426655440000', 'randomKey'],
    // These name no type, or several.
    ['Chave PIX', '+5511987654321', '+5511987654321', 'phoneNumber'],
    ['CPF ou celular', '52998224725', '52998224725', 'document'],
  ])('%s: %s goes out as %s, %s', async (column, typed, key, keyType) => {
    const rows = await rowsOf(`"${column}";value\n${typed};1`, 'transfer', { map: [`key=${column}`] })
    expect(rows).toMatchObject([{ key, keyType }])
  })

  it.each([
    ['CPF', 'a@b.co', '`a@b.co` is not a CPF'],
    ['CPF', '11987654321', '`11987654321` is not a CPF: its check digits are wrong'],
    ['Celular', '52998224725', '52 is not an area code'],
    ['E-mail', '52998224725', 'is not an e-mail address'],
    ['Chave PIX', '11987654321', 'looks like a mobile number'],
    ['CPF ou celular', '11987654321', 'looks like a mobile number'],
    ['CPF ou celular', '11987654374', 'both a CPF and a mobile number'],
  ])('%s: %s is a fault', async (column, typed, reason) => {
    const faults = await faultsOf(`"${column}";value\n${typed};1`, 'transfer', { map: [`key=${column}`] })
    expect(faults).toEqual([expect.stringContaining(reason)])
  })

  it('may be narrowed by the row, and not contradicted', async () => {
    const options = { map: ['key=Documento,typeKey=Tipo'] }
    expect(await rowsOf('Documento;Tipo;value\n52998224725;CPF;1', 'transfer', options)).toMatchObject([
      { keyType: 'document' },
    ])
    expect(await faultsOf('Documento;Tipo;value\n11987654321;Celular;1', 'transfer', options)).toEqual([
      '2 Tipo: `Celular` contradicts the name of the key column, which is `Documento`. Correct one of them',
    ])
  })
})
