import { generateCpf, isValidPixKey } from '@brazilian-utils/brazilian-utils'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { comparableKey, comparableKeysOf, formatKey } from '../../src/pix/destination.ts'
import { Malformed } from '../../src/pix/expectedError.ts'
import {
  AmbiguousKey,
  assertPixKey,
  type DeclaredKeyType,
  isKeyType,
  isNationalMobile,
  KEY_TYPES,
  type KeyType,
  readPixKey,
} from '../../src/pix/pixKey.ts'
import { isCpf } from '../../src/pix/taxDocument.ts'
import vectors from '../fixtures/vectors.json' with { type: 'json' }

const UUID = '123e4567-e12b-12d1-a456-426655440000'
/** A valid CPF that is also a mobile number of São Paulo. */
const AMBIGUOUS = '11987654374'

function malformedOf(judge: () => unknown): Malformed {
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
    if (expected === 'invalid') expect(() => readPixKey(key).keyType).toThrow(Malformed)
    else expect(readPixKey(key).keyType).toBe(expected)
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
    expect(readPixKey(key)).toMatchObject({
      key: expected === 'randomKey' ? key.toLowerCase() : key,
      keyType: expected,
    })
    for (const keyType of KEY_TYPES) {
      const fits = keyType === expected || (keyType === 'paymentCode' && key.startsWith('000201'))
      if (fits) expect(() => assertPixKey(key, keyType)).not.toThrow()
      else expect(() => assertPixKey(key, keyType)).toThrow(Malformed)
    }
  })

  it.each([
    ['', 'is empty', 'Type the PIX key'],
    ['   ', 'is empty', 'Type the PIX key'],
    ['hello', 'not a PIX key', 'random key with its dashes'],
    ['12345', 'not a PIX key', 'a CPF'],
    ['(11) 3456-7890', 'not a PIX key', 'a mobile number'],
    ['529 982 247 25', 'not a PIX key', 'a CPF'],
    [
      '52998224726',
      'its check digits are wrong) nor a mobile number (52 is not an area code)',
      'what the receiver sent',
    ],
    ['12345678900', 'its check digits are wrong) nor a mobile number (there is no 9 after the area code)', '11 digits'],
    ['01987654321', '(01 is not an area code)', '11 digits'],
    ['20987654321', '(20 is not an area code)', '11 digits'],
    ['00000000000', 'all its digits are the same', '11 digits'],
    ['12abc34501de35', 'has lower-case letters', '`12ABC34501DE35`'],
    ['12.abc.345/01de-35', 'has lower-case letters', '`12ABC34501DE35`'],
    ['00020100000199', 'not a CNPJ: its check digits are wrong', '14 characters'],
    ['11222333000182', 'not a CNPJ: its check digits are wrong', '14 characters'],
    ['11.222.333/0001-82', '`11.222.333/0001-82` is not a CNPJ: its check digits are wrong', '14 characters'],
    ['123.456.789-00', '`123.456.789-00` is not a CPF: its check digits are wrong', '11 digits'],
    ['+5511887654321', 'there is no 9 after the area code', '11987654321'],
    ['+551187654321', 'not a Brazilian mobile number', '+5511987654321'],
    ['+5510987654321', '10 is not an area code', '11987654321'],
    ['(52) 98765-4321', '`(52) 98765-4321` is not a mobile number: 52 is not an area code', '11987654321'],
    ['+14155552671', 'not a Brazilian mobile number', '+5511987654321'],
    ['5511987654321', 'a country code without its `+`', '`+5511987654321`'],
    ['55 11 98765-4321', 'a country code without its `+`', '`+5511987654321`'],
    ['Name@Example.com', 'upper-case letters', '`name@example.com`'],
    ['name@localhost', 'not an e-mail address', 'name@example.com'],
    ['joão@example.com', 'not an e-mail address', 'without accents'],
    ['name@@example.com', 'not an e-mail address', 'name@example.com'],
    ['@example.com', 'not an e-mail address', 'name@example.com'],
    ['name@', 'not an e-mail address', 'name@example.com'],
    [`${'a'.repeat(66)}@example.com`, '78 characters', '77'],
    ['123e4567e12b12d1a456426655440000', 'misplaced dashes', `\`${UUID}\``],
    ['123e4567-e12b12d1a456-426655440000', 'misplaced dashes', `\`${UUID}\``],
  ])('%j is refused: %s', (key, reason, suggestion) => {
    const { message, hint } = malformedOf(() => readPixKey(key))
    expect(message).toContain(reason)
    expect(hint).toContain(suggestion)
  })

  it('a hint never suggests a key that is malformed in turn', () => {
    for (const key of ['12abc34501de35', '55 11 98765-4321', 'Name@Example.com', '123e4567e12b12d1a456426655440000']) {
      const [, suggested = ''] = /`(.+)`/.exec(malformedOf(() => readPixKey(key)).hint) ?? []
      expect(readPixKey(suggested)).toMatchObject({ key: suggested, isGuessedPhone: false })
    }
  })
})

