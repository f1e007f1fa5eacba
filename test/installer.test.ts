import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { describe, expect, it, onTestFinished } from 'vitest'
import { localServer } from './localServer.ts'

const SCRIPT = join(import.meta.dirname, '..', 'install.sh')
const FILE = 'pixgate-linux-x64'
const PROGRAM = '#!/bin/sh\necho 9.9.9\n'

const isReady =
  process.platform === 'linux' && ['curl', 'ssh-keygen'].every((tool) => spawnSync('which', [tool]).status === 0)
if (!isReady) process.stderr.write('\n!!! SKIPPED: install.sh is not tried without Linux, curl and ssh-keygen\n\n')

/** A folder with a key, a release that it signed, and a copy of the installer that knows the key. */
function stage() {
  const folder = mkdtempSync(join(tmpdir(), 'pixgate-test-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const release = join(folder, 'release')
  const home = join(folder, 'home')
  for (const each of [release, home]) mkdirSync(each)
  const newKey = (name: string) => {
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', join(folder, name)])
    return readFileSync(join(folder, `${name}.pub`), 'utf8').trim()
  }
  const key = newKey('key')
  const sign = (name = 'key', namespace = 'pixgate-release') => {
    rmSync(join(release, 'SHA256SUMS.sig'), { force: true })
    execFileSync('ssh-keygen', [
      '-q',
      '-Y',
      'sign',
      '-n',
      namespace,
      '-f',
      join(folder, name),
      join(release, 'SHA256SUMS'),
    ])
  }
  writeFileSync(join(release, FILE), PROGRAM)
  writeFileSync(join(release, 'SHA256SUMS'), `${createHash('sha256').update(PROGRAM).digest('hex')}  ${FILE}\n`)
  sign()
  const script = join(folder, 'install.sh')
  writeFileSync(script, readFileSync(SCRIPT, 'utf8').replace("RELEASE_KEY=''", `RELEASE_KEY='${key}'`))
  return { folder, release, home, script, sign, newKey }
}

type Stage = ReturnType<typeof stage>

async function install({ home, script }: Stage, releases: string | undefined, prefix = '') {
  const env = { HOME: home, PATH: process.env.PATH, ...(releases === undefined ? {} : { PIXGATE_RELEASES: releases }) }
  const child = spawn('sh', ['-c', `${prefix} exec sh "$0"`, script], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  const exit = new Promise((resolve) => child.on('close', resolve))
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)])
  return { exit: await exit, stdout, stderr }
}

/** Serves the release; the file `cut` lacks its last byte. */
function serve({ release }: Stage, cut?: string): Promise<string> {
  return localServer((request, response) => {
    const path = join(release, request.url ?? '')
    if (!existsSync(path)) return response.writeHead(404).end()
    const content = readFileSync(path)
    response.writeHead(200, { 'content-length': content.length })
    if (request.url !== `/${cut}`) return response.end(content)
    return response.write(content.subarray(0, content.length - 1), () => response.destroy())
  })
}

const leftIn = (home: string) => (existsSync(join(home, '.local/bin')) ? readdirSync(join(home, '.local/bin')) : [])

