import { spawn } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import { createServer } from 'node:net'
import { platform } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { withFolderLock } from '../../src/locks/folderLock.ts'
import { endingOf } from '../gateway/commandLines.ts'
import { errorAnswer, startFaultGateway } from '../gateway/faultGateway.ts'
import { answering, held, resetAfterReading } from '../gateway/faults.ts'
import { start } from '../gateway/running.ts'
import { BINARY, emptyWorld, NODE } from '../world.ts'

const SAME = ['transfer', '--key', 'maria@example.com', '--amount', '10', '--yes', '-o', 'json']

async function stage() {
  const gateway = await startFaultGateway()
  return { gateway, world: emptyWorld({ PIXGATE_BASE_URL: gateway.url }) }
}

it.each([
  ['the same payment', [], true],
  ['the same payment, meant', ['--again'], true],
  // Whoever was not refused before waits until it is known how the first one ended.
  ['the same external id', ['--external-id', 'order-1'], false],
])('pays once where three type at once: %s', async (_, more, isJudgedInDoubt) => {
  const { gateway, world } = await stage()
  // Whoever comes first is still in doubt when the others are judged.
  const { fault, release } = held()
  gateway.misbehave([fault])
  const crowd = [1, 2, 3].map(() => start(world, [...SAME, ...more]))
  await gateway.arrived(1)
  const over: Awaited<(typeof crowd)[number]['ended']>[] = []
  await new Promise<void>((resolve) => {
    for (const { ended } of crowd) void ended.then((ran) => over.push(ran) === crowd.length - 1 && resolve())
    if (!isJudgedInDoubt) resolve()
  })
  release()
  const ends = (await Promise.all(crowd.map(({ ended }) => ended))).map(endingOf)
  const refused = { exit: 2, code: 'REPEAT', outcome: 'not-sent' }
  expect(ends.sort((one, other) => one.exit - other.exit)).toMatchObject([{ exit: 0 }, refused, refused])
  expect(gateway.ledger).toHaveLength(1)
  expect(gateway.arrivals).toHaveLength(1)
})

it('waits for the process that is sending it before it goes on with it', async () => {
  const { gateway, world } = await stage()
  const { fault, release } = held()
  gateway.misbehave([fault])
  const sending = start(world, [...SAME, '--external-id', 'order-1'])
  await gateway.arrived(1)
  const resuming = start(world, ['resume', 'order-1', '--yes'])
  await resuming.said('sent today')
  // Long enough for a second POST, if one were to come.
  await Promise.race([gateway.arrived(2), sleep(1500)])
  release()
  expect((await sending.ended).exit).toBe(0)
  const resumed = await resuming.ended
  expect(resumed.exit).toBe(0)
  expect(gateway.arrivals).toHaveLength(1)
  const known = await world.json(['status', 'order-1'])
  expect(known).toMatchObject({ pixgate: { state: 'accepted', outcome: 'accepted' } })
})

it('does not pay again what was not sent and has been paid under another id since', async () => {
  const port = await freePort()
  const world = emptyWorld({ PIXGATE_BASE_URL: `http://127.0.0.1:${port}` })
  expect((await world.run([...SAME, '--external-id', 'order-1'])).exit).toBe(6)
  const gateway = await startFaultGateway({ port })
  expect((await world.run([...SAME, '--external-id', 'order-2'])).exit).toBe(0)
  const resumed = await world.run(['resume', 'order-1', '--yes', '-o', 'json'])
  expect(endingOf(resumed)).toMatchObject({ exit: 2, code: 'REPEAT', externalId: 'order-2' })
  expect(gateway.ledger).toHaveLength(1)
})

it('keeps a doubt that a refusal at the door does not settle', async () => {
  const { gateway, world } = await stage()
  gateway.misbehave([resetAfterReading, answering(errorAnswer(400, 'NO_FUNDS')), answering({ status: 400 })])
  expect((await world.run([...SAME, '--external-id', 'order-1'])).exit).toBe(5)
  expect((await world.run(['resume', 'order-1', '--yes'])).exit).toBe(5)
  await world.run(['resume', 'order-1', '--yes'])
  expect(await world.json(['status', 'order-1'])).toMatchObject({ pixgate: { state: 'unknown' } })
  expect((await world.run(['resume', 'order-1', '--yes'])).exit).toBe(0)
  expect(gateway.ledger).toHaveLength(1)
})

it.runIf(platform() === 'linux').each([
  ['standard output', 1, 70],
  ['standard error', 2, 0],
])('never calls a payment refused because %s is full', async (_, stream, exit) => {
  const { gateway, world } = await stage()
  const full = openSync('/dev/full', 'w')
  const stdio = [0, 1, 2].map((each) => (each === stream ? full : 'ignore'))
  const child = spawn(NODE, [BINARY, ...SAME.slice(0, -2)], { env: world.env, stdio })
  expect(await new Promise((resolve) => child.on('close', resolve))).toBe(exit)
  closeSync(full)
  expect(gateway.ledger).toHaveLength(1)
  expect((await world.run(['history'])).stdout).toContain('accepted')
})

it('says that the outcome is known or unknown where a termination leaves no time to record it', async () => {
  const { gateway, world } = await stage()
  const { fault, release } = held()
  gateway.misbehave([fault])
  const sending = start(world, [...SAME, '--external-id', 'order-1'])
  await gateway.arrived(1)
  const ran = await withFolderLock(join(world.home, 'data'), 'timeline', platform(), async () => {
    release()
    sending.signal('SIGTERM')
    return sending.ended
  })
  expect([0, 5]).toContain(ran.exit)
  const resumed = await world.json(['resume', 'order-1', '--yes'])
  expect(resumed).toMatchObject({ pixgate: { outcome: 'accepted-before' } })
  expect(gateway.ledger).toHaveLength(1)
})

/** A port at which nobody listens yet. */
function freePort(): Promise<number> {
  const server = createServer()
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0))
    })
  })
}
