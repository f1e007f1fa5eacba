import { expect, it } from 'vitest'
import { textOf } from '../../src/storage/sqlite.ts'
import { here } from '../inProcess.ts'
import { writeTo } from '../ledger/storedLedger.ts'
import { onTerminalHere } from '../onTerminalHere.ts'
import { itOnTerminal, onTerminal } from '../pseudoTerminal.ts'
import { sandboxWorld, type World } from '../world.ts'
import { csvIn, linesOf } from './batchFiles.ts'
import { carriedOut, control, failureOf, inThisProcess, paidPayment } from './payments.ts'

type Stage = World & { url: string }

const ROWS = ['maria@example.com,10', 'joao@example.com,20']
const MARIA = ['transfer', '--key', 'maria@example.com', '--amount', '10', '--yes']

async function paid({ url }: Stage): Promise<number[]> {
  return (await carriedOut(url)).transfers.map(({ value }) => value).toSorted((one, other) => one - other)
}

async function newestRun(world: Stage): Promise<Record<string, unknown>> {
  return JSON.parse(await world.prepare(['batch', 'list', '-o', 'json']))[0]
}

itOnTerminal('does not pay a row that another terminal paid while the question was open', async () => {
  const world = await sandboxWorld()
  const path = csvIn(world, 'payroll.csv', 'key,value', ROWS)
  const asking = onTerminal(world, ['batch', 'transfer', path])
  await asking.shows('(y/N)')
  await world.prepare(MARIA)
  asking.press('y\r')
  const { exit, screen } = await asking.ended
  expect(exit).toBe(1)
  expect(screen).toContain('The same payment was already sent')
  expect(await paid(world)).toEqual([10, 20])

  const run = String((await newestRun(world)).run)
  const resumed = failureOf(await here(world)(['resume', run, '--yes', '-o', 'json']))
  expect(resumed).toMatchObject({ exit: 1, code: 'REPEAT', faults: [{ line: 2 }] })
  expect(await paid(world)).toEqual([10, 20])
  const meant = await here(world)(['resume', run, '--again', '--yes', '-o', 'json'])
  expect([meant.exit, linesOf(meant).at(-1)]).toMatchObject([0, { accepted: 2, notSent: 0 }])
  expect(await paid(world)).toEqual([10, 10, 20])
})

it('accepts with --again only what was paid before the question', async () => {
  const world = await sandboxWorld()
  await world.prepare(MARIA)
  const path = csvIn(world, 'payroll.csv', 'key,value', ROWS)
  const asking = onTerminalHere(world, ['batch', 'transfer', path, '--again'])
  await asking.shows('(y/N)')
  await world.prepare(['transfer', '--key', 'joao@example.com', '--amount', '20', '--yes'])
  asking.press('y\r')
  expect((await asking.ended).exit).toBe(1)
  expect(await paid(world)).toEqual([10, 10, 20])
})

it('does not send a row again in a resume that was paid elsewhere while the question was open', async () => {
  const world = await sandboxWorld()
  const path = csvIn(world, 'payroll.csv', 'key,value', ROWS)
  await world.prepare(['batch', 'transfer', path, '--limit', '1', '--concurrency', '1', '--yes'])
  const run = String((await newestRun(world)).run)
  const asking = onTerminalHere(world, ['resume', run])
  await asking.shows('(y/N)')
  await world.prepare(['transfer', '--key', 'joao@example.com', '--amount', '20', '--yes'])
  asking.press('y\r')
  expect((await asking.ended).exit).toBe(1)
  expect(await paid(world)).toEqual([10, 20])
})

it('does not refund the same amount twice if another terminal refunds it while the question is open', async () => {
  const world = await sandboxWorld()
  const original = await paidPayment(world.url, 30)
  const path = csvIn(world, 'returns.csv', 'originalTransactionId,amount,refundReason', [`${original},10,x`])
  const asking = onTerminalHere(world, ['batch', 'refund', path])
  await asking.shows('(y/N)')
  await world.prepare(['refund', original, '--amount', '10', '--reason', 'x', '--yes'])
  asking.press('y\r')
  expect((await asking.ended).exit).toBe(1)
  expect((await carriedOut(world.url)).refunds).toHaveLength(1)
})

it('sends no row again that a person settled as paid while the question of a resume is open', async () => {
  const world = await sandboxWorld()
  const path = csvIn(world, 'payroll.csv', 'key,value', ['maria@example.com,10'])
  await control(world.url, 'fault', { kind: 'drop-before' })
  expect((await inThisProcess(world).run(['batch', 'transfer', path, '--yes'])).exit).toBe(5)
  const run = String((await newestRun(world)).run)
  const asking = onTerminalHere(world, ['resume', run, '--include-unknown'])
  await asking.shows('(y/N)')
  await settleAsPaid(world)
  asking.press('y\r')
  const { exit } = await asking.ended
  expect(exit).toBe(0)
  expect(await paid(world)).toEqual([])
  expect(await newestRun(world)).toMatchObject({ accepted: 1, unknown: 0 })
})

it('does not end with 0 if a row of a resume changed and may be sent again, and names it', async () => {
  const world = await sandboxWorld({}, { PIXGATE_BASE_URL: 'http://127.0.0.1:9' })
  const path = csvIn(world, 'payroll.csv', 'nome,chave,valor,nf,id', ['Maria Lima,maria@example.com,10,NF 7,pay-7'])
  const words = ['batch', 'transfer', path, '--map', 'externalId=id', '--yes']
  expect((await here(world)(words)).exit).toBe(6)
  const run = String((await newestRun(world)).run)
  const asking = onTerminalHere(world, ['resume', run])
  await asking.shows('(y/N)')
  expect((await here(world)(['transfer', '--retry', 'pay-7', '--yes'])).exit).toBe(6)
  asking.press('y\r')
  const { exit, screen } = await asking.ended
  expect(exit).toBe(6)
  expect(screen.replaceAll(/\s+/g, ' ')).toMatch(/line 2 Maria Lima R\$ 10,00 NF 7 not sent .* is now not sent/)
})

itOnTerminal('names who works on a batch while its question is open, and takes nothing from a dry run', async () => {
  const world = await sandboxWorld()
  const path = csvIn(world, 'payroll.csv', 'key,value', ROWS)
  const asking = onTerminal(world, ['batch', 'transfer', path])
  await asking.shows('(y/N)')
  const other = failureOf(await world.run(['batch', 'transfer', path, '--yes', '-o', 'json']))
  expect(other).toMatchObject({ exit: 2, details: expect.stringMatching(/^Process \d+, started by \S+ on \S+, /) })
  await world.prepare(['batch', 'transfer', path, '--dry-run'])
  asking.press('n\r')
  expect((await asking.ended).exit).toBe(130)
  expect(await newestRun(world)).toBeUndefined()
  expect((await world.run(['batch', 'transfer', path, '--yes'])).exit).toBe(0)
  expect(await paid(world)).toEqual([10, 20])
})

/** Records what a person found out, as `history settle` does. */
function settleAsPaid(world: Stage): Promise<void> {
  return writeTo(world, (writer) => {
    const row = writer.database.get('SELECT id FROM payment')
    if (row === undefined) throw new Error('there is no payment')
    writer.append({ type: 'finding', payment: textOf(row, 'id'), as: 'paid', because: 'seen in the dashboard' })
  })
}
