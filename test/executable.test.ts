import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { VERSION } from '../src/programInfo.ts'
import { IS_EXECUTABLE, sandboxWorld } from './world.ts'

const FOLDER = join(import.meta.dirname, '..', 'dist', 'executables')
const FUSE = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2:1'
/** A file of the package that is inside each executable, and a line of its code. */
const BUILD = /\{"built":"\d{4}-\d\d-\d\d","packages":\[/
const CODE = 'pixgate transfer --key maria@example.com'

const FILES = [
  ['pixgate-linux-x64', [0x7f, 0x45, 0x4c, 0x46]],
  ['pixgate-macos-arm64', [0xcf, 0xfa, 0xed, 0xfe]],
  ['pixgate-windows-x64.exe', [0x4d, 0x5a]],
] as const

if (!IS_EXECUTABLE) process.stderr.write('\n!!! SKIPPED: TEST_BINARY is no executable file, so none is tried\n\n')

describe.runIf(IS_EXECUTABLE)('executable files', () => {
  it.each(FILES)('%s has its format and everything inside', (name, magic) => {
    const path = join(FOLDER, name)
    expect(existsSync(path), path).toBe(true)
    const content = readFileSync(path)
    expect([...content.subarray(0, magic.length)]).toEqual([...magic])
    expect(content.length).toBeLessThan(165e6)
    expect(content.includes(FUSE)).toBe(true)
    expect(content.includes(CODE)).toBe(true)
    expect(BUILD.test(content.subarray(content.indexOf('{"built":"')).toString('latin1', 0, 100))).toBe(true)
  })

  it('the one for Windows has no signature left, which would be invalid', () => {
    const content = readFileSync(join(FOLDER, 'pixgate-windows-x64.exe'))
    const optionalHeader = content.readUInt32LE(0x3c) + 24
    expect(content.readBigUInt64LE(optionalHeader + 112 + 4 * 8)).toBe(0n)
  })

  it('starts itself for children, without any Node.js on the PATH', async () => {
    const world = await sandboxWorld()
    const words = ['sandbox', 'exec', '--', 'pixgate', 'transfer', '--key', 'maria@example.com', '--amount', '1']
    const ran = await world.run([...words, '--yes'], { env: { PATH: world.home } })
    expect(ran).toMatchObject({ exit: 0, stdout: expect.stringContaining('R$ 1,00') })
  })

  it('runs no code that NODE_OPTIONS names', async () => {
    const world = await sandboxWorld({}, { NODE_OPTIONS: '--require /nonexistent.js' })
    expect(await world.run(['--version'])).toEqual({ exit: 0, stdout: `${VERSION}\n`, stderr: '' })
  })
})
