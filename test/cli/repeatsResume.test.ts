import { userInfo } from 'node:os'
import { describe, expect, it } from 'vitest'
import { findPayments } from '../../src/ledger/payments.ts'
import type { Writer } from '../../src/ledger/writer.ts'
import { errorAnswer, type Fault, type FaultGateway, startFaultGateway } from '../gateway/faultGateway.ts'
import { answering, resetAfterActing, resetAfterReading } from '../gateway/faults.ts'
import { answerContent } from '../ledger/paymentHistory.ts'
import { writeTo } from '../ledger/storedLedger.ts'
import { emptyWorld, type World } from '../world.ts'
import { csvIn } from './batchFiles.ts'
import { failureOf, inThisProcess, remembered, TRANSFER } from './payments.ts'

const JSON_YES = ['-o', 'json', '--yes']
const RESUME = ['resume', 'invoice-17', ...JSON_YES]
const UNREACHED = { PIXGATE_BASE_URL: 'https://127.0.0.1:1' }

/** A transfer with an unknown outcome: what the gateway did before it broke off is up to the fault. */
async function inDoubt(fault: Fault): Promise<{ gateway: FaultGateway; world: World }> {
  const gateway = await startFaultGateway()
  gateway.misbehave([fault])
  const world = inThisProcess(emptyWorld({ PIXGATE_BASE_URL: gateway.url }))
  expect((await world.run([...TRANSFER, ...JSON_YES])).exit).toBe(5)
  expect(await remembered(world)).toEqual(['invoice-17 unknown'])
  return { gateway, world }
}

describe('a transfer with an unknown outcome', () => {
  it('is known to be held by the gateway once it is sent again', async () => {
    const { gateway, world } = await inDoubt(resetAfterActing)
    const before = { externalId: 'invoice-17', pixgate: { outcome: 'accepted-before' } }
    expect(await world.json(['resume', 'invoice-17', '--yes'])).toMatchObject(before)
    expect(await remembered(world)).toEqual(['invoice-17 accepted'])
    expect(await world.json(['resume', 'invoice-17'])).toMatchObject(before)
    expect([gateway.ledger.length, gateway.arrivals.length]).toEqual([1, 2])
  })

  it('is sent in the same bytes if the gateway had not taken it', async () => {
    const { gateway, world } = await inDoubt(resetAfterReading)
    const { stdout, stderr, exit } = await world.run(['transfer', '--retry', 'invoice-17', '--yes'])
    expect(exit).toBe(0)
    expect(stdout).toContain(gateway.ledger[0]?.idTransaction)
    expect(stderr).toContain('sent today   R$ 0,00, not counting this one\n')
    expect(await remembered(world)).toEqual(['invoice-17 accepted'])
    expect(gateway.arrivals[1]?.body).toBe(gateway.arrivals[0]?.body)
    expect(gateway.ledger).toHaveLength(1)
  })

  it('still has an unknown outcome if the gateway refuses the second attempt for itself', async () => {
    const { gateway, world } = await inDoubt(resetAfterReading)
    gateway.misbehave([answering(errorAnswer(404, 'PIX_KEY_NOT_FOUND'))])
    expect(failureOf(await world.run(RESUME))).toMatchObject({ exit: 5, code: 'PIX_KEY_NOT_FOUND', outcome: 'unknown' })
    expect(await remembered(world)).toEqual(['invoice-17 unknown'])
    expect(failureOf(await world.run([...TRANSFER, ...JSON_YES]))).toMatchObject({ exit: 2, code: 'REPEAT' })
    await world.json(RESUME.filter((word) => word !== '-o' && word !== 'json'))
    expect(gateway.ledger).toHaveLength(1)
  })

  it('asks, and sends nothing unasked', async () => {
    const { gateway, world } = await inDoubt(resetAfterReading)
    const unasked = failureOf(await world.run(['resume', 'invoice-17', '-o', 'json']))
    expect(unasked).toMatchObject({ exit: 2, code: 'CONFIRMATION_REQUIRED' })
    const dryRun = await world.json(['resume', 'invoice-17', '--dry-run'])
    expect(dryRun).toMatchObject({ method: 'POST', headers: { cs: '••••' }, body: { externalId: 'invoice-17' } })
    const mixed = failureOf(await world.run(['transfer', '--retry', 'invoice-17', '--amount', '15', ...JSON_YES]))
    expect(mixed).toMatchObject({ exit: 2, code: 'USAGE', outcome: 'not-sent' })
    expect(gateway.arrivals).toHaveLength(1)
  })

  it.each<[string, Fault, number, string]>([
    ['wrong credentials', answering(errorAnswer(401, 'INVALID_CREDENTIALS')), 4, 'INVALID_CREDENTIALS'],
    ['an address that is not registered', answering(errorAnswer(403, 'UNAUTHORIZED_IP')), 4, 'UNAUTHORIZED_IP'],
    ['too many requests', answering(errorAnswer(429, 'TOO_MANY_REQUESTS')), 7, 'TOO_MANY_REQUESTS'],
    ['no funds, which it may have used up itself', answering(errorAnswer(400, 'NO_FUNDS')), 5, 'NO_FUNDS'],
    ['a refusal that is not the gateway’s', answering({ status: 413, body: '<html>' }), 1, 'REFUSED'],
    ['an answer that says nothing', answering({ status: 502 }), 5, 'OUTCOME_UNKNOWN'],
  ])('stays so with %s', async (_, fault, exit, code) => {
    const { gateway, world } = await inDoubt(resetAfterActing)
    gateway.misbehave([fault])
    const failure = failureOf(await world.run(RESUME))
    expect(failure).toMatchObject({ exit, code, outcome: 'unknown', externalId: 'invoice-17' })
    expect(await remembered(world)).toEqual(['invoice-17 unknown'])
    const settled = await world.json(['resume', 'invoice-17', '--yes'])
    expect(settled).toMatchObject({ pixgate: { outcome: 'accepted-before' } })
    expect(gateway.ledger).toHaveLength(1)
  })

  it('belongs to its address and credentials', async () => {
    const { world } = await inDoubt(resetAfterActing)
    const other = failureOf(await world.run(RESUME, { env: UNREACHED }))
    expect(other).toMatchObject({ exit: 2, outcome: 'not-sent' })
    const unknown = failureOf(await world.run(['resume', 'invoice-18', ...JSON_YES]))
    expect(unknown).toMatchObject({ exit: 3, outcome: 'not-sent' })
  })
})

