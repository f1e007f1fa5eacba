import { formatReais } from '../../pix/amount.ts'
import { readBrCode } from '../../pix/brCode.ts'
import { t } from '../../text/words.ts'

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
