import { join } from 'node:path'
import type { SecretWorld } from './secretWorld.ts'

/** Drives the history; `invoice-2` is a transfer with an unknown outcome, `idTransaction` a charge. */
export async function useHistory({ line, home }: SecretWorld, idTransaction: string): Promise<void> {
  await line(0, ['history', 'settle', 'invoice-2', '--as', 'paid', '--because', 'they said so'])
  await line(3, ['history', 'settle', 'invoice-2', '--as', 'paid', '--event', '99999', '--because', 'they said so'])
  for (const format of ['text', 'json', 'csv']) await line(0, ['history', '-o', format])
  const picked = ['--since', '1h', '--until', '0s', '--kind', 'transfer', '--state', 'paid']
  const whose = ['--reference', 'invoice-2', '--by', 'maria', '--for-profile', 'shop', '--unmask']
  await line(2, ['history', ...picked, ...whose])
  for (const command of [['history'], ['history', 'list']]) {
    await line(0, [...command, '--since', '1h', '--until', '2099-01-01', ...picked.slice(4), ...whose])
    await line(0, [...command, '--month', '2026-11', '--json'])
  }
  const amounts = ['--amount', '7', '--min', '1', '--max', '9', '--limit', '3', '--all', '--attempts']
  const people = ['--key', 'maria@example.com', '--name', 'maria', '--document', '52998224725', '--day', 'today']
  for (const command of [['history'], ['history', 'list'], ['history', 'find', 'invoice']]) {
    await line(0, [...command, ...amounts, ...people, '--unmask'])
    await line(0, [...command, '--all-rows'])
    await line(0, [...command, '-o', 'csv', '--excel'])
  }
  const span = ['--since', '1h', '--until', '2099-01-01']
  await line(0, ['history', 'find', 'maria', ...span, ...picked.slice(4), ...whose, '--json'])
  await line(0, ['history', 'find', 'maria', '--month', '2026-11'])
  await line(0, ['history', 'backup', join(home, 'ledger-copy.db')])
  await line(0, ['history', 'export'])
  const today = new Date().toISOString().slice(0, 7)
  await line(0, ['history', 'report', '--month', today, '--out', join(home, 'month.xlsx'), '--json'])
  await line(0, ['history', 'check', '--accept-older', '--yes'])
  await line(0, ['history', 'show', 'invoice-2'])
  await line(0, ['history', 'show', idTransaction, '--json'])
  await line(0, ['history', 'show', 'invoice-2', '--receipt', '--on-my-word', '--unmask'])
  await line(0, [
    'history',
    'show',
    'invoice-2',
    '--receipt',
    '--on-my-word',
    '--pdf',
    join(home, 'slip.pdf'),
    '--lang',
    'en',
  ])
  await line(0, ['history', 'check', '--kind', 'qr', '--since', '1h', '--unmask', '-v'])
  await line(0, ['history', 'check', '--month', '1999-01', '--json'])
  await line(0, ['history', 'check', '--day', '01/01/1999'])
  const statement = ['--statement', '-', '--map', 'id=code', '--until', '2099-01-01']
  await line(1, ['history', 'check', ...statement, '--ignore', 'fee'], { stdin: 'code,amount\ninvoice-9,1\n' })
  for (const more of ['-v', '--json']) {
    await line(1, ['history', 'import', '-', more], { stdin: '{"body":"{}","signature":"x"}' })
  }
}
