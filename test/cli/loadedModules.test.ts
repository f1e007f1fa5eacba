import { writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { expect, it } from 'vitest'
import { sandboxWorld } from '../world.ts'

/** Code that is loaded before the program: it prints which modules of Node.js and which files were loaded, as the process ends. */
const REPORTING = `process.on('exit', () => {
  const modules = process.moduleLoadList.filter((name) => /^NativeModule (?!internal)/.test(name))
  const report = { modules: modules.map((name) => name.slice(13)), files: Object.keys(require.cache) }
  require('node:fs').writeSync(2, '\\n' + JSON.stringify(report))
})`

/** Each takes 1 to 9 ms to load, of the 20 to 120 that a command takes to start. */
const SLOW = ['child_process', 'crypto', 'fs/promises', 'http', 'http2', 'sqlite']

/** What a command loads: the slow modules of Node.js, and the names of the files in dist/ without their hashes. */
async function loadedBy(args: readonly string[]): Promise<{ slow: string[]; files: string[] }> {
  const { home, run } = await sandboxWorld()
  const preload = join(home, 'preload.cjs')
  writeFileSync(preload, REPORTING)
  const { exit, stderr } = await run(args, { env: { NODE_OPTIONS: `--require ${preload}` } })
  expect(exit).toBe(0)
  const { modules, files }: { modules: string[]; files: string[] } = JSON.parse(stderr.split('\n').at(-1) ?? '')
  expect(modules).toContain('path')
  return {
    slow: modules.filter((each) => SLOW.includes(each)),
    files: files
      .filter((path) => path.includes('/dist/'))
      .map((path) => basename(path).replace(/(?:-[\w-]{8})?\.js$/, '')),
  }
}

it.each([
  { name: '--help', args: ['--help'], used: [] },
  { name: 'qr decode --help', args: ['qr', 'decode', '--help'], used: [] },
  { name: 'history', args: ['history'], used: ['crypto', 'sqlite'] },
  { name: 'status --help', args: ['status', '--help'], used: ['crypto'] },
  {
    name: 'transfer',
    args: ['transfer', '--key', 'maria@example.com', '--amount', '10', '--yes'],
    used: ['crypto', 'http', 'sqlite'],
  },
])('loads no module of Node.js that it does not use: $name', async ({ args, used }) => {
  const { slow } = await loadedBy(args)
  // Node.js 20 has no SQLite of its own.
  expect(slow.filter((each) => !used.includes(each))).toEqual([])
})

it('loads almost nothing for the version', async () => {
  const { files } = await loadedBy(['--version'])
  expect(files.sort()).toEqual(['main', 'programInfo', 'rolldown-runtime'])
})

it('loads what every command needs from few files', async () => {
  const { files } = await loadedBy(['--help'])
  expect(files.sort()).toEqual(['complete', 'main', 'programInfo', 'rolldown-runtime', 'run', 'shared', 'userFolders'])
})
