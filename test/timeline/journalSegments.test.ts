import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { withFolderLock } from '../../src/locks/folderLock.ts'
import { type Journal, openJournal } from '../../src/timeline/journal.ts'
import { openTimeline, type TimelineSurroundings } from '../../src/timeline/timeline.ts'
import { arrivalOf } from '../cli/journalEntries.ts'

/** Two or three events. */
const SMALL_BYTES = 1500

function machine(): TimelineSurroundings {
  const folder = mkdtempSync(join(tmpdir(), 'pixgate-journals-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return {
    folder,
    user: 'ana',
    machine: 'desk',
    now: () => 0,
    newId: () => crypto.randomUUID(),
    notice: (line) => expect.unreachable(line),
    exclusively: (work) => withFolderLock(folder, 'events', process.platform, work),
    segmentBytesMax: SMALL_BYTES,
  }
}

function paymentOf(id: string) {
  const body = `{"event":"pix.received","data":{"idTransaction":"${id}","status":"PAID","amount":1}}`
  return arrivalOf(body, { headers: [] })
}

async function idsOf(journal: Journal): Promise<[n: number, id: string | null, forwards: number][]> {
  return (await journal.events()).map(({ record, forwards }) => [record.n, record.idTransaction, forwards.length])
}

it('knows every event again, and counts on, in whichever file it stands', { timeout: 60_000 }, async () => {
  const around = machine()
  const journals = [openJournal(around), openJournal(around)]
  const ids = Array.from({ length: 12 }, (_, index) => `id-${index}`)
  for (const [index, id] of ids.entries()) {
    const journal = journals[index % 2] ?? openJournal(around)
    expect(await journal.keep(paymentOf(id))).toEqual({ n: index + 1, duplicate: false })
    // What came of passing it on may stand in a later file.
    const forwarding = openJournal(around)
    forwarding.noteForward({ n: Math.max(1, index - 3), url: 'http://a/', status: 200, ms: 1, error: null })
    await forwarding.settled()
  }
  expect(readdirSync(around.folder).filter((name) => name.endsWith('.log')).length).toBeGreaterThan(3)
  for (const journal of [...journals, openJournal(around)]) {
    for (const [index, id] of ids.entries()) {
      expect(await journal.keep(paymentOf(id))).toEqual({ n: index + 1, duplicate: true })
    }
    expect((await idsOf(journal)).map(([n, id]) => [n, id])).toEqual(ids.map((id, index) => [index + 1, id]))
  }
  const forwards = (await idsOf(openJournal(around))).map(([, , count]) => count)
  expect(forwards).toEqual([5, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0])
  const read = await openTimeline(around).readUndamaged()
  expect(read.map((each) => ('idTransaction' in each ? each.idTransaction : null))).toEqual(ids)
})
