import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect, onTestFinished, test } from 'vitest'
import { control, inThisProcess, paidPayment } from '../cli/payments.ts'
import { runInProcess } from '../inProcess.ts'
import { BINARY, emptyWorld, NODE, sandboxWorld, type World } from '../world.ts'
import { expectBinaryOutput, expectDocument, expectOutput } from './validity.ts'

/** Runs the command line with `-o json` in this process, and expects it to fail with a document as the schema `error` says. */
async function expectError(world: World, argv: readonly string[]): Promise<void> {
  const { stdout, stderr } = await runInProcess([...argv, '-o', 'json'], world.env)
  expect(stdout).toBe('')
  expectDocument('error', JSON.parse(stderr.trimEnd().split('\n').at(-1) ?? ''))
}

test('charges, refunds, transfers and status', async () => {
  const world = await sandboxWorld()
  const { idTransaction } = await expectBinaryOutput(world, 'qr-create', ['qr', 'create', '--amount', '10,50'])
  const id = String(idTransaction)
  await expectOutput(world, 'status', ['status', id])
  await world.prepare(['sandbox', 'pay', id])
  await expectOutput(world, 'status', ['status', id])
  await expectOutput(world, 'status', ['status', id, 'nonsense'])
  await expectOutput(world, 'dry-run', ['refund', id, '--reason', 'x', '--dry-run'])
  await expectOutput(world, 'refund', ['refund', id, '--amount', '1', '--reason', 'x', '--yes'])
  const sent = await expectBinaryOutput(world, 'transfer', ['transfer', '--key', 'a@b.co', '--amount', '1', '--yes'])
  await expectOutput(world, 'dry-run', ['transfer', '--key', 'a@b.co', '--amount', '2', '--dry-run'])
  await expectOutput(world, 'qr-create', ['qr', 'create', '--amount', '5', '--wait=1ms'])
  expect(sent).toHaveProperty('externalId')
})

test('batches', async () => {
  const world = await sandboxWorld()
  const path = join(world.home, 'payroll.csv')
  writeFileSync(path, 'key,value,externalId\na@b.co,10,salary-1\nnotfound@b.co,2,salary-2\n')
  await expectOutput(world, 'batch-transfer', ['batch', 'transfer', path, '--dry-run'])
  await expectOutput(world, 'batch-transfer', ['batch', 'transfer', path, '--rehearse'])
  await expectOutput(world, 'batch-transfer', ['batch', 'transfer', path, '--yes'])
  await expectOutput(world, 'batch-list', ['batch', 'list'])
  const [listed] = JSON.parse(await world.prepare(['batch', 'list', '-o', 'json']))
  await expectOutput(world, 'batch-show', ['batch', 'show', listed.run])
  await expectOutput(world, 'status', ['status', listed.run])
  await expectOutput(world, 'status', ['status', listed.run, 'salary-1'])
  await expectOutput(world, 'resume', ['resume', listed.run, '--refused', '--dry-run'])
  await expectOutput(world, 'batch-report', ['batch', 'report', listed.run, '--out', `${world.home}/report.xlsx`])
})

test('history', async () => {
  const world = await sandboxWorld()
  const idTransaction = await paidPayment(world.url, 10)
  await world.prepare(['refund', idTransaction, '--amount', '1', '--reason', 'x', '--yes'])
  await expectOutput(world, 'status', ['status', idTransaction])
  await control(world.url, 'fault', { kind: 'drop-after' })
  const lost = ['transfer', '--key', 'a@b.co', '--amount', '1', '--external-id', 'invoice-1', '--yes']
  await inThisProcess(world).run(lost)
  await expectOutput(world, 'history-check', ['history', 'check'])
  const statement = join(world.home, 'statement.csv')
  writeFileSync(statement, `id,amount\n${idTransaction},10\nsomething,1\n`)
  await expectOutput(world, 'history-check', ['history', 'check', '--statement', statement])
  writeFileSync(statement, `idTransaction,amount,status\n${idTransaction},11,PAID\nsomething,1,PAID\n`)
  await expectOutput(world, 'status', ['status', '--from', statement])
  await expectOutput(world, 'resume', ['resume', 'invoice-1', '--yes'])
  await expectOutput(world, 'history', ['history'])
  await expectOutput(world, 'history', ['history', '--attempts'])
  await expectOutput(world, 'history-find', ['history', 'find', 'invoice-1'])
  await expectOutput(world, 'history-show', ['history', 'show', 'invoice-1'])
  await expectOutput(world, 'history-settle', ['history', 'settle', 'invoice-1', '--as', 'paid', '--because', 'seen'])
  await expectOutput(world, 'history-export', ['history', 'export'])
  const month = new Date().toISOString().slice(0, 7)
  await expectOutput(world, 'history-report', [
    'history',
    'report',
    '--month',
    month,
    '--out',
    join(world.home, 'month.xlsx'),
  ])
  await expectOutput(world, 'history-backup', ['history', 'backup', join(world.home, 'copy.db')])
  await expectOutput(world, 'history-check', ['history', 'check', '--accept-older'])
  await expectOutput(world, 'ledger-show', ['ledger', 'show'])
  // The gateway knows no code any more.
  await world.prepare(['qr', 'create', '--amount', '5', '--request-number', 'order-1'])
  await control(world.url, 'reset', {})
  await expectOutput(world, 'history-check', ['history', 'check'])
})

