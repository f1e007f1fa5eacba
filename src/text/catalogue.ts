/**
 * A language is one text in which translations are searched, because parsing thousands of them takes longer than most commands run. Control characters
 * separate them: see `scripts/catalogues.js`, which writes it.
 */
const ENTRY = '\u001e'
const MEANS = '\u001f'

/** Searches a catalogue, which is UTF-8, for the translation of an English text; undefined without one. */
export function searchCatalogue(catalogue: Buffer): (english: string) => string | undefined {
  const known = new Map<string, string | undefined>()
  return (english) => {
    if (!known.has(english)) known.set(english, search(english))
    return known.get(english)
  }

  function search(english: string): string | undefined {
    const entry = `${ENTRY}${english}${MEANS}`
    const place = catalogue.indexOf(entry)
    if (place === -1) return undefined
    const start = place + Buffer.byteLength(entry)
    return catalogue.toString('utf8', start, catalogue.indexOf(ENTRY, start))
  }
}
