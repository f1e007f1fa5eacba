import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { answerCompletion } from '../../src/cli/complete.ts'
import { completionTable } from '../../src/cli/completionTable.ts'
import { KEY_TYPES } from '../../src/pix/pixKey.ts'
import { setCatalogue } from '../../src/text/translate.ts'
import { inLedger } from '../ledger/storedLedger.ts'
import { localServer } from '../localServer.ts'
import { emptyWorld, sandboxWorld, type World } from '../world.ts'

const SCRIPTS = join(import.meta.dirname, '..', '..', 'completions')
const SHELLS = ['bash', 'zsh', 'fish', 'powershell']
const ID = 'order-1'

/** A world with one payment, two payees with harmless names and one with a hostile one. */
let known: World
const ends: (() => unknown)[] = []

beforeAll(async () => {
  known = emptyWorld({ PIXGATE_BASE_URL: 'http://127.0.0.1:1' }, (clean) => ends.push(clean))
  // Nothing listens there, and the payment is recorded all the same.
  expect((await known.run(['qr', 'create', '--amount', '10', '--request-number', ID])).exit).not.toBe(0)
  await known.prepare(['payee', 'import', '-'], {
    stdin: 'name,key\nmaria,maria@example.com\nmarcos,marcos@example.com\n$(touch x),touch@example.com\n',
  })
})
afterAll(() => Promise.all(ends.map((end) => end())))

/** What is asked of the shell, and the words with their meanings, of which a shell offers those that match the last word. */
async function completed(words: readonly string[], env: Record<string, string> = known.env) {
  const [directive, ...lines] = (await answerCompletion(words, env)).trimEnd().split('\n')
  setCatalogue(undefined)
  const found = lines.map((line) => line.split('\t')).filter(([word]) => word?.startsWith(words.at(-1) ?? ''))
  return { directive, words: found.map(([word]) => word), meanings: found.map(([, meaning]) => meaning) }
}

const TOPICS_AND_COMMANDS = ['amounts', 'exit-codes', 'qr', 'webhook', 'completion']

it.each<[line: string, expected: { only?: readonly string[]; has?: readonly string[]; lacks?: readonly string[] }]>([
  ['', { has: ['demo', 'qr', 'refund', 'status', 'help'], lacks: ['__complete', '--json', 'create'] }],
  ['ref', { only: ['refund'] }],
  ['__', { only: [] }],
  ['qr ', { only: ['create', 'draw', 'decode'] }],
  ['-p local --output json sta', { only: ['status'] }],
  ['-y --profile=local qr d', { only: ['draw', 'decode'] }],
  ['-plocal qr d', { only: ['draw', 'decode'] }],
  ['--fields status ref', { only: ['refund'] }],
  ['--', { has: ['--profile', '--output', '--version', '--help'], lacks: ['--reason', '--surface', '-p'] }],
  ['-', { has: ['-p', '--profile', '-V', '-h'] }],
  ['refund --', { has: ['--reason', '--output', '--no-color', '--help'], lacks: ['--key', '--version'] }],
  ['refund -o json --', { has: ['--reason'], lacks: ['--output'] }],
  ['--output=json refund --reason x --', { has: ['--json'], lacks: ['--output', '--reason'] }],
  ['transfer --amount 1 --', { has: ['--key'], lacks: ['--amount', '--value'] }],
  ['transfer --to maria --', { has: ['--amount'], lacks: ['--key', '--key-type'] }],
  ['transfer --in-addition-to x --', { has: ['--in-addition-to'] }],
  ['sandbox pay --', { has: ['--late', '--json', '--profile'], lacks: ['--port'] }],
  ['sandbox --st', { only: ['--status-key'] }],
  ['profile add --', { lacks: ['--client-secret'] }],
  ['-o ', { only: ['text', 'json', 'csv'] }],
  ['refund -o j', { only: ['json'] }],
  ['refund --output=j', { only: ['--output=json'] }],
  ['refund -oj', { only: ['-ojson'] }],
  ['transfer --amount 10 --key-type ', { only: KEY_TYPES }],
  ['refund --id-field ', { only: ['originalTransactionId', 'idTransaction', 'both'] }],
  ['sandbox ', { has: ['start', 'exec', 'pay'], lacks: [ID] }],
  ['sandbox fault ', { has: ['list', 'NO_FUNDS', 'drop-after'], lacks: ['--async'] }],
  ['sandbox fault webhook:t', { only: ['webhook:twice'] }],
  ['sandbox start --signature ', { only: ['hex', 'base64'] }],
  ['completion ', { only: SHELLS }],
  ['-p ', { only: ['local'] }],
  ['status --profile=lo', { only: ['--profile=local'] }],
  ['status ', { only: [ID] }],
  [`status ${ID} `, { only: [ID] }],
  ['status --wait ', { only: [ID] }],
  ['status -- ', { only: [ID] }],
  ['status -- --', { only: [] }],
  ['refund --reason status ', { only: [ID] }],
  ['sandbox chargeback ', { only: [ID] }],
  [`refund ${ID} `, { has: ['--reason'], lacks: [ID, '-p'] }],
  ['transfer --amount ', { only: [] }],
  ['transfer ', { has: ['--key', '--amount'] }],
  ['transfer --to ', { only: ['marcos', 'maria'] }],
  ['transfer --to=mari', { only: ['--to=maria'] }],
  ['payee show mari', { only: ['maria'] }],
  ['payee remove ', { only: ['marcos', 'maria'] }],
  ['help ', { has: TOPICS_AND_COMMANDS, lacks: ['create'] }],
  ['help qr ', { only: ['create', 'draw', 'decode'] }],
  ['help --', { has: ['--man'] }],
  ['unknown ', { has: ['--help'], lacks: ['qr'] }],
  ['constructor ', { has: ['--help'], lacks: ['qr'] }],
  ['qr ""', { only: [] }],
])('completes pixgate %s', async (line, { only, has = only ?? [], lacks = [] }) => {
  const { directive, words } = await completed(line.split(' '))
  expect(directive).toBe('words')
  expect(words).toEqual(expect.arrayContaining([...has]))
  expect(
    words.filter((word) => (only !== undefined && !only.includes(word ?? '')) || lacks.includes(word ?? '')),
  ).toEqual([])
})

