import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { canMountDisk } from '../payments/smallDisk.ts'
import { canTrace } from '../syscalls.ts'
import { sandboxWorld } from '../world.ts'
import { failDisk } from './diskFaults.ts'
import { campaignSeed } from './run.ts'

const isTraced = canTrace()
if (!isTraced) process.stderr.write('WITHOUT strace NO DISK FAILS AT A SYSTEM CALL: this is not tested\n')
const canMount = canMountDisk()
if (!canMount) process.stderr.write('ONLY ROOT CAN MOUNT A SMALL DISK: a results file on a full disk is not tested\n')
const seed = campaignSeed(20261126)

it.runIf(isTraced).each(['transfer', 'resume', 'history backup'])(
  'keeps everything whole while the disk fails at system calls of `%s`',
  { timeout: 60_000 },
  async (command) => {
    const endings = await failDisk(command, { count: 3, seed })
    expect(Object.values(endings).reduce((sum, each) => sum + each)).toBe(3)
  },
)

it.runIf(canMount)('writes all results of a batch or says that there are none', async () => {
  const world = await sandboxWorld()
  const disk = mkdtempSync(join(tmpdir(), 'pixgate-disk-'))
  expect(spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=8k', 'tmpfs', disk]).status).toBe(0)
  onTestFinished(() => {
    spawnSync('umount', ['-l', disk])
    rmSync(disk, { recursive: true, force: true })
  })
  const rows = Array.from({ length: 30 }, (_, row) => `key-${row}@example.com,1,${'x'.repeat(400)}\n`)
  const file = join(world.home, 'rows.csv')
  writeFileSync(file, `key,value,name\n${rows.join('')}`)
  const results = join(disk, 'results.csv')
  const words = ['batch', 'transfer', file, '--yes', '--rate', '1000/s', '--results', results]
  const { exit, stderr } = await world.run(words)
  expect(exit, stderr).toBe(5)
  expect(stderr).toContain(`The results were not written: \`--results ${results}\` cannot be written: ENOSPC`)
  expect([existsSync(results), readdirSync(disk)]).toEqual([false, []])
  const [, command = ''] = /`pixgate (resume [^`]*)`/.exec(stderr) ?? []
  expect((await world.run(command.split(' '), { cwd: world.home })).exit).toBe(0)
  expect(readFileSync(join(world.home, 'results.csv'), 'utf8').trimEnd().split('\n')).toHaveLength(1 + rows.length)
})
