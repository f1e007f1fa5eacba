import { randomUUID } from 'node:crypto'
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, it } from 'vitest'
import { type FaultGateway, startFaultGateway } from '../gateway/faultGateway.ts'
import { held } from '../gateway/faults.ts'
import { type SharedMachine, sharedMachine, USERS } from '../twoUsers.ts'
import { hmac } from './webhookTarget.ts'

const SECRET = `known-to-one-user-${randomUUID()}`
const ORIGINAL = '0b935d10-3c90-4af3-8776-dd18622a7941'
const ROWS = 'key,value\nana@example.com,1\nbia@example.com,2\n'

interface Stage {
  machine: SharedMachine
  gateway: FaultGateway
  users: NonNullable<typeof USERS>
}

/** A user with a stored profile, who has made everything that pixgate writes, under names that a neighbour can guess. */
async function stage(): Promise<Stage> {
  if (USERS === undefined) throw new Error('there is one user')
  const gateway = await startFaultGateway()
  const machine = sharedMachine(USERS)
  const add = ['profile', 'add', 'shop', '--base-url', gateway.url, '--client-id', 'an-id', '--no-test']
  await done(machine, [...add, '--callback-url', 'http://127.0.0.1:9/', '--client-secret-stdin'], SECRET)
  return { machine, gateway, users: USERS }
}

async function done({ run }: SharedMachine, args: readonly string[], stdin?: string): Promise<string> {
  const ran = await run(args, stdin === undefined ? {} : { stdin })
  expect(ran.exit, `${args.join(' ')}: ${ran.stderr}`).toBe(0)
  return ran.stdout
}

const transfer = (key: string) => ['transfer', '--key', key, '--amount', '1', '--external-id', key, '--yes']

/** What a neighbour finds in the folders of both users that he can read or write. */
function findable({ asNeighbour, home, shared }: SharedMachine): string[] {
  const found = asNeighbour(
    'find "$@" \\( -readable -o -writable \\) ! -type d; find "$@" -mindepth 1 -type d -readable',
    home,
    shared,
  )
  return found.stdout.split('\n').filter((path) => path !== '')
}

it.skipIf(USERS === undefined)(
  'keeps everything that it writes from other users, whatever the umask',
  { timeout: 90_000 },
  async () => {
    const { machine } = await stage()
    await done(machine, transfer('ana@example.com'))
    await done(
      machine,
      ['batch', 'transfer', '-', '--reference', 'payroll', '--again', '--results', 'results.csv', '--yes'],
      ROWS,
    )
    await done(machine, ['payee', 'add', 'ana', '--key', 'ana@example.com'])
    await done(machine, ['history', 'report', '--month', '2026-11', '--out', 'month.xlsx'])
    await done(machine, ['history', 'backup', 'backup.db'])
    await done(machine, ['status', '--from', '-'], `${ORIGINAL}\n`)
    const signature = hmac('{"a":1}', SECRET, 'hex')
    const verify = ['webhook', 'verify', '--body', '-', '--signature', signature, '--recover', 'original.json']
    expect((await machine.run(verify, { stdin: '{"a":1}\n' })).exit).toBe(1)
    await done(machine, ['sandbox', 'exec', '--', 'true'])
    for (const name of ['results.csv', 'month.xlsx', 'backup.db', 'original.json'])
      expect([name, existsSync(join(machine.home, name))]).toEqual([name, true])
    expect(findable(machine)).toEqual([])
  },
)

