import { expect, it } from 'vitest'
import { parsed, wordsOf } from '../parsedCommandLine.ts'

/** What `run` would get, by name; the other names have no value, an empty list, or false. */
it.each<[typed: string | readonly string[], input: Record<string, unknown>]>([
  ['transfer --key a@b.co --amount 1.234,56', { key: 'a@b.co', amount: 123_456 }],
  ['transfer --key a@b.co --value 10', { key: 'a@b.co', amount: 1000 }],
  ['transfer --document 529.982.247-25', { owner: '52998224725' }],
  ['transfer --key-type phoneNumber --again', { keyType: 'phoneNumber', again: true }],
  ['transfer --key-type EVP', { keyType: 'randomKey' }],
  ['payee add ana --key-type Celular', { name: 'ana', keyType: 'phoneNumber' }],
  ['transfer --in-addition-to a --in-addition-to b', { inAdditionTo: ['a', 'b'] }],
  ['transfer --wait', { wait: 65 * 60_000 }],
  ['transfer --wait 5m --dry-run', { wait: 5 * 60_000, dryRun: true }],
  ['transfer --callback-url listen', { callbackUrl: 'listen' }],
  ['transfer --retry invoice-1 --include-unknown', { retry: 'invoice-1', includeUnknown: true }],
  ['refund x --full', { originalId: 'x', full: true, idField: 'originalTransactionId' }],
  ['refund x --wait', { originalId: 'x', idField: 'originalTransactionId', wait: 15 * 60_000 }],
  ['qr create --amount 0,01 --due-date +3d', { amount: 1, dueDate: '+3d', interval: 2000 }],
  ['qr create --split-percentage 12,5', { splitPercentage: 12.5, interval: 2000 }],
  ['qr create --amount 1 --due-date 1/2/2031', { amount: 100, dueDate: '2031-02-01', interval: 2000 }],
  ['qr draw 000201', { code: '000201' }],
  ['qr draw 000201 --qr', { code: '000201', qr: true }],
  ['qr draw 000201 --no-qr', { code: '000201', qr: false }],
  ['batch transfer x.csv', { file: 'x.csv', concurrency: 4, stopAfter: 5 }],
  [
    'batch refund x.csv --rate 300/m --limit 2 --map a=b --map c=d',
    { file: 'x.csv', concurrency: 4, stopAfter: 5, rate: 5, limit: 2, map: ['a=b', 'c=d'] },
  ],
  ['batch resume r --rate 10/s --excel --results o.csv', { run: 'r', rate: 10, excel: true, results: 'o.csv' }],
  [
    'history list --day yesterday --min 1000 --key 529.982.247-25',
    {
      day: { sinceMs: Date.UTC(2026, 10, 20, 3), beforeMs: Date.UTC(2026, 10, 21, 3) },
      min: { typed: '1000', cents: 100_000 },
      key: ['52998224725'],
    },
  ],
  [['history', 'find', 'R$ 25', 'maria'], { words: ['R$ 25', 'maria'] }],
  ['status a b --expect paid', { id: ['a', 'b'], expect: 'PAID', interval: 2000 }],
  ['status a --wait', { id: ['a'], interval: 2000, wait: { waitMs: 900_000, transferWaitMs: 3_900_000 } }],
  ['webhook events --since 1h --last 3 --failed', { since: 3_600_000, last: 3, failed: true }],
  ['webhook listen', { host: '127.0.0.1' }],
  ['webhook listen --inspect --timeout 5m', { host: '127.0.0.1', inspect: 4040, for: 300_000 }],
  [
    ['webhook', 'listen', '--inspect', '0', '--header', 'X-Env: test', '--events', 'a, b'],
    { host: '127.0.0.1', inspect: 0, header: [['X-Env', 'test']], events: new Set(['a', 'b']) },
  ],
  ['webhook send payment --expect 401', { event: 'payment', times: 1, signatureEncoding: 'hex', expect: 401 }],
  ['sandbox exec --auto-pay 0 -- npm test', { command: ['npm', 'test'], autoPay: 0 }],
])('%j', async (typed, expected) => {
  const { input } = await parsed(wordsOf(typed))
  const isEmpty = (name: string, value: unknown) =>
    value === undefined || (value === false && expected[name] !== false) || (Array.isArray(value) && value.length === 0)
  const values = Object.entries(input).filter(([name, value]) => !isEmpty(name, value))
  expect(Object.fromEntries(values)).toEqual(expected)
})

it('has false for each flag that was not typed, an empty list for each option that may be repeated, and nothing else', async () => {
  const { input } = await parsed(['transfer'])
  const values = Object.entries(input).filter(([, value]) => value !== undefined)
  expect(Object.fromEntries(values)).toEqual({ again: false, includeUnknown: false, dryRun: false, inAdditionTo: [] })
})

it('knows of a flag with a `--no-` form that neither was typed', async () => {
  const { input } = await parsed(['qr', 'draw', '000201'])
  expect(input.qr).toBeUndefined()
})

it('reads global options before and after the command', async () => {
  const { globals } = await parsed(wordsOf('-o json --timeout 5s status x -p shop --fields id,status -q --no-color'))
  expect(globals).toEqual({
    output: 'json',
    timeout: 5000,
    profile: 'shop',
    fields: ['id', 'status'],
    quiet: true,
    color: false,
  })
})

it('shows help whatever else was typed', async () => {
  await expect(parsed(['transfer', '--amount', 'ten', '--full', '--help'])).rejects.toThrow('runs no command')
})
