import { it } from 'vitest'
import { expectRejected, type RejectedCommandLine } from './rejectedCommandLines.ts'

/** A static code that asks for R$ 25,00; one whose CRC is wrong; one without its last character. */
const CODE_OF_25_REAIS =
  '00020126580014br.gov.bcb.pix0136123e4567-e12b-12d1-a456-426655440000520400005303986540525.005802BR5913Fulano de Tal6008BRASILIA62070503***63048A69'
const CODE_WITH_WRONG_CRC =
  '00020126580014br.gov.bcb.pix0136123e4567-e12b-12d1-a456-4266554400005204000053039865802BR5913Fulano de Tal6008BRASILIA62070503***6304FFFF'
const CODE_CUT_OFF =
  '00020126580014br.gov.bcb.pix0136123e4567-e12b-12d1-a456-4266554400005204000053039865802BR5913Fulano de Tal6008BRASILIA62070503***63041D3'

const MISSING: readonly RejectedCommandLine[] = [
  [
    [],
    ['error: `--key` is missing', 'hint: Add `--key` and the PIX key of the receiver, or see `--help` for examples'],
  ],
  [
    ['--key', 'a@b.co'],
    ['error: `--amount` is missing', 'hint: Add `--amount 10,50`, or see `--help` for examples'],
  ],
  [
    ['--amount', '10'],
    ['error: `--key` is missing', 'hint: Add `--key` and the PIX key of the receiver, or see `--help` for examples'],
  ],
  [
    ['--key', 'a@b.co', '--amount', '10'],
    [
      'error: This would move money, and there is no terminal to ask on',
      '  Nothing was sent',
      'hint: Add `--yes` if this is what you want, or `--dry-run` to see what would be sent',
    ],
  ],
  [
    ['--key', 'a@b.co', '--amount', '10', '--no-input'],
    [
      'error: This would move money, and there is no terminal to ask on',
      '  Nothing was sent',
      'hint: Add `--yes` if this is what you want, or `--dry-run` to see what would be sent',
    ],
  ],
  [
    ['--key', 'a@b.co', '--amount', '10', '--yes', '--confirm', 'other'],
    [
      'error: `--confirm other` does not match local, which is used here',
      '  Nothing was sent',
      'hint: Use `--confirm local` if you mean local',
    ],
  ],
]

const CODES: readonly RejectedCommandLine[] = [
  [
    [CODE_WITH_WRONG_CRC],
    [
      'error: `--key`: the payment code is invalid',
      '  The CRC is `FFFF`, but should be `1D3D`',
      'hint: Copy the whole code again, or inspect it with `pixgate qr decode -`',
    ],
  ],
  [
    [CODE_CUT_OFF],
    [
      'error: `--key`: the payment code is invalid',
      '  The code is cut off: its last character is missing',
      'hint: Copy the whole code again, or inspect it with `pixgate qr decode -`',
    ],
  ],
  [
    ['000201'],
    [
      'error: `--key`: the payment code is invalid',
      '  The code is cut off: at least 8 characters are missing at its end',
      'hint: Copy the whole code again, or inspect it with `pixgate qr decode -`',
    ],
  ],
  [
    [CODE_OF_25_REAIS],
    [
      'error: `--amount` is R$ 10,00, but the payment code is for R$ 25,00',
      'hint: Pay the amount of the code, or ask the receiver for another code',
    ],
  ],
  [
    [CODE_OF_25_REAIS, '--key-type', 'paymentCode'],
    [
      'error: `--amount` is R$ 10,00, but the payment code is for R$ 25,00',
      'hint: Pay the amount of the code, or ask the receiver for another code',
    ],
  ],
]

const OTHERS: readonly RejectedCommandLine[] = [
  [
    [],
    [
      'error: `shop.example.com` is not a valid URL for `PIXGATE_CALLBACK_URL`',
      'hint: Write a complete URL, for example `PIXGATE_CALLBACK_URL=https://shop.example.com/pix`',
    ],
    { env: { PIXGATE_CALLBACK_URL: 'shop.example.com' } },
  ],
]

it('says what is missing', () => expectRejected(['transfer'], MISSING))

it('judges a payment code before it is paid', () =>
  expectRejected(['transfer', '--amount', '10', '--yes', '--key'], CODES))

it('says what the other options take', () =>
  expectRejected(['transfer', '--key', 'maria@example.com', '--amount', '10', '--yes'], OTHERS))

const NO_ID: readonly RejectedCommandLine[] = [
  [
    ['--in-addition-to', ''],
    ['error: `--in-addition-to` is empty', 'hint: Add a value after `--in-addition-to`'],
  ],
  [
    ['--in-addition-to', 'invoice-1', '--in-addition-to', 'invoice-2\n'],
    [
      'error: `--in-addition-to` contains a line break or another control character',
      'hint: Type the value on a single line',
    ],
  ],
]

it.each([
  [['transfer', '--key', 'a@b.co', '--amount', '10', '--yes']],
  [['refund', '0b935d10-3c90-4af3-8776-dd18622a7941', '--reason', 'x', '--amount', '10', '--skip-query', '--yes']],
  [['resume', 'invoice-1', '--yes']],
])('%j takes only an id as the payment that it repeats', (words) => expectRejected(words, NO_ID))
