import { join } from 'node:path'
import { expect } from 'vitest'
import type { Payment } from '../../src/ledger/payments.ts'
import { parseAmount } from '../../src/pix/amount.ts'
import { saoPauloDay } from '../../src/pix/calendar.ts'
import type { LedgerEntry } from '../gateway/faultGateway.ts'
import { workbookText } from '../workbookText.ts'
import type { HistoryLine } from './books.ts'
import type { Machine, TypedCommand } from './machine.ts'
import { bookedBy, paymentsOf } from './steps.ts'

/** What the fault gateway says of every payment that is refunded. */
const ORIGINAL_CENTS = 1050
const SUM_LINE = /^(transfer|refund) ([a-z ]+): (\d+), (R\$ \S+)(?: without the unknown amounts of (\d+))?$/gm
/** The states of a payment that may have moved money. */
const MOVED = ['accepted', 'paid', 'unknown']

/** A payment in the gateway's books, and the command that asked for it. */
interface Booked {
  entry: LedgerEntry
  command: TypedCommand
}

/**
 * Asserts by the gateway's books that no machine paid anything twice unless the one command named the payment of the other with
 * `--in-addition-to`, and returned no more of a payment than it was.
 */
export function judgeNothingTwice(machines: readonly Machine[], payments: readonly Payment[][]): void {
  for (const [index, machine] of machines.entries()) {
    const booked = bookedFrom(machine)
    const idsOf = namesOf(machine, payments[index] ?? [])
    for (const [position, one] of booked.entries()) {
      for (const other of booked.slice(position + 1)) {
        if (!isSame(one.entry, other.entry) || isOfOneFile(one.command, other.command)) continue
        const isMeant = isNamed(one, idsOf(other)) || isNamed(other, idsOf(one))
        expect(isMeant, `meant: ${one.command.line.join(' ')} and ${other.command.line.join(' ')}`).toBe(true)
      }
    }
    const refunded = new Map<string, number>()
    const queried = new Set<string>()
    for (const { entry, command } of booked) {
      if (entry.kind !== 'refund') continue
      const original = targetOf(entry)
      refunded.set(original, (refunded.get(original) ?? 0) + centsOf(entry))
      if (!command.line.includes('--skip-query')) queried.add(original)
    }
    for (const [original, cents] of refunded) {
      // A machine that sent all of them with `--skip-query` was never told how much the payment was.
      if (!queried.has(original)) continue
      expect(cents, `refunded of ${original} from ${machine.name}`).toBeLessThanOrEqual(ORIGINAL_CENTS)
    }
  }
}

/** Asserts that a machine's history, search, sums and reports say what the books say. No outcome may be unknown. */
export async function judgeMachine(machine: Machine): Promise<void> {
  const payments = await paymentsOf(machine)
  const listed = await machine.here(['history', '-o', 'json', '--unmask'])
  expect(listed.exit, listed.stderr).toBe(0)
  const lines: HistoryLine[] = JSON.parse(listed.stdout)
  expect(lines.filter(({ pixgate }) => pixgate.state === 'unknown')).toEqual([])
  await judgeFound(machine, payments, lines)
  judgeLines(machine, payments, lines)
  await judgeSums(machine, lines)
  if (!machine.hadWrongClock) await judgeDay(machine, payments)
  await judgeRuns(machine)
}

/** Every payment that this machine made is in the list, and the search finds it. */
async function judgeFound(
  machine: Machine,
  payments: readonly Payment[],
  lines: readonly HistoryLine[],
): Promise<void> {
  for (const { entry } of bookedFrom(machine)) {
    const own = payments.find((each) => bookedBy(machine, each) === entry)
    expect(own, `the payment of ${JSON.stringify(entry.body)}`).toBeDefined()
    const line = lines.find(({ pixgate }) => pixgate.id === own?.id)
    expect(line, `in the list: ${JSON.stringify(entry.body)}`).toBeDefined()
    expect(centsIn(line), JSON.stringify(entry.body)).toBe(isOfUnknownAmount(entry, own) ? null : centsOf(entry))
    const found = await machine.document(['history', 'find', entry.externalId ?? targetOf(entry)])
    expect(Array.isArray(found) && found.map(({ pixgate }) => pixgate.id)).toContain(own?.id)
  }
}

