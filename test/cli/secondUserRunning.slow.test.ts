import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, it } from 'vitest'
import { held } from '../gateway/faults.ts'
import { USERS } from '../twoUsers.ts'
import { findable, ROWS, SECRET, stage, transfer } from './secondUserStage.ts'

it.skipIf(USERS === undefined)(
  'shows other users nothing of what runs, and lets them change nothing',
  { timeout: 60_000 },
  async () => {
    const { machine, gateway } = await stage()
    const pause = held()
    gateway.misbehave([pause.fault], 'POST')
    const paying = machine.start(transfer('rui@example.com'))
    await gateway.arrived(1)
    gateway.misbehave([pause.fault], 'POST')
    const batch = machine.start(
      ['batch', 'transfer', '-', '--reference', 'run', '--again', '--results', 'results.csv', '--yes'],
      ROWS,
    )
    const listening = machine.start(['webhook', 'listen', '--port', '0', '--inspect', '0', '-o', 'json'])
    await gateway.arrived(2)
    await expect.poll(() => portsOf(listening.pid).length).toBe(2)
    expect(findable(machine)).toEqual([])
    for (const { pid } of [paying, batch, listening]) {
      expect(namedSocketsOf(pid)).toEqual([])
      expect(machine.asNeighbour('cat "/proc/$1/cmdline" && kill -0 "$1"', String(pid))).toMatchObject({
        exit: 1,
        stdout: expect.not.stringContaining(SECRET),
      })
      const read = machine.asNeighbour(
        'for file in environ mem maps stack auxv; do cat "/proc/$1/$file"; done; ls "/proc/$1/fd" "/proc/$1/cwd/"; cat "/proc/$1/root/etc/hostname"',
        String(pid),
      )
      expect(read.stdout.split('\n').filter((line) => line !== '')).toEqual([])
    }
    for (const port of portsOf(listening.pid)) {
      for (const path of ['/', '/api/events', '/api/stream', '/api/payments', '/sandbox/state', '/healthz']) {
        const answer = await ask(port, path)
        expect([path, answer.status]).not.toEqual([path, 200])
        expect(answer.body).not.toMatch(/ana@example\.com|known-to-one-user/)
      }
    }
    pause.release()
    for (const { ended } of [paying, batch]) expect((await ended).exit).toBe(0)
    expect(findable(machine)).toEqual([])
  },
)

it.skipIf(USERS === undefined)(
  'obeys other users in a sandbox, and tells them nothing that is worth something',
  { timeout: 60_000 },
  async () => {
    const { machine, gateway } = await stage()
    const token = `token-${SECRET}`
    machine.env.PIXGATE_CONTROL_TOKEN = token
    const sandbox = machine.start(['sandbox', '--port', '0'])
    const exec = machine.start([
      'sandbox',
      'exec',
      '--',
      'sh',
      '-c',
      'pixgate qr create --amount 1 && echo > "$HOME/ready"; sleep 60',
    ])
    await expect.poll(() => existsSync(join(machine.home, 'ready')), { timeout: 40_000 }).toBe(true)
    await expect.poll(() => portsOf(sandbox.pid).length).toBe(1)
    const [port = 0] = portsOf(sandbox.pid)
    const ask = (method: string, path: string) =>
      JSON.parse(
        machine.asNeighbour(`"$1" -e "$2" "$3" "$4"`, process.execPath, ASK, `http://127.0.0.1:${port}${path}`, method)
          .stdout,
      )
    // A program on this machine controls a sandbox: it holds nothing but test data.
    for (const path of ['/sandbox/state', '/sandbox/requests', '/openapi.json', '/healthz']) {
      const { status, body } = ask('GET', path)
      expect([path, status, body.includes(SECRET)]).toEqual([path, 200, false])
    }
    for (const [method, path] of [
      ['GET', '/api/v2/gateway/consult-transaction?idTransaction=paid-1'],
      ['POST', '/api/v1/gateway/pix-payment'],
    ] as const) {
      expect([path, ask(method, path).status]).toEqual([path, 401])
    }
    for (const { pid } of [sandbox, exec]) {
      expect(machine.asNeighbour('cat "/proc/$1/cmdline" "/proc/$1/environ"', String(pid)).stdout).not.toMatch(
        /SECRET|token-/,
      )
    }
    expect(findable(machine).filter((path) => !path.endsWith('/ready'))).toEqual([])
    expect(gateway.arrivals).toEqual([])
  },
)

/** A program that asks an address by a method, and prints status and body. */
const ASK = `fetch(process.argv[1], { method: process.argv[2] }).then(async (answer) =>
  console.log(JSON.stringify({ status: answer.status, body: await answer.text() })))`

/** The sockets of a process that have a name, by which others could find them. */
function namedSocketsOf(pid: number): string[] {
  const inodes = socketsOf(pid)
  const lines = readFileSync('/proc/net/unix', 'utf8').trim().split('\n').slice(1)
  return lines.flatMap((line) => {
    const [, , , , , , inode = '', name = ''] = line.trim().split(/\s+/)
    return name !== '' && inodes.has(inode) ? [name] : []
  })
}

function socketsOf(pid: number): ReadonlySet<string> {
  return new Set(
    readdirSync(`/proc/${pid}/fd`).map((fd) => /socket:\[(\d+)\]/.exec(linkOf(`/proc/${pid}/fd/${fd}`))?.[1] ?? ''),
  )
}

/** The ports on which a process listens. All must be of loopback. */
function portsOf(pid: number): number[] {
  const inodes = socketsOf(pid)
  const lines = readFileSync('/proc/net/tcp', 'utf8').trim().split('\n').slice(1)
  return lines.flatMap((line) => {
    const [, local = '', , state, , , , , , inode = ''] = line.trim().split(/\s+/)
    if (state !== '0A' || !inodes.has(inode)) return []
    const [address, port = ''] = local.split(':')
    expect(address).toBe('0100007F')
    return [Number.parseInt(port, 16)]
  })
}

function linkOf(path: string): string {
  try {
    return readlinkSync(path)
  } catch {
    // It was closed meanwhile.
    return ''
  }
}

function ask(port: number, path: string): Promise<{ status: number; body: string }> {
  return new Promise((resolve, reject) => {
    const sent = request({ port, path, host: '127.0.0.1' }, async (response) =>
      resolve({ status: response.statusCode ?? 0, body: await text(response) }),
    )
    sent.on('error', reject)
    sent.end()
  })
}
