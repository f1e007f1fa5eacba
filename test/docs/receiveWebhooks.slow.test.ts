import { type ChildProcess, spawn } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import type { WebhookBody } from '../../src/schemas/webhookBodies.ts'
import { eventBody, repeatIdKey, WEBHOOK_STYLES } from '../../src/wire/eventBody.ts'
import { type SignatureEncoding, signBody } from '../../src/wire/signature.ts'
import { freePort } from '../freePort.ts'
import { emptyWorld, type World } from '../world.ts'
import { namedBlocks } from './pages.ts'
import { RECEIVERS, type Receiver } from './receivers.ts'

const ROOT = join(import.meta.dirname, '..', '..')
const BLOCKS = namedBlocks('receive-webhooks.md')
const SECRET = 'local-secret'
/** Each language writes it in another way. */
const TRANSFER: WebhookBody = {
  event: 'transfer.completed',
  data: {
    idTransaction: '0b935d10-3c90-4af3-8776-dd18622a7941',
    typeTransaction: 'PIX_CASHOUT',
    statusTransaction: 'PAID_OUT',
    value: 10,
    destinationName: 'João',
    destinationTaxId: '52998224725',
    destinationBank: 'Banco',
  },
}
const REFUND: WebhookBody = {
  event: 'refund.status',
  data: {
    idTransaction: '1b935d10-3c90-4af3-8776-dd18622a7941',
    originalTransactionId: '2b935d10-3c90-4af3-8776-dd18622a7941',
    status: 'COMPLETED',
    amount: 10,
    timestamp: '2026-11-22T14:05:09Z',
  },
}
/** Compiling Go's HTTP server for the first time takes long. */
const TIMEOUT_MS = 120_000

it('runs every handler of the page', () => {
  expect([...BLOCKS.keys()].toSorted()).toEqual(RECEIVERS.flatMap(({ files }) => files).toSorted())
})

for (const receiver of RECEIVERS) {
  const { missing } = receiver
  const skipped = missing === undefined ? '' : ` (SKIPPED: ${missing} IS MISSING)`
  if (missing !== undefined) console.warn(`SKIPPED: ${missing} is missing, so the ${receiver.name} handler is not run`)

  it.skipIf(missing !== undefined)(
    `${receiver.name}: takes genuine webhooks once and refuses all others${skipped}`,
    async () => {
      const world = emptyWorld()
      const folder = writeProject(world, receiver)
      const { url, child } = await startReceiver(receiver, folder, SECRET)
      const together = await answers(world, url, ['transfer.failed', '--times', '5', '--at-once'])
      expect(together.toSorted()).toEqual([...Array(4).fill('200 duplicate'), '200 stored'])
      expect(await answers(world, url, ['pix.received', '--bad-signature', '--expect', '401'])).toHaveLength(1)
      expect(await answers(world, url, ['pix.received', '--unsigned', '--expect', '401'])).toHaveLength(1)
      for (const style of WEBHOOK_STYLES) {
        const body = eventBody(TRANSFER, style)
        expect(await post(url, body, sign(body))).toBe('200 stored')
      }
      const repeated = repeatIdKey(eventBody(REFUND, 'java'))
      expect(await post(url, repeated, sign(repeated, 'base64'))).toBe('200 stored')
      const rewritten = JSON.stringify(TRANSFER)
      expect(await post(url, rewritten, sign(eventBody(TRANSFER, 'java')))).toMatch(/^401/)
      expect(await post(url, rewritten, 'é')).toMatch(/^401/)
      expect(await post(url, '', undefined)).toMatch(/^401/)
      child.kill('SIGKILL')

      const careless = await startReceiver(receiver, folder, '')
      if (careless.child.exitCode !== null) return
      const forged = createHmac('sha256', '').update('{}').digest('hex')
      expect(await post(careless.url, '{}', forged)).toMatch(/^[45]/)
    },
    TIMEOUT_MS,
  )
}

/** A folder with the receiver's files of the page, the rest of its project, and the packages of this one. */
function writeProject(world: World, { files, project }: Receiver): string {
  const folder = join(world.home, 'shop')
  mkdirSync(join(folder, 'events'), { recursive: true })
  if (project !== undefined) cpSync(join(ROOT, 'test', 'fixtures', project), folder, { recursive: true })
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  for (const file of files) {
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    writeFileSync(join(folder, file), BLOCKS.get(file) ?? '')
  }
  return folder
}

/** Resolves when the receiver listens, or has ended. */
async function startReceiver(receiver: Receiver, folder: string, secret: string) {
  const port = await freePort()
  const child: ChildProcess = spawn('sh', ['-c', receiver.command(port)], {
    cwd: folder,
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      CLIENT_SECRET: secret,
      EVENTS_DIR: join(folder, 'events'),
      DATABASE: join(folder, 'events.db'),
      PORT: String(port),
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  let said = ''
  child.stderr?.on('data', (chunk: Buffer) => {
    said += chunk.toString('utf8')
  })
  const url = `http://127.0.0.1:${port}/pix`
  const listens = async () =>
    child.exitCode !== null ||
    (await fetch(url).then(
      () => true,
      () => false,
    ))
  await expect.poll(listens, { timeout: TIMEOUT_MS, interval: 50 }).toBe(true)
  if (secret !== '' && child.exitCode !== null) throw new Error(`the receiver ended: ${said}`)
  return { url, child }
}

interface Delivered {
  status: number
  body: string
}

/** What the receiver answered to each delivery: `200 stored`. */
async function answers(world: World, url: string, words: readonly string[]): Promise<string[]> {
  const sent: Delivered | Delivered[] = JSON.parse(
    await world.prepare(['webhook', 'send', ...words, '--to', url, '-o', 'json']),
  )
  return [sent].flat().map(({ status, body }) => `${status} ${body}`)
}

function sign(body: string, encoding?: SignatureEncoding): string {
  return signBody(Buffer.from(body), SECRET, encoding)
}

/** Status and text of the answer. */
async function post(url: string, body: string, signature: string | undefined): Promise<string> {
  const headers: Record<string, string> = { 'Content-Type': 'application/json' }
  if (signature !== undefined) headers['X-Signature'] = signature
  const answer = await fetch(url, { method: 'POST', headers, body })
  return `${answer.status} ${await answer.text()}`
}
