import { randomUUID } from 'node:crypto'
import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { changeProfiles } from '../../src/profiles/changeProfiles.ts'
import type { SecretSource } from '../../src/profiles/profile.ts'
import { startFaultGateway } from '../gateway/faultGateway.ts'
import { held, stall } from '../gateway/faults.ts'
import { start } from '../gateway/running.ts'
import { emptyWorld, IS_EXECUTABLE, type ProcessResult, sandboxWorld, type World } from '../world.ts'
import { CANARIES, leaksBelow, leaksIn } from './canaries.ts'

/** One of this run alone, because other runs on the machine are looked at too. */
const SECRET = CANARIES.awkward + randomUUID()
const TRANSFER = ['transfer', '--key', 'maria@example.com', '--amount', '5', '--yes', '-v']
const CALLBACK = { PIXGATE_CALLBACK_URL: 'http://127.0.0.1:9/pix' }

function expectNoLeak(ran: ProcessResult, world: World): void {
  expect(leaksIn(ran.stdout + ran.stderr, [SECRET]), ran.stderr).toEqual([])
  expect(leaksBelow(world.home, [SECRET])).toEqual([])
}

/** The processes that show a secret to others: in their command line, or in the environment. */
function showing(file: 'cmdline' | 'environ'): string[] {
  return readdirSync('/proc').flatMap((pid) => {
    if (!/^\d+$/.test(pid)) return []
    try {
      const text = readFileSync(join('/proc', pid, file), 'latin1')
      return leaksIn(text, [SECRET]).length > 0 ? [`${pid} ${text.replaceAll('\0', ' ').slice(0, 80)}`] : []
    } catch {
      // It ended, or is another user's.
      return []
    }
  })
}

/** A world with the active profile `shop`, whose secret is kept there. */
async function worldWith(baseUrl: string, secret: SecretSource): Promise<World> {
  const world = emptyWorld(CALLBACK)
  const profile = { environment: 'sandbox' as const, baseUrl, clientId: 'an-id', secret }
  await changeProfiles(join(world.home, 'config'), () => ({ active: 'shop', profiles: new Map([['shop', profile]]) }))
  return world
}

/** A program in `folder` that writes what all can see of it, and of who called it, to a file, and then goes on. */
function watchedProgram(folder: string, name: string, rest: string): { seen(): string } {
  const log = join(folder, `${name}.seen`)
  const path = join(folder, name)
  const watch = `cat /proc/$$/cmdline /proc/$$/environ /proc/$PPID/cmdline /proc/$PPID/environ >> '${log}'`
  writeFileSync(path, `#!/bin/sh\n${watch}\n${rest}\n`)
  chmodSync(path, 0o755)
  return { seen: () => readFileSync(log, 'latin1') }
}

describe.runIf(process.platform === 'linux')('other processes', () => {
  test.each(['stored', 'command', 'keychain', 'env'] as const)('see nothing of a secret that is %s', async (kind) => {
    const gateway = await startFaultGateway()
    const elsewhere = emptyWorld().home
    writeFileSync(join(elsewhere, 'kept'), SECRET)
    const program = watchedProgram(elsewhere, 'secret-tool', `cat '${join(elsewhere, 'kept')}'`)
    const sources: Record<typeof kind, SecretSource> = {
      stored: { source: 'stored', value: SECRET },
      command: { source: 'command', command: join(elsewhere, 'secret-tool') },
      keychain: { source: 'keychain', entry: 'shop-1' },
      env: { source: 'env', variable: 'KEPT' },
    }
    const world = await worldWith(gateway.url, sources[kind])
    const env: Record<string, string> = { PATH: `${elsewhere}:${process.env.PATH}` }
    if (kind === 'env') env.KEPT = SECRET

    const pause = held()
    gateway.misbehave([pause.fault])
    const running = start(world, TRANSFER, env)
    await gateway.arrived(1)
    // The process has sent the secret, and holds it while it waits.
    expect(gateway.arrivals[0]?.headers.cs).toBe(SECRET)
    expect([...showing('cmdline'), ...(kind === 'env' ? [] : showing('environ'))]).toEqual([])
    expect(leaksBelow(world.home, [SECRET])).toEqual([])
    pause.release()
    const ran = await running.ended
    expect(ran.exit).toBe(0)
    expectNoLeak(ran, world)
    if (kind === 'command' || kind === 'keychain') expect(leaksIn(program.seen(), [SECRET])).toEqual([])
  })

  test('see nothing of a secret that is put into the keychain', async () => {
    const tools = emptyWorld().home
    const kept = join(tools, 'kept-')
    const file = `'${kept}'"$last"`
    const rest = `for last; do :; done
      case "$1" in store) cat > ${file};; lookup) cat ${file};; clear) rm -f ${file};; esac`
    const program = watchedProgram(tools, 'secret-tool', rest)
    const world = emptyWorld({ PATH: `${tools}:${process.env.PATH}` })
    const add = ['profile', 'add', 'shop', '--base-url', 'http://127.0.0.1:9', '--client-id', 'an-id', '--keychain']
    for (const line of [
      add,
      ['profile', 'edit', 'shop', '--name', 'store'],
      ['profile', 'edit', 'store', '--keychain'],
    ]) {
      const ran = await world.run(line, { stdin: SECRET })
      expect(ran.exit, ran.stderr).toBe(0)
      expectNoLeak(ran, world)
    }
    const entries = readdirSync(tools).filter((name) => name.startsWith('kept-'))
    expect(entries.map((name) => readFileSync(join(tools, name), 'utf8'))).toEqual([SECRET])
    // Nor is it in the one file that may hold secrets.
    expect(readFileSync(join(world.home, 'config', 'profiles.json'), 'utf8')).not.toContain(JSON.stringify(SECRET))
    const removed = await world.run(['profile', 'remove', 'store', '--yes', '--json'])
    expectNoLeak(removed, world)
    expect(leaksIn(program.seen(), [SECRET])).toEqual([])
    expect(program.seen()).toContain('store')
  })

  test('see nothing of the secret of a sandbox but in the environment of its command', async () => {
    const world = emptyWorld()
    const seen = join(emptyWorld().home, 'seen')
    // A secret of its own, because one that is typed is in the command line of pixgate.
    const script = `cat /proc/$$/cmdline > '${seen}'; printf %s "$PIXGATE_CLIENT_SECRET"`
    const ran = await world.run(['sandbox', 'exec', '-v', '--client-secret', SECRET, '--', 'sh', '-c', script])
    expect([ran.exit, ran.stdout, leaksIn(ran.stderr, [SECRET])]).toEqual([0, SECRET, []])
    expect(leaksIn(readFileSync(seen, 'latin1'), [SECRET])).toEqual([])
    expect(leaksBelow(world.home, [SECRET])).toEqual([])
  })
})

