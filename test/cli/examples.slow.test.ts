import { spawn } from 'node:child_process'
import { chmodSync, copyFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { Command } from 'commander'
import { afterAll, beforeAll, describe, expect, it, type TestContext } from 'vitest'
import { loadProgram } from '../../src/cli/program.ts'
import { writeBrCode } from '../../src/pix/brCode.ts'
import { SANDBOX_DEFAULTS } from '../../src/sandbox/sandboxOptions.ts'
import { signBody } from '../../src/wire/signature.ts'
import { inHome, pixgateWords } from '../docs/typing.ts'
import { runInProcess, startInProcess } from '../inProcess.ts'
import { type AtEnd, BINARY, NODE, type ProcessResult, sandboxWorld, type World } from '../world.ts'
import { listenHere } from './listener.ts'
import { inThisProcess } from './payments.ts'
import { people, planned } from './planPeople.ts'
import { writeEvent } from './sentPayments.ts'
import { withWebhooks } from './webhookExamples.ts'
import { startWebhookTarget } from './webhookTarget.ts'

const SAMPLE_ID = '0b935d10-3c90-4af3-8776-dd18622a7941'
const SAMPLE_RUN = 'run-5f0c2a9b1d3e'
const CODE = writeBrCode({ key: 'maria@example.com', merchantName: 'Maria', merchantCity: 'Recife', amountCents: 1000 })

/** Lines that run until they are stopped: they are ready when they say so, and end with 0 on SIGINT. */
const SERVERS = /^pixgate (?:sandbox|inspect|webhook listen|plan send --watch)(?: --.*)?$/
/** Lines that ask a person, and so end with 2 where there is none. */
const NEEDS_A_PERSON = /^pixgate profile (?:add (?:shop.*|joao .*)|edit shop|remove shop)$/
/** The server of the tests accepts every webhook. */
const NEEDS_A_REFUSAL = /--expect 401/
/** Lines that need the server of a shared ledger, which tests of their own start. */
const NEEDS_A_DATABASE = /^pixgate ledger (?:init [^ ]*|join .*|leave|repair.*)$/
/** Reads what a shop credits, which `webhookCheckState.slow.test.ts` starts. */
const NEEDS_A_SHOP = /--state-url/
/** Waits for plans until it is interrupted; `plans.test.ts` and its neighbours try it with people who approve. */
const NEEDS_PLANS = /--watch/
/** Lines that need what only some systems have. */
const NEEDS_A_KEYCHAIN = /--keychain/

const TYPED_SECRET = 'a-new-secret-from-stdin'

/** The example lines of each command. Some lines are on several pages. */
const examples = new Map(commandsOf(await loadProgram()).map((command) => [pathOf(command), linesOf(command)]))

function commandsOf(command: Command): Command[] {
  return [command, ...command.commands.flatMap(commandsOf)]
}

function pathOf(command: Command): string {
  return command.parent === null ? command.name() : `${pathOf(command.parent)} ${command.name()}`
}

/** The lines after `$` at the end of a help page, continued lines joined. */
function linesOf(command: Command): string[] {
  let help = ''
  command.configureOutput({ writeOut: (part) => (help += part) })
  command.outputHelp()
  const end = help.slice(help.indexOf('Examples:'))
  return [...end.replaceAll(/\\\n\s*/g, '').matchAll(/^ {2}\$ (.*)$/gm)].map((match) => match[1] ?? '')
}

function shell(world: World, line: string): Promise<{ exit: number; stderr: string }> {
  const child = spawn('sh', ['-c', line], {
    cwd: world.home,
    env: world.env,
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  child.stdin.on('error', () => undefined)
  child.stdin.end(TYPED_SECRET)
  const stderr = text(child.stderr)
  child.stdout.resume()
  const exit = new Promise<number>((resolve) => child.on('close', (code) => resolve(code ?? -1)))
  return Promise.all([exit, stderr]).then(([code, words]) => ({ exit: code, stderr: words }))
}

/** What takes all webhooks. */
let target: Awaited<ReturnType<typeof startWebhookTarget>>

beforeAll(async () => {
  target = await startWebhookTarget()
})
afterAll(() => target.close())

/** A home with everything that the examples speak of. */
async function prepared(line: string, atEnd: AtEnd): Promise<{ world: World; line: string }> {
  const world = await sandboxWorld(line.includes('--wait') ? { autoPayMs: 50 } : { autoSettleMs: 60_000 }, {}, atEnd)
  const bin = join(world.home, 'bin')
  mkdirSync(join(world.home, '.config', 'fish', 'completions'), { recursive: true })
  mkdirSync(bin)
  writeFileSync(join(bin, 'pixgate'), `#!/bin/sh\nexec '${NODE}' '${BINARY}' "$@"\n`)
  chmodSync(join(bin, 'pixgate'), 0o755)
  const env = {
    ...world.env,
    PATH: `${bin}:${world.env.PATH}`,
    SHOP_SECRET: 'secret-of-shop',
    DEV_SECRET: 'secret-of-dev',
  }
  Object.assign(env, { PROFILE: join(world.home, 'profile.ps1') })
  const id = /sandbox (?:return|fail)/.test(line) ? await transferOf(world.url) : await paymentOf(world.url, line)
  writeFileSync(join(world.home, 'order.json'), JSON.stringify({ amount: 10.5, requestNumber: 'order-17' }))
  writeFileSync(join(world.home, 'payments.csv'), `idTransaction,amount,status\n${id},25.00,PAID\n`)
  writeFileSync(join(world.home, 'code.txt'), `${CODE}\n`)
  writeFileSync(join(world.home, 'package.json'), JSON.stringify({ scripts: { test: 'true' } }))
  const ready = { ...world, env }
  writeFileSync(join(world.home, 'payroll.csv'), 'key,value\nmaria@example.com,10\n')
  writeFileSync(join(world.home, 'payees.csv'), 'name,key\nmaria,maria@example.com\n')
  writeFileSync(join(world.home, 'lista.csv'), 'chave;valor\nmaria@example.com;10,50\n')
  writeFileSync(join(world.home, 'returns.csv'), `originalTransactionId,amount,refundReason\n${id},5,damaged\n`)
  writeFileSync(join(world.home, 'estornos.csv'), `ID;Estorno\n${id};5,00\n`)
  const run = line.includes(SAMPLE_RUN) ? await doubtfulRun(ready) : SAMPLE_RUN
  if (/invoice-1[78]/.test(line) && /resume|history/.test(line)) await doubtfulTransfers(ready)
  if (line.includes('order-1005')) {
    await ready.prepare(['qr', 'create', '--amount', '25', '--request-number', 'order-1005'])
    await ready.prepare(['sandbox', 'pay', 'order-1005'])
  }
  if (line.includes('fault clear')) await ready.prepare(['sandbox', 'fault', 'NO_FUNDS'])
  const payee = /(?:--to|payee (?:show|edit|remove)) (\w+)/.exec(line)?.[1]
  if (payee !== undefined) await ready.prepare(['payee', 'add', payee, '--key', 'maria@example.com'])
  if (line.includes('history backup')) await doubtfulTransfers(ready)
  if (/--receipt|settle .*--event \d/.test(line)) {
    const data = { idTransaction: 'of-17', statusTransaction: 'PAID_OUT', value: 1 }
    await writeEvent(ready, new Date().toISOString(), { event: 'transfer.completed', data }, { baseUrl: world.url })
  }
  if (line.includes('--receipt')) {
    const paid = ['--as', 'paid', '--event', '1', '--because', 'seen in the dashboard']
    await ready.prepare(['history', 'settle', 'invoice-17', ...paid])
  }
  if (line.includes('november.')) {
    await doubtfulTransfers(ready)
    const rows = ['invoice-17;1,00;01/11/2026', 'invoice-18;1,00;30/11/2026']
    for (const name of ['invoice-17', 'invoice-18']) {
      await ready.prepare(['history', 'settle', name, '--as', 'paid', '--because', 'seen in the dashboard'])
    }
    writeFileSync(join(world.home, 'november.csv'), ['Transação;Valor;Data', ...rows, ''].join('\n'))
    const entries = [...rows, 'fee;9,90;30/11/2026'].map((row) => {
      const [id = '', amount = '', day = ''] = row.split(';')
      const posted = day.split('/').toReversed().join('')
      return `<STMTTRN><DTPOSTED>${posted}<TRNAMT>-${amount}<FITID>${id}<MEMO>${id === 'fee' ? 'TARIFA' : 'PIX'}`
    })
    writeFileSync(join(world.home, 'november.ofx'), `OFXHEADER:100\n\n<OFX>${entries.join('\n')}</OFX>\n`)
  }
  if (/\bshop\b/.test(line) && !line.includes('profile add shop')) await storedProfile(ready, world.url)
  if (line.includes('--revoke'))
    await ready.prepare(['profile', 'edit', 'shop', '--approvers', threeApprovers(world.home)])
  if (line.includes('screenshot.png') || line.includes('code.png')) {
    await ready.prepare(['qr', 'create', '--amount', '1', '--png', join(world.home, 'screenshot.png')])
  }
  if (line.includes('--callback-url listen')) await listenHere(ready, [], {}, atEnd)
  if (/plan\.json|plan send/.test(line)) await waitingPlan(ready, line)
  if (line.includes('events.jsonl')) writeFileSync(join(world.home, 'events.jsonl'), keptEvent())
  const filled = line.startsWith('pixgate webhook') ? await withWebhooks(ready, line, target.url) : line
  const isAsking =
    /^pixgate (?:(?:batch )?(?:refund|transfer|resume)|plan (?:approve|send)|payee edit)/.test(line) &&
    !/--yes|--dry-run/.test(line)
  return {
    world: ready,
    line: filled
      .replaceAll(SAMPLE_ID, id)
      .replaceAll('<id>', id)
      .replaceAll(SAMPLE_RUN, run)
      .replace(/(settle .*--event) \d+/, '$1 1')
      .replace(/00020126\S*…\S*/, `'${CODE}'`)
      .replace(/^pixgate sandbox(?=$| --host)/, 'pixgate sandbox --port 0')
      .replace(/^pixgate inspect$/, 'pixgate inspect --port 0')
      .replace(/--inspect$/, '--inspect 0')
      .concat(isAsking ? ' --yes' : ''),
  }
}

/** A payment that is paid, unless the example is about one that is not. */
async function paymentOf(url: string, line: string): Promise<string> {
  const headers = { authorization: `Bearer ${SANDBOX_DEFAULTS.clientSecret}`, 'content-type': 'application/json' }
  const body = { requestNumber: 'o', dueDate: '2999-01-01', amount: 25, callbackUrl: 'http://127.0.0.1:9/' }
  const path = '/api/v2/gateway/request-qrcode'
  const created = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) })
  const { idTransaction } = (await created.json()) as { idTransaction: string }
  if (/sandbox (?:pay|expire|cancel)/.test(line)) return idTransaction
  await fetch(`${url}/sandbox/pay`, { method: 'POST', body: JSON.stringify({ id: idTransaction }) })
  return idTransaction
}

