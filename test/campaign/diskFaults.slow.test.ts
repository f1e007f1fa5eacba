import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { people, planned } from '../cli/planPeople.ts'
import { canMountDisk } from '../payments/smallDisk.ts'
import { canTrace, withDiskFault } from '../syscalls.ts'
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
  const disk = mountDisk('8k')
  const rows = Array.from({ length: 30 }, (_, row) => `key-${row}@example.com,1,${'x'.repeat(400)}\n`)
  const file = join(world.home, 'rows.csv')
  writeFileSync(file, `key,value,name\n${rows.join('')}`)
  const results = join(disk, 'results.csv')
  const words = ['batch', 'transfer', file, '--yes', '--rate', '1000/s', '--results', results]
  const { exit, stderr } = await world.run(words)
  expect(exit, stderr).toBe(5)
  expect(stderr).toContain(
    `The results were not written: \`--results ${results}\` cannot be written: the disk is full (ENOSPC)`,
  )
  expect([existsSync(results), readdirSync(disk)]).toEqual([false, []])
  const [, command = ''] = /`pixgate (resume [^`]*)`/.exec(stderr) ?? []
  expect((await world.run(command.split(' '), { cwd: world.home })).exit).toBe(0)
  expect(readFileSync(join(world.home, 'results.csv'), 'utf8').trimEnd().split('\n')).toHaveLength(1 + rows.length)
})

it.runIf(canMount)('writes a plan with its signature, or neither', async () => {
  const { maria } = people(onTestFinished, 'maria')
  const world = await sandboxWorld()
  const disk = mountDisk('12k')
  const makePlan = [
    'transfer',
    '--key',
    'a@example.com',
    '--amount',
    '1',
    '--plan',
    join(disk, 'plan.json'),
    '--ssh-key',
    maria.file,
  ]
  for (const fillerBytes of [12 * 1024, 8 * 1024]) {
    writeFileSync(join(disk, 'filler'), Buffer.alloc(fillerBytes))
    const { exit, stderr } = await world.run(makePlan)
    expect([exit, readdirSync(disk)], stderr).toEqual([2, ['filler']])
    expect(stderr).toContain('cannot be written: the disk is full (ENOSPC)')
  }
  rmSync(join(disk, 'filler'))
  expect((await world.run(makePlan)).exit).toBe(0)
})

it('says that it cannot use the folder for temporary files', async () => {
  const { maria, joao } = people(onTestFinished, 'maria', 'joao')
  const world = await sandboxWorld()
  const file = await planned(world, ['transfer', '--key', 'a@example.com', '--amount', '1'], maria)
  const approve = ['plan', 'approve', file, '--ssh-key', joao.file, '--yes']
  const { exit, stderr } = await world.run(approve, { env: { TMPDIR: '/nowhere' } })
  expect([exit, stderr]).toEqual([
    2,
    expect.stringContaining(
      'error: `/nowhere`, the folder for temporary files, cannot be written: it does not exist (ENOENT)',
    ),
  ])
  if (!isTraced) return
  // What cannot be removed there is no reason to stop.
  const ran = await withDiskFault(world, approve, { call: 'unlink', nth: 1, error: 'EIO', isLasting: false })
  expect(ran.exit, ran.stderr).toBe(0)
})

/** A disk of this size, which is gone when the test is. */
function mountDisk(size: string): string {
  const disk = mkdtempSync(join(tmpdir(), 'pixgate-disk-'))
  expect(spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', disk]).status).toBe(0)
  onTestFinished(() => {
    spawnSync('umount', ['-l', disk])
    rmSync(disk, { recursive: true, force: true })
  })
  return disk
}