it.skipIf(USERS === undefined)(
  'shows other users nothing of what runs, and lets them change nothing',
  { timeout: 60_000 },
  async () => {
    const { machine, gateway } = await stage()
    const pause = held()
    gateway.misbehave([pause.fault], 'POST')
    const paying = machine.start(transfer('ana@example.com'))
    const listening = machine.start(['webhook', 'listen', '--port', '0', '--inspect', '0', '-o', 'json'])
    await gateway.arrived(1)
    await expect.poll(() => portsOf(listening.pid).length).toBe(2)
    for (const { pid } of [paying, listening]) {
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
    expect((await paying.ended).exit).toBe(0)
    expect(findable(machine)).toEqual([])
  },
)

it.skipIf(USERS === undefined)(
  'uses no file and folder of other users, and writes through none of their links',
  { timeout: 60_000 },
  async () => {
    const { machine, gateway, users } = await stage()
    const { neighbour } = users
    const trap = join(machine.shared, 'trap')
    mkdirSync(trap)
    const owned = (path: string) => chownSync(path, neighbour.uid, neighbour.gid)
    owned(trap)
    chmodSync(trap, 0o777)
    const sent = gateway.arrivals.length
    for (const variable of ['PIXGATE_DATA_DIR', 'PIXGATE_CONFIG_DIR']) {
      machine.env[variable] = trap
      const ran = await machine.run(transfer('ana@example.com'))
      expect([2, 4], ran.stderr).toContain(ran.exit)
      expect(ran.stderr).toContain(trap)
      delete machine.env[variable]
    }
    expect(gateway.arrivals.length).toBe(sent)
    // A file of the neighbour where the user's own is expected to be made, and a link to one.
    const [open, linked] = [join(machine.shared, 'open.csv'), join(machine.shared, 'linked.csv')]
    const target = join(trap, 'target')
    for (const path of [open, target]) {
      writeFileSync(path, 'bait')
      owned(path)
      chmodSync(path, 0o666)
    }
    symlinkSync(target, linked)
    for (const path of [open, linked])
      await machine.run(['batch', 'transfer', '-', '--reference', path, '--again', '--results', path, '--yes'], {
        stdin: ROWS,
      })
    expect(machine.asNeighbour('cat "$@" 2> /dev/null', open, target).stdout).not.toContain('@example.com')
    expect(findable(machine).filter((path) => !path.startsWith(trap) && ![open, linked].includes(path))).toEqual([])
  },
)

/** What may not be used, by its path below the home. */
const LOCKED: [path: string, mode: number][] = [
  ['.local/share/pixgate', 0o000],
  ['.local/share/pixgate', 0o500],
  ['.local/share/pixgate/ledger.db', 0o000],
  ['.local/share/pixgate/locks', 0o000],
  ['.config/pixgate', 0o000],
  ['.config/pixgate/profiles.json', 0o000],
  ['.config/pixgate/ledgers', 0o000],
]

it.skipIf(USERS === undefined)('sends nothing if it may not use its own folders', { timeout: 90_000 }, async () => {
  const { machine, gateway } = await stage()
  await done(machine, transfer('first@example.com'))
  const booked = () => gateway.ledger.map(({ externalId }) => externalId)
  for (const [index, [path, mode]] of LOCKED.entries()) {
    const locked = join(machine.home, path)
    chmodSync(locked, mode)
    const name = `locked-${index}@example.com`
    const { exit, stderr } = await machine.run([...transfer(name), '-p', 'shop'])
    chmodSync(locked, path.endsWith('.db') || path.endsWith('.json') ? 0o600 : 0o700)
    expect([path, mode, exit, booked().includes(name)], stderr).toEqual([path, mode, exit === 0 ? 0 : 2, exit === 0])
    if (exit !== 0) expect(stderr).toMatch(/^error: .*\/home\/\.(?:.*\n)+hint: /m)
  }
  const closed = join(machine.home, 'closed')
  mkdirSync(closed)
  for (const args of [
    ['batch', 'transfer', '-', '--reference', 'closed', '--again', '--yes', '--results', join(closed, 'r.csv')],
    ['qr', 'create', '--amount', '1', '--png', join(closed, 'q.png')],
    ['history', 'backup', join(closed, 'b.db')],
    ['history', 'report', '--month', '2026-11', '--out', join(closed, 'm.csv')],
  ]) {
    const before = gateway.ledger.length
    const { exit, stderr } = await machine.run(args, { stdin: ROWS })
    expect([args[1], exit, gateway.ledger.length], stderr).toEqual([args[1], 2, before])
  }
  expect(readdirSync(closed)).toEqual([])
})

/** The ports on which a process listens. All must be of loopback. */
function portsOf(pid: number): number[] {
  const inodes = new Set(
    readdirSync(`/proc/${pid}/fd`).map((fd) => /socket:\[(\d+)\]/.exec(linkOf(`/proc/${pid}/fd/${fd}`))?.[1] ?? ''),
  )
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
