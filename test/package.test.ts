import { spawnSync } from 'node:child_process'
import { cpSync, readFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { emptyWorld, NODE } from './world.ts'

const ROOT = join(import.meta.dirname, '..')

it('needs only SQLite for Node.js 20, and runs no script of its own when it is installed', () => {
  const description = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
  expect(Object.keys(description.optionalDependencies)).toEqual(['@photostructure/sqlite'])
  expect(Object.keys(description).filter((key) => /dependencies$/i.test(key))).toHaveLength(2)
  expect(Object.keys(description.scripts).filter((name) => /^(?:pre|post)?(?:install|prepare)$/.test(name))).toEqual([])
})

it('says what is missing on Node.js 20 if it was installed with --omit=optional, and needs nothing later', () => {
  const world = emptyWorld()
  for (const part of ['bin', 'dist', 'package.json']) {
    const filter = (path: string) => !path.endsWith('executables')
    cpSync(join(ROOT, part), join(world.home, 'pixgate', part), { recursive: true, filter })
  }
  const run = (...words: string[]) => {
    const binary = join(world.home, 'pixgate', 'bin', 'pixgate.js')
    const { status, stderr } = spawnSync(NODE, [binary, ...words], { env: world.env, encoding: 'utf8' })
    return { status, stderr }
  }
  expect(run('qr', 'draw', '--help')).toEqual({ status: 0, stderr: '' })
  if (isBuiltin('node:sqlite')) expect(run('history', 'list').status).toBe(0)
  else {
    expect(run('history', 'list')).toEqual({
      status: 2,
      stderr:
        'error: The package `@photostructure/sqlite`, which provides SQLite on Node.js 20, is not installed\n' +
        '  Nothing was sent\n' +
        'hint: Install pixgate again with its optional dependencies, or use Node.js 24, which has SQLite built in\n',
    })
  }
})

it('lists the authors and licences of its bundled dependencies', () => {
  const told = readFileSync(join(ROOT, 'dist', 'THIRD-PARTY-LICENSES.txt'), 'utf8')
  for (const name of ['undici', 'Fedor Indutny', 'qrcode-terminal', 'Kazuhiko Arase']) expect(told).toContain(name)
  // What the decoders of pictures are compiled from.
  for (const text of [
    'MozJPEG, a part of @jsquash/jpeg (IJG, BSD-3-Clause, Zlib)',
    'This software is based in part on the work of the Independent JPEG\n        Group.',
    'libwebp, a part of @jsquash/webp (BSD-3-Clause)',
    'Copyright (c) 2010, Google Inc. All rights reserved.',
  ])
    expect(told).toContain(text)
  expect(told).toContain('(Apache 2.0)')
  expect(told).not.toContain('undefined')
})
