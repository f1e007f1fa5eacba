import { spawnSync } from 'node:child_process'
import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { VERSION } from '../src/programInfo.ts'
import { emptyWorld, NODE } from './world.ts'

const ROOT = join(import.meta.dirname, '..')
const LOCK = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8'))

it.each([[['--version', '-v']], [['-v', '-V']], [['--verbose', '--version']]])(
  '%j names the engines, the day of the build and the bundled packages',
  async (words) => {
    const { exit, stdout, stderr } = await emptyWorld().run(words)
    expect({ exit, stderr }).toEqual({ exit: 0, stderr: '' })
    const [program, node, sqlite, built, ...packages] = stdout.trimEnd().split('\n')
    expect(program).toBe(`pixgate ${VERSION}`)
    expect(node).toMatch(/^node \d+\.\d+\.\d+$/)
    expect(sqlite).toMatch(/^sqlite 3\.\d+\.\d+$/)
    expect(built).toMatch(/^built 20\d\d-\d\d-\d\d$/)
    for (const name of ['commander', 'undici', 'postgres']) {
      expect(packages).toContain(`${name} ${LOCK.packages[`node_modules/${name}`].version}`)
    }
  },
)

it.each([[['transfer', '--version']], [['qr', 'create', '-V', '--amount', 'x']], [['history', '-V']], [['-V', 'qr']]])(
  '%j prints the version and runs nothing',
  async (words) => {
    const ran = await emptyWorld().run(words)
    expect(ran).toEqual({ exit: 0, stdout: `${VERSION}\n`, stderr: '' })
  },
)

it.each([
  ['2026-01-31', 'Install a newer version; an old one lacks what was repaired since'],
  [new Date().toISOString().slice(0, 10), null],
])('doctor judges the age of a build of %s', (built, hint) => {
  const { home, env } = emptyWorld()
  for (const folder of ['bin', 'dist']) cpSync(join(ROOT, folder), join(home, folder), { recursive: true })
  writeFileSync(join(home, 'dist/build.json'), JSON.stringify({ built, packages: [] }))
  const { stdout } = spawnSync(NODE, [join(home, 'bin/pixgate.js'), 'doctor', '-o', 'json'], { env, encoding: 'utf8' })
  const { findings } = JSON.parse(stdout)
  const build = { name: 'pixgate', ok: true, finding: `${VERSION}, built on ${built}`, hint }
  expect(findings).toContainEqual(build)
})
