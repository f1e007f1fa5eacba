import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Place } from './secretLines.ts'
import type { SecretWorld } from './secretWorld.ts'

const CALLBACK = ['--callback-url', 'http://127.0.0.1:9/pix']

/** Drives plans, payees, rules of an account and the check command, with the profile `shop`. */
export async function useApprovals({ line, attempt, elsewhere }: SecretWorld, { url }: Place): Promise<void> {
  const [maker, approver] = ['maria', 'joao'].map((name) => {
    const key = join(elsewhere, name)
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', name, '-f', key])
    return key
  })
  const signed = ['--expires', '2h', '--ssh-key', maker ?? '']
  const plan = join(elsewhere, 'plan.json')
  const transfer = ['transfer', '--key', 'plan@example.com', '--amount', '3', '--external-id', 'plan-1', ...CALLBACK]
  await line(0, [...transfer, '--plan', plan, ...signed, '-v'])
  await line(0, ['plan', 'show', plan, '--all-rows'])
  await line(0, ['plan', 'show', plan, '--out', `${plan}.xlsx`])
  await line(0, ['plan', 'list', '--json'])
  await line(0, ['plan', 'list', '--all-rows'])
  await line(0, ['plan'])
  await line(0, ['plan', '--all-rows'])
  for (const list of [['plan'], ['plan', 'list']])
    await line(0, [...list, '--state', 'open', '--since', '24h', '--limit', '5'])
  await line(0, ['plan', 'approve', plan, '--ssh-key', approver ?? '', '--confirm', 'shop', '-v'])
  await line(2, ['plan', 'send', plan])
  await line(0, ['plan', 'send', plan, '--yes', '--json', '-v'])
  await line(2, ['plan', 'reject', plan, '--because', 'it is paid'])
  await line(2, ['plan', 'send', plan, '--watch', '-v'])
  const file = join(elsewhere, 'rows.csv')
  writeFileSync(file, 'key,value,externalId\nrow@example.com,1,row-1\n')
  await line(0, ['batch', 'transfer', file, '--plan', join(elsewhere, 'batch.json'), ...signed, ...CALLBACK, '--json'])
  for (const words of [
    ['refund', crypto.randomUUID(), '--reason', 'twice', '--full'],
    ['batch', 'refund', join(elsewhere, 'none.csv')],
    ['batch', 'resume', 'run-none'],
    ['resume', 'none'],
    ['profile', 'edit', 'none', '--no-approval-from'],
  ]) {
    await attempt([...words, '--plan', join(elsewhere, 'none.json'), ...signed, '-v'])
  }

  const details = ['--key-type', 'email', '--display-name', 'Ana', '--owner', '529.982.247-25']
  await line(0, ['payee', 'add', 'ana', '--key', 'ana@example.com', ...details, '--yes', '-v'])
  await line(0, ['payee', 'list', '--unmask', '--json'])
  await line(2, ['payee'])
  await line(0, ['payee', 'show', 'ana'])
  await line(0, ['transfer', '--to', 'ana', '--amount', '2', '--dry-run', ...CALLBACK])
  await line(0, ['payee', 'edit', 'ana', '--key', 'ana2@example.com', ...details, '--yes'])
  await line(0, ['payee', 'edit', 'ana', '--no-owner', '--no-display-name', '--yes', '--json'])
  await line(0, ['payee', 'remove', 'ana', '--yes'])
  const payees = join(elsewhere, 'payees.csv')
  writeFileSync(payees, 'name,key\nana,ana@example.com\n')
  await line(0, ['payee', 'import', payees, '--yes', '--json', '-v'])

  const approvers = join(elsewhere, 'approvers')
  const rules = ['--payees-only', '--payee-wait', '24h', '--approval-from', '0', '--approvers', approvers]
  const check = ['--check-command', 'cat > /dev/null']
  const add = ['profile', 'add', 'ruled', '--base-url', url, '--client-id', 'ruled', '--client-secret-env', 'SHOP_KEPT']
  await line(2, [...add, '--no-test', ...rules, ...check])
  await line(2, ['profile', 'edit', 'none', ...rules, ...check])
  await line(2, ['profile', 'edit', 'none', '--revoke', 'maria', '--because', 'she left'])
  await line(2, ['profile', 'edit', 'none', '--no-check-command', '--no-payees-only', '--no-payee-wait'])
  await line(0, ['profile', 'edit', 'cmd', ...check])
  await line(0, ['profile', 'edit', 'cmd', '--no-check-command', '--confirm-host', '127.0.0.1'])
}
