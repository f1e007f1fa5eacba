import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { mapConcurrent } from '../../src/gateway/retry.ts'
import { changeProfiles } from '../../src/profiles/changeProfiles.ts'
import type { StoredProfile } from '../../src/profiles/profile.ts'
import { here } from '../inProcess.ts'
import { ledgerFile, paymentsOf } from '../ledger/storedLedger.ts'
import { jsonFrom, type ProcessResult, type World } from '../world.ts'

export const TRANSFER = ['transfer', '--key', 'maria@example.com', '--amount', '1500', '--external-id', 'invoice-17']

/** What a sandbox has carried out: one entry is one payment. */
export interface Carried {
  transfers: { externalId: string; idTransaction: string; value: number; key: string }[]
  refunds: { idTransaction: string; originalTransactionId: string; amount: number }[]
}

/** What the sandbox at this address has carried out, as it says itself. */
export async function carriedOut(url: string): Promise<Carried> {
  const response = await fetch(`${url}/sandbox/state`)
  return (await response.json()) as Carried
}

/** Tells the sandbox to do something: `pay`, `fault`, `advance`. */
export async function control(url: string, action: string, body: object): Promise<void> {
  const response = await fetch(`${url}/sandbox/${action}`, { method: 'POST', body: JSON.stringify(body) })
  if (!response.ok) throw new Error(`the sandbox answered ${response.status} to ${action}`)
}

/** A payment of this many reais that has been received; its idTransaction. */
export async function paidPayment(url: string, amount: number): Promise<string> {
  const response = await fetch(`${url}/api/v2/gateway/request-qrcode`, {
    method: 'POST',
    headers: { authorization: 'Bearer local-secret' },
    body: JSON.stringify({ requestNumber: '1', dueDate: '2099-12-31', amount, callbackUrl: 'http://127.0.0.1:1/' }),
  })
  const { idTransaction } = (await response.json()) as { idTransaction: string }
  await control(url, 'pay', { id: idTransaction })
  return idTransaction
}

/** What this world's machine remembers, oldest first: the name of a payment and its state. */
export async function remembered(world: World): Promise<string[]> {
  if (!existsSync(ledgerFile(world))) return []
  return (await paymentsOf(world)).map(({ name, state }) => `${name} ${state}`)
}

/** Makes `prod` the active profile: a sandbox's address that is said to be production. */
export async function inProduction<Here extends World>(
  world: Here,
  url: string,
  differences: Partial<StoredProfile> = {},
): Promise<Here> {
  const profile: StoredProfile = {
    environment: 'production',
    baseUrl: url,
    clientId: 'local',
    secret: { source: 'stored', value: 'local-secret' },
    callbackUrl: 'http://127.0.0.1:1/',
    ...differences,
  }
  await changeProfiles(join(world.home, 'config'), () => ({ active: 'prod', profiles: new Map([['prod', profile]]) }))
  return world
}

/** This world, with command lines that run in the process of the tests: a tenth of the time, without signals or a terminal. */
export function inThisProcess<Here extends World>(world: Here): Here {
  const run = here(world)
  return { ...world, run, json: jsonFrom(run) }
}

const CONCURRENCY = 4

/** Does the work for all items, a few at a time, and returns the results in their order. */
export function atOnce<Item, Result>(items: readonly Item[], work: (item: Item) => Promise<Result>): Promise<Result[]> {
  return mapConcurrent(items, CONCURRENCY, work)
}

/** The exit code and the error that a command line with `-o json` left on stderr's last line. */
export function failureOf({ exit, stderr, stdout }: ProcessResult): Record<string, unknown> {
  if (exit === 0) throw new Error(`it did not fail: ${stdout}`)
  return { exit, ...JSON.parse(stderr.trim().split('\n').at(-1) ?? '').error }
}
