import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { BINARY, emptyWorld, NODE } from '../world.ts'

it('says in one line that a part of it is missing', () => {
  const { home, env } = emptyWorld()
  mkdirSync(join(home, 'bin'))
  mkdirSync(join(home, 'dist', 'chunks'), { recursive: true })
  const present = ['bin/pixgate.js', 'dist/main.js', 'dist/chunks/front.js']
  for (const path of present) copyFileSync(join(dirname(BINARY), '..', path), join(home, path))
  const ran = spawnSync(NODE, [join(home, 'bin/pixgate.js'), 'history', 'list'], { env, encoding: 'utf8' })
  expect(ran.stderr).toMatch(/^error: pixgate cannot be started: Cannot find module '[^']+'\n$/)
  expect([ran.status, ran.stdout]).toEqual([70, ''])
})

it.runIf(process.platform === 'linux')('says in one line that only a part of its answer could be written', () => {
  const { home, env } = emptyWorld()
  const script = 'ulimit -f 1; "$@" > help.txt'
  const ran = spawnSync('sh', ['-c', script, 'sh', NODE, BINARY, '--help'], { cwd: home, env, encoding: 'utf8' })
  expect(readFileSync(join(home, 'help.txt'), 'utf8')).toMatch(/^Usage: pixgate/)
  expect(ran.stderr).toMatch(/^error: standard output cannot be written: EFBIG.*\n$/)
  expect(ran.status).toBe(70)
})

/** Code that is loaded before the program: two promises fail that nobody waits for, and a chunk cannot be read. */
const DEFECTS = `const files = require('node:fs')
const read = files.readFileSync
files.readFileSync = (path, ...rest) => {
  if (String(path).includes('stackSources')) throw new Error('it is gone')
  return read(path, ...rest)
}
process.on('newListener', (name) => {
  if (name !== 'uncaughtException') return
  setImmediate(() => {
    for (const order of ['first', 'second']) void Promise.reject(new Error('the ' + order))
  })
})`

it('ends with the stack of the first defect, even where the sources cannot be named', () => {
  const { home, env } = emptyWorld()
  const preload = join(home, 'preload.cjs')
  writeFileSync(preload, DEFECTS)
  const words = ['--require', preload, BINARY, 'webhook', 'listen', '--port', '0']
  const ran = spawnSync(NODE, words, { env, encoding: 'utf8', timeout: 20_000, killSignal: 'SIGKILL' })
  expect(ran.stderr).toContain('Error: the first\n    at ')
  expect(ran.stderr).not.toMatch(/the second|it is gone/)
  expect(ran.status).toBe(70)
})
