import { defineConfig } from 'vitest/config'
import tests from './vitest.config.ts'

/** The tests that take minutes: `npm run test:long`. */
export default defineConfig({
  test: {
    include: ['test/long/**/*.long.ts'],
    env: tests.test?.env,
    testTimeout: 15 * 60_000,
    hookTimeout: 30_000,
  },
})
