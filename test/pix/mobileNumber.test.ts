import { describe, expect, it } from 'vitest'
import { comparableKeysOf, formatKey } from '../../src/pix/destination.ts'
import { isNationalMobile } from '../../src/pix/pixKey.ts'

describe('the area codes', () => {
  it('are the 67 of ANATEL', () => {
    const codes = Array.from({ length: 100 }, (_, code) => String(code).padStart(2, '0'))
    const inUse = codes.filter((code) => isNationalMobile(`${code}987654321`))
    const unused = '20 23 25 26 29 30 36 39 40 50 52 56 57 58 59 60 70 72 76 78 80 90'.split(' ')
    expect(inUse).toEqual(codes.filter((code) => code > '10' && !unused.includes(code)))
    expect(inUse).toHaveLength(67)
  })
})

describe('what only contains a mobile number', () => {
  it.each(['x11987654321', '119876543210', '+55119876543210', 'x+5511987654321'])('%s is shown as it is', (key) => {
    expect(formatKey(key, 'phoneNumber')).toBe(key)
  })

  it.each(['x+5511987654321', '+55119876543210'])('%s is compared with its country code', (key) => {
    expect(comparableKeysOf(key)).toEqual([key])
  })
})
