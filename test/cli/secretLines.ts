import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { answerCompletion } from '../../src/cli/complete.ts'
import { leaksIn } from './canaries.ts'
import { useBatches } from './secretBatch.ts'
import { useHistory } from './secretHistory.ts'
import { playSandbox, sandboxOptions } from './secretSandbox.ts'
import type { SecretWorld } from './secretWorld.ts'

/** The client id of every place. */
export const CLIENT_ID = 'client-id-canary-5521'
export const CALLBACK = 'http://127.0.0.1:9/pix'
const COMPANY = ['--company', 'Loja Azul Ltda', '--company-document', '11.222.333/0001-81']

/** Where the lines lead: a sandbox that knows the secret. */
export interface Place {
  url: string
  clientId: string
  secret: string
}

/** Drives `profile add`, and leaves `shop` (stored, active), `env` and `cmd`. */
export async function addProfiles({ line, elsewhere }: SecretWorld, { url, clientId, secret }: Place): Promise<void> {
  const file = join(elsewhere, 'secret')
  writeFileSync(file, secret)
  const where = ['--base-url', url, '--client-id', clientId]
  const all = ['--environment', 'sandbox', '--callback-url', CALLBACK, '--max-amount', '1000', '--max-day', '100000']
  all.push(...COMPANY, '--confirm-host', new URL(url).host)
  await line(0, ['profile', 'add', 'shop', ...where, ...all, '--client-secret-stdin', '-v'], { stdin: secret })
  const env = { SHOP_KEPT: secret }
  await line(0, ['profile', 'add', 'env', ...where, '--client-secret-env', 'SHOP_KEPT', '--read-only', '--no-test'], {
    env,
  })
  await line(0, ['profile', 'add', 'cmd', ...where, '--client-secret-command', `cat '${file}'`, '-o', 'json'])
  const wrong = ['profile', 'add', 'wrong', ...where]
  const mistakes = [
    ['--client-secret', secret],
    [`--client-secret=${secret}`],
    ['--client-secret-stdin', secret],
    [secret],
    [secret, '--client-secret-stdin'],
    ['--client-secret', `-${secret}`],
    ['--client-secret', 'x', secret],
    [`--secret=${secret}`],
    ['--client-secret-env', secret],
    ['--client-secret-env', `$${secret}`],
    ['--client-secret-env', secret, '--client-secret-env', 'x'],
    ['--client-secret-command', secret, '--client-secret-command', 'x'],
    ['--client-secret-command', 'true', '--keychain'],
    ['--client-secret-stdin', '--base-url', `https://me:${secret}@gateway.example`],
    ['--client-secret-stdin', '--callback-url', `ftp://me:${secret}@gateway.example`],
  ]
  for (const words of mistakes) {
    await line(2, [...wrong, ...words], { stdin: secret })
    await line(2, [...wrong, ...words, '--json'], { stdin: secret })
  }
  for (const scheme of ['https', 'http', 'htp', '']) {
    await line(2, ['status', 'x', '--base-url', `${scheme}://me:${secret}@gateway.example`])
  }
  await line(2, [...wrong, '--client-secret-stdin'], { stdin: `${secret}\nmore` })
  await line(2, [...wrong, '--client-secret-stdin', '-o', 'csv'], { stdin: secret })
  await line(2, ['profile', 'add', 'shop', ...where, '--client-secret-stdin'], { stdin: secret })
}

