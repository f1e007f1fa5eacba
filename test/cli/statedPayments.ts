import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished } from 'vitest'
import { BINARY, NODE, type World } from '../world.ts'
import { control } from './payments.ts'
import { writeCharge, writeEvent, writeRefund, writeTransfer } from './sentPayments.ts'

/**
 * A gateway in front of a sandbox, which loses the answers to requests with `lost` in them, keeps back those with `held`, and says of those with `at-once`
 * that they are paid.
 */
export async function betweenSandbox(url: string): Promise<{ url: string; reached: Promise<unknown> }> {
  let reach: (value: unknown) => void = () => undefined
  const reached = new Promise((resolve) => {
    reach = resolve
  })
  let held = 0
  const server = createServer(async (request, response) => {
    const body = await text(request)
    if (body.includes('held')) {
      held += 1
      if (held === 3) reach(null)
      return
    }
    const { authorization = '', ci = '', cs = '' } = request.headersDistinct
    const answer = await fetch(url + request.url, {
      method: request.method ?? 'GET',
      headers: {
        authorization: String(authorization),
        ci: String(ci),
        cs: String(cs),
        'content-type': 'application/json',
      },
      ...(request.method === 'POST' && { body }),
    })
    const told = await answer.text()
    const answered = body.includes('at-once') ? told.replace('PROCESSING', 'PAID_OUT') : told
    if (body.includes('lost')) request.socket.destroy()
    else response.writeHead(answer.status, { 'content-type': 'application/json' }).end(answered)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, reached }
}

export type Kind = 'qr' | 'transfer' | 'refund'
/** `ledger` where nothing final is known. */
type Source = 'ledger' | 'gateway' | 'event' | 'person'

/** What every screen must say of a payment: the word in both languages, and for programs the name of the state and who tells it. */
interface Told {
  state: string
  word: string
  palavra: string
}

export const TOLD = {
  notSent: { state: 'not-sent', word: 'not sent', palavra: 'não enviado' },
  beingSent: { state: 'being-sent', word: 'being sent', palavra: 'em envio' },
  refused: { state: 'refused', word: 'refused', palavra: 'recusado' },
  pending: { state: 'pending', word: 'pending', palavra: 'pendente' },
  accepted: { state: 'accepted', word: 'accepted', palavra: 'aceito' },
  unknown: { state: 'unknown', word: 'unknown', palavra: 'desconhecido' },
  paid: { state: 'paid', word: 'paid', palavra: 'pago' },
  notPaid: { state: 'not-paid', word: 'not paid', palavra: 'não pago' },
  returned: { state: 'returned', word: 'returned', palavra: 'devolvido' },
} as const satisfies Record<string, Told>

/** How a payment came to its state, what it then is, who tells it, and what `history check` says of it where it asks or lists it. */
export type Case = [kind: Kind, how: string, told: keyof typeof TOLD, by: Source, verdict?: string]

/** The oracle, written by hand. `event PAID` is an event with this status, `answer PAID_OUT` an answer, `query …` what `status` was told, `settled …` a person's word. */
export const CASES: readonly Case[] = [
  ['qr', 'created', 'pending', 'ledger', 'open'],
  ['qr', 'not sent', 'notSent', 'ledger'],
  ['qr', 'refused', 'refused', 'ledger'],
  ['qr', 'lost', 'unknown', 'ledger', 'unknown'],
  ['qr', 'held', 'beingSent', 'ledger', 'open'],
  ['qr', 'query PAID', 'paid', 'gateway', 'agrees'],
  ['qr', 'query EXPIRED', 'notPaid', 'gateway'],
  ['qr', 'query CANCELLED', 'notPaid', 'gateway'],
  ['qr', 'query REFUNDED', 'returned', 'gateway'],
  ['qr', 'event PAID', 'paid', 'event', 'agrees'],
  ['qr', 'event EXPIRED', 'notPaid', 'event'],
  ['qr', 'event CANCELLED', 'notPaid', 'event'],
  ['qr', 'event REFUNDED', 'returned', 'event'],
  ['qr', 'event CHARGEBACK', 'returned', 'event'],
  ['qr', 'settled paid', 'paid', 'person', 'not-paid-there'],
  ['qr', 'settled not-paid', 'notPaid', 'person'],
  ['qr', 'settled returned', 'returned', 'person'],
  ['transfer', 'answer PROCESSING', 'accepted', 'ledger', 'open'],
  ['transfer', 'not sent', 'notSent', 'ledger'],
  ['transfer', 'refused', 'refused', 'ledger'],
  ['transfer', 'lost', 'unknown', 'ledger', 'unknown'],
  ['transfer', 'held', 'beingSent', 'ledger', 'open'],
  ['transfer', 'answer PAID_OUT', 'paid', 'gateway'],
  ['transfer', 'event PAID_OUT', 'paid', 'event'],
  ['transfer', 'event ERROR', 'notPaid', 'event'],
  ['transfer', 'event CANCELED', 'notPaid', 'event'],
  ['transfer', 'event RETURNED', 'returned', 'event'],
  ['transfer', 'settled paid', 'paid', 'person'],
  ['transfer', 'settled not-paid', 'notPaid', 'person'],
  ['transfer', 'settled returned', 'returned', 'person'],
  ['refund', 'answer PROCESSING', 'accepted', 'ledger', 'open'],
  ['refund', 'not sent', 'notSent', 'ledger'],
  ['refund', 'refused', 'refused', 'ledger'],
  ['refund', 'lost', 'unknown', 'ledger', 'unknown'],
  ['refund', 'held', 'beingSent', 'ledger', 'open'],
  ['refund', 'answer COMPLETED', 'paid', 'gateway'],
  ['refund', 'event COMPLETED', 'paid', 'event'],
  ['refund', 'event FAILED', 'notPaid', 'event'],
  ['refund', 'settled paid', 'paid', 'person'],
  ['refund', 'settled not-paid', 'notPaid', 'person'],
]

/** Each payment has an amount of its own, by which every screen is read. */
export function centsOf(place: number): number {
  return 10_001 + place * 101
}

export function reais(cents: number): string {
  return (cents / 100).toFixed(2).replace('.', ',')
}

/** Brings a payment into its state; the answer of a request that is kept back is never awaited. */
export async function bringAbout(world: World, sandbox: string, [kind, how]: Case, place: number): Promise<void> {
  const [cents, owner, at] = [centsOf(place), { baseUrl: world.env.PIXGATE_BASE_URL ?? '' }, new Date().toISOString()]
  const [way = '', status = ''] = how.split(' ')
  const name = `case-${place}-${way === 'lost' || way === 'held' ? way : 'x'}`
  const original = `11111111-1111-4111-8111-${String(place).padStart(12, '0')}`
  const [amount, idTransaction] = [['--amount', reais(cents)], `id-${place}`]
  const typed = {
    qr: ['qr', 'create', ...amount, '--request-number', name, '--payer-name', 'Maria Lima', '--no-qr'],
    transfer: ['transfer', '--key', 'maria@example.com', ...amount, '--external-id', name, '--again', '--yes'],
    refund: ['refund', original, ...amount, '--reason', name, '--skip-query', '--again', '--yes'],
  }[kind]
  if (way === 'held') {
    const child = spawn(NODE, [BINARY, ...typed, '--timeout', '5m'], { env: world.env, stdio: 'ignore' })
    onTestFinished(() => void child.kill('SIGKILL'))
    return
  }
  if (way === 'lost') {
    expect((await world.run(typed)).exit).toBe(5)
    return
  }
  if (kind === 'qr' && way !== 'not' && way !== 'refused') {
    const { idTransaction: id } = await world.json(typed)
    const CONTROLS = { PAID: 'pay', EXPIRED: 'expire', CANCELLED: 'cancel', CHARGEBACK: 'chargeback', REFUNDED: 'pay' }
    const action = Object.entries(CONTROLS).find(([each]) => each === status)?.[1]
    if (status === 'CHARGEBACK') await control(sandbox, 'pay', { id })
    if (action !== undefined) await control(sandbox, action, { id })
    if (status === 'REFUNDED') await refundElsewhere(sandbox, String(id))
    if (way === 'query') await world.json(['status', String(id)])
    if (way === 'event')
      await writeEvent(
        world,
        at,
        { event: 'pix.received', data: { idTransaction: id, status, amount: cents / 100 } },
        owner,
      )
    if (way === 'settled') await world.json(['history', 'settle', String(id), '--as', status, '--because', 'seen'])
    return
  }
  const none = { idTransaction: null, status: null }
  const answer = {
    not: { ...none, outcome: 'not-sent' },
    refused: { ...none, outcome: 'refused', code: 'NO_FUNDS', httpStatus: 400 },
    answer: { idTransaction, status },
  }[way] ?? { idTransaction }
  const written = { at, owner, answer: answer as object }
  const facts = { amountCents: cents, ...(kind === 'refund' && { refundReason: name }) }
  if (kind === 'qr')
    await writeCharge(world, { ...written, requestNumber: name, facts: { ...facts, payerName: 'Maria Lima' } })
  if (kind === 'transfer') await writeTransfer(world, { ...written, externalId: name, facts })
  if (kind === 'refund') await writeRefund(world, { ...written, originalTransactionId: original, facts })
  const data = {
    idTransaction,
    status,
    externalId: name,
    value: cents / 100,
    amount: cents / 100,
    originalTransactionId: original,
  }
  const event = {
    transfer: status === 'PAID_OUT' ? 'transfer.completed' : 'transfer.failed',
    refund: 'refund.status',
    qr: '',
  }[kind]
  if (way === 'event') await writeEvent(world, at, { event, data }, owner)
  if (way === 'settled') await world.json(['history', 'settle', idTransaction, '--as', status, '--because', 'seen'])
}

/** Another machine returns all of it, of which this ledger has no record. */
async function refundElsewhere(sandbox: string, originalTransactionId: string): Promise<void> {
  const response = await fetch(`${sandbox}/api/v2/gateway/pix-refund`, {
    method: 'POST',
    headers: { authorization: 'Bearer local-secret', 'content-type': 'application/json' },
    body: JSON.stringify({ originalTransactionId, refundReason: 'x', callbackUrl: 'http://127.0.0.1:1/' }),
  })
  expect([response.status, await response.text()]).toEqual([200, expect.anything()])
}

/** The name of each case, and what is said of it; of the cases that `of` chooses. */
export function expected<Said>(say: (each: Case) => Said, of: (each: Case) => boolean = () => true): [string, Said][] {
  return CASES.filter(of).map((each) => [`${each[0]} ${each[1]}`, say(each)])
}

/** What a screen says of each case, found by its amount. */
export function found<Said>(said: (amount: string) => Said | undefined): [string, Said][] {
  return CASES.flatMap(([kind, how], place) => {
    const each = said(`R$ ${reais(centsOf(place))}`)
    return each === undefined ? [] : [[`${kind} ${how}`, each]]
  })
}
