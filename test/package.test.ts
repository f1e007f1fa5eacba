import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const ROOT = join(import.meta.dirname, '..')

it('needs only SQLite for Node.js 20, and runs no script of its own when it is installed', () => {
  const description = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
  expect(Object.keys(description.dependencies)).toEqual(['@photostructure/sqlite'])
  expect(Object.keys(description).filter((key) => /dependencies$/i.test(key))).toHaveLength(2)
  expect(Object.keys(description.scripts).filter((name) => /^(?:pre|post)?(?:install|prepare)$/.test(name))).toEqual([])
})

it('lists the authors and licences of its bundled dependencies', () => {
  const told = readFileSync(join(ROOT, 'dist', 'THIRD-PARTY-LICENSES.txt'), 'utf8')
  for (const name of ['undici', 'Fedor Indutny', 'qrcode-terminal', 'Kazuhiko Arase']) expect(told).toContain(name)
  expect(told).toContain('(Apache 2.0)')
  expect(told).not.toContain('undefined')
})
