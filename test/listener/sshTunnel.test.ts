import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished } from 'vitest'
import { freePort } from '../freePort.ts'
import { type Certificates, makeCertificates } from '../gateway/certificates.ts'
import { type Started, start } from '../gateway/running.ts'
import { emptyWorld } from '../world.ts'
import { type HttpsFront, startHttpsFront } from './httpsFront.ts'
import { SECRET } from './listening.ts'
import { itOverSsh, startSshServer } from './sshServer.ts'
import { isRunning, script } from './tunnels.ts'
import { eventBody, signature } from './webhooks.ts'

let certificates: Certificates
beforeAll(() => {
  certificates = makeCertificates()
})
afterAll(() => certificates.remove())

interface Reached {
  front: HttpsFront
  listener: Started
  /** The process id of the ssh client. */
  client(): number
}

/** A listener behind a front and a real ssh, which forwards the front's port to it. */
async function listenBehindSsh(options: (url: string) => { args: string[]; before?: string }): Promise<Reached> {
  const world = emptyWorld({ NODE_EXTRA_CA_CERTS: certificates.caPath, PIXGATE_CLIENT_SECRET: SECRET })
  const pidFile = join(world.home, 'client')
  const ssh = await startSshServer(world.home)
  const farPort = await freePort()
  const front = await startHttpsFront(certificates, farPort)
  const { args, before = '' } = options(front.url)
  const forward = `exec ${ssh} -N -o ExitOnForwardFailure=yes -R 127.0.0.1:${farPort}:127.0.0.1:"$1"`
  const tunnel = `${script(world.home, `echo $$ > '${pidFile}'`, before, forward)} {port}`
  const listener = start(world, ['webhook', 'listen', '--port', '0', '--tunnel', tunnel, ...args])
  const client = () => Number(readFileSync(pidFile, 'utf8'))
  onTestFinished(() => {
    if (isRunning(client())) process.kill(client(), 'SIGKILL')
  })
  return { front, listener, client }
}

describe('a listener behind ssh -R', () => {
  itOverSsh('is reached at the URL that it is told, and ends when the tunnel does', async () => {
    const { front, listener, client } = await listenBehindSsh((url) => ({ args: ['--public-url', url] }))
    const body = eventBody('one')
    const post = (signed = body) => front.post(body, { 'X-Signature': signature(signed) })
    await expect.poll(post, { timeout: 20_000 }).toBe(200)
    expect(await post(Buffer.from('other'))).toBe(401)
    process.kill(client(), 'SIGKILL')
    const { exit, stdout, stderr } = await listener.ended
    expect(exit).toBe(6)
    expect(stdout).toContain('one')
    expect(stdout).toContain('2 received: 1 valid')
    expect(stderr).toContain('error: The tunnel command was terminated by SIGKILL\n')
    expect(await post()).toBe(502)
  })

  itOverSsh('takes the URL that its command prints', async () => {
    const { front, listener, client } = await listenBehindSsh((url) => ({
      args: ['-o', 'json', '--max-events', '1'],
      before: `echo 'see https://docs.example/tunnels' >&2; echo 'open at ${url}' >&2`,
    }))
    const body = eventBody('three')
    await expect.poll(() => front.post(body, { 'X-Signature': signature(body) }), { timeout: 20_000 }).toBe(200)
    const { exit, stdout } = await listener.ended
    const [ready, event] = stdout
      .split('\n')
      .slice(0, 2)
      .map((line) => JSON.parse(line))
    expect(exit).toBe(0)
    expect(ready).toMatchObject({ type: 'ready', publicUrl: front.url })
    expect(event).toMatchObject({ type: 'event', valid: true, bodyBase64: body.toString('base64') })
    expect(isRunning(client())).toBe(false)
  })
})
