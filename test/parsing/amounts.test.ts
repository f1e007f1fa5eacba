import { expect, it } from 'vitest'
import { type Rejected, rejection, wordsOf } from '../parsedCommandLine.ts'

const REJECTED: readonly Rejected[] = [
  [
    ['transfer', '--key', 'maria@example.com', '--yes', '--amount', ''],
    '`--amount` is empty',
    'Add a value after `--amount`',
  ],
  [
    ['transfer', '--key', 'maria@example.com', '--yes', '--amount', ' '],
    '`--amount` is empty',
    'Add a value after `--amount`',
  ],
  [
    ['transfer', '--key', 'maria@example.com', '--yes', '--amount', '10\n'],
    '`--amount` contains a line break or another control character',
    'Type the value on a single line',
  ],
  ['transfer --key maria@example.com --yes --amount 0', '`--amount`: The amount is zero', 'Type at least `0.01`'],
  [
    'transfer --key maria@example.com --yes --amount -10',
    '`--amount`: The amount `-10` is negative',
    'Type it without a sign, like `10.50`, if this amount is meant',
  ],
  [
    'transfer --key maria@example.com --yes --amount=-10',
    '`--amount`: The amount `-10` is negative',
    'Type it without a sign, like `10.50`, if this amount is meant',
  ],
  [
    'transfer --key maria@example.com --yes --amount 1e3',
    '`--amount`: The amount `1e3` has an exponent',
    'Type all its digits, like `1000.00`',
  ],
  [
    'transfer --key maria@example.com --yes --amount 1.234',
    '`--amount`: The amount `1.234` is ambiguous: the `.` could separate thousands or decimals',
    'Type `1234` for thousands, or at most two decimals, like `1.23`',
  ],
  [
    'transfer --key maria@example.com --yes --amount 1,234.56',
    '`--amount`: The amount `1,234.56` uses commas for thousands, but a comma is the decimal separator here',
    'Type `1234.56`',
  ],
  [
    'transfer --key maria@example.com --yes --amount 10.5555',
    '`--amount`: The amount `10.5555` has more than two decimals',
    'Type it with at most two, like `10.50`',
  ],
  [
    'transfer --key maria@example.com --yes --amount 12.34,5',
    '`--amount`: `12.34,5` is not an amount',
    'Type it like `10.50`, `10,50` or `1.234,56`',
  ],
  [
    'transfer --key maria@example.com --yes --amount .5',
    '`--amount`: `.5` is not an amount',
    'Type it like `10.50`, `10,50` or `1.234,56`',
  ],
  [
    ['transfer', '--key', 'maria@example.com', '--yes', '--amount', '1 000'],
    '`--amount`: `1 000` is not an amount',
    'Type it like `10.50`, `10,50` or `1.234,56`',
  ],
  [
    ['transfer', '--key', 'maria@example.com', '--yes', '--amount', 'US$ 10'],
    '`--amount`: The amount `US$ 10` is not in reais',
    'Type reais, like `10.50` or `R$ 10,50`',
  ],
  [
    'transfer --key maria@example.com --yes --amount １０',
    '`--amount`: `１０` is not an amount',
    'Type it like `10.50`, `10,50` or `1.234,56`',
  ],
  [
    'transfer --key maria@example.com --yes --amount 10000000000',
    '`--amount`: The amount `10000000000` is too large',
    'Enter at most `9999999999.99`',
  ],
  [
    'transfer --key maria@example.com --yes --amount ten',
    '`--amount`: `ten` is not an amount',
    'Type it like `10.50`, `10,50` or `1.234,56`',
  ],
  [
    'transfer --key maria@example.com --yes --amount 💸',
    '`--amount`: `💸` is not an amount',
    'Type it like `10.50`, `10,50` or `1.234,56`',
  ],
  [
    'transfer --key maria@example.com --yes --value ten',
    '`--value`: `ten` is not an amount',
    'Type it like `10.50`, `10,50` or `1.234,56`',
  ],
  [
    'transfer --key maria@example.com --yes --amount 10 --value 20',
    '`--amount 10` and `--value 20` conflict',
    'Use only one of them; they are the same option',
  ],
  [
    'transfer --key maria@example.com --yes --value 10 --amount 10',
    '`--amount 10` and `--value 10` conflict',
    'Use only one of them; they are the same option',
  ],
]

it.each(REJECTED)('says how an amount is written, one for each reason: %j', async (typed, message, hint) => {
  expect(await rejection(wordsOf(typed))).toEqual([message, hint])
})
