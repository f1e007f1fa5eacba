import {
  chmodSync,
  chownSync,
  closeSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import Conf from 'conf'
import fc from 'fast-check'
import { expect, it, onTestFinished, vi } from 'vitest'
import { changeProfiles, confOptions } from '../../src/profiles/changeProfiles.ts'
import { isProfileName, type ProfileStore, type StoredProfile } from '../../src/profiles/profile.ts'
import { readProfiles } from '../../src/profiles/store.ts'
import { UsageError } from '../../src/wire/errors.ts'
import { folderHolding, SAMPLE, storeFolder } from './storeWorld.ts'

const adding =
  (name: string, profile: StoredProfile = SAMPLE) =>
  (store: ProfileStore): ProfileStore => ({
    active: store.active ?? name,
    profiles: new Map(store.profiles).set(name, profile),
  })

function modeOf(path: string): number {
  return statSync(path).mode & 0o777
}

it('reads nothing if there is nothing, and creates nothing', async () => {
  const folder = storeFolder()
  expect(await readProfiles(folder)).toEqual({ active: null, profiles: new Map() })
  expect(() => statSync(folder)).toThrow('ENOENT')
})

it('gives back what was stored, in its order', async () => {
  const folder = storeFolder()
  const full: StoredProfile = {
    ...SAMPLE,
    secret: { source: 'command', command: 'pass show shop' },
    callbackUrl: 'http://shop.example.com/pix',
    maxAmountCents: 50_000,
    maxDayCents: 999_999_999_999,
    readOnly: true,
  }
  await changeProfiles(folder, adding('shop'))
  await changeProfiles(folder, adding('audit', full))
  const store = await readProfiles(folder)
  expect([...store.profiles]).toEqual([
    ['shop', SAMPLE],
    ['audit', full],
  ])
  expect(store.active).toBe('shop')
})

it('gives back whatever can be stored', async () => {
  const credential = fc.string({
    unit: fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code)),
    minLength: 1,
  })
  const name = fc.stringMatching(/^[a-z][a-z0-9_-]{0,31}$/).filter(isProfileName)
  const profile = fc.record({
    clientId: credential,
    value: credential,
    maxDayCents: fc.integer({ min: 0, max: 999_999_999_999 }),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(name, profile), { maxLength: 5 }), async (entries) => {
      const folder = storeFolder()
      const profiles = new Map<string, StoredProfile>()
      for (const [each, { clientId, value, maxDayCents }] of entries) {
        profiles.set(each, { ...SAMPLE, clientId, secret: { source: 'stored', value }, maxDayCents })
      }
      await changeProfiles(folder, () => ({ active: null, profiles }))
      expect([...(await readProfiles(folder)).profiles]).toEqual([...profiles])
    }),
    { numRuns: 40 },
  )
})

it('makes file and folder for their owner alone, whatever the umask', async () => {
  const folder = storeFolder()
  const umask = process.umask(0)
  onTestFinished(() => void process.umask(umask))
  const notices: string[] = []
  await changeProfiles(folder, adding('shop'), (line) => notices.push(line))
  await changeProfiles(folder, adding('other'), (line) => notices.push(line))
  expect([modeOf(folder), modeOf(join(folder, 'profiles.json'))]).toEqual([0o700, 0o600])
  expect(readdirSync(folder)).toEqual(['profiles.json', 'profiles.lock'])
  expect(notices).toEqual([])
})

it.each([0o777, 0o750, 0o701])('reports and fixes a folder of mode %o', async (mode) => {
  const folder = folderHolding({ version: 1, active: null, profiles: {} })
  chmodSync(folder, mode)
  const notices: string[] = []
  await readProfiles(folder, (line) => notices.push(line))
  expect(modeOf(folder)).toBe(0o700)
  expect(notices).toEqual([`Other users had access to \`${folder}\` (mode 0${mode.toString(8)}); it is now 0700`])
})

