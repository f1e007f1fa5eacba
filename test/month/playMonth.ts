import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { diceOf } from '../campaign/dice.ts'
import { linesOf } from '../cli/batchFiles.ts'
import { atOnce } from '../cli/payments.ts'
import type { LedgerEntry } from '../gateway/faultGateway.ts'
import { brazilian, COURSES, plannedTransfers } from './courses.ts'
import { chargebackEvent, chargeEvent, refundEvent } from './events.ts'
import { consent, deliver, type Month } from './monthWorld.ts'
import { type PlayedBatch, playBatch } from './playBatch.ts'

/** What was done in the month, beside what the gateways' books say. */
export interface PlayedMonth {
  payroll: PlayedBatch
  suppliers: PlayedBatch
  branchPayroll: PlayedBatch
  trial: PlayedBatch
  last: PlayedBatch
  /** The run of the refunds. */
  returns: string
  /** A charge of R$ 80,00 of which R$ 12,50 and R$ 7,25 were refunded. */
  partlyRefunded: string
}

/** Plays November 2026: 220 payments of three accounts, of which 36 are refused for good, and one on either side of the month. */
export async function playMonth(month: Month): Promise<PlayedMonth> {
  const { shop, branch, sandbox } = month
  const dice = diceOf('November 2026')
  month.setTime('2026-10-31T23:50:00-03:00')
  await transfers(month, ['in-october'], 1)
  month.setTime('2026-11-05T09:00:00-03:00')
  const payroll = await playBatch(month, shop, plannedTransfers('payroll', PAYROLL, dice), {
    reference: 'payroll-nov',
    isAlone: true,
  })
  month.setTime('2026-11-10T00:00:00-03:00')
  await transfers(month, ['rent', 'power', 'water', 'tax'], 10_000)
  const charges = await takeCharges(month)
  month.setTime('2026-11-15T14:00:00-03:00')
  const branchRows = plannedTransfers('branch', BRANCH, dice)
  const branchPayroll = await playBatch(month, branch, branchRows, { reference: 'payroll-nov' })
  const refunds = await refund(month, charges)
  month.setTime('2026-11-20T10:00:00-03:00')
  const suppliers = await playBatch(month, shop, plannedTransfers('supplier', SUPPLIERS, dice), {
    reference: 'suppliers',
    isWorkbook: true,
  })
  const trial = await playBatch(month, sandbox, plannedTransfers('trial', TRIAL, dice), { reference: 'trial' })
  // It is December in UTC.
  month.setTime('2026-11-30T23:30:00-03:00')
  const last = await playBatch(month, shop, plannedTransfers('last', LAST, dice), {
    reference: 'last',
    isResumed: false,
  })
  month.setTime('2026-12-01T00:00:00-03:00')
  await transfers(month, ['in-december'], 3)
  return { payroll, suppliers, branchPayroll, trial, last, ...refunds }
}

const PAYROLL = [
  ['paid', 37],
  ['paid, as a person found out', 2],
  ['failed', 5],
  ['returned', 2],
  ['open', 2],
  ['refused', 10],
  ['refused, then paid', 8],
  ['failed, then paid', 3],
  ['answer lost, paid', 2],
  ['answer lost, found by a person', 1],
  ['request lost, then paid', 2],
] as const
const SUPPLIERS = [
  ['paid', 18],
  ['failed', 3],
  ['returned', 1],
  ['open', 1],
  ['refused', 8],
  ['refused, then paid', 5],
  ['failed, then paid', 1],
  ['answer lost, paid', 1],
  ['answer lost, found by a person', 1],
  ['request lost, then paid', 1],
] as const
const LAST = [
  ['paid', 10],
  ['failed', 2],
  ['open', 3],
  ['refused', 2],
  ['answer lost, paid', 1],
  ['answer lost', 1],
  ['request lost, found by a person', 1],
] as const
const BRANCH = [
  ['paid', 16],
  ['paid, as a person found out', 1],
  ['failed', 4],
  ['returned', 1],
  ['open', 2],
  ['refused', 11],
  ['refused, then paid', 3],
  ['answer lost, paid', 1],
  ['request lost, then paid', 1],
] as const
const TRIAL = [
  ['paid', 12],
  ['failed', 2],
  ['returned', 1],
  ['refused', 3],
  ['refused, then paid', 1],
  ['answer lost, found by a person', 1],
] as const

