import { constants } from 'node:fs'
import { access, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { systemTrouble } from '../storage/systemTrouble.ts'
import { t } from '../text/translate.ts'
import { isSystemError, UsageError } from '../wire/errors.ts'

/** Checks, before anything is sent, that the file of an option can be written. Throws UsageError. */
export async function assertOutputPath(option: string, path: string): Promise<void> {
  try {
    await access(dirname(path), constants.W_OK)
  } catch (error) {
    throw writeFailure(option, path, error)
  }
  const isFolder = await stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  )
  if (isFolder) throw notWritable(option, path, 'EISDIR')
}

/** The UsageError for the file of an option that the system does not let pixgate write; other errors are returned as they are. */
export function writeFailure(option: string, path: string, error: unknown): unknown {
  return isSystemError(error) ? notWritable(option, path, error.code) : error
}

function notWritable(option: string, path: string, code: string): UsageError {
  return new UsageError(t`\`${option} ${path}\` cannot be written: ${systemTrouble({ code }, '').reason}`, {
    hint: t`Name a file in a folder that exists and that you may write to`,
  })
}