it.each([
  ['qr decode pic', 'files'],
  ['status --from pic', 'files'],
  ['status --from=pic', 'files'],
  ['qr create --png ', 'files'],
  ['payee import ', 'files'],
  ['sandbox exec ', 'command 2'],
  ['sandbox exec -- mkdi', 'command 3'],
  ['sandbox exec -q -- cat pic', 'command 4'],
])('leaves pixgate %s to the shell', async (line, directive) => {
  expect(await completed(line.split(' '))).toEqual({ directive, words: [], meanings: [] })
})

it('understands the two quotes that PowerShell passes in place of an empty word', async () => {
  expect(await answerCompletion(['qr', '""'], known.env)).toBe(await answerCompletion(['qr', ''], known.env))
})

it('says what everything means, in the language of the person', async () => {
  const portuguese = { ...known.env, PIXGATE_LANG: 'pt-BR', PIXGATE_OUTPUT: 'json' }
  const meaning = async (line: string) => (await completed(line.split(' '), portuguese)).meanings[0]
  expect(await meaning('refund')).toBe('devolve um pagamento recebido, no todo ou em parte')
  expect(await meaning('--lang en refund')).toBe('refund all or part of a received payment')
  expect(await meaning('refund --reason')).toMatch(/\p{L}{4}/u)
  expect(await meaning('help key')).toBe('Como as chaves Pix são escritas')
  expect(await meaning('status ')).toBe('cobrança R$ 10,00')
  expect(await meaning('payee show maria')).toBe('m***@example.com')
  expect(await meaning('-p ')).toBe('http://127.0.0.1:4010')
})

it('knows all commands, with one line for each and words that no shell takes apart', async () => {
  expect(JSON.parse(readFileSync(join(SCRIPTS, '..', 'dist', 'completion.json'), 'utf8'))).toEqual(
    JSON.parse(JSON.stringify(await completionTable())),
  )
  const said = await Promise.all(
    ['', '--', 'sandbox fault ', 'schema '].map((line) => answerCompletion(line.split(' '), known.env)),
  )
  for (const line of said.join('').trimEnd().split('\n')) expect(line).toMatch(/^[\w:.-]+(?:\t[^\t]+)?$/)
})

