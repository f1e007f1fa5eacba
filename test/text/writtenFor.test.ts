import { afterEach, expect, it } from 'vitest'
import { declared, setCatalogue, t, translated } from '../../src/text/translate.ts'
import { writtenFor } from '../../src/text/writtenFor.ts'

const PORTUGUESE = { language: 'pt-BR', find: (english: string) => (english === 'paid {0}' ? 'pago {0}' : undefined) }

afterEach(() => setCatalogue(undefined))

/** Makes a text, waits for the others, and makes it again. */
async function twice(others: Promise<void>): Promise<string[]> {
  const before = t`paid ${1}`
  await others
  return [before, t`paid ${2}`]
}

it.each([true, false])(
  'keeps the languages of works that wait for each other apart; for a program: %s',
  async (isForProgram) => {
    setCatalogue(PORTUGUESE, isForProgram)
    let go = () => {}
    const others = new Promise<void>((resolve) => {
      go = resolve
    })
    const works = [
      writtenFor('people', () => twice(others)),
      writtenFor('programs', () => twice(others)),
      twice(others),
      writtenFor('programs', async () => [...(await writtenFor('people', () => twice(others))), t`paid ${3}`]),
    ]
    go()
    const own = isForProgram ? 'paid' : 'pago'
    expect(await Promise.all(works)).toEqual([
      ['pago 1', 'pago 2'],
      ['paid 1', 'paid 2'],
      [`${own} 1`, `${own} 2`],
      ['pago 1', 'pago 2', 'paid 3'],
    ])
  },
)

it('translates a declared text with its values, and one without a translation not at all', () => {
  const texts = [declared`paid ${3}`, declared`paid`, declared`due ${3}`]
  setCatalogue(PORTUGUESE)
  expect([texts, texts.map(translated)]).toEqual([
    ['paid 3', 'paid', 'due 3'],
    ['pago 3', 'paid', 'due 3'],
  ])
})
