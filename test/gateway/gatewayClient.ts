import { onTestFinished } from 'vitest'
import { createGateway, type Gateway, type GatewayDependencies } from '../../src/gateway/client.ts'
import type { Account } from '../../src/profiles/account.ts'
import { Secret } from '../../src/wire/secret.ts'

/** The client of a gateway at this address, closed when the test is over. It waits for no query quota. */
export function clientOf(url: string, differences: Partial<GatewayDependencies> = {}): Gateway {
  const account: Account = {
    profile: 'local',
    environment: 'sandbox',
    url,
    host: '127.0.0.1',
    isLoopback: true,
    clientId: 'local',
    confirmName: 'local',
    clientSecret: new Secret('client-secret'),
    callbackUrl: null,
    maxAmountCents: null,
    maxDayCents: null,
    readOnly: false,
    checkCommand: null,
    secretKind: 'stored',
    sources: { address: '', clientId: '', clientSecret: '', callbackUrl: null },
  }
  const gateway = createGateway(account, {
    env: {},
    timeoutMs: 10_000,
    quota: { folder: '', reserve: async () => 0, close: async () => undefined },
    interrupt: new AbortController().signal,
    abandon: new AbortController().signal,
    now: () => Date.now(),
    random: () => 0,
    notice: () => undefined,
    trace: () => undefined,
    learned: async () => undefined,
    ...differences,
  })
  onTestFinished(() => gateway.close())
  return gateway
}
