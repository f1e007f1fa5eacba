import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sandboxWorld, type World } from '../world.ts'
import { inThisProcess } from './payments.ts'
import { writeCharge, writeEvent, writeTransfer } from './sentPayments.ts'

/** What `history check --statement -o json` says of one payment or line. */
export interface CheckedLine {
  idTransaction: string | null
  pixgate: {
    name: string | null
    verdict: string
    matchedBy: string | null
    ambiguous: boolean
    differences: string[]
    warnings: string[]
    statement: { line: number; amount: number; date: string | null; description: string; direction: string } | null
  }
}

/** A world with an empty ledger, and what `check --statement` says of a file in it. */
export async function statementWorld() {
  const world = inThisProcess(await sandboxWorld())
  const path = join(world.home, 'statement')
  const owner = { baseUrl: world.url }
  const checked = async (content: string | Uint8Array, words: readonly string[] = []) => {
    writeFileSync(path, content)
    const ran = await world.run(['history', 'check', '--statement', path, ...words, '-o', 'json'])
    const lines: CheckedLine[] = ran.stdout === '' ? [] : JSON.parse(ran.stdout)
    return { ...ran, lines }
  }
  return { ...world, path, owner, checked }
}

/** Writes a transfer at a time, and the event that it was paid if it has a name or a time for it. */
export async function writePaid(
  world: World & { owner: { baseUrl: string } },
  externalId: string,
  amountCents: number,
  at: string,
  paid?: { name?: string; at?: string },
): Promise<string> {
  const id = await writeTransfer(world, { externalId, at, owner: world.owner, facts: { amountCents } })
  if (paid === undefined) return id
  const data = { idTransaction: `id-${externalId}`, externalId, value: amountCents / 100, status: 'PAID_OUT' }
  const named = paid.name === undefined ? data : { ...data, destinationName: paid.name }
  await writeEvent(world, paid.at ?? at, { event: 'transfer.completed', data: named }, world.owner)
  return id
}

/** Writes that a transfer came back. */
export async function writeReturned(
  world: World & { owner: { baseUrl: string } },
  externalId: string,
  amountCents: number,
  at: string,
): Promise<void> {
  const data = {
    idTransaction: `id-${externalId}`,
    externalId,
    value: amountCents / 100,
    statusTransaction: 'RETURNED',
  }
  await writeEvent(world, at, { event: 'transfer.failed', data }, world.owner)
}

/** Writes a charge at a time, and that somebody paid it at another. */
export async function writeReceived(
  world: World & { owner: { baseUrl: string } },
  requestNumber: string,
  amountCents: number,
  at: string,
  paid: { at: string; name?: string; typedName?: string },
): Promise<void> {
  await writeCharge(world, {
    requestNumber,
    at,
    owner: world.owner,
    facts: { amountCents, payerName: paid.typedName ?? null },
  })
  const received = { idTransaction: `id-${requestNumber}`, amount: amountCents / 100, status: 'PAID' }
  const data = paid.name === undefined ? received : { ...received, payerName: paid.name }
  await writeEvent(world, paid.at, { event: 'pix.received', data: { ...data, paidAt: paid.at } }, world.owner)
}
