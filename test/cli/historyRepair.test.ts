import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { startFaultGateway } from '../gateway/faultGateway.ts'
import { itOnTerminal, onTerminal } from '../pseudoTerminal.ts'
import { event } from '../timeline/ledger.ts'
import { emptyWorld, type Ran, type World } from '../world.ts'
import { inThisProcess, remembered } from './payments.ts'
import { accepted, stamped, writeLedger } from './writtenLedger.ts'

const NEWLINE = 0x0a
const AT = '2026-11-21T12:00:00.000Z'
const OWN = { key: 'maria@example.com', typeKey: 'email' } as const

/** Two transfers that were accepted, and a third that a person found first not paid and then paid. */
function written(): World {
  const world = inThisProcess(emptyWorld())
  writeLedger(world, [
    ...accepted({ externalId: 'one', at: AT, ...OWN }),
    ...accepted({ externalId: 'two', at: AT, ...OWN }),
    ...accepted({ externalId: 'three', at: AT, ...OWN }),
    stamped(AT, 'ana', { type: 'finding', of: 'intent-three', as: 'not-paid', because: 'asked' }, 'found'),
    stamped(AT, 'ana', { type: 'finding', of: 'intent-three', as: 'paid', because: 'asked again' }, 'found again'),
  ])
  const arrived = event({ idTransaction: 'id-two', n: 1, digest: 'x', bodyBase64: 'e30=' })
  writeLedger(world, [stamped(AT, 'ana', arrived, 'event-1')], 'events.log')
  return world
}

function pathIn({ home }: World, file = 'timeline.log'): string {
  return join(home, 'data', file)
}

/** Writes zeros over a text in a line, counted from 1. */
function spoil(path: string, line: number, text: string): Buffer {
  const lines = readFileSync(path, 'utf8').split('\n')
  const own = lines[line - 1] ?? ''
  expect(own).toContain(text)
  lines[line - 1] = own.replace(text, '0'.repeat(text.length))
  const spoilt = Buffer.from(lines.join('\n'))
  writeFileSync(path, spoilt)
  return spoilt
}

function copiesOf(path: string): string[] {
  const folder = join(path, '..')
  return readdirSync(folder)
    .filter((name) => join(folder, name).startsWith(`${path}.damaged-`))
    .map((name) => join(folder, name))
}

function documentOf({ stdout }: Ran): { mended: number; lost: number; files: { copy: string; lost: unknown[] }[] } {
  return JSON.parse(stdout)
}

