import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { resolve } from 'node:path'
import { t } from '../text/translate.ts'
import { FORBIDDEN, systemCode, UsageError } from '../wire/errors.ts'
import { systemTrouble } from './systemTrouble.ts'

/** Makes a folder for one run among the temporary files. Throws UsageError if `TMPDIR` cannot be used. */
export async function makeTemporaryFolder(prefix: string): Promise<string> {
  const below = resolve(tmpdir())
  try {
    return await mkdtemp(resolve(below, prefix))
  } catch (error) {
    throw temporaryFailure(error)
  }
}

/** The UsageError for a temporary folder that the system does not let pixgate use; other errors are returned as they are. */
export function temporaryFailure(error: unknown): unknown {
  const code = systemCode(error)
  if (code === undefined) return error
  const folder = resolve(tmpdir())
  const { reason, hint } = systemTrouble(error, folder)
  return new UsageError(t`\`${folder}\`, the folder for temporary files, cannot be used: ${reason}`, {
    hint: code === FORBIDDEN ? hint : t`Set \`TMPDIR\` to a folder that can be written`,
  })
}
