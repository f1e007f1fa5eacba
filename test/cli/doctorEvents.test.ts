import { createServer } from 'node:net'
import { expect, it } from 'vitest'
import { emptyWorld, sandboxWorld } from '../world.ts'
import { failureOf, inThisProcess } from './payments.ts'
import { writeTransfer } from './sentPayments.ts'

type Finding = { name: string; ok: boolean; finding: string; hint: string | null }

it('says that nothing listens at a callback URL on this machine, as a warning', async () => {
  const listener = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => listener.once('listening', resolve))
  const address = listener.address()
  const port = typeof address === 'object' ? (address?.port ?? 0) : 0
  const url = `http://127.0.0.1:${port}/pix`
  const world = inThisProcess(await sandboxWorld({}, { PIXGATE_CALLBACK_URL: url }))
  const examined = async () => {
    const { exit, stdout } = await world.run(['doctor', '-o', 'json'])
    const { ok, findings } = JSON.parse(stdout)
    return { exit, ok, callback: findings.find(({ name }: Finding) => name === 'callback URL') }
  }
  expect(await examined()).toMatchObject({ exit: 0, ok: true, callback: { ok: true, hint: null } })
  await new Promise((resolve) => listener.close(resolve))
  expect(await examined()).toMatchObject({
    exit: 0,
    ok: true,
    callback: {
      ok: true,
      finding: expect.stringContaining('there is no listener'),
      hint: expect.stringContaining(`pixgate webhook listen --port ${port}`),
    },
  })
})

it('counts the payments that wait for an event, and warns when a bank would have told long ago', async () => {
  const world = inThisProcess(emptyWorld())
  const waiting = async () => {
    const { stdout } = await world.run(['doctor', '-o', 'json'])
    return JSON.parse(stdout).findings.find(({ name }: Finding) => name === 'waiting for events')
  }
  expect(await waiting()).toMatchObject({ finding: 'no payment', hint: null })
  await writeTransfer(world, { externalId: 'now', at: new Date().toISOString() })
  expect(await waiting()).toMatchObject({ finding: expect.stringMatching(/^1 payment, since /), hint: null })
  await writeTransfer(world, { externalId: 'late', at: '2026-11-21T12:00:00.000Z' })
  await writeTransfer(world, { externalId: 'later', at: '2026-11-22T12:00:00.000Z' })
  await writeTransfer(world, { externalId: 'done', at: '2026-11-20T12:00:00.000Z', answer: { status: 'COMPLETED' } })
  expect(await waiting()).toEqual({
    name: 'waiting for events',
    ok: true,
    finding: '3 payments, the first since 21/11/2026 09:00:00 BRT',
    hint: 'Run `pixgate history --state accepted` to see them',
  })
})

it('names a refund with an unknown outcome by the id that its command takes', async () => {
  const world = inThisProcess(await sandboxWorld({}, { PIXGATE_CALLBACK_URL: 'http://127.0.0.1:9/' }))
  const { idTransaction } = await world.json(['qr', 'create', '--amount', '5'])
  await world.json(['sandbox', 'pay', String(idTransaction)])
  await world.json(['sandbox', 'fault', 'drop-after', '--on', 'refund'])
  const refund = ['refund', String(idTransaction), '--reason', 'x', '--yes', '-o', 'json']
  expect(failureOf(await world.run(refund)).exit).toBe(5)
  const { stdout } = await world.run(['doctor', '-o', 'json'])
  const { finding, hint } = JSON.parse(stdout).findings.find(({ name }: Finding) => name === 'unknown')
  const [, id] = /the first is (\S+)$/.exec(finding) ?? []
  expect(hint).toContain(`pixgate history settle ${id}\``)
  const reader = [
    '--no-secret',
    '--read-only',
    '--base-url',
    String(world.env.PIXGATE_BASE_URL),
    '--client-id',
    'local',
  ]
  await world.prepare(['profile', 'add', 'reader', ...reader, '--environment', 'sandbox', '--no-test'])
  const read = JSON.parse((await world.run(['doctor', '-p', 'reader', '-o', 'json'])).stdout)
  expect(read.findings.find(({ name }: Finding) => name === 'unknown').hint).toBe(
    `Ask a person who may pay about it; \`pixgate history show ${id}\` says all that is known`,
  )
})
