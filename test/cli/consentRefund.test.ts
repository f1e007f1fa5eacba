import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { REFUND_WINDOW_DAYS } from '../../src/pix/calendar.ts'
import { startFaultGateway } from '../gateway/faultGateway.ts'
import { onTerminalHere } from '../onTerminalHere.ts'
import { itOnTerminal, onTerminal, typeWrongly } from '../pseudoTerminal.ts'
import { emptyWorld, sandboxWorld } from '../world.ts'
import { carriedOut, control, failureOf, inProduction, inThisProcess, paidPayment, remembered } from './payments.ts'

const REASON = ['--reason', 'ordered twice']
const DAY_MS = 86_400_000
const INSTANT = /\d\d\/\d\d\/\d{4} \d\d:\d\d:\d\d BRT/

itOnTerminal('shows the payment that a refund belongs to', async () => {
  const world = await sandboxWorld()
  const id = await paidPayment(world.url, 10)
  await world.prepare(['refund', id, ...REASON, '--amount', '4', '--yes'])
  const terminal = onTerminal(world, ['refund', id, ...REASON])
  await terminal.shows('(y/N)')
  terminal.press('y\r')
  const { exit, screen } = await terminal.ended
  expect(exit).toBe(0)
  const lines = screen.replace(world.url, 'http://127.0.0.1:<port>').replace(id, '<id>').replace(INSTANT, '<instant>')
  expect(lines.split('\n').slice(0, 12)).toEqual([
    'environment  sandbox, profile local',
    'address      http://127.0.0.1:<port>',
    'amount       R$ 6,00',
    'in words     six reais',
    'original     <id>',
    'paid         R$ 10,00',
    'paid at      <instant>',
    'refunded     R$ 4,00',
    'left         R$ 6,00',
    'days left    30',
    'reason       ordered twice',
    'sent today   R$ 4,00, not counting this one',
  ])
  expect((await carriedOut(world.url)).refunds.map(({ amount }) => amount)).toEqual([4, 6])
})

it('names the customer and the order, and breaks the question between words', async () => {
  const world = await sandboxWorld({}, { PIXGATE_CALLBACK_URL: 'http://127.0.0.1:1/' })
  const charge = ['qr', 'create', '--amount', '25', '--request-number', 'pedido-1005', '--payer-tax-id', '52998224725']
  const created = await world.prepare([...charge, '--payer-name', 'Maria Aparecida da Silva', '-o', 'json'])
  const { idTransaction }: { idTransaction: string } = JSON.parse(created)
  await control(world.url, 'pay', { id: idTransaction })
  const terminal = onTerminalHere(world, ['refund', idTransaction, ...REASON], { columns: 80 })
  await terminal.shows('? Refund R$ 25,00 to Maria Aparecida da Silva, for pedido-1005, paid')
  await terminal.shows('(y/N)')
  terminal.press('n\r')
  const { screen } = await terminal.ended
  expect(screen).toMatch(/\npayer {8}Maria Aparecida da Silva\norder {8}pedido-1005\noriginal {5}/)
  expect(screen).toMatch(/, paid\s(?:today|yesterday)\s\d\d:\d\d\? \(y\/N\)/)
  expect(screen).not.toContain('52998224725')
})

it('sends nothing after n', async () => {
  const world = await sandboxWorld()
  const id = await paidPayment(world.url, 10)
  const terminal = onTerminalHere(world, ['refund', id])
  await terminal.shows('Reason for the refund')
  terminal.press('ordered twice\r')
  await terminal.shows('? Refund R$ 10,00 to the payer, paid')
  await terminal.shows('(y/N)')
  terminal.press('n\r')
  expect((await terminal.ended).exit).toBe(130)
  expect((await carriedOut(world.url)).refunds).toEqual([])
  expect(await remembered(world)).toEqual([])
})

