import QRCode from 'qrcode-terminal/vendor/QRCode/index.js'
import QRErrorCorrectLevel from 'qrcode-terminal/vendor/QRCode/QRErrorCorrectLevel.js'

/** The quiet zone that the QR standard requires on each side. */
const QUIET_MODULES = 4
/** The capacity of the largest QR code for each level of error correction. */
const BYTES_MAX = { M: 2331, L: 2953 }

/**
 * The modules of the QR code of a text with its quiet zone, row by row; true for a dark one. Undefined if the text is too long.
 * The class is not public, but `generate` cannot make these: its `setErrorLevel('M')` has no effect, because M is 0 there.
 */
export function qrModules(text: string, level: keyof typeof BYTES_MAX): boolean[][] | undefined {
  const bytes = Buffer.from(text, 'utf8').toString('latin1')
  if (bytes.length > BYTES_MAX[level]) return undefined
  const code = new QRCode(-1, QRErrorCorrectLevel[level])
  code.addData(bytes)
  code.make()
  const size = code.getModuleCount()
  const isInside = (at: number) => at >= 0 && at < size
  const places = Array.from({ length: size + 2 * QUIET_MODULES }, (_, at) => at - QUIET_MODULES)
  return places.map((row) => places.map((column) => isInside(row) && isInside(column) && code.isDark(row, column)))
}
