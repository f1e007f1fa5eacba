import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { startFaultGateway } from '../gateway/faultGateway.ts'
import { held } from '../gateway/faults.ts'
import { here } from '../inProcess.ts'
import { onTerminalHere } from '../onTerminalHere.ts'
import { emptyWorld } from '../world.ts'
import { inProduction } from './payments.ts'

const ROWS = 12
const EDIT = ['profile', 'edit', 'prod', '--confirm-host', '127.0.0.1']
const OTHER_SECRET = { OTHER_SECRET: 'other' }

/** What somebody changes, and the sentence by which nothing more is sent. */
const CHANGES: [string, change: readonly string[], sentence: string][] = [
  ['made read-only', ['profile', 'edit', 'prod', '--read-only'], 'The profile prod is read-only'],
  ['given a limit for each payment', ['profile', 'edit', 'prod', '--max-amount', '0.01'], 'is more than'],
  ['given a limit for the day', ['profile', 'edit', 'prod', '--max-day', '0.01'], 'would exceed'],
  [
    'given another client id',
    [...EDIT, '--client-id', 'other', '--client-secret-env', 'OTHER_SECRET'],
    'The profile prod is not what it was when this command began',
  ],
  [
    'given another address',
    [...EDIT, '--base-url', 'http://127.0.0.1:1', '--client-secret-env', 'OTHER_SECRET'],
    'The profile prod is not what it was when this command began',
  ],
  ['removed', ['profile', 'remove', 'prod', '--confirm-host', '127.0.0.1'], 'The profile prod is not what it was'],
]

async function stage() {
  const gateway = await startFaultGateway()
  const world = await inProduction(emptyWorld(OTHER_SECRET), gateway.url)
  return { gateway, world }
}

describe('while a question is open, a profile that is', () => {
  it.each(CHANGES)('%s sends nothing', async (_what, change, sentence) => {
    const { gateway, world } = await stage()
    const terminal = onTerminalHere(world, [
      'transfer',
      '--key',
      'maria@example.com',
      '--amount',
      '10',
      '--external-id',
      'a',
    ])
    await terminal.shows('Type the amount')
    await world.prepare(change)
    terminal.press('10\r')
    await terminal.shows(sentence)
    expect((await terminal.ended).exit).toBe(2)
    expect(gateway.arrivals.filter(({ method }) => method === 'POST')).toEqual([])
  })
})

describe('while a batch is being sent, a profile that is', () => {
  it.each(CHANGES)('%s stops it', async (_what, change, sentence) => {
    const { gateway, world } = await stage()
    const file = join(world.home, 'rows.csv')
    const rows = Array.from({ length: ROWS }, (_, row) => `p${row}@example.com,${row + 1}`)
    writeFileSync(file, ['key,value', ...rows, ''].join('\n'))
    const { fault, release } = held()
    gateway.misbehave([fault], 'POST')
    const running = here(world)(['batch', 'transfer', file, '--concurrency', '1', '--confirm', 'prod'])
    await gateway.arrived(1)
    await world.prepare(change)
    release()
    const { exit, stdout, stderr } = await running
    // Some were sent, so it is not 2.
    expect(exit).toBe(1)
    expect(stdout + stderr).toContain(sentence)
    // Rows that were decided before the change may still be sent; all later ones are not.
    expect(gateway.ledger.length).toBeLessThan(ROWS / 2)
    expect(stdout).toMatch(new RegExp(`^accepted +${gateway.ledger.length}, R\\$ `, 'm'))
    expect(stdout).not.toMatch(/^unknown/m)
  })
})