/** What is shown as paid is in the books; what is not is in them only if a person was mistaken, or another machine sent it. */
function judgeLines(machine: Machine, payments: readonly Payment[], lines: readonly HistoryLine[]): void {
  expect(lines.map(({ pixgate }) => pixgate.id).toSorted()).toEqual(payments.map(({ id }) => id).toSorted())
  for (const payment of payments) {
    const { state, denial } = payment.summary
    const entry = entryOf(machine, payment)
    if (MOVED.includes(state)) {
      expect(entry, `${payment.givenId} is ${state}`).toBeDefined()
      if (entry !== undefined && payment.facts.kind === 'transfer') {
        expect([targetOf(entry), centsOf(entry)]).toEqual([payment.facts.key, payment.facts.amountCents])
      }
    } else if (denial === null) {
      const isOwn = bookedFrom(machine).some((each) => each.entry === entry)
      expect(isOwn, `${payment.givenId} is ${state}, and was booked`).toBe(false)
    }
  }
}

/** The sums on stderr are those of the lines, per kind and state, which the books confirm one by one. */
async function judgeSums(machine: Machine, lines: readonly HistoryLine[]): Promise<void> {
  const { stderr } = await machine.here(['history'])
  const shown = [...stderr.matchAll(SUM_LINE)].map(([, kind, state, count, sum = '', lacking = '0']) => [
    `${kind} ${state?.replace(' ', '-')}`,
    { count: Number(count), cents: parseAmount(sum, { zeroAllowed: true }), lacking: Number(lacking) },
  ])
  const expected = new Map<string, { count: number; cents: number; lacking: number }>()
  for (const { amount, pixgate } of lines) {
    const name = `${pixgate.kind} ${pixgate.state}`
    const { count, cents, lacking } = expected.get(name) ?? { count: 0, cents: 0, lacking: 0 }
    const known = { cents: cents + Math.round((amount ?? 0) * 100), lacking: lacking + (amount === null ? 1 : 0) }
    expected.set(name, { count: count + 1, ...known })
  }
  expect(Object.fromEntries(shown), stderr).toEqual(Object.fromEntries(expected))
}

/** The sum of the day holds what this machine sent, and what only a person says was not paid. */
async function judgeDay(machine: Machine, payments: readonly Payment[]): Promise<void> {
  if (new Set(payments.map(({ summary }) => saoPauloDay(summary.sentMs))).add(saoPauloDay(Date.now())).size > 1) return
  const own = bookedFrom(machine).map(({ entry }) => entry)
  const expected = payments.reduce((sum, payment) => {
    const entry = entryOf(machine, payment)
    const [answer] = payment.summary.attempts.flatMap(() => payment.records.filter(({ type }) => type === 'answer'))
    const isOfElsewhere = answer?.type === 'answer' && answer.outcome === 'accepted-before'
    const isSent =
      entry !== undefined && (own.includes(entry) || (MOVED.includes(payment.summary.state) && !isOfElsewhere))
    // What a person denies stays in the sum, unless another ledger had sent it.
    return isSent || (payment.summary.denial !== null && !isOfElsewhere)
      ? sum + (entry === undefined || isOfUnknownAmount(entry, payment) ? (payment.amountCents ?? 0) : centsOf(entry))
      : sum
  }, 0)
  const line = ['transfer', '--key', 'day@example.com', '--amount', '1', '--external-id', 'day', '--dry-run']
  const { stderr } = await machine.here(line)
  const [, shown = ''] = /sent today +(R\$ [\d.,]*\d)/.exec(stderr) ?? []
  expect(parseAmount(shown, { zeroAllowed: true }), `the sum of the day: ${stderr}`).toBe(expected)
}

