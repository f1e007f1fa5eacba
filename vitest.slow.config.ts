import { configDefaults, defineConfig } from 'vitest/config'
import tests from './vitest.config.ts'

/** The tests that take ten seconds or more: `npm run test:slow`. */
export default defineConfig({
  test: { ...tests.test, include: ['test/**/*.slow.test.ts'], exclude: configDefaults.exclude },
})
