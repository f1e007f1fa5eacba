import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { LedgerEntry } from '../gateway/faultGateway.ts'
import type { HistoryLine } from './books.ts'
import type { Dice } from './dice.ts'
import { disturbanceOf, type Shop, type TeamDesk } from './teamDesk.ts'

/** What somebody at a desk is to pay. Each is paid once, whoever does it. */
export interface Invoice {
  key: string
  amount: string
}

/** Somebody at a desk. The dice decide what is typed. */
export interface Member {
  name: string
  desk: TeamDesk
  dice: Dice
  shop: Shop
  invoices: readonly [Invoice, ...Invoice[]]
  /** Payments that are refunded, by everybody. */
  originals: readonly [string, ...string[]]
  /** Who has the key of the first invoice, where there is one. */
  payee: string | null
}

/** What is shown of each payment, as far as the next step depends on it. */
export type ShownLine = HistoryLine & { pixgate: { reason?: string } }

const PARTS = ['2', '3', '7'] as const
/** A batch has up to this share of all invoices. */
const SHARE_MAX = 0.4

/** Types one command. */
export async function typeOne(member: Member, action: number): Promise<void> {
  const roll = member.dice.below(100)
  if (roll < 34) await transfer(member, `${member.name}-${action}`)
  else if (roll < 54) await batch(member, action)
  else if (roll < 68) await refund(member, action)
  else if (roll < 82) await resume(member)
  else await settle(member, action)
}

async function transfer({ desk, dice, shop, invoices, payee }: Member, id: string): Promise<void> {
  if (payee !== null && dice.below(4) === 0) {
    const words = ['transfer', '--to', payee, '--amount', invoices[0].amount, '--external-id', id]
    await desk.type(words, disturbanceOf(dice, shop.maySleep))
    return
  }
  await desk.type(transferWords(pick(dice, invoices), id), disturbanceOf(dice, shop.maySleep))
}

function transferWords({ key, amount }: Invoice, id: string): string[] {
  return ['transfer', '--key', key, '--amount', amount, '--external-id', id]
}

/**
 * Sends invoices that look unpaid from a file, under a reference of its own or the one that everybody uses for the same file. Others may pay them
 * meanwhile.
 */
async function batch({ name, desk, dice, shop, invoices }: Member, action: number): Promise<void> {
  const isCommon = dice.below(3) === 0
  const shown = isCommon ? [] : await shownAt(desk)
  const unpaid = invoices.filter(({ key }) => shown.every((line) => line.key !== key))
  const countMax = Math.ceil(invoices.length * SHARE_MAX)
  const rows = unpaid.slice(0, isCommon ? countMax : 1 + dice.below(countMax))
  const path = join(desk.world.home, `${name}-${action}.csv`)
  writeFileSync(path, `key,value\n${rows.map(({ key, amount }) => `${key},${amount}\n`).join('')}`)
  const options = ['--reference', isCommon ? 'common' : `${name}-${action}`, '--concurrency', String(1 + dice.below(8))]
  await desk.type(['batch', 'transfer', path, '--stop-after', '1000', ...options], disturbanceOf(dice, shop.maySleep))
}

async function refund({ name, desk, dice, shop, originals }: Member, action: number): Promise<void> {
  const size = dice.below(5) === 0 ? ['--full'] : ['--amount', pick(dice, PARTS)]
  // The reason tells the refunds apart in the books, where they have no other name of ours.
  const reason = `damaged-${name}-${action}`
  await desk.type(['refund', pick(dice, originals), ...size, '--reason', reason], disturbanceOf(dice, shop.maySleep))
}

/** Sends again what has an unknown outcome, or the rest of a run, whoever sent it first. */
async function resume({ desk, dice, shop, invoices }: Member): Promise<void> {
  // Nobody sends again by name what is none of the invoices.
  const isKnown = ({ key, pixgate }: ShownLine) =>
    pixgate.kind === 'refund' || invoices.some((invoice) => invoice.key === key)
  const unknown = (await shownAt(desk)).filter((line) => line.pixgate.state === 'unknown' && isKnown(line))
  const runs = dice.below(3) === 0 ? await desk.document(['batch', 'list']) : []
  const run: unknown = Array.isArray(runs) ? runs[dice.below(Math.max(1, runs.length))]?.run : undefined
  const name = typeof run === 'string' ? run : unknown[dice.below(Math.max(1, unknown.length))]?.pixgate.id
  if (name === undefined) return
  const isOld = dice.below(3) === 0 ? ['--include-unknown'] : []
  await desk.type(['resume', name, ...isOld], disturbanceOf(dice, shop.maySleep))
}

/** Records what the gateway's books say of a payment with an unknown outcome. After `not-paid`, the invoice is paid again. */
async function settle({ name, desk, dice, shop, invoices }: Member, action: number): Promise<void> {
  const unknown = (await shownAt(desk)).filter(({ pixgate }) => pixgate.state === 'unknown')
  const line = unknown[dice.below(Math.max(1, unknown.length))]
  if (line === undefined) return
  const isBooked = async () => {
    await shop.requests.settled()
    return bookedFor(shop.gateway.ledger, line) !== undefined
  }
  const isPaid = await isBooked()
  const { exit } = await desk.type(settleLine(line, isPaid), disturbanceOf(dice, shop.maySleep))
  const invoice = invoices.find(({ key }) => key === line.key)
  // From now on nobody can send it again, but somebody may have done so just before: whoever pays again looks again.
  if (exit !== 0 || isPaid || invoice === undefined || (await isBooked())) return
  const words = transferWords(invoice, `${name}-${action}-again`)
  await desk.type([...words, '--in-addition-to', line.pixgate.id], disturbanceOf(dice, shop.maySleep))
}

/** The words that record what became of a payment. */
export function settleLine({ pixgate }: ShownLine, isPaid: boolean): string[] {
  return ['history', 'settle', pixgate.id, '--as', isPaid ? 'paid' : 'not-paid', '--because', 'looked up']
}

/** What the history of a desk shows now. */
export async function shownAt(desk: TeamDesk): Promise<ShownLine[]> {
  const lines = await desk.document(['history', '--unmask'])
  return Array.isArray(lines) ? lines : []
}

/** What the gateway carried out for a payment that is shown. */
export function bookedFor(books: readonly LedgerEntry[], line: ShownLine): LedgerEntry | undefined {
  return books.find((entry) =>
    line.pixgate.kind === 'transfer'
      ? entry.externalId === line.externalId
      : entry.kind === 'refund' && entry.body.refundReason === line.pixgate.reason,
  )
}

function pick<Item>(dice: Dice, items: readonly [Item, ...Item[]]): Item {
  return items[dice.below(items.length)] ?? items[0]
}
