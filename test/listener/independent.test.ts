import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { SANDBOX_DEFAULTS } from '../../src/sandbox/sandboxOptions.ts'
import { startSandbox } from '../../src/sandbox/sandboxServer.ts'
import { freePort } from '../freePort.ts'
import { here } from '../inProcess.ts'
import { emptyWorld, type World } from '../world.ts'

const PROGRAM = 'webhook'
const isInstalled = spawnSync(PROGRAM, ['-version']).status === 0
if (!isInstalled) {
  process.stderr.write('WITHOUT the program `webhook` (adnanh/webhook) NO INDEPENDENT RECEIVER IS TRIED: skipped\n')
}
const itWithProgram = isInstalled ? it : it.skip

const SECRET = 'local-secret'
const TAKEN = [200, 'taken']
const UNSIGNED = [403, 'Hook rules were not satisfied.']
/** This receiver takes a wrong signature for an error in evaluating its rules. */
const WRONG = [500, 'Error occurred while evaluating hook rules.']

/** Debian's receiver, which runs a command for what is signed with this secret. Its hook's URL. */
async function independentReceiver(world: World, secret = SECRET): Promise<string> {
  const hooks = join(world.home, 'hooks.json')
  const signature = { type: 'payload-hmac-sha256', secret, parameter: { source: 'header', name: 'X-Signature' } }
  const hook = {
    id: 'pix',
    'execute-command': '/bin/cat',
    'pass-arguments-to-command': [],
    'response-message': 'taken',
    'trigger-rule': { match: signature },
    'trigger-rule-mismatch-http-response-code': UNSIGNED[0],
  }
  writeFileSync(hooks, JSON.stringify([hook]))
  const port = await freePort()
  const child = spawn(PROGRAM, ['-hooks', hooks, '-ip', '127.0.0.1', '-port', String(port), '-verbose'], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  await new Promise<void>((resolve, reject) => {
    let log = ''
    child.stderr.on('data', (chunk: Buffer) => {
      log += chunk.toString('utf8')
      if (log.includes('serving hooks on')) resolve()
    })
    child.on('close', () => reject(new Error(`the receiver ended: ${log}`)))
  })
  return `http://127.0.0.1:${port}/hooks/pix`
}

/** Status and body of the answer to what `send` sends. */
async function answerTo(world: World, url: string, ...words: string[]): Promise<unknown> {
  const { stdout } = await here(world)(['webhook', 'send', ...words, '--to', url, '-o', 'json'])
  const { status, body } = JSON.parse(stdout)
  return [status, body]
}

/** What curl is answered for these bytes under this signature. */
function curl(url: string, body: string, signature: string): unknown {
  const headers = ['-H', 'Content-Type: application/json', '-H', `X-Signature: ${signature}`]
  const args = ['-s', '-w', '\n%{http_code}', ...headers, '--data-binary', '@-', url]
  const [text, status] = execFileSync('curl', args, { input: body, encoding: 'utf8' }).split('\n')
  return [Number(status), text]
}

itWithProgram('takes every sample that is sent, and rejects what is signed wrongly, or not', async () => {
  const world = emptyWorld()
  const url = await independentReceiver(world)
  for (const event of ['pix.received', 'refund.status', 'transfer.completed', 'transfer.failed', 'payment']) {
    expect([event, await answerTo(world, url, event)]).toEqual([event, TAKEN])
  }
  const repeated = ['refund.status', '--repeated-key', '--set', 'data.amount=1.00']
  expect(await answerTo(world, url, ...repeated)).toEqual(TAKEN)
  expect(await answerTo(world, url, 'pix.received', '--unsigned')).toEqual(UNSIGNED)
  expect(await answerTo(world, url, 'pix.received', '--bad-signature')).toEqual(WRONG)
})

itWithProgram('takes what is signed, and rejects it once it is altered', async () => {
  const world = emptyWorld()
  const url = await independentReceiver(world)
  const body = '{"event":"pix.received","data":{"idTransaction":"a","amount":10.50}}'
  const { stdout } = await world.run(['webhook', 'sign', '--body', '-'], { stdin: body })
  const signature = stdout.trim()
  expect(curl(url, body, signature)).toEqual(TAKEN)
  for (const altered of [body.replace('10.50', '10.5'), `${body}\n`, body.replace('"a"', '"b"')]) {
    expect(curl(url, altered, signature)).toEqual(WRONG)
  }
  expect(
    curl(
      url,
      body,
      signature.replace(/.$/, (last) => (last === '0' ? '1' : '0')),
    ),
  ).toEqual(WRONG)
  const other = await independentReceiver(emptyWorld(), 'another secret')
  expect(curl(other, body, signature)).toEqual(WRONG)
})

itWithProgram('takes what the sandbox delivers, and rejects what it spoils on purpose', async () => {
  const world = emptyWorld()
  const callbackUrl = await independentReceiver(world)
  const notices: string[] = []
  const sandbox = await startSandbox({
    ...SANDBOX_DEFAULTS,
    port: 0,
    deliverAttempts: 1,
    now: () => Date.now(),
    newId: () => crypto.randomUUID(),
    onLog: (entry) => notices.push(JSON.stringify(entry)),
  })
  onTestFinished(() => sandbox.close())
  for (const fault of [undefined, 'webhook:unsigned', 'webhook:bad-signature']) {
    if (fault !== undefined) await control(sandbox.url, 'fault', { kind: fault })
    await pay(sandbox.url, callbackUrl)
  }
  await expect.poll(() => deliveries(sandbox.url), { timeout: 20_000 }).toEqual([TAKEN[0], UNSIGNED[0], WRONG[0]])
})

async function control(url: string, action: string, body: object): Promise<void> {
  const response = await fetch(`${url}/sandbox/${action}`, { method: 'POST', body: JSON.stringify(body) })
  if (!response.ok) throw new Error(`the sandbox answered ${response.status} to ${action}`)
}

async function pay(url: string, callbackUrl: string): Promise<void> {
  const response = await fetch(`${url}/api/v2/gateway/request-qrcode`, {
    method: 'POST',
    headers: { authorization: `Bearer ${SECRET}` },
    body: JSON.stringify({ requestNumber: '1', dueDate: '2099-12-31', amount: 25.5, callbackUrl }),
  })
  const { idTransaction } = (await response.json()) as { idTransaction: string }
  await control(url, 'pay', { id: idTransaction })
}

async function deliveries(url: string): Promise<unknown[]> {
  const response = await fetch(`${url}/sandbox/state`)
  const state = (await response.json()) as { deliveries: { status: unknown }[] }
  return state.deliveries.map(({ status }) => status)
}
