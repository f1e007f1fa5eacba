import { join } from 'node:path'
import { expect } from 'vitest'
import { itOnPostgres, PASSWORD, type TestPostgres, withPostgres } from '../postgres.ts'
import { pageWorld } from './pageWorld.ts'
import { typePage } from './typedPage.ts'

const PAGE = join(import.meta.dirname, '..', '..', 'docs', 'team.md')

let postgres: TestPostgres
withPostgres((started) => {
  postgres = started
})

itOnPostgres('docs/team.md shows what its commands print', async () => {
  const database = await postgres.newLedger()
  const member = await postgres.newLogin('pixgate_member')
  const page = await pageWorld()
  page.world.env.PGPASSWORD = PASSWORD
  page.world.env.PATH = `${postgres.programs}:${process.env.PATH}`
  const replaced = new Map([
    ...page.replaced,
    ['postgres://pix_owner@127.0.0.1/pix', postgres.address('owner', database).url],
    ['postgres://maria@127.0.0.1/pix', postgres.address(member, database).url],
  ])
  await expect(await typePage(PAGE, { ...page, replaced })).toMatchFileSnapshot(PAGE)
})
