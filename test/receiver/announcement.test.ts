import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { type Announcement, announce, listenerFor, runningListeners } from '../../src/receiver/announcement.ts'
import { bundled } from '../bundled.ts'

const PLATFORM = process.platform

function freshFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'pixgate-listeners-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return join(folder, 'data')
}

function announcement(own: Partial<Announcement> = {}): Announcement {
  return {
    id: 'one',
    pid: 1,
    url: 'http://127.0.0.1:4242/',
    publicUrl: null,
    profile: null,
    environment: 'sandbox',
    baseUrl: 'http://127.0.0.1:4010',
    clientId: 'local',
    startedAt: '2026-11-21T12:00:00.000Z',
    ...own,
  }
}

it('finds none where there is no folder', async () => {
  expect(await runningListeners(freshFolder(), PLATFORM)).toEqual([])
})

it('is seen until it is closed, oldest first, and by its newest address', async () => {
  const folder = freshFolder()
  const later = announcement({ id: 'a', startedAt: '2026-11-21T13:00:00.000Z' })
  const own = await announce(folder, PLATFORM, later)
  const other = await announce(folder, PLATFORM, announcement({ id: 'b' }))
  await Promise.all([own.update('https://one.example/'), own.update('https://two.example/')])
  const seen = await runningListeners(folder, PLATFORM)
  expect(seen).toEqual([announcement({ id: 'b' }), { ...later, publicUrl: 'https://two.example/' }])
  await own.close()
  await own.close()
  await own.update('https://too-late.example/')
  expect(await runningListeners(folder, PLATFORM)).toEqual([announcement({ id: 'b' })])
  await other.close()
  expect(readdirSync(join(folder, 'listeners'))).toEqual([])
})

it('is private', async () => {
  const folder = freshFolder()
  const own = await announce(folder, PLATFORM, announcement())
  expect(statSync(join(folder, 'listeners')).mode & 0o777).toBe(0o700)
  expect(statSync(join(folder, 'listeners', 'one.json')).mode & 0o777).toBe(0o600)
  await own.close()
})

it('does not take the id of a listener that runs', async () => {
  const folder = freshFolder()
  const own = await announce(folder, PLATFORM, announcement())
  await expect(announce(folder, PLATFORM, announcement({ url: 'http://127.0.0.1:1/' }))).rejects.toThrow('runs already')
  expect(await runningListeners(folder, PLATFORM)).toEqual([announcement()])
  await own.close()
})

it('removes what a dead one left, and does not read what is none', async () => {
  const folder = freshFolder()
  const listeners = join(folder, 'listeners')
  mkdirSync(listeners, { recursive: true })
  writeFileSync(join(listeners, 'dead.json'), JSON.stringify(announcement({ id: 'dead', pid: process.pid })))
  writeFileSync(join(listeners, 'note.txt'), 'mine')
  const own = await announce(folder, PLATFORM, announcement())
  for (const text of ['', '{', '[]', '{"id":"one"}', JSON.stringify(announcement({ id: 'another' }))]) {
    writeFileSync(join(listeners, 'one.json'), text)
    expect(await runningListeners(folder, PLATFORM)).toEqual([])
  }
  expect(readdirSync(listeners).sort()).toEqual(['note.txt', 'one.json'])
  await own.close()
})

it('ends with its process, even by kill -9', async () => {
  const folder = freshFolder()
  const module = await bundled('receiver/announcement.ts')
  const script = `
    const { announce } = await import(${JSON.stringify(module)})
    await announce(${JSON.stringify(folder)}, process.platform, ${JSON.stringify(announcement())})
    console.log('announced')`
  const holder = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await new Promise((resolve) => holder.stdout.once('data', resolve))
  expect(await runningListeners(folder, PLATFORM)).toEqual([announcement()])
  const gone = new Promise((resolve) => holder.once('exit', resolve))
  holder.kill('SIGKILL')
  await gone
  const file = join(folder, 'listeners', 'one.json')
  expect(readFileSync(file, 'utf8')).not.toBe('')
  expect(await runningListeners(folder, PLATFORM)).toEqual([])
  expect(existsSync(file)).toBe(false)
})

it.each<[string, Partial<Announcement>, boolean]>([
  ['the same account', {}, true],
  ['another port of this machine', { baseUrl: 'http://localhost:9999' }, true],
  ['another client id', { clientId: 'other' }, false],
  ['a secret alone', { clientId: null, baseUrl: null }, false],
  ['an id without an address', { baseUrl: null }, false],
  ['another gateway', { baseUrl: 'https://gateway.example' }, false],
  ['production on another port', { baseUrl: 'http://127.0.0.1:9', environment: 'production' }, false],
])('belongs to an account or not: %s', (_name, own, belongs) => {
  const account = { environment: 'sandbox', url: 'http://127.0.0.1:4010', clientId: 'local' } as const
  expect(listenerFor([announcement(own)], account) !== undefined).toBe(belongs)
})

it('takes the newest, and the exact address beyond this machine', () => {
  const account = { environment: 'production', url: 'https://gateway.example', clientId: 'local' } as const
  const own = { environment: 'production', baseUrl: account.url } as const
  const listeners = [
    announcement({ ...own, id: 'old' }),
    announcement({ ...own, id: 'new' }),
    announcement({ ...own, id: 'other', baseUrl: 'https://gateway.example/v2' }),
  ]
  expect(listenerFor(listeners, account)?.id).toBe('new')
  expect(listenerFor([], account)).toBeUndefined()
})
