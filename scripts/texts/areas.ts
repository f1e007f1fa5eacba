import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { loadProgram } from '../../src/cli/program.ts'
import { setCatalogue } from '../../src/text/translate.ts'
import { SCHEMA_NAMES, schemaOf } from '../../src/views/outputSchemas.ts'
import { sourceKeys } from './sourceKeys.ts'

const ROOT = join(import.meta.dirname, '..', '..')
const SRC = join(ROOT, 'src')
/** The area of texts that occur in several areas. */
const SHARED = 'shared'
/** The area of what help pages say of commands and options, beside the topics. */
const HELP = 'help'
/** The area of states, kinds and other words of JSON, which lists show translated. */
const WORDS = 'words'

/** Where the translations of a language are: one file for each area. */
export function translationsFolder(language: string): string {
  return join(SRC, 'text/translations', language)
}

/** The translations of a language by their areas; none of an area without a file. */
export function storedTranslations(language: string): Map<string, Map<string, string>> {
  const folder = translationsFolder(language)
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.json'))
  return new Map(
    files.map((file) => {
      const translations: Record<string, string> = JSON.parse(readFileSync(join(folder, file), 'utf8'))
      return [file.replace(/\.json$/, ''), new Map(Object.entries(translations))]
    }),
  )
}

/** All texts for people by their areas, each once and in the order of the sources. */
export async function textsByArea(): Promise<Map<string, string[]>> {
  const areas = new Map<string, string>()
  for (const { path, keys } of sourceTexts()) {
    const area = areaOf(path)
    for (const { key } of keys) areas.set(key, (areas.get(key) ?? area) === area ? area : SHARED)
  }
  for (const text of await helpTexts()) areas.set(text, areas.get(text) ?? HELP)
  for (const word of wordsOf(SCHEMA_NAMES.map(schemaOf))) areas.set(word, areas.get(word) ?? WORDS)
  const texts = new Map<string, string[]>()
  for (const [key, area] of areas) texts.set(area, [...(texts.get(area) ?? []), key])
  return texts
}

/** The texts for people in each source file. */
export function sourceTexts(): { path: string; keys: ReturnType<typeof sourceKeys> }[] {
  return readdirSync(SRC, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts'))
    .sort()
    .map((path) => ({ path, keys: sourceKeys(readFileSync(join(SRC, path), 'utf8')) }))
}

/** `ledger` for `ledger/team/ledgerAddress.ts`, `program` for `settings.ts`. */
function areaOf(path: string): string {
  return path.includes('/') ? path.replace(/\/.*/, '') : 'program'
}

/** What is translated when the whole command tree is made. */
async function helpTexts(): Promise<string[]> {
  const texts = new Set<string>()
  setCatalogue({
    language: 'none',
    find(english) {
      texts.add(english)
      return undefined
    },
  })
  try {
    await loadProgram()
  } finally {
    setCatalogue(undefined)
  }
  return [...texts].filter((text) => /\p{L}/u.test(text))
}

/** The words that values in JSON can be. Codes, in capital letters, are the same everywhere. */
function wordsOf(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return []
  const values = 'enum' in schema && Array.isArray(schema.enum) ? schema.enum : []
  const words = values.filter((value): value is string => typeof value === 'string' && /^[a-z][A-Za-z -]*$/.test(value))
  return [...words, ...Object.values(schema).flatMap(wordsOf)]
}

/** The text of the file of an area: each of its texts with its translation, wherever that was before, or with none. */
export function areaFile(keys: readonly string[], stored: ReadonlyMap<string, ReadonlyMap<string, string>>): string {
  const known = new Map([...stored.values()].flatMap((area) => [...area]))
  return `${JSON.stringify(Object.fromEntries(keys.map((key) => [key, known.get(key) ?? ''])), null, 2)}\n`
}
