import { expect, it, onTestFinished, vi } from 'vitest'
import { LIST_START, listPayments, type PaymentFilter } from '../../src/ledger/paymentList.ts'
import { Database } from '../../src/storage/sqlite.ts'
import { memoryLedger } from './memoryLedger.ts'
import { OWNER } from './paymentHistory.ts'

const account = { baseUrl: OWNER.baseUrl, clientId: OWNER.clientId, environment: OWNER.environment }

it.each<[what: string, filter: Partial<PaymentFilter>, step: RegExp]>([
  ['of one name', { reference: 'invoice-17' }, /^SEARCH payment USING INTEGER PRIMARY KEY/],
  ['of one user', { user: 'maria' }, /^SEARCH payment USING INDEX payment_user \(user=\?/],
  ['of a rare amount', { minCents: 1000 }, /^SEARCH payment USING INDEX payment_amount \(account=\? AND known_cents>/],
  ['to one key', { keys: ['52998224725'] }, /^SEARCH payment USING INDEX payment_\w+ \(comparable_key=\?/],
  ['of an account', {}, /^SEARCH payment USING INDEX payment_sums \(account=\? AND day_ms>/],
])('finds payments %s by an index that holds no others', async (_, filter, step) => {
  const { database } = await memoryLedger()
  const all = vi.spyOn(Database.prototype, 'all')
  onTestFinished(() => all.mockRestore())
  expect(listPayments(database, { account, ...filter }, LIST_START, 1, 10)).toEqual([])
  const [sql = '', ...values] = all.mock.calls.at(-1) ?? []
  const steps = database.all(`EXPLAIN QUERY PLAN ${sql}`, ...values).map(({ detail }) => String(detail))
  expect(steps).toContainEqual(expect.stringMatching(step))
})
