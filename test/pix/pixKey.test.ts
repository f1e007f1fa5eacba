import { generateCpf, isValidPixKey } from '@brazilian-utils/brazilian-utils'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Malformed } from '../../src/pix/malformed.ts'
import { checkKey, detectKeyType, KEY_TYPES, type KeyType } from '../../src/pix/pixKey.ts'
import { isCpf } from '../../src/pix/taxDocument.ts'
import vectors from '../fixtures/vectors.json' with { type: 'json' }

const UUID = '123e4567-e12b-12d1-a456-426655440000'
/** A valid CPF that is also a mobile number of São Paulo. */
const AMBIGUOUS = '11987654374'

function refusalOf(judge: () => unknown): Malformed {
  let result: unknown
  try {
    result = judge()
  } catch (error) {
    if (error instanceof Malformed) return error
    throw error
  }
  throw new Error(`accepted as ${result}`)
}

describe('types told from the form of a key', () => {
  it.each(vectors.pixKeys.map(([key = '', type = '']) => ({ key, type })))('$key: $type', ({ key, type }) => {
    const [expected = ''] = type.split(' ')
    if (expected === 'invalid') expect(() => detectKeyType(key)).toThrow(Malformed)
    else expect(detectKeyType(key)).toBe(expected)
  })

  it.each<[string, KeyType]>([
    ['00000000000191', 'document'],
    ['12ABC34501DE35', 'document'],
    ['00020100035', 'document'],
    ['11987654321', 'phoneNumber'],
    ['+5599912345678', 'phoneNumber'],
    ['name@example.com', 'email'],
    ['first.last+tag@mail.example.com.br', 'email'],
    ['000201@example.com', 'email'],
    ['11987654321@example.com', 'email'],
    [UUID.toUpperCase(), 'randomKey'],
    ['71c7d9be-4b85-4e43-9f1c-1f3b8b4e9a2d', 'randomKey'],
    ['00000000-0000-0000-0000-000000000000', 'randomKey'],
    ['000201', 'paymentCode'],
    ...vectors.brCodesValid.map(({ code }): [string, KeyType] => [code, 'paymentCode']),
  ])('%s: %s', (key, expected) => {
    expect(detectKeyType(key)).toBe(expected)
    for (const keyType of KEY_TYPES) {
      const fits = keyType === expected || (keyType === 'paymentCode' && key.startsWith('000201'))
      if (fits) expect(() => checkKey(key, keyType)).not.toThrow()
      else expect(() => checkKey(key, keyType)).toThrow(Malformed)
    }
  })

  it.each(
    [
      ['', 'is empty', 'Type the PIX key'],
      ['   ', 'is empty', 'Type the PIX key'],
      [' name@example.com', 'white space around', 'name@example.com'],
      ['hello', 'no PIX key', 'random key with its dashes'],
      ['12345', 'no PIX key', 'a CPF'],
      ['12345678900', 'neither a CPF', '11 digits'],
      ['01987654321', 'neither a CPF', 'area code'],
      ['10987654321', 'neither a CPF', 'area code'],
      ['11887654321', 'neither a CPF', 'area code'],
      ['123.456.789-09', 'no punctuation', '`12345678909`'],
      ['11.222.333/0001-81', 'no punctuation', '`11222333000181`'],
      ['12abc34501de35', 'no lower-case letters', '`12ABC34501DE35`'],
      ['00020100000199', 'neither a CPF nor a CNPJ', '14 characters'],
      ['11222333000182', 'neither a CPF nor a CNPJ', '14 characters'],
      ['123.456.789-00', 'neither a CPF nor a CNPJ', '11 digits'],
      ['+5511887654321', 'no Brazilian mobile number', '+5511987654321'],
      ['+551187654321', 'no Brazilian mobile number', '+5511987654321'],
      ['+5510987654321', 'no Brazilian mobile number', '+5511987654321'],
      ['+14155552671', 'no Brazilian mobile number', '+5511987654321'],
      ['+55 11 98765-4321', 'not written as a phone key', '`+5511987654321`'],
      ['(11) 98765-4321', 'not written as a phone key', '`11987654321`'],
      ['5511987654321', 'not written as a phone key', '`+5511987654321`'],
      ['Name@Example.com', 'no upper-case', '`name@example.com`'],
      ['name@localhost', 'no e-mail address', 'name@example.com'],
      ['joão@example.com', 'no e-mail address', 'without accents'],
      ['name@@example.com', 'no e-mail address', 'name@example.com'],
      ['@example.com', 'no e-mail address', 'name@example.com'],
      ['name@', 'no e-mail address', 'name@example.com'],
      [`${'a'.repeat(66)}@example.com`, '78 characters', '77'],
      ['123e4567e12b12d1a456426655440000', 'has its dashes', `\`${UUID}\``],
      ['123e4567-e12b12d1a456-426655440000', 'has its dashes', `\`${UUID}\``],
    ].slice(0, -1),
  )('%j is refused: %s', (key, reason, suggestion) => {
    const { message, hint } = refusalOf(() => detectKeyType(key))
    expect(message).toContain(reason)
    expect(hint).toContain(suggestion)
  })
})

