import { afterAll, expect } from 'vitest'
import { RECORD_RULES } from '../../src/ledger/records.ts'
import { OWNER_TYPES } from '../../src/ledger/team/serverSql.ts'
import { writeByHand } from '../ledger/team/newRecords.ts'
import { itOnPostgres, type TestPostgres, withPostgres } from '../postgres.ts'
import { lyingStage } from './lyingMember.ts'
import { people } from './planPeople.ts'
import { faultsOfLies, LIE_GROUPS } from './writtenLies.ts'

const team = people(afterAll, 'maria', 'joao', 'eva', 'ana')
let postgres: TestPostgres
withPostgres((started) => {
  postgres = started
})

itOnPostgres.each(LIE_GROUPS)(
  'moves and frees nothing by a lie that a member writes by hand, and names it: $name',
  async ({ types }) => {
    expect(await faultsOfLies(await lyingStage(postgres, team), types, 'one')).toEqual([])
  },
  600_000,
)

itOnPostgres('takes no record of an auditor, and none of the owner from a member', async () => {
  const stage = await lyingStage(postgres, team)
  const lies = Object.values(stage.lies).flatMap((makes) => makes.map((make) => make().at(-1)))
  for (const lie of lies) {
    if (lie === undefined) throw new Error('a lie is a record')
    await expect(writeByHand(postgres, stage.database, stage.auditor, [lie])).rejects.toThrow('permission denied')
  }
  for (const type of OWNER_TYPES) {
    const content = JSON.stringify({ type, record: 1, because: 'by hand' })
    await expect(writeByHand(postgres, stage.database, stage.liar, [{ type, content }])).rejects.toThrow(
      'only the owner',
    )
  }
  expect([...LIE_GROUPS.flatMap(({ types }) => types), ...OWNER_TYPES].sort()).toEqual(Object.keys(RECORD_RULES).sort())
})
