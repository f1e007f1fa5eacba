import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { REPEAT_DAYS } from '../../src/pix/calendar.ts'
import type { StoredProfile } from '../../src/profiles/profile.ts'
import { type FaultGateway, startFaultGateway } from '../gateway/faultGateway.ts'
import { resetAfterActing } from '../gateway/faults.ts'
import { onTerminalHere } from '../onTerminalHere.ts'
import { typeWrongly } from '../pseudoTerminal.ts'
import { emptyWorld, type World } from '../world.ts'
import { failureOf, inProduction, inThisProcess } from './payments.ts'
import { writeEvent } from './sentPayments.ts'

const CONFIRM = ['--confirm', 'prod', '-o', 'json']
const SETTLE = ['history', 'settle', 'invoice-1', '--because', 'not in the dashboard', '--as']
const REPEAT = { exit: 2, code: 'REPEAT', outcome: 'not-sent' }
const ORIGINAL = '0b935d10-3c90-4af3-8776-dd18622a7941'

function transfer(externalId: string, ...more: readonly string[]): string[] {
  return ['transfer', '--key', 'maria@example.com', '--amount', '77,70', '--external-id', externalId, ...more]
}

/** A production machine on which the answer to invoice-1, R$ 77,70, was lost. */
async function stage(differences: Partial<StoredProfile> = {}): Promise<{ gateway: FaultGateway; world: World }> {
  const gateway = await startFaultGateway()
  const world = inThisProcess(await inProduction(emptyWorld(), gateway.url, differences))
  gateway.misbehave([resetAfterActing], 'POST')
  expect(failureOf(await world.run([...transfer('invoice-1'), ...CONFIRM]))).toMatchObject({ exit: 5 })
  return { gateway, world }
}

