import { spawnSync } from 'node:child_process'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { crc16 } from '../../src/pix/brCode.ts'
import vectors from '../fixtures/vectors.json' with { type: 'json' }

const PYTHON = `
import binascii, json, sys
texts = json.load(sys.stdin)
json.dump(['%04X' % binascii.crc_hqx(text.encode(), 0xFFFF) for text in texts], sys.stdout)
`
const hasPython = spawnSync('python3', ['--version']).status === 0

describe('CRC-16', () => {
  it.each(vectors.crc16)('%j gives %s', (text, expected) => {
    expect(crc16(String(text))).toBe(expected)
  })

  it('keeps leading zeros', () => {
    const checksums = []
    for (let number = 0; number < 5000; number += 1) checksums.push(crc16(String(number)))
    expect(checksums.filter((checksum) => !/^[0-9A-F]{4}$/.test(checksum))).toEqual([])
    expect(checksums.some((checksum) => checksum.startsWith('00'))).toBe(true)
  })

  it.skipIf(!hasPython)('agrees with the crc_hqx of Python on any text (SKIPPED where python3 is missing)', () => {
    const ascii = fc.sample(fc.string({ maxLength: 200 }), 1000)
    const unicode = fc.sample(fc.string({ unit: 'grapheme', maxLength: 200 }), 1000)
    const texts = [...ascii, ...unicode, ...vectors.brCodesValid.map(({ code }) => code.slice(0, -4))]
    const { status, stdout } = spawnSync('python3', ['-c', PYTHON], { input: JSON.stringify(texts), encoding: 'utf8' })
    expect(status).toBe(0)
    expect(texts.map(crc16)).toEqual(JSON.parse(stdout))
  })
})
