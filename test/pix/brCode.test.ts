import { isValidPixPayload } from '@brazilian-utils/brazilian-utils'
import { describe, expect, it } from 'vitest'
import { readBrCode } from '../../src/pix/brCode.ts'
import vectors from '../fixtures/vectors.json' with { type: 'json' }
import {
  code,
  codeWithZeroInCrc,
  DYNAMIC,
  field,
  KEY,
  PIX,
  RECURRENCE,
  STATIC,
  URL,
  UUID,
  WITHDRAWAL,
} from './brCodeParts.ts'

describe('codes in circulation', () => {
  it.each(vectors.brCodesValid)('$source is valid', (vector) => {
    const read = readBrCode(vector.code)
    expect(read).toMatchObject({ valid: true, looksLikeBrCode: true, errors: [], crc: vector.code.slice(-4) })
    expect(read.warnings.filter((warning) => !warning.includes('RP12345678-2019'))).toEqual([])
  })

  it.each(vectors.brCodesInvalid)('$why is invalid', (vector) => {
    const read = readBrCode(vector.code)
    expect(read.valid).toBe(false)
    expect(read.errors).toHaveLength(1)
    expect(read.looksLikeBrCode).toBe(vector.code !== '')
  })

  it.each(vectors.brCodesTolerated)('$why is tolerated', (vector) => {
    const read = readBrCode(vector.code)
    expect(read).toMatchObject({ valid: true, errors: [] })
    // A second language is a legal field, so there is nothing to warn of.
    expect(read.warnings).toHaveLength(vector.why.includes('lang') ? 0 : 1)
  })

  it('are read field by field', () => {
    expect(readBrCode(STATIC)).toEqual({
      looksLikeBrCode: true,
      valid: true,
      kind: 'static',
      key: UUID,
      url: null,
      amountCents: null,
      amountText: null,
      merchantName: 'Fulano de Tal',
      merchantCity: 'BRASILIA',
      txid: '***',
      crc: '1D3D',
      fields: [
        { id: '00', name: 'Payload format', value: '01' },
        {
          id: '26',
          name: 'Merchant account',
          value: PIX + KEY,
          fields: [
            { id: '00', name: 'Domain', value: 'br.gov.bcb.pix' },
            { id: '01', name: 'PIX key', value: UUID },
          ],
        },
        { id: '52', name: 'Merchant category', value: '0000' },
        { id: '53', name: 'Currency', value: '986' },
        { id: '58', name: 'Country', value: 'BR' },
        { id: '59', name: 'Merchant name', value: 'Fulano de Tal' },
        { id: '60', name: 'Merchant city', value: 'BRASILIA' },
        {
          id: '62',
          name: 'Additional data',
          value: '0503***',
          fields: [{ id: '05', name: 'Transaction id (txid)', value: '***' }],
        },
        { id: '63', name: 'CRC', value: '1D3D' },
      ],
      errors: [],
      warnings: [],
    })
  })

  it.each([
    [1, { kind: 'dynamic', key: null, url: 'pix.example.com/8b3da2f39a4140d1a91abd93113bd441' }],
    [2, { kind: 'dynamic', key: null, url: 'pix.example.com/8b3da2f39a4140d1a91abd93113bd441' }],
    [3, { kind: 'static', key: UUID, url: null, amountCents: 10_050, amountText: '100.50' }],
    [4, { kind: 'static', key: UUID, amountCents: 12_345, txid: 'RP12345678-2019' }],
    [7, { kind: 'static', amountCents: 57_757, txid: '99ed983ea570413d8d336301d' }],
    [9, { kind: 'static', amountCents: 0, amountText: '0.00' }],
  ])('number %d tells who is paid and what', (index, expected) => {
    expect(readBrCode(vectors.brCodesValid[index]?.code ?? '')).toMatchObject(expected)
  })

  it('are judged by the CRC at the end, not by an earlier 6304', () => {
    const lookalike = code({ '62': field('62', field('05', 'A6304ABCD')) })
    expect(readBrCode(lookalike)).toMatchObject({ valid: true, txid: 'A6304ABCD', crc: lookalike.slice(-4) })
  })
})

