import { spawnSync } from 'node:child_process'
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { BINARY, emptyWorld, IS_EXECUTABLE, NODE } from '../world.ts'

it.skipIf(IS_EXECUTABLE)('says in one line that a part of it is missing', () => {
  const { home, env } = emptyWorld()
  for (const folder of ['bin', 'dist'])
    cpSync(join(dirname(BINARY), '..', folder), join(home, folder), { recursive: true })
  for (const file of readdirSync(join(home, 'dist'))) if (/^run-.*\.js$/.test(file)) rmSync(join(home, 'dist', file))
  const ran = spawnSync(NODE, [join(home, 'bin/pixgate.js'), 'history', 'list'], { env, encoding: 'utf8' })
  expect(ran.stderr).toMatch(/^error: pixgate failed to start: Cannot find module '[^']+'\n$/)
  expect([ran.status, ran.stdout]).toEqual([70, ''])
})

it.runIf(process.platform === 'linux')('reports that only a part of its answer could be written', () => {
  const { home, env } = emptyWorld({ XDG_CACHE_HOME: '' })
  const script = 'ulimit -f 1; "$@" > help.txt'
  const ran = spawnSync('sh', ['-c', script, 'sh', NODE, BINARY, 'batch', 'transfer', '--help'], {
    cwd: home,
    env,
    encoding: 'utf8',
  })
  expect(readFileSync(join(home, 'help.txt'), 'utf8')).toMatch(/^Usage: pixgate batch transfer/)
  expect(ran.stderr).toMatch(/^error: Standard output cannot be written: EFBIG\nhint: .*\n$/)
  expect(ran.status).toBe(2)
})

/** Code that is loaded before the program: two promises reject that are not awaited, and the source maps cannot be read. */
const DEFECTS = `const files = require('node:fs')
const read = files.readFileSync
files.readFileSync = (path, ...rest) => {
  if (String(path).endsWith('.js.map')) throw new Error('it is gone')
  return read(path, ...rest)
}
process.on('newListener', (name) => {
  if (name !== 'uncaughtException') return
  setImmediate(() => {
    for (const order of ['first', 'second']) void Promise.reject(new Error('the ' + order))
  })
})`

it.skipIf(IS_EXECUTABLE)('ends with the stack of the first defect, even if the sources cannot be named', () => {
  const { home, env } = emptyWorld()
  const preload = join(home, 'preload.cjs')
  writeFileSync(preload, DEFECTS)
  const words = ['--require', preload, BINARY, 'webhook', 'listen', '--port', '0']
  const ran = spawnSync(NODE, words, { env, encoding: 'utf8', timeout: 20_000, killSignal: 'SIGKILL' })
  expect(ran.stderr).toContain('Error: the first\n    at ')
  expect(ran.stderr).not.toMatch(/the second|it is gone/)
  expect(ran.status).toBe(70)
})

/** A command line whose answer is longer than a pipe holds. */
const LONG = ['qr', 'create', '--amount', '1', '--payer-name', 'x'.repeat(100_000), '--dry-run', '-q']

/** Runs the long command line into another command, in bash. Gives the exit code of each, and what the other one printed. */
function pipedInto(reader: string): { exits: string; stdout: string; stderr: string } {
  const { env } = emptyWorld()
  const script = `"$@" | ${reader}; echo "\${PIPESTATUS[*]}" >&2`
  const ran = spawnSync('bash', ['-c', script, 'bash', NODE, BINARY, ...LONG], {
    env,
    encoding: 'utf8',
    timeout: 20_000,
  })
  const lines = ran.stderr.trimEnd().split('\n')
  return { exits: lines.pop() ?? '', stdout: ran.stdout, stderr: lines.join('\n') }
}

it('writes all of a long answer into a pipe whose reader is slow', () => {
  const { exits, stdout } = pipedInto('(sleep 0.5; wc -c)')
  expect(exits).toBe('0 0')
  expect(Number(stdout)).toBeGreaterThan(100_000)
})

it('does not treat a closed pipe as an error', () => {
  expect(pipedInto('head -c 5 > /dev/null')).toEqual({ exits: '0 0', stdout: '', stderr: '' })
})

it.each<[string, Record<string, string>, string[]]>([
  ['in the cache folder of the user', {}, ['.cache', 'Library', 'AppData']],
  ['nowhere, without a home', { HOME: '' }, []],
])('keeps compiled code %s', async (_, env, allowed) => {
  const { home, run } = emptyWorld({ XDG_CACHE_HOME: '' })
  expect(await run(['qr', 'draw', '--help'], { cwd: home, env })).toMatchObject({ exit: 0, stderr: '' })
  expect(readdirSync(home).filter((name) => !allowed.includes(name))).toEqual([])
})