it('says how many days are left, and sends nothing when there are none', async () => {
  const gateway = await startFaultGateway()
  const world = emptyWorld({ PIXGATE_BASE_URL: gateway.url })
  const refundOf = (paidAtMs: number | null, { run } = inThisProcess(world)) => {
    const paidAt = paidAtMs === null ? {} : { paidAt: new Date(paidAtMs).toISOString() }
    gateway.payment = { status: 'PAID', amount: 10, ...paidAt }
    return run(['refund', randomUUID(), ...REASON, '--yes'])
  }
  expect((await refundOf(Date.now() - (REFUND_WINDOW_DAYS - 0.5) * DAY_MS)).stderr).toContain('days left    1\n')
  const unknown = await refundOf(null)
  expect(unknown.stderr).toContain(
    `warning: The gateway does not report when the payment was made, so the ${REFUND_WINDOW_DAYS}-day limit was not checked\n`,
  )
  expect(unknown.stderr).toContain('days left    unknown\n')
  expect(gateway.ledger).toHaveLength(2)
  const late = await refundOf(Date.now() - REFUND_WINDOW_DAYS * DAY_MS - 1000, world)
  expect(late).toMatchObject({ exit: 1, stdout: '' })
  expect(late.stderr).toContain(`a payment can only be refunded for ${REFUND_WINDOW_DAYS} days`)
  expect(gateway.ledger).toHaveLength(2)
})

describe('in production', () => {
  async function production() {
    const { url } = await sandboxWorld()
    return { ...(await inProduction(emptyWorld(), url)), url, id: await paidPayment(url, 10) }
  }

  it.each([
    ['--amount', ['--amount', '2,50'], '2,50', 2.5],
    ['--full', ['--full'], '10', 10],
  ])('a person names it with %s and types it', async (_, words, typed, amount) => {
    const world = await production()
    const terminal = onTerminalHere(world, ['refund', world.id, ...REASON, ...words])
    await terminal.shows('This is real money. Type the amount')
    terminal.press(`${typed}\r`)
    expect((await terminal.ended).exit).toBe(0)
    expect((await carriedOut(world.url)).refunds).toMatchObject([{ originalTransactionId: world.id, amount }])
  })

  it('a person is asked how much after the payment was shown', async () => {
    const world = await production()
    const all = onTerminalHere(world, ['refund', world.id, ...REASON])
    await all.shows('left R$ 10,00')
    await all.shows('all that is left, R$ 10,00')
    all.press('\x03')
    expect((await all.ended).exit).toBe(130)
    expect(await remembered(world)).toEqual([])

    const part = onTerminalHere(world, ['refund', world.id, ...REASON])
    await part.shows('How much should be refunded?')
    part.press('\x1b[B\r')
    await part.shows('Amount to refund')
    await typeWrongly(part, [['10,01', 'Only R$ 10,00 is left of this payment']])
    part.press('\x154\r')
    await part.shows('amount R$ 4,00')
    await part.shows('This is real money. Type the amount')
    part.press('4\r')
    expect((await part.ended).exit).toBe(0)
    expect((await carriedOut(world.url)).refunds).toMatchObject([{ originalTransactionId: world.id, amount: 4 }])
  })

  itOnTerminal('a person types all for an unknown amount', async () => {
    const world = await production()
    const words = ['refund', world.id, ...REASON, '--full', '--skip-query']
    const terminal = onTerminal(world, words)
    await terminal.shows('queried')
    await terminal.shows('Type `all` to refund all of it')
    await typeWrongly(terminal, [
      ['y', 'Type `all`, not `y`'],
      ['10', 'Type `all`, not `10`'],
    ])
    expect((await carriedOut(world.url)).refunds).toEqual([])
    terminal.press('all\r')
    expect((await terminal.ended).exit).toBe(0)
    expect((await carriedOut(world.url)).refunds).toMatchObject([{ amount: 10 }])
  })

  it.each([
    ['neither --amount nor --full', []],
    ['both', ['--full', '--amount', '10']],
  ])('refuses %s', async (_, words) => {
    const world = inThisProcess(await production())
    const run = await world.run(['refund', world.id, ...REASON, ...words, '--confirm', 'prod', '-o', 'json'])
    expect(failureOf(run)).toMatchObject({ exit: 2, code: 'USAGE', outcome: 'not-sent' })
    expect((await carriedOut(world.url)).refunds).toEqual([])
  })

  it('a script names the profile', async () => {
    const world = inThisProcess(await production())
    const words = ['refund', world.id, ...REASON, '--full']
    expect(failureOf(await world.run([...words, '--yes', '-o', 'json']))).toMatchObject({
      exit: 2,
      code: 'CONFIRMATION_REQUIRED',
    })
    expect(await world.json([...words, '--confirm', 'prod'])).toMatchObject({ amount: 10, status: 'PROCESSING' })
  })
})