it.each([0o666, 0o640, 0o604])('reports and fixes a file of mode %o', async (mode) => {
  const folder = folderHolding({ version: 1, active: null, profiles: {} })
  const path = join(folder, 'profiles.json')
  chmodSync(path, mode)
  const notices: string[] = []
  await changeProfiles(folder, adding('shop'), (line) => notices.push(line))
  expect(modeOf(path)).toBe(0o600)
  expect(notices).toEqual([`Other users had access to \`${path}\` (mode 0${mode.toString(8)}); it is now 0600`])
})

it('refuses a symbolic link in place of the file, and leaves its target alone', async () => {
  const folder = storeFolder()
  const target = `${folder}-target.json`
  mkdirSync(folder, { mode: 0o700 })
  writeFileSync(target, JSON.stringify({ version: 1, active: null, profiles: {} }), { mode: 0o644 })
  symlinkSync(target, join(folder, 'profiles.json'))
  await expect(readProfiles(folder)).rejects.toThrow('symbolic link')
  await expect(changeProfiles(folder, adding('shop'))).rejects.toThrow('symbolic link')
  expect([readFileSync(target, 'utf8').includes('shop'), modeOf(target)]).toEqual([false, 0o644])
})

it.each(['', '/'])('refuses a symbolic link in place of the folder, written with "%s" at its end', async (end) => {
  const folder = folderHolding({ version: 1, active: null, profiles: {} })
  renameSync(folder, `${folder}-real`)
  symlinkSync(`${folder}-real`, folder)
  await expect(readProfiles(folder + end)).rejects.toThrow('symbolic link')
  await expect(changeProfiles(folder + end, adding('shop'))).rejects.toThrow('symbolic link')
})

it.each(['missing.json', 'profiles.json'])('refuses a link that leads to %s and nowhere', async (target) => {
  const folder = storeFolder()
  mkdirSync(folder, { mode: 0o700 })
  symlinkSync(target, join(folder, 'profiles.json'))
  await expect(changeProfiles(folder, adding('shop'))).rejects.toThrow('symbolic link')
})

it('refuses what is not a file and what is not a folder', async () => {
  const folder = storeFolder()
  mkdirSync(join(folder, 'profiles.json'), { recursive: true, mode: 0o700 })
  await expect(readProfiles(folder)).rejects.toThrow('is a folder, not a file')
  const file = folderHolding('{}')
  await expect(readProfiles(join(file, 'profiles.json'))).rejects.toThrow('is not a folder')
  await expect(changeProfiles(join(file, 'profiles.json'), adding('shop'))).rejects.toThrow(UsageError)
})

it('keeps what it does not know, at every depth', async () => {
  const unknown = '"x":{"constructor":{"__proto__":1},"a.b":[]},"__proto__":{"y":1},"constructor":2,"a.b":{"c.d":3}'
  const profile = JSON.stringify(SAMPLE).slice(1, -1)
  const text = `{"version":1,"active":"shop",${unknown},"profiles":{"shop":{${profile},${unknown}}}}`
  const folder = folderHolding(text)
  await changeProfiles(folder, adding('other'))
  await changeProfiles(folder, (store) => {
    const profiles = new Map(store.profiles)
    profiles.delete('other')
    const shop = profiles.get('shop')
    if (shop !== undefined) profiles.set('shop', { ...shop, clientId: 'shop-1' })
    return { ...store, profiles }
  })
  expect(sorted(readFileSync(join(folder, 'profiles.json'), 'utf8'))).toEqual(sorted(text))
})

it('leaves the old store if the change throws or makes no sense', async () => {
  const folder = storeFolder()
  await changeProfiles(folder, adding('shop'))
  const before = readFileSync(join(folder, 'profiles.json'))
  const refused = new UsageError('no', { hint: 'no' })
  await expect(changeProfiles(folder, () => Promise.reject(refused))).rejects.toBe(refused)
  for (const name of ['constructor', 'prototype', '__proto__', 'a.b', 'local', 'A', '']) {
    await expect(changeProfiles(folder, adding(name))).rejects.toThrow()
  }
  await expect(changeProfiles(folder, (store) => ({ ...store, active: 'nobody' }))).rejects.toThrow()
  await expect(changeProfiles(folder, adding('bad', { ...SAMPLE, maxDayCents: 0.5 }))).rejects.toThrow()
  expect(readFileSync(join(folder, 'profiles.json'))).toEqual(before)
  expect(readdirSync(folder)).toEqual(['profiles.json', 'profiles.lock'])
})

