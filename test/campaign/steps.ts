import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { loadPayment, type Payment } from '../../src/ledger/payments.ts'
import { plainAmount } from '../../src/pix/amount.ts'
import { textOf } from '../../src/storage/sqlite.ts'
import { signBody } from '../../src/wire/signature.ts'
import type { LedgerEntry } from '../gateway/faultGateway.ts'
import type { Dice } from './dice.ts'
import { type Machine, PROFILE, type TypedCommand } from './machine.ts'

const CPF = '52998224725'
const KEYS = ['maria@example.com', 'joao@example.com', CPF] as const
const AMOUNTS = ['10', '20'] as const
const PARTS = ['2', '3', '7'] as const
const REFERENCES = ['march', 'april'] as const
/** Added to the number of a command for a transfer that it leads to. */
const PAID_AGAIN = 50
const HOUR_MS = 60 * 60 * 1000
const DAY_MS = 24 * HOUR_MS
/** Clocks that are wrong by more than pixgate allows, and by less. */
const SHIFTS_MS = [
  -30 * DAY_MS,
  -2 * HOUR_MS,
  -HOUR_MS / 2,
  HOUR_MS / 2,
  23 * HOUR_MS,
  7 * DAY_MS,
  60 * DAY_MS,
] as const
/** The exit codes of what was done, refused here or there, is unknown, or was not reached in time on a busy machine; -1 after SIGKILL. A defect would be 70. */
const EXITS: readonly number[] = [-1, 0, 1, 2, 3, 5, 6]

/** Somebody at a terminal. The dice decide what is typed, whatever came of it before. */
export interface Person {
  name: string
  machine: Machine
  dice: Dice
  /** The numbers of this person's commands begin here. */
  firstNumber: number
  /** Payments that are refunded, by everybody. */
  originals: readonly [string, ...string[]]
  /** What was typed here before: key, amount and external id. */
  own: { key: string; amount: string; id: string }[]
}

/** Types one command. */
export async function typeOne(person: Person, action: number): Promise<void> {
  const roll = person.dice.below(100)
  if (roll < 32) await transfer(person, action)
  else if (roll < 50) await refund(person, action)
  else if (roll < 62) await batch(person, action)
  else if (roll < 71) await resume(person)
  else if (roll < 84) await settle(person, action)
  else if (roll < 92) await importEvents(person)
  else if (roll < 96) await person.machine.copyLedger()
  else await readOnly(person)
}

async function transfer(person: Person, action: number): Promise<void> {
  const { dice, machine } = person
  const [key, amount] = [pick(dice, KEYS), pick(dice, AMOUNTS)]
  const shared = spelled(dice, `${machine.name}-invoice-${dice.below(3)}`)
  const id = dice.below(3) === 0 ? shared : `${machine.name}-${person.name}-${action}`
  const same = person.own.filter((each) => each.key === key && each.amount === amount)
  const consent = dice.below(3)
  const named = consent > 0 ? [] : same.slice(-1 - dice.below(2)).map((each) => each.id)
  person.own.push({ key, amount, id })
  const payment = ['transfer', '--key', key === CPF && dice.coin() ? '529.982.247-25' : key]
  const options = ['--amount', dice.coin() ? amount : `${amount},00`, '--external-id', id, ...additions(named)]
  await send(person, action, [...payment, ...options, ...(consent === 1 ? ['--again'] : [])], named)
}

/** Types a transfer that was typed before, under another id and without saying that it is meant, perhaps with a wrong clock. */
export async function transferAgain(
  person: Person,
  action: number,
  { key, amount }: { key: string; amount: string },
  shiftMs = 0,
): Promise<void> {
  const id = `${person.machine.name}-${person.name}-${action}`
  const line = ['transfer', '--key', key, '--amount', amount, '--external-id', id]
  await send(person, action, line, [], { disturbance: { killMs: null, shiftMs } })
}

