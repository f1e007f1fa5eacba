import { defineConfig } from 'vitest/config'

/** The tests that take minutes: `npm run test:long`. */
export default defineConfig({
  test: {
    include: ['test/long/**/*.long.ts'],
    testTimeout: 15 * 60_000,
    hookTimeout: 30_000,
  },
})
