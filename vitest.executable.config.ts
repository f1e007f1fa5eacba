import { configDefaults, defineConfig } from 'vitest/config'
import tests from './vitest.config.ts'

/** The command-line tests for one executable file in TEST_BINARY: it takes no code from NODE_OPTIONS and loads no files. */
const NEEDS_PACKAGE = ['chunks', 'loadedModules', 'localLedger']

export default defineConfig({
  test: {
    ...tests.test,
    include: ['test/cli/**/*.test.ts', 'test/executable.test.ts'],
    exclude: [
      ...configDefaults.exclude,
      '**/*.slow.test.ts',
      ...NEEDS_PACKAGE.map((name) => `test/cli/${name}.test.ts`),
    ],
  },
})
