import { spawn, spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { networkInterfaces } from 'node:os'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, it } from 'vitest'
import { runSandbox } from '../cli/runningSandbox.ts'
import { BINARY, emptyWorld, NODE, type World } from '../world.ts'
import { namedBlocks } from './pages.ts'
import { pythonWith } from './receivers.ts'

const ROOT = join(import.meta.dirname, '..', '..')
const BLOCKS = namedBlocks('test-with-the-sandbox.md')
const JUNIT = [
  ...['jupiter-api', 'jupiter-engine', 'platform-commons', 'platform-console', 'platform-engine', 'platform-launcher'],
  ...['platform-reporting'],
].map((part) => `/usr/share/java/junit-${part}.jar`)
const JARS = [...JUNIT, ...['opentest4j', 'apiguardian-api', 'picocli'].map((name) => `/usr/share/java/${name}.jar`)]

const yaml = pythonWith('yaml')
const pytest = pythonWith('pytest')
const hasJest = spawnSync('jest', ['--version']).status === 0
const hasPhpunit = spawnSync('phpunit', ['--version']).status === 0
const hasJunit = spawnSync('javac', ['--version']).status === 0 && JARS.every((jar) => existsSync(jar))

for (const [name, isThere] of [
  ['python3-yaml', yaml !== undefined],
  ['python3-pytest', pytest !== undefined],
  ['jest', hasJest],
  ['phpunit', hasPhpunit],
  ['javac or junit5', hasJunit],
] as const) {
  if (!isThere) console.warn(`SKIPPED: ${name} is missing, so its examples are not tried`)
}

/** A file of the page, in a folder of its own. */
function written(world: World, name: string): string {
  const path = join(world.home, name)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, BLOCKS.get(name) ?? '')
  return path
}

/** What a YAML file of the page holds, as another program reads it. */
function parsed<Shape>(name: string): Shape {
  const script = 'import json, sys, yaml; json.dump(yaml.safe_load(sys.stdin), sys.stdout, default=str, skipkeys=True)'
  return JSON.parse(spawnSync(String(yaml), ['-c', script], { input: BLOCKS.get(name), encoding: 'utf8' }).stdout)
}

it('tries every example of the page', () => {
  const yamlFiles = ['.github/workflows/test.yml', '.gitlab-ci.yml', 'compose.yaml']
  const tests = [
    'gateway.test.mjs',
    'charge.test.js',
    'charge.test.cjs',
    'test_gateway.py',
    'tests/GatewayTest.php',
    'GatewayTest.java',
  ]
  expect([...BLOCKS.keys()]).toEqual([...yamlFiles, ...tests])
})

/** Runs the tests of an example in a sandbox of their own. */
async function runTests(world: World, command: readonly string[]): Promise<string> {
  const ran = await world.run(['sandbox', 'exec', '--', ...command], { cwd: world.home })
  expect(`${ran.exit} ${ran.stdout}${ran.stderr}`).toMatch(/^0 /)
  return ran.stdout
}

/** Runs a test file of the page with this program, in a project that has pixgate. */
function runWith(command: readonly string[], file: string): string {
  const world = emptyWorld()
  written(world, file)
  mkdirSync(join(world.home, 'node_modules'))
  symlinkSync(ROOT, join(world.home, 'node_modules', 'pixgate'))
  symlinkSync(join(ROOT, 'node_modules', 'vitest'), join(world.home, 'node_modules', 'vitest'))
  writeFileSync(join(world.home, 'package.json'), '{}')
  const [program = '', ...words] = command
  const ran = spawnSync(program, words, { cwd: world.home, env: world.env, encoding: 'utf8' })
  expect(`${ran.status} ${ran.stdout}${ran.stderr}`).toMatch(/^0 /)
  return ran.stdout + ran.stderr
}

it('Node.js', () => {
  expect(runWith([NODE, 'gateway.test.mjs'], 'gateway.test.mjs')).toContain('pass 1')
})

it('Vitest', { timeout: 60_000 }, () => {
  const vitest = join(ROOT, 'node_modules', 'vitest', 'vitest.mjs')
  expect(runWith([NODE, vitest, 'run'], 'charge.test.js')).toMatch(/1 passed/)
})

it.skipIf(!hasJest)('Jest (SKIPPED where jest is missing)', { timeout: 60_000 }, () => {
  expect(runWith(['jest'], 'charge.test.cjs')).toContain('1 passed')
})

it.skipIf(pytest === undefined)('pytest (SKIPPED where python3-pytest is missing)', async () => {
  const world = emptyWorld()
  written(world, 'test_gateway.py')
  expect(await runTests(world, [String(pytest), '-m', 'pytest', '-p', 'no:cacheprovider'])).toContain('2 passed')
})

