import { expect, it } from 'vitest'
import { type Rejected, rejection, wordsOf } from '../parsedCommandLine.ts'

const REJECTED: readonly Rejected[] = [
  [['refund', '', '--reason', 'r'], '`<original-id>` is empty', 'Replace `<original-id>` with a value'],
  [['refund', ' ', '--reason', 'r'], '`<original-id>` is empty', 'Replace `<original-id>` with a value'],
  [
    ['refund', 'a\nb', '--reason', 'r'],
    '`<original-id>` contains a line break or another control character',
    'Type the value on a single line',
  ],
  [
    ['refund', '0b935d10-3c90-4af3-8776-dd18622a7941', '--reason', ''],
    '`--reason` is empty',
    'Add a value after `--reason`',
  ],
  [
    ['refund', '0b935d10-3c90-4af3-8776-dd18622a7941', '--reason', '\t'],
    '`--reason` is empty',
    'Add a value after `--reason`',
  ],
  [
    ['refund', '0b935d10-3c90-4af3-8776-dd18622a7941', '--reason', 'a\nb'],
    '`--reason` contains a line break or another control character',
    'Type the value on a single line',
  ],
  [
    'refund 0b935d10-3c90-4af3-8776-dd18622a7941 --reason r --amount 0',
    '`--amount`: The amount is zero',
    'Type at least `0.01`',
  ],
  [
    'refund 0b935d10-3c90-4af3-8776-dd18622a7941 --reason r --amount 5 --full',
    '`--full` and `--amount 5` conflict',
    'Use only one of them',
  ],
  [
    'refund 0b935d10-3c90-4af3-8776-dd18622a7941 --reason r --id-field id',
    '`id` is not a valid value for `--id-field`',
    'Use one of: originalTransactionId, idTransaction, both',
  ],
  [
    'refund 0b935d10-3c90-4af3-8776-dd18622a7941 --reason r --callback-url x',
    '`x` is not a valid URL for `--callback-url`',
    'Write a complete URL, for example `--callback-url https://shop.example.com/pix`',
  ],
  [
    'qr create --amount 10 --wait=abc',
    '`--wait`: `abc` is not a duration',
    'Write `--wait=10m`, or only `--wait` to wait up to 15m',
  ],
  [
    'qr create --amount 10 --interval 0s',
    '`--interval`: The duration is zero',
    'Type a whole number and a unit, like `30s`',
  ],
  [['qr', 'create', '--amount', '10', '--from', ''], '`--from` is empty', 'Add a value after `--from`'],
  [['qr', 'create', '--amount', '10', '--png', ''], '`--png` is empty', 'Add a value after `--png`'],
  [
    ['transfer', '--key', 'maria@example.com', '--amount', '10', '--yes', '--owner', ''],
    '`--owner` is empty',
    'Add a value after `--owner`',
  ],
  [
    'transfer --key maria@example.com --amount 10 --yes --owner 123',
    '`--owner`: `123` is neither a CPF nor a CNPJ',
    'Type the 11 digits of a CPF or the 14 characters of a CNPJ, leading zeros included',
  ],
  [
    'transfer --key maria@example.com --amount 10 --yes --owner 52998224724',
    '`--owner`: `52998224724` is not a CPF: its check digits are wrong',
    'Check the 11 digits',
  ],
  [
    'transfer --key maria@example.com --amount 10 --yes --owner 11222333000180',
    '`--owner`: `11222333000180` is not a CNPJ: its check digits are wrong',
    'Check the 14 characters',
  ],
  [
    'transfer --key maria@example.com --amount 10 --yes --owner abc💥',
    '`--owner`: `abc💥` is neither a CPF nor a CNPJ',
    'Type the 11 digits of a CPF or the 14 characters of a CNPJ, leading zeros included',
  ],
  [
    'transfer --key maria@example.com --amount 10 --yes --document x',
    '`--document`: `x` is neither a CPF nor a CNPJ',
    'Type the 11 digits of a CPF or the 14 characters of a CNPJ, leading zeros included',
  ],
  [
    'transfer --key maria@example.com --amount 10 --yes --owner 52998224725 --document 11222333000181',
    '`--owner 52998224725` and `--document 11222333000181` conflict',
    'Use only one of them; they are the same option',
  ],
  [
    ['transfer', '--key', 'maria@example.com', '--amount', '10', '--yes', '--external-id', ''],
    '`--external-id` is empty',
    'Add a value after `--external-id`',
  ],
  [
    ['transfer', '--key', 'maria@example.com', '--amount', '10', '--yes', '--external-id', 'a\tb'],
    '`--external-id` contains a line break or another control character',
    'Type the value on a single line',
  ],
  [
    ['transfer', '--key', 'maria@example.com', '--amount', '10', '--yes', '--callback-url', ''],
    '`--callback-url` is empty',
    'Write a complete URL, for example `--callback-url https://shop.example.com/pix`',
  ],
  [
    'transfer --key maria@example.com --amount 10 --yes --callback-url shop.example.com',
    '`shop.example.com` is not a valid URL for `--callback-url`',
    'Write a complete URL, for example `--callback-url https://shop.example.com/pix`',
  ],
  [['qr', 'create', '--amount', ''], '`--amount`: The amount is empty', 'Type it like `10.50`'],
  [
    'qr create --amount 10 --shipping-amount x',
    '`--shipping-amount`: `x` is not an amount',
    'Type it like `10.50`, `10,50` or `1.234,56`',
  ],
  [['qr', 'create', '--amount', '10', '--due-date', ''], '`--due-date` is empty', 'Add a value after `--due-date`'],
  [
    'qr create --amount 10 --due-date soon',
    '`--due-date`: `soon` is not a valid due date',
    'Type a day like `21/11/2026`, `2026-11-21`, `today` or `+3d`, or a date-time with its zone like `2026-11-21T18:00:00-03:00`',
  ],
  [
    'qr create --amount 10 --due-date 01/02',
    '`--due-date`: `01/02` is not a valid due date',
    'Type a day like `21/11/2026`, `2026-11-21`, `today` or `+3d`, or a date-time with its zone like `2026-11-21T18:00:00-03:00`',
  ],
  [
    'qr create --amount 10 --due-date 2030-02-30',
    '`--due-date`: There is no day `2030-02-30` in the calendar',
    'Write it like `21/11/2026` or `2026-11-21`',
  ],
  [
    'qr create --amount 10 --due-date 2030-01-01T25:00:00Z',
    '`--due-date`: `2030-01-01T25:00:00Z` is not a valid due date',
    'Type a day like `21/11/2026`, `2026-11-21`, `today` or `+3d`, or a date-time with its zone like `2026-11-21T18:00:00-03:00`',
  ],
  [
    'qr create --amount 10 --due-date 2030-01-01T00:00:00',
    '`--due-date`: The date-time `2030-01-01T00:00:00` has no zone',
    'Type `2030-01-01T00:00:00-03:00` for São Paulo time',
  ],
  [
    'qr create --amount 10 --due-date -1d',
    '`--due-date`: `-1d` is not a valid due date',
    'Type a day like `21/11/2026`, `2026-11-21`, `today` or `+3d`, or a date-time with its zone like `2026-11-21T18:00:00-03:00`',
  ],
  [
    'qr create --amount 10 --due-date +9999d',
    '`--due-date`: `+9999d` is too far in the future',
    'Use at most `+3650d`',
  ],
  [
    ['qr', 'create', '--amount', '10', '--request-number', ''],
    '`--request-number` is empty',
    'Add a value after `--request-number`',
  ],
  [
    ['qr', 'create', '--amount', '10', '--request-number', ' '],
    '`--request-number` is empty',
    'Add a value after `--request-number`',
  ],
  [
    ['qr', 'create', '--amount', '10', '--request-number', 'a\nb'],
    '`--request-number` contains a line break or another control character',
    'Type the value on a single line',
  ],
  [
    'qr create --amount 10 --callback-url x',
    '`x` is not a valid URL for `--callback-url`',
    'Write a complete URL, for example `--callback-url https://shop.example.com/pix`',
  ],
  [
    ['qr', 'create', '--amount', '10', '--checkout-user', ''],
    '`--checkout-user` is empty',
    'Add a value after `--checkout-user`',
  ],
  [
    'qr create --amount 10 --payer-name \u0007',
    '`--payer-name` contains a line break or another control character',
    'Type the value on a single line',
  ],
  [
    ['qr', 'create', '--amount', '10', '--payer-tax-id', ''],
    '`--payer-tax-id` is empty',
    'Add a value after `--payer-tax-id`',
  ],
  [
    'qr create --amount 10 --payer-tax-id 1',
    '`--payer-tax-id`: `1` is neither a CPF nor a CNPJ',
    'Type the 11 digits of a CPF or the 14 characters of a CNPJ, leading zeros included',
  ],
  [
    'qr create --amount 10 --payer-tax-id 52998224724',
    '`--payer-tax-id`: `52998224724` is not a CPF: its check digits are wrong',
    'Check the 11 digits',
  ],
  [
    ['qr', 'create', '--amount', '10', '--payer-email', ''],
    '`--payer-email` is empty',
    'Add a value after `--payer-email`',
  ],
  [
    'qr create --amount 10 --payer-email x',
    '`--payer-email`: `x` is not an e-mail address',
    'Write it like `maria@example.com`',
  ],
  [
    ['qr', 'create', '--amount', '10', '--payer-email', 'a b@c.de'],
    '`--payer-email`: `a b@c.de` is not an e-mail address',
    'Write it like `maria@example.com`',
  ],
  [
    ['qr', 'create', '--amount', '10', '--split-username', '', '--split-percentage', '10'],
    '`--split-username` is empty',
    'Add a value after `--split-username`',
  ],
  [
    'qr create --amount 10 --split-username partner --split-percentage 0',
    '`--split-percentage` must be a number above 0 and at most 100, not `0`',
    'Write it like `--split-percentage 12.5`',
  ],
  [
    'qr create --amount 10 --split-username partner --split-percentage 100.1',
    '`--split-percentage` must be a number above 0 and at most 100, not `100.1`',
    'Write it like `--split-percentage 12.5`',
  ],
  [
    'qr create --amount 10 --split-username partner --split-percentage -5',
    '`--split-percentage` must be a number above 0 and at most 100, not `-5`',
    'Write it like `--split-percentage 12.5`',
  ],
  [
    'qr create --amount 10 --split-username partner --split-percentage abc',
    '`--split-percentage` must be a number above 0 and at most 100, not `abc`',
    'Write it like `--split-percentage 12.5`',
  ],
  [
    'qr create --amount 10 --split-username partner --split-percentage 10%',
    '`--split-percentage` must be a number above 0 and at most 100, not `10%`',
    'Write it like `--split-percentage 12.5`',
  ],
  [['transfer', '--amount', '10', '--yes', '--key', ''], '`--key` is empty', 'Add a value after `--key`'],
  [['transfer', '--amount', '10', '--yes', '--key', '  '], '`--key` is empty', 'Add a value after `--key`'],
  [
    ['transfer', '--amount', '10', '--yes', '--key', 'a\nb'],
    '`--key` contains a line break or another control character',
    'Type the value on a single line',
  ],
  [
    ['transfer', '--amount', '10', '--yes', '--key', 'maria@example.com', '--key-type', ''],
    '`--key-type`: `` is not a type of key',
    'Write CPF, CNPJ, Celular, E-mail, Aleatória or document, phoneNumber, email, randomKey, paymentCode; without a type it is detected',
  ],
  [
    'transfer --amount 10 --yes --key maria@example.com --key-type person',
    '`--key-type`: `person` is not a type of key',
    'Write CPF, CNPJ, Celular, E-mail, Aleatória or document, phoneNumber, email, randomKey, paymentCode; without a type it is detected',
  ],
]

it.each(REJECTED)('says what the options of a payment take: %j', async (typed, message, hint) => {
  expect(await rejection(wordsOf(typed))).toEqual([message, hint])
})
