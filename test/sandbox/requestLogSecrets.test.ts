import { expect, test } from 'vitest'
import { CANARIES, leaksIn } from '../cli/canaries.ts'
import { eventually, NOWHERE, startWorld } from './sandboxWorld.ts'

test.each(Object.entries(CANARIES))(
  'no log entry has the client secret in it, in any form: %s',
  async (_name, secret) => {
    const log: string[] = []
    const world = await startWorld({
      clientSecret: secret,
      deliverAttempts: 1,
      onLog: (entry) => log.push(JSON.stringify(entry)),
    })
    const headers = { Authorization: `Bearer ${secret}`, ci: 'local', cs: secret }
    const encoded = encodeURIComponent(secret)
    await world.transfer({ externalId: secret }, headers)
    await world.status(secret, headers)
    await world.call(`/${encoded}`)
    const request = { requestNumber: secret, dueDate: '2026-11-22', amount: 1, callbackUrl: NOWHERE + encoded }
    const created = await world.post('/api/v2/gateway/request-qrcode', request, headers)
    expect(created.status).toBe(200)
    // It names two transactions, which is an error that could quote it.
    await world.control('pay', { id: secret })
    await world.control('pay', { id: created.body.idTransaction })
    await eventually(async () => expect(log.join()).toContain('given-up'))
    expect(leaksIn(log.join('\n'), [secret])).toEqual([])
    expect(leaksIn(await (await fetch(`${world.url}/sandbox/requests`)).text(), [secret])).toEqual([])
  },
)
