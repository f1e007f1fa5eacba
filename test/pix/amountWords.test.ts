import { expect, it } from 'vitest'
import { amountInWords } from '../../src/pix/amount.ts'

it.each([
  [0, 'zero reais'],
  [1, 'um centavo'],
  [50, 'cinquenta centavos'],
  [100, 'um real'],
  [101, 'um real e um centavo'],
  [1_000, 'dez reais'],
  [1_050, 'dez reais e cinquenta centavos'],
  [2_199, 'vinte e um reais e noventa e nove centavos'],
  [10_000, 'cem reais'],
  [10_100, 'cento e um reais'],
  [99_999, 'novecentos e noventa e nove reais e noventa e nove centavos'],
  [100_000, 'mil reais'],
  [100_100, 'mil e um reais'],
  [150_000, 'mil e quinhentos reais'],
  [123_456, 'mil duzentos e trinta e quatro reais e cinquenta e seis centavos'],
  [200_000, 'dois mil reais'],
  [1_500_000, 'quinze mil reais'],
  [10_000_000, 'cem mil reais'],
  [100_000_000, 'um milhão de reais'],
  [200_000_000, 'dois milhões de reais'],
  [100_000_100, 'um milhão e um reais'],
  [100_100_000, 'um milhão e mil reais'],
  [123_456_700, 'um milhão duzentos e trinta e quatro mil quinhentos e sessenta e sete reais'],
  [
    999_999_999_999,
    'nove bilhões novecentos e noventa e nove milhões novecentos e noventa e nove mil novecentos e noventa e nove reais e noventa e nove centavos',
  ],
])('writes %i cents as %s', (amountCents, words) => {
  expect(amountInWords(amountCents)).toBe(words)
})
