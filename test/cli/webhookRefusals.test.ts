import { expect, it } from 'vitest'
import { here } from '../inProcess.ts'
import { emptyWorld } from '../world.ts'
import { recordEvent } from './recordedEvents.ts'
import { charge, runSandbox } from './runningSandbox.ts'
import { webhookTarget } from './webhookTarget.ts'

/** The lines that are a command about the receiver, without their indent. */
const commandsIn = (text: string) => text.split('\n').flatMap((line) => /^ +(pixgate .*)$/.exec(line)?.[1] ?? [])

it('names the command that finds out why a receiver refuses, ready to paste, where webhooks are sent', async () => {
  const target = await webhookTarget()
  target.answer(401)
  const world = emptyWorld()
  const url = `${target.url}?a=1&b=2`
  const sent = await world.run(['webhook', 'send', 'pix.received', '--to', url, '-p', 'local'])
  expect(commandsIn(sent.stdout)).toEqual([`pixgate -p local webhook check '${url}'`])
  await recordEvent(world, '{"event":"pix.received","data":{}}')
  const replayed = await here(world)(['webhook', 'replay', '1', '--to', url])
  expect(commandsIn(replayed.stdout)).toEqual([`pixgate webhook check '${url}'`])
  // What it says can be typed: this receiver takes the samples of a check.
  expect((await here(world)(['-p', 'local', 'webhook', 'check', url])).exit).toBe(0)
  target.answer(404, 302, 204)
  for (const status of [404, 302, 204]) {
    const { stdout } = await here(world)(['webhook', 'send', 'payment', '--to', url])
    expect([status, commandsIn(stdout)]).toEqual([status, []])
  }
  target.answer(401)
  const forged = await here(world)(['webhook', 'send', 'payment', '--to', url, '--bad-signature'])
  expect(commandsIn(forged.stdout)).toEqual([])
})

it('the sandbox names it, with the profile that has its secret', async () => {
  const target = await webhookTarget()
  target.answer(401)
  const sandbox = await runSandbox(emptyWorld(), ['--deliver-delays', '1ms'])
  const { body } = await sandbox.post('/api/v2/gateway/request-qrcode', charge({ callbackUrl: target.url }))
  await sandbox.post('/sandbox/pay', { id: body.idTransaction })
  await expect.poll(sandbox.stderr).toContain('attempt 3 of 3')
  expect(commandsIn(sandbox.stderr())).toEqual([`pixgate -p local webhook check ${target.url}`])
})
