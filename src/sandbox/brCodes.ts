import { readBrCode } from '../pix/brCode.ts'
import { writeBrCode } from '../pix/brCodeWriting.ts'
import { english } from '../text/translate.ts'

/** The copy-and-paste code of a payment: dynamic, for one use, at an address that never resolves. */
export function paymentCodeFor(idTransaction: string, amountCents: number): string {
  return writeBrCode({
    url: `pix.sandbox.invalid/qr/v2/${idTransaction.replaceAll('-', '')}`,
    amountCents,
    merchantName: 'PIXGATE SANDBOX',
    merchantCity: 'SAO PAULO',
    once: true,
  })
}

/** Why a code cannot be paid with this value, and the field at fault; undefined if it can. */
export function faultOfPaymentCode(code: string, valueCents: number): { field: string; problem: string } | undefined {
  const { valid, kind, amountCents, errors } = readBrCode(code)
  if (!valid) return { field: 'key', problem: english`is not a valid payment code: ${errors[0] ?? ''}` }
  if (kind === 'recurrence')
    return { field: 'key', problem: english`is a payment code that only authorises recurring payments` }
  if (amountCents !== null && amountCents > 0 && amountCents !== valueCents) {
    return { field: 'value', problem: english`differs from the amount in the payment code` }
  }
  return undefined
}
