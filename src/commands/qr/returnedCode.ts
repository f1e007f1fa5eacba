import { writeFile } from 'node:fs/promises'
import { formatReais } from '../../pix/amount.ts'
import { readBrCode } from '../../pix/brCode.ts'
import { t } from '../../text/words.ts'

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

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error)
}
