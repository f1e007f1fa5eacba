import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import type { TransferIntent } from '../../src/timeline/records.ts'
import { openTimeline, type Timeline } from '../../src/timeline/timeline.ts'
import { UsageError } from '../../src/wire/errors.ts'

const INTENT: TransferIntent = {
  type: 'intent',
  kind: 'transfer',
  profile: null,
  environment: 'sandbox',
  baseUrl: 'http://127.0.0.1:1',
  clientId: 'c',
  externalId: 'e-1',
  key: 'josé@example.com',
  typeKey: 'email',
  documentValidation: null,
  amountCents: 1050,
  body: '{"value":10.5}',
}

interface Opened {
  timeline: Timeline
  path: string
  notices: string[]
}

function freshFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'pixgate-timeline-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

function opened(folder: string = freshFolder()): Opened {
  const notices: string[] = []
  let count = 0
  const timeline = openTimeline({
    folder,
    user: 'maria',
    machine: 'desk',
    now: () => Date.UTC(2026, 10, 21) + count,
    newId: () => `id-${++count}`,
    notice: (line) => notices.push(line),
    exclusively: (work) => work(),
  })
  return { timeline, path: join(folder, 'timeline.log'), notices }
}

async function withThreeRecords(): Promise<Opened & { bytes: Buffer }> {
  const world = opened()
  const intent = await world.timeline.recordIntent(INTENT)
  await world.timeline.recordAttempt(intent)
  await world.timeline.append({ type: 'finding', of: intent.id, as: 'paid', because: 'seen' })
  return { ...world, bytes: readFileSync(world.path) }
}

it('keeps what was appended, stamped, in order', async () => {
  const { timeline } = await withThreeRecords()
  const records = await timeline.readUndamaged()
  expect(records.map(({ type, user, machine }) => [type, user, machine])).toEqual([
    ['intent', 'maria', 'desk'],
    ['attempt', 'maria', 'desk'],
    ['finding', 'maria', 'desk'],
  ])
  expect(records[0]).toMatchObject(INTENT)
})

it('makes the file for its owner alone', async () => {
  const { path } = await withThreeRecords()
  expect(statSync(path).mode & 0o777).toBe(0o600)
})

it('recovers every tail: cut anywhere, the whole lines before the cut count and the next record fits on', async () => {
  const { bytes } = await withThreeRecords()
  const folder = freshFolder()
  for (let length = 0; length <= bytes.length; length++) {
    const { timeline, path, notices } = opened(folder)
    writeFileSync(path, bytes.subarray(0, length))
    const missesLineEnd = bytes[length] === 0x0a
    const whole = bytes.subarray(0, length).toString('latin1').split('\n').length - (missesLineEnd ? 0 : 1)
    expect(await timeline.readUndamaged()).toHaveLength(whole)
    const isTorn = length > 0 && bytes[length - 1] !== 0x0a && !missesLineEnd
    expect(notices).toHaveLength(isTorn ? 1 : 0)
    await timeline.recordIntent(INTENT)
    expect(await timeline.readUndamaged()).toHaveLength(whole + 1)
  }
})

it('notices every flipped bit, names the line, and lets nothing that moves money go on', async () => {
  const { bytes } = await withThreeRecords()
  const folder = freshFolder()
  const ends = [...bytes.keys()].filter((index) => bytes[index] === 0x0a)
  for (let index = 0; index < bytes.length; index++) {
    const flipped = Buffer.from(bytes)
    flipped[index] = (bytes[index] ?? 0) ^ (1 << (index % 8))
    const { timeline, path, notices } = opened(folder)
    writeFileSync(path, flipped)
    const line = ends.findIndex((end) => index <= end) + 1
    const read = await timeline.read()
    expect(read.length).toBeLessThan(3)
    expect(notices).toHaveLength(1)
    expect(notices[0]).toContain(`line ${line}`)
    await expect(timeline.readUndamaged()).rejects.toThrow(UsageError)
  }
})

it('refuses a line whose checksum fits but that is no record', async () => {
  const { timeline, path } = await withThreeRecords()
  const { crc32 } = await import('node:zlib')
  const json = '{"type":"intent","kind":"transfer","id":"x","at":"y"}'
  writeFileSync(path, `${crc32(json).toString(16).padStart(8, '0')} ${json}\n`, { flag: 'a' })
  await expect(timeline.readUndamaged()).rejects.toThrow('damaged in line 4')
})

it('says that nothing was sent where the file cannot be written', async () => {
  const { timeline, path } = opened()
  writeFileSync(join(path), '')
  rmSync(path)
  const { mkdirSync } = await import('node:fs')
  mkdirSync(path)
  await expect(timeline.recordIntent(INTENT)).rejects.toThrow('cannot be recorded')
})
