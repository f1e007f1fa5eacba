import { expect, it } from 'vitest'
import type { StoredProfile } from '../../../src/profiles/profile.ts'
import type { EnvironmentKind } from '../../../src/profiles/settings.ts'
import { applyEdit, changesOrigin } from '../../../src/steps/profiles/profileOptions.ts'
import { readBaseAddress } from '../../../src/wire/baseAddress.ts'

function profileAt(baseUrl: string, environment: EnvironmentKind): StoredProfile {
  const { host } = new URL(baseUrl)
  const secret = { source: 'env', variable: 'SHOP_SECRET' } as const
  return { environment, confirmedSandboxHost: host, baseUrl, clientId: 'shop-1', secret }
}

function editTo(to: string | undefined) {
  return to === undefined ? {} : { baseUrl: readBaseAddress(to, '--base-url').url }
}

it.each<[from: string, environment: EnvironmentKind, to: string, expected: EnvironmentKind]>([
  ['http://127.0.0.1:4010', 'sandbox', 'https://gateway.example.com', 'production'],
  ['http://127.0.0.1:4010', 'sandbox', 'http://localhost:4011', 'sandbox'],
  ['http://127.0.0.1:4010', 'production', 'http://localhost:4011', 'production'],
  ['https://gateway.example.com', 'production', 'http://localhost:4011', 'production'],
  ['https://sandbox.example.com', 'sandbox', 'https://other.example.com', 'sandbox'],
  ['https://sandbox.example.com', 'sandbox', 'https://sandbox.example.com/v2', 'sandbox'],
])('makes of %s (%s) with the address %s %s, unless it is typed', (from, environment, to, expected) => {
  const profile = profileAt(from, environment)
  expect(applyEdit(profile, editTo(to)).environment).toBe(expected)
  for (const typed of ['sandbox', 'production'] as const) {
    expect(applyEdit(profile, { ...editTo(to), environment: typed }).environment).toBe(typed)
  }
})

it('counts a stored sandbox that was never confirmed as production', () => {
  const profile = { ...profileAt('https://sandbox.example.com', 'sandbox'), confirmedSandboxHost: undefined }
  expect(applyEdit(profile, {}).environment).toBe('production')
})

it.each([
  ['https://gateway.example.com/v1', 'https://gateway.example.com/v2', false],
  ['https://gateway.example.com', 'https://GATEWAY.example.com:443/', false],
  ['https://gateway.example.com', 'https://gateway.example.com:8443', true],
  ['https://gateway.example.com', 'https://gateway.example.com.evil.example', true],
  ['http://127.0.0.1:4010', 'https://127.0.0.1:4010', true],
  ['http://127.0.0.1:4010', 'http://127.0.0.1:4011', true],
  ['http://127.0.0.1:4010', undefined, false],
])('knows whether %s and %s are different gateways', (from, to, expected) => {
  expect(changesOrigin(profileAt(from, 'sandbox'), editTo(to))).toBe(expected)
})
