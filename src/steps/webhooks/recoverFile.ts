import { stat } from 'node:fs/promises'
import { writeWholeFile } from '../../storage/wholeFile.ts'
import { writeFailure } from '../../terminal/outputFile.ts'
import { t } from '../../text/translate.ts'
import { UsageError } from '../../wire/errors.ts'

/** Makes sure that the original bytes would not be written over the file that they are compared with. Throws UsageError. */
export async function assertRecoverPath(path: string, source: string | undefined): Promise<void> {
  if (path === '-') {
    throw new UsageError(t`\`--recover\` takes a file, not \`-\``, {
      hint: t`Name a file, like \`--recover original.json\``,
    })
  }
  if (source === undefined || source === '-') return
  const [target, given] = await Promise.all([path, source].map((each) => stat(each).catch(() => undefined)))
  if (path !== source && (target === undefined || target.ino !== given?.ino || target.dev !== given?.dev)) return
  throw new UsageError(t`\`--recover ${path}\` would overwrite the file being verified`, {
    hint: t`Name another file, like \`--recover original.json\``,
  })
}

/** Writes the original bytes. Throws UsageError. */
export async function writeRecovered(path: string, original: Buffer): Promise<void> {
  try {
    await writeWholeFile(path, original)
  } catch (error) {
    throw writeFailure('--recover', path, error)
  }
}
