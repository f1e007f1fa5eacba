import { expect, it, onTestFinished, vi } from 'vitest'
import { type FaultGateway, startFaultGateway } from '../gateway/faultGateway.ts'
import { held, stall } from '../gateway/faults.ts'
import { start } from '../gateway/running.ts'
import { emptyWorld } from '../world.ts'
import { csvIn, linesOf } from './batchFiles.ts'
import { failureOf } from './payments.ts'
import { people, planned } from './planPeople.ts'

const ROWS = 12

async function stage() {
  const gateway = await startFaultGateway()
  const world = emptyWorld({ PIXGATE_BASE_URL: gateway.url })
  const rows = Array.from({ length: ROWS }, (_, row) => `p${row}@example.com,${row + 1}`)
  const path = csvIn(world, 'payroll.csv', 'key,value', rows)
  return { gateway, world, line: ['batch', 'transfer', path, '--yes', '-o', 'json', '--concurrency', '2'] }
}

function ids(gateway: FaultGateway): unknown[] {
  return gateway.ledger.map(({ externalId }) => externalId)
}

it('lets one of eight processes work on a batch, and tells the others which', async () => {
  const { gateway, world, line } = await stage()
  const { fault, release } = held()
  gateway.misbehave([fault])
  let endedCount = 0
  const all = Array.from({ length: 8 }, async () => {
    const ran = await start(world, line).ended
    endedCount += 1
    // The one that works waits for an answer until all others have given up.
    if (endedCount === 7) release()
    return ran
  })
  const [working, ...others] = (await Promise.all(all)).sort((one, other) => one.exit - other.exit)
  expect([working?.exit, others]).toMatchObject([0, Array(7).fill({ exit: 2, stdout: '' })])
  for (const other of others) {
    const failure = failureOf(other)
    expect(failure).toMatchObject({ exit: 2, outcome: 'not-sent' })
    expect(failure.details).toMatch(/^Process \d+, started by \S+ on \S+, has been working on it since /)
  }
  expect(new Set(ids(gateway)).size).toBe(ROWS)
  expect(gateway.ledger).toHaveLength(ROWS)
})

it('keeps a row that is being sent from being resumed by another process', async () => {
  const { gateway, world, line } = await stage()
  const { fault, release } = held()
  gateway.misbehave([fault])
  const working = start(world, [...line.slice(0, -1), '1'])
  await gateway.arrived(1)
  // It is carried out, and its answer is on its way.
  await vi.waitUntil(() => gateway.ledger.length > 0)
  const beside = await world.run(['resume', String(ids(gateway)[0]), '--yes', '-o', 'json'])
  expect(failureOf(beside)).toMatchObject({
    exit: 2,
    code: 'REPEAT',
    message: expect.stringContaining('is currently sending'),
  })
  // One is on its way and one is recorded as the next; every screen counts both.
  const [listed] = JSON.parse(await world.prepare(['batch', 'list', '-o', 'json']))
  expect(listed).toMatchObject({ accepted: 0, unknown: 0, beingSent: 2, notSent: ROWS - 2 })
  const { rowsDetail, ...shown } = await world.json(['batch', 'show', listed.run])
  expect(shown).toMatchObject({ accepted: 0, unknown: 0, beingSent: 2, notSent: ROWS - 2 })
  const states = [...Array(2).fill('being-sent'), ...Array(ROWS - 2).fill('not-sent')]
  expect(rowsDetail).toMatchObject(states.map((state) => ({ state })))
  const { stdout } = await world.run(['batch', 'show', listed.run])
  expect(stdout.match(/\tbeing sent\t/g)).toHaveLength(2)
  expect((await world.run(['history'])).stderr).toContain('transfer being sent: 2, R$ 3,00')
  release()
  const ran = await working.ended
  expect([ran.exit, linesOf(ran).at(-1)]).toMatchObject([0, { accepted: ROWS, unknown: 0, notSent: 0 }])
  expect(new Set(ids(gateway)).size).toBe(ROWS)
  expect(gateway.ledger).toHaveLength(ROWS)
})

it('lets nothing else work on a run that a plan sends, and says who does and since when', async () => {
  const { gateway, world, line } = await stage()
  const { maria, joao } = people(onTestFinished, 'maria', 'joao')
  const [, , path = ''] = line
  const file = await planned(world, line.slice(0, 3), maria)
  await world.prepare(['plan', 'approve', file, '--ssh-key', joao.file, '--yes'])
  const { fault, release } = held()
  gateway.misbehave([fault])
  const working = start(world, ['plan', 'send', file, '--yes'])
  await gateway.arrived(1)
  const [{ run }] = JSON.parse(await world.prepare(['batch', 'list', '-o', 'json']))
  for (const words of [
    ['plan', 'send', file],
    ['resume', run],
    ['batch', 'transfer', path],
  ]) {
    const failure = failureOf(await world.run([...words, '--yes', '-o', 'json']))
    expect(failure).toMatchObject({ exit: 2, hint: expect.stringMatching(/^Wait for it to finish/) })
    expect(failure.details).toMatch(/^Process \d+, started by \S+ on \S+, has been working on it since /)
  }
  release()
  expect((await working.ended).exit).toBe(0)
  expect(gateway.ledger).toHaveLength(ROWS)
})

