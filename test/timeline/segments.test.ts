import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it, onTestFinished } from 'vitest'
import { withFolderLock } from '../../src/locks/folderLock.ts'
import { openTimeline, type Timeline } from '../../src/timeline/timeline.ts'
import type { TimelineFollower } from '../../src/timeline/timelineFollower.ts'
import { transfer } from './ledger.ts'

const NEWLINE = 0x0a
/** About two records. */
const SMALL_BYTES = 600

interface Machine {
  folder: string
  path: string
  notices: string[]
  /** As another process would open it. */
  open(): Timeline
}

/** `isShared` where several work in the folder at once. */
function machine(isShared = false): Machine {
  const folder = mkdtempSync(join(tmpdir(), 'pixgate-segments-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const notices: string[] = []
  let count = 0
  const open = () =>
    openTimeline({
      folder,
      user: 'maria',
      machine: 'desk',
      now: () => Date.UTC(2026, 10, 21),
      newId: () => `record-${++count}`,
      notice: (line) => notices.push(line),
      exclusively: (work) => (isShared ? withFolderLock(folder, 'timeline', process.platform, work) : work()),
      segmentBytesMax: SMALL_BYTES,
    })
  return { folder, path: join(folder, 'timeline.log'), notices, open }
}

async function record(timeline: Timeline, names: readonly string[]): Promise<void> {
  for (const externalId of names) await timeline.recordIntent(transfer({ externalId }))
}

async function namesRead(timeline: Timeline): Promise<string[]> {
  return (await timeline.readUndamaged()).map((each) => ('externalId' in each ? `${each.externalId}` : each.type))
}

async function namesFollowed(follower: TimelineFollower): Promise<string[]> {
  const names: string[] = []
  for await (const records of follower.records()) {
    for (const each of records) names.push('externalId' in each ? `${each.externalId}` : each.type)
  }
  return names
}

function logsIn(folder: string): string[] {
  return readdirSync(folder).filter((name) => name.endsWith('.log'))
}

function named(count: number, prefix = 'order'): string[] {
  return Array.from({ length: count }, (_, index) => `${prefix}-${index}`)
}

it('goes on in a new file when one is full, and reads all of them in order', async () => {
  const { folder, open } = machine()
  await record(open(), named(7))
  expect(logsIn(folder)).toEqual(['timeline.000001.log', 'timeline.000002.log', 'timeline.000003.log', 'timeline.log'])
  expect(await namesRead(open())).toEqual(named(7))
  expect(await namesFollowed(open().follow())).toEqual(named(7))
})

it('loses and doubles nothing where several write and read at once', { timeout: 60_000 }, async () => {
  const { open, notices } = machine(true)
  const follower = open().follow()
  const reader = open()
  const followed: string[] = []
  let isWriting = true
  const reading = (async () => {
    while (isWriting) {
      followed.push(...(await namesFollowed(follower)))
      const read = await namesRead(reader)
      expect(read).toEqual([...new Set(read)])
      expect(read.slice(0, followed.length)).toEqual(followed)
    }
  })()
  const writers = ['ana', 'bia', 'eva'].map((name) => record(open(), named(20, name)))
  await Promise.all(writers).finally(() => {
    isWriting = false
  })
  await reading
  followed.push(...(await namesFollowed(follower)))
  expect(followed).toEqual(await namesRead(open()))
  for (const name of ['ana', 'bia', 'eva']) {
    expect(followed.filter((each) => each.startsWith(name))).toEqual(named(20, name))
  }
  expect(notices).toEqual([])
})

it('reads on over files that were sealed since, whenever it looked', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.constantFrom('write', 'follow', 'read', 'forget'), { maxLength: 24 }),
      async (steps) => {
        const { folder, open } = machine()
        const [writer, reader] = [open(), open()]
        const follower = reader.follow()
        const followed: string[] = []
        const written: string[] = []
        for (const step of steps) {
          if (step === 'write') {
            written.push(`order-${written.length}`)
            await record(writer, written.slice(-1))
          } else if (step === 'follow') followed.push(...(await namesFollowed(follower)))
          else if (step === 'read') expect(await namesRead(reader)).toEqual(written)
          else for (const name of readdirSync(folder)) if (name.endsWith('.index')) rmSync(join(folder, name))
        }
        followed.push(...(await namesFollowed(follower)))
        expect(followed).toEqual(written)
        expect(await namesRead(open())).toEqual(written)
      },
    ),
    { numRuns: 40 },
  )
})

describe('killed between two steps of beginning a new file', () => {
  it('goes on where the old one has its new name and there is no new one', async () => {
    const { folder, path, open } = machine()
    await record(open(), named(1))
    const follower = open().follow()
    expect(await namesFollowed(follower)).toEqual(named(1))
    renameSync(path, join(folder, 'timeline.000001.log'))
    expect(await namesRead(open())).toEqual(named(1))
    expect(await namesFollowed(follower)).toEqual([])
    await open().recordIntent(transfer({ externalId: 'order-1' }))
    expect(await namesRead(open())).toEqual(named(2))
    expect(await namesFollowed(follower)).toEqual(['order-1'])
    expect(existsSync(path)).toBe(true)
  })

  it('cuts a torn last line off before the file is sealed', async () => {
    const { folder, path, open } = machine()
    await record(open(), named(2))
    writeFileSync(path, '00000000 {"id":"torn', { flag: 'a' })
    await record(open(), ['order-2'])
    expect(logsIn(folder)).toEqual(['timeline.000001.log', 'timeline.log'])
    expect(await namesRead(open())).toEqual(named(3))
  })
})

