import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { startFaultGateway } from '../gateway/faultGateway.ts'
import { held } from '../gateway/faults.ts'
import { start } from '../gateway/running.ts'
import { workbookText } from '../workbookText.ts'
import { emptyWorld } from '../world.ts'
import { failureOf, inThisProcess } from './payments.ts'
import { writeCharge } from './sentPayments.ts'

const JSON_YES = ['--yes', '-o', 'json']
const HOLDER = /Process \d+, started by \S+ on \S+, has been working on it since \d\d\/\d\d\/\d{4} \d\d:\d\d:\d\d BRT/

/** A machine on which a process is sending what these words ask for, until `finish` is called. */
async function stage(words: (file: string) => readonly string[]) {
  const gateway = await startFaultGateway()
  const world = inThisProcess(emptyWorld({ PIXGATE_BASE_URL: gateway.url }))
  const file = join(world.home, 'rows.csv')
  writeFileSync(file, 'key,value\nmaria@example.com,10\n')
  const { fault, release } = held()
  gateway.misbehave([fault], 'POST')
  const sending = start(world, [...words(file), '--yes', '-o', 'json'])
  const finish = async () => {
    release()
    expect((await sending.ended).exit).toBe(0)
    expect(gateway.ledger).toHaveLength(1)
  }
  return { gateway, world, file, finish }
}

const TRANSFER = ['transfer', '--key', 'maria@example.com', '--amount', '10', '--external-id']
const REFUND = ['refund', '0b935d10-3c90-4af3-8776-dd18622a7941', '--reason', 'x', '--amount']

it('names the process that is sending a transfer, to whatever would make it again', async () => {
  const { gateway, world, file, finish } = await stage(() => [...TRANSFER, 'order-1'])
  await gateway.arrived(1)
  const others = [
    [...TRANSFER, 'order-2'],
    [...TRANSFER, 'order-1'],
    [...TRANSFER, 'order-2', '--dry-run'],
    [...TRANSFER, 'order-2', '--again'],
    ['resume', 'order-1'],
    ['history', 'settle', 'order-1', '--as', 'paid', '--because', 'x'],
  ]
  for (const words of others) {
    const failure = failureOf(await world.run([...words, ...JSON_YES]))
    expect(failure).toMatchObject({ exit: 2, message: 'Another process is currently sending order-1' })
    expect(failure.details).toMatch(HOLDER)
  }
  for (const more of [[], ['--dry-run']]) {
    const batch = failureOf(await world.run(['batch', 'transfer', file, ...more, ...JSON_YES]))
    expect(batch).toMatchObject({ exit: 2, code: 'REPEAT', hint: expect.stringMatching(/^Wait for it to finish/) })
    expect(batch.faults).toEqual([{ line: 2, column: 'key', message: expect.stringMatching(HOLDER) }])
  }
  await finish()
  const after = failureOf(await world.run([...TRANSFER, 'order-2', ...JSON_YES]))
  expect(after).toMatchObject({ exit: 2, message: 'The same payment was already sent' })
})

it('names the process that is sending a row of a batch', async () => {
  const { gateway, world, file, finish } = await stage((rows) => ['batch', 'transfer', rows])
  await gateway.arrived(1)
  const single = failureOf(await world.run([...TRANSFER, 'order-1', ...JSON_YES]))
  expect(single).toMatchObject({
    exit: 2,
    message: expect.stringMatching(/^Another process is currently sending rows-/),
  })
  expect(single.details).toMatch(HOLDER)
  const other = failureOf(await world.run(['batch', 'transfer', file, '--reference', 'other', ...JSON_YES]))
  expect(other.faults).toEqual([{ line: 2, column: 'key', message: expect.stringMatching(HOLDER) }])
  await finish()
})

