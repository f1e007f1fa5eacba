import { stripVTControlCharacters } from 'node:util'

/** A URL in the output of a tunnel. */
export interface PrintedUrl {
  url: string
  /** 0: no path, as tunnels print theirs; 1: a lone slash, or nothing behind it yet; 2: a path, as documentation has. */
  doubt: 0 | 1 | 2
}

const LINE_CHARACTERS_MAX = 64 * 1024
/** What is kept of a longer line, so that a URL at its end is still read whole. */
const LINE_REST_CHARACTERS = 4 * 1024
const URL_CHARACTERS_MAX = 2048
const QUOTE_LINES = 2
const QUOTE_CHARACTERS_MAX = 200

const URLS = /https?:\/\/[\w.~:/?#@!$&*+%=-]+/gi
/** Colours and links occur inside words; every other escape sequence ends a word. */
const INSIDE_WORDS = /\x1b\[[\d;:]*m|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)/g
const UNFINISHED_ESCAPE = /\x1b(?:\[[0-?]*[ -/]*|\][^\x07\x1b]*\x1b?|[ -/]*)?$/

/** The output of one run of a tunnel: the best URL in it so far, and its last lines. */
export class TunnelOutput {
  /** The rest of the last line of each stream. A URL may be cut anywhere between two chunks. */
  readonly #rests = new Map<string, string>()
  readonly #quote: string[] = []
  #complete: PrintedUrl | undefined

  /** Takes what arrived on one of the streams. */
  add(stream: string, chunk: string): void {
    const text = (this.#rests.get(stream) ?? '') + chunk
    const lines = text.split(/[\r\n]/)
    const rest = lines.pop() ?? ''
    for (const line of lines) this.#addLine(line)
    this.#search(rest, false)
    this.#rests.set(stream, rest.length > LINE_CHARACTERS_MAX ? rest.slice(-LINE_REST_CHARACTERS) : rest)
  }

  /** The first of the least doubtful URLs. */
  get best(): PrintedUrl | undefined {
    let best = this.#complete
    for (const rest of this.#rests.values()) {
      const last = urlsIn(withoutEscapes(rest)).at(-1)
      if (last?.isOpen && last.doubt < (best?.doubt ?? 3)) best = last
    }
    return best && { url: best.url, doubt: best.doubt }
  }

  /** The last one or two lines that say something, the earlier first: not yet harmless for a terminal. */
  get quote(): readonly string[] {
    const rests = [...this.#rests.values()].map(quotableText).filter((line) => line !== '')
    return [...this.#quote, ...rests].slice(-QUOTE_LINES)
  }

  #addLine(line: string): void {
    this.#search(line, true)
    const words = quotableText(line)
    if (words === '') return
    this.#quote.push(words)
    if (this.#quote.length > QUOTE_LINES) this.#quote.shift()
  }

  #search(line: string, isWhole: boolean): void {
    if (this.#complete?.doubt === 0) return
    for (const { url, doubt, isOpen } of urlsIn(isWhole ? `${withoutEscapes(line)}\n` : withoutEscapes(line))) {
      if (!isOpen && doubt < (this.#complete?.doubt ?? 3)) this.#complete = { url, doubt }
    }
  }
}

/** The https URLs of a line in order; the last is open if the next piece of the line may continue it. */
function urlsIn(line: string): (PrintedUrl & { isOpen: boolean })[] {
  const found = []
  for (const match of line.matchAll(URLS)) {
    if (match[0].length > URL_CHARACTERS_MAX) continue
    const text = match[0].replace(/[.:!?*]+$/, '')
    if (!/^https:/i.test(text) || !URL.canParse(text)) continue
    const url = new URL(text)
    if (url.username !== '' || url.password !== '') continue
    const isOpen = match.index + match[0].length === line.length
    const hasPath = url.pathname !== '/' || url.search !== '' || url.hash !== ''
    const doubt: PrintedUrl['doubt'] = hasPath ? 2 : isOpen || text.endsWith('/') ? 1 : 0
    found.push({ url: hasPath || text.endsWith('/') ? url.href : url.origin, doubt, isOpen })
  }
  return found
}

function withoutEscapes(line: string): string {
  return line.replace(UNFINISHED_ESCAPE, '').replaceAll(INSIDE_WORDS, '')
}

/** The line as it can be quoted; empty if it is only a frame or has no words. */
function quotableText(line: string): string {
  const words = stripVTControlCharacters(withoutEscapes(line)).replaceAll(/\s+/g, ' ').trim()
  if (!/[\p{L}\p{N}]/u.test(words)) return ''
  return words.length > QUOTE_CHARACTERS_MAX ? `${words.slice(0, QUOTE_CHARACTERS_MAX)}…` : words
}
