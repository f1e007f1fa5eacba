import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { changeProfiles } from '../../src/profiles/changeProfiles.ts'
import type { SecretSource } from '../../src/profiles/profile.ts'
import { start } from '../gateway/running.ts'
import { here } from '../inProcess.ts'
import { emptyWorld, type World } from '../world.ts'
import { type CountingServer, countingServer } from './countingServer.ts'

const SECRET = 'secret-of-a-1111'
const STATUS = ['status', 'paid-1']

/** A server, and the active profile `a` for it with a secret from this source. */
async function stage(secret: SecretSource): Promise<World & { server: CountingServer }> {
  const server = await countingServer()
  const world = emptyWorld()
  const profile = { environment: 'sandbox' as const, baseUrl: server.url, clientId: 'id-of-a', secret }
  await changeProfiles(join(world.home, 'config'), () => ({ active: 'a', profiles: new Map([['a', profile]]) }))
  return { ...world, server }
}

/** A command that never ends and whose grandchild holds a connection: when it is killed, the connection closes. */
async function endlessCommand(): Promise<{ command: string; held: Promise<void>; released: Promise<void> }> {
  const server = createServer()
  onTestFinished(() => void server.close())
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  const connected = once(server, 'connection')
  const released = connected.then(async ([socket]) => {
    socket.on('error', () => undefined)
    socket.resume()
    await once(socket, 'close')
  })
  const script = `require('net').connect(${port}, '127.0.0.1'); setInterval(() => {}, 1000)`
  const command = `"${process.execPath}" -e "${script}" & wait`
  return { command, held: connected.then(() => undefined), released }
}

test.each<[name: string, command: string]>([
  ['one line', `echo ${SECRET}`],
  ['no line break', `printf ${SECRET}`],
  ['the line break of Windows', `printf '${SECRET}\\r\\n'`],
  ['words beside it on stderr', `echo unlocked >&2; echo ${SECRET}`],
  ['no input to wait for', `cat; echo ${SECRET}`],
  ['the environment at hand', 'echo "$KEPT"'],
])('a command gives the secret: %s', async (_name, command) => {
  const on = await stage({ source: 'command', command })
  const run = command.startsWith('cat') ? on.run : here(on)
  const ran = await run(STATUS, { env: { KEPT: SECRET } })
  expect([ran.exit, on.server.count(`Bearer ${SECRET}`)]).toEqual([0, 1])
  expect(ran.stdout + ran.stderr).not.toMatch(/secret-of-a|unlocked/)
})

test.each<[name: string, command: string, said: RegExp]>([
  ['it fails', `echo ${SECRET}; echo locked ${SECRET} >&2; exit 7`, /exit code 7/],
  ['it does not exist', 'no-such-command-here', /exit code 127/],
  ['a signal ends it', `echo ${SECRET}; kill -9 $$`, /SIGKILL/],
  ['nothing', 'true', /nothing/],
  ['white space only', "printf ' \\n'", /nothing/],
  ['two lines', `printf '${SECRET}\\nsecond\\n'`, /more than one line/],
  ['a header in it', `printf '${SECRET}\\r\\nx-evil: 1'`, /more than one line/],
  ['no header can carry it', `printf '${SECRET}\\303\\251'`, /not allowed in an HTTP header/],
  ['more than a secret can be', `yes ${SECRET}`, /^error: The command that prints the secret/],
])('a command gives no secret: %s', async (name, command, said) => {
  const on = await stage({ source: 'command', command })
  const ran = await (name === 'it fails' ? on.run : here(on))(STATUS)
  expect([ran.exit, ran.stdout, on.server.received()]).toEqual([4, '', ''])
  expect(ran.stderr).toMatch(said)
  expect(ran.stderr).not.toMatch(/secret-of-a|locked|second/)
})

test('a command that takes too long is killed with all that it started', async () => {
  const { command, released } = await endlessCommand()
  const on = await stage({ source: 'command', command })
  const ran = await here(on)(STATUS)
  await released
  expect([ran.exit, on.server.received()]).toEqual([4, ''])
  expect(ran.stderr).toMatch(/longer than 10 seconds/)
})

test('Ctrl-C ends a command and all that it started', async () => {
  const { command, held, released } = await endlessCommand()
  const on = await stage({ source: 'command', command })
  const running = start(on, STATUS)
  await held
  running.signal('SIGINT')
  await released
  expect((await running.ended).exit).toBe(130)
  expect(on.server.received()).toBe('')
})

test('a command is not run for an address that is not its own', async () => {
  const on = await stage({ source: 'command', command: 'touch "$TRACE"; exit 1' })
  const trace = join(on.home, 'trace')
  const env = { TRACE: trace }
  expect((await here(on)([...STATUS, '--base-url', 'http://127.0.0.1:9'], { env })).exit).toBe(4)
  expect(() => writeFileSync(trace, '', { flag: 'wx' })).not.toThrow()
})

test('a variable gives the secret, and its absence is exit 4', async () => {
  const on = await stage({ source: 'env', variable: 'KEPT' })
  const absent = await here(on)(STATUS)
  expect([absent.exit, on.server.received()]).toEqual([4, ''])
  expect(absent.stderr).toMatch(/`KEPT` is not set/)
  expect((await here(on)(STATUS, { env: { KEPT: `${SECRET}\n` } })).exit).toBe(2)
  expect((await on.run(STATUS, { env: { KEPT: SECRET } })).exit).toBe(0)
  expect(on.server.count(`Bearer ${SECRET}`)).toBe(1)
})

test('the variable may be PIXGATE_CLIENT_SECRET, and goes to its own address only', async () => {
  const on = await stage({ source: 'env', variable: 'PIXGATE_CLIENT_SECRET' })
  const env = { PIXGATE_CLIENT_SECRET: SECRET }
  expect((await here(on)([...STATUS, '--base-url', 'http://127.0.0.1:9'], { env })).exit).toBe(4)
  expect((await on.run(STATUS, { env })).exit).toBe(0)
  expect(on.server.count(`Bearer ${SECRET}`)).toBe(1)
})

test("the keychain is asked for the profile's own entry", async () => {
  const on = await stage({ source: 'keychain', entry: 'a-1' })
  const tools = join(on.home, 'tools')
  mkdirSync(tools)
  for (const tool of ['secret-tool', 'security']) {
    const script = `#!/bin/sh\ncase "$*" in *" a-1"*) echo ${SECRET};; esac\n`
    writeFileSync(join(tools, tool), script, { mode: 0o755 })
  }
  expect((await here(on)(STATUS, { env: { PATH: on.home } })).exit).toBe(4)
  expect(on.server.received()).toBe('')
  expect((await on.run(STATUS, { env: { PATH: tools } })).exit).toBe(0)
  expect(on.server.count(`Bearer ${SECRET}`)).toBe(1)
})
