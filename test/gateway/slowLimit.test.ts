import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { type Fault, startFaultGateway } from './faultGateway.ts'
import { clientOf } from './gatewayClient.ts'
import { writeAnswer } from './rawHttp.ts'

const START_MS = Date.UTC(2026, 10, 21)
const TIMEOUT_MS = 500

it('a call that times out while it reserves its turn does not report a rate limit', async () => {
  let nowMs = START_MS
  const { consult } = clientOf('http://127.0.0.1:9', {
    timeoutMs: TIMEOUT_MS,
    quota: {
      folder: '',
      async reserve() {
        nowMs += TIMEOUT_MS + 1
        return nowMs
      },
      close: async () => undefined,
    },
    now: () => nowMs,
  })
  await expect(consult('a')).rejects.toMatchObject({ code: 'NOT_REACHED' })
})

const answerLate: Fault = async ({ socket, carryOut }) => {
  await sleep(TIMEOUT_MS / 2)
  writeAnswer(socket, await carryOut())
}

it.each([
  ['just before its timeout', TIMEOUT_MS - 50],
  ['after its timeout', TIMEOUT_MS * 2],
])('one query of many whose turn comes %s has the whole timeout for its answer', async (_, waitMs) => {
  const gateway = await startFaultGateway()
  gateway.always(answerLate)
  const turnMs = Date.now() + waitMs
  const quota = { folder: '', reserve: async () => turnMs, close: async () => undefined }
  const { consult } = clientOf(gateway.url, { timeoutMs: TIMEOUT_MS, quota })
  await expect(consult('a', { isOneOfMany: true })).resolves.toMatchObject({ httpStatus: 200 })
  expect(Date.now()).toBeGreaterThanOrEqual(turnMs)
})
