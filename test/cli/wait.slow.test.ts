import { describe, expect, it } from 'vitest'
import { start } from '../gateway/running.ts'
import { type ProcessResult, sandboxWorld } from '../world.ts'
import { type Listener, listenHere, startListener } from './listener.ts'
import { carriedOut, control, failureOf, inThisProcess, paidPayment, remembered, TRANSFER } from './payments.ts'

const WAIT = ['--wait=1m', '--yes', '-o', 'json']
const TO_LISTENER = ['--callback-url', 'listen']
const REASON = ['--reason', 'ordered twice']
const OWN_KEY = ['transfer', '--key', '52998224725', '--key-type', 'document', '--amount', '7']

async function listening() {
  const world = inThisProcess(await sandboxWorld())
  return { world, listener: await listenHere(world) }
}

/** The same with a listener in a process of its own. */
async function listeningApart() {
  const world = inThisProcess(await sandboxWorld())
  return { world, listener: await startListener(world) }
}

function linesOf({ stdout }: ProcessResult): Record<string, unknown>[] {
  return stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
}

describe('--wait', () => {
  it('sends nothing if no listener runs for this account', async () => {
    const world = inThisProcess(await sandboxWorld())
    const original = await paidPayment(world.url, 10)
    await listenHere(world, [], { PIXGATE_CLIENT_ID: 'another', PIXGATE_CLIENT_SECRET: 'another' })
    await listenHere(world, [], { PIXGATE_CLIENT_SECRET: 'alone' })
    const refused = { exit: 2, code: 'USAGE', outcome: 'not-sent' }
    for (const words of [TRANSFER, ['refund', original, ...REASON]]) {
      const failure = failureOf(await world.run([...words, ...WAIT]))
      expect(failure).toMatchObject({ ...refused, message: expect.stringContaining('none is running here') })
      expect(failure.hint).toContain('`pixgate webhook listen`')
      expect(failureOf(await world.run([...words, ...TO_LISTENER, '--yes', '-o', 'json']))).toMatchObject(refused)
      expect(await world.json([...words, '--wait', '--dry-run'])).toMatchObject({ method: 'POST' })
    }
    expect(await carriedOut(world.url)).toMatchObject({ transfers: [], refunds: [] })
    expect(await remembered(world)).toEqual([])
  })

  it('ends with 0 if the money was paid, and reports it everywhere', async () => {
    const { world } = await listeningApart()
    const ran = await world.run([...TRANSFER, ...TO_LISTENER, ...WAIT])
    const [{ idTransaction, ...accepted } = {}, ...rest] = linesOf(ran)
    expect([ran.exit, ran.stderr]).toEqual([0, ''])
    expect(accepted).toMatchObject({ externalId: 'invoice-17', status: 'PROCESSING', pixgate: { outcome: 'accepted' } })
    const final = { idTransaction, status: 'PAID_OUT', amount: 1500, pixgate: { state: 'paid', knownBy: 'event' } }
    expect(rest).toMatchObject([final])
    expect(await world.json(['status', 'invoice-17', '--wait=1m', '--expect', 'PAID_OUT'])).toMatchObject(final)
    expect(await world.json(['history', 'show', String(idTransaction)])).toMatchObject({
      timeline: [{ type: 'attempt' }, { type: 'answer' }, { type: 'event', n: 1, event: 'transfer.completed' }],
    })
    const settled = { externalId: 'invoice-17', status: 'PAID_OUT', pixgate: { outcome: 'accepted-before' } }
    expect(await world.json(['resume', 'invoice-17', '--yes'])).toMatchObject(settled)
    expect(linesOf(await world.run(['transfer', '--retry', 'invoice-17', ...WAIT]))).toMatchObject([settled, final])
    expect(failureOf(await world.run([...TRANSFER, '--yes', '-o', 'json']))).toMatchObject({ code: 'REPEAT' })
  })

  it('ends with 1 if it failed, and then it may be sent again', async () => {
    const { world } = await listening()
    await control(world.url, 'fault', { kind: 'NO_FUNDS', async: true })
    const words = ['transfer', '--key', 'maria@example.com', '--amount', '5', ...TO_LISTENER]
    const ran = await world.run([...words, '--external-id', 'invoice-1', ...WAIT])
    expect(ran.exit).toBe(1)
    expect(linesOf(ran)[1]).toMatchObject({ status: 'ERROR', pixgate: { state: 'not-paid', knownBy: 'event' } })
    expect(failureOf(await world.run(['resume', 'invoice-1', '--yes', '-o', 'json']))).toMatchObject({ exit: 1 })
    expect((await world.run([...words, ...WAIT])).exit).toBe(0)
  })

  it('waits for refunds, and reports their results in words', async () => {
    const { world } = await listening()
    const original = await paidPayment(world.url, 10)
    const ran = await world.run(['refund', original, ...REASON, '--amount', '4', ...TO_LISTENER, '--wait', '--yes'])
    expect(ran.exit).toBe(0)
    expect(ran.stdout).toMatch(/state +accepted[\s\S]*state +paid\namount +R\$ 4,00\nknown by +event\n$/)
    expect(ran.stderr).toContain('Waiting for the event; Ctrl-C stops the wait, not the payment\n')
  })

  it('ends with 8 if no event came, and says how to wait on', async () => {
    const { world } = await listening()
    await control(world.url, 'fault', { kind: 'webhook:lost' })
    const ran = await world.run([...TRANSFER, ...TO_LISTENER, '--wait=300ms', '--yes'])
    expect(ran.exit).toBe(8)
    const [{ idTransaction } = { idTransaction: '' }] = (await carriedOut(world.url)).transfers
    expect(ran.stderr).toContain(`Run \`pixgate status --wait ${idTransaction}\` to keep waiting`)
    const json = await world.run(['transfer', '--retry', 'invoice-17', '--wait=1ms', '--yes', '-o', 'json'])
    expect(json.exit).toBe(8)
    expect(linesOf(json)[1]).toMatchObject({ status: 'PROCESSING', pixgate: { knownBy: 'ledger' } })
  })

  it('is ended by Ctrl-C, which says that the payment goes on', async () => {
    const { world } = await listening()
    await control(world.url, 'fault', { kind: 'webhook:lost' })
    const wait = start(world, [...TRANSFER, ...TO_LISTENER, '--wait=1m', '--yes'])
    await wait.said('Waiting for the event')
    wait.signal('SIGINT')
    const { exit, stderr } = await wait.ended
    expect(exit).toBe(130)
    expect(stderr).toContain('the payment was accepted and is still being processed')
    expect(await remembered(world)).toEqual(['invoice-17 accepted'])
  })

  it('waits longer for a transfer, and says why', async () => {
    const { world } = await listening()
    await control(world.url, 'fault', { kind: 'webhook:lost' })
    const held = 'hold a transfer for up to 30 minutes by day and 60 minutes by night; this wait ends after 1 h 5 m'
    const wait = start(world, [...TRANSFER, ...TO_LISTENER, '--wait', '--yes'])
    await wait.said(held)
    wait.signal('SIGINT')
    expect((await wait.ended).exit).toBe(130)
    const status = start(world, ['status', '--wait', 'invoice-17'])
    await status.said(held)
    status.signal('SIGINT')
    expect((await status.ended).exit).toBe(130)
  })

  it('warns if the events go to another port of this machine', async () => {
    const { world, listener } = await listening()
    const ran = await world.run([...TRANSFER, '--wait=1ms', '--yes'])
    expect(ran.exit).toBe(8)
    expect(ran.stderr).toContain(`Events are sent to http://127.0.0.1:4242/, but the listener is at ${listener.url}`)
    const again = await world.run([...TRANSFER.slice(0, 4), '8', '--callback-url', listener.url, '--wait=1m', '--yes'])
    expect(again.exit).toBe(0)
    expect(again.stderr).not.toContain('The events go to')
  })

  it('does not count a listener that was killed', async () => {
    const { world, listener } = await listeningApart()
    const stopped = untilClosed(listener)
    listener.signal('SIGKILL')
    await stopped
    expect(failureOf(await world.run([...TRANSFER, ...WAIT]))).toMatchObject({ exit: 2 })
  })
})

