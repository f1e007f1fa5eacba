/** What pixgate uses of these decoders: their own types need those of a browser. */
declare namespace WebAssembly {
  class Module {
    constructor(bytes: Uint8Array)
  }
  class Memory {
    constructor(pages: { initial: number })
  }
}

declare module '@jsquash/jpeg/decode.js' {
  export { default, init } from '@jsquash/webp/decode.js'
}

declare module '@jsquash/webp/decode.js' {
  export function init(module: WebAssembly.Module, options: { printErr(line: string): void }): Promise<void>
  export default function decode(
    bytes: ArrayBuffer,
  ): Promise<{ width: number; height: number; data: Uint8ClampedArray }>
}
