import { afterAll, describe, expect, it } from 'vitest'
import { addPlan } from '../../src/ledger/addPlan.ts'
import type { MoneyPayment } from '../../src/ledger/facts.ts'
import { findPlan } from '../../src/ledger/plans.ts'
import type { PlanKind } from '../../src/ledger/records.ts'
import { accountRules } from '../../src/ledger/rulesInForce.ts'
import { NO_REPEATS } from '../../src/payments/repeatOptions.ts'
import { planText, readPlan } from '../../src/plans/plan.ts'
import { readAllowedSigners } from '../../src/plans/sshSignature.ts'
import { type ApprovedPlan, approvedPlan } from '../../src/plans/verifyPlan.ts'
import { approversValue, principalsOf } from '../../src/profiles/approvers.ts'
import { people, signatureOf } from '../cli/planPeople.ts'
import { NOON_MS, OWNER } from '../ledger/paymentHistory.ts'
import { allowed, DAY_MS, type PaymentWorld, paymentWorld, why } from './paymentWorld.ts'
import { REFUND, TRANSFER } from './samplePayments.ts'

const OTHER: MoneyPayment = { ...TRANSFER, key: 'joao@example.com' }
/** The requests, as they will be on the wire. */
const BODY =
  '{"value":10,"key":"maria@example.com","typeKey":"email","callbackUrl":"https://shop.example.com/","externalId":"new"}'
const REFUND_BODY =
  '{"originalTransactionId":"original-1","refundReason":"damaged","callbackUrl":"https://shop.example.com/","amount":4}'
const OTHER_BODY = BODY.replace('maria@', 'joao@').replace('"new"', '"other"')

