import { spawn, spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { freePort } from './freePort.ts'
import { emptyWorld, type World } from './world.ts'

const PAGE = readFileSync(join(import.meta.dirname, '..', 'docs', 'receive-webhooks.md'), 'utf8')

const LANGUAGES = [
  { language: 'js', file: 'receiver.mjs', program: process.execPath, args: [] },
  { language: 'python', file: 'receiver.py', program: 'python3', args: [] },
  { language: 'php', file: 'receiver.php', program: 'php', args: ['-S'] },
] as const

type Language = (typeof LANGUAGES)[number]

/** The only block of the page in this language. */
function handlerIn(language: string): string {
  const blocks = [...PAGE.matchAll(/^```(\w+)\n(.*?)^```$/gms)].filter(([, of]) => of === language)
  expect(blocks).toHaveLength(1)
  return blocks[0]?.[2] ?? ''
}

/** The handler of the page, listening. */
async function startReceiver(world: World, { language, file, program, args }: Language) {
  const events = join(world.home, 'events')
  mkdirSync(events)
  writeFileSync(join(world.home, file), handlerIn(language))
  const port = await freePort()
  const words = args.length === 0 ? [file] : [...args, `127.0.0.1:${port}`, file]
  const child = spawn(program, words, {
    cwd: world.home,
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      CLIENT_SECRET: 'local-secret',
      EVENTS_DIR: events,
      PORT: String(port),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  await new Promise<void>((resolve, reject) => {
    let said = ''
    const hear = (chunk: Buffer) => {
      said += chunk.toString('utf8')
      if (/ready|started/.test(said)) resolve()
    }
    child.stdout.on('data', hear)
    child.stderr.on('data', hear)
    child.on('close', () => reject(new Error(`the receiver ended: ${said}`)))
  })
  return { url: `http://127.0.0.1:${port}/`, stored: () => readdirSync(events) }
}

describe.each(LANGUAGES)('the handler in $language', (one) => {
  const isInstalled = spawnSync(one.program, ['--version']).status === 0
  const title = isInstalled ? '' : ` (SKIPPED: ${one.program} IS MISSING)`

  it.skipIf(!isInstalled)(`takes genuine webhooks once and refuses all others${title}`, async () => {
    const world = emptyWorld()
    const { url, stored } = await startReceiver(world, one)
    const send = async (...words: string[]) => {
      const ran = await world.run(['webhook', 'send', ...words, '--to', url])
      return [ran.exit, ran.stderr]
    }
    for (const words of [
      ['pix.received'],
      ['refund.status', '--repeated-key'],
      ['payment', '--signature-encoding', 'base64'],
    ]) {
      expect(await send(...words)).toEqual([0, ''])
    }
    for (const style of ['php', 'python', 'javascript']) {
      expect(await send('pix.received', '--webhook-style', style)).toEqual([0, ''])
    }
    expect(stored()).toHaveLength(6)
    expect(await send('transfer.failed', '--times', '5', '--at-once')).toEqual([0, ''])
    expect(stored()).toHaveLength(7)
    expect((await send('pix.received', '--bad-signature', '--expect', '401'))[0]).toBe(0)
    expect((await send('pix.received', '--unsigned', '--expect', '401'))[0]).toBe(0)
    expect(await asSignedAndRewritten(world, url)).toEqual([200, 401])
    expect(stored()).toHaveLength(8)
  })
})

/** The statuses for a genuine webhook, and for the same one parsed and written again on its way. */
async function asSignedAndRewritten(world: World, url: string): Promise<number[]> {
  const { body } = await world.json(['webhook', 'send', 'pix.received', '--to', url, '--dry-run'])
  const text = String(body)
  const signed = await world.run(['webhook', 'sign', '--body', '-'], { stdin: text })
  const headers = { 'X-Signature': signed.stdout.trim() }
  const post = async (bytes: string) => (await fetch(url, { method: 'POST', headers, body: bytes })).status
  return [await post(text), await post(JSON.stringify(JSON.parse(text)))]
}