it.skipIf(!hasPhpunit)('PHPUnit (SKIPPED where phpunit is missing)', async () => {
  const world = emptyWorld()
  written(world, 'tests/GatewayTest.php')
  expect(await runTests(world, ['phpunit', 'tests'])).toMatch(/OK \(2 tests, \d assertions\)/)
})

it.skipIf(!hasJunit)('JUnit (SKIPPED where javac or junit5 is missing)', { timeout: 120_000 }, async () => {
  const world = emptyWorld()
  const source = written(world, 'GatewayTest.java')
  const path = JARS.join(':')
  expect(spawnSync('javac', ['-cp', path, '-d', world.home, source], { encoding: 'utf8' }).stderr).toBe('')
  const launcher = ['java', '-cp', `${path}:${world.home}`, 'org.junit.platform.console.ConsoleLauncher']
  const told = await runTests(world, [...launcher, '--select-class', 'GatewayTest', '--disable-banner'])
  expect(told).toMatch(/2 tests successful/)
})

/** A project whose `npx --no pixgate` is this pixgate, and whose tests ask the gateway whether it is well. */
function npmProject(): World {
  const world = emptyWorld()
  const bin = join(world.home, 'node_modules', '.bin')
  mkdirSync(bin, { recursive: true })
  writeFileSync(join(bin, 'pixgate'), `#!/bin/sh\nexec '${NODE}' '${BINARY}' "$@"\n`)
  chmodSync(join(bin, 'pixgate'), 0o755)
  const test = `node -e "fetch(process.env.PIXGATE_BASE_URL + '/nowhere').then(({ status }) => process.exit(status - 404))"`
  writeFileSync(join(world.home, 'package.json'), JSON.stringify({ name: 'shop', scripts: { test } }))
  return world
}

interface Workflow {
  jobs: { test: { steps: { run?: string; with?: { path?: string } }[] } }
}
interface Pipeline {
  test: { script: string[]; artifacts: { paths: string[] } }
}

it.skipIf(yaml === undefined)('GitHub Actions and GitLab (SKIPPED where python3-yaml is missing)', async () => {
  const { jobs } = parsed<Workflow>('.github/workflows/test.yml')
  const pipeline = parsed<Pipeline>('.gitlab-ci.yml')
  const steps = jobs.test.steps.flatMap(({ run }) => run ?? [])
  expect(steps).toEqual(pipeline.test.script)
  expect(steps).toEqual(['npm ci', expect.stringContaining('npx --no pixgate sandbox exec')])
  const [log] = pipeline.test.artifacts.paths
  expect(jobs.test.steps.at(-1)?.with?.path).toBe(log)

  const world = npmProject()
  const child = spawn('sh', ['-c', steps[1] ?? ''], {
    cwd: world.home,
    env: world.env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const told = Promise.all([text(child.stdout), text(child.stderr)])
  expect([await new Promise((resolve) => child.on('close', resolve)), ...(await told)]).toEqual([
    0,
    expect.any(String),
    expect.any(String),
  ])
  expect(readFileSync(join(world.home, log ?? ''), 'utf8')).toContain('"path":"/nowhere"')
})

interface Compose {
  services: Record<
    'gateway' | 'shop' | 'tests',
    { command: string; environment: Record<string, string>; healthcheck: { test: string[] } }
  >
}

it.skipIf(yaml === undefined)('Docker Compose, without Docker (SKIPPED where python3-yaml is missing)', async () => {
  const { gateway, shop, tests } = parsed<Compose>('compose.yaml').services
  expect(tests.environment).toEqual(shop.environment)
  const [first, ...options] = gateway.command.split(' ')
  expect(first).toBe('sandbox')
  const world = emptyWorld(gateway.environment)
  const sandbox = await runSandbox(world, options)
  expect(sandbox.lines[0]).toContain('http://gateway:')

  const [, node, ...args] = gateway.healthcheck.test
  expect(node).toBe('node')
  const checked = args.map((arg) => arg.replace('http://127.0.0.1:4010', sandbox.url))
  expect(checked).not.toEqual(args)
  const check = spawn(NODE, checked, { stdio: 'ignore' })
  expect(await new Promise((resolve) => check.on('close', resolve))).toBe(0)
  if (pytest === undefined) return
  // Like another container, which is not on loopback.
  const addresses = Object.values(networkInterfaces()).flatMap((each) => each ?? [])
  const { address = '127.0.0.1' } = addresses.find(({ family, internal }) => family === 'IPv4' && !internal) ?? {}
  const url = sandbox.url.replace('127.0.0.1', address)
  expect((await fetch(`${url}/sandbox/state`)).status).toBe(address === '127.0.0.1' ? 200 : 403)
  written(world, 'test_gateway.py')
  const env = { ...world.env, ...tests.environment, PIXGATE_BASE_URL: url }
  const ran = spawn(pytest, ['-m', 'pytest', '-p', 'no:cacheprovider'], { cwd: world.home, env })
  expect(await text(ran.stdout)).toContain('2 passed')
})
