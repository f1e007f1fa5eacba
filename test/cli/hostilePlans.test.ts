import { readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, it, onTestFinished } from 'vitest'
import { emptyWorld, sandboxWorld } from '../world.ts'
import { failureOf, inThisProcess } from './payments.ts'
import { people, planned } from './planPeople.ts'

const { maria, joao } = people(afterAll, 'maria', 'joao')
const BYTES = 100 * 1024 * 1024

const before = (end: string) => (text: string) => `${text.trimEnd().slice(0, -1)},${end}}`

/** What somebody makes of a plan, and why it is refused. */
const SPOILED: [what: string, spoil: (text: string) => string | Buffer, why: RegExp][] = [
  ['of a depth of two million', () => '['.repeat(2_000_000), /it is not a JSON object$/],
  [
    'with a field of great depth',
    before(`"x":${'['.repeat(100_000)}${']'.repeat(100_000)}`),
    /`x` is not part of a plan$/,
  ],
  [
    'with a key twice',
    (text) => text.replace('"totalCents"', '"totalCents": 1, "totalCents"'),
    /not written as pixgate writes/,
  ],
  ['behind a byte order mark', (text) => `\ufeff${text}`, /it is not a JSON object$/],
  ['with a NUL', (text) => text.replace('ana@', 'a\0na@'), /it is not a JSON object$/],
  ['with an escaped NUL', (text) => text.replace('ana@', 'a\\u0000na@'), /`key` contains a control character$/],
  ['with an escape sequence', (text) => text.replace('ana@', 'a\\u001b[2Jna@'), /`key` contains a control character$/],
  ['with a prototype', before('"__proto__":{"kind":"refund"}'), /`__proto__` is not part of a plan$/],
  [
    'with a total that is infinite',
    (text) => text.replace('"totalCents": 500', '"totalCents": 1e400'),
    /`totalCents` is not a whole number$/,
  ],
  [
    'with a total below zero',
    (text) => text.replace('"totalCents": 500', '"totalCents": -500'),
    /`totalCents` is not a whole number$/,
  ],
  ['with 100,000 warnings', before(`"warnings":[${'"w",'.repeat(100_000)}"w"]`), /not written as pixgate writes/],
  ['that is not UTF-8', (text) => Buffer.from(text.replace('ana@', '\xff\xfe@'), 'latin1'), /it is not UTF-8$/],
  ['followed by another', (text) => text + text, /it is not a JSON object$/],
  ['of nothing', () => '', /it is not a JSON object$/],
]

it('refuses a plan file that means no good, whatever it holds', { timeout: 60_000 }, async () => {
  const world = inThisProcess(await sandboxWorld({}, {}, onTestFinished))
  const file = await planned(world, ['transfer', '--key', 'ana@example.com', '--amount', '5'], maria)
  const text = readFileSync(file, 'utf8')
  for (const [what, spoil, why] of SPOILED) {
    writeFileSync(file, spoil(text))
    const failure = failureOf(await world.run(['plan', 'show', file, '-o', 'json']))
    expect([what, failure]).toEqual([what, expect.objectContaining({ exit: 2, message: expect.stringMatching(why) })])
  }
  truncateSync(file, BYTES)
  const failure = failureOf(await world.run(['plan', 'show', file, '-o', 'json']))
  expect(failure).toMatchObject({ exit: 2, message: expect.stringMatching(/is larger than the limit of 16 MiB$/) })
})

it('refuses a list of approvers of 100 MB', async () => {
  const world = inThisProcess(emptyWorld({}, onTestFinished))
  const list = join(world.home, 'approvers')
  writeFileSync(list, `joao namespaces="pixgate" ${joao.line}\n`.repeat(10))
  truncateSync(list, BYTES)
  const add = ['profile', 'add', 'shop', '--base-url', 'http://127.0.0.1:1', '--client-id', 'shop', '--no-test']
  const secret = ['--client-secret-env', 'SECRET', '--callback-url', 'http://127.0.0.1:1/', '-o', 'json']
  const failure = failureOf(await world.run([...add, ...secret, '--approval-from', '100', '--approvers', list]))
  expect(failure).toMatchObject({ exit: 2, message: expect.stringMatching(/is larger than the limit of 1 MiB$/) })
})
