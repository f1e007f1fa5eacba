import { formatReais } from '../../pix/amount.ts'
import { readBrCode } from '../../pix/brCode.ts'
import { t } from '../../text/words.ts'

/** What is wrong with the code that the gateway returned for a request of this amount; nothing where all is well. */
export function codeWarnings(code: string | null, amountCents: number): string[] {
  if (code === null) return [t`The gateway returned no payment code: nobody can pay this`]
  const brCode = readBrCode(code)
  if (!brCode.valid) return [t`The gateway returned a code that is no valid BR Code: do not show it to a payer`]
  if (brCode.amountCents === null || brCode.amountCents === amountCents) return []
  return [
    t`The returned code asks for ${formatReais(brCode.amountCents)}, not ${formatReais(amountCents)}: do not show it to a payer`,
  ]
}
