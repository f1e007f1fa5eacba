import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** True if pixgate runs as one executable file, which contains Node.js and everything else. */
export function isExecutableFile(): boolean {
  return process.getBuiltinModule('node:sea').isSea()
}

/** Reads a file of the package; one executable file has it inside. Throws if it does not exist, which is a defect. */
export function readPackagedBytes(path: string): Buffer {
  if (isExecutableFile()) return Buffer.from(process.getBuiltinModule('node:sea').getAsset(path))
  return readFileSync(locationOf(path))
}

/**
 * Reads a file of the package as text, such as `dist/build.json`; one executable file has it inside. Throws if it does not exist, which is a
 * defect.
 */
export function readPackagedFile(path: string): string {
  if (isExecutableFile()) return process.getBuiltinModule('node:sea').getAsset(path, 'utf8')
  return readFileSync(locationOf(path), 'utf8')
}

function locationOf(path: string): string {
  return fileURLToPath(new URL(`../${path}`, import.meta.url))
}
