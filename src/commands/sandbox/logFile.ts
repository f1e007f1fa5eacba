import { closeSync, openSync, writeSync } from 'node:fs'
import type { LogEntry } from '../../sandbox/requestLog.ts'
import { t } from '../../text/words.ts'
import { isSystemError, UsageError } from '../../wire/errors.ts'
import { notBlank } from '../optionValues.ts'

/** A file to which the sandbox's log is written, one line of JSON per entry. */
export interface LogFile {
  write(entry: LogEntry): void
  close(): void
}

/** Creates the file of `--log`, or empties it. Throws UsageError if it cannot be written. */
export function openLogFile(path: string): LogFile {
  const handle = openForWriting(notBlank(path, '--log'))
  return {
    write: (entry) => void writeSync(handle, `${JSON.stringify(entry)}\n`),
    close: () => closeSync(handle),
  }
}

function openForWriting(path: string): number {
  try {
    // Bodies hold names and tax documents.
    return openSync(path, 'w', 0o600)
  } catch (error) {
    if (!isSystemError(error)) throw error
    throw new UsageError(t`Cannot write the log to \`${path}\` (${error.code})`, {
      hint: t`Name a file in a folder that exists: \`--log sandbox.ndjson\``,
    })
  }
}
