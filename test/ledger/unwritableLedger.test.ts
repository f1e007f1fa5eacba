import { spawnSync } from 'node:child_process'
import { chmodSync, cpSync, existsSync, readdirSync, rmSync, statSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { canMountDisk, smallDisk } from '../payments/smallDisk.ts'
import { sandboxWorld, type World } from '../world.ts'
import { inLedger } from './storedLedger.ts'

const IS_ROOT = process.getuid?.() === 0
const CAN_MOUNT = canMountDisk()
const pay = (id: string) => [
  'transfer',
  '--key',
  'maria@example.com',
  '--amount',
  '7',
  '--external-id',
  id,
  '--again',
  '--yes',
]

/** Makes a folder read-only: by its mode, which root does not heed, else by a mount. */
function makeReadOnly(folder: string): void {
  if (!IS_ROOT) {
    chmodSync(folder, 0o500)
    onTestFinished(() => chmodSync(folder, 0o700))
    return
  }
  const mount = (...words: string[]) => expect(spawnSync('mount', words).status).toBe(0)
  mount('--bind', folder, folder)
  onTestFinished(() => void spawnSync('umount', ['-l', folder]))
  mount('-o', 'remount,ro,bind', folder)
}

/** A payment that is only in the log of a ledger, as after `kill -9`, in a folder that cannot be written. */
async function leftOver(): Promise<World> {
  const world = await sandboxWorld()
  const { data, left } = { data: join(world.home, 'data'), left: join(world.home, 'left') }
  await world.prepare(pay('order-6'))
  await inLedger(world, async (database) => {
    // While it reads, nobody can write the log into the file.
    database.exec('BEGIN')
    database.get('SELECT count(*) FROM record')
    await world.prepare(pay('order-7'))
    cpSync(data, left, { recursive: true })
    database.exec('ROLLBACK')
  })
  rmSync(join(left, 'ledger.db-shm'))
  expect(readdirSync(left)).toContain('ledger.db-wal')
  makeReadOnly(left)
  return { ...world, run: (words, options) => world.run(words, { ...options, env: { PIXGATE_DATA_DIR: left } }) }
}

it.skipIf(IS_ROOT && !CAN_MOUNT)('is read with the log that was left over, where it cannot be written', async () => {
  const { run, home } = await leftOver()
  for (const words of [['list'], ['show', 'order-7'], ['find', 'order-7']]) {
    const { exit, stdout, stderr } = await run(['history', ...words, '-o', 'json'])
    expect([exit, stdout], stderr).toEqual([0, expect.stringContaining('"order-7"')])
  }
  const report = join(home, 'month.xlsx')
  const month = new Date(Date.now() - 3 * 3_600_000).toISOString().slice(0, 7)
  const reported = await run(['history', 'report', '--month', month, '--out', report])
  expect([reported.exit, existsSync(report)], reported.stderr).toEqual([0, true])
  const status = await run(['status', 'order-7', '-o', 'json'])
  expect([status.exit, JSON.parse(status.stdout)], status.stderr).toMatchObject([0, { pixgate: { name: 'order-7' } }])
  const paid = await run(pay('order-8'))
  expect([paid.exit, paid.stderr]).toEqual([2, expect.stringMatching(/permission denied|read-only/)])
})

it.skipIf(!CAN_MOUNT)('is read on a full disk, where the answer of the gateway is shown with a warning', async () => {
  const { folder, world, gateway } = await smallDisk({ isNewMachine: true })
  const filler = join(folder, 'filler')
  spawnSync('sh', ['-c', 'head -c 64m /dev/zero > "$1"', 'sh', filler])
  const id = '11111111-2222-4333-8444-555555555555'
  // The first one leaves a ledger without tables.
  for (const _time of ['first', 'second']) {
    const { exit, stdout, stderr } = await world.run(['status', id, '-o', 'json'])
    const warnings = [expect.stringMatching(/^The answer was not recorded: .* the disk is full$/)]
    expect([exit, JSON.parse(stdout || '{}')], stderr).toMatchObject([0, { status: 'PAID', pixgate: { warnings } }])
    expect((await world.run(['history'])).exit).toBe(0)
  }
  const paid = await world.run([...pay('order-9'), '--callback-url', 'https://shop.example.com/pix'])
  expect([paid.exit, paid.stderr]).toEqual([2, expect.stringContaining('the disk is full')])
  const doctor = () => world.run(['doctor'])
  expect((await doctor()).stdout).toMatch(/✗ data folder .* the disk is full/)
  // Where there is room for a byte, but not for a payment, too.
  truncateSync(filler, statSync(filler).size - 64 * 1024)
  expect((await doctor()).stdout).toMatch(/✗ data folder .* the disk is full/)
  expect(gateway.ledger).toEqual([])
})
