import { expect, it } from 'vitest'
import { startFaultGateway } from '../gateway/faultGateway.ts'
import { paymentsOf, problemsOf } from '../ledger/storedLedger.ts'
import { emptyWorld } from '../world.ts'

const TRANSFER = ['transfer', '--key', 'maria@example.com', '--yes', '--again', '--external-id']

it('loses no record if one process opens it again while others open and close it', async () => {
  const gateway = await startFaultGateway()
  const world = emptyWorld({ PIXGATE_BASE_URL: gateway.url })
  const names = Array.from({ length: 5 }, (_, number) => `order-${number}`)
  for (const [index, name] of names.entries()) {
    await world.prepare([...TRANSFER, name, '--amount', String(index + 1)])
    const { exit, stdout, stderr } = await world.run(['history', '-o', 'json', '--fields', 'externalId'])
    expect({ exit, stderr, listed: JSON.parse(stdout).length }).toEqual({ exit: 0, stderr: '', listed: index + 1 })
  }
  expect((await paymentsOf(world)).map(({ name }) => name)).toEqual(names)
  expect(await problemsOf(world)).toEqual([])
})
