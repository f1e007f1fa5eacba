import { expect, it } from 'vitest'
import { sandboxWorld } from '../world.ts'
import { carriedOut, control, inThisProcess } from './payments.ts'

it('sends one refund with an unknown outcome again, but only with --include-unknown', async () => {
  const world = await sandboxWorld()
  const { run } = inThisProcess(world)
  const json = async (args: string[]) => JSON.parse((await run([...args, '-o', 'json'])).stdout)
  const { idTransaction } = await json(['qr', 'create', '--amount', '9', '--request-number', 'order-1'])
  await control(world.url, 'pay', { id: idTransaction })
  await control(world.url, 'fault', { kind: 'drop-before', on: 'refund' })
  const lost = await run(['refund', 'order-1', '--amount', '2', '--reason', 'damaged', '--yes'])
  expect(lost.exit).toBe(5)
  const [{ pixgate }] = await json(['history', '--kind', 'refund'])

  const refused = await run(['resume', pixgate.id, '--yes', '-o', 'json'])
  expect(refused.exit).toBe(2)
  expect(JSON.parse(refused.stderr).error.message).toContain('--include-unknown')
  const dry = await run(['resume', pixgate.id, '--include-unknown', '--dry-run', '-o', 'json'])
  expect([dry.exit, JSON.parse(dry.stdout).body.amount]).toEqual([0, 2])
  expect((await carriedOut(world.url)).refunds).toEqual([])

  for (const original of ['order-1', idTransaction]) {
    const named = await run(['resume', original, '--include-unknown', '--dry-run', '-o', 'json'])
    expect([original, named.exit, JSON.parse(named.stdout).body.amount]).toEqual([original, 0, 2])
  }

  const sent = await run(['resume', pixgate.id, '--include-unknown', '--yes', '-o', 'json'])
  expect([sent.exit, JSON.parse(sent.stdout).pixgate.outcome]).toEqual([0, 'accepted'])
  expect((await carriedOut(world.url)).refunds).toMatchObject([{ amount: 2 }])
  const again = await run(['resume', pixgate.id, '--include-unknown', '--yes'])
  expect([again.exit, (await carriedOut(world.url)).refunds.length]).toEqual([2, 1])
})

it.each([
  [429, 7],
  [401, 4],
  [422, 1],
])('names the external id of a transfer that was answered with %i', async (status, exit) => {
  const world = await sandboxWorld()
  await control(world.url, 'fault', { kind: `status:${status}` })
  const transfer = ['transfer', '--key', 'maria@example.com', '--amount', '7', '--external-id', 'invoice-17', '--yes']
  const refused = await inThisProcess(world).run([...transfer, '-o', 'json'])
  expect([refused.exit, JSON.parse(refused.stderr).error]).toMatchObject([exit, { externalId: 'invoice-17' }])
})
