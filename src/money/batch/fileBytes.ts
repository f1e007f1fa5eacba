import { createReadStream } from 'node:fs'
import { t } from '../../text/words.ts'
import { UsageError } from '../../wire/errors.ts'

/** Larger ones are not read faster, and all the records of one are held at a time. */
const CHUNK_BYTES = 32 * 1024

/** The bytes of a stored file, or bytes that are there already; each iteration begins anew. Throws UsageError for a file that cannot be read. */
export function bytesOf(source: string | Uint8Array): AsyncIterable<Uint8Array> {
  return { [Symbol.asyncIterator]: () => (typeof source === 'string' ? fileChunks(source) : memoryChunks(source)) }
}

async function* fileChunks(path: string): AsyncGenerator<Uint8Array> {
  try {
    yield* createReadStream(path, { highWaterMark: CHUNK_BYTES })
  } catch (error) {
    throw unreadable(path, error)
  }
}

async function* memoryChunks(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let start = 0; start < bytes.length; start += CHUNK_BYTES) yield bytes.subarray(start, start + CHUNK_BYTES)
}

function unreadable(path: string, error: unknown): unknown {
  if (!(error instanceof Error) || !('code' in error)) return error
  const hint = t`Check the path, and whether you may read it`
  if (error.code === 'ENOENT') return new UsageError(t`There is no file \`${path}\``, { hint })
  if (error.code === 'EISDIR') return new UsageError(t`\`${path}\` is a folder`, { hint: t`Name the CSV file in it` })
  return new UsageError(t`\`${path}\` cannot be read: ${error.message}`, { hint })
}