async function refund(person: Person, action: number): Promise<void> {
  const { dice, machine } = person
  const original = pick(dice, person.originals)
  const isNaming = dice.below(3) === 0
  const size = dice.below(5) === 0 ? ['--full'] : ['--amount', pick(dice, PARTS)]
  const query = dice.coin() ? ['--skip-query'] : []
  const line = ['refund', spelled(dice, original), ...size, '--reason', 'damaged', ...query]
  const disturbance = disturbanceOf(dice)
  const refunds = isNaming ? (await paymentsOf(machine)).filter(({ facts }) => facts.kind === 'refund') : []
  const named = refunds.filter(({ givenId }) => givenId.toLowerCase() === original).map(({ id }) => id)
  await send(person, action, [...line, ...additions(named)], named, { disturbance })
}

async function batch(person: Person, action: number): Promise<void> {
  const { dice, machine } = person
  const reference = pick(dice, REFERENCES)
  // Everybody's file of one reference begins with the same rows, and its ids are the same on every machine.
  const rows = reference === 'march' ? ['0 10', '0 10', '2 20'] : ['1 20', '1 10', '2 10']
  if (dice.below(4) === 0) rows.push(pick(dice, rows as [string, ...string[]]))
  const callback = callbackUrl(person, action)
  const lines = rows.map((row) => {
    const [key = '0', amount = ''] = row.split(' ')
    return `${KEYS[Number(key)]},document-or-email,${amount},${callback}`.replace(',document-or-email', '')
  })
  const path = join(machine.world.home, `${person.name}-${action}.csv`)
  writeFileSync(path, `key,value,callbackUrl\n${lines.join('\n')}\n`)
  const named = dice.coin() ? person.own.map(({ id }) => id) : []
  const line = ['batch', 'transfer', path, '--reference', reference, '--file-changed', '--concurrency', '2']
  await send(person, action, [...line, ...additions(named)], named, { reference, isBatch: true })
}

async function resume({ dice, machine, own }: Person): Promise<void> {
  const id = dice.coin() ? own.at(-1 - dice.below(3))?.id : `${machine.name}-invoice-${dice.below(3)}`
  const isRun = dice.below(3) === 0
  const isOld = dice.below(3) === 0
  const name = spelled(dice, id ?? `${machine.name}-invoice-0`)
  const disturbance = disturbanceOf(dice)
  const run = isRun ? await newestRun(machine) : undefined
  await typed(machine, ['resume', run ?? name, ...(isOld ? ['--include-unknown'] : [])], disturbance)
}

/** Records what a person finds in the dashboard, or wrongly believes. After `not-paid` the person may well pay again. */
async function settle(person: Person, action: number): Promise<void> {
  const { dice, machine } = person
  const chosen = dice.below(10)
  const isMistaken = dice.below(3) === 0
  const isPaidAgain = dice.coin()
  const disturbance = disturbanceOf(dice)
  const open = (await paymentsOf(machine)).filter(({ summary }) => ['unknown', 'accepted'].includes(summary.state))
  const payment = open[chosen % Math.max(1, open.length)]
  if (payment === undefined) return
  const { id, facts } = payment
  const isBooked = bookedBy(machine, payment) !== undefined
  if (!isBooked && facts.kind === 'refund') return
  const isPaid = isBooked && !(isMistaken && facts.kind === 'transfer')
  await typed(machine, settleLine(id, isPaid ? 'paid' : 'not-paid'), disturbance)
  if (isPaid || !isPaidAgain || facts.kind !== 'transfer') return
  await transferAgain(person, action + PAID_AGAIN, { key: facts.key, amount: plainAmount(facts.amountCents) })
}

/** Imports events of up to three payments that the gateway made, whoever sent them; some come twice. */
async function importEvents({ dice, machine }: Person): Promise<void> {
  const { ledger } = machine.gateway
  const entries = [0, 1, 2].flatMap(() => ledger.slice(dice.below(Math.max(1, ledger.length))).slice(0, 1))
  if (entries.length === 0) return
  const lines = entries.map((entry) => {
    const body = JSON.stringify(eventOf(entry))
    return JSON.stringify({ body, signature: signBody(Buffer.from(body), machine.secret) })
  })
  const { exit, stderr } = await machine.here(['history', 'import', '-'], lines.join('\n'))
  expect(exit, stderr).toBe(0)
}

async function readOnly({ dice, machine, own }: Person): Promise<void> {
  if (dice.coin()) await machine.document(['history', 'find', own[0]?.id ?? 'nothing'])
  const before = machine.gateway.ledger.length
  const line = ['transfer', '--key', 'dry@example.com', '--amount', '1', '--external-id', 'dry', '--dry-run']
  const { exit, stderr } = await machine.here(line)
  expect([0, 2], stderr).toContain(exit)
  expect(machine.gateway.ledger.slice(before).filter(({ externalId }) => externalId === 'dry')).toEqual([])
}

