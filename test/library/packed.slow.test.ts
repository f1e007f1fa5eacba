import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { NODE } from '../world.ts'

const ROOT = join(import.meta.dirname, '..', '..')
const TSC = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc')

const STEPS = `
  const created = await fetch(sandbox.url + '/api/v2/gateway/request-qrcode', {
    method: 'POST',
    headers: { authorization: 'Bearer ' + sandbox.clientSecret },
    body: JSON.stringify({ requestNumber: 'order-7', dueDate: '2099-01-01', amount: 10, callbackUrl: 'http://127.0.0.1:1/' }),
  })
  const { idTransaction } = await created.json()
  await sandbox.pay('order-7')
  const { body, signature, event } = await sandbox.waitForDelivery({ idTransaction })
  await sandbox.close()
  const { valid } = verifyWebhook(body, signature, sandbox.clientSecret)
  console.log(JSON.stringify({ event, valid, same: signWebhook(body, sandbox.clientSecret) === signature }))
`

const TYPED = `
  const sandbox: Sandbox = await startSandbox({ balance: 100, webhookStyle: 'php' })
  const paid = await sandbox.pay('order-7', { late: true })
  if (paid.type === 'payment') paid.chargedBack.toFixed(2)
  await sandbox.fault('drop-after', { on: 'transfer', times: 2 })
  await sandbox.advance('31d')
  const [fault] = await sandbox.faults()
  const on: string | null | undefined = fault?.on
  const [request] = await sandbox.requests({ failed: true })
  const status: number | null | undefined = request?.status
  await using other = await startSandbox({ seed: 'a', now: new Date(0) })
  // @ts-expect-error: there is no such fault
  await other.fault('drop')
  const state = await sandbox.state()
  const balance: number = state.balance
  const delivery = await sandbox.waitForDelivery({ event: 'pix.received' })
  const outcome: 'waiting' | 'delivered' | 'given-up' | 'lost' = delivery.outcome
  const verdict = verifyWebhook(new Uint8Array(), delivery.signature, 'secret')
  const reason: 'missing' | 'malformed' | 'mismatch' | null = verdict.reason
  const isCut = verdict.cause === 'trailing-newline'
  // @ts-expect-error: there is no such cause
  const isOther = verdict.cause === 'weather'
  const signature: string = signWebhook('{}', 'secret')
  // @ts-expect-error: there is no such style
  await startSandbox({ webhookStyle: 'cobol' })
  // @ts-expect-error: a signature covers bytes, not an object
  signWebhook({}, 'secret')
  return [balance, outcome, reason, signature, on, status, isCut, isOther]
`

/** A project that has this package installed as it would be published. */
let project: string
/** The files of the package. */
let paths: readonly string[]

beforeAll(() => {
  project = mkdtempSync(join(tmpdir(), 'pixgate-packed-'))
  const installed = join(project, 'node_modules', 'pixgate')
  mkdirSync(installed, { recursive: true })
  const told = execFileSync('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', project], {
    cwd: ROOT,
    encoding: 'utf8',
  })
  const [packed]: { filename: string; files: { path: string }[] }[] = JSON.parse(told)
  paths = packed?.files.map(({ path }) => path) ?? []
  execFileSync('tar', ['-xzf', join(project, packed?.filename ?? ''), '-C', installed, '--strip-components=1'])
})

afterAll(() => rmSync(project, { recursive: true, force: true }))

function runScript(name: string, text: string): unknown {
  writeFileSync(join(project, name), text)
  return JSON.parse(execFileSync(NODE, [join(project, name)], { encoding: 'utf8' }))
}

const RESULT = { event: 'pix.received', valid: true, same: true }
const WAIT_FOR_ONE_ATTEMPT = '{ deliverAttempts: 1 }'

test('the package holds only the program, its completions and its documentation', () => {
  expect(paths.filter((path) => !/^(?:bin|completions|dist|docs|examples|man|skills)\//.test(path)).sort()).toEqual([
    'CHANGELOG.md',
    'LICENSE',
    'README.md',
    'README.pt-BR.md',
    'package.json',
  ])
  expect(paths).toEqual(
    expect.arrayContaining([
      'bin/pixgate.js',
      'completions/pixgate.bash',
      'dist/main.js',
      'man/pixgate.1',
      'skills/pixgate/SKILL.md',
      'dist/THIRD-PARTY-LICENSES.txt',
    ]),
  )
})

test('an ES module starts a sandbox, waits for a webhook and verifies it', () => {
  const text = `
    import { startSandbox } from 'pixgate/sandbox'
    import { signWebhook, verifyWebhook } from 'pixgate/webhooks'
    const sandbox = await startSandbox(${WAIT_FOR_ONE_ATTEMPT})
    ${STEPS}`
  expect(runScript('esm.mjs', text)).toEqual(RESULT)
})

test('so does a CommonJS module', () => {
  const text = `
    const { startSandbox } = require('pixgate/sandbox')
    const { signWebhook, verifyWebhook } = require('pixgate/webhooks')
    async function main() {
      const sandbox = await startSandbox(${WAIT_FOR_ONE_ATTEMPT})
      ${STEPS}
    }
    void main()`
  expect(runScript('cjs.cjs', text)).toEqual(RESULT)
})

test('both are typed, without the types of Node.js', () => {
  const imports = `
    import { type Sandbox, startSandbox } from 'pixgate/sandbox'
    import { signWebhook, verifyWebhook } from 'pixgate/webhooks'`
  for (const name of ['typed.mts', 'typed.cts']) {
    writeFileSync(join(project, name), `${imports}\nexport async function run(): Promise<unknown[]> {${TYPED}}\n`)
  }
  const compilerOptions = {
    target: 'es2023',
    lib: ['es2023'],
    module: 'nodenext',
    strict: true,
    noEmit: true,
    skipLibCheck: false,
    types: [],
  }
  const config = JSON.stringify({ compilerOptions, files: ['typed.mts', 'typed.cts'] })
  writeFileSync(join(project, 'tsconfig.json'), config)
  expect(execFileSync(NODE, [TSC, '-p', project], { encoding: 'utf8' })).toBe('')
})
