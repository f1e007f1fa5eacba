import { expect } from 'vitest'
import type { FaultGateway, LedgerEntry } from '../gateway/faultGateway.ts'
import { runInProcess } from '../inProcess.ts'
import type { World } from '../world.ts'

/** One line of `pixgate history -o json`, as far as the books need it. */
export interface HistoryLine {
  idTransaction: string | null
  externalId?: string
  originalTransactionId?: string
  amount: number
  key?: string
  pixgate: { id: string; kind: string; outcome: string; state: string }
}

/** What the gateway carried out, by externalId or by the refunded payment. */
export function paidUnder(gateway: FaultGateway, name: string): LedgerEntry[] {
  return gateway.ledger.filter((entry) => nameIn(entry) === name)
}

/** Reads the timeline as `pixgate history` shows it. Throws where a word of warning is said. */
export async function history(world: World): Promise<HistoryLine[]> {
  const ran = await runInProcess(['history', '-o', 'json', '--unmask'], world.env)
  expect(ran).toMatchObject({ exit: 0, stderr: '' })
  return JSON.parse(ran.stdout)
}

/** The timeline and the gateway's ledger must hold the same payments of the same amounts, each once, and no doubt. */
export async function expectSameBooks(world: World, gateway: FaultGateway, expectedCents: number): Promise<void> {
  const lines = await history(world)
  expect(lines.filter(({ pixgate }) => pixgate.state === 'unknown')).toEqual([])
  const asPaid = lines.filter(({ pixgate }) => pixgate.state === 'accepted' || pixgate.state === 'paid')
  const ours = asPaid.map((line) => ({
    name: line.externalId ?? line.originalTransactionId,
    amount: line.amount,
    key: line.key,
  }))
  const theirs = gateway.ledger.map((entry) => ({
    name: nameIn(entry),
    amount: amountIn(entry),
    key: entry.body.key,
  }))
  const byName = (one: { name: unknown }, other: { name: unknown }) =>
    String(one.name).localeCompare(String(other.name))
  expect(ours.toSorted(byName)).toEqual(theirs.toSorted(byName))
  for (const { idTransaction } of asPaid) {
    if (idTransaction !== null) expect(gateway.ledger.map((entry) => entry.idTransaction)).toContain(idTransaction)
  }
  const sumCents = gateway.ledger.reduce((sum, entry) => sum + Math.round(Number(amountIn(entry)) * 100), 0)
  expect(sumCents).toBe(expectedCents)
}

function nameIn(entry: LedgerEntry): unknown {
  return entry.externalId ?? entry.body.originalTransactionId
}

function amountIn(entry: LedgerEntry): unknown {
  return entry.kind === 'transfer' ? entry.body.value : entry.body.amount
}
