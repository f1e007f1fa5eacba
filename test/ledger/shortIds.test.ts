import fc from 'fast-check'
import { expect, it } from 'vitest'
import { namedById, shortIds } from '../../src/ledger/namedByIds.ts'
import { memoryLedger } from './memoryLedger.ts'
import { REFUND, TRANSFER } from './paymentHistory.ts'

const uuid = fc
  .tuple(fc.constantFrom('12345678', '1234567a'), fc.constantFrom('1111', '1112', 'a111'), fc.nat(3))
  .map(([first, second, last]) => `${first}-${second}-4333-8444-55555555555${last}`)
/** People choose external ids that look like the beginning of one. */
const externalId = fc.oneof(uuid, fc.constantFrom('12345678', '12345678-1', 'NF 17'))
const payment = fc.record({
  payment: uuid,
  externalId,
  idTransaction: uuid,
  isRefund: fc.boolean(),
})

it('shows of a UUID as much as names one payment, and any other id whole', async () => {
  await fc.assert(
    fc.asyncProperty(fc.uniqueArray(payment, { selector: (each) => each.payment, maxLength: 5 }), async (all) => {
      // Such an id names its payment alone, and its beginning both.
      fc.pre(!all.some(({ payment }) => all.some((each) => [each.externalId, each.idTransaction].includes(payment))))
      const ledger = await memoryLedger()
      for (const { payment, externalId, idTransaction, isRefund } of all) {
        const own = isRefund ? { payment } : { payment, externalId }
        const attempt = ledger.attempt(isRefund ? REFUND : TRANSFER, own)
        ledger.answer(attempt, 'accepted', { idTransaction })
      }
      const ids = all.flatMap((each) => [each.payment, each.idTransaction, each.externalId])
      for (const id of ids) {
        // As in a list that holds nothing else.
        const short = shortIds(ledger.database, [id])
        const named = (typed: string) =>
          namedById(ledger.database, typed, null).named.map((each) => each.is === 'payment' && each.payment.id)
        expect([id, short(id), named(short(id)).sort()]).toEqual([id, short(id), named(id).sort()])
        expect(short(id).length).toBeGreaterThanOrEqual(Math.min(8, id.length))
      }
    }),
    { numRuns: 50 },
  )
})

it('shortens to 8 characters, and only what commands take the beginning of', async () => {
  const { database } = await memoryLedger()
  const ids = ['C6014EED-4e0d-4d17-aa13-f9e075d4c88c', 'paid-123456789', 'NF 2017']
  expect(ids.map(shortIds(database, ids))).toEqual(['C6014EED', 'paid-123456789', 'NF 2017'])
})