/** Drives the other profile commands; `shop` stays as it is. */
export async function changeProfiles(world: SecretWorld, { url, secret }: Place): Promise<void> {
  const { line } = world
  for (const format of ['text', 'json', 'csv']) {
    await line(0, ['profile', 'list', '-o', format], { env: { SHOP_KEPT: secret } })
  }
  await line(0, ['profile', 'list', '-o', 'json', '--fields', 'name,secret.masked,secret'])
  for (const name of ['shop', 'env', 'cmd']) {
    await line(0, ['profile', 'show', name], { env: { SHOP_KEPT: secret } })
    await line(0, ['profile', 'show', '-p', name, '--json', '-v'], { env: { SHOP_KEPT: secret } })
  }
  await line(0, ['profile', 'use', 'env'])
  await line(0, ['profile', 'use', 'shop', '--json'])
  const stdin = secret
  const plain = ['--environment', 'production', '--client-id', 'other', '--callback-url', CALLBACK, ...COMPANY]
  const limits = ['--max-amount', '5', '--max-day', '50', '--no-read-only', '--base-url', 'https://gateway.example']
  await line(0, ['profile', 'edit', 'cmd', ...plain, ...limits, '--client-secret-stdin', '--name', 'moved'], { stdin })
  await line(2, ['profile', 'edit', 'moved', '--base-url', url])
  const limitless = ['--no-max-amount', '--no-max-day', '--read-only', '--confirm-host', 'gateway.example']
  const clearing = [...limitless, '--no-callback-url', '--no-company', '--no-company-document']
  await line(0, ['profile', 'edit', 'moved', ...clearing, '--client-secret-command', 'pass show', '--json'])
  await line(0, ['profile', 'edit', 'moved', '--client-secret-env', 'SHOP_KEPT'], { env: { SHOP_KEPT: secret } })
  await line(0, ['profile', 'edit', 'moved', '--keychain', '--base-url', url], { stdin })
  for (const words of [['--client-secret', secret], [secret], ['--client-secret', `-${secret}`]]) {
    await line(2, ['profile', 'edit', 'moved', ...words])
  }
  await line(2, ['profile', 'remove', 'moved'])
  await line(0, ['profile', 'remove', 'moved', '--confirm-host', new URL(url).host])
  await line(2, ['profile'])
}

