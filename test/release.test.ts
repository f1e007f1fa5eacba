import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const ROOT = join(import.meta.dirname, '..')
const WORKFLOWS = join(ROOT, '.github/workflows')

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')

it.each(readdirSync(WORKFLOWS))('%s pins its actions by commit and grants nothing to all jobs', (name) => {
  const workflow = read(`.github/workflows/${name}`)
  const actions = [...workflow.matchAll(/uses: (\S+)/g)].map(([, action]) => action)
  expect(actions.length).toBeGreaterThan(1)
  expect(actions.filter((action) => !/@[0-9a-f]{40}$/.test(action ?? ''))).toEqual([])
  expect(workflow).toMatch(/^permissions: \{\}$/m)
})

it('builds executable files with the same Node.js everywhere', () => {
  const [, version] = /^const NODE_VERSION = '([\d.]+)'$/m.exec(read('scripts/executables.js')) ?? []
  expect(read('.github/workflows/release.yml')).toContain(`NODE_VERSION: ${version}\n`)
})

it('has one release key, or none, in the installers', () => {
  const [, shell] = /^RELEASE_KEY='(.*)'$/m.exec(read('install.sh')) ?? []
  const [, power] = /^ {2}\$releaseKey = '(.*)'$/m.exec(read('install.ps1')) ?? []
  expect(power).toBe(shell)
})