test.each(['SIGTERM', 'SIGKILL', 'SIGINT'] as const)(
  'a payment ended by %s leaves no secret behind',
  async (signal) => {
    const gateway = await startFaultGateway()
    gateway.always(stall)
    const world = await worldWith(gateway.url, { source: 'stored', value: SECRET })
    const running = start(world, TRANSFER)
    await gateway.arrived(1)
    running.signal(signal)
    if (signal === 'SIGINT') {
      await running.said('press Ctrl-C again')
      running.signal(signal)
    }
    expectNoLeak(await running.ended, world)
  },
)

const BOOM = "const boom = (text) => { throw new Error('boom ' + text + Buffer.from(text).toString('base64')) }"

/** Code that is loaded before the program and makes it fail with the secret in the error. */
const DEFECTS: Record<string, string> = {
  'where it is caught': `require('node:os').userInfo = () => boom(process.env.SPOKEN)`,
  'where nothing catches it': `require('node:diagnostics_channel').subscribe('undici:client:sendHeaders', ({ headers }) => boom(headers))`,
  'in a promise that is not awaited': `require('node:diagnostics_channel').subscribe('undici:request:headers', ({ request }) => {
    void Promise.reject(new Error('boom ' + JSON.stringify(request.headers)))
  })`,
}

test.skipIf(IS_EXECUTABLE).each(Object.entries(DEFECTS))(
  'a defect %s shows its stack without the secret',
  async (_where, code) => {
    const gateway = await startFaultGateway()
    const world = await worldWith(gateway.url, { source: 'stored', value: SECRET })
    const preload = join(emptyWorld().home, 'preload.cjs')
    writeFileSync(preload, `${BOOM}\n${code}\n`)
    const env = { NODE_OPTIONS: `--require ${preload}`, SPOKEN: SECRET }
    for (const words of [[], ['--json', '--key', 'joao@example.com']]) {
      const ran = await world.run(
        [...TRANSFER.filter((word) => words.length === 0 || !/^(--key|maria)/.test(word)), ...words],
        { env },
      )
      expect(ran.exit, ran.stderr).toBe(70)
      expect(ran.stderr).toContain('boom')
      expect(ran.stderr).not.toContain('/dist/chunks/')
      expectNoLeak(ran, world)
    }
  },
)

test('the output of NODE_DEBUG does not contain the secret', async () => {
  const world = await sandboxWorld({ clientSecret: SECRET, clientId: 'an-id' }, CALLBACK)
  const env = {
    PIXGATE_CLIENT_ID: 'an-id',
    PIXGATE_CLIENT_SECRET: SECRET,
    NODE_DEBUG: 'undici,fetch,net,tls,timer,stream',
    NODE_OPTIONS: '--trace-warnings --trace-uncaught --stack-trace-limit=100 --enable-source-maps',
  }
  const ran = await world.run(TRANSFER, { env })
  expect(ran.exit, ran.stderr).toBe(0)
  expect(ran.stderr).toMatch(/^(?:FETCH|UNDICI) \d+: /m)
  expectNoLeak(ran, world)
})

test('a command that gives the secret may fail and may write it anywhere', async () => {
  const folder = emptyWorld().home
  mkdirSync(join(folder, 'bin'))
  const kept = join(folder, 'kept')
  writeFileSync(kept, SECRET)
  const endings = [
    `cat '${kept}' >&2; exit 3`,
    `cat '${kept}' '${kept}'; echo; cat '${kept}'`,
    `cat '${kept}'; kill -9 $$`,
  ]
  for (const command of [...endings, `cat '${kept}' >&2; cat '${kept}'`]) {
    const world = await worldWith('http://127.0.0.1:9', { source: 'command', command })
    const ran = await world.run(['status', 'a', '-v', '--timeout', '300ms'])
    expect(ran.exit, ran.stderr).toBe(endings.includes(command) ? 4 : 6)
    expectNoLeak(ran, world)
  }
})
