import { defineConfig } from 'vitest/config'
import tests from './vitest.config.ts'

/** The tests that judge mutants: those that run the code in their own process. The built binary has no mutants in it. */
export default defineConfig({
  test: {
    include: [
      'test/pix/**/*.test.ts',
      'test/wire/{answerVerdict,signature*,wrongConstruction}.test.ts',
      'test/gateway/retry.test.ts',
      'test/payments/{clock,decide,decideRefundsAndLimits,signingConsent,statementPlans}.test.ts',
      'test/cli/{consentProduction,dayLimit,limits,repeats,settledPayments,transferKeys,consentRefund,givenBack,knownOriginals,refusedResend,resumeHints,repeatsResume,consent}.test.ts',
    ],
    env: { ...tests.test?.env, TEST_IN_PROCESS: '1' },
    // The code that counts which lines a test reaches is slow.
    testTimeout: 300_000,
  },
})
