import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect, onTestFinished, test } from 'vitest'
import { inThisProcess, paidPayment } from '../cli/payments.ts'
import { recordEvent } from '../cli/recordedEvents.ts'
import { webhookTarget } from '../cli/webhookTarget.ts'
import { freePort } from '../freePort.ts'
import { BINARY, emptyWorld, NODE, sandboxWorld, type World } from '../world.ts'
import { expectDocument, expectOutput } from './validity.ts'

const PAYMENT =
  '{"idTransaction":"tx-1","typeTransaction":"PIX","statusTransaction":"PAID_OUT","value":1.50,"payerName":null}'
const REFUND =
  '{"event":"refund.status","data":{"idTransaction":"r-1","idTransaction":"tx-1","status":"COMPLETED","amount":1.50}}'

/** The lines of a listener with these options, after these webhooks were sent to it and it was interrupted. */
async function linesOf(world: World, args: readonly string[], sent: readonly (readonly string[])[]) {
  const words = ['webhook', 'listen', '--port', '0', '-o', 'json', ...args]
  const child = spawn(NODE, [BINARY, ...words], { env: world.env })
  onTestFinished(() => void child.kill('SIGKILL'))
  const lines: Record<string, unknown>[] = []
  createInterface(child.stdout).on('line', (line) => lines.push(JSON.parse(line)))
  await expect.poll(() => lines.length, { timeout: 10_000 }).toBe(1)
  const { run } = inThisProcess(world)
  for (const each of sent) await run(['webhook', 'send', ...each, '--to', String(lines[0]?.url)])
  const ended = new Promise((resolve) => child.on('close', resolve))
  child.kill('SIGINT')
  await ended
  return lines
}

test('the lines of a listener', async () => {
  const world = emptyWorld()
  const target = await webhookTarget({ body: 'not today' })
  target.answer(200, 500)
  const sent = [
    ['pix.received', '--times', '2'],
    ['refund.status', '--repeated-key'],
    ['payment', '--unsigned'],
  ]
  const forwarded = await linesOf(world, ['--forward-to', target.url, '--allow-unsigned'], sent)
  expect(forwarded.map(({ type }) => type).toSorted()).toEqual([
    ...Array(4).fill('event'),
    ...Array(4).fill('forward'),
    'ready',
    'summary',
  ])
  const unreachable = ['--forward-to', `http://127.0.0.1:${await freePort()}/`]
  const refused = await linesOf(world, unreachable, [
    ['pix.received'],
    ['pix.received', '--bad-signature'],
    ['payment', '--unsigned'],
  ])
  expect(refused.filter(({ type }) => type === 'event').map(({ reason }) => reason)).toEqual([
    null,
    'mismatch',
    'missing',
  ])
  for (const line of [...forwarded, ...refused]) expectDocument('webhook-listen', line)
})

test('recorded, sent and replayed webhooks', async () => {
  const world = emptyWorld()
  const target = await webhookTarget()
  await recordEvent(world, PAYMENT, { forwards: [{ url: target.url, status: null, error: 'refused' }] })
  await recordEvent(world, REFUND, { forwards: [{ url: target.url, status: 200 }] })
  await recordEvent(world, '[1]')
  await expectOutput(world, 'webhook-events', ['webhook', 'events'])
  for (const name of ['1', '3', 'tx-1']) {
    await expectOutput(world, 'webhook-events-show', ['webhook', 'events', 'show', name])
  }
  const to = ['--to', target.url]
  const nobody = ['--to', `http://127.0.0.1:${await freePort()}/`]
  await expectOutput(world, 'webhook-send', ['webhook', 'send', 'payment', ...to])
  await expectOutput(world, 'webhook-send', ['webhook', 'send', 'payment', '--times', '2', ...nobody])
  await expectOutput(world, 'dry-run', ['webhook', 'send', 'payment', '--dry-run', ...to])
  await expectOutput(world, 'webhook-replay', ['webhook', 'replay', '1', ...to])
  await expectOutput(world, 'webhook-replay', ['webhook', 'replay', '1', '2', ...nobody])
})

test('imports, batches of refunds, doctor and demo', async () => {
  const world = await sandboxWorld()
  const path = join(world.home, 'kept.ndjson')
  const { signature } = JSON.parse(
    await world.prepare(['webhook', 'sign', '--body', '-', '-o', 'json'], { stdin: PAYMENT }),
  )
  writeFileSync(
    path,
    `${JSON.stringify({ body: PAYMENT, signature })}\n${JSON.stringify({ body: REFUND, signature })}\n`,
  )
  await expectOutput(world, 'history-import', ['history', 'import', path])
  const idTransaction = await paidPayment(world.url, 10)
  const file = join(world.home, 'returns.csv')
  writeFileSync(file, `originalTransactionId,amount,refundReason\n${idTransaction},1,x\n`)
  await expectOutput(world, 'batch-refund', ['batch', 'refund', file, '--dry-run'])
  await expectOutput(world, 'batch-refund', ['batch', 'refund', file, '--yes'])
  await expectOutput(world, 'doctor', ['doctor'])
  await expectOutput(world, 'demo', ['demo'])
})
