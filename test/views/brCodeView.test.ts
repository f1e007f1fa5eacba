import { Chalk } from 'chalk'
import { describe, expect, it } from 'vitest'
import { readBrCode } from '../../src/pix/brCode.ts'
import { brCodeDocument, brCodeLines } from '../../src/views/brCodeView.ts'
import { code, DYNAMIC, field, KEY, PIX, STATIC, UUID, withCrc } from '../pix/brCodeParts.ts'

const plain = new Chalk({ level: 0 })
const linesOf = (text: string) => brCodeLines(readBrCode(text), plain)

describe('the document', () => {
  it('of a static code has exactly the promised keys', () => {
    expect(brCodeDocument(readBrCode(STATIC))).toEqual({
      valid: true,
      kind: 'static',
      key: UUID,
      url: null,
      amount: null,
      merchantName: 'Fulano de Tal',
      merchantCity: 'BRASILIA',
      txid: '***',
      crc: '1D3D',
      fields: readBrCode(STATIC).fields,
      errors: [],
      warnings: [],
    })
  })

  it('of a dynamic code has the url in place of the key', () => {
    expect(brCodeDocument(readBrCode(DYNAMIC))).toMatchObject({
      valid: true,
      kind: 'dynamic',
      key: null,
      url: 'pix.example.com/8b3da2f39a4140d1a91abd93113bd441',
    })
  })

  it.each([
    ['10', 10],
    ['10.5', 10.5],
    ['0.01', 0.01],
    ['577.57', 577.57],
    ['9999999999.99', 9_999_999_999.99],
    ['10,00', null],
  ])('has the amount %s in reais as the number %s', (text, amount) => {
    expect(brCodeDocument(readBrCode(code({ 54: field('54', text) }))).amount).toBe(amount)
  })

  it('of a broken code keeps what could be read, and the errors', () => {
    const cut = STATIC.slice(0, -10)
    expect(brCodeDocument(readBrCode(cut))).toMatchObject({ valid: false, key: UUID, crc: null })
    expect(brCodeDocument(readBrCode(cut)).errors).not.toEqual([])
  })
})

describe('the lines', () => {
  it('of a sound code are the verdict, the facts and the field tree', () => {
    expect(linesOf(STATIC)).toEqual([
      'Valid BR Code, static',
      '',
      `Key       ${UUID}`,
      'Amount    any; chosen by the payer',
      'Merchant  Fulano de Tal',
      'City      BRASILIA',
      'Txid      ***',
      'CRC       1D3D',
      '',
      'Fields',
      '  00  Payload format             01',
      '  26  Merchant account',
      '      00  Domain                 br.gov.bcb.pix',
      `      01  PIX key                ${UUID}`,
      '  52  Merchant category          0000',
      '  53  Currency                   986',
      '  58  Country                    BR',
      '  59  Merchant name              Fulano de Tal',
      '  60  Merchant city              BRASILIA',
      '  62  Additional data',
      '      05  Transaction id (txid)  ***',
      '  63  CRC                        1D3D',
    ])
  })

  it('show the amount as it is written in Brazil, and a malformed one as it is', () => {
    expect(linesOf(code({ 54: field('54', '1500.5') }))).toContain('Amount    R$ 1.500,50')
    expect(linesOf(code({ 54: field('54', '10,00') }))).toContain('Amount    10,00')
  })

  it('of a dynamic code say where the amount is', () => {
    const lines = linesOf(DYNAMIC)
    expect(lines[0]).toBe('Valid BR Code, dynamic')
    expect(lines).toContain('Amount    set by the address, not by the code')
  })

  it('end with errors, then warnings', () => {
    const broken = `${STATIC.slice(0, -4)}1d3e `
    expect(linesOf(broken)[0]).toBe('Invalid BR Code')
    expect(linesOf(broken).slice(-4)).toEqual([
      '',
      'error: The CRC is `1d3e`, but should be `1D3D`',
      'warning: The code has leading or trailing white space',
      'warning: The CRC is in lower case',
    ])
  })

  it('of a code that breaks at once are the verdict and the error', () => {
    expect(linesOf('000201')[0]).toBe('Invalid BR Code')
    expect(linesOf('000201').filter((line) => line.startsWith('error:'))).not.toEqual([])
  })

  it('hold nothing that could paint on a terminal', () => {
    const hostile = '\u001b[2Jx\u202e'
    const text = withCrc(
      [
        field('00', '01'),
        field('26', PIX + KEY + field('02', hostile)),
        field('53', hostile),
        field('54', hostile),
        field('59', hostile),
        field('60', hostile),
        field('62', field('05', hostile)),
      ].join(''),
    )
    for (const line of linesOf(text)) expect(line).toMatch(/^[\x20-\x7e]*$/)
    expect(linesOf(text)).toContain('Merchant  \\u{1b}[2Jx\\u{202e}')
  })

  it('are coloured by the given style alone', () => {
    const coloured = brCodeLines(readBrCode(STATIC), new Chalk({ level: 1 }))
    expect(coloured[0]).toBe('\u001b[32m\u001b[1mValid BR Code, static\u001b[22m\u001b[39m')
    expect(linesOf(STATIC).join('')).not.toContain('\u001b')
  })
})
