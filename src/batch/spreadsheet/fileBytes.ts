import { createReadStream } from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
import { fileTooLarge, INPUT_BYTES_MAX, openInputFile, unreadable } from '../../terminal/inputFile.ts'

/** A path, an open file, or the bytes themselves. */
export type FileSource = string | FileHandle | Uint8Array

/** Larger ones are not read faster, and all the records of one are held at a time. */
const CHUNK_BYTES = 32 * 1024

/**
 * The bytes of a batch file; each iteration reads it from its beginning. Throws UsageError for a file that cannot be read, is too large or
 * is not a regular file.
 */
export function bytesOf(source: FileSource): AsyncIterable<Uint8Array> {
  return { [Symbol.asyncIterator]: () => chunksOf(source) }
}

function chunksOf(source: FileSource): AsyncGenerator<Uint8Array> {
  if (typeof source === 'string') return fileChunks(source)
  return source instanceof Uint8Array ? memoryChunks(source) : handleChunks(source)
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

async function* handleChunks(file: FileHandle): AsyncGenerator<Uint8Array> {
  for (let position = 0; ; ) {
    const { bytesRead, buffer } = await file.read(Buffer.alloc(CHUNK_BYTES), 0, CHUNK_BYTES, position)
    if (bytesRead === 0) return
    position += bytesRead
    yield buffer.subarray(0, bytesRead)
  }
}

async function* memoryChunks(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let start = 0; start < bytes.length; start += CHUNK_BYTES) yield bytes.subarray(start, start + CHUNK_BYTES)
}