/** Drives what asks, pays and looks, as whichever source the environment names. */
export async function useGateway(world: SecretWorld, env: Record<string, string>): Promise<void> {
  const { home } = world
  const line: SecretWorld['line'] = (exit, args, options) =>
    world.line(exit, args, { ...options, env: { ...env, ...options?.env } })
  const order = ['--request-number', 'order-1', '--due-date', '+3d', '--callback-url', CALLBACK, '--amount', '10,50']
  const payer = ['--payer-name', 'Ana', '--payer-tax-id', '52998224725', '--payer-email', 'ana@example.com']
  const extras = ['--shipping-amount', '1', '--checkout-user', 'u', '--split-username', 'p', '--split-percentage', '10']
  await line(0, ['qr', 'create', ...order, ...payer, ...extras, '--dry-run', '-v'])
  await line(0, ['qr', 'create', ...order, '--dry-run', '--json'])
  const png = ['--png', join(home, 'code.png'), '--qr']
  await line(0, ['qr', 'create', ...order, ...payer, ...extras, ...png, '-v'])
  await line(2, ['qr', 'create', ...order, '--no-qr'])
  const wait = ['--wait=1ms', '--interval', '1ms']
  const created = await line(8, ['qr', 'create', ...order, '--from', '-', '--again', ...wait, '-o', 'json'], {
    stdin: '{"dueDate":"2030-01-01"}',
  })
  const { idTransaction, paymentCode } = JSON.parse(created.stdout.split('\n')[0] ?? '')
  await line(0, ['qr', 'draw', paymentCode, '--qr'])
  await line(0, ['qr', 'draw', paymentCode, '--no-qr'])
  await line(0, ['qr', 'decode', paymentCode, '--json'])
  await line(0, ['sandbox', 'pay', idTransaction])
  await line(0, ['status', idTransaction, '--expect', 'PAID', '-v'])
  await line(1, ['status', idTransaction, '--expect', 'EXPIRED', '--json', '--fields', 'status,pixgate.outcome'])
  await line(3, ['status', idTransaction, crypto.randomUUID(), ...wait, '-o', 'csv', '--no-color'])
  await line(0, ['status', '--from', '-'], { stdin: `${idTransaction}\n` })

  const refund = ['refund', idTransaction, '--reason', 'twice', '--callback-url', CALLBACK]
  await line(0, [...refund, '--dry-run', '--amount', '1'])
  await line(0, [...refund, '--amount', '1', '--id-field', 'both', '--yes', '-v'])
  await line(0, [...refund, '--amount', '1', '--again', '--skip-query', '--despite-chargeback', '--yes', '--json'])
  await line(2, [...refund, '--full', '--no-input'])
  await line(2, [...refund, '--amount', '1', '--in-addition-to', 'nothing', '--yes'])
  await line(2, [...refund, '--amount', '1', '--again', '--wait=1ms', '--yes', '-v'])

  const transfer = ['transfer', '--key', 'maria@example.com', '--callback-url', CALLBACK]
  const once = [...transfer, '--amount', '5', '--external-id', 'invoice-1', '--key-type', 'email']
  await line(0, [...once, '--dry-run', '--owner', '52998224725'])
  await line(0, [...once, '--dry-run', '--document', '52998224725', '--json'])
  await line(0, [...once, '--yes', '-v', '--timeout', '20s'])
  await line(2, [...transfer, '--value', '5', '--yes', '--json'])
  await line(0, [...transfer, '--value', '5', '--yes', '--again', '-q'])
  await line(2, [...transfer, '--value', '5', '--yes', '--in-addition-to', 'invoice-9'])
  await line(2, [...transfer, '--amount', '5'])
  await line(2, [...transfer, '--amount', '5', '--again', '--wait=1ms', '--yes', '--json'])
  await line(2, ['transfer', '--key', 'maria@example.com', '--amount', '5', '--callback-url', 'listen', '--yes', '-v'])
  await line(0, ['sandbox', 'fault', 'drop-after', '--times', '1'])
  await line(5, [...transfer, '--amount', '7', '--external-id', 'invoice-2', '--yes', '-v'])
  await line(0, ['resume', 'invoice-2', '--dry-run'])
  await line(0, ['transfer', '--retry', 'invoice-2', '--dry-run', '--include-unknown', '--json'])
  await line(0, ['resume', 'invoice-2', '--yes', '-v'])
  await useBatches({ ...world, line }, CALLBACK)
  await useHistory({ ...world, line }, idTransaction)
  for (const format of ['text', 'json', 'csv']) await line(0, ['webhook', 'events', '-o', format])
  const pickedEvents = ['--since', '1h', '--last', '5', '--failed']
  await line(0, ['webhook', 'events', ...pickedEvents])
  await line(0, ['webhook', 'events', 'list', ...pickedEvents, '--json'])
  for (const command of [[], ['list']]) await line(0, ['webhook', 'events', ...command, '--all-rows'])
  await line(3, ['webhook', 'events', 'show', 'invoice-1', '--unmask'])
  await line(3, ['webhook', 'events', 'show', 'invoice-1', '--raw'])
  const wrong = ['--signature', '0'.repeat(64), '--recover', join(home, 'original.json')]
  for (const more of ['-v', '--json']) {
    await line(1, ['webhook', 'verify', '--body', '-', ...wrong, more], { stdin: '{"amount":1}' })
  }
  await line(1, ['webhook', 'verify', '--request', '-'], { stdin: 'X-Signature: x\n\n{}' })
  await line(3, ['webhook', 'verify', '--event', '99999'])
  await line(3, ['webhook', 'verify', '--last-refused', '7'])
  await line(0, ['status', 'invoice-1', '--unmask', '--json'])
  await line(1, ['status', '--from', '-'], { stdin: 'externalId,amount\ninvoice-1,999\n' })
  // An id is not a secret: without it the setup could not be checked.
  expect((await line(0, ['doctor', '-v'])).stdout).toContain(CLIENT_ID)
  await line(0, ['doctor', '--json'])
  await playSandbox(line, order)
  await signAndSend(line)
  await listen(line)
}

/** Drives what signs webhooks and sends them. */
async function signAndSend(line: SecretWorld['line']): Promise<void> {
  const stdin = '{"data":{"amount":1}}'
  const base64 = ['--signature-encoding', 'base64']
  await line(0, ['webhook', 'sign', '--body', '-', '-v'], { stdin })
  await line(0, ['webhook', 'sign', '--body', '-', ...base64, '--json'], { stdin })
  const edit = ['--set', 'data.amount=10.50']
  await line(6, ['webhook', 'send', 'pix.received', '--to', CALLBACK, '-v', ...edit])
  await line(6, ['webhook', 'send', '--body', '-', '--to', CALLBACK, ...edit, ...base64, '--json'], { stdin })
  await line(6, [
    'webhook',
    'send',
    'payment',
    '--to',
    CALLBACK,
    '--times',
    '2',
    '--at-once',
    '--unsigned',
    '-o',
    'csv',
  ])
  await line(6, ['webhook', 'send', 'refund.status', '--to', CALLBACK, '--repeated-key', '--bad-signature'])
  await line(0, ['webhook', 'send', 'payment', '--to', CALLBACK, '--dry-run', '--curl'])
  await line(6, ['webhook', 'send', 'payment', '--to', CALLBACK, '--expect', '401', '--webhook-style', 'php'])
  await line(0, ['webhook', 'replay', '--failed', '--since', '1h', '--expect', '200', ...edit, '-v'])
  await line(3, ['webhook', 'replay', '--last', '--to', CALLBACK, '--json'])
  await line(3, ['webhook', 'replay', '--last', '--to', CALLBACK, '--dry-run'])
  const check = [
    'webhook',
    'check',
    CALLBACK,
    '--state-url',
    CALLBACK,
    '--header',
    'X-Env: a',
    ...edit,
    ...base64,
    '--order',
    'abc',
  ]
  await line(6, [...check, '-v'])
  await line(3, ['webhook', 'replay', '1', '--body', '-', ...edit], { stdin })
}

