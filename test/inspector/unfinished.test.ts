import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { interrupt, linesOf, startListening } from '../listener/listening.ts'
import { deliver, eventBody } from '../listener/webhooks.ts'
import { emptyWorld } from '../world.ts'

const CAN_LIMIT = spawnSync('prlimit', ['--version']).status === 0
if (!CAN_LIMIT) process.stderr.write('WITHOUT prlimit NO PROCESS RUNS OUT OF DESCRIPTORS: this is not tested\n')
const DESCRIPTORS = 400
const CONNECTIONS = 800

it.runIf(CAN_LIMIT)('lets no connections to the page keep genuine webhooks from the listener', async () => {
  const listening = await startListening(emptyWorld(), ['--inspect', '0'])
  const [ready] = linesOf(listening)
  const { port, origin, pathname } = new URL(String(ready?.inspectUrl))
  const limit = ['--pid', String(listening.pid), `--nofile=${DESCRIPTORS}:${DESCRIPTORS}`]
  expect(spawnSync('prlimit', limit).status).toBe(0)
  const sockets = Array.from({ length: CONNECTIONS }, () =>
    connect(Number(port), '127.0.0.1').on('error', () => undefined),
  )
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
  })
  await Promise.all(sockets.map((socket) => once(socket, 'connect')))
  for (const socket of sockets) socket.write('GET / HTTP/1.1\r\n')
  const [status, page] = await Promise.all([
    deliver(listening.port, eventBody('genuine')),
    fetch(origin + pathname, { signal: AbortSignal.timeout(10_000) }).then(({ status }) => status),
  ])
  expect([status, page]).toEqual([200, 200])
  expect(await interrupt(listening)).toMatchObject({ exit: 0 })
})
