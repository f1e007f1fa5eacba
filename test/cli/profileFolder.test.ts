import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { emptyWorld, type World } from '../world.ts'

const ADD = ['add', 'shop', '--base-url', 'https://gateway.example.com', '--client-id', 'a', '--client-secret-stdin']

async function expectUnusable(world: World, folder: string, code: string): Promise<void> {
  for (const args of [ADD, ['use', 'local']]) {
    const env = { PIXGATE_CONFIG_DIR: folder }
    const { exit, stdout, stderr } = await world.run(['profile', ...args], { env, stdin: 'a-secret' })
    expect([exit, stdout]).toEqual([2, ''])
    expect(stderr).toMatch(new RegExp(`^error: Cannot (?:read|write) ${folder}/profiles\\.json: ${code}\n`))
    expect(stderr).toContain('\nhint: ')
  }
}

it.each([
  ['ENOTDIR', 'file/config'],
  ['ENAMETOOLONG', 'a'.repeat(300)],
])('a config folder that cannot be made (%s) is exit 2', async (code, path) => {
  const world = emptyWorld()
  writeFileSync(join(world.home, 'file'), '')
  await expectUnusable(world, join(world.home, path), code)
})

it('a config folder for which the disk has no room is exit 2', async (context) => {
  const world = emptyWorld()
  const full = join(world.home, 'full')
  mkdirSync(full)
  // One inode is the folder itself.
  const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', 'nr_inodes=1', 'tmpfs', full])
  if (status !== 0) {
    console.warn('SKIPPED: a file system of its own can only be mounted by root')
    return context.skip()
  }
  onTestFinished(() => void spawnSync('umount', [full]))
  await expectUnusable(world, join(full, 'config'), 'ENOSPC')
})
