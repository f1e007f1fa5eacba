import { currentLanguage } from '../text/translate.ts'

/**
 * An amount in words, as on a cheque: 150000 cents are `one thousand five hundred reais`, in Portuguese `mil e quinhentos reais`.
 * Takes 0 to 999,999,999,999 cents. A mistyped digit is easier to notice in words.
 */
export function amountInWords(amountCents: number): string {
  if (currentLanguage() === 'pt-BR') return amountInPortugueseWords(amountCents)
  return inWords(amountCents, englishWords, ' and ', (reais) => (reais === 1 ? 'real' : 'reais'))
}

/** An amount in Portuguese words whatever the language of the screen is: what a program reads does not depend on it. */
export function amountInPortugueseWords(amountCents: number): string {
  return inWords(amountCents, portugueseWords, ' e ', (reais) => {
    if (reais === 1) return 'real'
    // Round millions and billions take `de`: `dois milhões de reais`.
    return reais >= 1_000_000 && reais % 1_000_000 === 0 ? 'de reais' : 'reais'
  })
}

function inWords(
  amountCents: number,
  wordsOf: (value: number) => string,
  and: string,
  currencyName: (reais: number) => string,
): string {
  const reais = Math.floor(amountCents / 100)
  const cents = amountCents % 100
  const parts: string[] = []
  if (reais > 0 || cents === 0) parts.push(`${wordsOf(reais)} ${currencyName(reais)}`)
  if (cents > 0) parts.push(`${wordsOf(cents)} ${cents === 1 ? 'centavo' : 'centavos'}`)
  return parts.join(and)
}

const ENGLISH_TEENS = 'ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'
const ENGLISH_UNITS = `zero one two three four five six seven eight nine ${ENGLISH_TEENS}`.split(' ')
/** From 20. */
const ENGLISH_TENS = 'twenty thirty forty fifty sixty seventy eighty ninety'.split(' ')
/** From the largest: the value of one, and its name. */
const ENGLISH_SCALES = [
  [1_000_000_000, 'billion'],
  [1_000_000, 'million'],
  [1_000, 'thousand'],
  [100, 'hundred'],
] as const

function englishWords(value: number): string {
  for (const [scale, name] of ENGLISH_SCALES) {
    if (value < scale) continue
    const rest = value % scale
    return `${englishWords(Math.floor(value / scale))} ${name}${rest > 0 ? ` ${englishWords(rest)}` : ''}`
  }
  const unit = ENGLISH_UNITS[value]
  if (unit !== undefined) return unit
  const tens = ENGLISH_TENS[Math.floor(value / 10) - 2] ?? ''
  return value % 10 > 0 ? `${tens}-${englishWords(value % 10)}` : tens
}

const TEENS = 'dez onze doze treze quatorze quinze dezesseis dezessete dezoito dezenove'
const UNITS = `zero um dois três quatro cinco seis sete oito nove ${TEENS}`.split(' ')
/** From 20. */
const TENS = 'vinte trinta quarenta cinquenta sessenta setenta oitenta noventa'.split(' ')
/** From 100, which is `cem` by itself. */
const HUNDREDS = 'cento duzentos trezentos quatrocentos quinhentos seiscentos setecentos oitocentos novecentos'.split(
  ' ',
)
/** From the largest: the value of one, its name, and its name for several. */
const SCALES = [
  [1_000_000_000, 'bilhão', 'bilhões'],
  [1_000_000, 'milhão', 'milhões'],
  [1_000, 'mil', 'mil'],
] as const

function portugueseWords(value: number): string {
  for (const [scale, one, several] of SCALES) {
    if (value < scale) continue
    const [count, rest] = [Math.floor(value / scale), value % scale]
    const words = count === 1 && scale === 1_000 ? one : `${portugueseWords(count)} ${count === 1 ? one : several}`
    return rest === 0 ? words : `${words}${takesAnd(rest) ? ' e ' : ' '}${portugueseWords(rest)}`
  }
  if (value === 100) return 'cem'
  const unit = UNITS[value]
  if (unit !== undefined) return unit
  const scale = value < 100 ? 10 : 100
  const count = Math.floor(value / scale)
  const words = (scale === 10 ? TENS[count - 2] : HUNDREDS[count - 1]) ?? ''
  return value % scale === 0 ? words : `${words} e ${portugueseWords(value % scale)}`
}

/** The last group of digits is preceded by `e` if it is below one hundred or a multiple of one hundred. */
function takesAnd(rest: number): boolean {
  if (rest % 1_000 === 0) return takesAnd(rest / 1_000)
  return rest < 100 || (rest < 1_000 && rest % 100 === 0)
}
