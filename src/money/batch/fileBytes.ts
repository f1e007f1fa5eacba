import { createReadStream } from 'node:fs'
import { fileTooLarge, INPUT_BYTES_MAX, openInputFile, unreadable } from '../../terminal/inputFile.ts'

/** Larger ones are not read faster, and all the records of one are held at a time. */
const CHUNK_BYTES = 32 * 1024

/**
 * The bytes of a batch file, or bytes in memory; each iteration begins anew. Throws UsageError for a file that cannot be
 * read, is too large or is not a regular file.
 */
export function bytesOf(source: string | Uint8Array): AsyncIterable<Uint8Array> {
  return { [Symbol.asyncIterator]: () => (typeof source === 'string' ? fileChunks(source) : memoryChunks(source)) }
}

async function* fileChunks(path: string): AsyncGenerator<Uint8Array> {
  const fd = openInputFile(path, 'batchFile')
  let bytes = 0
  try {
    for await (const chunk of createReadStream(path, { fd, highWaterMark: CHUNK_BYTES })) {
      bytes += chunk.length
      if (bytes > INPUT_BYTES_MAX.batchFile) throw fileTooLarge(path, 'batchFile')
      yield chunk
    }
  } catch (error) {
    throw unreadable(path, error)
  }
}

async function* memoryChunks(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let start = 0; start < bytes.length; start += CHUNK_BYTES) yield bytes.subarray(start, start + CHUNK_BYTES)
}
