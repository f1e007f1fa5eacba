import { expect, it } from 'vitest'
import { Secret } from '../../src/wire/secret.ts'
import { isRedactedHeader, redactHeaders, redactTarget, withoutRedactedParameters } from '../../src/wire/signature.ts'

const SECRETS = [new Secret('s3cret-of-the-client')]

it.each([
  ['/hook?a=1&b=2', '/hook?a=1&b=2'],
  ['/hook?token=x', '/hook?token=[redacted]'],
  ['/hook?a=s3cret-of-the-client&b=2', '/hook?a=[redacted]&b=2'],
  ['/hook?a=s3cret%2Dof%2Dthe%2Dclient', '/hook?a=[redacted]'],
  ['/s3cret-of-the-client/hook', '/[redacted]/hook'],
])('records %s as %s', (target, recorded) => {
  expect(redactTarget(target, SECRETS)).toBe(recorded)
  expect(redactTarget(recorded, SECRETS)).toBe(recorded)
})

it('records no value of the headers that are credentials, in any case, nor a secret in another', () => {
  const sent = [
    ['AUTHORIZATION', 'Bearer x'],
    ['proxy-authorization', 'Basic x'],
    ['Cookie', 'x'],
    ['X-Signature', 'ab'.repeat(32)],
    ['X-Other', 'its s3cret-of-the-client'],
  ] as const
  const recorded = redactHeaders(sent, SECRETS)
  expect(recorded.map(([, value]) => value)).toEqual([
    '[redacted]',
    '[redacted]',
    '[redacted]',
    'ab'.repeat(32),
    'its [redacted]',
  ])
  expect(recorded.filter((header) => !isRedactedHeader(header))).toEqual([['X-Signature', 'ab'.repeat(32)]])
  expect(sent.filter(isRedactedHeader).map(([name]) => name)).toEqual([
    'AUTHORIZATION',
    'proxy-authorization',
    'Cookie',
  ])
})

it.each([
  ['http://h/hook', { address: 'http://h/hook', omitted: [] }],
  ['http://h/hook?a=1', { address: 'http://h/hook?a=1', omitted: [] }],
  ['http://h/hook?token=[redacted]', { address: 'http://h/hook', omitted: ['token'] }],
  ['http://h/hook?a=1&token=[redacted]&b=?', { address: 'http://h/hook?a=1&b=?', omitted: ['token'] }],
  ['http://h/[redacted]/hook', undefined],
])('sends %s again without what was redacted', (recorded, expected) => {
  expect(withoutRedactedParameters(recorded)).toEqual(expected)
})
