import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Secrets of all alphabets that a header can carry. */
export const CANARIES = {
  hex: 'f3a91c07be52d8644e0b9a7715cc3d28e6f0417b',
  base64: 'q+Zt/7Rk9vX2mW8sLp0aQe5/uY+1BdCfGhJi3oKlMn4=',
  awkward: `Kx"7\\b%41&z 9;<'q>$Y,{w}/\\\\"#8+m`,
} as const

export const PREVIOUS_CANARY = 'previous-7d1f40aa93-Zq/0'
export const PROXY_CANARY = 'Pr0xyPassw0rdCanary7731'

/** Files are compared in blocks of this many bytes. */
const BLOCK = 4096

/** The needles to look for: every way of writing a secret that people and programs have. */
function formsOf(secret: string): ReadonlyMap<string, string> {
  const bytes = Buffer.from(secret)
  const hex = bytes.toString('hex')
  const json = JSON.stringify(secret).slice(1, -1)
  const uri = encodeURIComponent(secret)
  const forms = new Map([
    ['plain', secret],
    ['other case', swapCase(secret)],
    ['JSON', json],
    ['JSON in JSON', JSON.stringify(json).slice(1, -1)],
    ['JSON, all escaped', Array.from(bytes, (byte) => `\\u00${hexOf(byte)}`).join('')],
    ['URL', uri],
    ['URL, small', uri.replace(/%../g, (code) => code.toLowerCase())],
    ['URL, twice', encodeURIComponent(uri)],
    ['URL, all escaped', Array.from(bytes, (byte) => `%${hexOf(byte)}`).join('')],
    ['form', new URLSearchParams({ s: secret }).toString().slice(2)],
    ['CSV', secret.replaceAll('"', '""')],
    ['HTML', html(secret)],
    ['hex', hex],
    ['hex, capital', hex.toUpperCase()],
    ['hex, other case', swapCase(hex.replace(/[a-f]/, (digit) => digit.toUpperCase()))],
  ])
  for (const offset of [0, 1, 2]) {
    const whole = Buffer.concat([Buffer.alloc(offset), bytes])
    for (const encoding of ['base64', 'base64url'] as const) {
      // Only the characters that depend on nothing but the secret.
      const core = whole.toString(encoding).slice([0, 2, 3][offset], Math.floor((whole.length * 8) / 6))
      forms.set(`${encoding} at ${offset}`, core)
    }
  }
  return forms
}

/** What a gateway may send back for a secret: the forms, and the encodings that carry it with something around it. */
export function echoesOf(secret: string): string[] {
  const around = ['ci:', 'id', 'x', 'id:'].map((before) => Buffer.from(`${before}${secret}@end`).toString('base64'))
  const alone = (['base64', 'base64url'] as const).map((encoding) => Buffer.from(secret).toString(encoding))
  return [...formsOf(secret).values(), ...alone, ...around]
}

/** The forms of every secret that was looked for, because a few secrets are looked for in many texts. */
const KNOWN_FORMS = new Map<string, ReadonlyMap<string, string>>()

/** The needles of a secret, each once, with the name of its form. */
function needlesOf(secret: string): ReadonlyMap<string, string> {
  const known = KNOWN_FORMS.get(secret)
  if (known !== undefined) return known
  const needles = new Map([...formsOf(secret)].reverse().map(([form, needle]) => [needle, form]))
  KNOWN_FORMS.set(secret, needles)
  return needles
}

/** The names of the secrets and forms that a text contains. */
export function leaksIn(text: string, secrets: readonly string[]): string[] {
  return secrets.flatMap((secret) =>
    [...needlesOf(secret)].filter(([needle]) => text.includes(needle)).map(([, form]) => `${form} of ${secret}`),
  )
}

/** The same for all files of a folder and below, but for `profiles.json` in the folder of the configuration. */
export function leaksBelow(folder: string, secrets: readonly string[]): string[] {
  return leakWatch(folder, secrets)()
}

/**
 * Looks through a folder as `leaksBelow` does, again and again: of a file that was clean only what has changed since, and as much
 * around it as a secret is long.
 */
export function leakWatch(folder: string, secrets: readonly string[]): () => string[] {
  const margin = Math.max(...secrets.flatMap((secret) => [...needlesOf(secret).keys()].map(({ length }) => length)))
  const clean = new Map<string, Buffer>()
  return () =>
    readdirSync(folder, { recursive: true, withFileTypes: true }).flatMap((entry) => {
      const path = join(entry.parentPath, entry.name)
      const leaks = leaksIn(entry.name, secrets).map((leak) => `the name ${path} is ${leak}`)
      if (!entry.isFile() || path.endsWith(join('config', 'profiles.json'))) return leaks
      const content = readFileSync(path)
      const inside = changes(clean.get(path), content, margin).flatMap((part) => leaksIn(part, secrets))
      if (inside.length === 0) clean.set(path, content)
      return [...leaks, ...inside.map((leak) => `${path} holds ${leak}`)]
    })
}

/** The parts of `now` that are not the same in `before`, with this many bytes around each. */
function changes(before: Buffer | undefined, now: Buffer, margin: number): string[] {
  if (before === undefined) return [now.toString('latin1')]
  const parts: { start: number; end: number }[] = []
  for (let start = 0; start < now.length; start += BLOCK) {
    const end = start + BLOCK
    if (now.subarray(start, end).equals(before.subarray(start, end))) continue
    const last = parts.at(-1)
    if (last !== undefined && last.end + margin >= start - margin) last.end = end
    else parts.push({ start, end })
  }
  return parts.map(({ start, end }) => now.toString('latin1', Math.max(0, start - margin), end + margin))
}

function swapCase(text: string): string {
  return text.replace(/[a-z]/gi, (letter) =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
  )
}

function html(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;')
}

function hexOf(byte: number): string {
  return byte.toString(16).padStart(2, '0')
}
