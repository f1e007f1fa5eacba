import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { endingOf } from '../gateway/commandLines.ts'
import { startFaultGateway } from '../gateway/faultGateway.ts'
import { emptyWorld } from '../world.ts'
import { pagesOf } from './databaseFile.ts'
import { inLedger, ledgerFile } from './storedLedger.ts'

const KEY = 'supplier@example.com'
const PAY = ['transfer', '--key', KEY, '--amount', '1000', '--yes', '-o', 'json']

it('does not pay again if one bit of an index, of a row or of the schema is flipped', async () => {
  const gateway = await startFaultGateway()
  const world = emptyWorld({ PIXGATE_BASE_URL: gateway.url })
  expect((await world.run(PAY)).exit).toBe(0)
  const file = ledgerFile(world)
  const { target, roots } = await inLedger(world, (database) => {
    database.exec('PRAGMA wal_checkpoint(TRUNCATE)')
    const schema = database.all('SELECT name, rootpage FROM sqlite_schema')
    const roots = new Map(schema.map(({ name, rootpage }) => [String(name), Number(rootpage)]))
    return { target: String(database.get('SELECT target FROM sent_target')?.target), roots }
  })
  const bytes = readFileSync(file)
  for (const [name, text] of [
    ['payment_key', KEY],
    ['payment', KEY],
    ['sent_target_lookup', target],
    ['sent_target', target],
    ['sqlite_schema', 'moved_cents INTEGER'],
  ] as const) {
    const pages = pagesOf(bytes, name === 'sqlite_schema' ? 1 : Number(roots.get(name)))
    const page = pages.find(({ from, to }) => bytes.subarray(from, to).includes(text))
    if (page === undefined) throw new Error(`${name} does not hold ${text}`)
    const at = bytes.indexOf(text, page.from)
    const flipped = Buffer.from(bytes)
    flipped[at] = (flipped[at] ?? 0) ^ 1
    for (const end of ['-wal', '-shm']) rmSync(file + end, { force: true })
    writeFileSync(file, flipped)
    const ran = await world.run(PAY)
    expect(endingOf(ran), `${name}: ${ran.stderr}`).toMatchObject({ exit: 2, outcome: 'not-sent' })
  }
  expect(gateway.arrivals).toHaveLength(1)
})
