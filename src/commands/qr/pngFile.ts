import { constants } from 'node:fs'
import { access, stat, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { t } from '../../text/words.ts'
import { UsageError } from '../../wire/errors.ts'
import { notBlank } from '../optionValues.ts'

const PNG_SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

/** Makes sure before anything is sent that the file of an option can be written. Throws UsageError. */
export async function checkOutputPath(path: string, option: string): Promise<void> {
  notBlank(path, option)
  try {
    await access(dirname(path), constants.W_OK)
  } catch (error) {
    throw cannotWrite(path, option, codeOf(error))
  }
  const isFolder = await stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  )
  if (isFolder) throw cannotWrite(path, option, 'EISDIR')
}

/** Writes the image that the gateway returned, and gives the warnings where it could not; the QR code exists by then. */
export async function writePng(path: string, base64: string | null): Promise<string[]> {
  const image = Buffer.from((base64 ?? '').replace(/^data:image\/png;base64,/, ''), 'base64')
  if (!image.subarray(0, PNG_SIGNATURE.length).equals(PNG_SIGNATURE)) {
    return [t`The gateway returned no PNG image, so ${path} was not written: draw the code with \`pixgate qr draw\``]
  }
  try {
    await writeFile(path, image)
    return []
  } catch (error) {
    return [t`The image could not be written to ${path}: ${codeOf(error)}`]
  }
}

function cannotWrite(path: string, option: string, code: string): UsageError {
  return new UsageError(t`\`${option} ${path}\` cannot be written: ${code}`, {
    hint: t`Name a file in a folder that exists and that you may write to`,
  })
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error)
}