describe('11 digits that are both a CPF and a mobile number', () => {
  it('are refused, naming both ways to say what is meant', () => {
    const { message, hint } = refusalOf(() => detectKeyType(AMBIGUOUS))
    expect(message).toContain('both a CPF and a mobile number')
    expect(hint).toContain('--key-type document')
    expect(hint).toContain('--key-type phoneNumber')
  })

  it('pass once the type is said', () => {
    expect(() => checkKey(AMBIGUOUS, 'document')).not.toThrow()
    expect(() => checkKey(AMBIGUOUS, 'phoneNumber')).not.toThrow()
    expect(detectKeyType(`+55${AMBIGUOUS}`)).toBe('phoneNumber')
  })

  it('are about one mobile number in a hundred, and never guessed', () => {
    let ambiguous = 0
    for (let number = 0; number < 10_000; number += 1) {
      const key = `219${String(number * 9973)
        .padStart(8, '0')
        .slice(-8)}`
      if (!isCpf(key)) {
        expect(detectKeyType(key)).toBe('phoneNumber')
        continue
      }
      ambiguous += 1
      expect(() => detectKeyType(key)).toThrow('both')
    }
    expect(ambiguous).toBeGreaterThan(50)
    expect(ambiguous).toBeLessThan(200)
  })

  it('are never guessed from the side of the CPF', () => {
    fc.assert(
      fc.property(
        fc.constant(null).map(() => generateCpf()),
        (cpf) => {
          const isMobile = cpf.charAt(2) === '9' && Number(cpf.slice(0, 2)) >= 11
          if (isMobile) expect(() => detectKeyType(cpf)).toThrow('both')
          else expect(detectKeyType(cpf)).toBe('document')
        },
      ),
      { numRuns: 1000 },
    )
  })
})

describe('keys of a type that was said', () => {
  it.each<[string, KeyType, string]>([
    ['name@example.com', 'document', 'neither a CPF nor a CNPJ'],
    ['62999998888', 'document', 'neither a CPF nor a CNPJ'],
    ['12345678909', 'phoneNumber', 'no Brazilian mobile number'],
    ['+55+5511987654321', 'phoneNumber', 'no Brazilian mobile number'],
    ['5511987654321', 'phoneNumber', 'not written as a phone key'],
    [UUID, 'email', 'no e-mail address'],
    ['12345678909', 'randomKey', 'no random key'],
    [`{${UUID}}`, 'randomKey', 'no random key'],
    [UUID, 'paymentCode', 'does not begin with'],
    ['26580014br.gov.bcb.pix', 'paymentCode', 'does not begin with'],
    ['', 'randomKey', 'is empty'],
    [`${UUID}\n`, 'randomKey', 'white space around'],
  ])('%j is no %s: %s', (key, keyType, reason) => {
    expect(refusalOf(() => checkKey(key, keyType)).message).toContain(reason)
  })

  it('shows no control character of a key', () => {
    const { message } = refusalOf(() => checkKey('a\u001b[2Jb', 'email'))
    expect(message).toContain('\\u{1b}')
  })
})

describe('an independent library', () => {
  it('agrees on every key that is accepted', () => {
    const key = fc.oneof(
      fc.uuid(),
      fc.stringMatching(/^[a-z0-9]{1,9}([._-][a-z0-9]{1,5})?@[a-z0-9]{1,9}(-[a-z0-9]{1,5})?[.](com|org|com[.]br)$/),
      // The library knows the area codes that are in use, of which these are some.
      fc.stringMatching(/^(\+55)?(11|21|48|62|85|99)9[0-9]{8}$/),
      fc.constant(null).map(() => generateCpf()),
      fc.string(),
    )
    fc.assert(
      fc.property(key, (candidate) => {
        let keyType: KeyType
        try {
          keyType = detectKeyType(candidate)
        } catch (error) {
          return error instanceof Malformed
        }
        return keyType === 'paymentCode' || isValidPixKey(candidate)
      }),
      { numRuns: 3000 },
    )
  })
})
