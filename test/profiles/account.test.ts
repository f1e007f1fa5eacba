import { describe, expect, test } from 'vitest'
import { type Ended, given, resolve, storeOf } from './accountWorld.ts'

/** `prod: production https://… by prod-id`: the name to confirm, the environment, the address, the id. */
function summary({ account, failure }: Ended): string {
  if (account === undefined) return `exit ${failure?.exitCode}`
  const { confirmName, environment, url, clientId } = account
  return `${confirmName}: ${environment} ${url} by ${clientId}`
}

const LOCAL = 'local: sandbox http://127.0.0.1:4010 by local'
const PROD = 'prod: production https://pay.example.com/v1 by prod-id'
const STAGING = 'staging: sandbox https://staging.example.com by staging-id'
const DEV = 'dev: sandbox http://127.0.0.1:5010 by dev-id'
const TUNNEL = 'tunnel: production http://127.0.0.1:9443 by tunnel-id'
const FOREIGN = 'x.example: production https://x.example by typed-id'
const LOOPBACK = '127.0.0.1:4999: sandbox http://127.0.0.1:4999 by typed-id'

type Row = readonly [store: string, line: string, expected: string]

async function check(store: string, line: string, expected: string) {
  expect(summary(await resolve(given(line), storeOf(store)))).toBe(expected)
}

describe('no profile stored', () => {
  test.each<Row>([
    ['', '', LOCAL],
    ['', '-p local', LOCAL],
    ['', 'PROFILE=local', LOCAL],
    ['', 'PROFILE= BASE= ID= SECRET=', LOCAL],
    ['', 'PREVIOUS=old-secret-0000', LOCAL],
    ['', '-u http://127.0.0.1:4999', 'local: sandbox http://127.0.0.1:4999 by local'],
    ['', 'BASE=http://localhost:4999/', 'local: sandbox http://localhost:4999 by local'],
    ['', '-u http://[::1]:4999 BASE=https://x.example', 'local: sandbox http://[::1]:4999 by local'],
    ['', '-p local -u http://127.0.0.1:4999', 'local: sandbox http://127.0.0.1:4999 by local'],
    ['', '-u https://x.example', 'exit 4'],
    ['', 'BASE=https://x.example', 'exit 4'],
    ['', '-p local -u https://x.example', 'exit 4'],
    ['', '-p local BASE=https://x.example', 'exit 4'],
    ['', 'ID', 'exit 4'],
    ['', 'SECRET', 'exit 4'],
    ['', 'ID SECRET', 'exit 4'],
    ['', 'BASE=http://127.0.0.1:4999 ID', 'exit 4'],
    ['', 'BASE=http://127.0.0.1:4999 SECRET', 'exit 4'],
    ['', '-u http://127.0.0.1:4999 SECRET PREVIOUS=old-secret-0000', 'exit 4'],
    ['', 'BASE=https://x.example ID SECRET', FOREIGN],
    ['', '-u https://x.example ID SECRET', FOREIGN],
    ['', '-u https://X.EXAMPLE:443/ ID SECRET', FOREIGN],
    ['', '-u https://x.example BASE=https://y.example ID SECRET', 'exit 4'],
    ['', '-u https://x.example BASE=https://X.example:443/ ID SECRET', FOREIGN],
    ['', '-u https://x.example BASE=http://127.0.0.1:4999 ID SECRET', 'exit 4'],
    ['', '-u http://127.0.0.1:4999 BASE=https://x.example ID SECRET', 'exit 4'],
    ['', '-u http://127.0.0.1:4999 BASE=http://127.0.0.1:4998 ID SECRET', LOOPBACK],
    ['', 'BASE=http://127.0.0.1:4999 ID SECRET', LOOPBACK],
    ['', '-p prod', 'exit 2'],
    ['', "-p ''", 'exit 2'],
    ['', 'PROFILE=prod', 'exit 2'],
    ['', '-p constructor', 'exit 2'],
    ['', '-u http://x.example ID SECRET', 'exit 2'],
    ['', 'BASE=nonsense', 'exit 2'],
  ])('%s{} %s', check)
})