/** Single transfers of the shop, which are paid. */
async function transfers(month: Month, names: readonly string[], cents: number): Promise<void> {
  const { shop } = month
  const { books } = shop
  const events = await atOnce(names, async (name) => {
    const key = `${name}@example.com`
    const payment = ['--key', key, '--amount', brazilian(cents), '--external-id', name]
    await month.runHere(shop, ['transfer', ...payment, ...consent(shop)])
    const [entry] = books.entriesFor(key)
    if (entry === undefined) throw new Error(`${name} was not carried out`)
    books.end(entry.idTransaction, 'paid')
    const { idTransaction, body } = entry
    const data = { idTransaction, typeTransaction: 'PIX_CASHOUT', statusTransaction: 'PAID_OUT', value: body.value }
    return { event: 'transfer.completed', data }
  })
  await deliver(month, shop, events)
}

/** 10 charges of the shop: 7 stay paid, one is taken back, one expires, one stays open. Gives those that stay paid. */
async function takeCharges(month: Month): Promise<LedgerEntry[]> {
  const { shop } = month
  const { books } = shop
  await atOnce([...Array(10).keys()], async (place) => {
    const amount = brazilian(8000 + place * 1000)
    const payer = ['--payer-name', 'Pedro Álvares', '--payer-tax-id', '529.982.247-25']
    await month.runHere(shop, ['qr', 'create', '--amount', amount, '--request-number', `order-${place}`, ...payer])
  })
  const charges = [...Array(10).keys()].flatMap((place) => books.entriesFor(`order-${place}`))
  const [paid, [expired, back]] = [charges.slice(0, 7), charges.slice(7)]
  if (expired === undefined || back === undefined) throw new Error('there are too few charges')
  for (const { idTransaction } of [...paid, back]) books.end(idTransaction, 'paid')
  books.end(expired.idTransaction, 'not-paid')
  const events = [...paid, back].map((entry) => chargeEvent(books, entry, 'PAID'))
  await deliver(month, shop, [...events, chargeEvent(books, expired, 'EXPIRED')])
  books.end(back.idTransaction, 'returned')
  await deliver(month, shop, [chargebackEvent(books, back)])
  return paid
}

/** 12 refunds of the shop: 2 are refused, one fails, one stays open, one answer is lost; the others are paid. */
async function refund(
  month: Month,
  charges: readonly LedgerEntry[],
): Promise<Pick<PlayedMonth, 'returns' | 'partlyRefunded'>> {
  const { shop, world } = month
  const { books } = shop
  const ids = charges.map(({ idTransaction }) => idTransaction)
  const [partly = '', whole = '', refused = '', alsoRefused = '', lost = '', first = '', second = ''] = ids
  books.plan(refused, COURSES.refused)
  books.plan(alsoRefused, COURSES.refused)
  books.plan(lost, COURSES['answer lost, paid'])
  const rows = [
    [partly, 1250, 'one item was broken'],
    [refused, 500, 'too late'],
    [lost, 700, 'delivered twice'],
    ...[first, second].flatMap((id) => [
      [id, 1000, 'wrong size'] as const,
      [id, 300, 'and the postage'] as const,
      [id, 150, 'and a voucher'] as const,
    ]),
  ] as const
  const file = join(world.home, 'returns.csv')
  const lines = rows.map(([id, cents, reason]) => `${id};${brazilian(cents)};${reason}`)
  writeFileSync(file, `${['originalTransactionId;amount;refundReason', ...lines].join('\n')}\n`)
  const ran = await month.run(shop, ['batch', 'refund', file, ...consent(shop), '-o', 'json'], 5)
  const single = (id: string, ...args: string[]) => [
    'refund',
    id,
    '--reason',
    'as agreed with ana@example.com',
    ...args,
    ...consent(shop),
  ]
  await month.run(shop, single(partly, '--amount', '7,25'))
  await month.runHere(shop, single(whole, '--full'))
  await month.runHere(shop, single(alsoRefused, '--amount', '1'), 1)
  const sent = books.gateway.ledger.filter(({ kind }) => kind === 'refund')
  expect(sent).toHaveLength(10)
  const [failed, open] = [first, second].map((id) => sent.find((each) => each.body.originalTransactionId === id))
  const events = sent
    .filter((each) => each !== open)
    .map((entry) => {
      const isPaid = entry !== failed
      books.end(entry.idTransaction, isPaid ? 'paid' : 'not-paid')
      return refundEvent(books, entry, isPaid ? 'COMPLETED' : 'FAILED')
    })
  await deliver(month, shop, events)
  return { returns: String(linesOf(ran).at(-1)?.run), partlyRefunded: partly }
}
