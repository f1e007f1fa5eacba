import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    testTimeout: 30_000,
    hookTimeout: 30_000,
    // Most tests wait for a process that they started, so more than the two cores that the run is planned for.
    maxWorkers: 4,
    // Starting a worker and loading the modules for each file took a quarter of the processor time.
    isolate: false,
  },
})
