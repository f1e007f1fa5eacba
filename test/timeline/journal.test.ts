import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { withFolderLock } from '../../src/locks/folderLock.ts'
import { type Journal, openJournal } from '../../src/timeline/journal.ts'
import { arrivalOf } from '../cli/journalEntries.ts'

const NEWLINE = 0x0a
const AT_ONCE = 16

interface Machine {
  folder: string
  path: string
  notices: string[]
  /** How often the lock was taken. */
  turns: number
  /** As another process would open it. */
  open(): Journal
}

function machine(): Machine {
  const folder = mkdtempSync(join(tmpdir(), 'pixgate-journal-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return machineIn(folder)
}

function machineIn(folder: string): Machine {
  const notices: string[] = []
  const around = {
    folder,
    user: 'ana',
    machine: 'desk',
    now: () => 0,
    newId: () => crypto.randomUUID(),
    notice: (line: string) => void notices.push(line),
    exclusively: <Result>(work: () => Promise<Result>) => {
      own.turns += 1
      return withFolderLock(folder, 'events', process.platform, work)
    },
  }
  const own: Machine = { folder, path: join(folder, 'events.log'), notices, turns: 0, open: () => openJournal(around) }
  return own
}

function paymentOf(id: string | number, amount = '1') {
  return arrivalOf(`{"event":"pix.received","data":{"idTransaction":"${id}","status":"PAID","amount":${amount}}}`, {
    headers: [],
  })
}

/** The ids of the recorded events by number. */
async function idsByNumber(journal: Journal): Promise<[n: number, id: string | null][]> {
  return (await journal.events()).map(({ record }) => [record.n, record.idTransaction])
}

describe('many at once', () => {
  it('are numbered in the order in which they came, and so they stand in the file', async () => {
    const own = machine()
    const { open } = own
    const journal = open()
    const ids = Array.from({ length: 1500 }, (_, index) => `id-${index}`)
    const kept = await Promise.all(
      ids.map(async (id, index) => {
        const { n, duplicate } = await journal.keep(paymentOf(id))
        journal.noteForward({ n, url: 'http://a/', status: 200 + (index % 2), ms: index, error: null })
        return { n, duplicate }
      }),
    )
    expect(kept).toEqual(ids.map((_, index) => ({ n: index + 1, duplicate: false })))
    await journal.settled()
    expect(own.turns).toBeLessThan(ids.length / 10)
    const events = await open().events()
    expect(events.map(({ record }) => record.idTransaction)).toEqual(ids)
    expect(events.filter(({ forwards, record }) => forwards.length !== 1 || forwards[0]?.ms !== record.n - 1)).toEqual(
      [],
    )
  })

  it('are one where their bytes are the same, and say so where only their words are', async () => {
    const { open } = machine()
    const journal = open()
    const kept = await Promise.all([
      journal.keep(paymentOf('a')),
      journal.keep(paymentOf('a')),
      journal.keep(paymentOf('a', '1.0')),
      journal.keep(paymentOf('a', '1.0')),
      journal.keep(paymentOf('a', '2')),
    ])
    expect(kept).toEqual([
      { n: 1, duplicate: false },
      { n: 1, duplicate: true },
      { n: 2, duplicate: true },
      { n: 2, duplicate: true },
      { n: 3, duplicate: false },
    ])
    const records = (await journal.events()).map(({ record }) => record)
    expect(records.map(({ n, duplicateOf }) => [n, duplicateOf])).toEqual([
      [1, null],
      [2, 1],
      [3, null],
    ])
  })

  it('come from two processes, without a number that is lost or given twice', async () => {
    const { open, notices } = machine()
    const journals = [open(), open()]
    const ids = Array.from({ length: 200 }, (_, index) => `id-${index}`)
    const kept = await Promise.all(
      journals.flatMap((journal, which) =>
        ids.flatMap((id) => [journal.keep(paymentOf(`own-${which}-${id}`)), journal.keep(paymentOf(id))]),
      ),
    )
    const numbers = Array.from({ length: 600 }, (_, index) => index + 1)
    const fresh = kept.filter(({ duplicate }) => !duplicate).map(({ n }) => n)
    expect(fresh.sort((one, other) => one - other)).toEqual(numbers)
    const recorded = await idsByNumber(open())
    expect(recorded.map(([n]) => n)).toEqual(numbers)
    expect(new Set(recorded.map(([, id]) => id)).size).toBe(600)
    expect(notices).toEqual([])
  })
})

/** The bytes of a journal of three events. */
async function threeEvents(): Promise<Buffer> {
  const { open, path } = machine()
  const journal = open()
  for (const id of ['a', 'b', 'c']) await journal.keep(paymentOf(id))
  await journal.settled()
  return readFileSync(path)
}

/** Where each line of these bytes ends, the line end included. */
function endsOf(bytes: Buffer): number[] {
  return [...bytes.keys()].filter((index) => bytes[index] === NEWLINE).map((index) => index + 1)
}

/** Does this for each number, several at a time. */
async function forEach(numbers: readonly number[], work: (number: number) => Promise<void>): Promise<void> {
  const queue = numbers.values()
  const workOn = async () => {
    for (const number of queue) await work(number)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, workOn))
}

/** A machine of this test whose journal has these bytes. */
function holding(parent: string, name: string | number, bytes: Buffer): Machine {
  const folder = join(parent, String(name))
  mkdirSync(folder, { mode: 0o700 })
  const own = machineIn(folder)
  writeFileSync(own.path, bytes, { mode: 0o600 })
  return own
}

describe('damage', () => {
  it('that tore the last lines anywhere costs only what was not written whole', { timeout: 120_000 }, async () => {
    const bytes = await threeEvents()
    const ends = endsOf(bytes)
    const { folder } = machine()
    const cuts = Array.from({ length: bytes.length - (ends[0] ?? 0) + 1 }, (_, index) => (ends[0] ?? 0) + index)
    const wrong: unknown[] = []
    await forEach(cuts, async (cut) => {
      const { open, notices } = holding(folder, cut, bytes.subarray(0, cut))
      // A line that only misses its end was written.
      const whole = ends.filter((end) => end - 1 <= cut).length
      const { n, duplicate } = await open().keep(paymentOf('new'))
      const expected = [...['a', 'b', 'c'].slice(0, whole), 'new'].map((id, index) => [index + 1, id])
      const found = await idsByNumber(open())
      const isRight = n === whole + 1 && !duplicate && notices.length === 0
      if (!isRight || JSON.stringify(found) !== JSON.stringify(expected))
        wrong.push({ cut, n, duplicate, notices, found })
    })
    expect(cuts.length).toBeGreaterThan(500)
    expect(wrong).toEqual([])
  })

  it('of any bit of a line is noticed, and the rest is read', { timeout: 120_000 }, async () => {
    const bytes = await threeEvents()
    const [first = 0, second = 0] = endsOf(bytes)
    const { folder } = machine()
    const offsets = Array.from({ length: second - first - 1 }, (_, index) => first + index)
    const wrong: unknown[] = []
    await forEach(offsets, async (offset) => {
      const flipped = Buffer.from(bytes)
      flipped[offset] = (bytes[offset] ?? 0) ^ (1 << (offset % 8))
      const { open, notices, path } = holding(folder, offset, flipped)
      const found = JSON.stringify(await idsByNumber(open()))
      const isSaid = notices.join() === `The file ${path} is damaged in line 2, which is left out`
      // A flipped bit may also make two lines of one.
      const isCut = flipped[offset] === NEWLINE && notices.join().endsWith('is damaged in line 2, 3, which is left out')
      const { n } = await open().keep(paymentOf('new'))
      if (found !== '[[1,"a"],[3,"c"]]' || !(isSaid || isCut) || n !== 4) wrong.push({ offset, found, notices, n })
    })
    expect(wrong).toEqual([])
  })

  it('of a line end costs the lines on both sides of it', async () => {
    const bytes = await threeEvents()
    const [first = 0] = endsOf(bytes)
    bytes[first - 1] = 0x0b
    const { open, notices } = holding(machine().folder, 'it', bytes)
    expect(await idsByNumber(open())).toEqual([[3, 'c']])
    expect(notices).toMatchObject([expect.stringContaining('is damaged in line 1, which')])
    expect(await open().keep(paymentOf('a'))).toEqual({ n: 4, duplicate: false })
  })
})

describe('a write that fails', () => {
  it('rejects, and the next one has the number after what is kept', async () => {
    const { open, path } = machine()
    const journal = open()
    await journal.keep(paymentOf('a'))
    await journal.settled()
    renameSync(path, `${path}.away`)
    mkdirSync(path)
    const failed = await Promise.allSettled([journal.keep(paymentOf('b')), journal.keep(paymentOf('c'))])
    expect(failed).toMatchObject([
      { status: 'rejected', reason: { code: 'EISDIR' } },
      { status: 'rejected', reason: { code: 'EISDIR' } },
    ])
    journal.noteForward({ n: 1, url: 'http://a/', status: 200, ms: 1, error: null })
    await journal.settled()
    rmdirSync(path)
    renameSync(`${path}.away`, path)
    // What was not kept is no duplicate.
    expect(await journal.keep(paymentOf('c'))).toEqual({ n: 2, duplicate: false })
    expect(await journal.keep(paymentOf('b'))).toEqual({ n: 3, duplicate: false })
    expect(await journal.keep(paymentOf('a'))).toEqual({ n: 1, duplicate: true })
    await journal.settled()
    expect(await idsByNumber(open())).toEqual([
      [1, 'a'],
      [2, 'c'],
      [3, 'b'],
    ])
  })

  it('leaves what other processes read as it was', async () => {
    const { open, path, folder } = machine()
    await open().keep(paymentOf('a'))
    const copy = join(folder, 'copy')
    copyFileSync(path, copy)
    const journal = openJournal({
      folder,
      user: 'ana',
      machine: 'desk',
      now: () => 0,
      newId: () => 'id',
      notice: () => undefined,
      exclusively: () => Promise.reject(new Error('no lock')),
    })
    await expect(journal.keep(paymentOf('b'))).rejects.toThrow('no lock')
    expect(readFileSync(path)).toEqual(readFileSync(copy))
  })
})
