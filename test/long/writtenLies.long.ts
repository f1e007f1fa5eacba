import { afterAll, expect } from 'vitest'
import { lyingStage } from '../cli/lyingMember.ts'
import { people } from '../cli/planPeople.ts'
import { faultsOfLies, LIE_GROUPS } from '../cli/writtenLies.ts'
import { itOnPostgres, type TestPostgres, withPostgres } from '../postgres.ts'

const team = people(afterAll, 'maria', 'joao', 'eva', 'ana')
let postgres: TestPostgres
withPostgres((started) => {
  postgres = started
})

itOnPostgres.each(LIE_GROUPS)(
  'moves and frees nothing by a lie that a member writes by hand, in every variant, and names it: $name',
  async ({ types }) => {
    expect(await faultsOfLies(await lyingStage(postgres, team), types, 'all')).toEqual([])
  },
  3_600_000,
)