/** What each run shows, and the report of the newest, is what the books hold under the ids of its rows. */
async function judgeRuns(machine: Machine): Promise<void> {
  const runs = await machine.document(['batch', 'list'])
  const [newest] = Array.isArray(runs) ? runs : []
  if (newest === undefined) return
  const { run } = newest
  const shown = (await machine.document(['batch', 'show', run])) as {
    rowsDetail: { externalId: string; state: string }[]
  }
  const moved = shown.rowsDetail.filter(({ state }) => MOVED.includes(state))
  for (const { externalId, state } of moved) {
    expect(
      machine.gateway.ledger.filter((entry) => entry.externalId === externalId),
      `${externalId} is ${state}`,
    ).toHaveLength(1)
  }
  const path = join(machine.world.home, 'report.xlsx')
  expect((await machine.here(['batch', 'report', run, '--out', path])).exit).toBe(0)
  const report = workbookText(path)
  const reported = MOVED.map((state) => new RegExp(`^${state}\\n\\d+\\n([\\d.]+)$`, 'm').exec(report)?.[1] ?? '0.00')
  const ids = new Set(moved.map(({ externalId }) => externalId))
  const booked = machine.gateway.ledger.filter(({ externalId }) => externalId !== null && ids.has(externalId))
  expect(sumOf(reported.map((text) => Math.round(Number(text) * 100))), report).toBe(sumOf(booked.map(centsOf)))
}

/** What the commands of this machine asked for, whichever process sent it in the end. */
function bookedFrom(machine: Machine): Booked[] {
  return machine.gateway.ledger.flatMap((entry) => {
    const number = Number(/\d+$/.exec(String(entry.body.callbackUrl))?.[0])
    const command = machine.typed.find((each) => each.number === number)
    return command === undefined ? [] : [{ entry, command }]
  })
}

/**
 * What the gateway carried out for a payment, or what an event made it take for that: the event of a refund names no request, so the only refund of
 * that original and amount with an unknown outcome is taken for one that the other machine made.
 */
function entryOf(machine: Machine, payment: Payment): LedgerEntry | undefined {
  const { idTransaction } = payment.summary
  return bookedBy(machine, payment) ?? machine.gateway.ledger.find((entry) => entry.idTransaction === idTransaction)
}

/** By what an entry can be named: a transfer's external id, a refund's id in the ledger. */
function namesOf(machine: Machine, payments: readonly Payment[]): (booked: Booked) => string | undefined {
  return ({ entry }) => entry.externalId ?? payments.find((each) => bookedBy(machine, each) === entry)?.id
}

function isNamed({ command }: Booked, id: string | undefined): boolean {
  return id !== undefined && command.named.some((each) => each.toLowerCase() === id.toLowerCase())
}

/** Rows of one file, and of what was sent of it before, are separate payments: the file says how often each is meant. */
function isOfOneFile(one: TypedCommand, other: TypedCommand): boolean {
  return one.reference !== null && one.reference === other.reference
}

function isSame(one: LedgerEntry, other: LedgerEntry): boolean {
  return one.kind === other.kind && targetOf(one) === targetOf(other) && centsOf(one) === centsOf(other)
}

function targetOf({ body }: LedgerEntry): string {
  return String(body.key ?? body.originalTransactionId).toLowerCase()
}

/** A refund without an amount returns everything. */
function centsOf({ body }: LedgerEntry): number {
  const amount = body.value ?? body.amount
  return amount === undefined ? ORIGINAL_CENTS : Math.round(Number(amount) * 100)
}

function centsIn(line: HistoryLine | undefined): number | null {
  return line?.amount == null ? null : Math.round(line.amount * 100)
}

/** A whole refund that was sent with `--skip-query`, whose amount neither the question nor the answer told. */
function isOfUnknownAmount({ body }: LedgerEntry, payment: Payment | undefined): boolean {
  return body.amount === undefined && body.value === undefined && payment?.amountCents === null
}

function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0)
}