it('says everywhere that a payment is being sent, as long as its sender lives', async () => {
  const { gateway, world, finish } = await stage((rows) => ['batch', 'transfer', rows, '--reference', 'n1'])
  await gateway.arrived(1)
  const json = async (...words: string[]) => JSON.parse(await world.prepare([...words, '-o', 'json']))
  const [listed] = await json('history')
  const { id, run } = listed.pixgate
  const told = async () => ({
    list: (await json('history'))[0].pixgate.state,
    attempts: (await json('history', '--attempts'))[0].pixgate.state,
    show: (await json('history', 'show', id)).pixgate.state,
    status: (await json('status', id)).pixgate.state,
    find: (await json('history', 'find', 'maria'))[0].pixgate.state,
    row: (await json('batch', 'show', run)).rowsDetail[0].state,
    run: (({ unknown, beingSent }) => ({ unknown, beingSent }))(await json('status', run)),
    beingSent: (await json('history', '--state', 'being-sent')).length,
    attemptsBeingSent: (await json('history', '--attempts', '--state', 'being-sent')).length,
    unknown: (await json('history', '--state', 'unknown')).length,
  })
  const state = 'being-sent'
  expect(await told()).toEqual({
    ...{ list: state, attempts: state, show: state, status: state, find: state, row: state },
    ...{ run: { unknown: 0, beingSent: 1 }, beingSent: 1, attemptsBeingSent: 1, unknown: 0 },
  })
  expect(listed.pixgate.beingSent).toEqual({
    user: expect.any(String),
    machine: expect.any(String),
    since: expect.any(String),
    until: null,
  })
  const list = await world.run(['history', '--state', 'being-sent'])
  expect(list.stdout).toMatch(/\bbeing sent\b/)
  expect(list.stderr).toContain('transfer being sent: 1, R$ 10,00')
  for (const words of [
    ['history', 'show', id],
    ['status', id],
  ]) {
    expect((await world.run(words)).stdout).toMatch(/state +being sent by \S+ on \S+ since/)
  }
  expect((await world.run(['history', 'check', '-o', 'json'])).exit).toBe(0)
  await finish()
  expect(await told()).toMatchObject({ list: 'accepted', row: 'accepted', beingSent: 0, unknown: 0 })
})

it('names the process that is sending a refund of the same payment', async () => {
  const { gateway, world, finish } = await stage(() => [...REFUND, '2'])
  await gateway.arrived(2)
  for (const amount of ['2', '3']) {
    const failure = failureOf(await world.run([...REFUND, amount, ...JSON_YES]))
    expect(failure).toMatchObject({
      exit: 2,
      code: 'REPEAT',
      message: expect.stringMatching(/^Another process is currently/),
    })
    expect(failure.details).toMatch(HOLDER)
  }
  await finish()
})

it('says of a refund that it is being sent inside its charge, and in the sums of the month', async () => {
  const { gateway, world, finish } = await stage(() => [...REFUND, '2'])
  await gateway.arrived(2)
  const at = new Date().toISOString()
  await writeCharge(world, {
    at,
    requestNumber: 'order-1',
    owner: { baseUrl: gateway.url },
    answer: { idTransaction: REFUND[1] ?? '' },
  })
  const charge = JSON.parse(await world.prepare(['history', 'show', REFUND[1] ?? '', '-o', 'json']))
  expect(charge.pixgate.refunds).toEqual([expect.objectContaining({ state: 'being-sent', amount: 2 })])
  const shown = await world.prepare(['history', 'show', REFUND[1] ?? ''])
  expect(shown).toMatch(/R\$ 2,00 more is being sent/)
  expect(shown).toMatch(/R\$ 2,00, being sent, on /)
  expect(shown).not.toContain('unknown outcome')
  // São Paulo is three hours behind UTC.
  const month = new Date(Date.parse(at) - 3 * 3_600_000).toISOString().slice(0, 7)
  expect((await world.run(['history', '--month', month])).stderr).toContain('refund being sent: 1, R$ 2,00')
  const out = join(world.home, 'month.xlsx')
  const report = await world.run(['history', 'report', '--month', month, '--out', out])
  expect(report.stdout).toMatch(/^Refunds +0 +R\$ 0,00$/m)
  expect(report.stdout).toMatch(/^Being sent at this moment +1 +R\$ 2,00$/m)
  expect(report.stderr).toContain('Not in the net, although the money may have moved: 1\n')
  expect(report.stdout + workbookText(out)).not.toContain('unknown outcome')
  await finish()
})
