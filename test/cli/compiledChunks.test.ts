import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { BINARY, emptyWorld, NODE, type World } from '../world.ts'

/** A command line that is not answered without the program, run in its home. */
async function runIn(world: World, env: Record<string, string>): Promise<void> {
  const ran = await world.run(['webhook', 'sign', '--help'], { env, cwd: world.home })
  expect([ran.exit, ran.stderr]).toEqual([0, ''])
}

/** A world whose caches are in its home. */
function cachingWorld(): World & { compiled: string } {
  const world = emptyWorld({ XDG_CACHE_HOME: '' })
  return { ...world, compiled: join(world.home, '.cache', 'pixgate', 'compiled') }
}

function onlyFolderIn(folder: string): string {
  const names = readdirSync(folder)
  expect(names).toHaveLength(1)
  return join(folder, names[0] ?? '')
}

const LONG_AGO = new Date('2026-01-01')

describe('what V8 has compiled', () => {
  test('is kept once, in a folder of this user', async () => {
    const world = cachingWorld()
    await runIn(world, {})
    const folder = onlyFolderIn(world.compiled)
    expect(readdirSync(folder)).toContain('cli.js.compiled')
    for (const name of readdirSync(folder)) utimesSync(join(folder, name), LONG_AGO, LONG_AGO)
    await runIn(world, {})
    const times = readdirSync(folder).map((name) => statSync(join(folder, name)).mtimeMs)
    expect(new Set(times)).toEqual(new Set([LONG_AGO.getTime()]))
  })

  test.each([
    ['a bit that has changed', (bytes: Buffer) => bytes.fill(1 ^ Number(bytes[900]), 900, 901)],
    ['only its beginning', (bytes: Buffer) => bytes.subarray(0, 1000)],
    ['nothing', () => Buffer.alloc(0)],
    ['something else', () => Buffer.from('somethingsomething')],
  ])('is not believed where there is %s', async (_, damaged) => {
    const world = cachingWorld()
    await runIn(world, {})
    const file = join(onlyFolderIn(world.compiled), 'cli.js.compiled')
    writeFileSync(file, damaged(readFileSync(file)))
    await runIn(world, {})
  })

  test('of another build stays as long as that may be in use', async () => {
    const world = cachingWorld()
    await runIn(world, {})
    const own = onlyFolderIn(world.compiled)
    const other = (name: string) => `${own.slice(0, -name.length)}${name}`
    const folders = { old: other('0ld'), fresh: other('fresh') }
    for (const folder of Object.values(folders)) mkdirSync(folder)
    utimesSync(folders.old, LONG_AGO, LONG_AGO)
    spawnSync('rm', ['-r', own])
    await runIn(world, {})
    expect([existsSync(own), existsSync(folders.fresh), existsSync(folders.old)]).toEqual([true, true, false])
  })

  test('leads a stack to the same lines of the sources', () => {
    const { home, env } = cachingWorld()
    const preload = join(home, 'preload.cjs')
    writeFileSync(preload, `require('node:crypto').createHmac = () => { throw new TypeError('this is wrong') }`)
    const words = ['--require', preload, BINARY, 'webhook', 'verify', '--body', preload, '--signature', 'ab'.repeat(32)]
    const runs = [1, 2].map(() =>
      spawnSync(NODE, words, { env: { ...env, PIXGATE_CLIENT_SECRET: 'a secret' }, encoding: 'utf8' }),
    )
    expect(runs[0]?.stderr).toMatch(/TypeError: this is wrong.+src\/wire\/signature\.ts:\d+.+src\/cli\.ts:\d+/s)
    expect(runs[1]?.stderr).toBe(runs[0]?.stderr)
  })
})

describe.runIf(process.platform === 'linux')('what V8 has compiled', () => {
  test.each([
    ['the folder', join('pixgate', 'compiled')],
    ['the folder above it', 'pixgate'],
  ])('is not kept where others can write to %s', async (_, open) => {
    const world = emptyWorld()
    const folder = join(world.home, 'pixgate', 'compiled')
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    chmodSync(join(world.home, open), 0o777)
    await runIn(world, { XDG_CACHE_HOME: world.home })
    expect(readdirSync(folder)).toEqual([])
  })

  test('is not kept behind a link', async () => {
    const world = emptyWorld()
    const behind = join(world.home, 'behind')
    mkdirSync(join(world.home, 'pixgate'), { mode: 0o700 })
    mkdirSync(behind, { mode: 0o700 })
    symlinkSync(behind, join(world.home, 'pixgate', 'compiled'))
    await runIn(world, { XDG_CACHE_HOME: world.home })
    expect(readdirSync(behind)).toEqual([])
  })

  test.each([
    ['HOME', ''],
    ['XDG_CACHE_HOME', 'here'],
  ])('is not kept in the current folder with %s=%s', async (name, value) => {
    const world = cachingWorld()
    await runIn(world, { [name]: value })
    expect(['.cache', 'here'].filter((folder) => existsSync(join(world.home, folder)))).toEqual([])
  })
})