describe('a CRC that begins with a zero', () => {
  it('is right with the zero', () => {
    expect(readBrCode(codeWithZeroInCrc())).toMatchObject({ valid: true, crc: expect.stringMatching(/^0...$/) })
  })
})

describe('text that is not a code at all', () => {
  it.each([
    '',
    '   ',
    '\n',
    'hello',
    '00020',
    '010203',
    '26br.gov.bcb.pix.png',
    UUID,
    'https://pix.example.com/x',
    `x${STATIC}`,
  ])('%j', (text) => {
    const read = readBrCode(text)
    expect(read).toMatchObject({ looksLikeBrCode: false, valid: false, kind: null, key: null, fields: [], crc: null })
    expect(read.errors).toHaveLength(1)
  })

  it('is no image in Base64', () => {
    expect(readBrCode('data:image/png;base64,iVBORw0KGgoAAAANSUhEUg').errors).toEqual([
      'The text is an image in Base64, not a BR Code. Save it as an image first, or use the copy-and-paste code beside it',
    ])
  })

  it('is not what merely broke', () => {
    expect(readBrCode('000201')).toMatchObject({ looksLikeBrCode: true, valid: false })
    expect(readBrCode('000201hello')).toMatchObject({ looksLikeBrCode: true, valid: false })
  })
})

describe('what is allowed', () => {
  it.each<[string, Record<string, string>, object]>([
    ['domain in any case', { '26': field('26', field('00', 'BR.Gov.BCB.pix') + KEY) }, { kind: 'static' }],
    ['PIX in the last merchant account', { '26': '', '51': field('51', PIX + KEY) }, { key: UUID }],
    [
      'zero with a url',
      { '26': field('26', PIX + URL), '54': field('54', '0.00') },
      { kind: 'dynamic', amountCents: 0 },
    ],
    [
      'zero for a withdrawal',
      { '26': field('26', PIX + KEY + WITHDRAWAL), '54': field('54', '0') },
      { amountCents: 0 },
    ],
    ['whole reais', { '54': field('54', '10') }, { amountCents: 1000 }],
    ['one decimal', { '54': field('54', '10.5') }, { amountCents: 1050 }],
    ['the largest amount', { '54': field('54', '9999999999.99') }, { amountCents: 999_999_999_999 }],
    ['an amount with zeros in front', { '54': field('54', '0010.50') }, { amountCents: 1050 }],
    [
      'only a recurrence',
      { '26': field('26', PIX), '80': RECURRENCE },
      { kind: 'recurrence', url: 'pix.example.com/rec/y' },
    ],
    ['a recurrence beside a key', { '80': RECURRENCE }, { kind: 'static', key: UUID, url: null }],
    ['a recurrence in 99', { '26': field('26', PIX), '99': RECURRENCE.replace(/^80/, '99') }, { kind: 'recurrence' }],
    ['point of initiation 12 with a key', { '01': field('01', '12') }, { kind: 'static' }],
    ['txid of 25', { '62': field('62', field('05', 'a'.repeat(25))) }, { txid: 'a'.repeat(25) }],
    [
      'any txid on a dynamic code',
      { '26': field('26', PIX + URL), '62': field('62', field('05', '-')) },
      { txid: '-' },
    ],
    ['additional data without a txid', { '62': field('62', field('03', 'shop')) }, { txid: null }],
  ])('%s', (_, parts, expected) => {
    expect(readBrCode(code(parts))).toMatchObject({ valid: true, errors: [], warnings: [], ...expected })
  })
})

describe('an independent library', () => {
  it('accepts the codes with one recipient that are accepted here', () => {
    expect(isValidPixPayload(STATIC)).toBe(true)
    expect(isValidPixPayload(DYNAMIC)).toBe(true)
    expect(isValidPixPayload(code({ '54': field('54', '10.50') }))).toBe(true)
  })
})
