import type { Account } from '../../src/profiles/account.ts'
import type { MoneyIntent, RefundIntent, TransferIntent } from '../../src/timeline/records.ts'
import type { Transaction, TransactionState } from '../../src/timeline/transactions.ts'
import { Secret } from '../../src/wire/secret.ts'

/** Noon of a day in São Paulo. */
export const NOW_MS = Date.UTC(2026, 10, 21, 15)
export const DAY_MS = 24 * 60 * 60 * 1000

/** A production account without limits, with these differences. */
export function account(differences: Partial<Account> = {}): Account {
  return {
    url: 'https://gateway.example.com',
    host: 'gateway.example.com',
    isLoopback: false,
    profile: 'prod',
    confirmName: 'prod',
    environment: 'production',
    clientId: 'c-1',
    clientSecret: new Secret('secret-of-a-test'),
    callbackUrl: null,
    maxAmountCents: null,
    maxDayCents: null,
    readOnly: false,
    sources: { address: 'profile prod', clientId: 'profile prod', clientSecret: 'profile prod', callbackUrl: null },
    ...differences,
  }
}

const OWNER = {
  profile: 'prod',
  environment: 'production',
  baseUrl: 'https://gateway.example.com',
  clientId: 'c-1',
} as const

export function transferIntent(differences: Partial<TransferIntent> = {}): TransferIntent {
  return {
    type: 'intent',
    kind: 'transfer',
    ...OWNER,
    externalId: 'new',
    key: 'maria@example.com',
    typeKey: 'email',
    documentValidation: null,
    amountCents: 1000,
    body: '{}',
    ...differences,
  }
}

export function refundIntent(differences: Partial<RefundIntent> = {}): RefundIntent {
  return {
    type: 'intent',
    kind: 'refund',
    ...OWNER,
    originalTransactionId: 'original',
    amountCents: 500,
    isWhole: false,
    refundReason: 'x',
    body: '{}',
    ...differences,
  }
}

/** A transaction that came before. */
export function earlier(
  intent: MoneyIntent,
  state: TransactionState,
  { ageMs = DAY_MS, idTransaction = null as string | null } = {},
): Transaction {
  const atMs = NOW_MS - ageMs
  const stamped = { ...intent, id: 'intent-1', at: new Date(atMs).toISOString(), user: 'joao', machine: 'desk' }
  return { intent: stamped, atMs, outcome: null, finding: null, event: null, state, idTransaction, records: [stamped] }
}
