import { readFileSync, rmSync, writeFileSync } from 'node:fs'
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
  /** The ssh clients so far, the oldest first. */
  clients(): number[]
  /** While there is one, no new client is started. */
  hold(): void
  release(): void
}

/** A listener behind a front and a real ssh, which forwards the front's port to it. */
async function listenBehindSsh(options: (url: string) => { args: string[]; before?: string }): Promise<Reached> {
  const world = emptyWorld({ NODE_EXTRA_CA_CERTS: certificates.caPath, PIXGATE_CLIENT_SECRET: SECRET })
  const at = (name: string) => join(world.home, name)
  const ssh = await startSshServer(world.home)
  const farPort = await freePort()
  const front = await startHttpsFront(certificates, farPort)
  const { args, before = '' } = options(front.url)
  const forward = `exec ${ssh} -N -o ExitOnForwardFailure=yes -R 127.0.0.1:${farPort}:127.0.0.1:"$1"`
  const waiting = `while test -e '${at('hold')}'; do sleep 0.02; done`
  const tunnel = `${script(world.home, waiting, `echo $$ >> '${at('clients')}'`, before, forward)} {port}`
  const listener = start(world, ['webhook', 'listen', '--port', '0', '--tunnel', tunnel, ...args])
  const clients = () => readFileSync(at('clients'), 'utf8').split('\n').slice(0, -1).map(Number)
  onTestFinished(() => {
    for (const pid of clients().filter(isRunning)) process.kill(pid, 'SIGKILL')
  })
  return { front, listener, clients, hold: () => writeFileSync(at('hold'), ''), release: () => rmSync(at('hold')) }
}

describe('a listener behind ssh -R', () => {
  itOverSsh('is reached from outside, says when it is not, and when it is again', async () => {
    const { front, listener, clients, hold, release } = await listenBehindSsh((url) => ({
      args: ['--public-url', url],
    }))
    await listener.said(`${front.url} reaches this listener`)
    const body = eventBody('one')
    expect(await front.post(body, { 'X-Signature': signature(body) })).toBe(200)
    expect(await front.post(body, { 'X-Signature': signature(Buffer.from('other')) })).toBe(401)

    hold()
    process.kill(clients().at(-1) ?? 0, 'SIGKILL')
    await listener.said('The tunnel command was terminated by SIGKILL; restarting in 1 s')
    await listener.said(
      `${front.url} does not reach this listener: another server answers there, with 502: no tunnel here`,
    )
    expect(await front.post(body, { 'X-Signature': signature(body) })).toBe(502)

    release()
    await listener.said(`${front.url} reaches this listener again`)
    const next = eventBody('two')
    expect(await front.post(next, { 'X-Signature': signature(next) })).toBe(200)

    listener.signal('SIGINT')
    const { exit, stdout } = await listener.ended
    expect(exit).toBe(0)
    expect(stdout).toContain('one')
    expect(stdout).toContain('two')
    expect(clients()).toHaveLength(2)
    expect(clients().filter(isRunning)).toEqual([])
    expect(await front.post(next, { 'X-Signature': signature(next) })).toBe(502)
  })

  itOverSsh('takes the URL that its command prints', async () => {
    const { front, listener, clients } = await listenBehindSsh((url) => ({
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
    expect(clients().filter(isRunning)).toEqual([])
  })
})
