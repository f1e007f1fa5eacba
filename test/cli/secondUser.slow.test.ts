import { execFileSync } from 'node:child_process'
import { chmodSync, chownSync, existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { USERS } from '../twoUsers.ts'
import { done, findable, ROWS, SECRET, stage, transfer } from './secondUserStage.ts'
import { hmac } from './webhookTarget.ts'

const ORIGINAL = '0b935d10-3c90-4af3-8776-dd18622a7941'

it.skipIf(USERS === undefined)(
  'keeps everything that it writes from other users, whatever the umask',
  { timeout: 90_000 },
  async () => {
    const { machine, users } = await stage()
    await done(machine, transfer('ana@example.com'))
    const batch = ['batch', 'transfer', '-', '--reference', 'payroll', '--again', '--results', 'results.csv', '--yes']
    const printed = await done(machine, [...batch, '-o', 'json'], ROWS)
    const { run } = JSON.parse(printed.trimEnd().split('\n').at(-1) ?? '')
    await done(machine, ['batch', 'report', run, '--out', 'run.xlsx'])
    const key = join(machine.home, 'ssh-key')
    const { uid, gid } = users.payer
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', 'maria', '-f', key], { uid, gid })
    chmodSync(`${key}.pub`, 0o600)
    await done(machine, [...transfer('carla@example.com'), '--plan', 'plan.json', '--ssh-key', key])
    await done(machine, ['payee', 'add', 'ana', '--key', 'ana@example.com'])
    await done(machine, ['history', 'report', '--month', '2026-11', '--out', 'month.xlsx'])
    await done(machine, ['history', 'backup', 'backup.db'])
    await done(machine, ['status', '--from', '-'], `${ORIGINAL}\n`)
    const signature = hmac('{"a":1}', SECRET, 'hex')
    const verify = ['webhook', 'verify', '--body', '-', '--signature', signature, '--recover', 'original.json']
    expect((await machine.run(verify, { stdin: '{"a":1}\n' })).exit).toBe(1)
    await done(machine, ['sandbox', 'exec', '--', 'true'])
    for (const name of [
      'results.csv',
      'run.xlsx',
      'plan.json',
      'plan.json.maria.sig',
      'month.xlsx',
      'backup.db',
      'original.json',
    ])
      expect([name, existsSync(join(machine.home, name))]).toEqual([name, true])
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
    ['history', 'report', '--month', '2026-11', '--out', join(closed, 'm.xlsx')],
  ]) {
    const before = gateway.ledger.length
    const { exit, stderr } = await machine.run(args, { stdin: ROWS })
    expect([args[1], exit, gateway.ledger.length], stderr).toEqual([args[1], 2, before])
  }
  expect(readdirSync(closed)).toEqual([])
})
