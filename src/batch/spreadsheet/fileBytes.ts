import { createReadStream, statSync } from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
import { t } from '../../text/words.ts'
import { isSystemError, UsageError } from '../../wire/errors.ts'

/** A path, an open file, or the bytes themselves. */
export type FileSource = string | FileHandle | Uint8Array

/** Larger ones are not read faster, and all the records of one are held at a time. */
const CHUNK_BYTES = 32 * 1024
/** A million rows take about a tenth of it. */
const FILE_GIBIBYTES_MAX = 1
export const FILE_BYTES_MAX = FILE_GIBIBYTES_MAX * 1024 ** 3

/** The bytes of a file; each iteration begins anew. Throws UsageError if it cannot be read, is no regular file, or is too large. */
export function bytesOf(source: FileSource): AsyncIterable<Uint8Array> {
  return { [Symbol.asyncIterator]: () => chunksOf(source) }
}

/** The failure of an input that is too large to be a file of payments. */
export function fileTooLarge(name: string): UsageError {
  return new UsageError(t`\`${name}\` is larger than ${FILE_GIBIBYTES_MAX} GiB`, {
    hint: t`Split it into several files, each with the header line`,
  })
}

function chunksOf(source: FileSource): AsyncGenerator<Uint8Array> {
  if (typeof source === 'string') return fileChunks(source)
  return source instanceof Uint8Array ? memoryChunks(source) : handleChunks(source)
}

async function* fileChunks(path: string): AsyncGenerator<Uint8Array> {
  try {
    const stats = statSync(path)
    if (!stats.isFile() && !stats.isDirectory()) throw notRegular(path)
    if (stats.size > FILE_BYTES_MAX) throw fileTooLarge(path)
    yield* createReadStream(path, { highWaterMark: CHUNK_BYTES })
  } catch (error) {
    throw isSystemError(error) ? unreadable(path, error) : error
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

function notRegular(path: string): UsageError {
  return new UsageError(t`\`${path}\` is not a regular file`, {
    hint: t`Save the CSV to a file, or give \`-\` to read it from standard input`,
  })
}

function unreadable(path: string, { code, message }: Error & { code: string }): UsageError {
  const hint = t`Check the path, and whether you may read it`
  if (code === 'ENOENT') return new UsageError(t`There is no file \`${path}\``, { hint })
  if (code === 'EISDIR') return new UsageError(t`\`${path}\` is a folder`, { hint: t`Name the CSV file in it` })
  return new UsageError(t`\`${path}\` cannot be read: ${message}`, { hint })
}
