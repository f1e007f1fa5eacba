import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { here } from '../inProcess.ts'
import { emptyWorld, type World } from '../world.ts'

const PROFILE = {
  environment: 'sandbox',
  baseUrl: 'http://127.0.0.1:4010',
  clientId: 'shop',
  secret: { source: 'env', variable: 'SHOP_SECRET' },
}

/** A world whose profile and whose user have stored a language. */
function storedWorld({ own, stored }: { own?: string; stored?: string } = {}): World {
  const world = emptyWorld()
  mkdirSync(join(world.home, 'config'), { mode: 0o700 })
  const store = { version: 1, active: 'shop', profiles: { shop: { ...PROFILE, lang: own } }, lang: stored }
  writeFileSync(join(world.home, 'config', 'profiles.json'), JSON.stringify(store), { mode: 0o600 })
  return world
}

it('is Portuguese in help, results and errors, and English in all that a program reads', async () => {
  const { run } = emptyWorld({ PIXGATE_LANG: 'pt-BR' })
  expect((await run(['refund', '--help'])).stdout).toMatch(/^Uso: pixgate refund [\s\S]*\nOpções:\n/)
  expect(await run(['lang'])).toMatchObject({
    exit: 0,
    stdout: 'Idioma: português (Brasil), definido por `PIXGATE_LANG`\n',
  })
  expect((await run(['refund', 'x', '--amount'])).stderr).toMatch(/^erro: `--amount` precisa de um valor\ndica: /)
  const { exit, stderr } = await run(['-o', 'json', 'refund', 'x', '--amount'])
  expect([exit, JSON.parse(stderr).error.message]).toEqual([2, '`--amount` needs a value'])
})

it('suggests names for files and reasons in the language', async () => {
  const run = here(emptyWorld({ PIXGATE_LANG: 'pt-BR' }))
  const report = ['history', 'report', '--month', '10/2026']
  expect((await run(report)).stderr).toContain('--out relatorio-2026-10.xlsx')
  expect((await run([...report, '--lang', 'en'])).stderr).toContain('--out report-2026-10.xlsx')
  const { stdout } = await run(['batch', 'refund', '--help'])
  expect(stdout).toContain('pixgate batch refund devolucoes.csv --reason "evento cancelado"')
  expect(stdout).not.toMatch(/returns\.csv|event cancelled/)
})

it('has the decimal mark of the language in examples of amounts', async () => {
  const { run } = emptyWorld({ PIXGATE_LANG: 'pt-BR' })
  const hintFor = async (amount: string) =>
    (await run(['transfer', '--key', 'maria@example.com', `--amount=${amount}`])).stderr.split('\n')[1]
  expect(await hintFor('0')).toBe('dica: Digite pelo menos `0,01`')
  expect(await hintFor('-5')).toBe('dica: Digite sem sinal, como `10,50`, se este é o valor certo')
  expect(await hintFor('1,234.56')).toBe('dica: Digite `1234,56`')
})

it('stays the one of the demo, whose command lines are read by people and by the demo itself', async () => {
  const { exit, stdout, stderr } = await here(emptyWorld())(['demo', '--lang', 'pt-BR'])
  expect([exit, stderr]).toEqual([0, ''])
  expect(stdout).toMatch(/^7\. Nenhum centavo se perde$/m)
  expect(stdout).toMatch(/^ {2}por extenso +sete reais e cinquenta centavos$/m)
  // Nor does it suggest what works only while it runs.
  expect(stdout).not.toMatch(/^ *(?:amount in words|in words|sent before|sent today|warning:|→)/m)
  expect(stdout).toMatch(
    /^ {2}pixgate sandbox\n[^\n]+\n {2}pixgate qr create --amount 25,00\n {2}pixgate sandbox pay\n/m,
  )
})

it.each([
  { chosenBy: 'option', args: ['--lang', 'pt-BR'], env: { PIXGATE_LANG: 'en', LANG: 'C' } },
  { chosenBy: 'option', args: ['--lang=pt-BR'], env: {}, own: 'en' },
  { chosenBy: 'env', args: [], env: { PIXGATE_LANG: 'pt-BR' }, own: 'en' },
  { chosenBy: 'profile', args: [], env: { LANG: 'en_US.UTF-8' }, own: 'pt-BR', stored: 'en' },
  { chosenBy: 'profile', args: ['-p', 'shop'], env: { PIXGATE_PROFILE: 'other' }, own: 'pt-BR' },
  { chosenBy: 'stored', args: [], env: { LC_ALL: 'en_US' }, stored: 'pt-BR' },
  { chosenBy: 'stored', args: ['-p', 'local'], env: {}, own: 'en', stored: 'pt-BR' },
  { chosenBy: 'system', args: [], env: { LANG: 'pt_BR.UTF-8' } },
  { chosenBy: 'system', args: [], env: { LC_MESSAGES: 'pt_BR', LANG: 'en_US.UTF-8' } },
  { chosenBy: 'system', args: [], env: { LC_ALL: 'pt_BR', LC_MESSAGES: 'en_US', LANG: 'en_US' } },
])(
  'is chosen by: $chosenBy, $args, $env, profile: $own, stored: $stored',
  async ({ chosenBy, args, env, ...words }) => {
    const run = here(storedWorld(words))
    const { stdout } = await run(['lang', ...args, '-o', 'json'], { env })
    expect(JSON.parse(stdout)).toEqual({ lang: 'pt-BR', source: chosenBy })
    expect((await run(['lang', ...args], { env })).stdout).toMatch(/^Idioma: português \(Brasil\)/)
  },
)

it.each([
  { env: { LC_ALL: 'C', LANG: 'pt_BR.UTF-8' } },
  { env: { LC_ALL: 'en_US.UTF-8', LC_MESSAGES: 'pt_BR' } },
  { env: { LANG: 'de_DE.UTF-8' } },
])('is English for any other system: $env', async ({ env }) => {
  expect((await here(storedWorld())(['lang'], { env })).stdout).toMatch(/^Language: English \(/)
})

it('is stored, and speaks at once', async () => {
  const { run } = emptyWorld()
  expect(await run(['lang', 'pt-br'])).toEqual({
    exit: 0,
    stdout: 'Idioma: português (Brasil), definido com `pixgate lang`\n',
    stderr: '',
  })
  expect((await run(['--help'])).stdout).toMatch(/^Uso: /)
  expect((await run(['--help'], { env: { PIXGATE_LANG: 'en' } })).stdout).toMatch(/^Usage: /)
})

it('belongs to a profile', async () => {
  const world = storedWorld()
  const run = here(world)
  expect(JSON.parse((await run(['profile', 'edit', 'shop', '--lang', 'pt-BR', '-o', 'json'])).stdout).lang).toBe(
    'pt-BR',
  )
  expect((await run(['--help'])).stdout).toMatch(/^Uso: /)
  expect(JSON.parse((await run(['profile', 'edit', 'shop', '--no-lang', '-o', 'json'])).stdout).lang).toBe(null)
  expect((await run(['--help'])).stdout).toMatch(/^Usage: /)
})

it.each([
  [['lang', '--lang', 'fr'], {}, '`fr` is not a valid language for `--lang`'],
  [['lang', 'fr'], {}, '`fr` is not a valid language for `<language>`'],
  [['lang'], { PIXGATE_LANG: 'fr' }, '`fr` is not a valid language for `PIXGATE_LANG`'],
])('must be one that exists: %j, %j', async (args, env, message) => {
  const { exit, stderr } = await here(emptyWorld())(args, { env })
  expect([exit, stderr]).toEqual([2, `error: ${message}\nhint: Use en or pt-BR\n`])
})