describe('an event', () => {
  it('settles a transfer with an unknown outcome if it names the receiver, and then nothing is sent again', async () => {
    const { world } = await listening()
    await control(world.url, 'fault', { kind: 'drop-after' })
    const ran = await world.run([...OWN_KEY, '--external-id', 'invoice-18', ...TO_LISTENER, '--yes'])
    expect(ran.exit).toBe(5)
    const waited = await world.json(['status', 'invoice-18', '--wait=1m'])
    expect(waited).toMatchObject({
      status: 'PAID_OUT',
      pixgate: { outcome: 'unknown', state: 'paid', knownBy: 'event' },
    })
    expect(await world.json(['resume', 'invoice-18'])).toMatchObject({ pixgate: { outcome: 'accepted-before' } })
    expect((await carriedOut(world.url)).transfers).toHaveLength(1)
  })

  it('settles a refund with an unknown outcome', async () => {
    const { world } = await listening()
    const original = await paidPayment(world.url, 10)
    await control(world.url, 'fault', { kind: 'drop-after' })
    const words = ['refund', original, ...REASON, '--amount', '4', '--skip-query', '--yes', ...TO_LISTENER]
    expect((await world.run(words)).exit).toBe(5)
    const [{ idTransaction } = { idTransaction: '' }] = (await carriedOut(world.url)).refunds
    await settled(world, idTransaction)
    expect(await world.json(['status', idTransaction])).toMatchObject({
      originalTransactionId: original,
      status: 'COMPLETED',
      pixgate: { state: 'paid', knownBy: 'event' },
    })
  })

  it('is only a possible match for a transfer with an unknown outcome if it does not name the receiver', async () => {
    const { world } = await listening()
    await control(world.url, 'fault', { kind: 'drop-after' })
    expect((await world.run([...TRANSFER, ...TO_LISTENER, '--yes'])).exit).toBe(5)
    const [{ idTransaction } = { idTransaction: '' }] = (await carriedOut(world.url)).transfers
    await settled(world, idTransaction)
    const { stdout, stderr } = await world.run(['history', 'show', 'invoice-17'])
    expect(stdout).toContain('state        unknown')
    expect(stderr).toContain(`it names only ${idTransaction}`)
    expect(stderr).toMatch(/`pixgate history settle [-\w]+ --as paid --event 1`/)
    expect(await world.json(['history', 'show', 'invoice-17'])).toMatchObject({ possibleEvents: [1] })
  })

  it('reports a refund and a transfer that were made elsewhere', async () => {
    const { world, listener } = await listening()
    const original = await paidPayment(world.url, 10)
    const headers = { authorization: 'Bearer local-secret', ci: 'local', cs: 'local-secret' }
    const post = async (path: string, body: object) => {
      const text = JSON.stringify({ ...body, callbackUrl: listener.url })
      const answer = await fetch(`${world.url}${path}`, { method: 'POST', headers, body: text })
      return ((await answer.json()) as { idTransaction: string }).idTransaction
    }
    const refundBody = { originalTransactionId: original, refundReason: 'x', amount: 3 }
    const refund = await post('/api/v2/gateway/pix-refund', refundBody)
    const transferBody = { value: 2, key: 'ana@example.com', typeKey: 'email' }
    const transfer = await post('/api/v1/gateway/pix-payment', transferBody)
    await settled(world, refund)
    await settled(world, transfer)
    const pixgate = { environment: 'sandbox', state: 'paid', knownBy: 'event' }
    expect(await world.json(['status', refund])).toMatchObject({
      ...{ idTransaction: refund, originalTransactionId: original, status: 'COMPLETED', amount: 3 },
      pixgate: { ...pixgate, kind: 'refund' },
    })
    expect(await world.json(['status', transfer, '--base-url', world.url])).toMatchObject({
      ...{ idTransaction: transfer, status: 'PAID_OUT', amount: 2 },
      pixgate: { ...pixgate, kind: 'transfer' },
    })
    const missing = { exit: 3, code: 'TRANSACTION_NOT_FOUND' }
    const other = { PIXGATE_BASE_URL: world.url, PIXGATE_CLIENT_ID: 'another', PIXGATE_CLIENT_SECRET: 'local-secret' }
    const asked = await world.run(['status', transfer, '--base-url', world.url, '-o', 'json'], { env: other })
    expect(failureOf(asked)).toMatchObject(missing)
    expect(await world.json(['status', original])).toMatchObject({ status: 'PAID', pixgate: { knownBy: 'gateway' } })
  })

  it('of a payment is recorded in its history, and its status is still asked for', async () => {
    const { world } = await listening()
    const { idTransaction } = await world.json([
      'qr',
      'create',
      '--amount',
      '25',
      '--request-number',
      'o-1',
      ...TO_LISTENER,
    ])
    await control(world.url, 'pay', { id: idTransaction })
    expect(await world.json(['status', 'o-1', '--wait=1m'])).toMatchObject({ status: 'PAID' })
    await settled(world, String(idTransaction))
    expect(await world.json(['status', String(idTransaction)])).toMatchObject({ pixgate: { knownBy: 'gateway' } })
    expect(await world.json(['history', 'show', 'o-1'])).toMatchObject({ pixgate: { state: 'paid', knownBy: 'event' } })
  })
})

/** Waits until an event about it is recorded. */
async function settled(
  world: { run(args: readonly string[]): Promise<ProcessResult> },
  idTransaction: string,
): Promise<void> {
  const events = async () => (await world.run(['webhook', 'events', '-o', 'json'])).stdout
  await expect.poll(events, { timeout: 10_000 }).toContain(idTransaction)
}

/** Waits until nothing listens there any more. */
async function untilClosed({ url }: Listener): Promise<void> {
  for (;;) {
    try {
      await (await fetch(url)).text()
    } catch {
      return
    }
  }
}
