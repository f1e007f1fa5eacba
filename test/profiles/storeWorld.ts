import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { StoredProfile } from '../../src/profiles/profile.ts'

/** A folder for profiles that does not exist yet, in a place that is gone when the test is. */
export function storeFolder(): string {
  const place = mkdtempSync(join(tmpdir(), 'pixgate-store-'))
  onTestFinished(() => rmSync(place, { recursive: true, force: true }))
  return join(place, 'config')
}

/** A folder with this text as its file, or with this document. */
export function folderHolding(content: string | object): string {
  const folder = storeFolder()
  mkdirSync(folder, { mode: 0o700 })
  const text = typeof content === 'string' ? content : JSON.stringify(content)
  writeFileSync(join(folder, 'profiles.json'), text, { mode: 0o600 })
  return folder
}

/** A profile with all that it needs. */
export const SAMPLE: StoredProfile = {
  environment: 'production',
  baseUrl: 'https://gateway.example.com',
  clientId: 'shop-1',
  secret: { source: 'stored', value: 'a-long-secret-0123456789' },
}

/** A store of several pages: `counter`, and this many beside it. */
export function manyProfiles(count: number): Map<string, StoredProfile> {
  const profiles = new Map([['counter', { ...SAMPLE, maxAmountCents: 1, maxDayCents: 0 }]])
  for (let index = 0; index < count; index++)
    profiles.set(`other-${index}`, { ...SAMPLE, maxAmountCents: 1, maxDayCents: 0 })
  return profiles
}
