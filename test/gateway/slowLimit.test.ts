import { expect, it } from 'vitest'
import { createGateway } from '../../src/gateway/client.ts'
import type { Account } from '../../src/profiles/account.ts'
import { Secret } from '../../src/wire/secret.ts'

const ACCOUNT: Account = {
  profile: 'local',
  environment: 'sandbox',
  url: 'http://127.0.0.1:9',
  host: '127.0.0.1',
  isLoopback: true,
  clientId: 'local',
  confirmName: 'local',
  clientSecret: new Secret('s'),
  callbackUrl: null,
  maxAmountCents: null,
  maxDayCents: null,
  readOnly: false,
  sources: { address: '', clientId: '', clientSecret: '', callbackUrl: null },
  secretKind: 'stored',
}

const START_MS = Date.UTC(2026, 10, 21)
const TIMEOUT_MS = 500

it('a call that times out while it reserves its turn does not report a rate limit', async () => {
  let nowMs = START_MS
  const { consult, close } = createGateway(ACCOUNT, {
    env: {},
    timeoutMs: TIMEOUT_MS,
    quota: {
      async preview() {
        nowMs += TIMEOUT_MS + 1
        return nowMs
      },
      reserve: async () => nowMs,
      close: async () => undefined,
    },
    interrupt: new AbortController().signal,
    abandon: new AbortController().signal,
    now: () => nowMs,
    random: () => 0,
    notice: () => undefined,
    trace: () => undefined,
  })
  await expect(consult('a')).rejects.toMatchObject({ code: 'NOT_REACHED' })
  await close()
})