describe('a payment that a person settled as not paid', () => {
  it('is a repeat until it is named, in the day’s sum, and named in the next question', async () => {
    const { gateway, world } = await stage({ maxDayCents: 20_000 })
    expect((await world.run([...SETTLE, 'not-paid', ...CONFIRM])).exit).toBe(0)
    for (const more of [[], ['--dry-run']]) {
      const repeat = failureOf(await world.run([...transfer('invoice-2'), ...more, ...CONFIRM]))
      expect(repeat).toMatchObject({ ...REPEAT, hint: expect.stringContaining('--in-addition-to invoice-1') })
      expect(repeat.details).toMatch(/^Earlier: invoice-1, .+; \S+ on \S+ settled it as not paid at \d\d\//)
    }
    const resumed = failureOf(await world.run(['resume', 'invoice-1', ...CONFIRM]))
    expect(resumed).toMatchObject({ exit: 1, message: expect.stringContaining('not paid') })

    const named = await world.run([...transfer('invoice-2', '--in-addition-to', 'INVOICE-1'), '--confirm', 'prod'])
    expect([named.exit, named.stderr]).toEqual([
      0,
      expect.stringMatching(/\nsettled {6}invoice-1 as not paid by \S+, \d\d\//),
    ])
    expect(named.stderr).toMatch(/\nsent today {3}R\$ 77,70, not counting this one\n/)
    // Naming the one that was settled does not name the one that was paid since.
    const third = failureOf(await world.run([...transfer('invoice-3', '--in-addition-to', 'invoice-1'), ...CONFIRM]))
    expect(third).toMatchObject({ ...REPEAT, externalId: 'invoice-2' })
    const both = ['--in-addition-to', 'invoice-1', '--in-addition-to', 'invoice-2']
    const over = failureOf(await world.run([...transfer('invoice-3', ...both), ...CONFIRM]))
    expect(over).toMatchObject({ exit: 2, code: 'OVER_LIMIT', message: expect.stringMatching(/^R\$ 155,40 was sent/) })
    expect(gateway.ledger).toHaveLength(2)
  })

  it('as returned, too', async () => {
    const { world } = await stage()
    expect((await world.run([...SETTLE, 'returned', ...CONFIRM])).exit).toBe(0)
    const repeat = failureOf(await world.run([...transfer('invoice-2'), ...CONFIRM]))
    expect(repeat).toMatchObject({ ...REPEAT, details: expect.stringContaining('settled it as returned') })
  })

  it('is left again of a refund only after it was named', async () => {
    const gateway = await startFaultGateway()
    const world = inThisProcess(await inProduction(emptyWorld(), gateway.url))
    const refund = (amount: string, ...more: readonly string[]) =>
      world.run(['refund', ORIGINAL, '--amount', amount, '--reason', 'x', ...more, ...CONFIRM])
    expect((await refund('8')).exit).toBe(0)
    const id = gateway.ledger[0]?.idTransaction ?? ''
    await world.prepare(['history', 'settle', id, '--as', 'not-paid', '--because', 'x', '--confirm', 'prod'])
    expect(failureOf(await refund('8'))).toMatchObject(REPEAT)
    // Another amount would be left if the settled refund was not made.
    expect(failureOf(await refund('8,01'))).toMatchObject(REPEAT)
    expect(failureOf(await refund('10,51'))).toMatchObject({ exit: 1, outcome: 'not-sent' })
    expect((await refund('8', '--in-addition-to', id.toUpperCase())).exit).toBe(0)
    expect(failureOf(await refund('2,51', '--in-addition-to', id))).toMatchObject({ exit: 1 })
    expect(gateway.ledger).toHaveLength(2)
  })

  it('is a repeat of itself when its batch is resumed', async () => {
    const gateway = await startFaultGateway()
    const world = inThisProcess(await inProduction(emptyWorld(), gateway.url))
    const file = join(world.home, 'rows.csv')
    writeFileSync(file, 'key,value\na@example.com,1\n')
    const { stdout } = await world.run(['batch', 'transfer', file, ...CONFIRM])
    const [row, summary] = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    await world.prepare([
      'history',
      'settle',
      row.externalId,
      '--as',
      'not-paid',
      '--because',
      'x',
      '--confirm',
      'prod',
    ])
    const resume = ['resume', summary.run, '--refused', ...CONFIRM]
    const repeat = failureOf(await world.run(resume))
    expect(repeat).toMatchObject({
      ...REPEAT,
      exit: 1,
      hint: expect.stringContaining(`\`pixgate resume ${summary.run} --in-addition-to ${row.externalId}\``),
      message: `Rows that repeat a payment of the last ${REPEAT_DAYS} days: 1`,
    })
    expect((await world.run([...resume, '--in-addition-to', row.externalId])).exit).toBe(0)
    expect(gateway.ledger.map(({ externalId }) => externalId)).toEqual([row.externalId, `${row.externalId}-2`])
  })
})

describe('settling a payment', () => {
  it('needs consent in production, and no read-only profile', async () => {
    const { world } = await stage()
    for (const words of [[], ['--yes'], ['--confirm', 'other']]) {
      const failure = failureOf(await world.run([...SETTLE, 'not-paid', ...words, '-o', 'json']))
      expect(failure).toMatchObject({ exit: 2, code: 'CONFIRMATION_REQUIRED' })
    }
    await world.prepare(['profile', 'edit', 'prod', '--read-only'])
    for (const finding of ['paid', 'not-paid', 'returned']) {
      const failure = failureOf(await world.run([...SETTLE, finding, ...CONFIRM]))
      expect(failure).toMatchObject({ exit: 2, message: expect.stringContaining('read-only') })
    }
    expect((await world.json(['history', 'show', 'invoice-1'])).findings ?? []).toEqual([])
  })

  it('is asked for by typing the amount', async () => {
    const { world } = await stage()
    for (const [attempts, exit] of [
      [3, 130],
      [2, 0],
    ] as const) {
      const terminal = onTerminalHere(world, [...SETTLE, 'not-paid'])
      await terminal.shows('Type the amount to record what you found')
      const wrong = ['77,71', '7770', '7,77'].map((each) => [each, `Type \`77,70\`: \`${each}\` is R$`] as const)
      await typeWrongly(terminal, wrong.slice(0, attempts))
      terminal.press('77,70\r')
      expect((await terminal.ended).exit).toBe(exit)
    }
    expect((await world.json(['history', 'show', 'invoice-1'])).pixgate).toMatchObject({ state: 'not-paid' })
  })

  it('does not contradict a signed event', async () => {
    const { gateway, world } = await stage()
    const other = ['transfer', '--key', 'joao@example.com', '--amount', '5', '--external-id', 'invoice-5']
    const { idTransaction } = await world.json([...other, '--confirm', 'prod'])
    const data = { idTransaction: String(idTransaction).toUpperCase(), statusTransaction: 'PAID_OUT', value: 5 }
    const owner = { profile: 'prod', environment: 'production', baseUrl: gateway.url, clientId: 'local' } as const
    await writeEvent(world, new Date().toISOString(), { event: 'transfer.completed', data }, owner)
    const settle = ['history', 'settle', 'invoice-5', '--because', 'x', '--as', 'not-paid', ...CONFIRM]
    const refused = failureOf(await world.run(settle))
    expect(refused).toMatchObject({
      exit: 1,
      message: expect.stringMatching(/^Event 1, which the gateway signed, says/),
    })
    expect(await world.json(['history', 'show', 'invoice-5'])).toMatchObject({ pixgate: { state: 'paid' } })
    const failed = { ...data, idTransaction: 'g-1', externalId: 'invoice-1', statusTransaction: 'ERROR', value: 77.7 }
    await writeEvent(world, new Date().toISOString(), { event: 'transfer.failed', data: failed }, owner)
    for (const finding of ['paid', 'returned']) {
      expect(failureOf(await world.run([...SETTLE, finding, ...CONFIRM]))).toMatchObject({
        exit: 1,
        message: expect.stringMatching(/^Event 2, which the gateway signed, says ERROR of invoice-1/),
      })
    }
    expect((await world.run([...SETTLE, 'not-paid', ...CONFIRM])).exit).toBe(0)
    expect((await world.json(['history', 'show', 'invoice-1'])).pixgate).toMatchObject({ state: 'not-paid' })
  })

  it('gives way to a signed event that it failed, and stays a repeat', async () => {
    const { gateway, world } = await stage()
    expect((await world.run([...SETTLE, 'paid', ...CONFIRM])).exit).toBe(0)
    const owner = { profile: 'prod', environment: 'production', baseUrl: gateway.url, clientId: 'local' } as const
    const data = { idTransaction: 'g-1', externalId: 'invoice-1', statusTransaction: 'ERROR', value: 77.7 }
    const failed = { event: 'transfer.failed', data }
    await writeEvent(world, new Date().toISOString(), failed, owner, false)
    const show = ['history', 'show', 'invoice-1']
    expect((await world.json(show)).pixgate).toMatchObject({ state: 'paid', knownBy: 'person' })
    await writeEvent(world, new Date().toISOString(), failed, owner)
    const receipt = failureOf(await world.run([...show, '--receipt', '--on-my-word', '-o', 'json']))
    expect(receipt).toMatchObject({ exit: 1, message: expect.stringMatching(/: its event says ERROR$/) })
    const list = (await world.run(['history', '-o', 'json'])).stdout
    expect([(await world.json(show)).pixgate, list]).toMatchObject([
      { state: 'not-paid', knownBy: 'event', finding: { as: 'paid' } },
      expect.stringContaining('"state":"not-paid"'),
    ])
    const repeat = failureOf(await world.run([...transfer('invoice-2'), ...CONFIRM]))
    expect(repeat).toMatchObject({ ...REPEAT, hint: expect.stringContaining('--in-addition-to invoice-1') })
    expect(failureOf(await world.run(['resume', 'invoice-1', ...CONFIRM]))).toMatchObject({ exit: 1 })
    expect(gateway.ledger).toHaveLength(1)
  })

  it('as not paid names the event that may be about it', async () => {
    const { gateway, world } = await stage()
    const owner = { profile: 'prod', environment: 'production', baseUrl: gateway.url, clientId: 'local' } as const
    for (const [value, idTransaction] of [
      [5, 'g-1'],
      [77.7, 'g-2'],
    ] as const) {
      const data = { idTransaction, statusTransaction: 'PAID_OUT', value, destinationName: 'Maria Lima' }
      await writeEvent(world, new Date().toISOString(), { event: 'transfer.completed', data }, owner)
    }
    const declined = await world.run([...SETTLE, 'not-paid'])
    expect([declined.exit, declined.stderr]).toEqual([
      2,
      expect.stringContaining('event 2: PAID_OUT, R$ 77,70, Maria Lima'),
    ])
    expect(declined.stderr).not.toContain('event 1:')
    const [command = ''] = /history settle \S+ --as paid --event 2/.exec(declined.stderr) ?? []
    const settled = await world.run([...command.split(' '), '--because', 'same receiver', ...CONFIRM])
    expect([settled.exit, (await world.json(['history', 'show', 'invoice-1'])).pixgate]).toMatchObject([
      0,
      { state: 'paid', knownBy: 'event' },
    ])
  })
})

describe('an event that a person names as the proof of a payment', () => {
  const PAID = ['history', 'settle', 'invoice-1', '--as', 'paid', '--because', 'same receiver, same day']
  const owner = (url: string) =>
    ({ profile: 'prod', environment: 'production', baseUrl: url, clientId: 'local' }) as const
  const body = (data: object, event = 'transfer.completed') => ({
    event,
    data: {
      idTransaction: 'gateway-1',
      statusTransaction: 'PAID_OUT',
      value: 77.7,
      destinationName: 'Maria Lima',
      ...data,
    },
  })

  it('makes a receipt and one line of the month, and is asked about as always', async () => {
    const { gateway, world } = await stage()
    await world.prepare([...PAID, '--confirm', 'prod'])
    await writeEvent(world, new Date().toISOString(), body({}), owner(gateway.url))
    const month = async () => {
      const day = new Date(Date.now() - 3 * 3_600_000).toISOString()
      const out = join(world.home, `${crypto.randomUUID()}.xlsx`)
      const { netCents, apart } = await world.json(['history', 'report', '--month', day.slice(0, 7), '--out', out])
      return [netCents, Object(apart).find(({ group }: { group: string }) => group === 'elsewhere-sent')?.payments ?? 0]
    }
    expect(await month()).toEqual([-7770, 1])
    const shown = await world.run(['history', 'show', 'invoice-1'])
    const { id } = Object(await world.json(['history', 'show', 'invoice-1'])).pixgate
    expect(shown.stderr).toContain(`pixgate history settle ${id} --as paid --event 1`)

    const without = ['history', 'settle', 'invoice-1', '--as', 'paid', '--event', '1', ...CONFIRM]
    expect(failureOf(await world.run(without))).toMatchObject({ exit: 2, hint: expect.stringContaining('--because') })
    expect(failureOf(await world.run([...PAID, '--event', '1', '-o', 'json']))).toMatchObject({
      exit: 2,
      code: 'CONFIRMATION_REQUIRED',
    })
    const settled = await world.run([...PAID, '--event', '#1', '--confirm', 'prod'])
    expect([settled.exit, settled.stderr]).toEqual([0, expect.stringMatching(/\nproved by .*event 1: .*Maria Lima/)])
    expect(await world.json(['history', 'show', 'invoice-1', '--receipt'])).toMatchObject({
      idTransaction: 'gateway-1',
      paidAt: expect.stringMatching(/^\d{4}-/),
      receiver: { name: 'Maria Lima' },
      pixgate: { knownBy: 'event' },
    })
    expect(await month()).toEqual([-7770, 0])
    expect(await world.json(['history', '--fields', 'externalId,state,knownBy'])).toEqual([
      { externalId: 'invoice-1', pixgate: { state: 'paid', knownBy: 'event' } },
    ])
    // What the gateway says of it later finds it by the id that is known now.
    const later = { event: 'transfer.failed', data: { idTransaction: 'gateway-1', statusTransaction: 'RETURNED' } }
    await writeEvent(world, new Date(Date.now() + 1000).toISOString(), later, owner(gateway.url))
    expect((await world.json(['history', 'show', 'invoice-1'])).pixgate).toMatchObject({ state: 'returned' })
    expect((await world.run(['history', 'check'])).stderr).not.toMatch(/damage/i)
  })

  it('is refused if it proves nothing of this payment', async () => {
    const { gateway, world } = await stage()
    const before = new Date(Date.now() - 60_000).toISOString()
    const bodies: [Parameters<typeof body>, string, RegExp][] = [
      [[{ value: 77.71 }], '', /^Event 1 is about R\$ 77,71, but invoice-1 is R\$ 77,70$/],
      [
        [{ statusTransaction: 'ERROR', idTransaction: 'b' }, 'transfer.failed'],
        '',
        /^Event 2 says ERROR, which does not/,
      ],
      [[{ statusTransaction: 'PROCESSING', idTransaction: 'c' }], '', /^Event 3 says PROCESSING, which does not/],
      [[{ externalId: 'invoice-2', idTransaction: 'd' }], '', /^Event 4 is about another payment than invoice-1$/],
      [[{ idTransaction: 'e' }], 'earlier', /^Event 5 is about another payment/],
      [[{ idTransaction: 'f' }], 'other account', /^Event 6 is about another payment/],
      [[{ idTransaction: 'g', value: 5, externalId: 'invoice-5' }], '', /^Event 7 is about another payment/],
    ]
    await world.prepare([
      'transfer',
      '--key',
      'j@example.com',
      '--amount',
      '5',
      '--external-id',
      'invoice-5',
      '--confirm',
      'prod',
    ])
    for (const [words, where] of bodies) {
      const url = where === 'other account' ? 'https://other.example' : gateway.url
      const at = where === 'earlier' ? before : new Date().toISOString()
      await writeEvent(world, at, body(...words), owner(url))
    }
    for (const [index, [, , message]] of bodies.entries()) {
      const refused = failureOf(await world.run([...PAID, '--event', String(index + 1), ...CONFIRM]))
      expect(refused).toMatchObject({ exit: 1, message: expect.stringMatching(message), outcome: 'not-sent' })
    }
    expect(failureOf(await world.run([...PAID, '--event', '99', ...CONFIRM]))).toMatchObject({ exit: 3 })
    const denied = ['history', 'settle', 'invoice-1', '--as', 'not-paid', '--because', 'x', '--event', '2', ...CONFIRM]
    expect(failureOf(await world.run(denied))).toMatchObject({ exit: 2 })
    expect((await world.json(['history', 'show', 'invoice-1'])).pixgate).toMatchObject({ state: 'unknown' })
  })

  it('is refused for a refund of all if it is about another amount than the payment had', async () => {
    const gateway = await startFaultGateway()
    const world = inThisProcess(await inProduction(emptyWorld(), gateway.url))
    const charge = { idTransaction: ORIGINAL, status: 'PAID', value: 100 }
    gateway.misbehave([resetAfterActing], 'POST')
    const refund = ['refund', ORIGINAL, '--full', '--skip-query', '--reason', 'x', ...CONFIRM]
    expect(failureOf(await world.run(refund))).toMatchObject({ exit: 5 })
    const settle = async (...proof: string[]) => {
      const [{ pixgate }] = JSON.parse(await world.prepare(['history', '--kind', 'refund', '-o', 'json']))
      return world.run(['history', 'settle', pixgate.id, '--as', 'paid', '--because', 'y', ...proof, ...CONFIRM])
    }
    // Else the first event would be taken for its own.
    expect((await settle()).exit).toBe(0)
    for (const value of [30, 100]) {
      const data = { idTransaction: `refund-${value}`, originalTransactionId: ORIGINAL, status: 'COMPLETED', value }
      await writeEvent(world, new Date().toISOString(), { event: 'refund.status', data }, owner(gateway.url))
    }
    await writeEvent(world, new Date().toISOString(), { event: 'pix.received', data: charge }, owner(gateway.url))
    const message = `Event 1 is about R$ 30,00, which is not all of ${ORIGINAL}`
    expect(failureOf(await settle('--event', '1'))).toMatchObject({ exit: 1, message })
    expect((await settle('--event', '2')).exit).toBe(0)
  })
})
