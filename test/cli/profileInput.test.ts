import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { here } from '../inProcess.ts'
import { emptyWorld, type World } from '../world.ts'
import { inThisProcess } from './payments.ts'

const SECRET = 'a-long-secret-0123456789'
const PLACE = ['--base-url', 'https://gateway.example.com', '--client-id', 'shop-1']
const GOOD = [...PLACE, '--client-secret-env', 'SHOP_SECRET']

function storeText(world: World): string {
  return readFileSync(join(world.home, 'config', 'profiles.json'), 'utf8')
}

it.each(['constructor', '__proto__', 'a.b', 'local', ''])('rejects the name "%s"', async (name) => {
  const world = emptyWorld()
  const { exit, stdout, stderr } = await here(world)(['profile', 'add', name, ...GOOD])
  expect([exit, stdout]).toEqual([2, ''])
  expect(stderr).toMatch(/^error: .*(?:valid profile name|built in)/)
  expect(() => storeText(world)).toThrow('ENOENT')
})

const REFUSED: [what: string, line: string[], sentence: string][] = [
  ['no secret', PLACE, 'The client secret is missing'],
  ['no address', ['--client-id', 'a', '--client-secret-env', 'X'], '`--base-url` is missing'],
  ['no client id', ['--base-url', 'https://a.example', '--client-secret-env', 'X'], '`--client-id` is missing'],
  [
    'http',
    ['--base-url', 'http://a.example', '--client-id', 'a', '--client-secret-env', 'X'],
    'would expose the secret',
  ],
  ['a limit of zero', [...GOOD, '--max-amount', '0'], '`--max-amount`: '],
  ['two sources', [...GOOD, '--client-secret-command', 'true'], 'only one source'],
  ['a variable with a dollar', [...PLACE, '--client-secret-env', '$SHOP'], 'takes the name of a variable'],
  ['an empty command', [...PLACE, '--client-secret-command', ' '], '`--client-secret-command` is empty'],
  ['an empty pipe', [...PLACE, '--client-secret-stdin'], '`--client-secret-stdin` is empty'],
  [
    'a client id with a line break',
    ['--base-url', 'https://a.example', '--client-id', 'a\nb', '--client-secret-env', 'X'],
    'line break',
  ],
  ['a client id with a space', [...GOOD.with(3, 'shop 1')], '`--client-id` contains a space'],
  ['csv', [...GOOD, '-o', 'csv'], 'only available for lists'],
]

it.each(REFUSED)('refuses %s and stores nothing', async (_, line, sentence) => {
  const world = emptyWorld()
  const run = line === PLACE ? world.run : here(world)
  const { exit, stdout, stderr } = await run(['profile', 'add', 'shop', ...line])
  expect([exit, stdout]).toEqual([2, ''])
  expect(stderr).toContain(sentence)
  expect(() => storeText(world)).toThrow('ENOENT')
})

it.each([
  ['two lines', 'a\nb'],
  ['an accent', 'ségredo'],
])('refuses a secret with %s without showing it', async (_, secret) => {
  const world = emptyWorld()
  const { exit, stderr } = await here(world)(['profile', 'add', 'shop', ...PLACE, '--client-secret-stdin'], {
    stdin: secret,
  })
  expect(exit).toBe(2)
  expect(stderr).toContain('`--client-secret-stdin` contains a character')
  expect(stderr).not.toContain(secret)
})

it('removes spaces around a secret from a pipe and reports that', async () => {
  const world = emptyWorld()
  const words = ['profile', 'add', 'shop', ...PLACE, '--client-secret-stdin', '-o', 'json']
  const { exit, stdout, stderr } = await world.run(words, { stdin: `\t ${SECRET} \r\n` })
  const { warnings } = JSON.parse(stdout).pixgate
  expect([exit, stderr, warnings]).toEqual([0, '', ['Spaces around the secret were removed']])
  expect(JSON.parse(storeText(world)).profiles.shop.secret).toEqual({ source: 'stored', value: SECRET })
})

it.each([
  ['add', '--client-secret', SECRET],
  ['edit', `--client-secret=${SECRET}`],
  ['add', '--client-secret'],
])('rejects a secret on the command line: %s %s', async (command, ...words) => {
  const world = inThisProcess(emptyWorld())
  const run = command === 'edit' ? world.run : here(world)
  const { exit, stdout, stderr } = await run(['profile', command, 'shop', ...GOOD, ...words])
  expect([exit, stdout]).toEqual([2, ''])
  expect(stderr).toContain('not accepted on the command line')
  expect(stderr).toContain('--client-secret-stdin')
  expect(stderr).not.toContain(SECRET)
})

it('offers no option that takes the secret itself', async () => {
  const { stdout } = await inThisProcess(emptyWorld()).run(['profile', 'add', '--help'])
  expect(stdout).toContain('--client-secret-stdin')
  expect(stdout).not.toMatch(/--client-secret[ =\n]/)
})

it('adds no profile twice, and leaves the first as it is', async () => {
  const world = inThisProcess(emptyWorld())
  await world.json(['profile', 'add', 'shop', ...GOOD])
  const before = storeText(world)
  const { exit, stderr } = await world.run(['profile', 'add', 'shop', ...PLACE, '--client-secret-stdin'], {
    stdin: SECRET,
  })
  expect([exit, stderr]).toEqual([
    2,
    'error: A profile `shop` already exists\nhint: Choose another name; `pixgate profile edit --help` shows how to change this one\n  pixgate profile edit --help\n',
  ])
  expect(storeText(world)).toBe(before)
})

it.each([
  ['http://127.0.0.1:4010', 'sandbox'],
  ['http://[::1]:9', 'sandbox'],
  ['https://127.0.0.1.example.com', 'production'],
])('takes %s for %s unless told otherwise', async (url, environment) => {
  const world = inThisProcess(emptyWorld())
  const rest = ['--base-url', url, '--client-id', 'a', '--client-secret-env', 'X']
  expect(await world.json(['profile', 'add', 'one', ...rest])).toMatchObject({ environment })
})

it('stores the name of a variable only, and warns if it is not set', async () => {
  const world = inThisProcess(emptyWorld())
  const unset = await world.json(['profile', 'add', 'one', ...GOOD])
  expect(unset.pixgate).toEqual({ warnings: ['The variable `SHOP_SECRET` is not set; it is read at every use'] })
  const set = await world.run(['profile', 'add', 'two', ...GOOD], { env: { SHOP_SECRET: SECRET } })
  expect(set.stderr).not.toContain('warning')
  expect(set.stdout).toContain('client secret  •••• (variable SHOP_SECRET)\n')
  expect(storeText(world)).not.toContain(SECRET)
})

it('does not run a command when it is stored, and shows no argument of it', async () => {
  const world = inThisProcess(emptyWorld())
  const command = `touch ${join(world.home, 'ran')}; printf ${SECRET}`
  const added = await world.run(['profile', 'add', 'shop', ...PLACE, '--client-secret-command', command])
  const shown = await Promise.all([world.run(['profile', 'show']), world.run(['profile', 'list', '-o', 'json'])])
  expect(added.exit).toBe(0)
  for (const { stdout, stderr } of [added, ...shown]) expect(stdout + stderr).not.toContain(SECRET)
  expect(() => readFileSync(join(world.home, 'ran'))).toThrow('ENOENT')
  expect(JSON.parse(storeText(world)).profiles.shop.secret).toEqual({ source: 'command', command })
})
