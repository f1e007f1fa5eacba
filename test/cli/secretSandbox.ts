import { CALLBACK } from './secretLines.ts'
import type { SecretWorld } from './secretWorld.ts'

/** Drives the control commands of the sandbox. */
export async function playSandbox(line: SecretWorld['line'], order: readonly string[]): Promise<void> {
  const fresh = async (): Promise<string> => {
    const { stdout } = await line(0, ['qr', 'create', ...order, '--again', '--json'])
    return JSON.parse(stdout).idTransaction
  }
  const token = ['--control-token', 'a-token-that-nobody-needs']
  const paid = await fresh()
  await line(0, ['sandbox', 'expire', paid, ...token])
  await line(1, ['sandbox', 'pay', paid])
  await line(0, ['sandbox', 'pay', paid, '--late', ...token])
  await line(0, ['sandbox', 'chargeback', paid, ...token])
  await line(0, ['sandbox', 'deliver', paid, ...token])
  await line(0, ['sandbox', 'deliver', '--failed', ...token])
  await line(0, ['sandbox', 'cancel', await fresh(), ...token])
  const send = async (externalId: string): Promise<string> => {
    const key = ['--key', 'joao@example.com', '--amount', '2', '--again', '--yes', '--callback-url', CALLBACK]
    const { stdout } = await line(0, ['transfer', '--external-id', externalId, ...key, '--json'])
    return JSON.parse(stdout).idTransaction
  }
  await line(0, ['sandbox', 'fail', await send('invoice-3'), '--error-code', 'NO_FUNDS', ...token])
  await line(0, ['sandbox', 'fault', 'NO_FUNDS', '--async', '--on', 'transfer', ...token])
  const returned = await send('invoice-4')
  await line(0, ['sandbox', 'return', returned, ...token])
  await line(0, ['sandbox', 'state'])
  await line(0, ['sandbox', 'state', '--json', ...token])
  await line(0, ['sandbox', 'requests', '--failed'])
  await line(0, ['sandbox', 'requests', '--follow', '--json'], { interruptAt: '{' })
  await line(0, ['sandbox', 'fault', 'list', ...token])
  await line(0, ['sandbox', 'fault', 'clear', ...token])
  await line(0, ['sandbox', 'requests', '--json', ...token])
  await line(0, ['sandbox', 'advance', '31d', ...token])
  await line(0, ['sandbox', 'reset', ...token])
}

/** Every option of a sandbox. */
export function sandboxOptions(secret: string, home: string): string[] {
  const places = ['--port', '0', '--host', '127.0.0.1', '--client-id', 'an-id', '--client-secret', secret]
  const access = ['--control-token', secret, '--base-url-name', 'localhost']
  const forms = [
    '--webhook-style',
    'php',
    '--signature',
    'base64',
    '--status-key',
    'status',
    '--refund-event',
    'repeated-key',
  ]
  const times = [
    '--deliver-attempts',
    '1',
    '--deliver-delays',
    '1s',
    '--seed',
    'x',
    '--now',
    '2026-01-01',
    '--auto-pay',
    '1s',
    '--auto-settle',
    '1s',
    '--latency',
    '0',
  ]
  const others = ['--allow-ip', '127.0.0.1', '--balance', '5', '--partner', home, '--dashboard-webhook', CALLBACK]
  return [...places, ...access, ...forms, ...times, ...others]
}
