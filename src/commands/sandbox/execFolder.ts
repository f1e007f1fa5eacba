import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { platform, tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'

/** The data and configuration folder of one `sandbox exec`, with `pixgate` in a folder for the PATH. */
export interface ExecFolder {
  path: string
  /** The PATH that finds this pixgate first. */
  pathVariable(env: Readonly<Record<string, string | undefined>>): Record<string, string>
  remove(): Promise<void>
}

/** Makes the folder among the temporary files. `program` is how to start pixgate. */
export async function makeExecFolder(program: readonly [interpreter: string, entry: string]): Promise<ExecFolder> {
  const path = await mkdtemp(join(tmpdir(), 'pixgate-exec-'))
  const bin = join(path, 'bin')
  await mkdir(bin)
  if (platform() === 'win32') {
    await writeFile(join(bin, 'pixgate.cmd'), `@${program.map((word) => `"${word}"`).join(' ')} %*\r\n`)
  } else {
    const words = program.map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(' ')
    await writeFile(join(bin, 'pixgate'), `#!/bin/sh\nexec ${words} "$@"\n`)
    await chmod(join(bin, 'pixgate'), 0o755)
  }
  return {
    path,
    pathVariable(env) {
      // Windows calls it `Path`.
      const name = Object.keys(env).find((each) => each.toUpperCase() === 'PATH') ?? 'PATH'
      return { [name]: [bin, env[name] ?? ''].filter((part) => part !== '').join(delimiter) }
    },
    remove: () => rm(path, { recursive: true, force: true, maxRetries: 3 }),
  }
}