it('ends with 6, and names the row, while another process sends a payment of a run', async () => {
  const { gateway, world, line } = await stage()
  const started = await world.run([...line, '--limit', String(ROWS - 2)])
  const resume = ['resume', String(linesOf(started).at(-1)?.run), '--yes', '-o', 'json']
  const { fault, release } = held()
  gateway.misbehave([fault])
  const single = start(world, ['transfer', '--key', 'p11@example.com', '--amount', '12', '--yes'])
  await gateway.arrived(ROWS - 1)
  // The other row is sent by the first of them.
  for (const accepted of [ROWS - 1, ROWS - 1]) {
    const ran = await world.run(resume)
    expect([ran.exit, linesOf(ran).at(-1)]).toMatchObject([6, { accepted, notSent: 1 }])
    expect(linesOf(ran)).toContainEqual(expect.objectContaining({ line: 13, outcome: 'not-sent', errorCode: 'REPEAT' }))
  }
  release()
  expect((await single.ended).exit).toBe(0)
  expect(gateway.ledger).toHaveLength(ROWS)
})

it('does not pay a row that a single transfer has paid meanwhile', async () => {
  const { gateway, world, line } = await stage()
  const { fault, release } = held()
  gateway.misbehave([fault])
  const working = start(world, [...line.slice(0, -1), '1'])
  await gateway.arrived(1)
  const single = await world.run(['transfer', '--key', 'p11@example.com', '--amount', '12', '--yes'])
  expect(single.exit).toBe(0)
  release()
  const ran = await working.ended
  expect(ran.exit).toBe(1)
  expect(linesOf(ran)).toContainEqual(expect.objectContaining({ line: 13, outcome: 'not-sent', errorCode: 'REPEAT' }))
  expect(linesOf(ran).at(-1)).toMatchObject({ accepted: ROWS - 1, notSent: 1 })
  expect(gateway.ledger).toHaveLength(ROWS)
})

it('finishes what is in flight on Ctrl-C, and goes on with the rest', async () => {
  const { gateway, world, line } = await stage()
  const { fault, release } = held()
  gateway.misbehave([fault])
  const working = start(world, [...line.slice(0, -1), '1'])
  await gateway.arrived(1)
  working.signal('SIGINT')
  setTimeout(release, 300)
  const ran = await working.ended
  expect(ran.exit).toBe(130)
  expect(linesOf(ran)).toMatchObject([
    { line: 2, outcome: 'accepted' },
    ...Array(ROWS - 1).fill({ outcome: 'not-sent', errorCode: null }),
    { accepted: 1, unknown: 0, notSent: ROWS - 1 },
  ])
  const resumed = await world.run(['resume', String(linesOf(ran).at(-1)?.run), '--yes', '-o', 'json'])
  expect([resumed.exit, linesOf(resumed).at(-1)]).toMatchObject([0, { accepted: ROWS, notSent: 0 }])
  expect(new Set(ids(gateway)).size).toBe(ROWS)
  expect(gateway.ledger).toHaveLength(ROWS)
})

it.each(['SIGINT', 'SIGTERM'] as const)('counts what is in flight as unknown on a second %s', async (signal) => {
  const { gateway, world, line } = await stage()
  gateway.always(stall)
  const working = start(world, line)
  await gateway.arrived(2)
  working.signal(signal)
  working.signal(signal === 'SIGINT' ? 'SIGTERM' : signal)
  const ran = await working.ended
  expect([ran.exit, linesOf(ran).at(-1)]).toMatchObject([5, { accepted: 0, unknown: 2, notSent: ROWS - 2 }])
  const named = linesOf(ran).filter(({ outcome }) => outcome === 'not-sent')
  expect(named.map(({ line: at }) => at)).toEqual(Array.from({ length: ROWS - 2 }, (_, row) => row + 4))
  gateway.always(undefined)
  const resumed = await world.run(['resume', String(linesOf(ran).at(-1)?.run), '--yes', '-o', 'json'])
  expect([resumed.exit, linesOf(resumed).at(-1)]).toMatchObject([0, { accepted: ROWS, unknown: 0 }])
  expect(gateway.ledger).toHaveLength(ROWS)
})

it('says once that it waits, and does not claim an end for what a second Ctrl-C does not wait for', async () => {
  const { gateway, world, line } = await stage()
  gateway.always(stall)
  const working = start(
    world,
    line.filter((word) => word !== '-o' && word !== 'json'),
  )
  await gateway.arrived(2)
  working.signal('SIGINT')
  await working.said('Waiting for the answers')
  working.signal('SIGINT')
  const { exit, stdout, stderr } = await working.ended
  expect([exit, stderr.match(/Waiting for the answers/g)?.length]).toEqual([5, 1])
  expect(stderr).toContain('were not waited for')
  expect(stderr).not.toContain('has finished')
  expect(stdout.match(/^line \d+ .*not sent/gm)).toHaveLength(ROWS - 2)
})

it('stops if the gateway cannot be reached, with no unknown outcome', async () => {
  const { world, line } = await stage()
  const env = { PIXGATE_BASE_URL: 'http://127.0.0.1:9' }
  const ran = await world.run(line, { env })
  expect([ran.exit, linesOf(ran).at(-1)]).toMatchObject([6, { accepted: 0, unknown: 0, notSent: ROWS }])
})
