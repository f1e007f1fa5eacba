import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, it, onTestFinished } from 'vitest'
import { openTimeline, type Timeline } from '../../src/timeline/timeline.ts'
import type { FollowedRecord, TimelineFollower } from '../../src/timeline/timelineFollower.ts'
import { transfer } from './ledger.ts'

const STEPS = ['own', 'own together', 'of another', 'of another in the same turn', 'follow', 'end of the turn'] as const
/** About ten records, so that some turns begin a new file. */
const SEGMENT_BYTES_MAX = 3000

interface Shared {
  folder: string
  /** As another process would open it. */
  open(): Timeline
  /** Ends with the turn of whoever holds the lock. */
  turn(): Promise<unknown>
}

function shared(): Shared {
  const folder = mkdtempSync(join(tmpdir(), 'pixgate-own-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  let count = 0
  let turn: Promise<unknown> = Promise.resolve()
  const open = () =>
    openTimeline({
      folder,
      user: 'maria',
      machine: 'desk',
      now: () => 0,
      newId: () => `record-${1000 + ++count}`,
      notice: () => undefined,
      exclusively: (work) => {
        const done = turn.then(work)
        turn = done.catch(() => undefined)
        return done
      },
      segmentBytesMax: SEGMENT_BYTES_MAX,
    })
  return { folder, open, turn: () => turn }
}

async function followed(follower: TimelineFollower): Promise<FollowedRecord[]> {
  const records: FollowedRecord[] = []
  for await (const piece of follower.records()) records.push(...piece)
  return records
}

it('gives what was written here and elsewhere in the order of the log, each once, as it stands there', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.constantFrom(...STEPS), { maxLength: 40 }), async (steps) => {
      const { open, turn } = shared()
      const [own, other] = [open(), open()]
      const follower = own.follow()
      const seen: FollowedRecord[] = []
      for (const step of steps) {
        if (step === 'own') await own.recordIntent(transfer())
        else if (step === 'own together')
          await Promise.all([own.recordIntents([transfer(), transfer()]), own.append(transfer())])
        else if (step === 'of another') await other.recordIntent(transfer())
        else if (step === 'of another in the same turn')
          await Promise.all([own.append(transfer()), other.append(transfer())])
        else if (step === 'end of the turn') await turn()
        else seen.push(...(await followed(follower)))
      }
      await turn()
      seen.push(...(await followed(follower)))
      expect(seen).toEqual(await followed(open().follow()))
    }),
    { numRuns: 40 },
  )
})

it('reads what another process has written to a new file, up to the place where it stood in the old one', async () => {
  const { folder, open } = shared()
  const [own, other] = [open(), open()]
  const follower = own.follow()
  await own.append(transfer())
  const seen = await followed(follower)
  while (!existsSync(join(folder, 'timeline.000001.log'))) await other.append(transfer())
  await own.append(transfer())
  seen.push(...(await followed(follower)))
  expect(seen).toEqual(await followed(open().follow()))
})
