import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { MoneyPayment } from '../../src/ledger/facts.ts'
import type { PaymentState } from '../../src/ledger/paymentState.ts'
import { WitnessFolder } from '../../src/ledger/witness.ts'
import { askConsent } from '../../src/payments/consent.ts'
import { mayBeSent, sendLimit } from '../../src/payments/decide.ts'
import { type Paid, pay as payWith, send } from '../../src/payments/pay.ts'
import type { PaymentContext } from '../../src/payments/paymentContext.ts'
import type { Proposal } from '../../src/payments/proposal.ts'
import { resumeProposal, transferToResume } from '../../src/payments/resumedPayment.ts'
import { loadSqlite } from '../../src/storage/sqlite.ts'
import { Failure } from '../../src/wire/errors.ts'
import { localServer } from '../localServer.ts'
import { HOUR_MS, type PaymentWorld, paymentWorld, proposalOf } from './paymentWorld.ts'
import { REFUND, TRANSFER } from './samplePayments.ts'

const ACCEPTED = [200, { idTransaction: 'id-1', status: 'PROCESSING' }] as const
const LOST = [500, {}] as const
const REFUSED = [400, { message: 'NO_FUNDS' }] as const
const HELD = [400, { message: 'DUPLICATE_EXTERNAL_ID' }] as const
type Answer = readonly [httpStatus: number, body: object]

/** How a world differs from one in which all is well. */
interface Trouble {
  /** The request from which on, counted from 1, another process keeps the ledger locked. */
  lockedFrom?: number
  /** How far the clock of the gateway is ahead. */
  aheadMs?: number
}

/** A gateway on loopback that gives these answers in turn, and a person who has confirmed. */
async function payingWorld(
  answers: readonly Answer[],
  { lockedFrom = Number.POSITIVE_INFINITY, aheadMs = 0 }: Trouble = {},
) {
  const world = paymentWorld()
  world.timeoutMs = 10_000
  const requests: { path: string; body: string; states: unknown[] }[] = []
  const open = await loadSqlite()
  const onEnd: (() => void)[] = []
  onTestFinished(() =>
    onEnd.forEach((end) => {
      end()
    }),
  )
  const url = await localServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += String(chunk)
    // What another process finds in the file at this moment.
    const file = open(join(world.folder, 'ledger.db'))
    requests.push({
      path: request.url ?? '',
      body,
      states: file.all('SELECT state FROM payment ORDER BY seq').map(({ state }) => state),
    })
    if (requests.length >= lockedFrom) {
      file.exec('BEGIN IMMEDIATE')
      onEnd.push(() => file.close())
    } else file.close()
    const [httpStatus, answer] = answers[requests.length - 1] ?? [404, {}]
    const headers = { 'content-type': 'application/json', date: new Date(world.nowMs + aheadMs).toUTCString() }
    response.writeHead(httpStatus, headers).end(JSON.stringify(answer))
  })
  const made = { ...world.context({ url, isLoopback: true, host: '127.0.0.1' }), confirm: 'prod' }
  onTestFinished(() => made.gateway.close())
  const context: PaymentContext = made
  return { world, context, requests }
}

const transfer = { ...proposalOf(TRANSFER), facts: TRANSFER }
const refund = { ...proposalOf(REFUND, { originalCents: 1000 }), facts: REFUND }

/** Asks, and pays what the person has confirmed. */
async function pay(context: PaymentContext, ...payment: [Proposal, MoneyPayment]): Promise<Paid> {
  return payWith(context, await askConsent(context, { amountCents: 1000, rows: [], text: 'Send it?' }), ...payment)
}

/** How paying ended: `accepted`, or the exit code and the outcome of the failure. */
async function ending(paying: Promise<unknown>): Promise<unknown> {
  try {
    await paying
    return 'accepted'
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    return [error.exitCode, error.outcome]
  }
}

const STORE = { active: null, profiles: new Map() }
const states = (world: PaymentWorld) =>
  world.ledger.read((database) => database.all('SELECT state FROM payment ORDER BY seq').map(({ state }) => state))

