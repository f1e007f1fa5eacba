import { describe, expect, it } from 'vitest'
import { PARSERS } from './cases.ts'
import { tryParser } from './tryParser.ts'

const CASES = 1500

describe.each(PARSERS.map((parser) => [parser.name, parser] as const))('%s', (_, parser) => {
  it('of any kind are read or refused with the reason, and come back as they were', async () => {
    const { read, refused, wrong } = await tryParser(parser, Math.ceil(CASES / (parser.costs ?? 1)), 'short')
    expect(wrong).toEqual([])
    // Neither all right nor all wrong: both ways are tried.
    expect(read).toBeGreaterThan(0)
    if (!['BR Code', 'signature header', 'JSON with repeated keys', 'CSV', 'workbook XML'].includes(parser.name)) {
      expect(refused).toBeGreaterThan(0)
    }
  })
})
