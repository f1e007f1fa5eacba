import { it } from 'vitest'
import { expectRefused, type Refusal } from './refusals.ts'

const KEYS: readonly Refusal[] = [
  [[''], ['error: `--key` is empty', 'hint: Write a value after `--key`']],
  [['  '], ['error: `--key` is empty', 'hint: Write a value after `--key`']],
  [
    ['a\nb'],
    ['error: `--key` has a line break or another control character in it', 'hint: Type the value again on one line'],
  ],
  [
    ['nonsense'],
    [
      'error: `--key`: `nonsense` is no PIX key that is known here',
      'hint: A key is a CPF, a CNPJ, a mobile number, an e-mail address, a random key with its dashes, or a payment code',
    ],
  ],
  [
    ['12345678901'],
    [
      'error: `--key`: `12345678901` is neither a CPF (its check digits are wrong) nor a mobile number',
      'hint: Check the 11 digits; a mobile number is an area code, a 9 and 8 digits',
    ],
  ],
  [
    ['529.982.247-25'],
    [
      'error: `--key`: A CPF or CNPJ key has no punctuation and no lower-case letters',
      'hint: The key goes out as typed: type `52998224725`',
    ],
  ],
  [
    ['11222333000180'],
    [
      'error: `--key`: `11222333000180` is neither a CPF nor a CNPJ',
      'hint: Type the 11 digits of a CPF or the 14 characters of a CNPJ; leading zeros and the last two digits count',
    ],
  ],
  [
    ['11987650034'],
    [
      'error: `--key`: `11987650034` is both a CPF and a mobile number',
      'hint: Say which one is meant with `--key-type document` or `--key-type phoneNumber`',
    ],
  ],
  [
    ['+551187654321'],
    [
      'error: `--key`: `+551187654321` is no Brazilian mobile number',
      'hint: Type `+55`, the area code, a 9 and 8 digits, such as `+5511987654321`',
    ],
  ],
  [
    ['(11) 98765-4321'],
    [
      'error: `--key`: `(11) 98765-4321` is not written as a phone key',
      'hint: The key goes out as typed: type `11987654321`',
    ],
  ],
  [
    ['Maria@Example.com'],
    [
      'error: `--key`: An e-mail key has no upper-case letters',
      'hint: The key goes out as typed: type `maria@example.com`',
    ],
  ],
  [
    ['maria@example'],
    [
      'error: `--key`: `maria@example` is no e-mail address',
      'hint: Type it like `name@example.com`, without accents or spaces',
    ],
  ],
  [
    ['aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa@b.com.br'],
    ['error: `--key`: The e-mail key has 79 characters', 'hint: An e-mail key has at most 77'],
  ],
  [
    ['123e4567e12b12d1a456426655440000'],
    [
      'error: `--key`: A random key has its dashes in four places',
      'hint: The key goes out as typed: type `123e4567-e12b-12d1-a456-426655440000`',
    ],
  ],
  [
    ['123e4567-e12b-12d1-a456-42665544000'],
    [
      'error: `--key`: `123e4567-e12b-12d1-a456-42665544000` is no PIX key that is known here',
      'hint: A key is a CPF, a CNPJ, a mobile number, an e-mail address, a random key with its dashes, or a payment code',
    ],
  ],
]

const KEY_TYPES: readonly Refusal[] = [
  [
    ['maria@example.com', '--key-type', 'cpf'],
    [
      'error: `cpf` is not something that `--key-type` can be',
      'hint: Choose one of: document, phoneNumber, email, randomKey, paymentCode',
    ],
  ],
  [
    ['maria@example.com', '--key-type', ''],
    [
      'error: `` is not something that `--key-type` can be',
      'hint: Choose one of: document, phoneNumber, email, randomKey, paymentCode',
    ],
  ],
  [
    ['maria@example.com', '--key-type', 'Email'],
    [
      'error: `Email` is not something that `--key-type` can be',
      'hint: Choose one of: document, phoneNumber, email, randomKey, paymentCode',
    ],
  ],
  [
    ['maria@example.com', '--key-type', 'document'],
    [
      'error: `--key`: `maria@example.com` is neither a CPF nor a CNPJ',
      'hint: Type the 11 digits of a CPF or the 14 characters of a CNPJ; leading zeros and the last two digits count',
    ],
  ],
  [
    ['maria@example.com', '--key-type', 'phoneNumber'],
    [
      'error: `--key`: `maria@example.com` is no Brazilian mobile number',
      'hint: Type `+55`, the area code, a 9 and 8 digits, such as `+5511987654321`',
    ],
  ],
  [
    ['52998224725', '--key-type', 'email'],
    [
      'error: `--key`: `52998224725` is no e-mail address',
      'hint: Type it like `name@example.com`, without accents or spaces',
    ],
  ],
  [
    ['52998224725', '--key-type', 'randomKey'],
    [
      'error: `--key`: `52998224725` is no random key',
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
    [
      'error: `--key`: `11987654321` is neither a CPF nor a CNPJ',
      'hint: Type the 11 digits of a CPF or the 14 characters of a CNPJ; leading zeros and the last two digits count',
    ],
  ],
  [
    ['529.982.247-25', '--key-type', 'document'],
    [
      'error: `--key`: A CPF or CNPJ key has no punctuation and no lower-case letters',
      'hint: The key goes out as typed: type `52998224725`',
    ],
  ],
]

it('says what is wrong with a key', () => expectRefused(['transfer', '--amount', '10', '--yes', '--key'], KEYS))

it('says what a key of that type is', () => expectRefused(['transfer', '--amount', '10', '--yes', '--key'], KEY_TYPES))
