import { expect, it } from 'vitest'
import { localServer } from '../localServer.ts'
import { emptyWorld } from '../world.ts'
import { runListener, send } from './listenerRun.ts'
import { inThisProcess } from './payments.ts'
import { paymentBody, recordEvent } from './recordedEvents.ts'

/** Longer than the 5 s that the service waits. */
const SLOW_MS = 5_100
const LATE = 'It answers after 5 s, when the service has given up and delivers again'

it('counts an answer after 5 s as failed, wherever a webhook is sent', { timeout: 60_000 }, async () => {
  const world = inThisProcess(emptyWorld())
  const to = await localServer((_, response) => void setTimeout(() => response.end('{}'), SLOW_MS))
  const again = inThisProcess(emptyWorld())
  await recordEvent(again, paymentBody('a'), { forwards: [{ url: to, status: 500 }] })
  const [sent, inJson, listened, replayed] = await Promise.all([
    world.run(['webhook', 'send', 'pix.received', '--to', to, '--expect', '200']),
    world.run(['webhook', 'send', 'pix.received', '--to', to, '-o', 'json']),
    runListener(world, ['--forward-to', to, '--fail-on-forward'], async (listening) => {
      expect(await send(listening.port)).toBe(200)
      await expect.poll(() => listening.printed.length, { timeout: 20_000 }).toBe(3)
    }),
    again.run(['webhook', 'replay', '--failed', '--to', to, '--expect', '200']),
  ])
  expect([sent.exit, sent.stdout.split('\n').slice(1)]).toEqual([1, ['  {}', `  ${LATE}`, '']])
  expect([inJson.exit, JSON.parse(inJson.stdout)]).toMatchObject([1, { status: 200, tooSlow: true }])
  expect(listened.exit).toBe(1)
  expect(listened.summary).toMatchObject({ forwarded: 0, notForwarded: 1 })
  const failed = await world.run(['webhook', 'events', '--failed', '-o', 'csv', '--fields', 'n,forwarded'])
  expect(failed.stdout).toBe('n,pixgate.forwarded\n1,failed\n')
  expect([replayed.exit, replayed.stdout]).toEqual([1, expect.stringContaining(LATE)])
})
