import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { changeProfiles } from '../../src/profiles/changeProfiles.ts'
import type { StoredProfile } from '../../src/profiles/profile.ts'
import { here } from '../inProcess.ts'
import { emptyWorld, type ProcessResult, type World } from '../world.ts'
import { type CountingServer, countingServer } from './countingServer.ts'

/** Ids and secrets, by whom they belong to; none is part of another. */
const CREDENTIALS = {
  a: ['id-of-a', 'secret-of-a-1111'],
  b: ['id-of-b', 'secret-of-b-2222'],
  far: ['id-of-far', 'secret-of-far-3333'],
  typed: ['id-typed', 'secret-typed-4444'],
} as const

type Owner = keyof typeof CREDENTIALS

interface Stage extends World {
  a: CountingServer
  b: CountingServer
}

/** Two servers, and a store with the profiles `a` and `b` for them and `far` for one beyond this machine. */
async function stage(active: string | null, changes: Partial<StoredProfile> = {}): Promise<Stage> {
  const [a, b] = [await countingServer(), await countingServer()]
  const world = emptyWorld()
  await store(world, active, {
    a: { ...stored('a', a.url), ...changes },
    b: stored('b', b.url),
    far: { ...stored('far', 'https://pay.invalid'), environment: 'production' },
  })
  return { ...world, a, b }
}

function stored(owner: Owner, baseUrl: string): StoredProfile {
  const [clientId, value] = CREDENTIALS[owner]
  return { environment: 'sandbox', baseUrl, clientId, secret: { source: 'stored', value } }
}

async function store(world: World, active: string | null, profiles: Record<string, StoredProfile>): Promise<void> {
  const store = { active, profiles: new Map(Object.entries(profiles)) }
  await changeProfiles(world.env.PIXGATE_CONFIG_DIR ?? join(world.home, 'config'), () => store)
}

/**
 * Reads what is given on a command line and in the environment. The words of a line are:
 *
 *     -u A       the option `--base-url` with the address of server `a`; `-u B` with that of `b`
 *     -p b       the option `-p` with this profile
 *     BASE=A     PIXGATE_BASE_URL with the address of server `a`; `BASE=A/` with a slash after it
 *     PROFILE=b  PIXGATE_PROFILE with this profile
 *     ID         PIXGATE_CLIENT_ID with an id of no profile
 *     SECRET     PIXGATE_CLIENT_SECRET with the secret that belongs to that id
 */
function read(line: string, { a, b }: Stage): { options: string[]; env: Record<string, string> } {
  const options: string[] = []
  const env: Record<string, string> = {}
  const address = (text: string) => ({ A: a.url, 'A/': `${a.url}/`, B: b.url })[text] ?? text
  for (const word of line.split(' ').filter((each) => each !== '')) {
    const [name = '', value = ''] = word.split('=')
    if (word === 'ID') env.PIXGATE_CLIENT_ID = CREDENTIALS.typed[0]
    else if (word === 'SECRET') env.PIXGATE_CLIENT_SECRET = CREDENTIALS.typed[1]
    else if (name === 'BASE') env.PIXGATE_BASE_URL = address(value)
    else if (name === 'PROFILE') env.PIXGATE_PROFILE = value
    else options.push(word === '-u' ? '--base-url' : address(word))
  }
  return { options, env }
}

/** Who of all arrived where: `a@a` says that the credentials of `a` arrived at the server of `a`, and nothing else anywhere. */
function arrivals({ a, b }: Stage): string {
  const seen: string[] = []
  for (const [owner, [clientId, secret]] of Object.entries(CREDENTIALS)) {
    if (a.count(secret) > 0 || a.count(clientId) > 0) seen.push(`${owner}@a`)
    if (b.count(secret) > 0 || b.count(clientId) > 0) seen.push(`${owner}@b`)
  }
  if (a.count('local-secret') > 0) seen.push('local@a')
  if (b.count('local-secret') > 0) seen.push('local@b')
  return seen.join(' ')
}

function hides({ stdout, stderr }: ProcessResult): boolean {
  return Object.values(CREDENTIALS).every(([, secret]) => !stdout.includes(secret) && !stderr.includes(secret))
}

/** The rows of the table that the binary runs: the active profile and the line. */
const BY_BINARY = ['a: PROFILE=b BASE=A', 'a: -p b BASE=A ID SECRET']
const STATUS = ['status', 'paid-1']
const TRANSFER = [
  'transfer',
  '--key',
  'maria@example.com',
  '--amount',
  '1',
  '--callback-url',
  'http://127.0.0.1:9/',
  '--yes',
]

