import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'

/** Holds all temporary folders of a run, so that none is left behind, not even by a test that was killed. */
const folder = mkdtempSync(join(tmpdir(), 'pixgate-'))
process.on('exit', () => {
  try {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  } catch (error) {
    // A process that a test has left may still write there; that is no failure of the tests.
    console.warn(`${folder} cannot be removed: ${error}`)
  }
})

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    env: { TMPDIR: folder, PIXGATE_LANG: 'en' },
    testTimeout: 30_000,
    hookTimeout: 30_000,
    // What is waited for comes from another process, on a machine that may be busy.
    expect: { poll: { timeout: 15_000 } },
    // Most tests wait for a process that they started, so more than the two cores that the run is planned for.
    maxWorkers: 4,
    // Starting a worker and loading the modules for each file took a quarter of the processor time.
    isolate: false,
  },
})
