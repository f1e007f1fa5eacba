import { expect, it } from 'vitest'
import { allowed, paymentWorld, proposalOf } from './paymentWorld.ts'
import { TRANSFER } from './samplePayments.ts'

it('records an answer even if the attempt was damaged meanwhile, and then pays nothing to the same key', async () => {
  const world = paymentWorld()
  const [decision] = await world.decide([proposalOf(TRANSFER)])
  if (decision === undefined) throw new Error('nothing was decided')
  const attempt = allowed(decision)
  await world.ledger.write(({ database }) => {
    database.exec('DROP TRIGGER record_is_never_changed')
    database.run('UPDATE record SET user = ? WHERE id = ?', 'somebody', attempt.record.id)
  })
  await world.answer(attempt, 'accepted', { idTransaction: 'id-1' })
  const count = await world.ledger.read((database) =>
    database.get("SELECT count(*) AS n FROM record WHERE type = 'answer'"),
  )
  expect(count).toEqual({ n: 1 })
  await expect(world.propose(TRANSFER, { externalId: 'again' })).rejects.toMatchObject({ code: 'LEDGER_DAMAGED' })
})