describe('every credential arrives where it belongs, or nowhere', () => {
  test.each<[active: string | null, line: string, exit: number, arrived: string]>([
    ['a', '', 0, 'a@a'],
    ['a', '-u A', 0, 'a@a'],
    ['a', 'BASE=A/', 0, 'a@a'],
    ['a', '-u B', 4, ''],
    ['a', 'BASE=B', 4, ''],
    ['a', '-p b', 0, 'b@b'],
    ['a', '-p b -u B', 0, 'b@b'],
    ['a', '-p b -u A', 4, ''],
    ['a', '-p b BASE=A', 4, ''],
    ['a', '-p b BASE=A ID SECRET', 0, 'b@b'],
    ['a', '-p b -u A ID SECRET', 4, ''],
    ['a', 'PROFILE=b', 0, 'b@b'],
    ['a', 'PROFILE=b BASE=A', 4, ''],
    ['a', 'PROFILE=b ID SECRET', 4, ''],
    ['a', 'PROFILE=b BASE=B SECRET', 4, ''],
    ['a', 'BASE=B ID SECRET', 0, 'typed@b'],
    ['a', '-u B ID SECRET', 0, 'typed@b'],
    ['a', '-u B BASE=A ID SECRET', 0, 'typed@b'],
    ['a', 'ID SECRET', 4, ''],
    ['a', 'BASE=B ID', 4, ''],
    ['a', 'BASE=B SECRET', 4, ''],
    ['a', '-u A SECRET', 4, ''],
    ['a', '-p local -u B', 0, 'local@b'],
    ['far', '-u A', 4, ''],
    ['far', 'BASE=B', 4, ''],
    ['far', '-p far -u A ID SECRET', 4, ''],
    [null, '', 4, ''],
    [null, '-u A', 4, ''],
    [null, '-p A', 2, ''],
    [null, '-p a', 0, 'a@a'],
    [null, 'BASE=B ID SECRET', 0, 'typed@b'],
  ])('active %s: %s', async (active, line, exit, arrived) => {
    const on = await stage(active)
    const { options, env } = read(line, on)
    const commands = exit === 0 ? [STATUS, TRANSFER] : [TRANSFER]
    const run = BY_BINARY.includes(`${active}: ${line}`) ? on.run : here(on)
    const all = await Promise.all(commands.map((command) => run([...command, ...options], { env })))
    for (const ran of all) expect([ran.exit, hides(ran)]).toEqual([exit, true])
    expect(arrivals(on)).toBe(arrived)
    if (exit !== 0) expect(on.a.received() + on.b.received()).toBe('')
  })

  test('the address and its path are compared whole', async () => {
    const on = await stage('a')
    for (const address of [`${on.a.url}/v1`, on.a.url.replace('127.0.0.1', 'localhost'), `${on.a.url}0`]) {
      expect((await here(on)([...STATUS, '--base-url', address])).exit).not.toBe(0)
    }
    expect(on.a.received()).toBe('')
  })

  test('a variable that overrides the active profile is reported in one line', async () => {
    const on = await stage('a')
    const { env } = read('BASE=B ID SECRET', on)
    const said = /^`PIXGATE_CLIENT_ID` and `PIXGATE_CLIENT_SECRET` are used instead of the active profile `a`$/gm
    expect((await here(on)(STATUS, { env })).stderr.match(said)).toHaveLength(1)
    expect((await here(on)([...STATUS, '-q'], { env })).stderr).toBe('')
    expect((await here(on)(STATUS)).stderr).not.toMatch(/instead/)
  })
})

describe('money that must not move', () => {
  test('of a read-only profile', async () => {
    const on = await stage('a', { readOnly: true })
    expect((await here(on)(TRANSFER)).exit).toBe(2)
    expect((await here(on)(['refund', 'paid-1', '--reason', 'x', '--yes'])).exit).toBe(2)
    expect(on.a.received()).toBe('')
    await on.prepare(STATUS)
  })

  test('production on this machine asks for the name of its profile', async () => {
    const on = await stage('a', { environment: 'production' })
    expect((await here(on)(TRANSFER)).exit).toBe(2)
    const { env } = read('BASE=A ID SECRET', on)
    expect((await here(on)(TRANSFER, { env })).exit).toBe(2)
    expect(on.a.received()).toBe('')
  })
})

test('doctor says where every value comes from', async () => {
  const on = await stage('a')
  const { env } = read('BASE=B ID SECRET', on)
  const own = await here(on)(['doctor'])
  expect(own.stdout).toMatch(new RegExp(`config folder +${on.env.PIXGATE_CONFIG_DIR}$`, 'm'))
  expect(own.stdout).toMatch(/active profile +a$/m)
  expect(own.stdout).toContain(`${on.a.url}, sandbox (profile a)`)
  const typed = await here(on)(['doctor'], { env })
  expect(typed.stdout).toContain(`${on.b.url}, sandbox (PIXGATE_BASE_URL)`)
  expect(typed.stdout).toContain('client id id-typed (PIXGATE_CLIENT_ID), secret (PIXGATE_CLIENT_SECRET)')
  expect(hides(own) && hides(typed)).toBe(true)
})