describe('a payment', () => {
  it.each([
    ['/api/v1/gateway/pix-payment', transfer],
    ['/api/v2/gateway/pix-refund', refund],
  ])('is on the disk before the gateway gets it at %s', async (path, proposal) => {
    const { world, context, requests } = await payingWorld([ACCEPTED])
    const { idTransaction, isRecorded, warnings } = await pay(context, proposal, proposal.facts)
    expect({ idTransaction, isRecorded, warnings }).toEqual({ idTransaction: 'id-1', isRecorded: true, warnings: [] })
    expect(requests.map((request) => [request.path, request.states])).toEqual([[path, ['unknown']]])
    expect(await states(world)).toEqual(['accepted'])
  })

  it.each<[string, Answer, ending: unknown, PaymentState]>([
    ['accepted', ACCEPTED, 'accepted', 'accepted'],
    ['refused', REFUSED, [1, 'refused'], 'refused'],
    ['refused as a stranger', [401, { message: 'INVALID_CREDENTIALS' }], [4, 'refused'], 'refused'],
    ['refused as too much', [429, {}], [7, 'refused'], 'refused'],
    ['answered with 500', LOST, [5, 'unknown'], 'unknown'],
    ['answered without an id', [200, {}], [5, 'unknown'], 'unknown'],
  ])('that is %s is recorded so, and sent once', async (_name, answer, end, state) => {
    const { world, context, requests } = await payingWorld([answer])
    expect(await ending(pay(context, transfer, TRANSFER))).toEqual(end)
    expect([requests.length, await states(world)]).toEqual([1, [state]])
  })

  it('whose outcome is unknown is named as it can be looked up', async () => {
    const lost = await payingWorld([LOST])
    await expect(pay(lost.context, transfer, TRANSFER)).rejects.toMatchObject({
      ...{ externalId: 'new', hint: expect.stringContaining('pixgate resume new') },
    })
    const { world, context } = await payingWorld([LOST])
    const failure = await pay(context, refund, REFUND).catch((error: unknown) => error)
    const [payment] = await world.payments()
    expect(failure).toMatchObject({ externalId: undefined, hint: expect.stringContaining(payment?.id ?? 'none') })
  })

  it('is not sent without consent, and nothing of it is recorded', async () => {
    const { world, context, requests } = await payingWorld([ACCEPTED])
    expect(await ending(pay({ ...context, confirm: undefined }, transfer, TRANSFER))).toEqual([2, 'not-sent'])
    expect([requests, await states(world)]).toEqual([[], []])
  })

  it('is not sent if a rule refuses it', async () => {
    const { context, requests } = await payingWorld([ACCEPTED, ACCEPTED])
    await pay(context, transfer, TRANSFER)
    const again = { ...proposalOf(TRANSFER, { externalId: 'other' }), facts: TRANSFER }
    await expect(pay(context, again, TRANSFER)).rejects.toMatchObject({
      code: 'REPEAT',
      exitCode: 2,
      outcome: 'not-sent',
    })
    expect(requests).toHaveLength(1)
  })

  it('is not sent after the time in which the team may take it for being sent', async () => {
    const { world, context, requests } = await payingWorld([ACCEPTED, ACCEPTED])
    const attempt = await world.allow(transfer)
    const late = { ...attempt, limit: sendLimit(() => 0, -1) }
    expect((await send(context, late)).outcome).toBe('not-sent')
    expect(requests).toEqual([])
    expect((await send(context, { ...attempt, limit: sendLimit(() => 0, 60_000) })).outcome).toBe('accepted')
  })
})

/** A transfer that was lost, and these answers of the gateway to the same bytes again. */
async function resumed(answers: readonly Answer[], trouble: Trouble = {}) {
  const { world, context, requests } = await payingWorld([LOST, ...answers], trouble)
  await ending(pay(context, transfer, TRANSFER))
  const resume = async (differences: Partial<PaymentContext> = {}): Promise<Paid> => {
    const own = transferToResume(await world.payments(), 'new', { account: context.account, store: STORE })
    const proposal = resumeProposal(own, false)
    if (proposal === null) throw new Error('it was accepted')
    return pay({ ...context, ...differences }, proposal, own.facts)
  }
  return { world, requests, resume }
}

describe('an answer that could not be recorded', () => {
  const warning = expect.stringContaining('The answer could not be recorded')
  const locked = { lockedFrom: 1 }

  it('is returned with a warning if the payment was accepted', async () => {
    const { world, context } = await payingWorld([ACCEPTED], locked)
    const { idTransaction, isRecorded, warnings } = await pay(context, transfer, TRANSFER)
    expect({ idTransaction, isRecorded, warnings }).toEqual({
      ...{ idTransaction: 'id-1', isRecorded: false, warnings: [warning] },
    })
    expect(await states(world)).toEqual(['unknown'])
  })

  it('is thrown with exit code 5 and its own words if the payment was refused', async () => {
    const { world, context } = await payingWorld([REFUSED], locked)
    await expect(pay(context, transfer, TRANSFER)).rejects.toMatchObject({
      ...{ exitCode: 5, code: 'NO_FUNDS', outcome: 'refused', httpStatus: 400 },
      details: expect.arrayContaining([expect.stringContaining('This answer could not be recorded')]),
    })
    expect(await states(world)).toEqual(['unknown'])
  })

  it('is told of the same bytes again, too', async () => {
    const again = { lockedFrom: 2 }
    const unrecorded = { isRecorded: false, warnings: [warning] }
    expect(await (await resumed([HELD], again)).resume()).toMatchObject({ outcome: 'accepted-before', ...unrecorded })
    expect(await (await resumed([ACCEPTED], again)).resume()).toMatchObject({ outcome: 'accepted', ...unrecorded })
    const { resume } = await resumed([[401, { message: 'INVALID_CREDENTIALS' }]], again)
    expect(await ending(resume())).toEqual([5, 'unknown'])
  })
})

