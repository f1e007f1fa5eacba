import { spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect, onTestFinished } from 'vitest'
import { withFolderLock } from '../../src/locks/folderLock.ts'
import { openTimeline } from '../../src/timeline/timeline.ts'
import { bundled } from '../bundled.ts'
import { type Dice, diceOf } from '../campaign/dice.ts'
import { NODE } from '../world.ts'
import { transfer } from './ledger.ts'

const TIMELINE = await bundled('timeline/timeline.ts')
const LOCKS = await bundled('locks/folderLock.ts')
const WRITERS = 3
/** So small that every second record begins a new file. */
const SEGMENT_BYTES_MAX = 600
/** A writer is killed after so many confirmed records at most, and a little. */
const RECORDS_MAX = 12
const A_LITTLE_MS = 12

/** Records transfers without pause until it is killed; prints each name once its record is durable. */
const WRITING = `
  const { openTimeline } = await import(process.argv[1])
  const { withFolderLock } = await import(process.argv[2])
  const [folder, writer, first] = process.argv.slice(3)
  const timeline = openTimeline({
    folder, user: 'maria', machine: 'desk', now: () => Date.now(), newId: () => crypto.randomUUID(), notice: () => {},
    exclusively: (work) => withFolderLock(folder, 'timeline', process.platform, work),
    segmentBytesMax: ${SEGMENT_BYTES_MAX},
  })
  for (let number = Number(first); ; number++) {
    const externalId = writer + '-' + number
    await timeline.recordIntent({ ...${JSON.stringify(transfer())}, externalId })
    process.stdout.write(externalId + '\\n')
  }`

/** What the writers did: records that were confirmed, and files that were sealed. */
export interface Written {
  confirmed: number
  sealed: number
}

/**
 * Lets several processes write into one timeline, whose files are tiny, and kills each of them so many times at moments that
 * the seed throws. Asserts that what was confirmed is there, once, in order, and nothing is damaged.
 */
export async function killedWriters({ kills, seed }: { kills: number; seed: number }): Promise<Written> {
  const folder = mkdtempSync(join(tmpdir(), 'pixgate-writers-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const confirmed = new Set<string>()
  await Promise.all(
    Array.from({ length: WRITERS }, async (_, writer) => {
      const dice = diceOf(`${seed}/${writer}`)
      for (let kill = 0, first = 0; kill < kills; kill++) {
        const names = await writeUntilKilled({ folder, writer, first }, dice)
        for (const name of names) confirmed.add(name)
        // The one that was under way may have been written.
        first += names.length + 1
      }
    }),
  )
  const timeline = openTimeline({
    folder,
    user: 'maria',
    machine: 'desk',
    now: () => 0,
    newId: () => '',
    notice: (line) => expect(line).toContain('was not written whole'),
    exclusively: (work) => withFolderLock(folder, 'timeline', process.platform, work),
  })
  const found = (await timeline.readUndamaged()).map((each) =>
    'externalId' in each ? `${each.externalId}` : each.type,
  )
  expect(found).toEqual([...new Set(found)])
  expect([...confirmed].filter((name) => !found.includes(name))).toEqual([])
  expect(found.length).toBeLessThanOrEqual(confirmed.size + WRITERS * kills)
  for (let writer = 0; writer < WRITERS; writer++) {
    const numbers = found.filter((name) => name.startsWith(`${writer}-`)).map((name) => Number(name.split('-')[1]))
    expect(numbers).toEqual(numbers.toSorted((one, other) => one - other))
  }
  const sealed = readdirSync(folder).filter((name) => /^timeline\.\d+\.log$/.test(name)).length
  return { confirmed: confirmed.size, sealed }
}

async function writeUntilKilled(
  { folder, writer, first }: { folder: string; writer: number; first: number },
  dice: Dice,
): Promise<string[]> {
  const words = ['--input-type=module', '-e', WRITING, TIMELINE, LOCKS, folder, `${writer}`, `${first}`]
  const child = spawn(NODE, words, { stdio: ['ignore', 'pipe', 'inherit'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  const [after, littleMs] = [dice.below(RECORDS_MAX), dice.fraction() * A_LITTLE_MS]
  const names: string[] = []
  for await (const name of createInterface({ input: child.stdout })) {
    names.push(name)
    if (names.length === after + 1) setTimeout(() => child.kill('SIGKILL'), littleMs)
  }
  return names
}