describe('a transfer that was not sent', () => {
  it('is sent by resume under its own id', async () => {
    const { gateway, world } = await notSent()
    expect(await world.json(['resume', 'invoice-17', '--yes'])).toMatchObject({ pixgate: { outcome: 'accepted' } })
    expect(gateway.ledger).toMatchObject([{ externalId: 'invoice-17' }])
    expect(await remembered(world)).toContain('invoice-17 accepted')
  })

  it('is not sent by resume once the same payment has been made under another id', async () => {
    const { gateway, world } = await notSent()
    await world.json([...TRANSFER.slice(0, 5), '--external-id', 'invoice-18', '--yes'])
    const resumed = await world.json(['resume', 'invoice-17', '--yes'])
    expect(resumed).toMatchObject({ externalId: 'invoice-18', pixgate: { outcome: 'accepted-before' } })
    expect(gateway.ledger).toHaveLength(1)
  })

  /** A transfer whose connection was never made. */
  async function notSent() {
    const { gateway, world } = await inDoubt(resetAfterReading)
    const answerAsSender = (writer: Writer) => {
      const [payment] = findPayments(writer.database, 'invoice-17')
      if (payment === undefined) throw new Error('the transfer is not in the ledger')
      writer.append(answerContent(payment.id, payment.first.id, 'not-sent'))
    }
    await writeTo(world, answerAsSender, { user: userInfo().username })
    expect(await remembered(world)).toEqual(['invoice-17 not-sent'])
    return { gateway, world }
  }
})

it.each<[what: string, fault: Fault[], more: string[], exit: number, hint: string]>([
  ['was paid', [], [], 1, ' --again`'],
  ['has an unknown outcome', [resetAfterReading], ['--again'], 5, '`pixgate resume b`'],
])(
  'a row of a run whose payment %s under another id ends it with the same code, whether or not others are sent',
  async (_, fault, again, exit, hint) => {
    const gateway = await startFaultGateway()
    const world = inThisProcess(emptyWorld({ PIXGATE_BASE_URL: gateway.url }))
    const file = csvIn(world, 'b.csv', 'key,value', ['a@example.com,1', 'b@example.com,2', 'c@example.com,3'])
    const sent = await world.run(['batch', 'transfer', file, '--limit', '1', '--yes'])
    const [run = ''] = /run-\w+/.exec(sent.stderr) ?? []
    gateway.misbehave(fault)
    await world.run(['transfer', '--key', 'b@example.com', '--amount', '2', '--external-id', 'b', '--yes'])
    const resume = ['resume', run, ...again]
    const first = await world.run([...resume, '--yes'])
    expect([first.exit, first.stderr.replace(/\s+/g, ' ')]).toEqual([exit, expect.stringContaining('line 3')])
    const second = failureOf(await world.run([...resume, ...JSON_YES]))
    expect(second).toMatchObject({ exit, code: 'REPEAT', outcome: 'not-sent', faults: [{ line: 3 }] })
    expect(second.hint).toContain(hint)
    expect(second.hint).not.toMatch(/Remove|other ids/)
    expect((await world.run([...resume, '--dry-run', ...JSON_YES])).exit).toBe(exit)
    expect(gateway.ledger).toHaveLength(exit === 1 ? 3 : 2)
  },
)
