import { expect, it } from 'vitest'
import { accountId } from '../../src/ledger/accounts.ts'
import { findPayee } from '../../src/ledger/payees.ts'
import { loadPayment } from '../../src/ledger/payments.ts'
import { handOver } from '../../src/ledger/team/handOver.ts'
import { textOf } from '../../src/storage/sqlite.ts'
import { type MemoryLedger, memoryLedger } from './memoryLedger.ts'
import { OWNER } from './paymentHistory.ts'

const ACCOUNT = { url: OWNER.baseUrl, clientId: OWNER.clientId }
const KEYS = ['ana@example.com', 'bia@example.com'] as const

/** Hands over everything; the number of records that were added. */
async function handedOver(from: MemoryLedger, to: MemoryLedger, target: typeof ACCOUNT | 'server'): Promise<number> {
  const source = { read: async <Result>(work: (database: MemoryLedger['database']) => Result) => work(from.database) }
  return (await handOver(source, target, 0, async (add) => add(to.writer))).records
}

function payee(ledger: MemoryLedger, key: string | null): void {
  const payee = key && { name: 'ana', displayName: null, key, keyType: 'email' as const, documentValidation: null }
  ledger.writer.append({ type: 'payee', owner: OWNER, name: 'ana', payee: payee || null })
}

function typesOf({ database }: MemoryLedger): string[] {
  return database.all('SELECT type FROM record ORDER BY seq').map((row) => textOf(row, 'type'))
}

it.each([ACCOUNT, 'server'] as const)('adds everything of a ledger once to %j', async (target) => {
  const [from, to] = [await memoryLedger(), await memoryLedger()]
  const attempt = from.attempt()
  from.answer(attempt, 'accepted', { idTransaction: 'id-1' })
  const { n, id: event } = from.event('PAID_OUT')
  from.writer.append({ type: 'forward', n, event, url: 'http://x/', status: 200, ms: 1, body: '', error: null })
  payee(from, KEYS[0])
  expect(await handedOver(from, to, target)).toBe(5)
  expect(await handedOver(from, to, target)).toBe(0)
  expect([typesOf(to), to.state(attempt), to.problems()]).toEqual([typesOf(from), 'paid', []])
})

it.each([ACCOUNT, 'server'] as const)(
  'hands over what holds of a payee, not what was before, to %j',
  async (target) => {
    for (const now of [KEYS[1], null]) {
      const [from, to] = [await memoryLedger(), await memoryLedger()]
      payee(from, KEYS[0])
      payee(from, now)
      await handedOver(from, to, target)
      expect([findPayee(to.database, ACCOUNT, 'ana')?.key ?? null, to.problems()]).toEqual([now, []])
    }
  },
)

it.each([
  [
    'a finding',
    (ledger: MemoryLedger, attempt: ReturnType<MemoryLedger['attempt']>) => ledger.find(attempt, 'not-paid'),
  ],
  [
    'a refusal',
    (ledger: MemoryLedger, attempt: ReturnType<MemoryLedger['attempt']>) => ledger.answer(attempt, 'refused'),
  ],
])(
  'lets %s make no room for another payment if it does not know of a request that was made meanwhile',
  async (_, say) => {
    for (const target of [ACCOUNT, 'server'] as const) {
      const [from, to] = [await memoryLedger(), await memoryLedger()]
      const attempt = from.attempt()
      await handedOver(from, to, target)
      say(from, attempt)
      to.resend(attempt)
      await handedOver(from, to, target)
      expect([typesOf(to).at(-1), to.state(attempt), to.problems()]).toEqual(['superseded', 'unknown', []])
    }
  },
)

it('believes a refusal that another login has handed over only if it knows of all requests', async () => {
  const [from, to] = [await memoryLedger(), await memoryLedger()]
  const attempt = from.attempt()
  from.answer(attempt, 'refused')
  to.user = 'joao'
  await handedOver(from, to, 'server')
  to.resend(attempt)
  to.user = from.user
  await handedOver(from, to, 'server')
  expect([typesOf(to).at(-1), to.state(attempt), to.problems()]).toEqual(['superseded', 'unknown', []])
})

it('believes that a payment was accepted once the login that sent it has handed over its answer', async () => {
  const [from, to] = [await memoryLedger(), await memoryLedger()]
  const attempt = from.attempt()
  from.answer(attempt, 'accepted', { idTransaction: 'id-1' })
  const said = () => {
    const { state, isVerified, isUnknown } = loadPayment(to.database, attempt.payment).summary
    return [state, isVerified, isUnknown]
  }
  to.user = 'joao'
  await handedOver(from, to, 'server')
  expect(said()).toEqual(['accepted', false, true])
  to.user = from.user
  expect(await handedOver(from, to, 'server')).toBe(1)
  expect([...said(), to.problems()]).toEqual(['accepted', true, false, []])
  expect(await handedOver(from, to, 'server')).toBe(0)
})

it('leaves with a ledger what it records of itself, and what is of another account', async () => {
  const [from, to] = [await memoryLedger(), await memoryLedger()]
  const server = { system: '1', timeline: 1, database: 1, table: 1, ledger: 'l' }
  from.confirmClock()
  from.writer.append({ type: 'machine-heard', server })
  from.attempt(undefined, { owner: { ...OWNER, clientId: 'c-2' } })
  expect(await handedOver(from, to, ACCOUNT)).toBe(0)
  expect(accountId(to.database, { ...ACCOUNT, clientId: 'c-2' })).toBe(0)
  expect(await handedOver(from, to, 'server')).toBe(1)
})
