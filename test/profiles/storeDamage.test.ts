import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Conf from 'conf'
import { expect, it } from 'vitest'
import { changeProfiles, confOptions } from '../../src/profiles/changeProfiles.ts'
import { readProfiles } from '../../src/profiles/store.ts'
import { UsageError } from '../../src/wire/errors.ts'
import { folderHolding, SAMPLE } from './storeWorld.ts'

const good = { version: 1, active: 'shop', profiles: { shop: SAMPLE } }
const withShop = (part: object) => ({ ...good, profiles: { shop: { ...SAMPLE, ...part } } })
const named = (name: string) =>
  `{"version":1,"active":null,"profiles":{${JSON.stringify(name)}:${JSON.stringify(SAMPLE)}}}`

const DAMAGED: [what: string, content: string | object][] = [
  ['empty', ''],
  ['cut off', JSON.stringify(good).slice(0, -20)],
  ['zeros', '\0'.repeat(300)],
  ['an array', '[]'],
  ['null', 'null'],
  ['a text', '"profiles"'],
  ['an empty object', '{}'],
  ['with a byte order mark', `\uFEFF${JSON.stringify(good)}`],
  ['of a newer version', { ...good, version: 2 }],
  ['of a version that is a text', { ...good, version: '1' }],
  ['without active', { version: 1, profiles: {} }],
  ['active of another kind', { ...good, active: 1 }],
  ['active that is not there', { ...good, active: 'nobody' }],
  ['active from the prototype', { ...good, active: 'toString' }],
  ['profiles as a list', { ...good, active: null, profiles: [] }],
  ['a profile named constructor', named('constructor')],
  ['a profile named prototype', named('prototype')],
  ['a profile named __proto__', named('__proto__')],
  ['a profile named a.b', named('a.b')],
  ['a profile named local', named('local')],
  ['a profile that is null', { ...good, profiles: { shop: null } }],
  ['another environment', withShop({ environment: 'test' })],
  ['no address', withShop({ baseUrl: undefined })],
  ['an address over http', withShop({ baseUrl: 'http://gateway.example.com' })],
  ['an address with a slash at its end', withShop({ baseUrl: 'https://gateway.example.com/' })],
  ['a client id with a line break', withShop({ clientId: 'a\nb' })],
  ['a secret that is a text', withShop({ secret: 'a-long-secret-0123456789' })],
  ['a secret from nowhere', withShop({ secret: { source: 'moon' } })],
  ['a stored secret without value', withShop({ secret: { source: 'stored' } })],
  ['a variable that is none', withShop({ secret: { source: 'env', variable: 'A B' } })],
  ['an empty command', withShop({ secret: { source: 'command', command: ' ' } })],
  ['a callback that is not a URL', withShop({ callbackUrl: 'shop' })],
  ['a limit as text', withShop({ maxAmountCents: '100' })],
  ['a limit of half a cent', withShop({ maxDayCents: 0.5 })],
  ['a negative limit', withShop({ maxDayCents: -1 })],
  ['a limit of null', withShop({ maxAmountCents: null })],
  ['read-only as text', withShop({ readOnly: 'false' })],
  ['a confirmed host that is not text', withShop({ confirmedSandboxHost: true })],
  ['a blank company', withShop({ company: ' ' })],
  ['a company document with wrong check digits', withShop({ companyDocument: '11222333000182' })],
]

it.each(DAMAGED)('names a file that is damaged (%s), says what to do, and leaves it as it is', async (_, content) => {
  const folder = folderHolding(content)
  const path = join(folder, 'profiles.json')
  const before = readFileSync(path)
  const failures = await Promise.all([
    readProfiles(folder).catch((error: unknown) => error),
    changeProfiles(folder, (store) => store).catch((error: unknown) => error),
  ])
  for (const failure of failures) {
    if (!(failure instanceof UsageError)) throw failure
    expect(failure.message).toContain(`${path} is damaged`)
    expect(failure.hint).not.toBe('')
    expect(failure.message + failure.details.join() + failure.hint).not.toContain('a-long-secret')
  }
  expect(readFileSync(path)).toEqual(before)
})

/** conf begins with an empty store, so that nothing in it can be required. */
const MISSING = ['an empty object', 'without active']

it.each(DAMAGED)('is refused by conf as well: %s', (what, content) => {
  const folder = folderHolding(content)
  const open = () => new Conf(confOptions(folder))
  if (MISSING.includes(what)) expect(open).not.toThrow()
  else expect(open).toThrow()
})

it('names a file that is not text', async () => {
  const folder = folderHolding('')
  writeFileSync(join(folder, 'profiles.json'), Buffer.from([0x7b, 0xff, 0x7d]))
  await expect(readProfiles(folder)).rejects.toThrow('is damaged: it is not UTF-8 text')
})
