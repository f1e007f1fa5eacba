import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    testTimeout: 30_000,
    hookTimeout: 30_000,
    // Most tests wait for a process that they started, so one more than the two cores that the run is planned for.
    maxWorkers: 3,
  },
})
