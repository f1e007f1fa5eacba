import type { Place } from './secretLines.ts'
import type { SecretWorld } from './secretWorld.ts'

/** Drives the commands of a shared ledger, whose server is not there; its password is a secret, too. */
export async function useLedgers({ line }: SecretWorld, { url, clientId, secret }: Place): Promise<void> {
  const address = 'postgres://maria@127.0.0.1:9/pix'
  const env = { PGPASSWORD: secret }
  await line(0, ['ledger'])
  await line(0, ['ledger', 'show', '--json'])
  await line(0, ['ledger', 'init', address, '--print-sql'], { env })
  for (const format of ['text', 'json']) {
    await line(6, ['ledger', 'init', address, '-v', '-o', format], { env })
    await line(6, ['ledger', 'join', address, '--confirm-host', '127.0.0.1', '-v', '-o', format], { env })
    await line(2, ['ledger', 'join', `postgres://maria:${secret}@127.0.0.1:9/pix`, '-o', format])
    await line(2, ['ledger', 'join', `${address}?password=${secret}`, '-o', format])
  }
  await line(2, ['ledger', 'leave', '--confirm-host', '127.0.0.1'])

  const kept = { SHOP_KEPT: secret }
  const sources = [
    ['--ledger-password-stdin'],
    ['--ledger-password-env', 'SHOP_KEPT'],
    ['--ledger-password-command', `printf %s '${secret.replaceAll("'", "'\\''")}'`],
  ]
  const keychain = ['--ledger-password-keychain']
  const add = ['profile', 'add', 'team', '--base-url', url, '--client-id', clientId, '--client-secret-env', 'SHOP_KEPT']
  const ways = [
    ['ledger', 'join', address],
    [...add, '--ledger', address],
    ['profile', 'edit', 'env', '--ledger', address],
  ]
  for (const [index, source] of sources.entries()) {
    const options = { env: kept, stdin: secret }
    await line(6, ['ledger', 'init', address, ...source, '-v'], options)
    await line(6, ['ledger', 'repair', address, '--confirm-host', '127.0.0.1', ...source, '-v'], options)
    for (const what of [
      ['--set-aside', '7', '--because', 'it is junk'],
      ['--gone', 'laptop'],
    ])
      await line(6, ['ledger', 'repair', address, ...what, '--confirm-host', '127.0.0.1', ...source], options)
    for (const way of ways) await line(6, [...way, ...source, '-o', index === 0 ? 'json' : 'text'], options)
  }
  for (const way of ways) await line(6, [...way, ...keychain], { env: kept, stdin: secret })
  await line(2, ['profile', 'edit', 'env', '--no-ledger'], { env: kept })
  const rule = '--require-external-id'
  await line(0, ['profile', 'add', 'strict', ...add.slice(3), rule], { env: kept })
  await line(0, ['profile', 'edit', 'strict', rule], { env: kept })
  const host = ['--confirm-host', new URL(url).host]
  await line(0, ['profile', 'edit', 'strict', '--no-require-external-id', ...host], { env: kept })
  await line(0, ['profile', 'remove', 'strict', ...host])
  await line(0, ['profile', 'add', 'spoken', ...add.slice(3), '--lang', 'en'], { env: kept })
  await line(0, ['profile', 'edit', 'spoken', '--lang', 'pt-BR'], { env: kept })
  await line(0, ['profile', 'edit', 'spoken', '--no-lang'], { env: kept })
  await line(0, ['profile', 'edit', 'spoken', '--no-secret'], { env: kept })
  await line(0, ['profile', 'remove', 'spoken', ...host])
  await line(0, ['profile', 'add', 'reader', '--base-url', url, '--client-id', clientId, '--no-secret'])
  await line(0, ['profile', 'remove', 'reader', ...host])
  await line(0, ['lang', 'en'])
  await line(0, ['lang', '--json'])
}