/** Types again what was typed last, with a clock that is wrong in the same way each time. */
export async function paySameWithWrongClock(person: Person, firstAction: number): Promise<void> {
  const shiftMs = pick(person.dice, SHIFTS_MS)
  for (const [index, payment] of person.own.slice(-2).entries()) {
    await transferAgain(person, firstAction + index, payment, shiftMs)
  }
}

/** The command line that records a finding. */
export function settleLine(id: string, as: 'paid' | 'not-paid'): string[] {
  return ['history', 'settle', id, '--as', as, '--because', 'looked up']
}

/** All payments of a machine, read from its records. */
export async function paymentsOf(machine: Machine): Promise<Payment[]> {
  const payments = await machine.inLedger((database) =>
    database.all('SELECT id FROM payment ORDER BY seq').map((row) => loadPayment(database, textOf(row, 'id'))),
  )
  return payments ?? []
}

/** What the gateway carried out for the requests of a payment. */
export function bookedBy(machine: Machine, { facts, summary }: Payment): LedgerEntry | undefined {
  return machine.gateway.ledger.find((entry) =>
    summary.attempts.some(({ record }) =>
      facts.kind === 'transfer'
        ? record.externalId === entry.externalId
        : entry.kind === 'refund' && record.body !== null && record.body === JSON.stringify(entry.body),
    ),
  )
}

/** Runs a command of a person, in the way that production asks for. */
async function typed(
  machine: Machine,
  line: readonly string[],
  disturbance: { killMs: number | null; shiftMs: number },
): Promise<void> {
  const { exit, stderr } = await machine.run([...line, '--confirm', PROFILE], disturbance)
  expect(EXITS, `${line.join(' ')}: ${stderr}`).toContain(exit)
}

async function send(
  person: Person,
  action: number,
  line: readonly string[],
  named: readonly string[],
  how: { reference?: string; isBatch?: boolean; disturbance?: ReturnType<typeof disturbanceOf> } = {},
): Promise<void> {
  const { machine, dice, firstNumber } = person
  const command: TypedCommand = {
    number: firstNumber + action,
    machine: machine.name,
    line,
    named,
    reference: how.reference ?? null,
  }
  machine.typed.push(command)
  const callback = how.isBatch === true ? [] : ['--callback-url', callbackUrl(person, action)]
  await typed(machine, [...line, ...callback], how.disturbance ?? disturbanceOf(dice))
}

function callbackUrl({ firstNumber }: Person, action: number): string {
  return `https://example.com/${firstNumber + action}`
}

/** One of five is killed, some as soon as they are started and most while they are at work; one of eight has a wrong clock. */
function disturbanceOf(dice: Dice) {
  const killMs = dice.below(4) === 0 ? 0 : 100 + dice.below(250)
  return { killMs: dice.below(5) === 0 ? killMs : null, shiftMs: dice.below(8) === 0 ? pick(dice, SHIFTS_MS) : 0 }
}

async function newestRun(machine: Machine): Promise<string | undefined> {
  const runs = await machine.document(['batch', 'list'])
  return Array.isArray(runs) ? runs[0]?.run : undefined
}

function eventOf({ kind, idTransaction, body }: LedgerEntry): object {
  if (kind === 'refund') {
    const { originalTransactionId, amount } = body
    const data = { idTransaction, originalTransactionId, status: 'COMPLETED', amount: amount ?? 10.5 }
    return { event: 'refund.status', data }
  }
  const data = { idTransaction, typeTransaction: 'PIX_CASHOUT', statusTransaction: 'PAID_OUT', value: body.value }
  return { event: 'transfer.completed', data }
}

function additions(named: readonly string[]): string[] {
  return named.flatMap((id) => ['--in-addition-to', id])
}

function spelled(dice: Dice, id: string): string {
  return dice.below(3) === 0 ? id.toUpperCase() : id
}

function pick<Item>(dice: Dice, items: readonly [Item, ...Item[]]): Item {
  return items[dice.below(items.length)] ?? items[0]
}