describe('an active profile', () => {
  test.each<Row>([
    ['*prod', '', PROD],
    ['*prod staging', '', PROD],
    ['*prod', 'PREVIOUS=old-secret-0000', PROD],
    ['*prod', '-u https://pay.example.com/v1', PROD],
    ['*prod', '-u https://PAY.example.com:443/v1/', PROD],
    ['*prod', 'BASE=https://pay.example.com/v1', PROD],
    ['*prod', '-u https://pay.example.com', 'exit 4'],
    ['*prod', '-u https://pay.example.com/v2', 'exit 4'],
    ['*prod', '-u https://pay.example.com:8443/v1', 'exit 4'],
    ['*prod', '-u https://pay.example.com.x.example/v1', 'exit 4'],
    ['*prod', '-u http://127.0.0.1:4010', 'exit 4'],
    ['*prod', 'BASE=http://127.0.0.1:4010', 'exit 4'],
    ['*prod', 'BASE=https://x.example', 'exit 4'],
    ['*prod staging', '-u https://staging.example.com', 'exit 4'],
    ['*prod', 'ID', 'exit 4'],
    ['*prod', 'SECRET', 'exit 4'],
    ['*prod', 'ID SECRET', 'exit 4'],
    ['*prod', 'BASE=https://x.example ID SECRET', FOREIGN],
    ['*prod', '-u http://127.0.0.1:4999 ID SECRET', LOOPBACK],
    ['*dev', '', DEV],
    ['*dev', '-u http://127.0.0.1:5011', 'exit 4'],
    ['*dev', '-u http://localhost:5010', 'exit 4'],
    ['*tunnel', '', TUNNEL],
    ['*staging', '', STAGING],
    ['*unconfirmed', '', 'unconfirmed: production https://staging.example.com by unconfirmed-id'],
    ['*moved', '', 'moved: production https://staging.example.com:8443 by moved-id'],
    [
      '*staging',
      'BASE=https://staging.example.com ID SECRET',
      'staging.example.com: production https://staging.example.com by typed-id',
    ],
    ['*ci', 'CI_SECRET=ci-secret-0000', 'ci: production https://ci.example.com by ci-id'],
    ['*ci', '', 'exit 4'],
    ['*ci', 'CI_SECRET=line\nbreak', 'exit 2'],
    ['*own', 'SECRET', 'own: production https://own.example.com by own-id'],
    ['*own', 'SECRET -u https://x.example', 'exit 4'],
    ['*own', 'ID SECRET', 'exit 4'],
    ['*own', '', 'exit 4'],
  ])('{%s} %s', check)
})

describe('profiles, none of them active', () => {
  test.each<Row>([
    ['prod staging', '', 'exit 4'],
    ['prod staging', '-u https://pay.example.com/v1', 'exit 4'],
    ['prod staging', 'BASE=http://127.0.0.1:4010', 'exit 4'],
    ['prod staging', 'ID SECRET', 'exit 4'],
    ['prod staging', 'BASE=https://x.example ID SECRET', FOREIGN],
    ['prod staging', '-p staging', STAGING],
    ['prod staging', 'PROFILE=prod', PROD],
    ['prod staging', '-p local', LOCAL],
  ])('{%s} %s', check)
})

describe('a profile named by option beats the variables', () => {
  test.each<Row>([
    ['*prod staging', '-p staging', STAGING],
    ['*prod staging', '-p staging PROFILE=prod', STAGING],
    ['*prod staging', '-p staging PROFILE=nonsense', STAGING],
    ['*prod staging', '-p staging ID SECRET', STAGING],
    ['*prod staging', '-p staging SECRET', STAGING],
    ['*prod staging', '-p staging BASE=https://x.example ID SECRET', STAGING],
    ['*prod staging', '-p staging BASE=https://staging.example.com ID SECRET', STAGING],
    ['*prod staging', '-p staging BASE=https://x.example', 'exit 4'],
    ['*prod staging', '-p staging BASE=https://x.example SECRET', 'exit 4'],
    ['*prod staging', '-p staging BASE=https://pay.example.com/v1', 'exit 4'],
    ['*prod staging', '-p staging -u https://x.example', 'exit 4'],
    ['*prod staging', '-p staging -u https://x.example ID SECRET', 'exit 4'],
    ['*prod staging', '-p staging -u https://staging.example.com BASE=https://x.example', STAGING],
    ['*prod', '-p local', LOCAL],
    ['*prod', '-p local -u http://127.0.0.1:4999', 'local: sandbox http://127.0.0.1:4999 by local'],
    ['*prod', '-p local -u https://pay.example.com/v1', 'exit 4'],
    ['*prod', '-p local BASE=http://127.0.0.1:4999 ID SECRET', 'local: sandbox http://127.0.0.1:4999 by local'],
    ['*prod', '-p local BASE=https://x.example ID SECRET', LOCAL],
    ['*prod', '-p pord', 'exit 2'],
    ['own', '-p own SECRET', 'own: production https://own.example.com by own-id'],
  ])('{%s} %s', check)
})

describe('a profile named by a variable', () => {
  test.each<Row>([
    ['*prod staging', 'PROFILE=staging', STAGING],
    ['*prod staging', 'PROFILE=staging -u https://staging.example.com/', STAGING],
    ['*prod staging', 'PROFILE=staging -u https://pay.example.com/v1', 'exit 4'],
    ['*prod staging', 'PROFILE=staging BASE=https://x.example', 'exit 4'],
    ['*prod staging', 'PROFILE=staging ID', 'exit 4'],
    ['*prod staging', 'PROFILE=staging SECRET', 'exit 4'],
    ['*prod staging', 'PROFILE=staging BASE=https://staging.example.com ID SECRET', 'exit 4'],
    ['*prod staging', 'PROFILE=staging BASE=https://x.example ID SECRET', 'exit 4'],
    ['*prod', 'PROFILE=local', LOCAL],
    ['*prod', 'PROFILE=local BASE=https://x.example', 'exit 4'],
    ['*prod', 'PROFILE=local SECRET', 'exit 4'],
    ['own', 'PROFILE=own SECRET', 'own: production https://own.example.com by own-id'],
    ['*prod', 'PROFILE=PROD', 'exit 2'],
  ])('{%s} %s', check)
})

