import { expect, it } from 'vitest'
import type { HttpRequest } from '../../src/gateway/exchange.ts'
import { startFaultGateway } from './faultGateway.ts'
import { clientOf } from './gatewayClient.ts'

const TRANSFER: HttpRequest = {
  method: 'POST',
  url: '',
  headers: {},
  body: '{"value":1,"key":"maria@example.com"}',
}

it.each([
  ['of its own', false],
  ['that others use too', true],
])('writes nothing that must not leave any more, to a connection %s', async (_, isOneOfMany) => {
  const gateway = await startFaultGateway()
  const client = clientOf(gateway.url)
  const request = { ...TRANSFER, url: `${gateway.url}/api/v1/gateway/pix-payment` }
  let mayLeave = true
  const post = () => client.post(request, isOneOfMany, () => mayLeave)
  expect(await post()).toMatchObject({ outcome: 'accepted' })
  mayLeave = false
  expect(await post()).toEqual({ outcome: 'not-sent', fault: 'too-late', code: expect.anything() })
  mayLeave = true
  expect(await post()).toMatchObject({ outcome: 'accepted' })
  expect(gateway.arrivals).toHaveLength(2)
  expect(gateway.ledger).toHaveLength(2)
})
