import { spawn, spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, it } from 'vitest'
import { here } from '../inProcess.ts'
import { BINARY, emptyWorld, NODE, type World } from '../world.ts'

const SECRET = 'a"\\ $x-secret-0123456789'
const ADD = [
  'profile',
  'add',
  'shop',
  '--base-url',
  'https://gateway.example.com',
  '--client-id',
  'shop-1',
  '--keychain',
]
const HAS_TOOLS = ['dbus-run-session', 'gnome-keyring-daemon', 'secret-tool'].every(
  (tool) => spawnSync('sh', ['-c', `command -v ${tool}`]).status === 0,
)

function secretOf(world: World): unknown {
  return JSON.parse(readFileSync(join(world.home, 'config', 'profiles.json'), 'utf8')).profiles.shop.secret
}

/** A program in place of the system's tool, found first on the path. */
function toolThat(world: World, script: string): { PATH: string } {
  const bin = join(world.home, 'bin')
  mkdirSync(bin, { recursive: true })
  for (const tool of ['secret-tool', 'security']) {
    writeFileSync(join(bin, tool), `#!/bin/sh\n${script}\n`)
    chmodSync(join(bin, tool), 0o755)
  }
  return { PATH: `${bin}:${world.env.PATH}` }
}

it('gives a secret to the tool through stdin, never on its command line', async () => {
  const world = emptyWorld()
  // Keeps what it gets in one file and all its command lines in another.
  const script = `
    echo "$@" >> "$HOME/lines"
    case "$1" in store) cat > "$HOME/kept" ;; lookup) cat "$HOME/kept" ;; clear) rm -f "$HOME/kept" ;; *) exit 1 ;; esac`
  if (process.platform === 'darwin') return
  const env = toolThat(world, script)
  expect((await world.run(ADD, { env, stdin: `${SECRET}\n` })).exit).toBe(0)
  expect(readFileSync(join(world.home, 'kept'), 'utf8')).toBe(SECRET)
  expect(secretOf(world)).toEqual({ source: 'keychain', entry: expect.stringMatching(/^shop-[0-9a-f-]{36}$/) })
  await world.run(['profile', 'remove', 'shop', '--confirm-host', 'gateway.example.com'], { env })
  expect(() => readFileSync(join(world.home, 'kept'))).toThrow('ENOENT')
  expect(readFileSync(join(world.home, 'lines'), 'utf8')).not.toContain('secret-0123')
})

it.each([
  ['hangs', 'sleep 60', 'it took longer than 3 seconds'],
  ['fails', 'exit 1', 'did not store the secret'],
  ['forgets', 'cat > /dev/null', 'did not store the secret'],
  ['gives another secret', 'echo other', 'did not store the secret'],
])('stores the secret in the file and says so if the tool %s', async (_, script, why) => {
  const world = emptyWorld()
  const { exit, stderr } = await here(world)(ADD, { env: toolThat(world, script), stdin: SECRET })
  expect(exit).toBe(0)
  expect(stderr).toMatch(
    /^warning: The keychain cannot be used: .*; the secret is stored in the profile file instead\n/,
  )
  expect(stderr).toContain(why)
  expect(secretOf(world)).toEqual({ source: 'stored', value: SECRET })
})

it('says in the document of a script that there is no tool', async () => {
  const world = emptyWorld()
  const added = await world.json(ADD, { env: { PATH: world.home }, stdin: SECRET })
  expect(added.secret).toMatchObject({ source: 'stored' })
  expect(added.pixgate).toEqual({ warnings: [expect.stringContaining('could not be started')] })
})

it('keeps, moves, replaces and removes a secret in a real keychain', async (context) => {
  if (!HAS_TOOLS) {
    console.warn('SKIPPED: dbus-run-session, gnome-keyring-daemon or secret-tool is missing')
    return context.skip()
  }
  const world = emptyWorld()
  const run = join(world.home, 'run')
  mkdirSync(run, { mode: 0o700 })
  const all = 'secret-tool search --all service pixgate 2>&1 | grep "^secret = "; echo .'
  const pixgate = (words: string) => `'${NODE}' '${BINARY}' profile ${words} -q > /dev/null || echo "exit $?"`
  const script = [
    "printf 'pass' | gnome-keyring-daemon --unlock --components=secrets > /dev/null",
    `printf '%s' "$SECRET" | ${pixgate(ADD.slice(1).join(' '))}`,
    all,
    pixgate('edit shop --name store'),
    all,
    `printf new-secret-9876543210 | ${pixgate('edit store --keychain')}`,
    all,
    `printf newest | ${pixgate('edit store --keychain --base-url https://other.example.com')}`,
    all,
    pixgate('edit store --client-secret-env SECRET'),
    all,
    `printf again | ${pixgate('edit store --keychain')}`,
    all,
    pixgate('remove store --confirm-host other.example.com'),
    all,
  ]
  const env = { ...world.env, XDG_RUNTIME_DIR: run, XDG_DATA_HOME: join(world.home, 'share'), SECRET }
  const child = spawn('dbus-run-session', ['--', 'sh', '-c', script.join('\n')], { env })
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)])
  const own = err.split('\n').filter((line) => /^(?:error|warning|hint): /.test(line))
  expect(own).toEqual([])
  const expected = [SECRET, SECRET, 'new-secret-9876543210', 'newest', null, 'again', null]
  expect(out).toBe(expected.map((secret) => (secret === null ? '.\n' : `secret = ${secret}\n.\n`)).join(''))
})
