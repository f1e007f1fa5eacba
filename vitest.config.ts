import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { configDefaults, defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Linux keeps files in memory there, which takes a quarter less of the system's time than a disk. */
const MEMORY = '/dev/shm'
/** More than all tests write at once. */
const BYTES_MIN = 2 * 1024 ** 3

/** Holds all temporary folders of a run, so that none is left behind, not even by a test that was killed. */
const folder = mkdtempSync(join(process.env.TMPDIR === undefined && isUsable(MEMORY) ? MEMORY : tmpdir(), 'pixgate-'))
process.on('exit', () => {
  try {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  } catch (error) {
    // A process that a test has left may still write there; that is no failure of the tests.
    console.warn(`${folder} cannot be removed: ${error}`)
  }
})

// A run that is ended otherwise than by Ctrl-C leaves none in memory, either.
for (const signal of ['SIGTERM', 'SIGHUP']) process.once(signal, () => process.exit(1))

/** True for a folder with enough room in which programs can be started, as tests do. */
function isUsable(place: string): boolean {
  let own: string | undefined
  try {
    const { bavail, bsize } = statfsSync(place)
    own = mkdtempSync(join(place, 'pixgate-'))
    const program = join(own, 'program')
    writeFileSync(program, '#!/bin/sh\n', { mode: 0o700 })
    return bavail * bsize >= BYTES_MIN && spawnSync(program).status === 0
  } catch {
    return false
  } finally {
    if (own !== undefined) rmSync(own, { recursive: true })
  }
}

/** Begins with what takes longest, so that no worker is left alone with it. Vitest would end with it in its first run, since these files are short. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const isLong = ({ moduleId }: TestSpecification) => /\/test\/(?:campaign|month)\//.test(moduleId)
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))]
  }
}

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // The tests in packages that test/clients installs are not this project's.
    exclude: [...configDefaults.exclude, '**/*.slow.test.ts'],
    env: { TMPDIR: folder, PIXGATE_LANG: 'en' },
    // For a test that hangs: a busy machine may take four times as long as an idle one.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // What is waited for comes from another process, on a machine that may be busy.
    expect: { poll: { timeout: 15_000 } },
    // Most tests wait for a process that they started, so more than the two cores that the run is planned for.
    maxWorkers: 4,
    setupFiles: ['test/english.ts'],
    // Starting a worker and loading the modules for each file took a quarter of the processor time.
    isolate: false,
    sequence: { sequencer: LongestFirst },
  },
})
