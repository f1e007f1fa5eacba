import { spawnSync } from 'node:child_process'
import { chownSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { platform, userInfo } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { configFolder, dataFolder } from '../../src/folders.ts'
import { startFaultGateway } from '../gateway/faultGateway.ts'
import { BINARY, emptyWorld, NODE } from '../world.ts'

const ACCOUNT_HOME = userInfo().homedir

describe.skipIf(platform() !== 'linux')('the folders of a user', () => {
  it.each<[string, Record<string, string>, data: string, config: string]>([
    ['a home', { HOME: '/h' }, '/h/.local/share/pixgate', '/h/.config/pixgate'],
    ['no HOME', {}, `${ACCOUNT_HOME}/.local/share/pixgate`, `${ACCOUNT_HOME}/.config/pixgate`],
    ['an empty HOME', { HOME: '' }, `${ACCOUNT_HOME}/.local/share/pixgate`, `${ACCOUNT_HOME}/.config/pixgate`],
    ['a relative HOME', { HOME: 'h' }, `${ACCOUNT_HOME}/.local/share/pixgate`, `${ACCOUNT_HOME}/.config/pixgate`],
    ['XDG folders', { HOME: '/h', XDG_DATA_HOME: '/d', XDG_CONFIG_HOME: '/c' }, '/d/pixgate', '/c/pixgate'],
    [
      'relative XDG folders',
      { HOME: '/h', XDG_DATA_HOME: 'd', XDG_CONFIG_HOME: './c' },
      '/h/.local/share/pixgate',
      '/h/.config/pixgate',
    ],
    ['named folders', { HOME: '/h', PIXGATE_DATA_DIR: '/d', PIXGATE_CONFIG_DIR: '/c' }, '/d', '/c'],
    ['named folders in the home', { HOME: '/h', PIXGATE_DATA_DIR: '~/d', PIXGATE_CONFIG_DIR: '~/c' }, '/h/d', '/h/c'],
    [
      'empty variables',
      { HOME: '/h', XDG_DATA_HOME: '', PIXGATE_DATA_DIR: '', PIXGATE_CONFIG_DIR: '' },
      '/h/.local/share/pixgate',
      '/h/.config/pixgate',
    ],
  ])('with %s', (_, env, data, config) => {
    expect([dataFolder(env), configFolder(env)]).toEqual([data, config])
  })
})

it.each(['d', './d', '../d', '~', '~maria/d', ' /d'])(
  'no folder may be named %j, which depends on where one stands',
  (typed) => {
    const message = (name: string) => `\`${name}\` is \`${typed}\`, which is not an absolute path`
    expect(() => dataFolder({ HOME: '/h', PIXGATE_DATA_DIR: typed })).toThrow(message('PIXGATE_DATA_DIR'))
    expect(() => configFolder({ HOME: '/h', PIXGATE_CONFIG_DIR: typed })).toThrow(message('PIXGATE_CONFIG_DIR'))
  },
)

it('refuses the same payment from two folders, whatever names the place of the ledger', async () => {
  const gateway = await startFaultGateway()
  const world = emptyWorld({ PIXGATE_BASE_URL: gateway.url })
  const payFrom = (folder: string, env: Record<string, string>) => {
    const cwd = join(world.home, folder)
    mkdirSync(cwd, { recursive: true })
    return world.run(['transfer', '--key', 'a@example.com', '--amount', '9', '--yes'], { cwd, env })
  }
  const relative = { PIXGATE_DATA_DIR: '', PIXGATE_CONFIG_DIR: '', XDG_DATA_HOME: 'd', XDG_CONFIG_HOME: 'c' }
  expect((await payFrom('one', relative)).exit).toBe(0)
  expect(await payFrom('two', relative)).toMatchObject({ exit: 2, stderr: expect.stringContaining('already sent') })
  const tilde = { PIXGATE_DATA_DIR: '~/p', PIXGATE_CONFIG_DIR: '~/p' }
  expect((await payFrom('one', tilde)).exit).toBe(0)
  expect(await payFrom('two', tilde)).toMatchObject({ exit: 2, stderr: expect.stringContaining('already sent') })
  expect(await payFrom('one', { PIXGATE_DATA_DIR: 'd' })).toMatchObject({
    exit: 2,
    stderr: expect.stringContaining('`PIXGATE_DATA_DIR` is `d`, which is not an absolute path'),
  })
  expect(gateway.ledger).toHaveLength(2)
  expect(['one', 'two'].flatMap((folder) => readdirSync(join(world.home, folder)))).toEqual([])
})

const IS_ROOT = process.getuid?.() === 0
/** A user id that no account has. */
const NOBODY = 64_321

describe.skipIf(!IS_ROOT)('a user without a home', () => {
  const run = (args: readonly string[], env: Record<string, string> = {}, input = '') => {
    const { status, stdout, stderr } = spawnSync(NODE, [BINARY, ...args], {
      uid: NOBODY,
      gid: NOBODY,
      cwd: '/',
      env: { PATH: process.env.PATH, ...env },
      input,
      encoding: 'utf8',
    })
    return { exit: status, stdout, stderr }
  }
  const secret = { PIXGATE_CLIENT_SECRET: 'a-secret' }

  it('can do what needs none', () => {
    for (const args of [['help'], ['completion', 'bash'], ['qr', 'draw', '000201']])
      expect({ args, ...run(args) }).toMatchObject({ args, exit: 0 })
    expect(run(['qr', 'decode', '000201'])).toMatchObject({ exit: 1, stdout: expect.stringContaining('Invalid') })
    const signed = run(['webhook', 'sign', '--body', '-'], secret, '{}')
    expect(signed).toMatchObject({ exit: 0, stderr: '' })
    const verify = (signature: string) =>
      run(['webhook', 'verify', '--body', '-', '--signature', signature], secret, '{}').exit
    expect([verify(signed.stdout.trim()), verify('0'.repeat(64))]).toEqual([0, 1])
  })

  it('is told what to set, and needs no entry among the accounts', () => {
    const credentials = { ...secret, PIXGATE_CLIENT_ID: 'a', PIXGATE_BASE_URL: 'http://127.0.0.1:1' }
    const callback = ['--callback-url', 'http://127.0.0.1:1/']
    const transfer = ['transfer', '--key', 'a@example.com', '--amount', '9', '--yes', ...callback]
    const refused = run(transfer, credentials)
    expect(refused.exit).toBe(2)
    for (const name of ['HOME', 'PIXGATE_DATA_DIR', 'PIXGATE_CONFIG_DIR'])
      expect(refused.stderr).toContain(`\`${name}\``)
    const own = mkdtempSync('/tmp/pixgate-test-')
    onTestFinished(() => rmSync(own, { recursive: true, force: true }))
    chownSync(own, NOBODY, NOBODY)
    const named = { ...credentials, PIXGATE_DATA_DIR: join(own, 'd'), PIXGATE_CONFIG_DIR: join(own, 'c') }
    expect(run(transfer, named)).toMatchObject({ exit: 6, stderr: expect.stringContaining('refused') })
    expect(run(['history', '-o', 'json'], named).stdout).toContain(`uid ${NOBODY}`)
  })
})