describe('a key as people write it', () => {
  it.each<[string, string, KeyType]>([
    ['529.982.247-25', '52998224725', 'document'],
    ['529982247-25', '52998224725', 'document'],
    ['11.222.333/0001-81', '11222333000181', 'document'],
    ['11222333/0001-81', '11222333000181', 'document'],
    ['12.ABC.345/01DE-35', '12ABC34501DE35', 'document'],
    ['(11) 98765-4321', '11987654321', 'phoneNumber'],
    ['(11)98765-4321', '11987654321', 'phoneNumber'],
    ['11 98765-4321', '11987654321', 'phoneNumber'],
    ['11 9 8765-4321', '11987654321', 'phoneNumber'],
    ['1198765-4321', '11987654321', 'phoneNumber'],
    ['+55 11 98765-4321', '+5511987654321', 'phoneNumber'],
    ['+55 (11) 98765-4321', '+5511987654321', 'phoneNumber'],
    ['+55.11.98765.4321', '+5511987654321', 'phoneNumber'],
    ['+55.11987654321', '+5511987654321', 'phoneNumber'],
    ['+55 11987654321', '+5511987654321', 'phoneNumber'],
    // Both a CPF and a mobile number in digits, but each of these is written like one of them only.
    ['(11) 98765-4374', '11987654374', 'phoneNumber'],
    ['119.876.543-74', '11987654374', 'document'],
    ['  maria@example.com ', 'maria@example.com', 'email'],
    ['\t52998224725\n', '52998224725', 'document'],
  ])('%j goes out as %s', (typed, key, keyType) => {
    const expected = { key, keyType, isGuessedPhone: false }
    expect(readPixKey(typed)).toEqual(expected)
    expect(readPixKey(typed, keyType)).toEqual(expected)
    expect(comparableKeysOf(typed)).toContain(comparableKey(key, expected.keyType))
    expect(() => assertPixKey(key, keyType)).not.toThrow()
  })

  it('counts as the same key with and without +55 and punctuation', () => {
    const spellings = ['11987654321', '+5511987654321', '(11) 98765-4321', '+55 11 98765-4321', ' 11987654321 ']
    for (const spelling of spellings) expect(comparableKeysOf(spelling)).toEqual(['+5511987654321'])
    expect(comparableKeysOf('12.abc.345/01de-35')).toEqual([comparableKey('12ABC34501DE35', 'document')])
    expect(comparableKeysOf(UUID.toUpperCase())).toEqual([UUID])
  })

  it('is a guess only if 11 bare digits are a mobile number and the type was not given', () => {
    expect(readPixKey('11987654321')).toEqual({ key: '11987654321', keyType: 'phoneNumber', isGuessedPhone: true })
    expect(readPixKey('11987654321', 'phoneNumber').isGuessedPhone).toBe(false)
    expect(readPixKey('+5511987654321').isGuessedPhone).toBe(false)
    expect(readPixKey('52998224725')).toEqual({ key: '52998224725', keyType: 'document', isGuessedPhone: false })
  })
})

it.each<[key: string, keyType: KeyType, shown: string]>([
  ['52998224725', 'document', '529.982.247-25'],
  ['11222333000181', 'document', '11.222.333/0001-81'],
  ['12ABC34501DE35', 'document', '12.ABC.345/01DE-35'],
  ['11987654321', 'phoneNumber', '(11) 98765-4321'],
  ['+5511987654321', 'phoneNumber', '+55 (11) 98765-4321'],
  ['maria@example.com', 'email', 'maria@example.com'],
  ['123e4567-e12b-12d1-a456-426655440000', 'randomKey', '123e4567-e12b-12d1-a456-426655440000'],
])('%s is shown to people as it is typed', (key, keyType, shown) => {
  expect(formatKey(key, keyType)).toBe(shown)
  expect(readPixKey(shown, keyType).key).toBe(key)
})

