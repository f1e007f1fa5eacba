import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { startFaultGateway } from '../gateway/faultGateway.ts'
import { answering } from '../gateway/faults.ts'
import { jsonAnswer } from '../gateway/rawHttp.ts'

import { emptyWorld } from '../world.ts'
import { inThisProcess } from './payments.ts'

it('says beside a sum how many amounts it lacks', async () => {
  const gateway = await startFaultGateway()
  const world = inThisProcess(emptyWorld({ PIXGATE_BASE_URL: gateway.url }))
  const refund = (...more: readonly string[]) => [
    'refund',
    randomUUID(),
    '--reason',
    'x',
    '--skip-query',
    '--yes',
    ...more,
  ]
  // Neither the request nor the answer names the amount of a whole refund.
  gateway.misbehave([answering(jsonAnswer(200, { idTransaction: randomUUID(), status: 'PROCESSING', response: 'OK' }))])
  await world.prepare(refund())
  await world.prepare(refund('--amount', '10,50'))
  const { stderr } = await world.run(['history'])
  expect(stderr).toBe('refund accepted: 2, R$ 10,50 without the unknown amounts of 1\n')
})
