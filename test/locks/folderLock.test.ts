import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { withFolderLock } from '../../src/locks/folderLock.ts'
import { bundled } from '../bundled.ts'

function freshFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'pixgate-lock-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

it('lets one in at a time, and all in the end', async () => {
  const folder = freshFolder()
  let inside = 0
  let most = 0
  const work = async () => {
    inside++
    most = Math.max(most, inside)
    await new Promise((resolve) => setImmediate(resolve))
    inside--
  }
  await Promise.all(Array.from({ length: 20 }, () => withFolderLock(folder, 'test', process.platform, work)))
  expect(most).toBe(1)
})

it('is not kept from the others by one who takes it again and again', async () => {
  const folder = freshFolder()
  const turnsMax = 1000
  let turns = 0
  let isServed = false
  const turn = () => withFolderLock(folder, 'test', process.platform, () => new Promise(setImmediate))
  const greedy = (async () => {
    for (; turns < turnsMax && !isServed; turns++) await turn()
  })()
  await withFolderLock(folder, 'test', process.platform, async () => {
    isServed = true
  })
  await greedy
  expect(turns).toBeLessThan(turnsMax)
})

it('gives the lock back after a failure', async () => {
  const folder = freshFolder()
  const fail = () => withFolderLock(folder, 'test', process.platform, () => Promise.reject(new Error('no')))
  await expect(fail()).rejects.toThrow('no')
  expect(await withFolderLock(folder, 'test', process.platform, async () => 'in')).toBe('in')
})

it('keeps locks of other names and folders apart', async () => {
  const folder = freshFolder()
  const inner = () => withFolderLock(folder, 'b', process.platform, async () => 'both')
  expect(await withFolderLock(folder, 'a', process.platform, inner)).toBe('both')
})

it('ends with its holder, even by kill -9', async () => {
  const folder = freshFolder()
  const module = await bundled('locks/folderLock.ts')
  const script = `
    const { withFolderLock } = await import(${JSON.stringify(module)})
    await withFolderLock(${JSON.stringify(folder)}, 'test', process.platform, () => {
      console.log('held')
      return new Promise(() => setInterval(() => {}, 1000))
    })`
  const holder = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await new Promise((resolve) => holder.stdout.once('data', resolve))
  const waiting = withFolderLock(folder, 'test', process.platform, async () => 'in')
  holder.kill('SIGKILL')
  expect(await waiting).toBe('in')
})
