import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import { canTrace } from '../syscalls.ts'

const ROOT = join(import.meta.dirname, '..', '..')
const CAMPAIGN = { batches: 1, rows: 120, kills: 6, seed: 20261121, faultIn: 20 }
const underTrace = it.skipIf(!canTrace())

/** What is broken in a build: this text of one of its sources, which occurs there once, is replaced. */
interface Break {
  file: string
  text: string
  by: string
}

const noSync: Break = {
  file: 'ledger/ledgerFile.ts',
  text: 'PRAGMA synchronous = FULL',
  by: 'PRAGMA synchronous = OFF',
}

const newIdOnResume: readonly Break[] = [
  {
    file: 'payments/decide.ts',
    text: 'return allowed(judgement, unknown.record, facts, true)',
    by: `const externalId = writer.newId()
  return allowed(judgement, { ...unknown.record, externalId, body: requestBody(facts, externalId) }, facts, true)`,
  },
]

/** From now on the tests' own modules, once imported, try a copy of the build that is broken like this. */
function useBuild(...breaks: readonly Break[]): void {
  const folder = mkdtempSync(join(tmpdir(), 'pixgate-broken-'))
  onTestFinished(() => {
    vi.unstubAllEnvs()
    vi.resetModules()
    rmSync(folder, { recursive: true, force: true })
  })
  for (const name of ['bin', 'scripts', 'src', 'package.json', 'tsconfig.json', 'tsconfig.library.json']) {
    cpSync(join(ROOT, name), join(folder, name), { recursive: true })
  }
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  for (const { file, text, by } of breaks) {
    const path = join(folder, 'src', file)
    const parts = readFileSync(path, 'utf8').split(text)
    expect(parts, `\`${text}\` in ${file}`).toHaveLength(2)
    writeFileSync(path, parts.join(by))
  }
  execFileSync(process.execPath, [join(folder, 'scripts', 'build.js')])
  vi.stubEnv('TEST_BINARY', join(folder, 'bin', 'pixgate.js'))
  vi.resetModules()
}

async function campaign(): Promise<void> {
  const { killCampaign } = await import('../campaign/batchKills.ts')
  await killCampaign(CAMPAIGN)
}

async function traceTransfer(): Promise<void> {
  const { expectDurableBeforeSent } = await import('../payments/durability.ts')
  await expectDurableBeforeSent('transfer', 0)
}

it('finds nothing wrong with a copy of the build that is whole', { timeout: 120_000 }, async () => {
  useBuild()
  await campaign()
  if (!canTrace()) return
  await traceTransfer()
})

it('notices a build that resumes under a new id', { timeout: 120_000 }, async () => {
  useBuild(...newIdOnResume)
  await expect(campaign()).rejects.toThrow(/to have a length of 120 but got 1[2-9]\d/)
})

underTrace('notices a build that does not sync its ledger', { timeout: 60_000 }, async () => {
  useBuild(noSync)
  await expect(traceTransfer()).rejects.toThrow(/a sync of \/ledger\.db-wal/)
})