describe('pixgate history repair', () => {
  it('finds nothing to do where nothing is damaged', async () => {
    const world = written()
    const { exit, stdout } = await world.run(['history', 'repair'])
    expect([exit, stdout]).toEqual([0, 'Nothing is damaged: 9 records are whole\n'])
    expect(await world.json(['history', 'repair'])).toEqual({ files: [], mended: 0, lost: 0, kept: 0 })
  })

  it('mends any wrong bit so that the files are what they were, and keeps them as they were found', async () => {
    const world = written()
    const paths = [pathIn(world), pathIn(world, 'events.log')]
    const whole = paths.map((path) => readFileSync(path))
    for (const [place, path] of paths.entries()) {
      const bytes = whole[place] ?? Buffer.alloc(0)
      const ends = [...bytes.keys()].filter((at) => bytes[at] === NEWLINE)
      // A place in the checksum, one in the record, and the line end.
      for (const at of [...ends.slice(0, -1).map((end) => end + 5), ...ends.map((end) => end - 40), ...ends]) {
        const flipped = Buffer.from(bytes)
        flipped[at] = (bytes[at] ?? 0) ^ (1 << (at % 7))
        writeFileSync(path, flipped)
        const { exit, stdout } = await world.run(['history', 'repair', '--yes', '-o', 'json'])
        expect([exit, documentOf({ exit, stdout, stderr: '' }).lost], `byte ${at} of ${path}`).toEqual([0, 0])
        expect(readFileSync(path).equals(bytes), `byte ${at} of ${path}`).toBe(true)
        const [copy = ''] = copiesOf(path)
        expect(readFileSync(copy).equals(flipped)).toBe(true)
        expect(statSync(copy).mode & 0o777).toBe(0o600)
        rmSync(copy)
      }
    }
  })

  it('makes a payment unknown whose answer is lost, so that it is not sent again', async () => {
    const world = written()
    const spoilt = spoil(pathIn(world), 2, '"outcome":"accepted"')
    const ran = await world.run(['history', 'repair', '--yes'])
    expect(ran.exit).toBe(5)
    expect(ran.stderr).toContain('Line 2 told what became of intent-one, which is in doubt now')
    expect(await remembered(world)).toEqual(['one unknown', 'two paid', 'three paid'])
    expect(copiesOf(pathIn(world)).map((copy) => readFileSync(copy))).toEqual([spoilt])
    const gateway = await startFaultGateway()
    // The written ledger is of another account, so the same one is named by its own credentials.
    const env = { PIXGATE_BASE_URL: 'https://sandbox.example', PIXGATE_CLIENT_ID: 'shop', PIXGATE_CLIENT_SECRET: 's' }
    const again = ['transfer', '--key', OWN.key, '--amount', '10,50', '--callback-url', gateway.url]
    const { exit, stderr } = await world.run([...again, '--confirm', 'sandbox.example', '-o', 'json'], { env })
    expect([exit, JSON.parse(stderr).error.code]).toEqual([2, 'REPEAT'])
    expect(stderr).toContain('in doubt')
  })

  it('makes a payment unknown whose finding is lost, also where an earlier one allowed another', async () => {
    const world = written()
    spoil(pathIn(world), 8, '"as":"paid"')
    expect((await world.run(['history', 'repair', '--yes'])).exit).toBe(5)
    expect(await remembered(world)).toEqual(['one accepted', 'two paid', 'three unknown'])
  })

  it('leaves what may be the only record of a payment damaged, so that no money moves', async () => {
    const world = written()
    const spoilt = spoil(pathIn(world), 3, '"amountCents":1050')
    const ran = await world.run(['history', 'repair', '--yes'])
    expect([ran.exit, readFileSync(pathIn(world)), copiesOf(pathIn(world))]).toEqual([5, spoilt, []])
    expect(ran.stderr).toContain('Line 3 was a transfer that may have been sent: two')
    expect(ran.stderr).toContain('nothing that moves money is sent until the loss is accepted')
    const env = { PIXGATE_BASE_URL: 'http://127.0.0.1:9', PIXGATE_CLIENT_ID: 'shop', PIXGATE_CLIENT_SECRET: 's' }
    const transfer = ['transfer', '--key', OWN.key, '--amount', '1', '--callback-url', 'http://127.0.0.1:9/', '--yes']
    const { exit, stderr } = await world.run(transfer, { env })
    expect(exit).toBe(2)
    expect(stderr).toContain('damaged in line 3')
  })

  it('mends the other lines beside it', async () => {
    const world = written()
    const spoilt = spoil(pathIn(world), 3, '"amountCents":1050')
    const bit = Buffer.from(spoilt)
    bit[20] = (bit[20] ?? 0) ^ 4
    writeFileSync(pathIn(world), bit)
    const ran = await world.run(['history', 'repair', '--yes', '-o', 'json'])
    expect([ran.exit, documentOf(ran)]).toMatchObject([5, { mended: 1, lost: 0, kept: 1 }])
    expect(readFileSync(pathIn(world))).toEqual(spoilt)
    expect(copiesOf(pathIn(world)).map((copy) => readFileSync(copy))).toEqual([bit])
  })

  it('says loudly which payment is not known any more where its loss is accepted, to programs too', async () => {
    const world = written()
    spoil(pathIn(world), 3, '"amountCents":1050')
    const ran = await world.run(['history', 'repair', '--accept-loss', '--yes', '-o', 'json'])
    expect(ran.exit).toBe(5)
    expect(documentOf(ran)).toMatchObject({
      mended: 0,
      lost: 1,
      files: [{ file: pathIn(world), lost: [{ line: 3, legible: { type: 'intent', externalId: 'two' } }] }],
    })
    expect(ran.stderr).toContain('Line 3 was a transfer that may have been sent: two')
    expect(ran.stderr).toContain('can be sent a second time')
    expect(await remembered(world)).toEqual(['one accepted', 'three paid'])
  })

  it('takes damaged events out, and what they said with them', async () => {
    const world = written()
    spoil(pathIn(world, 'events.log'), 1, '"status":"PAID_OUT"')
    const ran = await world.run(['history', 'repair', '--yes'])
    expect([ran.exit, readFileSync(pathIn(world, 'events.log'), 'utf8')]).toEqual([5, ''])
    expect(await remembered(world)).toEqual(['one accepted', 'two accepted', 'three paid'])
  })

  it('goes on without a sealed file that is gone or shorter, and says so', async () => {
    const world = written()
    const lines = readFileSync(pathIn(world), 'utf8').split('\n').slice(0, -1)
    const files = ['timeline.000001.log', 'timeline.000002.log', 'timeline.log']
    for (const [number, file] of files.entries()) {
      writeLedger(world, [], file)
      writeFileSync(pathIn(world, file), `${lines.slice(number * 2, number * 2 + (number === 2 ? 4 : 2)).join('\n')}\n`)
    }
    expect(await remembered(world)).toHaveLength(3)
    rmSync(pathIn(world, files[0]))
    writeFileSync(pathIn(world, files[1]), `${lines[2]}\n`)
    const before = readdirSync(join(world.home, 'data'))
    expect((await world.run(['history', 'repair', '--yes'])).exit).toBe(5)
    expect(readdirSync(join(world.home, 'data'))).toEqual(before)
    const ran = await world.run(['history', 'repair', '--accept-loss', '--yes'])
    expect(ran.exit).toBe(5)
    expect(ran.stderr).toContain('All that stood in timeline.000001.log is lost')
    expect(ran.stderr).toContain('The last records of timeline.000002.log are lost')
    expect((await world.run(['history', 'repair'])).exit).toBe(0)
    expect(await remembered(world)).toEqual(['two unknown', 'three paid'])
  })

  it('changes nothing where nobody agrees', async () => {
    const world = written()
    const spoilt = spoil(pathIn(world), 2, '"outcome":"accepted"')
    const { exit, stderr } = await world.run(['history', 'repair'])
    expect(exit).toBe(2)
    expect(stderr).toContain(`The file ${pathIn(world)} is damaged in line 2`)
    expect(readFileSync(pathIn(world))).toEqual(spoilt)
    expect(copiesOf(pathIn(world))).toEqual([])
  })

  it('is what doctor and what moves money point to', async () => {
    const world = written()
    spoil(pathIn(world), 2, '"outcome":"accepted"')
    const doctor = await world.run(['doctor', '-o', 'json'])
    const { findings } = JSON.parse(doctor.stdout)
    expect(findings).toContainEqual({
      name: 'records',
      ok: false,
      finding: `The file ${pathIn(world)} is damaged in line 2`,
      hint: expect.stringContaining('pixgate history repair'),
    })
    const { stderr } = await world.run(['transfer', '--key', OWN.key, '--amount', '1', '--yes'])
    expect(stderr).toContain('pixgate history repair')
  })
})

itOnTerminal('asks first on a terminal', async () => {
  const world = written()
  const spoilt = spoil(pathIn(world), 2, '"outcome":"accepted"')
  const declined = onTerminal(world, ['history', 'repair'])
  await declined.shows('Keep a copy of each')
  declined.press('n\r')
  expect((await declined.ended).exit).toBe(130)
  expect(readFileSync(pathIn(world))).toEqual(spoilt)
  const agreed = onTerminal(world, ['history', 'repair'])
  await agreed.shows('Keep a copy of each')
  agreed.press('y\r')
  expect((await agreed.ended).exit).toBe(5)
  expect(copiesOf(pathIn(world))).toHaveLength(1)
})
