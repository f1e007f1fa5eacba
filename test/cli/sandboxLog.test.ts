import { spawn } from 'node:child_process'
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect, onTestFinished, test } from 'vitest'
import { here } from '../inProcess.ts'
import { itOnTerminal, onTerminal } from '../pseudoTerminal.ts'
import { expectDocument } from '../schemas/validity.ts'
import { BINARY, emptyWorld, NODE, sandboxWorld } from '../world.ts'
import { charge, runSandbox } from './runningSandbox.ts'

const QR = '/api/v2/gateway/request-qrcode'

test('-o json prints one line for each request and delivery', async () => {
  const sandbox = await runSandbox(emptyWorld(), ['-o', 'json', '--deliver-attempts', '1'])
  const { body } = await sandbox.post(QR, charge())
  await sandbox.post('/sandbox/pay', { id: body.idTransaction })
  await sandbox.post(QR, charge({ amount: 0 }))
  await expect.poll(() => sandbox.lines.length).toBe(5)
  const lines: Record<string, unknown>[] = sandbox.lines.map((line) => JSON.parse(line))
  expect(lines.filter(({ type }) => type !== 'delivery')).toMatchObject([
    { type: 'ready', url: sandbox.url },
    { type: 'request', n: 1, method: 'POST', path: QR, status: 200 },
    { type: 'request', n: null, path: '/sandbox/pay', status: 200 },
    { type: 'request', n: 2, path: QR, status: 400, code: 'INVALID_AMOUNT' },
  ])
  expect(lines.find(({ type }) => type === 'delivery')).toMatchObject({
    event: 'pix.received',
    idTransaction: body.idTransaction,
    outcome: 'given-up',
    error: 'ECONNREFUSED',
  })
  expect(sandbox.stderr()).toBe('')
})

test('in text a request is one line, with -v also the code, details and body of a refusal', async () => {
  const quiet = await runSandbox(emptyWorld(), [])
  await quiet.post(QR, charge({ amount: 0 }))
  await expect.poll(quiet.stderr).toMatch(/POST \/api\/v2\/gateway\/request-qrcode: 400 \(\d+ ms\)\n$/)
  expect(quiet.stderr()).not.toContain('INVALID_AMOUNT')
  const verbose = await runSandbox(emptyWorld(), ['-v'])
  await verbose.post(QR, charge({ amount: 0, requestNumber: 'order-7' }))
  await expect
    .poll(verbose.stderr)
    .toMatch(/ {2}INVALID_AMOUNT: `amount` must be a JSON number .*\n {2}\{"requestNumber":"order-7"/)
})

test('`sandbox requests` lists what was asked and answered, --failed what was refused', async () => {
  const world = await sandboxWorld()
  await world.prepare(['qr', 'create', '--amount', '10', '--request-number', 'order-7'])
  await here(world)(['status', 'nonsense'])
  const all = await world.run(['sandbox', 'requests', '-o', 'json'])
  expect(JSON.parse(all.stdout)).toMatchObject([
    { n: 1, path: QR, status: 200, requestBody: expect.stringContaining('order-7') },
    { n: 2, status: 400, code: 'INVALID_TRANSACTION_ID' },
  ])
  expect(all.stdout).not.toContain('local-secret')
  const failed = await world.prepare(['sandbox', 'requests', '--failed', '-o', 'csv', '--fields', 'n,status,code'])
  expect(failed).toBe('n,status,code\n2,400,INVALID_TRANSACTION_ID\n')
  const { stdout } = await world.run(['sandbox', 'requests', '--failed'])
  expect(stdout).toContain('INVALID_TRANSACTION_ID\t`idTransaction` must be the UUID of one transaction')
})

test('`sandbox requests --follow` goes on with those that come, one line of JSON each', async () => {
  const world = await sandboxWorld()
  const following = spawn(NODE, [BINARY, 'sandbox', 'requests', '--follow', '-o', 'json'], { env: world.env })
  onTestFinished(() => void following.kill())
  const paths: unknown[] = []
  createInterface(following.stdout).on('line', (line) => {
    expectDocument('sandbox-requests', JSON.parse(line))
    paths.push(JSON.parse(line).path)
  })
  await world.prepare(['qr', 'create', '--amount', '10'])
  await expect.poll(() => paths).toEqual([QR])
  await here(world)(['status', 'nonsense'])
  await expect.poll(() => paths).toEqual([QR, '/api/v2/gateway/consult-transaction'])
  const exit = new Promise((resolve) => following.on('close', resolve))
  following.kill('SIGINT')
  expect(await exit).toBe(0)
})

test('`sandbox exec` --env sets the address under another name, --log writes the log to a file', async () => {
  const world = emptyWorld()
  const log = join(world.home, 'sandbox.ndjson')
  const script = 'test "$SHOP_URL" = "$PIXGATE_BASE_URL" && curl -s "$SHOP_URL/nowhere" && exit 7'
  const ran = await world.run(['sandbox', 'exec', '--env', 'SHOP_URL', '--log', log, '--', 'sh', '-c', script])
  expect([ran.exit, JSON.parse(ran.stdout)]).toMatchObject([7, { message: 'NOT_FOUND' }])
  const lines = readFileSync(log, 'utf8').trimEnd().split('\n')
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([{ type: 'request', path: '/nowhere', status: 404 }])
  expect(statSync(log).mode & 0o777).toBe(0o600)
})

itOnTerminal('a control command shows a short table and names the sandbox, in a pipe, too', async () => {
  const world = await sandboxWorld()
  const { idTransaction } = JSON.parse(await world.prepare(['qr', 'create', '--amount', '10', '-o', 'json']))
  const id = String(idTransaction)
  const { stdout, stderr } = await world.run(['sandbox', 'pay', id.slice(0, 8)])
  expect(stdout).toMatch(/^kind +payment\ntransaction id +/)
  expect(stderr).toBe(`The sandbox at ${world.url}\n`)
  const { exit, screen } = await onTerminal(world, ['sandbox', 'chargeback', id]).ended
  expect(exit).toBe(0)
  expect(screen).toMatch(/state +returned/)
  expect(screen).toMatch(/amount +R\$ 10,00/)
  expect(screen).toMatch(/paid at +\d\d\/\d\d\/\d{4} \d\d:\d\d:\d\d BRT\n/)
  expect(screen).toMatch(/taken back +R\$ 10,00/)
  expect(screen).not.toContain('"type"')
  await world.prepare(['qr', 'create', '--amount', '7'])
  const state = await world.run(['sandbox', 'state', '--lang', 'pt-BR'])
  expect(state.stdout).toMatch(/\tdevolvido\tR\$ 10,00\n.*\tpendente\tR\$ 7,00\n/)
  expect(state.stdout).not.toMatch(/PAID|PENDING/)
})