it('does not overwrite what somebody without the lock has written meanwhile', async () => {
  const folder = storeFolder()
  await changeProfiles(folder, adding('shop'))
  const path = join(folder, 'profiles.json')
  const theirs = readFileSync(path, 'utf8').replace('shop-1', 'shop-2')
  const change = (store: ProfileStore) => {
    writeFileSync(path, theirs)
    return adding('mine')(store)
  }
  await expect(changeProfiles(folder, change)).rejects.toThrow('changed by another process')
  expect(readFileSync(path, 'utf8')).toBe(theirs)
})

it('clears away what a killed process has left, and nothing of its owner', async () => {
  const folder = storeFolder()
  await changeProfiles(folder, adding('shop'))
  writeFileSync(join(folder, 'profiles.json.tmp-1123456789abcdef'), 'half a secr')
  writeFileSync(join(folder, 'profiles.json.bak'), 'mine')
  await changeProfiles(folder, adding('other'))
  expect(readdirSync(folder)).toEqual(['profiles.json', 'profiles.json.bak', 'profiles.lock'])
})

it('keeps what was left beside a file that is damaged', async () => {
  const folder = folderHolding('{"version":1,"act')
  writeFileSync(join(folder, 'profiles.json.tmp-before'), 'what was in it')
  await expect(changeProfiles(folder, adding('shop'))).rejects.toThrow('is damaged')
  expect(readdirSync(folder)).toContain('profiles.json.tmp-before')
})

it('replaces the file instead of writing into it, also in a terminal of a snap', async () => {
  vi.stubEnv('SNAP', '/snap/editor/1')
  onTestFinished(() => void vi.unstubAllEnvs())
  const folder = storeFolder()
  const path = join(folder, 'profiles.json')
  await changeProfiles(folder, adding('shop'))
  const old = openSync(path, 'r')
  onTestFinished(() => closeSync(old))
  const before = readFileSync(path, 'utf8')
  await changeProfiles(folder, adding('other'))
  expect(readFileSync(old, 'utf8')).toBe(before)
  expect(process.env.SNAP).toBe('/snap/editor/1')
})

it('refuses a file of another user', async (context) => {
  if (process.getuid?.() !== 0) return context.skip()
  const folder = folderHolding({ version: 1, active: null, profiles: {} })
  chownSync(join(folder, 'profiles.json'), 65_534, 65_534)
  await expect(readProfiles(folder)).rejects.toThrow('belongs to another user')
  await expect(changeProfiles(folder, adding('shop'))).rejects.toThrow('belongs to another user')
  chownSync(folder, 65_534, 65_534)
  await expect(readProfiles(folder)).rejects.toThrow(`${folder} belongs to another user`)
})

it('has conf take a key with a dot for a key, and not replace what it cannot read', async () => {
  const folder = folderHolding({ version: 1, active: null, profiles: {} })
  const path = join(folder, 'profiles.json')
  const conf = new Conf(confOptions(folder))
  conf.set('a.b', 1)
  expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual({ version: 1, active: null, profiles: {}, 'a.b': 1 })
  for (const damaged of ['[]', '{"version":1,']) {
    writeFileSync(path, damaged)
    expect(() => new Conf(confOptions(folder)).set('lang', 'en')).toThrow()
    expect(readFileSync(path, 'utf8')).toBe(damaged)
  }
})

/** JSON text with the keys of every object in order, `__proto__` included. */
function sorted(json: string): string {
  const inOrder = (value: unknown): unknown => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
    return Object.entries(value)
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([key, each]) => [key, inOrder(each)])
  }
  return JSON.stringify(inOrder(JSON.parse(json)))
}