describe('11 digits that are both a CPF and a mobile number', () => {
  it('are refused, naming both ways to say what is meant', () => {
    const { message, hint } = malformedOf(() => readPixKey(AMBIGUOUS).keyType)
    expect(message).toContain('both a CPF and a mobile number')
    expect(hint).toContain('--key-type document')
    expect(hint).toContain('--key-type phoneNumber')
    expect(malformedOf(() => readPixKey(AMBIGUOUS))).toBeInstanceOf(AmbiguousKey)
  })

  it('pass once the type is said', () => {
    expect(readPixKey(AMBIGUOUS, 'document')).toMatchObject({ keyType: 'document', isGuessedPhone: false })
    expect(readPixKey(AMBIGUOUS, 'phoneNumber')).toMatchObject({ keyType: 'phoneNumber', isGuessedPhone: false })
    expect(readPixKey(`+55${AMBIGUOUS}`).keyType).toBe('phoneNumber')
  })

  it('are about one mobile number in a hundred, and never guessed', () => {
    let ambiguous = 0
    for (let number = 0; number < 10_000; number += 1) {
      const key = `219${String(number * 9973)
        .padStart(8, '0')
        .slice(-8)}`
      if (!isCpf(key)) {
        expect(readPixKey(key).keyType).toBe('phoneNumber')
        continue
      }
      ambiguous += 1
      expect(() => readPixKey(key).keyType).toThrow('both')
    }
    expect(ambiguous).toBeGreaterThan(50)
    expect(ambiguous).toBeLessThan(200)
  })

  it('are never guessed from the side of the CPF', () => {
    fc.assert(
      fc.property(
        fc.constant(null).map(() => generateCpf()),
        (cpf) => {
          if (isNationalMobile(cpf)) expect(() => readPixKey(cpf).keyType).toThrow('both')
          else expect(readPixKey(cpf).keyType).toBe('document')
        },
      ),
      { numRuns: 1000 },
    )
  })
})

describe('keys of a type that was said', () => {
  it.each<[string, DeclaredKeyType, string]>([
    ['name@example.com', 'document', 'neither a CPF nor a CNPJ'],
    ['(11) 98765-4321', 'document', 'neither a CPF nor a CNPJ'],
    ['62999998888', 'document', 'not a CPF: its check digits are wrong'],
    ['52998224726', 'document', 'not a CPF: its check digits are wrong'],
    ['52998224726', 'phoneNumber', '52 is not an area code'],
    ['11222333000181', 'cpf', '`11222333000181` is not a CPF'],
    ['11.222.333/0001-81', 'cpf', '`11.222.333/0001-81` is not a CPF'],
    ['52998224726', 'cpf', 'not a CPF: its check digits are wrong'],
    ['52998224725', 'cnpj', '`52998224725` is not a CNPJ'],
    ['11222333000182', 'cnpj', 'not a CNPJ: its check digits are wrong'],
    ['12abc34501de35', 'cnpj', 'lower-case'],
    ['12345678909', 'phoneNumber', 'there is no 9 after the area code'],
    ['529.982.247-25', 'phoneNumber', 'not a Brazilian mobile number'],
    ['+55+5511987654321', 'phoneNumber', 'not a Brazilian mobile number'],
    ['5511987654321', 'phoneNumber', 'a country code without its `+`'],
    [UUID, 'email', 'not an e-mail address'],
    ['12345678909', 'randomKey', 'not a random key'],
    [`{${UUID}}`, 'randomKey', 'not a random key'],
    [UUID, 'paymentCode', 'does not begin with'],
    ['26580014br.gov.bcb.pix', 'paymentCode', 'does not begin with'],
    ['', 'randomKey', 'is empty'],
  ])('%j is not a %s: %s', (key, declared, reason) => {
    expect(malformedOf(() => readPixKey(key, declared)).message).toContain(reason)
  })

  it.each<[string, DeclaredKeyType, string]>([
    ['52998224725', 'cpf', '52998224725'],
    ['529.982.247-25', 'cpf', '52998224725'],
    ['11.222.333/0001-81', 'cnpj', '11222333000181'],
  ])('%j is a %s', (typed, declared, key) => {
    expect(readPixKey(typed, declared)).toEqual({ key, keyType: 'document', isGuessedPhone: false })
  })

  it('must be as they are sent if nothing is read any more', () => {
    expect(malformedOf(() => assertPixKey('529.982.247-25', 'document')).message).toContain('neither a CPF nor a CNPJ')
    expect(malformedOf(() => assertPixKey('(11) 98765-4321', 'phoneNumber')).message).toContain('not a Brazilian')
    expect(malformedOf(() => assertPixKey(`${UUID}\n`, 'randomKey')).message).toContain('white space around')
    expect(malformedOf(() => assertPixKey('', 'email')).message).toContain('is empty')
  })

  it('shows no control character of a key', () => {
    const { message } = malformedOf(() => assertPixKey('a\u001b[2Jb', 'email'))
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
        try {
          const { key: sent, keyType } = readPixKey(candidate)
          return keyType === 'paymentCode' || isValidPixKey(sent)
        } catch (error) {
          return error instanceof Malformed
        }
      }),
      { numRuns: 3000 },
    )
  })
})

it('knows the types of key of the service, and no others', () => {
  expect(KEY_TYPES.every(isKeyType)).toBe(true)
  expect(['cpf', 'EMAIL', '', null, 1].some(isKeyType)).toBe(false)
})
