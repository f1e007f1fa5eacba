import { connect } from 'node:net'
import { Worker } from 'node:worker_threads'
import { describe, expect, it, onTestFinished } from 'vitest'
import { emptyWorld } from '../world.ts'
import { ACCEPTED, endingOf, NOT_SENT, POSTS, STATUS, UNKNOWN, UNUSABLE } from './commandLines.ts'
import { startFaultGateway } from './faultGateway.ts'
import { answering, drip, dripHead, resetAfterActing, stall } from './faults.ts'
import { Milestones } from './milestones.ts'
import { runHere } from './running.ts'

/** Far above what `--timeout 700ms` should take, far below what connecting (10 s) or a call (30 s) takes by default. */
const SOON_MS = 6000
const COMMANDS = [STATUS, ...Object.values(POSTS)]

/** Listens, never accepts, and has its queue filled up, so that a connection is neither made nor refused. */
async function fullBacklog(): Promise<string> {
  const script = `
    const { parentPort } = require('node:worker_threads')
    const server = require('node:net').createServer().listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => {
      parentPort.postMessage(server.address().port)
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
    })`
  const worker = new Worker(script, { eval: true })
  onTestFinished(async () => void (await worker.terminate()))
  const port = await new Promise<number>((resolve) => worker.once('message', resolve))
  const connected = new Milestones()
  for (const _ of [1, 2, 3, 4]) {
    const socket = connect(port, '127.0.0.1', () => connected.reach(connected.count + 1))
    socket.on('error', () => undefined)
    onTestFinished(() => void socket.destroy())
  }
  // The system queues one more than it is told to.
  await connected.when(2)
  return `http://127.0.0.1:${port}`
}

describe('the deadline of a call', () => {
  it.runIf(process.platform === 'linux')('holds if no connection is established', async () => {
    const url = await fullBacklog()
    const env = { PIXGATE_BASE_URL: url, PIXGATE_OUTPUT: 'json' }
    const began = Date.now()
    for (const ran of await Promise.all(COMMANDS.map((args) => runHere([...args, '--timeout', '700ms'], env)))) {
      expect(endingOf(ran)).toMatchObject(NOT_SENT)
    }
    expect(Date.now() - began).toBeLessThan(SOON_MS)
  })

  it('holds if TLS is never answered', async () => {
    const mute = await startFaultGateway({ tls: {}, isMute: true })
    const env = { PIXGATE_BASE_URL: mute.url, PIXGATE_OUTPUT: 'json' }
    const began = Date.now()
    for (const ran of await Promise.all(COMMANDS.map((args) => runHere([...args, '--timeout', '700ms'], env)))) {
      expect(endingOf(ran)).toMatchObject(NOT_SENT)
    }
    expect(Date.now() - began).toBeLessThan(SOON_MS)
    // A charge of a sandbox on this machine asks first what day it is there.
    expect(mute.connections).toBe(COMMANDS.length + 1)
  })

  it.each([stall, drip, dripHead])('holds if the answer does not end (%o)', async (fault) => {
    const gateway = await startFaultGateway()
    gateway.always(fault)
    const began = Date.now()
    const run = (args: readonly string[]) =>
      runHere([...args, '-o', 'json', '--timeout', '700ms', '--base-url', gateway.url], {})
    const [status, ...posts] = await Promise.all(COMMANDS.map(run))
    expect(status && endingOf(status)).toMatchObject(UNUSABLE)
    for (const ran of posts) expect(endingOf(ran)).toMatchObject(UNKNOWN)
    expect(Date.now() - began).toBeLessThan(SOON_MS)
  })

  it('holds for all attempts and their pauses together', async () => {
    const gateway = await startFaultGateway()
    gateway.misbehave([answering({ status: 503, headers: { 'retry-after': '1' } }), stall])
    const began = Date.now()
    const ran = await runHere([...STATUS, '-o', 'json', '--timeout', '2500ms', '--base-url', gateway.url], {})
    expect(endingOf(ran)).toMatchObject(UNUSABLE)
    expect(gateway.arrivals.length).toBe(2)
    expect(Date.now() - began).toBeLessThan(SOON_MS)
  })

  it('does not pass immediately if it exceeds the longest timer', async () => {
    const gateway = await startFaultGateway()
    for (const args of [STATUS, POSTS.transfer]) {
      const ran = await runHere([...args, '-o', 'json', '--timeout', '60d', '--base-url', gateway.url], {})
      expect(endingOf(ran)).toEqual(ACCEPTED)
    }
  })
})

it('leaves nothing that keeps the process alive', async () => {
  const mute = await startFaultGateway({ isMute: true })
  const breaking = await startFaultGateway()
  breaking.always(resetAfterActing)
  const world = emptyWorld({ PIXGATE_OUTPUT: 'json' })
  const began = Date.now()
  const [onMute, onBreaking, onNobody] = await Promise.all([
    world.run([...POSTS.transfer, '--timeout', '300ms', '--base-url', mute.url]),
    world.run([...POSTS.refund, '--base-url', breaking.url]),
    world.run([...POSTS.qr, '--base-url', 'http://127.0.0.1:1']),
  ])
  expect(endingOf(onMute)).toMatchObject(UNKNOWN)
  expect(endingOf(onBreaking)).toMatchObject(UNKNOWN)
  expect(endingOf(onNobody)).toMatchObject(NOT_SENT)
  expect(Date.now() - began).toBeLessThan(SOON_MS)
})