async function transferOf(url: string): Promise<string> {
  const { clientId: ci, clientSecret: cs } = SANDBOX_DEFAULTS
  const body = { value: 1, key: 'maria@example.com', typeKey: 'email', callbackUrl: 'http://127.0.0.1:9/' }
  const init = { method: 'POST', headers: { ci, cs }, body: JSON.stringify(body) }
  const answer = await fetch(`${url}/api/v1/gateway/pix-payment`, init)
  return ((await answer.json()) as { idTransaction: string }).idTransaction
}

async function doubtfulTransfers(world: World & { url: string }): Promise<void> {
  for (const externalId of ['invoice-17', 'invoice-18']) {
    await fetch(`${world.url}/sandbox/fault`, { method: 'POST', body: JSON.stringify({ kind: 'drop-after' }) })
    const payment = ['--key', `${externalId}@example.com`, '--amount', '1', '--external-id', externalId]
    await inThisProcess(world).run(['transfer', ...payment, '--yes'])
  }
}

/** A run of which one row has an unknown outcome. */
async function doubtfulRun(world: World & { url: string }): Promise<string> {
  await fetch(`${world.url}/sandbox/fault`, { method: 'POST', body: JSON.stringify({ kind: 'drop-after' }) })
  await inThisProcess(world).run(['batch', 'transfer', join(world.home, 'payroll.csv'), '--yes'])
  return JSON.parse(await world.prepare(['batch', 'list', '-o', 'json']))[0].run
}

