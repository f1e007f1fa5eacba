import { readFileSync } from 'node:fs'
import { SourceMap } from 'node:module'
import { dirname, join } from 'node:path'

/** A place in a file of the bundle, as a line of a stack names it; folders have spaces and parentheses in their names. */
const PLACE = /(?<=\(|at (?:async )?)((?:\/|[A-Z]:\\).*?\.js):(\d+):(\d+)/g

/** A stack with the lines of the sources in place of the bundle's, as far as the maps beside the bundle tell. */
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

/** Undefined for a file that has none. */
function mapOf(file: string): SourceMap | undefined {
  try {
    return new SourceMap(JSON.parse(readFileSync(`${file}.map`, 'utf8')))
  } catch {
    return undefined
  }
}
