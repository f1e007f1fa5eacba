import { expect, test } from 'vitest'
import type { Account } from '../../src/profiles/account.ts'
import { type Ended, type Given, given, PROFILES, resolve, secretOf, storeOf, TYPED_SECRET } from './accountWorld.ts'

const STORES = ['', '*prod', 'prod', '*tunnel prod', 'dev', 'prod tunnel dev']
const NAMES = [undefined, 'local', 'prod', 'tunnel', 'nobody']
const ADDRESSES = [
  undefined,
  'https://pay.example.com/v1',
  'http://127.0.0.1:4999',
  'http://127.0.0.1:9443/',
  'https://x.example',
]
const CREDENTIALS = ['', 'ID', 'SECRET', 'ID SECRET']

/** Everything that can be typed about an account. */
function* mixtures(): Generator<Given> {
  for (const profile of NAMES) {
    for (const baseUrl of ADDRESSES) {
      for (const profileVariable of NAMES) {
        for (const addressVariable of ADDRESSES) {
          for (const credentials of CREDENTIALS) {
            const { env } = given(credentials)
            if (profileVariable !== undefined) env.PIXGATE_PROFILE = profileVariable
            if (addressVariable !== undefined) env.PIXGATE_BASE_URL = addressVariable
            yield { profile, baseUrl, env }
          }
        }
      }
    }
  }
}

test.each(STORES)('no mixture sends a secret where it does not belong: {%s}', async (text) => {
  const store = storeOf(text)
  const offenders: string[] = []
  let [accounts, failures] = [0, 0]
  for (const mixture of mixtures()) {
    const ended = await resolve(mixture, store)
    if (ended.account === undefined) failures++
    else accounts++
    const fault = ended.account === undefined ? faultOfFailure(mixture, ended) : faultOfAccount(mixture, ended.account)
    if (fault !== undefined) offenders.push(`${fault}: ${JSON.stringify(mixture)}`)
  }
  expect(offenders).toEqual([])
  expect(accounts).toBeGreaterThan(100)
  expect(failures).toBeGreaterThan(100)
})

function faultOfAccount({ profile, baseUrl, env }: Given, account: Account): string | undefined {
  const secret = account.clientSecret.reveal()
  const named = profile ?? env.PIXGATE_PROFILE
  if (named !== undefined && account.profile !== named) return 'another profile than the named one'
  if (account.profile === null) {
    const address = baseUrl ?? env.PIXGATE_BASE_URL
    if (secret !== TYPED_SECRET || account.clientId !== 'typed-id') return 'not what the variables hold'
    if (address === undefined || account.url !== address.replace(/\/$/, '')) return 'not the typed address'
  } else if (account.profile === 'local') {
    if (secret !== secretOf('local') || account.clientId !== 'local') return 'not what `local` has'
    if (!account.isLoopback || !account.url.startsWith('http://127.0.0.1:')) return '`local` beyond this machine'
  } else {
    if (secret !== secretOf(account.profile) || account.clientId !== `${account.profile}-id`) return 'a mixed profile'
    if (account.url !== PROFILES[account.profile]?.baseUrl) return 'a stored secret at another address'
  }
  return faultOfEnvironment(account)
}

function faultOfEnvironment({ url, isLoopback, environment, profile, confirmName, host }: Account): string | undefined {
  if (!isLoopback && environment !== 'production') return 'a sandbox beyond this machine'
  if (profile === 'tunnel' && environment !== 'production') return 'a profile that is not what it says'
  if (environment === 'sandbox' && url === PROFILES.prod?.baseUrl) return 'production as a sandbox'
  const isStored = profile !== null && profile !== 'local'
  if (isStored && confirmName !== profile) return 'not the name of the profile'
  if (!isStored && environment === 'production' && confirmName !== host) return 'not the name of the host'
  return undefined
}

function faultOfFailure({ profile, env }: Given, { failure, secretsRead }: Ended): string | undefined {
  if (failure === undefined) return 'neither an account nor a failure'
  if (secretsRead.length > 0) return 'a secret was read in vain'
  if (failure.outcome !== 'not-sent' || failure.hint === '') return 'a failure without a way out'
  const words = [failure.message, failure.hint, ...failure.details].join('\n')
  if (/-secret\b/.test(words)) return 'a secret in the words'
  const named = profile ?? env.PIXGATE_PROFILE
  if (failure.exitCode === 2) return named === undefined || named === 'local' ? 'exit 2 without a name' : undefined
  return failure.exitCode === 4 ? undefined : 'another exit code'
}
