import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ProcessResult, World } from '../world.ts'

/** Writes a CSV into the home of a world; gives its path. */
export function csvIn(world: World, name: string, header: string, rows: readonly string[]): string {
  const path = join(world.home, name)
  writeFileSync(path, `${[header, ...rows].join('\n')}\n`)
  return path
}

/** The lines of JSON that a batch has printed; the last one is its summary. */
export function linesOf({ stdout }: ProcessResult): Record<string, unknown>[] {
  return stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
}
