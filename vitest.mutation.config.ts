import { defineConfig } from 'vitest/config'
import tests from './vitest.config.ts'

/**
 * The tests that judge mutants: tables of the rules, which call the code itself and take milliseconds. The built binary has no mutants in it, and a
 * command line reaches so much that each mutant would take minutes.
 */
export default defineConfig({
  test: {
    include: [
      'test/pix/**/*.test.ts',
      'test/wire/{answerVerdict,signature*,wrongConstruction}.test.ts',
      'test/gateway/retry.test.ts',
      'test/payments/{attemptOutcomes,consent,decide*,failures,gatewayClock,pay,preview,recordAnswersSoon,refundable,requestBody,resumeTransfer}.test.ts',
    ],
    env: { ...tests.test?.env, TEST_IN_PROCESS: '1' },
    // The code that counts which lines a test reaches is slow.
    testTimeout: 300_000,
  },
})