test('errors', async () => {
  const world = await sandboxWorld()
  await expectError(world, ['status', 'nonsense'])
  await expectError(world, ['transfer', '--key', 'a@b.co'])
  await expectError(world, ['transfer', '--key', 'notfound@b.co', '--amount', '1', '--yes'])
  await control(world.url, 'fault', { kind: 'drop-after' })
  await expectError(world, ['transfer', '--key', 'a@b.co', '--amount', '1', '--yes'])
})

test('what needs no gateway', async () => {
  const world = emptyWorld({ PIXGATE_CLIENT_SECRET: 'a-client-secret' })
  const code =
    '00020126360014br.gov.bcb.pix0114+5511987654321520400005303986540510.005802BR5903ANA6009SAO PAULO62070503***'
  await expectOutput(world, 'qr-decode', ['qr', 'decode', `${code}6304FFFF`])
  await expectOutput(world, 'qr-draw', ['qr', 'draw', `${code}6304FFFF`])
  const verify = ['webhook', 'verify', '--body', '-', '--signature']
  for (const signature of ['', 'x', 'f'.repeat(64)]) await expectOutput(world, 'webhook-verify', [...verify, signature])
  await expectOutput(world, 'webhook-sign', ['webhook', 'sign', '--body', '-'])
})

test('profiles', async () => {
  const world = emptyWorld({ SECRET_OF_SHOP: 'a-client-secret' })
  const about = ['--base-url', 'http://127.0.0.1:4010', '--client-id', 'shop', '--client-secret-env', 'SECRET_OF_SHOP']
  await expectOutput(world, 'profile-add', ['profile', 'add', 'shop', ...about])
  await expectOutput(world, 'profile-list', ['profile', 'list'])
  await expectOutput(world, 'profile-show', ['profile', 'show', 'shop'])
  await expectOutput(world, 'profile-edit', ['profile', 'edit', 'shop', '--max-amount', '10'])
  await expectOutput(world, 'profile-use', ['profile', 'use', 'shop'])
  await expectOutput(world, 'profile-remove', ['profile', 'remove', 'shop', '--yes'])
})

test('control commands of the sandbox', async () => {
  const world = await sandboxWorld()
  const create = ['qr', 'create', '--amount', '10', '--request-number', 'order-7', '-o', 'json']
  const { idTransaction } = JSON.parse(await world.prepare(create))
  await expectOutput(world, 'sandbox-control', ['sandbox', 'pay', idTransaction.slice(0, 6)])
  await inThisProcess(world).run(['status', 'nonsense'])
  await expectOutput(world, 'sandbox-control', ['sandbox', 'chargeback', 'order-7'])
  await expectOutput(world, 'sandbox-fault', ['sandbox', 'fault', 'drop-after', '--on', 'transfer'])
  await expectOutput(world, 'sandbox-advance', ['sandbox', 'advance', '1h'])
  await expectOutput(world, 'sandbox-state', ['sandbox', 'state'])
  await expectOutput(world, 'sandbox-requests', ['sandbox', 'requests'])
  await expectOutput(world, 'sandbox-reset', ['sandbox', 'reset'])
})

test('the lines of a running sandbox', async () => {
  const world = emptyWorld()
  const child = spawn(NODE, [BINARY, 'sandbox', '--port', '0', '--deliver-attempts', '1', '-o', 'json'], {
    env: world.env,
  })
  onTestFinished(() => void child.kill())
  const lines: Record<string, unknown>[] = []
  createInterface(child.stdout).on('line', (line) => lines.push(JSON.parse(line)))
  await expect.poll(() => lines.length, { timeout: 10_000 }).toBe(1)
  world.env.PIXGATE_BASE_URL = String(lines[0]?.url)
  await world.prepare(['qr', 'create', '--amount', '10', '--request-number', 'order-7', '--due-date', '2099-12-31'])
  await world.prepare(['sandbox', 'pay', 'order-7'])
  await inThisProcess(world).run(['status', 'nonsense'])
  await expect.poll(() => lines.length, { timeout: 10_000 }).toBe(5)
  expect(lines.map(({ type }) => type).sort()).toEqual(['delivery', 'ready', 'request', 'request', 'request'])
  for (const line of lines) expectDocument('sandbox-start', line)
})
