import { existsSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { sandboxWorld } from '../world.ts'
import { transferTo } from './teamDesks.ts'

/** What the modules of a shared ledger are made from. */
const SHARED = /src\/ledger\/team\/|node_modules\/postgres\//

/** The source files of all code that a process loaded, from the coverage that Node.js wrote when it ended. */
function loadedSources(folder: string): string[] {
  return readdirSync(folder).flatMap((name) => {
    const { result }: { result: { url: string }[] } = JSON.parse(readFileSync(join(folder, name), 'utf8'))
    const chunks = result.filter(({ url }) => url.includes('/dist/')).map(({ url }) => `${fileURLToPath(url)}.map`)
    // The bundler's own chunk has no map.
    return chunks.filter(existsSync).flatMap((map) => {
      const { sources }: { sources: string[] } = JSON.parse(readFileSync(map, 'utf8'))
      return sources
    })
  })
}

it.each([
  ['transfer', transferTo('ana@example.com', 'invoice-1')],
  ['batch', ['batch', 'transfer', 'payroll.csv', '--yes']],
  ['history', ['history', '-o', 'json']],
])('loads nothing for a shared ledger without one: %s', async (_, line) => {
  const world = await sandboxWorld()
  writeFileSync(join(world.home, 'payroll.csv'), 'key,value\nbia@example.com,7\n')
  await world.prepare(transferTo('carla@example.com', 'invoice-1'))
  const folder = mkdtempSync(join(world.home, 'coverage-'))
  const { stderr } = await world.run(line, { cwd: world.home, env: { NODE_V8_COVERAGE: folder } })
  const sources = loadedSources(folder)
  expect(sources.length, stderr).toBeGreaterThan(10)
  expect(sources.filter((source) => SHARED.test(source))).toEqual([])
})
