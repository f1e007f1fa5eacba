import { execFile } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it, onTestFinished } from 'vitest'
import { unknownWord } from './commandTree.ts'
import { emptyWorld } from './world.ts'

const ROOT = join(import.meta.dirname, '..')
const WORKFLOWS = join(ROOT, '.github/workflows')

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')

it.each(readdirSync(WORKFLOWS))('%s pins its actions by commit and grants nothing to all jobs', (name) => {
  const workflow = read(`.github/workflows/${name}`)
  const actions = [...workflow.matchAll(/uses: (\S+)/g)].map(([, action]) => action)
  expect(actions.length).toBeGreaterThan(1)
  expect(actions.filter((action) => !/@[0-9a-f]{40}$/.test(action ?? ''))).toEqual([])
  expect(workflow).toMatch(/^permissions: \{\}$/m)
})

it('builds executable files with the same Node.js everywhere', () => {
  const [, version] = /^const NODE_VERSION = '([\d.]+)'$/m.exec(read('scripts/executables.js')) ?? []
  expect(read('.github/workflows/release.yml')).toContain(`NODE_VERSION: ${version}\n`)
})

it('has one release key, or none, in the installers', () => {
  const [, shell] = /^RELEASE_KEY='(.*)'$/m.exec(read('install.sh')) ?? []
  const [, power] = /^ {2}\$releaseKey = '(.*)'$/m.exec(read('install.ps1')) ?? []
  expect(power).toBe(shell)
})

it('has a Dockerfile whose command exists, and that every address may use', () => {
  const dockerfile = read('Dockerfile')
  const [entry, command] = ['ENTRYPOINT', 'CMD'].map((name): string[] =>
    JSON.parse(new RegExp(`^${name} (.*)$`, 'm').exec(dockerfile)?.[1] ?? '[]'),
  )
  expect(entry).toEqual(['pixgate'])
  expect(command).toEqual(['sandbox', '--memory', '--host', '0.0.0.0', '--allow-ip', '0.0.0.0/0'])
  expect(unknownWord(command ?? [])).toBeUndefined()
})

it('has an action whose sandbox goes on after its step', { timeout: 30_000 }, async () => {
  const world = emptyWorld()
  const [, start] = [...read('action.yml').matchAll(/^ {6}run: \|\n((?: {8}.*\n)+)/gm)].map(([, script = '']) => script)
  const folder = join(world.home, 'pixgate')
  mkdirSync(join(folder, 'node_modules/.bin'), { recursive: true })
  symlinkSync(join(ROOT, 'bin/pixgate.js'), join(folder, 'node_modules/.bin/pixgate'))
  const [env, output] = [join(world.home, 'env'), join(world.home, 'output')]
  const words = ['--noprofile', '--norc', '-eo', 'pipefail', '-c', start ?? '']
  const files = { RUNNER_TEMP: world.home, GITHUB_ENV: env, GITHUB_OUTPUT: output }
  const step = (inputs: Record<string, string>) =>
    promisify(execFile)('bash', words, { env: { ...world.env, ...files, ...inputs } })
  await expect(step({ PORT: '0', OPTIONS: '--nosuch' })).rejects.toMatchObject({
    stdout: expect.stringContaining('::error::The sandbox did not start'),
  })
  onTestFinished(() => void process.kill(Number(readFileSync(join(folder, 'sandbox.pid'), 'utf8'))))
  await step({ PORT: '0', OPTIONS: '--balance 17 --seed action' })
  const variables = Object.fromEntries(
    readFileSync(env, 'utf8')
      .trim()
      .split('\n')
      .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  )
  const log = /^log=(.*)$/m.exec(readFileSync(output, 'utf8'))?.[1] ?? ''
  const state = await world.json(['sandbox', 'state'], { env: variables })
  expect(state).toMatchObject({ balance: 17, payments: [] })
  expect(await world.json(['qr', 'create', '--amount', '1'], { env: variables })).toMatchObject({ response: 'OK' })
  expect(readFileSync(log, 'utf8')).toContain('request-qrcode')
})