describe('the environment belongs to the address', () => {
  test.each<Row>([
    [
      'staging',
      '-u https://staging.example.com ID SECRET',
      'staging.example.com: production https://staging.example.com by typed-id',
    ],
    ['tunnel', '-u http://127.0.0.1:9443 ID SECRET', '127.0.0.1:9443: production http://127.0.0.1:9443 by typed-id'],
    ['tunnel', '-u http://localhost:9443 ID SECRET', 'localhost:9443: production http://localhost:9443 by typed-id'],
    ['tunnel', '-p local -u http://127.0.0.1:9443', '127.0.0.1:9443: production http://127.0.0.1:9443 by local'],
    ['dev', '-u http://127.0.0.1:5010 ID SECRET', '127.0.0.1:5010: sandbox http://127.0.0.1:5010 by typed-id'],
    ['prod', '-u https://127.0.0.1 ID SECRET', '127.0.0.1: sandbox https://127.0.0.1 by typed-id'],
  ])('{%s} %s', check)
})

test.each([
  ['*prod', '', []],
  ['*prod', '-u https://pay.example.com/v1', []],
  ['*prod', 'PROFILE=prod', []],
  ['', 'BASE=http://127.0.0.1:4999 ID SECRET CALLBACK=http://127.0.0.1:1/', []],
  ['*prod staging', '-p staging', []],
  ['*prod staging', 'PROFILE=staging', ['`PIXGATE_PROFILE` selects `staging` instead of `prod`']],
  ['*prod', '-p local SECRET', ['`--profile local` is used, not `PIXGATE_CLIENT_SECRET`']],
  [
    '*prod',
    'BASE=https://x.example ID SECRET',
    ['`PIXGATE_CLIENT_ID` and `PIXGATE_CLIENT_SECRET` are used instead of the active profile `prod`'],
  ],
  ['*dev', 'CALLBACK=http://127.0.0.1:1/', ['`PIXGATE_CALLBACK_URL` is used instead of the callback URL of `dev`']],
  ['*dev', 'CALLBACK=http://127.0.0.1:5011/', []],
  [
    '*unconfirmed',
    '',
    [
      '`unconfirmed` counts as production until you confirm its host with `pixgate profile edit unconfirmed --environment sandbox`',
    ],
  ],
])('{%s} %s says %j', async (store, line, notices) => {
  expect((await resolve(given(line), storeOf(store))).notices).toEqual(notices)
})

test.each([
  ['', '-u http://127.0.0.1:4999', '--base-url', 'profile local', 'profile local', 'profile local'],
  ['', 'BASE=https://x.example ID SECRET', 'PIXGATE_BASE_URL', 'PIXGATE_CLIENT_ID', 'PIXGATE_CLIENT_SECRET', null],
  ['*prod', 'CALLBACK=http://127.0.0.1:1/', 'profile prod', 'profile prod', 'profile prod', 'PIXGATE_CALLBACK_URL'],
  ['*ci', 'CI_SECRET=s', 'profile ci', 'profile ci', 'CI_SECRET, set by profile ci', null],
])('{%s} %s knows its sources', async (store, line, address, clientId, clientSecret, callbackUrl) => {
  const { account } = await resolve(given(line), storeOf(store))
  expect(account?.sources).toEqual({ address, clientId, clientSecret, callbackUrl })
})

test.each([
  ['*prod', '-p pord', /Did you mean `prod`/],
  ['prod', '', /pixgate profile use/],
  ['*prod staging', '-u https://staging.example.com', /--profile staging/],
  ['*prod', '-u http://127.0.0.1:4010', /--profile local/],
  ['', 'SECRET BASE=https://x.example', /PIXGATE_CLIENT_ID/],
])('{%s} %s has a hint that helps', async (store, line, hint) => {
  expect((await resolve(given(line), storeOf(store))).failure?.hint).toMatch(hint)
})

test('the limits of a profile bind, and those of another one do not', async () => {
  const store = storeOf('*prod')
  const limits = { maxAmountCents: 1, maxDayCents: 2, readOnly: true }
  const profiles = new Map([...store.profiles].map(([name, profile]) => [name, { ...profile, ...limits }]))
  expect((await resolve(given(''), { ...store, profiles })).account).toMatchObject(limits)
  const none = { maxAmountCents: null, maxDayCents: null, readOnly: null }
  expect((await resolve(given('-p local'), { ...store, profiles })).account).toMatchObject(none)
})