/** A plan that somebody else made; one to send is approved. */
async function waitingPlan({ home, prepare }: World, line: string): Promise<void> {
  const keys = people(afterAll, 'maria', 'joao')
  mkdirSync(join(home, '.ssh'))
  for (const end of ['', '.pub']) copyFileSync(keys.joao.file + end, join(home, '.ssh', `id_ed25519${end}`))
  const file = await planned({ home, prepare }, ['transfer', '--key', 'a@b.co', '--amount', '1'], keys.maria)
  if (line.includes('plan send')) await prepare(['plan', 'approve', file, '--yes'])
}

/** A list of three people who may approve. */
function threeApprovers(home: string): string {
  const path = join(home, 'approvers')
  const lines = Object.entries(people(afterAll, 'ana', 'bruno', 'carla'))
  writeFileSync(path, lines.map(([name, { line }]) => `${name} namespaces="pixgate" ${line}\n`).join(''))
  return path
}

/** A line of what a receiver of the user's own kept. */
function keptEvent(): string {
  const body = JSON.stringify({ event: 'pix.received', data: { idTransaction: SAMPLE_ID, status: 'PAID', amount: 1 } })
  return JSON.stringify({ body, signature: signBody(Buffer.from(body), SANDBOX_DEFAULTS.clientSecret) })
}

