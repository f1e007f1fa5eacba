import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { runInProcess } from '../inProcess.ts'
import { emptyWorld, sandboxWorld } from '../world.ts'

// A search that begins anew at each character takes minutes; a busy machine takes some seconds to start a process.
const SECONDS = 30
const TOO_LONG = 'is longer than the limit of 2048 characters'

describe('a URL that is too long', () => {
  const long = 'a'.repeat(130_000)
  it.each([
    [['status', 'x', '--base-url', long], '--base-url'],
    [['webhook', 'send', 'pix.received', '--to', `http://127.0.0.1/${long}`], '--to'],
    [['qr', 'create', '--amount', '1', '--callback-url', `http://127.0.0.1/${long}`], '--callback-url'],
    [['webhook', 'listen', '--forward-to', `http://127.0.0.1/${long}`], '--forward-to'],
    [['profile', 'add', 'shop', '--callback-url', `http://127.0.0.1/${long}`], '--callback-url'],
  ])('is refused at once, with the limit', async (words, option) => {
    const startMs = performance.now()
    const ran = await runInProcess(words, emptyWorld().env)
    expect(ran).toMatchObject({ exit: 2, stdout: '', stderr: expect.stringContaining(TOO_LONG) })
    expect(ran.stderr).toContain(`error: The URL from \`${option}\` ${TOO_LONG}\nhint: `)
    expect(performance.now() - startMs).toBeLessThan(SECONDS * 1000)
  })

  it('is taken up to 2048 characters', async () => {
    const world = await sandboxWorld()
    const base = 'http://127.0.0.1:9/'
    const url = base + 'a'.repeat(2048 - base.length)
    const words = ['qr', 'create', '--amount', '1', '--dry-run', '--callback-url']
    await world.prepare([...words, url])
    expect(await world.run([...words, `${url}a`])).toMatchObject({ exit: 2 })
  })

  it('is refused at once in a row of a batch', async () => {
    const world = await sandboxWorld()
    const path = join(world.home, 'people.csv')
    writeFileSync(path, `key,value,callbackUrl\nmaria@example.com,1.00,${'a'.repeat(200_000)}\n`)
    const startMs = performance.now()
    expect(await world.run(['batch', 'transfer', path, '--yes'])).toMatchObject({ exit: 2 })
    expect(performance.now() - startMs).toBeLessThan(SECONDS * 1000)
  })
})

it('refuses a long e-mail address of a payer at once', async () => {
  const startMs = performance.now()
  const email = `a@${'.'.repeat(120_000)} `
  expect(await emptyWorld().run(['qr', 'create', '--amount', '1', '--payer-email', email])).toMatchObject({ exit: 2 })
  expect(performance.now() - startMs).toBeLessThan(SECONDS * 1000)
})