describe('an approved plan', () => {
  const { maria, joao, eva } = people(afterAll, 'maria', 'joao', 'eva')
  const LIST = [
    ['maria', maria.line],
    ['joao', joao.line],
    ['eva', eva.line],
  ]
    .map(([name, line]) => `${name} namespaces="pixgate" ${line}\n`)
    .join('')
  const VERIFICATION = {
    list: readAllowedSigners(LIST, 'approvers'),
    revoked: [],
    atMs: NOON_MS,
    env: { PATH: process.env.PATH ?? '' },
  }

  /** A plan of one request, which Maria made and João approved, and what the ledger holds of it; it expires in a day. */
  async function signedPlan(body: string) {
    const kind: PlanKind = body === REFUND_BODY ? 'refund' : 'transfer'
    const { baseUrl, clientId } = OWNER
    const totalCents = kind === 'refund' ? 400 : 1000
    const expiresAt = new Date(NOON_MS + DAY_MS).toISOString()
    const text = planText({
      ...{ version: 1, kind, account: { baseUrl, clientId }, requests: [JSON.parse(body)] },
      ...{ totalCents, warnings: [], sourceSha256: null, maker: 'maria', expiresAt },
    })
    const open = readPlan(text, 'plan.json')
    const signature = signatureOf(maria, text)
    const approvals = [{ principal: 'joao', signature: signatureOf(joao, text) }] as const
    const approved = await approvedPlan(open, { maker: signature, approvals, ended: [] }, VERIFICATION, null)
    const made = { totalCents, maker: 'maria', expiresAt, signature }
    const [{ signature: approval }] = approvals
    return { approved, text, signature: approval, content: { plan: open.id, owner: OWNER, kind, requests: 1, ...made } }
  }

  /** Signing takes a process for each signature, so each plan is signed once. */
  const signed = new Map<string, ReturnType<typeof signedPlan>>()

  /** The signed plan of a request, in the ledger of a world. */
  async function planOf(world: PaymentWorld, body: string, run: string | null = null): Promise<ApprovedPlan> {
    const signing = signed.get(body) ?? signedPlan(body)
    signed.set(body, signing)
    const { approved, text, content, signature } = await signing
    await world.ledger.write((writer) => {
      addPlan(writer, content, text)
      writer.append({ type: 'plan-approval', plan: content.plan, owner: OWNER, approver: 'joao', signature })
    })
    return { ...approved, run }
  }

  /** A world where everything from an amount on needs a plan, and one of a request is sent. */
  async function planned({
    from = 0,
    body = BODY,
    run = null,
  }: {
    from?: number | null
    body?: string
    run?: string | null
  } = {}) {
    const world = paymentWorld()
    await world.rule('approvers', approversValue({ file: '/approvers', list: LIST }))
    await world.rule('approvalFromCents', from)
    const plan = await planOf(world, body, run)
    world.plans = { approved: [plan], isOnly: true }
    return { world, plan }
  }

  /** The run in which the sending of a plan began; undefined if it did not begin. */
  const begunIn = (world: PaymentWorld, { id }: ApprovedPlan) =>
    world.ledger.read((database) => findPlan(database, id)?.sending?.run)
  const place = (run: string) => ({ place: { run, line: 1, reference: 'payroll', isDerivedId: false } })
  const reject = (world: PaymentWorld, { id: plan }: ApprovedPlan) =>
    world.ledger.write((writer) =>
      writer.append({ type: 'plan-rejection', plan, owner: OWNER, because: 'wrong amount' }),
    )
  const revoke = (world: PaymentWorld, ...principals: string[]) =>
    world.ledger.write((writer) => {
      for (const principal of principals)
        writer.append({ type: 'approver-revocation', owner: OWNER, principal, because: 'left' })
    })
  const resendOf = (payment: string) =>
    ({ action: 'resend', payment, includeUnknown: false, despiteChargeback: false }) as const

  it('allows its request once, and the attempt says who made and who approved it', async () => {
    const { world, plan } = await planned({ run: 'run-1' })
    const attempt = allowed(await world.propose(TRANSFER, place('run-1')))
    expect(attempt.body).toBe(BODY)
    expect(attempt.record).toMatchObject({ plan: plan.id, requestedBy: 'maria', approvedBy: 'joao' })
    expect(await begunIn(world, plan)).toBe('run-1')
    await world.answer(attempt, 'refused')
    const retry = { action: 'retry', payment: attempt.record.payment, accepted: NO_REPEATS } as const
    expect((await world.decide([{ ...retry, originalCents: null, run: null }])).map(why)).toEqual(['not-planned'])
    expect(await world.problems()).toEqual([])
  })

  it('is not used up by an attempt that never left', async () => {
    const { world, plan } = await planned()
    await world.pay(TRANSFER, 'not-sent')
    await world.pay(TRANSFER, 'accepted')
    expect(await begunIn(world, plan)).toBeNull()
  })

  it('allows no second refund with the same request, although it was accepted as a repeat', async () => {
    const { world, plan } = await planned({ body: REFUND_BODY })
    const first = await world.pay(REFUND, 'accepted', { originalCents: 1000 })
    const { conflict } = await world.propose(REFUND, { accepted: [first], originalCents: 1000 })
    expect(conflict).toEqual({ why: 'plan-used', plan: plan.id })
  })

  it.each<[string, MoneyPayment, string]>([
    ['amount', { ...TRANSFER, amountCents: 999 }, 'new'],
    ['key', OTHER, 'new'],
    ['external id', TRANSFER, 'other'],
    ['owner', { ...TRANSFER, documentValidation: '52998224725' }, 'new'],
    ['callback URL', { ...TRANSFER, callbackUrl: 'https://shop.example.com/other' }, 'new'],
  ])('does not allow a request with another %s', async (_name, facts, externalId) => {
    const { world, plan } = await planned()
    expect((await world.propose(facts, { externalId })).conflict).toEqual({ why: 'not-planned', plan: plan.id })
    expect(await begunIn(world, plan)).toBeUndefined()
  })

  it('that is sent allows nothing else, even what needs none; one that is continued does', async () => {
    const { world, plan } = await planned({ from: 1001 })
    const other = { externalId: 'other' }
    expect(why(await world.propose(OTHER, other))).toBe('not-planned')
    world.plans = { approved: [plan], isOnly: false }
    expect(why(await world.propose({ ...OTHER, amountCents: 1001 }, other))).toBe('approval')
    expect(allowed(await world.propose(OTHER, other)).record.plan).toBeUndefined()
    expect(await begunIn(world, plan)).toBeUndefined()
  })

  it('beside others allows each its own request', async () => {
    const { world, plan } = await planned()
    const other = await planOf(world, OTHER_BODY)
    world.plans = { approved: [plan, other], isOnly: true }
    expect(allowed(await world.propose(OTHER, { externalId: 'other' })).record.plan).toBe(other.id)
    expect(await begunIn(world, plan)).toBeUndefined()
    expect(allowed(await world.propose(TRANSFER)).record.plan).toBe(plan.id)
  })

  it('is not counted with what is sent without approval', async () => {
    const { world } = await planned({ from: 1000 })
    await world.pay(TRANSFER, 'accepted')
    world.plans = undefined
    expect(why(await world.propose({ ...OTHER, amountCents: 999 }, { externalId: 'other' }))).toBeUndefined()
    const third = { ...OTHER, key: 'ana@example.com', amountCents: 1 }
    expect(why(await world.propose(third, { externalId: 'third' }))).toBe('approval')
  })

  it('allows the same bytes again, and no other plan does', async () => {
    const { world, plan } = await planned()
    const payment = await world.pay(TRANSFER, 'unknown')
    const other = await planOf(world, OTHER_BODY)
    world.plans = { approved: [other], isOnly: true }
    expect((await world.decide([resendOf(payment)]))[0]?.conflict).toEqual({ why: 'not-planned', plan: other.id })
    world.plans = { approved: [other], isOnly: false }
    expect((await world.decide([resendOf(payment)])).map(why)).toEqual(['approval'])
    world.plans = { approved: [other, plan], isOnly: true }
    expect((await world.decide([resendOf(payment)])).map(why)).toEqual([undefined])
    expect(await begunIn(world, other)).toBeUndefined()
  })

  it('begins to be sent with the same bytes again of a request that was first sent without it', async () => {
    const world = paymentWorld()
    const payment = await world.pay(TRANSFER, 'unknown')
    await world.rule('approvers', approversValue({ file: '/approvers', list: LIST }))
    await world.rule('approvalFromCents', 0)
    const plan = await planOf(world, BODY)
    world.plans = { approved: [plan], isOnly: true }
    expect((await world.decide([resendOf(payment)])).map(why)).toEqual([undefined])
    expect(await begunIn(world, plan)).toBeNull()
    expect(await world.problems()).toEqual([])
  })

  describe('sends nothing', () => {
    /** What a refusal of the whole plan says: words of its sentence, and the command of its hint. */
    const refusal = (words: string | RegExp, command: string, details = 'Nothing was sent') => ({
      ...{ exitCode: 2, outcome: 'not-sent', details: [details] },
      ...{ message: expect.stringMatching(words), hint: expect.stringContaining(command) },
    })

    it('of another account', async () => {
      const { world, plan } = await planned()
      const expected = refusal('is for another account', `pixgate plan show ${plan.id}`)
      for (const differences of [{ clientId: 'c-2' }, { url: 'https://other.example.com' }])
        await expect(world.propose(TRANSFER, {}, differences)).rejects.toMatchObject(expected)
    })

    it('after it was rejected', async () => {
      const { world, plan } = await planned()
      await reject(world, plan)
      const expected = refusal(/was rejected by maria at 21\/11\/2026 12:00:00 BRT: wrong amount/, '--plan')
      await expect(world.propose(TRANSFER)).rejects.toMatchObject(expected)
    })

    it('from the moment at which it expires', async () => {
      const { world } = await planned()
      world.nowMs = NOON_MS + DAY_MS
      world.gatewayMs = world.nowMs
      await expect(world.propose(TRANSFER)).rejects.toMatchObject(refusal('expired at', '--expires 48h'))
      world.nowMs -= 1
      expect(why(await world.propose(TRANSFER))).toBeUndefined()
    })

    it.each([`${LIST}# longer\n`, null])('if it was verified with another list than that in force', async (list) => {
      const world = paymentWorld()
      await world.rule('approvers', list === null ? null : approversValue({ file: '/approvers', list }))
      world.plans = { approved: [await planOf(world, BODY)], isOnly: true }
      const expected = refusal('The list of approvers was changed', 'Run the command again')
      await expect(world.propose(TRANSFER)).rejects.toMatchObject(expected)
    })

    it('once a person of the list was revoked, unless fewer than two would be left', async () => {
      const { world } = await planned()
      await revoke(world, 'ana', 'eva', 'joao')
      const expected = refusal('The list of approvers was changed', 'Run the command again')
      await expect(world.propose(TRANSFER)).rejects.toMatchObject(expected)
      const { approvers } = await world.ledger.read((database) =>
        accountRules(database, { url: OWNER.baseUrl, clientId: OWNER.clientId }),
      )
      expect([...principalsOf(approvers ?? '')]).toEqual(['maria', 'joao'])
      expect(await world.problems()).toEqual([])
    })

    it('if another host sends it in its own run', async () => {
      const { world, plan } = await planned({ run: 'run-1' })
      await world.pay(TRANSFER, 'not-sent', place('run-1'))
      world.plans = { approved: [{ ...plan, run: 'run-2' }], isOnly: true }
      const expected = refusal(
        /was sent before, by maria at 21\/11\/2026 12:00:00 BRT/,
        `pixgate plan show ${plan.id}`,
        'Nothing was sent or changed',
      )
      await expect(world.propose(TRANSFER)).rejects.toMatchObject(expected)
    })
  })

  it('may be finished with another list of approvers than that with which its sending began', async () => {
    const { world, plan } = await planned({ from: null })
    await world.pay(TRANSFER, 'not-sent')
    await world.rule('approvers', approversValue({ file: '/approvers', list: `${LIST}# longer\n` }))
    expect(allowed(await world.propose(TRANSFER)).record.plan).toBe(plan.id)
  })

  it('may be finished once its sending began, although its maker or its approver was revoked since', async () => {
    for (const principal of ['maria', 'joao']) {
      const { world, plan } = await planned()
      await world.pay(TRANSFER, 'not-sent')
      await revoke(world, principal)
      expect(allowed(await world.propose(TRANSFER)).record.plan).toBe(plan.id)
      const known = await world.ledger.read((database) => findPlan(database, plan.id))
      expect(known?.endedApprovals).toEqual([])
    }
  })

  it('may be finished once its sending began, although it expired since', async () => {
    const { world, plan } = await planned()
    await world.pay(TRANSFER, 'not-sent')
    world.nowMs = NOON_MS + 2 * DAY_MS
    expect(allowed(await world.propose(TRANSFER)).record.plan).toBe(plan.id)
  })

  it('allows nothing that was not sent once it was rejected, and what was sent may be sent again', async () => {
    for (const outcome of ['not-sent', 'unknown'] as const) {
      const { world, plan } = await planned()
      const payment = await world.pay(TRANSFER, outcome)
      await reject(world, plan)
      const rejected = expect.stringMatching(/was rejected by maria at .*: wrong amount$/)
      await expect(world.propose(TRANSFER)).rejects.toMatchObject({ message: rejected })
      world.plans = { approved: [plan], isOnly: false }
      if (outcome === 'unknown') expect((await world.decide([resendOf(payment)])).map(why)).toEqual([undefined])
      else expect((await world.propose(TRANSFER)).conflict).toMatchObject({ failure: { message: rejected } })
    }
  })

  it('allows nothing to a payee that was changed since it was made, also once its sending began', async () => {
    for (const isBegun of [false, true]) {
      const world = paymentWorld()
      await world.rule('approvers', approversValue({ file: '/approvers', list: LIST }))
      await world.payee('acme')
      const plan = await planOf(world, BODY)
      world.plans = { approved: [plan], isOnly: true }
      if (isBegun) await world.pay(TRANSFER, 'not-sent')
      await world.payee('acme', { key: 'joao@example.com' })
      const changed = { exitCode: 2, message: expect.stringContaining('payee acme was changed') }
      await expect(world.propose(TRANSFER)).rejects.toMatchObject(changed)
    }
  })

  it('counts no approval that came after its first attempt', async () => {
    const { world, plan } = await planned()
    await world.pay(TRANSFER, 'not-sent')
    const approval = { type: 'plan-approval', plan: plan.id, owner: OWNER, approver: 'eva', signature: '' } as const
    await world.ledger.write((writer) => writer.append(approval))
    const known = await world.ledger.read((database) => findPlan(database, plan.id))
    expect(known?.approvals.map(({ approver }) => approver)).toEqual(['joao'])
  })
})
