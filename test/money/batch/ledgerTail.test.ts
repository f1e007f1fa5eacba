import { randomUUID } from 'node:crypto'
import { mkdirSync, mkdtempSync, renameSync, rmdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { LedgerTail } from '../../../src/money/batch/ledgerTail.ts'
import type { MoneyIntent } from '../../../src/timeline/records.ts'
import { openTimeline } from '../../../src/timeline/timeline.ts'
import { OWNER } from './ledger.ts'

const INTENT: MoneyIntent = {
  ...OWNER,
  type: 'intent',
  kind: 'transfer',
  externalId: 'a',
  key: 'maria@example.com',
  typeKey: 'email',
  documentValidation: null,
  amountCents: 100,
  body: '{}',
}

it('reads again what could not be read, and each record once', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'pixgate-tail-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const timeline = openTimeline({
    folder,
    user: 'ana',
    machine: 'desk',
    now: () => 0,
    newId: randomUUID,
    notice: () => undefined,
    exclusively: (work) => work(),
  })
  const path = join(folder, 'timeline.log')
  await timeline.append(INTENT)
  const tail = new LedgerTail(timeline.follow())
  await tail.refreshWithEvents()
  await timeline.append(INTENT)
  renameSync(path, `${path}.away`)
  mkdirSync(path)
  await expect(tail.refresh()).rejects.toThrow('EISDIR')
  await expect(tail.refresh()).rejects.toThrow('EISDIR')
  rmdirSync(path)
  renameSync(`${path}.away`, path)
  await tail.refreshWithEvents()
  expect(tail.index.size).toBe(2)
})
