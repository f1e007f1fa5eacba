import { PNG } from 'pngjs'
import { qrModules } from '../pix/qrModules.ts'

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
