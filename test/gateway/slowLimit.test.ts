import { expect, it } from 'vitest'
import { clientOf } from './gatewayClient.ts'

const START_MS = Date.UTC(2026, 10, 21)
const TIMEOUT_MS = 500

it('a call that times out while it reserves its turn does not report a rate limit', async () => {
  let nowMs = START_MS
  const { consult } = clientOf('http://127.0.0.1:9', {
    timeoutMs: TIMEOUT_MS,
    quota: {
      folder: '',
      async preview() {
        nowMs += TIMEOUT_MS + 1
        return nowMs
      },
      reserve: async () => nowMs,
      close: async () => undefined,
    },
    now: () => nowMs,
  })
  await expect(consult('a')).rejects.toMatchObject({ code: 'NOT_REACHED' })
})
