import { readFileSync } from 'node:fs'
import { SourceMap } from 'node:module'
import { dirname, join } from 'node:path'

/** A position in a bundled file, as a stack trace writes it. Folder names may contain spaces and parentheses. */
const PLACE = /(?<=\(|at (?:async )?)((?:\/|[A-Z]:\\).*?\.js):(\d+):(\d+)/g

/** Rewrites the positions in a stack trace from the bundle to the sources, using the source maps next to the bundle. */
export function withSources(stack: string): string {
  const maps = new Map<string, SourceMap | undefined>()
  return stack.replace(PLACE, (place, file: string, line: string, column: string) => {
    if (!maps.has(file)) maps.set(file, mapOf(file))
    const source = maps.get(file)?.findEntry(Number(line) - 1, Number(column) - 1)
    if (source === undefined || !('originalSource' in source)) return place
    const path = join(dirname(file), source.originalSource)
    return `${path}:${source.originalLine + 1}:${source.originalColumn + 1}`
  })
}

/** Reads a file's source map; undefined if it has none. */
function mapOf(file: string): SourceMap | undefined {
  try {
    return new SourceMap(JSON.parse(readFileSync(`${file}.map`, 'utf8')))
  } catch {
    return undefined
  }
}
