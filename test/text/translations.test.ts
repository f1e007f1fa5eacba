import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import {
  areaFile,
  sourceTexts,
  storedTranslations,
  textsByArea,
  translationsFolder,
} from '../../scripts/texts/areas.ts'
import { sourceKeys } from '../../scripts/texts/sourceKeys.ts'
import { searchCatalogue } from '../../src/text/catalogue.ts'
import { TRANSLATED_LANGUAGES } from '../../src/text/languages.ts'

it('makes no text before the language is known', () => {
  const early = sourceTexts().flatMap(({ path, keys }) =>
    keys.filter(({ isAtLoad }) => isAtLoad).map(({ line, key }) => `${path}:${line}: ${key}`),
  )
  expect(early).toEqual([])
})

// `npm run texts` updates the files.
it.each(TRANSLATED_LANGUAGES)(
  'has a file for each area in %s with the texts of the sources, and no others',
  async (language) => {
    const texts = await textsByArea()
    const stored = storedTranslations(language)
    expect([...stored.keys()].filter((area) => !texts.has(area))).toEqual([])
    for (const [area, keys] of texts) {
      const path = join(translationsFolder(language), `${area}.json`)
      await expect.soft(areaFile(keys, stored)).toMatchFileSnapshot(path)
    }
  },
)

it.each(TRANSLATED_LANGUAGES)(
  'keeps in %s the values, the line breaks and the words to type of each text',
  (language) => {
    const wrong = [...storedTranslations(language)].flatMap(([area, translations]) =>
      [...translations]
        .filter(([english, translation]) => translation !== '' && marksOf(english) !== marksOf(translation))
        .map(([english, translation]) => `${area}: ${english} → ${translation}`),
    )
    expect(wrong).toEqual([])
  },
)

/**
 * What people choose in what they type, in their language: reasons, references, names of files but those of pixgate, of columns, new profiles
 * and new payees, days that are words, and decimals.
 */
const OWN_WORDS =
  /(?<=--(?:reason|because) )"[^"]*"|(?<=--reference |payee add )[a-z]+|(?<!\.)\b(?!ledger|profiles|openapi)\w+(?=\.(?:csv|json|txt)\b)|\b(?:name of the column|nome da coluna|new-profile|perfil-novo|today|hoje|yesterday|ontem|(?:name|nome)(?=@)|\d+[.,]\d)\b/g

/** What a translation must have, too: placeholders, what is in backticks but {@link OWN_WORDS}, options, line breaks, and spaces at its ends. */
function marksOf(text: string): string {
  const marks = text.match(/`[^`]*`|\{\w+\}|(?<![\p{L}\w}-])--?[a-z][\w-]*|\n|^\s+|\s+$/gu) ?? []
  return marks
    .map((mark) => mark.replace(OWN_WORDS, '…'))
    .toSorted()
    .join(' ')
}

// In parts of the file, which the build and the search find by the same sum.
it.each(TRANSLATED_LANGUAGES)('finds each translation in the built file of %s, and nothing else', (language) => {
  const find = searchCatalogue(readFileSync(join(import.meta.dirname, `../../dist/${language}.texts`)))
  const all = [...storedTranslations(language).values()].flatMap((area) => [...area])
  const wrong = all.filter(([english, translation]) => (find(english) ?? english) !== translation)
  expect([all.length > 1000, wrong]).toEqual([true, []])
  expect([find(''), find('no such text'), find(`${all[0]?.[0]}.`)]).toEqual([undefined, undefined, undefined])
})

it.each(TRANSLATED_LANGUAGES)(
  'has in the built page of `inspect` the translations in %s of the texts of its sources',
  (language) => {
    const page = readFileSync(join(import.meta.dirname, '../../dist/inspector.html'), 'utf8')
    const built = JSON.parse(/ id="texts"[^>]*>(.*)<\/script>/.exec(page)?.[1] ?? '')[language]
    const own = sourceTexts().flatMap(({ path, keys }) => (path.startsWith('inspector/page/') ? keys : []))
    const translations = new Map([...storedTranslations(language).values()].flatMap((area) => [...area]))
    const missing = own.filter(({ key }) => (built[key] ?? key) !== translations.get(key))
    expect([own.length > 100, missing]).toEqual([true, []])
  },
)

it.each([
  [`t\`Sent \${a} to \${b}\``, ['Sent {0} to {1}']],
  ['t`Use \\`--yes\\``', ['Use `--yes`']],
  [`t\`\${a}: \${b}\``, []],
  [`t\`outer \${c ? t\`inner \${d}\` : e}\``, ['outer {0}', 'inner {0}']],
  ["columns = [{ path: 'a', header: 'day there' }]", ['day there']],
  ["styles = { header: '<fill/>' }", []],
  ["fields = [field('state', 'what is known', TEXT, read)]", ['state']],
  ["other = [textField('state', 'what is known')]", []],
  ['english`There is nothing here`', []],
])('finds the texts in %s', (code, expected) => {
  expect(sourceKeys(code).map(({ key }) => key)).toEqual(expected)
})

it.each([
  ['const text = t`early`', true],
  ['const text = () => t`late`', false],
  ['const texts = { one: t`early` }', true],
  ['class Some { text = t`late` }', false],
])('tells when a text is made: %s', (code, isAtLoad) => {
  expect(sourceKeys(code).map((each) => each.isAtLoad)).toEqual([isAtLoad])
})

// A person would meet an English sentence.
it.each(TRANSLATED_LANGUAGES)('has a translation of every text in %s', (language) => {
  const missing = [...storedTranslations(language)].flatMap(([area, translations]) =>
    [...translations].filter(([, translation]) => translation === '').map(([english]) => `${area}: ${english}`),
  )
  expect(missing).toEqual([])
})
