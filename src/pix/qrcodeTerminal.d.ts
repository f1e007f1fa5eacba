declare module 'qrcode-terminal/vendor/QRCode/index.js' {
  /** One QR code; a version below 1 takes the smallest that holds the data. */
  export default class QRCode {
    constructor(version: number, errorCorrectLevel: number)
    /** Takes the low eight bits of each UTF-16 unit as one byte. */
    addData(bytes: string): void
    /** Throws if no version holds the data. */
    make(): void
    getModuleCount(): number
    /** Throws outside the code. */
    isDark(row: number, column: number): boolean
  }
}

declare module 'qrcode-terminal/vendor/QRCode/QRErrorCorrectLevel.js' {
  const QRErrorCorrectLevel: Readonly<Record<'L' | 'M' | 'Q' | 'H', number>>
  export default QRErrorCorrectLevel
}