/** Drives the listener. */
async function listen(line: SecretWorld['line']): Promise<void> {
  const free = ['webhook', 'listen', '--port', '0', '--fail-on-forward']
  const forward = ['--forward-to', CALLBACK, '--header', 'X-Env: a', '--drop-duplicates', '--events', 'pix.received']
  const shown = ['--print-body', '--unmask', '--path', '/pix', '--host', '127.0.0.1', '--allow-unsigned', '-v']
  await line(0, [...free, ...forward, ...shown], { interruptAt: 'listens at' })
  await line(0, [...free, '--route', `pix.*=${CALLBACK}`, '-v'], { interruptAt: 'listens at' })
  await line(0, [...free, '--public-url', 'https://shop.example/pix', '--json'], { interruptAt: 'ready' })
  await line(6, [...free, '--tunnel', 'echo https://127.0.0.1:1', '-v'])
  await line(0, [...free, '--tunnel', 'echo https://127.0.0.1:1; exec sleep 60', '-v'], { interruptAt: 'listens at' })
  await line(8, [...free, '--max-events', '1', '--for', '1ms', '-v'])
  await line(0, [...free, '--timeout', '1ms', '--json'])
  await line(2, [...free, '--for', 'x', '--json'])
  await line(0, [...free, '--inspect', '0', '-v'], { interruptAt: 'inspect at' })
  await line(0, ['inspect', '--port', '0', '--unmask', '-v'], { interruptAt: 'inspect at' })
}

/** Drives what needs no gateway of its own. */
export async function useRest({ line, home, env }: SecretWorld, secret: string): Promise<void> {
  for (const shell of ['bash', 'zsh', 'fish', 'powershell']) await line(0, ['completion', shell])
  for (const words of [
    ['-p', ''],
    ['status', ''],
    ['transfer', '--to', ''],
  ])
    expect(leaksIn(await answerCompletion(words, env), [secret])).toEqual([])
  await line(0, ['--help'])
  await line(0, ['--version'])
  await line(0, ['--surface'])
  await line(0, ['help', 'keys'])
  await line(0, ['help', '--man', 'transfer'])
  await line(0, ['schema', 'pix.received'])
  await line(0, ['sandbox', 'openapi'])
  const options = sandboxOptions(secret, home)
  const interruptAt = 'ready'
  await line(0, ['sandbox', 'start', ...options, '--fresh', '--hosted-status-rule', '--json'], { interruptAt })
  await line(0, ['sandbox', ...options, '--memory', '--hosted-status-rule', '-v'], { interruptAt: 'listens' })
  await line(2, ['sandbox', 'start', ...options, '--fresh', '--memory'])
  await line(2, ['sandbox', ...options, '--memory', '--fresh'])
  const logged = ['--env', 'SHOP_URL', '--log', join(home, 'sandbox.ndjson')]
  const missing = ['--', join(home, 'no-such-command')]
  await line(2, ['sandbox', 'exec', ...options, ...logged, '--hosted-status-rule', ...missing])
  for (const wrong of [
    ['--client-secret', `-${secret}`],
    ['--client-secret', secret, '--client-secret', 'other'],
    ['--client-secret', secret, '--port', 'x'],
  ]) {
    await line(2, ['sandbox', 'start', ...wrong])
    await line(2, ['sandbox', 'exec', ...wrong, '--json', '--', 'true'])
  }
}
