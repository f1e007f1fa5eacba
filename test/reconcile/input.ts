import type { NamedInput } from '../../src/spreadsheet/fileContent.ts'

/** The bytes of a file as they come from standard input. */
export function input(bytes: Uint8Array): NamedInput {
  return { bytes, name: null, interrupt: new AbortController().signal }
}
