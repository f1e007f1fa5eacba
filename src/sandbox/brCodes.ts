import { PNG } from 'pngjs'
import { readBrCode, writeBrCode } from '../pix/brCode.ts'
import { qrModules } from '../pix/qrModules.ts'
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

const SIZE_PIXELS = 250

/** The QR code of a text as a PNG of 250 × 250 pixels in black and white. Throws if the text is too long. */
export function qrImage(text: string): Buffer {
  const modules = qrModules(text, 'M')
  if (modules === undefined) throw new RangeError('the text is too long for the image')
  const scale = Math.floor(SIZE_PIXELS / modules.length)
  const margin = Math.floor((SIZE_PIXELS - modules.length * scale) / 2)
  const image = new PNG({ width: SIZE_PIXELS, height: SIZE_PIXELS })
  for (let at = 0; at < image.data.length; at += 4) {
    const [x, y] = [(at / 4) % SIZE_PIXELS, Math.floor(at / 4 / SIZE_PIXELS)]
    const isDark = modules[Math.floor((y - margin) / scale)]?.[Math.floor((x - margin) / scale)] ?? false
    // Black; what stays transparent becomes white.
    if (isDark) image.data[at + 3] = 255
  }
  return PNG.sync.write(image, { colorType: 0, filterType: 0, deflateStrategy: 0 })
}
