import { join } from 'node:path'
import { expect } from 'vitest'
import { itOnPostgres, PASSWORD, type TestPostgres, withPostgres } from '../postgres.ts'
import { pageWorld } from './pageWorld.ts'
import { typePage } from './typedPage.ts'

const DOCS = join(import.meta.dirname, '..', '..', 'docs')

let postgres: TestPostgres
withPostgres((started) => {
  postgres = started
})

itOnPostgres.each([
  ['team.md', 'en'],
  ['pt-BR/equipe.md', 'pt-BR'],
] as const)('docs/%s shows what its commands print', async (name, language) => {
  const path = join(DOCS, name)
  const database = await postgres.newLedger()
  const member = await postgres.newLogin('pixgate_member')
  const page = await pageWorld(language)
  page.world.env.PGPASSWORD = PASSWORD
  page.world.env.PATH = `${postgres.programs}:${page.world.env.PATH}`
  const replaced = new Map([
    ...page.replaced,
    ['postgres://pix_owner@127.0.0.1/pix', postgres.address('owner', database).url],
    ['postgres://maria@127.0.0.1/pix', postgres.address(member, database).url],
  ])
  await expect(await typePage(path, { ...page, replaced })).toMatchFileSnapshot(path)
})