it.each(SHELLS)('prints the short script for %s', async (shell) => {
  const script = readFileSync(join(SCRIPTS, `pixgate.${shell}`), 'utf8')
  expect(await emptyWorld({ PIXGATE_OUTPUT: 'json' }).run(['completion', shell])).toEqual({
    exit: 0,
    stdout: script,
    stderr: '',
  })
  // PowerShell reads it in an old code page.
  expect(script).toMatch(/^[\n\x20-\x7e]+$/)
  expect(script).toMatch(/\bpixgate __complete '?--'? .*2>/)
  expect(script.split('\n').length - 1).toBeLessThanOrEqual(35)
})

it('has a script for each shell and no other', async () => {
  expect(readdirSync(SCRIPTS).sort()).toEqual(SHELLS.map((shell) => `pixgate.${shell}`).sort())
  const ran = await emptyWorld().run(['completion', 'tcsh'])
  expect([ran.exit, ran.stdout]).toEqual([2, ''])
  for (const shell of SHELLS) expect(ran.stderr).toContain(shell)
})

it('hides the command that the scripts call', async () => {
  const world = emptyWorld()
  expect((await world.run(['--help'])).stdout).not.toContain('__complete')
  expect((await world.run(['complete'])).stderr).not.toContain('__complete')
})

it('lists ids with the newest first, but none that a shell would run', async () => {
  const ids = ['first', '$(touch gone)', '--yes', 'last']
  const answers = [...ids]
  const url = await localServer((_, response) => response.end(JSON.stringify({ idTransaction: answers.shift() })))
  const world = emptyWorld({ PIXGATE_BASE_URL: url })
  for (const id of ids) {
    await world.prepare([
      'qr',
      'create',
      '--amount',
      '1',
      '--due-date',
      '2099-12-31',
      `--request-number=order-${ids.indexOf(id)}`,
    ])
  }
  expect(await world.prepare(['history', 'export'])).toContain('$(touch gone)')
  const offered = ['order-3', 'last', 'order-2', 'order-1', 'order-0', 'first']
  expect(await world.run(['__complete', '--', 'status', ''])).toEqual({
    exit: 0,
    stdout: `words\n${offered.map((id) => `${id}\tqr R$ 1,00\n`).join('')}`,
    stderr: '',
  })
})

it('waits for another process that closes the ledger', async () => {
  const world = await sandboxWorld()
  // On Node.js 20 a command in this process would keep the ledger open.
  expect((await world.run(['qr', 'create', '--amount', '1', '--request-number=order-1'])).exit).toBe(0)
  const running = await inLedger(world, async (database) => {
    database.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN IMMEDIATE')
    const started = world.run(['__complete', '--', 'status', ''])
    // A slower start of the command makes the test weaker, and never wrong.
    await setTimeout(400)
    database.exec('ROLLBACK')
    return { started }
  })
  expect((await running.started).stdout).toMatch(/^words\norder-1\t/)
})

it.each([
  ['no words', ['--'], {}],
  ['nothing recorded', ['--', 'status', ''], {}],
  ['a bad setting', ['--', 'status', ''], { PIXGATE_OUTPUT: 'yaml', PIXGATE_TIMEOUT: 'soon', PIXGATE_LANG: 'x' }],
  ['an unreadable data folder', ['--', 'status', ''], { PIXGATE_DATA_DIR: '/dev/null' }],
  ['an unknown profile', ['--', '-p', 'nobody', 'status', ''], {}],
  ['profiles that cannot be read', ['--', '-p', ''], { PIXGATE_CONFIG_DIR: '/dev/null' }],
  ['an option without its value', ['--', '-p'], {}],
])('prints nothing on stderr if there is %s', async (_, words, env) => {
  const { exit, stdout, stderr } = await emptyWorld(env).run(['__complete', ...words])
  expect([exit, stderr]).toEqual([0, ''])
  expect(stdout).toMatch(/^words\n/)
})

it('says nothing if the ledger is damaged', async () => {
  const world = emptyWorld()
  writeFileSync(join(world.home, 'ledger.db'), 'not a ledger\n')
  const ran = await world.run(['__complete', '--', 'status', ''], { env: { PIXGATE_DATA_DIR: world.home } })
  expect(ran).toMatchObject({ exit: 0, stdout: 'words\n' })
})
