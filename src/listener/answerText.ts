import { brotliDecompressSync, constants, unzipSync } from 'node:zlib'
import type { HttpAnswer } from '../gateway/exchange.ts'

const UNPACKED_BYTES_MAX = 16 * 1024 * 1024

/** The first characters of an answer's body, of which `bytes` is the beginning; '' if its encoding is not known. */
export function answerText(bytes: Buffer, headers: HttpAnswer['headers'], charactersMax: number): string {
  const plain = decompress(bytes, headerOf(headers, 'content-encoding').trim().toLowerCase())
  const characters = decoderFor(headerOf(headers, 'content-type')).decode(plain.subarray(0, charactersMax * 4), {
    // The end may be in the middle of a character.
    stream: true,
  })
  return Array.from(characters).slice(0, charactersMax).join('')
}

function decompress(bytes: Buffer, encoding: string): Buffer {
  if (encoding === '' || encoding === 'identity' || bytes.length === 0) return bytes
  const options = { maxOutputLength: UNPACKED_BYTES_MAX }
  try {
    if (encoding === 'br') {
      return brotliDecompressSync(bytes, { ...options, finishFlush: constants.BROTLI_OPERATION_FLUSH })
    }
    // A long answer is cut off, so its compressed data may end early; a flush allows that.
    if (/^(?:x-)?gzip$|^deflate$/.test(encoding)) {
      return unzipSync(bytes, { ...options, finishFlush: constants.Z_SYNC_FLUSH })
    }
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error
  }
  return Buffer.alloc(0)
}

function decoderFor(contentType: string): InstanceType<typeof TextDecoder> {
  const charset = /;\s*charset="?([^\s;"]+)/i.exec(contentType)?.[1] ?? 'utf-8'
  try {
    return new TextDecoder(charset)
  } catch (error) {
    if (error instanceof RangeError) return new TextDecoder()
    throw error
  }
}

function headerOf(headers: HttpAnswer['headers'], name: string): string {
  const value = headers[name]
  return (Array.isArray(value) ? value[0] : value) ?? ''
}
