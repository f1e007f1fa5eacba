import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import type { Arrival } from '../../src/timeline/eventLine.ts'
import { openJournal } from '../../src/timeline/journal.ts'
import { openTimeline } from '../../src/timeline/timeline.ts'
import { readEventFacts } from '../../src/wire/eventFacts.ts'

const OWNER = { profile: null, environment: 'sandbox', baseUrl: 'http://127.0.0.1:1', clientId: 'c' } as const

function arrival(idTransaction: string): Arrival {
  const body = `{"event":"transfer.completed","data":{"idTransaction":"${idTransaction}","destinationTaxId":"52998224725"}}`
  const facts = readEventFacts(body)
  if (facts === undefined) throw new Error('that is no JSON')
  const about = { target: '/', headers: [], owner: OWNER, isSigned: true, via: 'listen', receivedAtMs: 0 } as const
  return { ...about, headers: [], facts, body: Buffer.from(body) }
}

function opened() {
  const folder = mkdtempSync(join(tmpdir(), 'pixgate-events-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const notices: string[] = []
  const around = {
    folder,
    user: 'maria',
    machine: 'desk',
    now: () => 0,
    newId: () => 'id',
    notice: (line: string) => notices.push(line),
    exclusively: <Result>(work: () => Promise<Result>) => work(),
  }
  return { timeline: openTimeline(around), journal: openJournal(around), notices, path: join(folder, 'events.log') }
}

it('gives the events behind the records, also those that arrive later', async () => {
  const { timeline, journal, notices } = opened()
  expect(await timeline.read()).toEqual([])
  const empty = await timeline.length()
  await journal.keep(arrival('one'))
  expect(await timeline.length()).toBeGreaterThan(empty)
  expect(await timeline.read()).toMatchObject([{ type: 'event', idTransaction: 'one', taxId: '52998224725' }])
  await timeline.append({ type: 'finding', of: 'x', as: 'paid', because: 'seen' })
  journal.noteForward({ n: 1, url: 'http://127.0.0.1:1/', status: 200, ms: 1, error: null })
  await journal.keep(arrival('two'))
  for (const read of [timeline.read, timeline.readUndamaged]) {
    expect((await read()).map(({ type }) => type)).toEqual(['finding', 'event', 'event'])
  }
  expect(notices).toEqual([])
})

it('leaves damaged events out with one notice, and stops what moves money', async () => {
  const { timeline, journal, notices, path } = opened()
  await journal.keep(arrival('one'))
  expect(await timeline.read()).toHaveLength(1)
  await journal.keep(arrival('two'))
  await journal.keep(arrival('three'))
  writeFileSync(path, readFileSync(path, 'utf8').replace('"two"', '"own"'))
  appendFileSync(path, '00000000 {"torn')
  const damage = `The file ${path} is damaged in line 2, which is left out`
  for (let times = 0; times < 2; times++) {
    expect(await timeline.read()).toMatchObject([{ idTransaction: 'one' }, { idTransaction: 'three' }])
  }
  expect(notices).toEqual([damage])
  await expect(timeline.readUndamaged()).rejects.toThrow(damage)
})

it('says once that the events cannot be read, and stops what moves money', async () => {
  const { timeline, notices, path } = opened()
  mkdirSync(path)
  const damage = `The events that arrived cannot be read from ${path}: EISDIR`
  await expect(timeline.readUndamaged()).rejects.toThrow(damage)
  expect(await timeline.read()).toEqual([])
  expect(await timeline.read()).toEqual([])
  expect(notices).toEqual([damage])
})
