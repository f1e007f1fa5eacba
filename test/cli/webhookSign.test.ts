import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { judgeSignature } from '../../src/wire/signature.ts'
import { here } from '../inProcess.ts'
import { emptyWorld } from '../world.ts'

const BODY = '{"event":"pix.received","data":{"name":"ação"}}\r\n'

/** The signature by openssl. */
function openssl(body: Buffer, secret: string): Buffer {
  return execFileSync('openssl', ['dgst', '-sha256', '-hmac', secret, '-binary'], { input: body })
}

it('prints what openssl says, and nothing else', async () => {
  const world = emptyWorld()
  const bodies = [BODY, '', 'no JSON', Buffer.from([0, 255, 10, 13, 0xef, 0xbb, 0xbf])].map((body) => Buffer.from(body))
  for (const body of bodies) {
    const expected = openssl(body, 'local-secret')
    const run = body.length === BODY.length ? world.run : here(world)
    const hex = await run(['webhook', 'sign', '--body', '-'], { stdin: body })
    expect(hex).toEqual({ exit: 0, stdout: `${expected.toString('hex')}\n`, stderr: '' })
    const base64 = await run(['webhook', 'sign', '--body', '-', '--signature-encoding', 'base64'], {
      stdin: body,
    })
    expect(base64).toEqual({ exit: 0, stdout: `${expected.toString('base64')}\n`, stderr: '' })
    expect(judgeSignature(body, [base64.stdout.trim()], 'local-secret')).toMatchObject({ valid: true })
  }
})

it('is a document for a program', async () => {
  const world = emptyWorld({ PIXGATE_CLIENT_SECRET: 'a lone secret' })
  const path = join(world.home, 'event.json')
  writeFileSync(path, BODY)
  const signature = openssl(Buffer.from(BODY), 'a lone secret').toString('base64')
  const document = await world.json(['webhook', 'sign', '--body', path, '--signature-encoding', 'base64'])
  expect(document).toEqual({ signature, encoding: 'base64' })
})

it('has no secret to sign with', async () => {
  const world = emptyWorld({ PIXGATE_CLIENT_ID: 'somebody' })
  const { exit, stdout } = await world.run(['webhook', 'sign', '--body', '-'], { stdin: BODY })
  expect([exit, stdout]).toEqual([4, ''])
})
