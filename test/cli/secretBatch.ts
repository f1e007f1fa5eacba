import { join } from 'node:path'
import type { SecretWorld } from './secretWorld.ts'

const NAMES = ['--map', 'key=chave,value=valor', '--ignore-column', 'taxa', '--reference', 'payroll-2026-11']
const SPEED = ['--limit', '9', '--concurrency', '2', '--rate', '100/s', '--stop-after', '3']
const MEANT = ['--again', '--in-addition-to', 'invoice-1', '--file-changed', '--repeat-reference', '--only', 'taxa!=1']

/** Drives what sends files and goes on with them. */
export async function useBatches({ line, home }: SecretWorld, callback: string): Promise<void> {
  const stdin = 'chave;valor;taxa\nrui@example.com;1,50;0,10\nlia@example.com;2;\n'
  const where = ['--callback-url', callback]
  await line(0, ['batch', 'transfer', '-', ...NAMES, ...where, '--header-row', '1', '--dry-run', '-v'], { stdin })
  await line(2, ['batch', 'transfer', '-', ...NAMES, ...where, '--json'], { stdin })
  await line(0, ['batch', 'transfer', '-', ...NAMES, '--rehearse', '--seed', '1', '-v'], { stdin })
  await line(0, ['sandbox', 'fault', 'drop-after', '--times', '1'])
  const results = ['--results', join(home, 'results.csv')]
  await line(5, ['batch', 'transfer', '-', ...NAMES, ...where, ...SPEED, ...MEANT, ...results, '--yes', '-v'], {
    stdin,
  })
  const { stdout } = await line(0, ['batch', 'list', '--json'])
  const [{ run }]: [{ run: string }] = JSON.parse(stdout)
  for (const format of ['text', 'csv']) await line(0, ['batch', 'list', '-o', format])
  for (const rows of [['--limit', '1'], ['--all-rows']]) await line(0, ['batch', 'list', ...rows])
  await line(0, ['batch', 'show', run])
  await line(0, ['batch', 'show', run, '--json'])
  await line(0, ['batch', 'show', run, '--state', 'accepted'])
  await line(0, ['batch', 'report', run, '--out', join(home, 'report.xlsx')])
  for (const kind of ['transfer', 'refund']) {
    const missing = ['batch', kind, join(home, 'missing.xlsx'), '--sheet', 'one', '--dry-run']
    for (const hidden of ['--include-hidden', '--skip-hidden', '--include-struck', '--skip-struck'])
      await line(2, [...missing, hidden])
  }
  const more = ['--refused', '--include-unknown', '--again', '--in-addition-to', 'x', ...SPEED, ...results, '--excel']
  await line(0, ['batch', 'resume', run, ...more, '--dry-run', '-v'])
  await line(0, ['resume', run, ...more, '--despite-chargeback', '--yes', '-v'])
  await line(0, ['batch', 'resume', run, '--despite-chargeback', '--yes', '--json'])
  const refunds = 'originalTransactionId;taxa\nbbbbbbbb-0000-4000-8000-000000000000;0,10\n'
  const reason = [
    '--reference',
    'returns',
    '--reason',
    'event cancelled',
    '--ignore-column',
    'taxa',
    '--full',
    ...where,
  ]
  await line(2, ['batch', 'refund', '-', ...reason, ...MEANT, '--header-row', '1', '--yes', '-v'], { stdin: refunds })
  const blind = ['--skip-query', '--despite-chargeback', ...SPEED, ...results, '--excel', '--map', 'refundReason=why']
  await line(2, ['batch', 'refund', '-', ...reason, ...blind, '--dry-run', '--json'], { stdin: refunds })
  await line(2, ['batch', 'transfer', '-', '--excel', '--yes'], { stdin })
}
