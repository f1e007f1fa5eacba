import { it } from 'vitest'
import { expectRejected, type RejectedCommandLine } from './rejectedCommandLines.ts'

const KEYS: readonly RejectedCommandLine[] = [
  [
    ['nonsense'],
    [
      'error: `--key`: `nonsense` is not a PIX key',
      'hint: Type a CPF, a CNPJ, a mobile number, an e-mail address, a random key with its dashes, or a payment code',
    ],
  ],
  [
    ['12345678901'],
    [
      'error: `--key`: `12345678901` is neither a CPF (its check digits are wrong) nor a mobile number (there is no 9 after the area code)',
      'hint: Compare the 11 digits with what the receiver sent you',
    ],
  ],
  [
    ['52998224726'],
    [
      'error: `--key`: `52998224726` is neither a CPF (its check digits are wrong) nor a mobile number (52 is not an area code)',
      'hint: Compare the 11 digits with what the receiver sent you',
    ],
  ],
  [
    ['529.982.247-26'],
    ['error: `--key`: `529.982.247-26` is not a CPF: its check digits are wrong', 'hint: Check the 11 digits'],
  ],
  [
    ['11222333000180'],
    ['error: `--key`: `11222333000180` is not a CNPJ: its check digits are wrong', 'hint: Check the 14 characters'],
  ],
  [
    ['11987654321'],
    [
      'error: `--key`: `11987654321` could be a mobile number or a mistyped CPF',
      'hint: Add `--key-type phoneNumber` if it is a mobile number, or correct the CPF',
    ],
  ],
  [
    ['11987650034'],
    [
      'error: `--key`: `11987650034` is both a CPF and a mobile number',
      'hint: Add `--key-type document` for the CPF, or `--key-type phoneNumber` for the mobile number',
    ],
  ],
  [
    ['+551187654321'],
    [
      'error: `--key`: `+551187654321` is not a Brazilian mobile number',
      'hint: Type `+55`, the area code, a 9 and 8 digits, such as `+5511987654321`',
    ],
  ],
  [
    ['(52) 98765-4321'],
    [
      'error: `--key`: `(52) 98765-4321` is not a mobile number: 52 is not an area code',
      'hint: Type the area code, a 9 and 8 digits, such as `11987654321`',
    ],
  ],
  [
    ['Maria@Example.com'],
    ['error: `--key`: The e-mail key `Maria@Example.com` has upper-case letters', 'hint: Type `maria@example.com`'],
  ],
  [
    ['maria@example'],
    [
      'error: `--key`: `maria@example` is not an e-mail address',
      'hint: Type it like `name@example.com`, without accents or spaces',
    ],
  ],
  [
    ['aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa@b.com.br'],
    ['error: `--key`: The e-mail key has 79 characters', 'hint: Type an e-mail key of at most 77 characters'],
  ],
  [
    ['123e4567e12b12d1a456426655440000'],
    [
      'error: `--key`: The random key `123e4567e12b12d1a456426655440000` has missing or misplaced dashes',
      'hint: Type `123e4567-e12b-12d1-a456-426655440000`',
    ],
  ],
  [
    ['123e4567-e12b-12d1-a456-42665544000'],
    [
      'error: `--key`: `123e4567-e12b-12d1-a456-42665544000` is not a PIX key',
      'hint: Type a CPF, a CNPJ, a mobile number, an e-mail address, a random key with its dashes, or a payment code',
    ],
  ],
]

const KEY_TYPES: readonly RejectedCommandLine[] = [
  [
    ['maria@example.com', '--key-type', 'document'],
    [
      'error: `--key`: `maria@example.com` is neither a CPF nor a CNPJ',
      'hint: Type the 11 digits of a CPF or the 14 characters of a CNPJ, leading zeros included',
    ],
  ],
  [
    ['maria@example.com', '--key-type', 'phoneNumber'],
    [
      'error: `--key`: `maria@example.com` is not a Brazilian mobile number',
      'hint: Type `+55`, the area code, a 9 and 8 digits, such as `+5511987654321`',
    ],
  ],
  [
    ['52998224725', '--key-type', 'email'],
    [
      'error: `--key`: `52998224725` is not an e-mail address',
      'hint: Type it like `name@example.com`, without accents or spaces',
    ],
  ],
  [
    ['52998224725', '--key-type', 'randomKey'],
    [
      'error: `--key`: `52998224725` is not a random key',
      'hint: Type 32 hexadecimal digits in groups of 8, 4, 4, 4 and 12, such as `123e4567-e12b-12d1-a456-426655440000`',
    ],
  ],
  [
    ['52998224725', '--key-type', 'paymentCode'],
    [
      'error: `--key`: The payment code does not begin with `000201`',
      'hint: Copy the whole code, from `000201` to the four characters after `6304`',
    ],
  ],
  [
    ['11987654321', '--key-type', 'document'],
    ['error: `--key`: `11987654321` is not a CPF: its check digits are wrong', 'hint: Check the 11 digits'],
  ],
  [
    ['52998224726', '--key-type', 'phoneNumber'],
    [
      'error: `--key`: `52998224726` is not a mobile number: 52 is not an area code',
      'hint: Type the area code, a 9 and 8 digits, such as `11987654321`',
    ],
  ],
]

it('says what is wrong with a key', () => expectRejected(['transfer', '--amount', '10', '--yes', '--key'], KEYS))

it('says what a key of that type is', () => expectRejected(['transfer', '--amount', '10', '--yes', '--key'], KEY_TYPES))