describe.runIf(isReady)('install.sh', () => {
  it('installs what the release key signed, and replaces an earlier version', async () => {
    const set = stage()
    const url = await serve(set)
    mkdirSync(join(set.home, '.local/bin'), { recursive: true })
    writeFileSync(join(set.home, '.local/bin/pixgate'), 'an earlier version')
    const stdout = `Installed ${set.home}/.local/bin/pixgate: pixgate 9.9.9\nnote: ${set.home}/.local/bin is not on your PATH\n`
    expect(await install(set, url)).toEqual({ exit: 0, stdout, stderr: '' })
    expect(leftIn(set.home)).toEqual(['pixgate'])
    expect(execFileSync(join(set.home, '.local/bin/pixgate'), { encoding: 'utf8' })).toBe('9.9.9\n')
  })

  it.each<[string, (set: Stage) => void, string, RegExp]>([
    [
      'another file',
      ({ release }) => writeFileSync(join(release, FILE), `${PROGRAM}evil\n`),
      '',
      /does not have the signed checksum/,
    ],
    [
      'another key',
      ({ newKey, sign }) => {
        newKey('other')
        sign('other')
      },
      '',
      /The signature of .*SHA256SUMS is wrong/,
    ],
    ['a signature for something else', ({ sign }) => sign('key', 'pixgate'), '', /The signature of .* is wrong/],
    [
      'changed checksums',
      ({ release }) => writeFileSync(join(release, 'SHA256SUMS'), `${'0'.repeat(64)}  ${FILE}\n`),
      '',
      /The signature of .* is wrong/,
    ],
    [
      'checksums of other files',
      ({ release, sign }) => {
        writeFileSync(join(release, 'SHA256SUMS'), `${'0'.repeat(64)}  x${FILE}\n`)
        sign()
      },
      '',
      /does not have exactly one line for/,
    ],
    [
      'no signature',
      ({ release }) => rmSync(join(release, 'SHA256SUMS.sig')),
      '',
      /SHA256SUMS.sig could not be downloaded/,
    ],
    ['a disk without space', ({ release, sign }) => enlarge(release, sign), 'ulimit -f 1;', /could not be downloaded/],
  ])('installs nothing with %s', async (_, change, prefix, message) => {
    const set = stage()
    change(set)
    const ran = await install(set, await serve(set), prefix)
    expect(ran.stderr).toMatch(message)
    expect(ran).toMatchObject({ exit: 1, stdout: '', stderr: expect.stringMatching(/^hint: \w/m) })
    expect(leftIn(set.home)).toEqual([])
  })

  it.each(['SHA256SUMS', 'SHA256SUMS.sig', FILE])('installs nothing if the download of %s is cut', async (name) => {
    const set = stage()
    const ran = await install(set, await serve(set, name))
    expect(ran).toMatchObject({ exit: 1, stdout: '', stderr: expect.stringMatching(/could not be downloaded/) })
    expect(leftIn(set.home)).toEqual([])
  })

  it.each<[string, string | undefined, RegExp]>([
    ['without an address', undefined, /PIXGATE_RELEASES is not set/],
    [
      'with an address that anybody on the network can answer for',
      'http://example.com/',
      /is not an https:\/\/ address/,
    ],
    ['with an address that only looks local', 'http://127.0.0.1.example.com/', /is not an https:\/\/ address/],
  ])('downloads nothing %s', async (_, releases, message) => {
    const set = stage()
    const ran = await install(set, releases)
    expect(ran).toMatchObject({ exit: 1, stdout: '', stderr: expect.stringMatching(message) })
    expect(leftIn(set.home)).toEqual([])
  })

  it('fails closed as long as it contains no key', async () => {
    const set = stage()
    writeFileSync(set.script, readFileSync(SCRIPT))
    const ran = await install(set, 'https://127.0.0.1:1/')
    expect(ran).toMatchObject({ exit: 1, stdout: '', stderr: expect.stringMatching(/contains no release key/) })
  })

  it('does nothing if it was cut off itself', async () => {
    const set = stage()
    const whole = readFileSync(set.script, 'utf8')
    writeFileSync(set.script, whole.slice(0, whole.indexOf('\nmain "$@"')))
    const ran = await install(set, await serve(set))
    expect({ ...ran, left: leftIn(set.home) }).toEqual({ exit: 0, stdout: '', stderr: '', left: [] })
  })
})

/** A release whose file is larger than a process may write. */
function enlarge(release: string, sign: () => void): void {
  const program = `${PROGRAM}${'#'.repeat(100_000)}\n`
  writeFileSync(join(release, FILE), program)
  writeFileSync(join(release, 'SHA256SUMS'), `${createHash('sha256').update(program).digest('hex')}  ${FILE}\n`)
  sign()
}
