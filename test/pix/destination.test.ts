import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readBrCode } from '../../src/pix/brCode.ts'
import {
  chargeAddress,
  comparableKey,
  comparableKeysOf,
  destinationText,
  formatKey,
} from '../../src/pix/destination.ts'
import { Malformed } from '../../src/pix/expectedError.ts'
import { readKeyTypeWord } from '../../src/pix/keyTypeWords.ts'
import { maskKey } from '../../src/views/valueText.ts'
import { code, DYNAMIC, field, PIX, UUID } from './brCodeParts.ts'

const ofKey = (key: string, parts: Record<string, string> = {}) =>
  code({ '26': field('26', PIX + field('01', key)), ...parts })
const ofAddress = (url: string, parts: Record<string, string> = {}) =>
  code({ '26': field('26', PIX + field('25', url)), ...parts })

describe('a static code', () => {
  it.each([
    ['52998224725', '529.982.247-25', '529.982.247-25', '***.982.247-**'],
    ['11222333000181', '11.222.333/0001-81', '11.222.333/0001-81', '**.222.333/0001-**'],
    ['+5511987654321', '(11) 98765-4321', '+55 (11) 98765-4321', '***4321'],
    ['financeiro@example.com', ' financeiro@example.com ', 'financeiro@example.com', 'f***@example.com'],
    [UUID, UUID.toUpperCase(), UUID, UUID],
  ])('with the key %s is compared, shown and masked as that key', (key, typed, shown, masked) => {
    for (const text of [ofKey(key), ofKey(key, { '54': field('54', '10.00'), '59': field('59', 'OUTRA LOJA') })]) {
      expect(readBrCode(text)).toMatchObject({ valid: true, warnings: [] })
      expect(comparableKeysOf(typed)).toEqual([comparableKey(text, 'paymentCode')])
      expect(comparableKeysOf(text)).toEqual(comparableKeysOf(typed))
      expect(chargeAddress(text)).toBeNull()
      expect(formatKey(text, 'paymentCode')).toBe(shown)
      expect(maskKey(text, 'paymentCode')).toBe(masked)
    }
    expect(destinationText(ofKey(key), 'paymentCode')).toBe(`${shown} (Fulano de Tal)`)
  })

  it.each([
    [' 5581912345678', 'has a space in place of its `+`'],
    ['111.444.777-35', 'has punctuation'],
    ['(11) 98765-4321', 'has punctuation'],
    ['11144477734', 'neither a CPF (its check digits are wrong)'],
    ['11987654321', 'is a mobile number without its `+55`'],
    ['5511987654321', 'has a country code without its `+`'],
    ['11222333000180', 'is not a CNPJ: its check digits are wrong'],
    ['pague aqui', 'is not a PIX key'],
    ['123e4567e12b12d1a456426655440000', 'has missing or misplaced dashes'],
    ['joão@example.com', 'is not an e-mail address'],
  ])('with the key %j is unsound', (key, reason) => {
    const { valid, errors } = readBrCode(ofKey(key))
    expect([valid, errors]).toEqual([false, [expect.stringMatching(/^The key in the code is not valid: /)]])
    expect(errors[0]).toContain(key)
    expect(errors[0]).toContain(reason)
    // One that was paid by an earlier version still says what is known, and gives away nothing.
    expect(maskKey(ofKey(key), 'paymentCode')).not.toContain(key)
  })

  it('with a CPF that has the digits of a mobile number is that CPF, and not the number', () => {
    const [cpf, phone] = [
      comparableKey(ofKey('11987654374'), 'paymentCode'),
      comparableKey('11987654374', 'phoneNumber'),
    ]
    expect([cpf, phone]).toEqual([comparableKey('11987654374', 'document'), '+5511987654374'])
    expect(comparableKey(ofKey('+5511987654374'), 'paymentCode')).toBe(phone)
    expect(comparableKeysOf('11987654374')).toEqual([cpf, phone])
    expect(comparableKeysOf('119.876.543-74')).toEqual([cpf])
    expect(comparableKeysOf('(11) 98765-4374')).toEqual([phone])
  })

  it.each(['Rita@Example.com', UUID.toUpperCase()])('may have the capitals of %s, with a warning', (key) => {
    const { valid, warnings } = readBrCode(ofKey(key))
    expect([valid, warnings]).toEqual([true, [expect.stringContaining('The key has upper-case letters')]])
    expect(comparableKey(ofKey(key), 'paymentCode')).toBe(key.toLowerCase())
  })
})

describe('a dynamic code', () => {
  it('is its address: the host in any case, the path as it is', () => {
    const address = ofAddress('pix.example.com/qr/v2/AbC1')
    const others = [
      ofAddress('PIX.Example.com/qr/v2/AbC1'),
      ofAddress('pix.example.com:443/qr/v2/AbC1'),
      ofAddress('pix.example.com./qr/v2/AbC1'),
      ofAddress('Pix.Example.com.:443/qr/v2/AbC1'),
      ofAddress('pix.example.com/qr/v2/AbC1#x'),
      ofAddress('pix.example.com/qr/v2/AbC1', { '54': field('54', '7.00') }),
    ]
    const identity = (text: string) => comparableKey(text, 'paymentCode')
    for (const other of others) expect(identity(other)).toBe(identity(address))
    const different = ['pix.example.com/qr/v2/abc1', 'pix.example.com:8443/qr/v2/AbC1', 'pix.example.com/qr/v2/AbC1.']
    for (const other of different) expect(identity(ofAddress(other))).not.toBe(identity(address))
    expect(chargeAddress(address)).toBe('pix.example.com/qr/v2/AbC1')
    expect(maskKey(DYNAMIC, 'paymentCode')).toBe('pix.example.com/8b3da2f39a4140d1a91abd93113bd441')
  })
})

it('no text that is no code is taken for one', () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      expect(chargeAddress(`000201${text}`)).toBeNull()
    }),
  )
  expect(comparableKeysOf('000201@Example.com')).toEqual(['000201@example.com'])
})

describe('the words for types of keys', () => {
  it.each([
    ['EVP', 'randomKey'],
    ['Aleatória', 'randomKey'],
    ['chave aleatória', 'randomKey'],
    ['Chave Aleatória (EVP)', 'randomKey'],
    ['randomKey', 'randomKey'],
    ['random key', 'randomKey'],
    ['Celular', 'phoneNumber'],
    ['TELEFONE', 'phoneNumber'],
    ['nº celular', 'phoneNumber'],
    ['Telefone celular', 'phoneNumber'],
    ['phone_number', 'phoneNumber'],
    ['E-mail', 'email'],
    ['email', 'email'],
    ['Cpf', 'cpf'],
    ['CNPJ', 'cnpj'],
    ['CPF/CNPJ', 'document'],
    ['cpf ou cnpj', 'document'],
    ['documento', 'document'],
    ['Pix copia e cola', 'paymentCode'],
    ['QR Code', 'paymentCode'],
    ['BR Code', 'paymentCode'],
  ])('%s is %s', (typed, expected) => {
    expect(readKeyTypeWord(typed)).toBe(expected)
  })

  it.each(['', 'chave', 'pessoa', 'CPF/celular', 'telefone fixo', 'agência'])('%j is none', (typed) => {
    expect(() => readKeyTypeWord(typed)).toThrow(Malformed)
  })
})
