import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { startFaultGateway } from '../gateway/faultGateway.ts'
import { held } from '../gateway/faults.ts'
import { start } from '../gateway/running.ts'
import { emptyWorld } from '../world.ts'
import { failureOf, inThisProcess } from './payments.ts'

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
