import { describe, expect, it } from 'vitest'
import { readBrCode } from '../../src/pix/brCode.ts'
import { code, field, KEY, PIX, STATIC, withCrc } from './brCodeParts.ts'

/** A field whose length is wrongly counted in bytes. */
function byteField(id: string, value: string): string {
  return id + String(Buffer.byteLength(value)).padStart(2, '0') + value
}

describe('a code that begins otherwise', () => {
  it.each([
    ['without field 00', withCrc(code().slice(6, -8)), 'The code begins with field 26, not with the payload format'],
    ['another format', code({ '00': field('00', '02') }), 'The payload format (field 00) is `02`, not `01`'],
    ['another format alone', '000202', 'The payload format (field 00) is `02`, not `01`'],
    ['a longer format', code({ '00': field('00', '001') }), 'The payload format (field 00) is `001`, not `01`'],
    ['fields out of order', withCrc(`5802BR000201${code().slice(6, -8)}`), 'The code begins with field 58'],
    ['a lost beginning', STATIC.slice(2), 'The code begins with field 02'],
    ['a lost character', STATIC.slice(1), 'The beginning of the code is missing'],
    ['any other fields', '5802BR5303986', 'The code begins with field 58'],
  ])('is a broken code, and its beginning is named: %s', (_, text, error) => {
    const read = readBrCode(text)
    expect(read).toMatchObject({ looksLikeBrCode: true, valid: false })
    expect(read.errors[0]).toContain(error)
  })

  it('has no other error if nothing else is wrong', () => {
    const read = readBrCode(code({ '00': field('00', '02') }))
    expect(read.errors).toHaveLength(1)
    expect(read).toMatchObject({ kind: 'static', merchantName: 'Fulano de Tal' })
  })
})

describe('lengths that were counted in bytes', () => {
  it.each([
    ['the city', { '60': byteField('60', 'São Paulo') }, 'The length of field 60 is counted in bytes (10)'],
    [
      'the message of the payer',
      { '26': field('26', PIX + KEY + byteField('02', 'pão')) },
      'In field 26, the length of field 02 is counted in bytes (4)',
    ],
  ])('are named as the cause, and the fields are read: %s', (_, parts, error) => {
    const read = readBrCode(code(parts))
    expect(read.errors).toEqual([expect.stringContaining(error)])
    expect(read).toMatchObject({ valid: false, kind: 'static', merchantName: 'Fulano de Tal', txid: '***' })
  })

  it('are not blamed for a code that is cut off', () => {
    const { errors } = readBrCode(code({ '60': field('60', 'São Paulo') }).slice(0, -20))
    expect(errors.join()).not.toContain('bytes')
  })
})
