import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { pageWorld } from './pageWorld.ts'
import { type PageWorld, showsOutput, typePage } from './typedPage.ts'

const ROOT = join(import.meta.dirname, '..', '..')
const LINK = /\]\((docs\/[\w/-]+\.md)[#)]/g
/** These need a PostgreSQL server: test/docs/team.slow.test.ts types them. */
const NEEDS_POSTGRES: readonly string[] = ['docs/team.md', 'docs/pt-BR/equipe.md']

/** A README and the pages of its language that show what commands print, in the order in which it first names them. */
function pagesOf(readme: string, isOfLanguage: (page: string) => boolean): string[] {
  const linked = [...readFileSync(join(ROOT, readme), 'utf8').matchAll(LINK)].map(([, page = '']) => page)
  const guides = linked.filter(
    (page) => isOfLanguage(page) && existsSync(join(ROOT, page)) && showsOutput(join(ROOT, page)),
  )
  return [readme, ...new Set(guides)].filter((page) => !NEEDS_POSTGRES.includes(page))
}

const isPortuguese = (page: string) => page.startsWith('docs/pt-BR/')

/**
 * One person types the README and every page, from the first to the last, in one home on one sandbox. `npm run guides` writes what the
 * commands print now.
 */
describe.each([
  ['en', pagesOf('README.md', (page) => !isPortuguese(page))],
  ['pt-BR', pagesOf('README.pt-BR.md', isPortuguese)],
] as const)('in one home (%s)', (language, pages) => {
  const cleanups: (() => void | Promise<void>)[] = []
  let world: PageWorld
  let isIntact = true

  beforeAll(async () => {
    world = await pageWorld(language, (clean) => cleanups.push(clean))
  })
  afterAll(async () => {
    for (const clean of cleanups.reverse()) await clean()
  })

  it.each(pages)('%s shows what its commands print', { timeout: 180_000 }, async (page) => {
    // What follows builds on it.
    expect(isIntact, 'a command of an earlier page failed').toBe(true)
    isIntact = false
    const path = join(ROOT, page)
    const typed = await typePage(path, world)
    isIntact = true
    await expect(typed).toMatchFileSnapshot(path)
  })

  it('types all guides', () => expect(pages.length).toBeGreaterThan(6))
})
