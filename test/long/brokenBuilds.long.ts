import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import { canTrace } from '../money/syscalls.ts'

const ROOT = join(import.meta.dirname, '..', '..')
const CAMPAIGN = { rows: 120, kills: 6, seed: 20261121 }
const underTrace = it.skipIf(!canTrace())

/** What is broken in a build: this text of one of its sources, which stands there once, is replaced. */
interface Break {
  file: string
  text: string
  by: string
}

const noSync: Break = { file: 'timeline/logFile.ts', text: 'await file.datasync()', by: '' }

const newIdOnResume: Break = {
  file: 'money/batch/work.ts',
  text: 'return { row, intent: await timeline.recordAttempt(task.again), isAgain: true, isOvertaken: false }',
  by: `const other = { ...row, id: row.id + Math.random() };
    const intent = rowIntent(other, { owner: ownerOf(account), run, reference, attempt: 1 });
    return { row, intent: await timeline.recordIntent({ ...intent, row: row.id }), isAgain: false, isOvertaken: false }`,
}

const printedBeforeRecorded: Break = {
  file: 'money/recording.ts',
  text: 'export async function recordOutcome(',
  by: `export async function recordOutcome(...args) {
    setTimeout(() => void recordedOutcome(...args), 50);
    return [];
}
async function recordedOutcome(`,
}

/** From now on the tests' own modules, once imported, try a copy of the build that is broken like this. */
function useBuild(broken?: Break): void {
  const folder = mkdtempSync(join(tmpdir(), 'pixgate-broken-'))
  onTestFinished(() => {
    vi.unstubAllEnvs()
    vi.resetModules()
    rmSync(folder, { recursive: true, force: true })
  })
  for (const name of ['bin', 'scripts', 'src', 'package.json']) {
    cpSync(join(ROOT, name), join(folder, name), { recursive: true })
  }
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  if (broken !== undefined) {
    const path = join(folder, 'src', broken.file)
    const parts = readFileSync(path, 'utf8').split(broken.text)
    expect(parts, `\`${broken.text}\` in ${broken.file}`).toHaveLength(2)
    writeFileSync(path, parts.join(broken.by))
  }
  execFileSync(process.execPath, [join(folder, 'scripts', 'build.js')])
  vi.stubEnv('TEST_BINARY', join(folder, 'bin', 'pixgate.js'))
  vi.resetModules()
}

async function campaign(): Promise<void> {
  const { killCampaign } = await import('../campaign/batchKills.ts')
  await killCampaign(CAMPAIGN)
}

async function trace(): Promise<void> {
  const { expectDurableBeforeSent } = await import('../money/durability.ts')
  await expectDurableBeforeSent('transfer', 0)
}

it('finds nothing wrong with a copy of the build that is whole', { timeout: 120_000 }, async () => {
  useBuild()
  await campaign()
  if (canTrace()) await trace()
})

it('notices a build that resumes under a new id', { timeout: 120_000 }, async () => {
  useBuild(newIdOnResume)
  await expect(campaign()).rejects.toThrow(/to have a length of 120 but got 1[2-9]\d/)
})

underTrace('notices a build that does not sync its timeline', { timeout: 60_000 }, async () => {
  useBuild(noSync)
  await expect(trace()).rejects.toThrow(/a sync of \/timeline\.log/)
})

underTrace('notices a build that prints an outcome before it is recorded', { timeout: 60_000 }, async () => {
  useBuild(printedBeforeRecorded)
  await expect(trace()).rejects.toThrow(/a record of type outcome|to be less than/)
})
