import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { sandboxWorld } from '../world.ts'

/** Code that is loaded before the program: it prints the modules of Node.js that were loaded when the process ends. */
const REPORTING = `process.on('exit', () => {
  const loaded = process.moduleLoadList.filter((name) => /^NativeModule (?!internal)/.test(name))
  require('node:fs').writeSync(2, '[' + loaded.map((name) => name.slice(13)).join(' ') + ']')
})`

/** Each takes 1 to 9 ms to load, of the 20 to 120 that a command takes to start. */
const SLOW = ['child_process', 'crypto', 'fs/promises', 'http', 'http2', 'sqlite']

it.each([
  { name: '--help', args: ['--help'], slow: [] },
  { name: 'qr decode --help', args: ['qr', 'decode', '--help'], slow: [] },
  { name: 'history', args: ['history'], slow: ['crypto', 'sqlite'] },
  {
    name: 'transfer',
    args: ['transfer', '--key', 'maria@example.com', '--amount', '10', '--yes'],
    slow: ['crypto', 'http', 'sqlite'],
  },
])('loads no module of Node.js that it does not use: $name', async ({ args, slow }) => {
  const { home, run } = await sandboxWorld()
  const preload = join(home, 'preload.cjs')
  writeFileSync(preload, REPORTING)
  const { exit, stderr } = await run(args, { env: { NODE_OPTIONS: `--require ${preload}` } })
  const loaded = /\[(.*)\]$/.exec(stderr)?.[1]?.split(' ') ?? []
  expect(exit).toBe(0)
  expect(loaded).toContain('path')
  // Node.js 20 has no SQLite of its own.
  expect(loaded.filter((each) => SLOW.includes(each) && !slow.includes(each))).toEqual([])
})
