import { expect, it } from 'vitest'
import { freePort } from '../freePort.ts'
import { startFaultGateway } from '../gateway/faultGateway.ts'
import { emptyWorld } from '../world.ts'
import { failureOf, inThisProcess } from './payments.ts'

it('says which addresses localhost can be when it refuses', async () => {
  const world = inThisProcess(emptyWorld())
  const status = ['status', '3c0a6b1e-8f52-4d7a-9c44-1b2e3f405162']
  const port = await freePort()
  const named = (host: string) => ({ env: { PIXGATE_BASE_URL: `http://${host}:${port}` } })
  const can = '`localhost` can be `127.0.0.1` or `[::1]`: name the one on which the server listens'
  expect((await world.run(status, named('localhost'))).stderr).toContain(can)
  expect((await world.run(status, named('127.0.0.1'))).stderr).not.toContain(can)
})

it('takes localhost and 127.0.0.1 for one account', async () => {
  const gateway = await startFaultGateway()
  const world = inThisProcess(emptyWorld())
  const named = (host: string) => ({ env: { PIXGATE_BASE_URL: `http://${host}:${gateway.port}` } })
  const pay = [
    'transfer',
    '--key',
    'maria@example.com',
    '--amount',
    '10',
    '--external-id',
    'order-1',
    '--yes',
    '-o',
    'json',
  ]
  expect((await world.run(pay, named('127.0.0.1'))).exit).toBe(0)
  expect(failureOf(await world.run(pay, named('localhost')))).toMatchObject({ exit: 2, code: 'REPEAT' })
  expect(failureOf(await world.run(pay, named('LOCALHOST')))).toMatchObject({ exit: 2, code: 'REPEAT' })
  const list = await world.run(['history', '-o', 'json'], named('localhost'))
  expect(JSON.parse(list.stdout)).toMatchObject([{ externalId: 'order-1' }])
  expect(gateway.ledger).toHaveLength(1)
})
