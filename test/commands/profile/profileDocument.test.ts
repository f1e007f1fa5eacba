import { expect, it } from 'vitest'
import { maskSecret } from '../../../src/steps/profiles/profileDocument.ts'

it.each([
  ['', '••••'],
  ['x'.repeat(11), '••••'],
  ['xxxxxxxxxxab', '••••ab'],
  ['xxxxxxxxxxxxxxxwxyz', '••••yz'],
  ['xxxxxxxxxxxxxxxxwxyz', '••••wxyz'],
])('masks "%s" as %s', (secret, shown) => {
  expect(maskSecret(secret)).toBe(shown)
})
