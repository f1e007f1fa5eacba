import { currentLanguage } from '../text/translate.ts'

/**
 * An amount in words, as on a cheque: 150000 cents are `one thousand five hundred reais`, in Portuguese `mil e quinhentos reais`.
 * Takes 0 to 999,999,999,999 cents. A mistyped digit is easier to notice in words.
 */
export function amountInWords(amountCents: number): string {
  return currentLanguage() === 'pt-BR' ? amountInPortugueseWords(amountCents) : amountInEnglishWords(amountCents)
}

/** An amount in Portuguese words whatever the language of the screen is: what a program reads does not depend on it. */
export function amountInPortugueseWords(amountCents: number): string {
  return joinedParts(amountCents, {
    reais: (reais) => `${portugueseWords(reais)} ${currencyName(reais)}`,
    cents: (cents) => `${portugueseWords(cents)} ${cents === 1 ? 'centavo' : 'centavos'}`,
    and: ' e ',
  })
}

function amountInEnglishWords(amountCents: number): string {
  return joinedParts(amountCents, {
    reais: (reais) => `${englishWords(reais)} ${reais === 1 ? 'real' : 'reais'}`,
    cents: (cents) => `${englishWords(cents)} ${cents === 1 ? 'centavo' : 'centavos'}`,
    and: ' and ',
  })
}

function joinedParts(
  amountCents: number,
  words: { reais: (reais: number) => string; cents: (cents: number) => string; and: string },
): string {
  const reais = Math.floor(amountCents / 100)
  const cents = amountCents % 100
  const parts: string[] = []
  if (reais > 0 || cents === 0) parts.push(words.reais(reais))
  if (cents > 0) parts.push(words.cents(cents))
  return parts.join(words.and)
}

const ENGLISH_UNITS = [
  'zero',
  'one',
  'two',
  'three',
  'four',
  'five',
  'six',
  'seven',
  'eight',
  'nine',
  'ten',
  'eleven',
  'twelve',
  'thirteen',
  'fourteen',
  'fifteen',
  'sixteen',
  'seventeen',
  'eighteen',
  'nineteen',
] as const
const ENGLISH_TENS = ['', '', 'twenty', 'thirty', 'forty', 'fifty', 'sixty', 'seventy', 'eighty', 'ninety'] as const
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
  if (value < 20) return ENGLISH_UNITS[value] ?? ''
  const tens = ENGLISH_TENS[Math.floor(value / 10)] ?? ''
  return value % 10 > 0 ? `${tens}-${ENGLISH_UNITS[value % 10] ?? ''}` : tens
}

const UNITS = [
  'zero',
  'um',
  'dois',
  'três',
  'quatro',
  'cinco',
  'seis',
  'sete',
  'oito',
  'nove',
  'dez',
  'onze',
  'doze',
  'treze',
  'quatorze',
  'quinze',
  'dezesseis',
  'dezessete',
  'dezoito',
  'dezenove',
] as const
const TENS = ['', '', 'vinte', 'trinta', 'quarenta', 'cinquenta', 'sessenta', 'setenta', 'oitenta', 'noventa'] as const
const HUNDREDS = [
  '',
  'cento',
  'duzentos',
  'trezentos',
  'quatrocentos',
  'quinhentos',
  'seiscentos',
  'setecentos',
  'oitocentos',
  'novecentos',
] as const
/** From the largest: the value of one, its name, and its name for several. */
const SCALES = [
  [1_000_000_000, 'bilhão', 'bilhões'],
  [1_000_000, 'milhão', 'milhões'],
  [1_000, 'mil', 'mil'],
] as const

/** Round millions and billions take `de`: `dois milhões de reais`. */
function currencyName(reais: number): string {
  if (reais === 1) return 'real'
  return reais >= 1_000_000 && reais % 1_000_000 === 0 ? 'de reais' : 'reais'
}

function portugueseWords(value: number): string {
  if (value === 0) return UNITS[0]
  const groups: { value: number; words: string }[] = []
  let rest = value
  for (const [scale, one, several] of SCALES) {
    const count = Math.floor(rest / scale)
    rest %= scale
    if (count === 0) continue
    const name = count === 1 ? one : several
    const isBareThousand = scale === 1_000 && count === 1
    groups.push({ value: count, words: isBareThousand ? name : `${belowThousand(count)} ${name}` })
  }
  if (rest > 0) groups.push({ value: rest, words: belowThousand(rest) })
  return joinGroups(groups)
}

/** Joins the groups. The last one is preceded by `e` if it is below one hundred or a multiple of one hundred. */
function joinGroups(groups: readonly { value: number; words: string }[]): string {
  let text = ''
  for (const [index, group] of groups.entries()) {
    if (index === 0) text = group.words
    else {
      const isLast = index === groups.length - 1
      const takesAnd = isLast && (group.value < 100 || group.value % 100 === 0)
      text += `${takesAnd ? ' e ' : ' '}${group.words}`
    }
  }
  return text
}

function belowThousand(value: number): string {
  if (value === 100) return 'cem'
  const parts: string[] = []
  const rest = value % 100
  if (value >= 100) parts.push(HUNDREDS[Math.floor(value / 100)] ?? '')
  if (rest > 0 && rest < 20) parts.push(UNITS[rest] ?? '')
  if (rest >= 20) {
    parts.push(TENS[Math.floor(rest / 10)] ?? '')
    if (rest % 10 > 0) parts.push(UNITS[rest % 10] ?? '')
  }
  return parts.join(' e ')
}
