import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { SANDBOX_OPTIONS } from '../../src/commands/sandbox/launchSandbox.ts'
import { startSandbox } from '../../src/library/sandbox.ts'
import { verifyWebhook } from '../../src/library/webhooks.ts'
import { emptyWorld, NODE } from '../world.ts'
import { namedBlocks } from './pages.ts'

const ROOT = join(import.meta.dirname, '..', '..')
const PAGE = readFileSync(join(ROOT, 'docs', 'library.md'), 'utf8')
const BLOCKS = namedBlocks('library.md')
const hasJest = spawnSync('jest', ['--version']).status === 0
if (!hasJest) console.warn('SKIPPED: jest is missing, so its example is not tried')

/** A project that has pixgate and the packages of its own tests, with a file of the page. */
function project(name: string): string {
  const { home } = emptyWorld()
  mkdirSync(join(home, 'node_modules', '@types'), { recursive: true })
  symlinkSync(ROOT, join(home, 'node_modules', 'pixgate'))
  for (const each of ['vitest', '@types/node'])
    symlinkSync(join(ROOT, 'node_modules', each), join(home, 'node_modules', each))
  writeFileSync(join(home, 'package.json'), '{ "type": "module" }')
  writeFileSync(join(home, name), BLOCKS.get(name) ?? '')
  return home
}

function ran(cwd: string, [program = '', ...words]: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync(program, words, { cwd, encoding: 'utf8' })
  expect(`${status} ${stdout}${stderr}`).toMatch(/^0 /)
  return stdout + stderr
}

const TYPE_CHECK = ['--noEmit', '--skipLibCheck', '--target', 'es2023', '--module', 'nodenext', '--types', 'node']

it('tries every example of the page', () => {
  expect([...BLOCKS.keys()]).toEqual(['webhook.test.ts', 'webhook.test.mjs', 'webhook.test.cjs'])
})

it('Vitest, also type-checked', { timeout: 120_000 }, () => {
  const home = project('webhook.test.ts')
  expect(ran(home, [NODE, join(ROOT, 'node_modules', 'vitest', 'vitest.mjs'), 'run'])).toMatch(/1 passed/)
  ran(home, [
    NODE,
    join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc'),
    ...TYPE_CHECK,
    '--strict',
    'webhook.test.ts',
  ])
})

it('Node.js, also type-checked', { timeout: 120_000 }, () => {
  const home = project('webhook.test.mjs')
  expect(ran(home, [NODE, '--test', 'webhook.test.mjs'])).toMatch(/pass 1/)
  ran(home, [
    NODE,
    join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc'),
    ...TYPE_CHECK,
    '--allowJs',
    '--checkJs',
    'webhook.test.mjs',
  ])
})

it.skipIf(!hasJest)('Jest (SKIPPED where jest is missing)', { timeout: 60_000 }, () => {
  expect(ran(project('webhook.test.cjs'), ['jest', '--testMatch', '**/*.cjs'])).toContain('1 passed')
})

it('names every option and method of a sandbox, and every member of a verdict', async () => {
  const sandbox = await startSandbox()
  onTestFinished(() => sandbox.close())
  const named = new Set([...PAGE.matchAll(/`(\w+)(?:`|\()/g)].map(([, name]) => name))
  const refusal: unknown = await Reflect.apply(startSandbox, undefined, [{ zzzzzzzzzzzz: 1 }]).catch(
    (error: unknown) => error,
  )
  const options = /it has (.*)$/.exec(String(refusal))?.[1]?.split(', ') ?? []
  expect(options.length).toBeGreaterThan(15)
  const members = [...Object.keys(sandbox), ...options, ...Object.keys(verifyWebhook('{}', 'x', 'secret'))]
  expect(members.filter((name) => !named.has(name))).toEqual([])
  const flags = SANDBOX_OPTIONS.map((option) => option.flags.split(' ')[0]).filter((flag) => flag !== '--base-url-name')
  expect(flags.filter((flag) => !PAGE.includes(`\`${flag}\``))).toEqual([])
})
