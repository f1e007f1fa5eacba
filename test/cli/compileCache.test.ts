import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { emptyWorld, NODE, type World } from '../world.ts'

const [major = 0, minor = 0] = execFileSync(NODE, ['-p', 'process.versions.node'], { encoding: 'utf8' })
  .split('.')
  .map(Number)
const CAN_KEEP = major > 22 || (major === 22 && minor >= 8)

/** A command line that is not answered without the program, run in its home. */
async function runIn(world: World, env: Record<string, string>): Promise<void> {
  const ran = await world.run(['webhook', 'sign', '--help'], { env, cwd: world.home })
  expect([ran.exit, ran.stderr]).toEqual([0, ''])
}

describe.runIf(CAN_KEEP && process.platform === 'linux')('what Node.js has compiled', () => {
  test('is kept in a folder of this user', async () => {
    const world = emptyWorld()
    await runIn(world, {})
    expect(readdirSync(join(world.home, '.cache', 'pixgate', 'compiled'))).not.toEqual([])
  })

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
    const world = emptyWorld()
    await runIn(world, { [name]: value })
    expect(['.cache', 'here'].filter((folder) => existsSync(join(world.home, folder)))).toEqual([])
  })
})
