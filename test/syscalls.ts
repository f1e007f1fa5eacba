import { spawn, spawnSync } from 'node:child_process'
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { buffer, text } from 'node:stream/consumers'
import { BINARY, NODE, type ProcessResult, type World } from './world.ts'

/** One system call. `begin` and `end` are line numbers of the trace, so of two calls one was over before the other began. */
export interface SystemCall {
  name: string
  /** As strace writes them, descriptors with their paths. */
  args: string
  result: number
  begin: number
  end: number
}

/** A batch writes many records at once. */
const TEXT_MAX = 64 * 1024
const TRACED = 'write,writev,pwrite64,pwritev,fsync,fdatasync,sendto,sendmsg,sendmmsg'
const WHOLE = /^(\d+) +(\w+)\((.*)\) += (-?\d+|\?)/
const BEGUN = /^(\d+) +(\w+)\((.*) <unfinished \.\.\.>$/
const RESUMED = /^(\d+) +<\.\.\. (\w+) resumed>(.*)\) += (-?\d+|\?)/

/** True where strace is there and may trace. */
export function canTrace(): boolean {
  return spawnSync('strace', ['-f', '-o', '/dev/null', 'true']).status === 0
}

/** Runs the real binary under strace. */
export async function traced(world: World, args: readonly string[]): Promise<{ exit: number; calls: SystemCall[] }> {
  const path = join(world.home, 'trace')
  const options = ['-f', '-yy', '-s', String(TEXT_MAX), '-e', `trace=${TRACED}`, '-o', path]
  const child = spawn('strace', [...options, NODE, BINARY, ...args], {
    env: world.env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ended = new Promise<number>((resolve) => child.on('close', (code) => resolve(code ?? -1)))
  await Promise.all([buffer(child.stdout), buffer(child.stderr)])
  return { exit: await ended, calls: readTrace(readFileSync(path, 'utf8')) }
}

/** The first text among the arguments of a call, as it was before strace wrote it. */
function _textIn({ args }: SystemCall): string {
  const [, written = ''] = /"((?:[^"\\]|\\.)*)"/.exec(args) ?? []
  return written.replace(/\\(.)/g, (_, character: string) => (character === 'n' ? '\n' : character))
}

/** Reads what `strace -f -o` wrote; a call that another thread's call cut in two is put together again. */
function readTrace(text: string): SystemCall[] {
  const calls: SystemCall[] = []
  const open = new Map<string, { args: string; begin: number }>()
  for (const [line, content] of text.split('\n').entries()) {
    const [, thread = '', name = '', args = '', result = ''] = WHOLE.exec(content) ?? RESUMED.exec(content) ?? []
    if (thread !== '') {
      const begun = content.includes('<... ') ? open.get(thread) : undefined
      open.delete(thread)
      const whole = begun === undefined ? args : begun.args + args
      calls.push({ name, args: whole, result: Number(result), begin: begun?.begin ?? line, end: line })
      continue
    }
    const [, cutThread, , cutArgs = ''] = BEGUN.exec(content) ?? []
    if (cutThread !== undefined) open.set(cutThread, { args: cutArgs, begin: line })
  }
  return calls
}

/** One way in which the disk fails: from the nth of these calls on (`isLasting`), or once. */
export interface DiskFault {
  /** Such as `pwrite64`. */
  call: string
  error: 'ENOSPC' | 'EIO' | 'EROFS'
  nth: number
  isLasting: boolean
}

/** Runs the real binary while its disk fails in this way; without a fault it only counts. Gives also how often each call was made. */
export async function withDiskFault(
  world: World,
  args: readonly string[],
  fault: DiskFault | undefined,
  { stdin = '' }: { stdin?: string } = {},
): Promise<ProcessResult & { counts: Readonly<Record<string, number>> }> {
  const path = join(world.home, '..', `trace-${crypto.randomUUID()}`)
  const watched = fault === undefined ? DISK_CALLS.join() : fault.call
  const injected =
    fault === undefined
      ? []
      : ['-e', `inject=${fault.call}:error=${fault.error}:when=${fault.nth}${fault.isLasting ? '+' : ''}`]
  const options = ['-f', '--seccomp-bpf', '-e', `trace=${watched}`, '-e', 'signal=none', ...injected, '-o', path]
  const child = spawn('strace', [...options, NODE, BINARY, ...args], {
    env: world.env,
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  child.stdin.on('error', () => undefined)
  child.stdin.end(stdin)
  const ended = new Promise<number>((resolve) => child.on('close', (code) => resolve(code ?? -1)))
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)])
  const exit = await ended
  const counts: Record<string, number> = {}
  for (const [, name = ''] of readFileSync(path, 'utf8').matchAll(/^\d+ +(\w+)\(/gm))
    counts[name] = (counts[name] ?? 0) + 1
  rmSync(path)
  return { exit, stdout, stderr, counts }
}

/** The calls that change what is on the disk, and that Node.js itself does not need to run. */
export const DISK_CALLS = [
  'pwrite64',
  'fsync',
  'fdatasync',
  'ftruncate',
  'rename',
  'mkdir',
  'unlink',
  'chmod',
  'fchmod',
] as const
