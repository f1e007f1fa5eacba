import { expect, it } from 'vitest'
import { parseProfileName } from '../../src/profiles/profile.ts'
import { UsageError } from '../../src/wire/errors.ts'

it.each(['a', 'shop', 'a-', 'a_9', 'constructors', 'locale', `a${'-'.repeat(31)}`])('accepts the name %s', (name) => {
  expect(parseProfileName(name)).toBe(name)
})

const NONE = ['constructor', 'prototype', '__proto__', 'local', 'a.b', 'A', '1a', '-a', 'a b', '', 'ä', 'a/b', 'a\n']

it.each([...NONE, `a${'-'.repeat(32)}`])('rejects the name "%s"', (name) => {
  expect(() => parseProfileName(name)).toThrow(UsageError)
})
