import { randomUUID } from 'node:crypto'
import { readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { writeTo } from '../ledger/storedLedger.ts'
import { itOnTerminal, onTerminal } from '../pseudoTerminal.ts'
import { emptyWorld, type World } from '../world.ts'

const RECORDS = 40_000

/** Fills the ledger of a world, so that its check takes a while. */
function fillLedger(world: World): Promise<void> {
  return writeTo(world, (writer) => {
    for (let record = 0; record < RECORDS; record++)
      writer.append({ type: 'accepted-older', ledger: null, lastKnown: 0, last: 0 })
  })
}

itOnTerminal('shows how far the check of a long ledger is, and ends it at Ctrl-C', async () => {
  const world = emptyWorld()
  await fillLedger(world)
  const data = join(world.home, 'data')
  const checkFiles = () => readdirSync(data).filter((name) => name.startsWith('check-'))
  for (const command of [['history', 'check'], ['doctor']]) {
    writeFileSync(join(data, `check-${randomUUID()}.db`), 'what a killed check left')
    const terminal = onTerminal(world, command)
    await terminal.shows(`Checked 1000 of ${RECORDS} records`)
    const files = checkFiles()
    expect(files).toEqual([expect.stringMatching(/^check-[\da-f-]{36}\.db$/)])
    expect(statSync(join(data, files[0] ?? '')).mode & 0o777).toBe(0o600)
    terminal.press('\x03')
    const { exit, screen } = await terminal.ended
    expect(exit).toBe(130)
    expect(screen).toContain('error: The check of the ledger was interrupted')
    expect(checkFiles()).toEqual([])
  }
})
