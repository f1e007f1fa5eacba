import { type Account, resolveAccount } from '../../src/profiles/account.ts'
import type { ProfileSecret, ProfileStore, StoredProfile } from '../../src/profiles/profile.ts'
import { readSecret } from '../../src/profiles/secretSource.ts'
import type { EnvironmentKind } from '../../src/profiles/settings.ts'
import { Failure } from '../../src/wire/errors.ts'

const TYPED_ID = 'typed-id'
export const TYPED_SECRET = 'typed-secret-0000'

/** All profiles that the tests store. Each one's id and secret are made of its name. */
export const PROFILES: Readonly<Record<string, StoredProfile>> = {
  prod: profile('prod', 'production', 'https://pay.example.com/v1'),
  staging: {
    ...profile('staging', 'sandbox', 'https://staging.example.com'),
    confirmedSandboxHost: 'staging.example.com',
  },
  unconfirmed: profile('unconfirmed', 'sandbox', 'https://staging.example.com'),
  moved: {
    ...profile('moved', 'sandbox', 'https://staging.example.com:8443'),
    confirmedSandboxHost: 'staging.example.com',
  },
  tunnel: profile('tunnel', 'production', 'http://127.0.0.1:9443'),
  dev: { ...profile('dev', 'sandbox', 'http://127.0.0.1:5010'), callbackUrl: 'http://127.0.0.1:5011/' },
  ci: { ...profile('ci', 'production', 'https://ci.example.com'), secret: { source: 'env', variable: 'CI_SECRET' } },
  own: {
    ...profile('own', 'production', 'https://own.example.com'),
    secret: { source: 'env', variable: 'PIXGATE_CLIENT_SECRET' },
  },
}

function profile(name: string, environment: EnvironmentKind, baseUrl: string): StoredProfile {
  return { environment, baseUrl, clientId: `${name}-id`, secret: { source: 'stored', value: secretOf(name) } }
}

/** The secret that belongs to this profile. */
export function secretOf(name: string): string {
  return name === 'local' ? 'local-secret' : `${name}-secret-0000`
}

/** `*prod staging` is a store of both, `prod` active. */
export function storeOf(text: string): ProfileStore {
  const words = text.split(' ').filter((word) => word !== '')
  const active = words.find((word) => word.startsWith('*'))?.slice(1) ?? null
  const profiles = new Map<string, StoredProfile>()
  for (const word of words) {
    const name = word.replace('*', '')
    const stored = PROFILES[name]
    if (stored === undefined) throw new Error(`the tests have no profile ${name}`)
    profiles.set(name, stored)
  }
  return { active, profiles }
}

/** What a person gave. */
export interface Given {
  profile: string | undefined
  baseUrl: string | undefined
  env: Record<string, string>
}

/** `-p prod -u https://x BASE=https://y ID SECRET`: options, then variables, whose prefix is left out. */
export function given(line: string): Given {
  const words = line.split(' ').filter((word) => word !== '')
  const read: Given = { profile: undefined, baseUrl: undefined, env: {} }
  for (let index = 0; index < words.length; index++) {
    const word = words[index] ?? ''
    if (word === '-p') read.profile = (words[++index] ?? '').replace("''", '')
    else if (word === '-u') read.baseUrl = words[++index]
    else if (word === 'ID') read.env.PIXGATE_CLIENT_ID = TYPED_ID
    else if (word === 'SECRET') read.env.PIXGATE_CLIENT_SECRET = TYPED_SECRET
    else {
      const [name = '', value = ''] = word.split('=')
      read.env[VARIABLES[name] ?? name] = value
    }
  }
  return read
}

const VARIABLES: Readonly<Record<string, string>> = {
  PROFILE: 'PIXGATE_PROFILE',
  BASE: 'PIXGATE_BASE_URL',
  ID: 'PIXGATE_CLIENT_ID',
  SECRET: 'PIXGATE_CLIENT_SECRET',
  CALLBACK: 'PIXGATE_CALLBACK_URL',
  PREVIOUS: 'PIXGATE_PREVIOUS_CLIENT_SECRET',
}

/** How choosing ended: with an account, or with a failure; what was said on the way; which secrets were read. */
export interface Ended {
  account: Account | undefined
  failure: Failure | undefined
  notices: string[]
  secretsRead: ProfileSecret[]
}

export async function resolve({ profile, baseUrl, env }: Given, store: ProfileStore): Promise<Ended> {
  const ended: Ended = { account: undefined, failure: undefined, notices: [], secretsRead: [] }
  try {
    ended.account = await resolveAccount({
      profile,
      baseUrl,
      env,
      store: async () => store,
      readSecret: (source, name) => {
        ended.secretsRead.push(source)
        return readSecret(source, name, { env, interrupt: new AbortController().signal })
      },
      notice: (line) => ended.notices.push(line),
    })
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    ended.failure = error
  }
  return ended
}
