import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { sandboxWorld } from '../world.ts'

const UNKNOWN_ID = '0b935d10-3c90-4af3-8776-dd18622a7941'

it('accounts for every expected amount, also of ids that could not be looked up', async () => {
  const world = await sandboxWorld()
  const path = join(world.home, 'expected.csv')
  writeFileSync(path, `idTransaction,amount,status\nnot-a-uuid,12.50,PAID\n${UNKNOWN_ID},1,PAID\n`)
  const { exit, stdout, stderr } = await world.run([
    'status',
    '--from',
    path,
    '--fields',
    'idTransaction,verdict,expected,status',
  ])
  expect({ exit, stdout, stderr }).toEqual({
    exit: 3,
    stdout: [
      'idTransaction\tverdict\texpected\tstatus',
      'not-a-uuid\t\tR$ 12,50\tINVALID_TRANSACTION_ID',
      `${UNKNOWN_ID}\tmissing\tR$ 1,00\tTRANSACTION_NOT_FOUND\n`,
    ].join('\n'),
    stderr:
      'missing: 1, expected R$ 1,00, found R$ 0,00\nwarning: Not compared, because the query failed: 1, expected R$ 12,50\n',
  })
})
