import { afterEach, expect, it } from 'vitest'
import { amountInPortugueseWords, amountInWords } from '../../src/pix/amountWords.ts'
import { setCatalogue } from '../../src/text/translate.ts'

const PORTUGUESE = { language: 'pt-BR', find: () => undefined }

afterEach(() => setCatalogue(undefined))

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
  [100_005, 'mil reais e cinco centavos'],
  [110_000, 'mil e cem reais'],
  [120_005, 'mil e duzentos reais e cinco centavos'],
  [200_000_050, 'dois milhões de reais e cinquenta centavos'],
  [
    99_999_999_999,
    'novecentos e noventa e nove milhões novecentos e noventa e nove mil novecentos e noventa e nove reais e noventa e nove centavos',
  ],
])('writes %i cents in Portuguese as %s', (amountCents, words) => {
  setCatalogue(PORTUGUESE)
  expect(amountInWords(amountCents)).toBe(words)
  setCatalogue(undefined)
  expect(amountInPortugueseWords(amountCents)).toBe(words)
})

it.each([
  [0, 'zero reais'],
  [1, 'one centavo'],
  [2, 'two centavos'],
  [50, 'fifty centavos'],
  [100, 'one real'],
  [101, 'one real and one centavo'],
  [200, 'two reais'],
  [1_300, 'thirteen reais'],
  [2_199, 'twenty-one reais and ninety-nine centavos'],
  [4_000, 'forty reais'],
  [10_000, 'one hundred reais'],
  [10_100, 'one hundred one reais'],
  [100_000, 'one thousand reais'],
  [100_100, 'one thousand one reais'],
  [110_000, 'one thousand one hundred reais'],
  [120_005, 'one thousand two hundred reais and five centavos'],
  [123_456, 'one thousand two hundred thirty-four reais and fifty-six centavos'],
  [1_500_000, 'fifteen thousand reais'],
  [100_000_000, 'one million reais'],
  [200_000_050, 'two million reais and fifty centavos'],
  [
    99_999_999_999,
    'nine hundred ninety-nine million nine hundred ninety-nine thousand nine hundred ninety-nine reais and ninety-nine centavos',
  ],
  [
    999_999_999_999,
    'nine billion nine hundred ninety-nine million nine hundred ninety-nine thousand nine hundred ninety-nine reais and ninety-nine centavos',
  ],
])('writes %i cents in English as %s', (amountCents, words) => {
  expect(amountInWords(amountCents)).toBe(words)
})
