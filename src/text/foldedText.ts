/** A text as people compare headings and words: in lower case without accents, white space and `_` as one space, none around `/`. */
export function foldedText(text: string): string {
  return withoutAccents(text)
    .replace(/[_\s]+/g, ' ')
    .replace(/ ?\/ ?/g, '/')
    .trim()
}

/** A text for comparison: lower case, without accents. */
export function withoutAccents(text: string): string {
  return text.toLowerCase().normalize('NFD').replace(/\p{M}/gu, '')
}
