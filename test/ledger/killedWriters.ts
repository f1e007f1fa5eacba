import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect, onTestFinished } from 'vitest'
import { bundled } from '../bundled.ts'
import { type Dice, diceOf } from '../campaign/dice.ts'
import { NODE } from '../world.ts'
import { OWNER, TRANSFER } from './paymentHistory.ts'
import { problemsOf, recordsOf } from './storedLedger.ts'

const LEDGER = await bundled('ledger/ledger.ts')
const WRITERS = 3
/** A writer is killed after this many confirmed records at most, and a moment. */
const RECORDS_MAX = 12
const MOMENT_MS = 12

/**
 * Records transfers until it is killed, and prints each name when its record is durable. The ledger is closed after every other record, and
 * the last one to close it moves the log of SQLite into the database.
 */
const WRITING = `
  const { openLedger } = await import(process.argv[1])
  const [folder, writer, first] = process.argv.slice(2)
  const environment = {
    folder, user: 'maria', machine: 'desk', pid: process.pid, timeoutMs: 60_000,
    now: () => Date.now(), newId: () => crypto.randomUUID(), notice: () => {},
  }
  let ledger = openLedger(environment)
  for (let number = Number(first); ; number++) {
    const externalId = writer + '-' + number
    const attempt = {
      type: 'attempt', payment: crypto.randomUUID(), number: 1, externalId, body: '{}', place: null, rowId: externalId, sender: 'x',
      owner: ${JSON.stringify(OWNER)}, facts: ${JSON.stringify(TRANSFER)},
    }
    await ledger.write((one) => one.append(attempt))
    process.stdout.write(externalId + '\\n')
    if (number % 2 === 0) continue
    await ledger.close()
    ledger = openLedger(environment)
  }`

/**
 * Lets several processes write to one ledger and kills each of them this many times, at moments that the seed chooses. Asserts that what was
 * confirmed is recorded once and in order, and that nothing is damaged. Returns how many records were confirmed.
 */
export async function killedWriters({ kills, seed }: { kills: number; seed: number }): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'pixgate-writers-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const confirmed = new Set<string>()
  await Promise.all(
    Array.from({ length: WRITERS }, async (_, writer) => {
      const dice = diceOf(`${seed}/${writer}`)
      for (let kill = 0, first = 0; kill < kills; kill++) {
        const names = await writeUntilKilled({ folder, writer, first }, dice)
        for (const name of names) confirmed.add(name)
        // The record that was being written may be there too.
        first += names.length + 1
      }
    }),
  )
  const world = { env: { PIXGATE_DATA_DIR: folder } }
  const found = (await recordsOf(world)).map((each) => (each.type === 'attempt' ? each.externalId : each.type))
  expect(found).toEqual([...new Set(found)])
  expect([...confirmed].filter((name) => !found.includes(name))).toEqual([])
  expect(found.length).toBeLessThanOrEqual(confirmed.size + WRITERS * kills)
  expect(await problemsOf(world)).toEqual([])
  return confirmed.size
}

async function writeUntilKilled(
  { folder, writer, first }: { folder: string; writer: number; first: number },
  dice: Dice,
): Promise<string[]> {
  const args = ['--input-type=module', '-e', WRITING, LEDGER, folder, `${writer}`, `${first}`]
  const child = spawn(NODE, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  const [after, momentMs] = [dice.below(RECORDS_MAX), dice.fraction() * MOMENT_MS]
  const names: string[] = []
  for await (const name of createInterface({ input: child.stdout })) {
    names.push(name)
    if (names.length === after + 1) setTimeout(() => child.kill('SIGKILL'), momentMs)
  }
  return names
}
