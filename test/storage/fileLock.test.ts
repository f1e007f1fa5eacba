import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect, it, onTestFinished } from 'vitest'
import { isFileLockFree, tryFileLock, withFileLock } from '../../src/storage/fileLock.ts'
import { loadSqlite, type OpenDatabase } from '../../src/storage/sqlite.ts'
import { bundled } from '../bundled.ts'
import { NODE } from '../world.ts'

const open = await loadSqlite()
const MODULE = await bundled('storage/fileLock.ts')

/** Holds a lock until it is killed. */
const HOLDING = `
  const { withFileLock } = await import(process.argv[1])
  await withFileLock(process.argv[2], 10_000, () => {
    process.stdout.write('held\\n')
    return new Promise(() => setInterval(() => {}, 1000))
  })`

/** Takes a lock many times, and appends what it read plus one to a file that only the holder may write. */
const COUNTING = `
  const { withFileLock } = await import(process.argv[1])
  const { readFileSync, writeFileSync } = await import('node:fs')
  const [lock, file] = process.argv.slice(2)
  for (let turn = 0; turn < 40; turn++) {
    await withFileLock(lock, 60_000, () => writeFileSync(file, String(Number(readFileSync(file, 'utf8')) + 1)))
  }`

function lockPath(): string {
  const folder = mkdtempSync(join(tmpdir(), 'pixgate-lock-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return join(folder, 'test.lock')
}

/** A process that holds a lock; `prefix` is a command that starts it, such as one in a namespace of its own. */
async function holder(path: string, prefix: readonly string[] = []) {
  const [command = NODE, ...args] = [...prefix, NODE, '--input-type=module', '-e', HOLDING, MODULE, path]
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  const ended = new Promise((resolve) => child.on('close', resolve))
  await createInterface({ input: child.stdout })[Symbol.asyncIterator]().next()
  return { ended, kill: () => void child.kill('SIGKILL') }
}

it('is held by one process at a time, and eventually by every process', async () => {
  const path = lockPath()
  const file = `${path}.count`
  writeFileSync(file, '0')
  const children = [1, 2, 3].map(() => spawn(NODE, ['--input-type=module', '-e', COUNTING, MODULE, path, file]))
  await Promise.all(children.map((child) => new Promise((resolve) => child.on('close', resolve))))
  expect(await withFileLock(path, 0, () => Number(String(spawnSync('cat', [file]).stdout)))).toBe(120)
})

it('is not acquired while another process holds it, and is free after kill -9', async () => {
  const path = lockPath()
  const other = await holder(path)
  expect(tryFileLock(open, path)).toBeUndefined()
  expect(isFileLockFree(open, path)).toBe(false)
  await expect(withFileLock(path, 100, () => undefined)).rejects.toMatchObject({ code: 'ETIMEDOUT' })
  other.kill()
  await other.ended
  expect(isFileLockFree(open, path)).toBe(true)
  expect(readdirSync(dirname(path))).toEqual([])
})

it('is not acquired on a file that was replaced while it was opened, and does not remove the other file', () => {
  const path = lockPath()
  const swapped: OpenDatabase = (name) => {
    const database = open(name)
    renameSync(name, `${name}.old`)
    writeFileSync(name, '')
    return database
  }
  writeFileSync(path, '')
  expect(isFileLockFree(swapped, path)).toBe(false)
  expect(tryFileLock(swapped, path)).toBeUndefined()
  expect(existsSync(path)).toBe(true)
})

it('does not remove a file that took its place', () => {
  const path = lockPath()
  const lock = tryFileLock(open, path)
  renameSync(path, `${path}.old`)
  writeFileSync(path, 'another')
  lock?.remove()
  expect(readFileSync(path, 'utf8')).toBe('another')
})

it('is released after a failure', async () => {
  const path = lockPath()
  await expect(withFileLock(path, 0, () => Promise.reject(new Error('no')))).rejects.toThrow('no')
  expect(await withFileLock(path, 0, () => 'in')).toBe('in')
})

const canUnshare = spawnSync('unshare', ['-n', 'true']).status === 0
if (!canUnshare) console.warn('SKIPPED: unshare -n is not allowed, so locks across network namespaces are not tested')

it.skipIf(!canUnshare)(
  'holds across network namespaces, such as those of containers that share the folder',
  async () => {
    const path = lockPath()
    const other = await holder(path, ['unshare', '-n'])
    expect(tryFileLock(open, path)).toBeUndefined()
    other.kill()
    await other.ended
    const lock = tryFileLock(open, path)
    expect(lock).toBeDefined()
    lock?.release()
  },
)

it('is free for the one that looks if its file was removed between two looks', () => {
  const path = lockPath()
  writeFileSync(path, '')
  expect(isFileLockFree(open, path)).toBe(true)
  expect(isFileLockFree(open, path)).toBe(true)
  expect(existsSync(path)).toBe(false)
})

it('is noticed in the process that holds it, which still holds it afterwards', async () => {
  const path = lockPath()
  const lock = tryFileLock(open, path)
  expect(isFileLockFree(open, path)).toBe(false)
  // Another process must not acquire it either: closing a descriptor of the file would have dropped the lock.
  const script = `
    const { withFileLock } = await import(process.argv[1])
    process.exitCode = await withFileLock(process.argv[2], 0, () => 1).catch((error) => (error.code === 'ETIMEDOUT' ? 42 : 2))`
  expect(spawnSync(NODE, ['--input-type=module', '-e', script, MODULE, path]).status).toBe(42)
  lock?.release()
})
