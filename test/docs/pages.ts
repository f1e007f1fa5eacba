import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The code blocks of a page in docs/ that begin with a comment that names their file, by that name. */
export function namedBlocks(page: string): ReadonlyMap<string, string> {
  const text = readFileSync(join(import.meta.dirname, '..', '..', 'docs', page), 'utf8')
  const blocks = [...text.matchAll(/^```\w+\n((?:<\?php\n)?(?:\/\/|#) (\S+)\n.*?)^```$/gms)]
  return new Map(blocks.map(([, code = '', name = '']) => [name, code]))
}
