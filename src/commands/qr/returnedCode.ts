import { constants } from 'node:fs'
import { access, stat, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { formatReais } from '../../pix/amount.ts'
import { readBrCode } from '../../pix/brCode.ts'
import { t } from '../../text/words.ts'
import { UsageError } from '../../wire/errors.ts'
import { notBlank } from '../optionValues.ts'

const PNG_SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

/** Warnings about the code that the gateway returned for this amount; empty if it is valid. */
export function codeWarnings(code: string | null, amountCents: number): string[] {
  if (code === null) return [t`The gateway returned no payment code, so this charge cannot be paid`]
  const brCode = readBrCode(code)
  if (!brCode.valid) return [t`The returned code is not a valid BR Code; do not show it to a payer`]
  if (brCode.amountCents === null || brCode.amountCents === amountCents) return []
  return [
    t`The returned code is for ${formatReais(brCode.amountCents)}, not ${formatReais(amountCents)}; do not show it to a payer`,
  ]
}

/** Checks, before anything is sent, that the file of an option can be written to this path. Throws UsageError. */
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

/** Writes the image that the gateway returned. Returns warnings instead of throwing, because the charge already exists. */
export async function writePng(path: string, base64: string | null): Promise<string[]> {
  const image = Buffer.from((base64 ?? '').replace(/^data:image\/png;base64,/, ''), 'base64')
  if (!image.subarray(0, PNG_SIGNATURE.length).equals(PNG_SIGNATURE)) {
    return [t`The gateway returned no PNG image, so ${path} was not written; draw the code with \`pixgate qr draw\``]
  }
  try {
    await writeFile(path, image)
    return []
  } catch (error) {
    return [t`The image could not be written to ${path}: ${codeOf(error)}`]
  }
}

function cannotWrite(path: string, option: string, code: string): UsageError {
  return new UsageError(t`Cannot write \`${option} ${path}\`: ${code}`, {
    hint: t`Choose a file in an existing folder that you can write to`,
  })
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error)
}