/** Five records over three files, of which what is seen is remembered. */
async function threeFiles(): Promise<Machine & { sealed: string[] }> {
  const own = machine()
  await record(own.open(), named(5))
  expect(await namesRead(own.open())).toEqual(named(5))
  const sealed = ['timeline.000001.log', 'timeline.000002.log'].map((name) => join(own.folder, name))
  return { ...own, sealed }
}

describe('damage', () => {
  it('of any byte of a sealed file is said with the file and the line', { timeout: 120_000 }, async () => {
    const { sealed, open } = await threeFiles()
    const file = sealed[1] ?? ''
    const bytes = readFileSync(file)
    for (let at = 0; at < bytes.length; at++) {
      const flipped = Buffer.from(bytes)
      flipped[at] = (bytes[at] ?? 0) ^ (1 << (at % 8))
      writeFileSync(file, flipped)
      const line = bytes.subarray(0, at).filter((byte) => byte === NEWLINE).length + 1
      const said = `The file ${file} is damaged in line ${line}`
      await expect(open().readUndamaged(), `byte ${at}`).rejects.toThrow(said)
      if (at % 7 === 0) await expect(namesFollowed(open().follow()), `byte ${at}`).rejects.toThrow(said)
    }
    writeFileSync(file, bytes)
    expect(await namesRead(open())).toEqual(named(5))
  })

  it('by a cut is said of a sealed file, and the last one recovers from it', { timeout: 120_000 }, async () => {
    const { path, sealed, open } = await threeFiles()
    for (const file of [...sealed.slice(1), path]) {
      const bytes = readFileSync(file)
      for (let length = 0; length < bytes.length; length++) {
        writeFileSync(file, bytes.subarray(0, length))
        if (file !== path) {
          const said = `The file ${file} is damaged in line`
          await expect(open().readUndamaged(), `cut at ${length}`).rejects.toThrow(said)
          if (length % 7 === 0) await expect(namesFollowed(open().follow()), `cut at ${length}`).rejects.toThrow(said)
          continue
        }
        // The record counts from its last byte on; its line end may still be missing.
        const whole = length === bytes.length - 1 ? 5 : 4
        expect(await namesRead(open()), `cut at ${length}`).toEqual(named(whole))
      }
      writeFileSync(file, bytes)
    }
  })

  it('of a line that was seen before is noticed when it is read', async () => {
    const { path, sealed, open } = await threeFiles()
    for (const file of [...sealed, path]) {
      const timeline = open()
      await timeline.read()
      const bytes = readFileSync(file)
      const flipped = Buffer.from(bytes)
      flipped[100] = (bytes[100] ?? 0) ^ 1
      writeFileSync(file, flipped)
      await expect(timeline.readUndamaged()).rejects.toThrow(`The file ${file} is damaged in line 1`)
      writeFileSync(file, bytes)
    }
  })

  it('by a cut is said of a sealed file whose lines nobody has seen before', async () => {
    const { folder, sealed, open } = await threeFiles()
    rmSync(join(folder, 'timeline.000002.index'))
    const file = sealed[1] ?? ''
    const bytes = readFileSync(file)
    for (const length of [10, bytes.length - 100, bytes.length - 2]) {
      writeFileSync(file, bytes.subarray(0, length))
      const said = `The file ${file} is damaged in line`
      await expect(open().readUndamaged(), `cut at ${length}`).rejects.toThrow(said)
      await expect(namesFollowed(open().follow()), `cut at ${length}`).rejects.toThrow(said)
    }
  })

  it('that takes a sealed file away is said', async () => {
    const { sealed, open } = await threeFiles()
    for (const file of sealed) {
      const bytes = readFileSync(file)
      rmSync(file)
      await expect(open().readUndamaged()).rejects.toThrow(`The file ${file} is missing`)
      await expect(namesFollowed(open().follow())).rejects.toThrow(`The file ${file} is missing`)
      writeFileSync(file, bytes)
    }
    expect(await namesRead(open())).toEqual(named(5))
  })

  it('of what is remembered of a file changes nothing', async () => {
    const { folder, open } = await threeFiles()
    const index = join(folder, 'timeline.000001.index')
    const bytes = readFileSync(index)
    for (let at = 0; at < bytes.length; at++) {
      const flipped = Buffer.from(bytes)
      flipped[at] = (bytes[at] ?? 0) ^ (1 << (at % 8))
      writeFileSync(index, flipped)
      expect(await namesRead(open()), `byte ${at}`).toEqual(named(5))
    }
    truncateSync(index, bytes.length - 8)
    expect(await namesRead(open())).toEqual(named(5))
  })
})
