import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decodeText, detectEncoding, type Encoding } from '../../../src/spreadsheet/fileContent.ts'
import { collected, cut, encoded } from './csvFiles.ts'

const sizes = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 5 })

async function read(bytes: Buffer, chunkSizes: readonly number[]) {
  const encoding = await detectEncoding(cut(bytes, chunkSizes))
  return { encoding, text: (await collected(decodeText(cut(bytes, chunkSizes), encoding))).join('') }
}

describe('detectEncoding and decodeText', () => {
  it.each<[Encoding, string, string]>([
    ['utf-8', 'key;value', '6b65793b76616c7565'],
    ['utf-8', 'João 😀', '4a6fc3a36f20f09f9880'],
    ['utf-8-bom', 'João', 'efbbbf4a6fc3a36f'],
    ['utf-16le', 'João', 'fffe4a006f00e3006f00'],
    ['utf-16be', 'João', 'feff004a006f00e3006f'],
    ['utf-16le', 'Jo', '4a006f00'],
    ['utf-16be', 'Jo', '004a006f'],
    ['windows-1252', 'João', '4a6fe36f'],
    ['windows-1252', '“R$ 5” – €', '93522420359420962080'],
    ['windows-1252', 'aã', '61e3'],
    ['utf-8', '', ''],
    ['utf-8-bom', '', 'efbbbf'],
  ])('reads %s: %s', async (encoding, text, hex) => {
    for (const size of [1, 2, 3, 1000]) {
      expect(await read(Buffer.from(hex, 'hex'), [size])).toEqual({ encoding, text })
    }
  })

  it('judges the whole file, not its beginning', async () => {
    const bytes = Buffer.concat([Buffer.alloc(300_000, 'a'), Buffer.from([0xe3])])
    expect(await detectEncoding(cut(bytes, [65_536]))).toBe('windows-1252')
    const cutOff = Buffer.concat([Buffer.alloc(5000, 'a'), Buffer.from([0xc3])])
    expect(await detectEncoding(cut(cutOff, [4096]))).toBe('windows-1252')
  })

  it('reads the text of any encoding in any chunks', async () => {
    const letters = fc.string({ unit: fc.constantFrom('a', ';', '\n', 'ç', 'Ã', '"', '1'), maxLength: 60 })
    await fc.assert(
      fc.asyncProperty(
        letters,
        fc.constantFrom<Encoding>('utf-8', 'utf-8-bom', 'utf-16le', 'utf-16be', 'windows-1252'),
        sizes,
        async (some, encoding, chunkSizes) => {
          // Windows-1252 is recognised by bytes that are not valid UTF-8, so there must be some.
          const text = `key${some}é ã`
          expect(await read(encoded(text, encoding), chunkSizes)).toEqual({ encoding, text })
        },
      ),
    )
  })

  it('reads any text of UTF-8 and UTF-16, whole code points cut anywhere', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.string({ unit: 'grapheme', maxLength: 40 }),
        fc.constantFrom<Encoding>('utf-8-bom', 'utf-16le', 'utf-16be'),
        sizes,
        async (some, encoding, chunkSizes) => {
          const text = `x${some}`
          expect(await read(encoded(text, encoding), chunkSizes)).toEqual({ encoding, text })
        },
      ),
    )
  })

  it.each([['efbbbf6be3', 'The file begins with a UTF-8 byte order mark, but the rest is not UTF-8']])(
    'refuses %s',
    async (hex, message) => {
      await expect(detectEncoding(cut(Buffer.from(hex, 'hex'), [3]))).rejects.toThrow(message)
    },
  )
})
