import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { endingOf } from '../gateway/commandLines.ts'
import { type FaultGateway, startFaultGateway } from '../gateway/faultGateway.ts'
import { resetAfterActing } from '../gateway/faults.ts'
import { emptyWorld, type World } from '../world.ts'

const DOUBTFUL = ['transfer', '--key', 'maria@example.com', '--amount', '10', '--external-id', 'order-1', '--yes']
/** What moves money: nothing of it may leave while a line is damaged. */
const MOVING = [
  ['transfer', '--key', 'joao@example.com', '--amount', '5', '--yes'],
  ['refund', 'original', '--amount', '1', '--reason', 'damaged', '--skip-query', '--yes'],
  ['resume', 'order-1', '--yes'],
]

interface Kept {
  world: World
  gateway: FaultGateway
  path: string
  bytes: Buffer
}

/** A timeline of four lines: one transfer in doubt, one accepted. */
async function fourLines(): Promise<Kept> {
  const gateway = await startFaultGateway()
  const world = emptyWorld({ PIXGATE_BASE_URL: gateway.url })
  gateway.misbehave([resetAfterActing])
  expect((await world.run(DOUBTFUL)).exit).toBe(5)
  const second = ['transfer', '--key', 'ana@example.com', '--amount', '7', '--external-id', 'order-2', '--yes']
  expect((await world.run(second)).exit).toBe(0)
  const path = join(world.home, 'data', 'timeline.log')
  return { world, gateway, path, bytes: readFileSync(path) }
}

it.each([
  ['the checksum', 1, 3],
  ['an amount', 1, 300],
  ['a line end', 2, -1],
  ['the last line end', 4, -1],
])(
  'stops everything that moves money where a bit of %s of line %i is another',
  { timeout: 60_000 },
  async (_, line, offset) => {
    const { world, gateway, path, bytes } = await fourLines()
    const ends = [...bytes.keys()].filter((index) => bytes[index] === 0x0a)
    const start = line === 1 ? 0 : (ends[line - 2] ?? 0) + 1
    const at = offset < 0 ? (ends[line - 1] ?? 0) : start + offset
    const flipped = Buffer.from(bytes)
    flipped[at] = (bytes[at] ?? 0) ^ 0x04
    writeFileSync(path, flipped)
    const before = gateway.arrivals.length
    for (const args of MOVING) {
      const ending = endingOf(await world.run([...args, '-o', 'json']))
      expect(ending).toMatchObject({ exit: 2, code: 'USAGE', outcome: 'not-sent' })
      expect(ending.message).toMatch(new RegExp(`timeline\\.log is damaged in line ${line}$`))
    }
    expect(gateway.arrivals).toHaveLength(before)
    expect(readFileSync(path)).toEqual(flipped)
    const history = await world.run(['history'])
    expect(history.exit).toBe(0)
    expect(history.stderr).toContain(`is damaged in line ${line}`)
    const status = await world.run(['status', 'somebody-elses'])
    expect(status.exit).toBe(0)
    expect(status.stderr).toContain(`is damaged in line ${line}`)
  },
)

it('drops a last line that was not written whole, with a notice, and goes on', { timeout: 60_000 }, async () => {
  const { world, gateway, path, bytes } = await fourLines()
  const lastStart = bytes.subarray(0, -1).lastIndexOf(0x0a) + 1
  writeFileSync(path, bytes.subarray(0, lastStart + 40))
  const history = await world.run(['history'])
  expect(history.exit).toBe(0)
  expect(history.stderr).toContain('was not written whole and does not count')
  // The outcome of the second was lost, so it is in doubt and goes on under its own id.
  const resumed = await world.json(['resume', 'order-2', '--yes'])
  expect(resumed).toMatchObject({ externalId: 'order-2', pixgate: { outcome: 'accepted-before' } })
  expect((await world.run(['resume', 'order-1', '--yes'])).exit).toBe(0)
  expect(gateway.ledger.map(({ externalId }) => externalId)).toEqual(['order-1', 'order-2'])
  expect((await world.run(['history', '-q'])).stderr).toBe('')
})