async function storedProfile(world: World, url: string): Promise<void> {
  await world.prepare(['profile', 'add', 'shop', '--base-url', url, '--client-id', 'local', '--client-secret-stdin'], {
    stdin: SANDBOX_DEFAULTS.clientSecret,
  })
}

it('every command has examples', async () => {
  const commands = commandsOf(await loadProgram()).filter((command) => !command.name().startsWith('__'))
  expect(commands.map(pathOf).filter((path) => (examples.get(path) ?? []).length === 0)).toEqual([])
})

describe('the examples of the help pages run', () => {
  const lines = [...new Set([...examples.values()].flat())]
  const excluded = [NEEDS_A_KEYCHAIN, NEEDS_A_REFUSAL, NEEDS_A_SHOP, NEEDS_A_DATABASE, NEEDS_PLANS]
  const runnable = lines.filter((line) => !excluded.some((needs) => needs.test(line)))
  const needsProcess = (line: string) => pixgateWords(line) === undefined
  it.concurrent.for(runnable.filter(needsProcess))('%s', runs)
  it.for(runnable.filter((line) => !needsProcess(line)))('%s', runsInThisProcess)
})

async function runs(line: string, { onTestFinished }: TestContext): Promise<void> {
  const { world, line: filled } = await prepared(line, onTestFinished)
  assertDone(line, await shell(world, filled))
}

async function runsInThisProcess(line: string, { onTestFinished }: TestContext): Promise<void> {
  const { world, line: filled } = await prepared(line, onTestFinished)
  const words = pixgateWords(filled) ?? []
  assertDone(
    line,
    await inHome(world, () =>
      SERVERS.test(line) ? startedAndStopped(words, world) : runInProcess(words, world.env, { stdin: TYPED_SECRET }),
    ),
  )
}

async function startedAndStopped(words: readonly string[], { env }: World): Promise<ProcessResult> {
  const { ready, interrupt, ended } = startInProcess(words, env)
  await ready
  interrupt()
  return ended
}

function assertDone(line: string, { exit, stderr }: { exit: number; stderr: string }): void {
  expect(stderr).not.toContain('defect')
  expect([exit, exit === 0 || NEEDS_A_PERSON.test(line) ? '' : stderr]).toEqual([NEEDS_A_PERSON.test(line) ? 2 : 0, ''])
}
