/** The forms of companies, which they have at the end of their names, and leave out or abbreviate elsewhere. */
export const COMPANY_FORMS: readonly string[] = ['LTDA', 'LIMITADA', 'SA', 'SS', 'EIRELI', 'SLU', 'EPP', 'ME', 'MEI']
const COMPANY_SUFFIX = new RegExp(` (?:${COMPANY_FORMS.join('|')}|S A|S S|SOCIEDADE ANONIMA)$`)
/** The tax document, or the root of a CNPJ, that the register puts before or behind the name of a sole trader. */
const SOLE_TRADER_NUMBER = /^(?:\d{8}|\d{11}|\d{14}) | (?:\d{8}|\d{11}|\d{14})$/
/** How the name of every receiver begins whom the sandbox makes up, because it cannot know whose key it is. */
export const SANDBOX_NAME = 'Sandbox '
/** How much of a name must agree if the other one goes on with further words. */
const PREFIX_LETTERS_MIN = 10
const PREFIX_WORDS_MIN = 2
/** No system cuts names off earlier than this in the middle of a word: `PADARIA DO ZE` is not `PADARIA DO ZECA`. */
const CUT_LETTERS_MIN = 17
/** No name is longer; the limit bounds the time that a forged one takes. */
const NAME_CHARACTERS_MAX = 500

/** A name in the spelling in which names of payees are compared: without case. */
export function comparableName(name: string): string {
  return name.trim().normalize('NFC').toLowerCase()
}

/**
 * True if two names may be the same person's or company's. Case, accents, spaces and punctuation do not matter (`&` is `e`), nor do company
 * suffixes (`LTDA`, `S/A`, `ME` and so on) and the tax document in a sole trader's name. Banks and payrolls cut names off, so a name that
 * begins with the whole other one is the same if that has two words and ten letters or more, or seventeen if it ends within a word. The
 * order of words matters, and abbreviations are not guessed.
 */
export function isSameName(one: string, other: string): boolean {
  const [shorter, longer] = [coreOf(one), coreOf(other)].toSorted((a, b) => a.join('').length - b.join('').length)
  if (shorter === undefined || longer === undefined) return false
  const [letters, all] = [shorter.join(''), longer.join('')]
  if (letters === all) return true
  if (!all.startsWith(letters) || shorter.length < PREFIX_WORDS_MIN) return false
  const isWhole = longer.some((_, index) => longer.slice(0, index).join('') === letters)
  return letters.length >= (isWhole ? PREFIX_LETTERS_MIN : CUT_LETTERS_MIN)
}

/** The beginning of a name in capitals, without accents and apostrophes, with `E` for `&`. */
export function nameInCapitals(name: string): string {
  return name
    .slice(0, NAME_CHARACTERS_MAX)
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toUpperCase()
    .replaceAll('&', ' E ')
    .replace(/['’`´]/g, '')
}

/** The words of a name that tell it from others, in capitals without accents. */
function coreOf(name: string): string[] {
  let core = nameInCapitals(name)
    .replace(/(?<=\d)[./-](?=\d)/g, '')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
  for (;;) {
    const rest = core.replace(COMPANY_SUFFIX, '').replace(SOLE_TRADER_NUMBER, '')
    if (rest === core || rest === '') return core.split(' ')
    core = rest
  }
}
