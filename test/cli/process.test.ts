import { spawnSync } from 'node:child_process'
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { canTrace } from '../syscalls.ts'
import { BINARY, emptyWorld, IS_EXECUTABLE, NODE } from '../world.ts'

it.skipIf(IS_EXECUTABLE)('says in one line that a part of it is missing', () => {
  const { home, env } = emptyWorld()
  for (const folder of ['bin', 'dist'])
    cpSync(join(dirname(BINARY), '..', folder), join(home, folder), { recursive: true })
  for (const file of readdirSync(join(home, 'dist'))) if (/^run-.*\.js$/.test(file)) rmSync(join(home, 'dist', file))
  const ran = spawnSync(NODE, [join(home, 'bin/pixgate.js'), 'history', 'list'], { env, encoding: 'utf8' })
  expect(ran.stderr).toMatch(/^error: pixgate failed to start: Cannot find module '[^']+'\n$/)
  expect([ran.status, ran.stdout]).toEqual([2, ''])
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
  expect(ran.stderr).toMatch(
    /^error: Standard output cannot be written: it would be larger than a file may be \(EFBIG\)\nhint: .*\n$/,
  )
  expect(ran.status).toBe(2)
})

it.runIf(process.platform === 'linux')('has no defect where few files may be open', () => {
  const { env } = emptyWorld()
  const commands = [
    ['doctor'],
    ['sandbox', 'exec', '--', 'true'],
    ['history'],
    ['transfer', '--key', 'a@example.com', '--amount', '1', '--yes'],
  ]
  for (const [args, files] of commands.flatMap((each) => [20, 21, 22, 24, 28].map((count) => [each, count] as const))) {
    const ran = spawnSync('sh', ['-c', `ulimit -n ${files}; exec "$@"`, 'sh', NODE, BINARY, ...args], {
      env,
      encoding: 'utf8',
    })
    expect(ran.status, `${args.join(' ')} with ${files}: ${ran.stderr}`).not.toBe(70)
  }
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

/** Code that is loaded before the program: SIGHUP comes while its parts are loaded. */
const HANGS_UP_WHILE_LOADING = `const loader = require('node:module')
const resolve = loader._resolveFilename
loader._resolveFilename = (request, ...rest) => {
  if (/run-[^/]*\\.js$/.test(request)) process.kill(process.pid, 'SIGHUP')
  return resolve(request, ...rest)
}`

it.skipIf(IS_EXECUTABLE)('ends with the exit code of a signal that comes while it starts', () => {
  const { home, env } = emptyWorld()
  const preload = join(home, 'preload.cjs')
  writeFileSync(preload, HANGS_UP_WHILE_LOADING)
  const ran = spawnSync(NODE, ['--require', preload, BINARY, 'history'], { env, encoding: 'utf8' })
  expect([ran.status, ran.signal, ran.stdout, ran.stderr]).toEqual([129, null, '', ''])
})

it.runIf(canTrace())('takes no exit code from a signal that comes when its work is done', () => {
  const { home, env } = emptyWorld()
  const trace = join(home, 'trace')
  const ran = spawnSync('strace', ['-f', '-e', 'trace=rt_sigaction,exit_group', '-o', trace, NODE, BINARY, 'history'], {
    env,
  })
  expect(ran.status).toBe(0)
  const calls = readFileSync(trace, 'utf8').split('\n')
  // Its own handlers interrupt no system call; those of Node.js do.
  const own = calls.findIndex((call) => /rt_sigaction\(SIGHUP, \{sa_handler=0x.*SA_RESTART/.test(call))
  expect(own).toBeGreaterThan(0)
  expect(
    calls.slice(own).filter((call) => /rt_sigaction\(SIG(?:HUP|INT|TERM), \{sa_handler=SIG_DFL/.test(call)),
  ).toEqual([])
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