describe('an acceptance is returned with a warning', () => {
  it('if the gateway has another time', async () => {
    const { context } = await payingWorld([ACCEPTED], { aheadMs: 2 * HOUR_MS })
    const { warnings, isRecorded } = await pay(context, transfer, TRANSFER)
    expect([isRecorded, warnings]).toEqual([true, [expect.stringContaining("but the gateway's says 21/11/2026 14:00")]])
  })

  it('if it could not be noted outside of the ledger', async () => {
    const { world, context } = await payingWorld([ACCEPTED])
    const names = ['first', join('missing', 'folder')]
    const witness = new WitnessFolder(join(world.home, 'config'), world.folder, () => names.shift() ?? '')
    const { warnings, isRecorded } = await pay({ ...context, witness }, transfer, TRANSFER)
    expect([isRecorded, warnings]).toEqual([true, [expect.stringContaining('not noted outside of the ledger')]])
  })
})

it.each([
  ['at once', 0, 0, true],
  ['at the end of the time', 1000, 0, true],
  ['after it by the wall clock', 1001, 0, false],
  // The clock that is never set, as if the wall clock had been set back.
  ['after it by the other clock', -5000, 1500, false],
])('a request may be sent %s', (_name, wallMs, monotonicMs, may) => {
  const limit = { ...sendLimit(() => 5000, 1000), now: () => 5000 + wallMs }
  const { startedMonotonicMs } = limit
  expect(mayBeSent({ ...limit, startedMonotonicMs: startedMonotonicMs - monotonicMs })).toBe(may)
})

describe('resuming a transfer whose outcome is unknown', () => {
  it.each<[string, Answer, ending: unknown, PaymentState]>([
    ['accepted', ACCEPTED, 'accepted', 'accepted'],
    ['held by the gateway', HELD, 'accepted', 'accepted'],
    // Nothing but an acceptance or the duplicate says what became of the first request.
    ['refused', REFUSED, [5, 'unknown'], 'unknown'],
    ['refused as a stranger', [401, { message: 'INVALID_CREDENTIALS' }], [4, 'unknown'], 'unknown'],
    ['refused without a code', [400, {}], [1, 'unknown'], 'unknown'],
    ['lost again', LOST, [5, 'unknown'], 'unknown'],
  ])('that is %s now', async (_name, answer, end, state) => {
    const { world, requests, resume } = await resumed([answer])
    expect(await ending(resume())).toEqual(end)
    expect(requests.map(({ body }) => body)).toEqual([requests[0]?.body, requests[0]?.body])
    expect(await states(world)).toEqual([state])
  })

  it('says that the first request may have been carried out, and what tells it', async () => {
    const refusal = (await resumed([REFUSED])).resume()
    await expect(refusal).rejects.toMatchObject({
      ...{ code: 'NO_FUNDS', externalId: 'new', hint: expect.stringContaining('pixgate history show new') },
      details: [expect.stringContaining('may have been carried out'), expect.stringContaining('NO_FUNDS is fixed')],
    })
    const stranger = (await resumed([[401, { message: 'INVALID_CREDENTIALS' }]])).resume()
    const still = 'The outcome of the earlier request of new is still unknown'
    await expect(stranger).rejects.toMatchObject({ externalId: 'new', details: expect.arrayContaining([still]) })
    const again = (await resumed([LOST])).resume()
    await expect(again).rejects.toMatchObject({ externalId: 'new', details: expect.not.arrayContaining([still]) })
  })

  it('tells an acceptance from one before, and sends no third time', async () => {
    const before = await resumed([HELD])
    expect(await before.resume()).toEqual({
      ...{ outcome: 'accepted-before', fields: { idTransaction: null, status: null }, idTransaction: null },
      ...{ warnings: [], isRecorded: true },
    })
    const now = await resumed([ACCEPTED])
    expect(await now.resume()).toMatchObject({ outcome: 'accepted', idTransaction: 'id-1', isRecorded: true })
    await expect(now.resume()).rejects.toThrow('it was accepted')
    expect([before.requests.length, now.requests.length]).toEqual([2, 2])
  })

  it('sends one that never left as a new payment', async () => {
    const { world, context, requests } = await payingWorld([ACCEPTED])
    await world.pay(TRANSFER, 'not-sent')
    // It was recorded for the account of the world; the gateway on loopback is that of another.
    const { account } = world.context()
    const own = transferToResume(await world.payments(), 'new', { account, store: STORE })
    const proposal = resumeProposal(own, false)
    if (proposal === null) throw new Error('it was accepted')
    expect(await pay(context, proposal, own.facts)).toMatchObject({ outcome: 'accepted', idTransaction: 'id-1' })
    expect(requests.map(({ body }) => JSON.parse(body).externalId)).toEqual(['new'])
    // No earlier request could have been carried out, so a refusal is one.
    const refusing = await payingWorld([REFUSED])
    expect(await ending(pay(refusing.context, proposal, own.facts))).toEqual([1, 'refused'])
  })
})
