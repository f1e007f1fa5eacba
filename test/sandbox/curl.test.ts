import { execFile, spawnSync } from 'node:child_process'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { NOWHERE, SECRET, startWorld } from './sandboxWorld.ts'

const run = promisify(execFile)
const hasCurl = spawnSync('curl', ['--version']).status === 0
const BEARER = `Authorization: Bearer ${SECRET}`

/** What curl prints for these arguments: the answer's body, then a line with the status. */
async function curl(...args: string[]): Promise<{ status: number; body: Record<string, unknown> }> {
  const { stdout } = await run('curl', ['--silent', '--show-error', '--write-out', '\n%{http_code}', ...args])
  const [body = '', status] = stdout.split(/\n(?=\d+$)/)
  return { status: Number(status), body: JSON.parse(body) }
}

describe.skipIf(!hasCurl)('CURL IS NEEDED FOR THIS: the whole life of a payment by curl alone', () => {
  test('created, queried, paid, refunded', async () => {
    const world = await startWorld()
    const cashIn = JSON.stringify({ requestNumber: '1', dueDate: '2026-11-22', amount: 10.5, callbackUrl: NOWHERE })
    const created = await curl(`${world.url}/api/v2/gateway/request-qrcode`, '-H', BEARER, '--json', cashIn)
    expect(created).toMatchObject({ status: 200, body: { response: 'OK' } })
    const id = String(created.body.idTransaction)
    const query = ['-G', '-d', `idTransaction=${id}`, '-H', BEARER]
    const path = `${world.url}/api/v2/gateway/consult-transaction`
    expect(await curl(path, ...query)).toMatchObject({ status: 200, body: { status: 'PENDING' } })
    const paid = await curl(`${world.url}/sandbox/pay`, '--json', JSON.stringify({ id }))
    expect(paid).toMatchObject({ status: 200, body: { status: 'PAID' } })
    const refund = JSON.stringify({ originalTransactionId: id, refundReason: 'curl', callbackUrl: NOWHERE })
    expect(await curl(`${world.url}/api/v2/gateway/pix-refund`, '-H', BEARER, '--json', refund)).toMatchObject({
      status: 200,
      body: { status: 'PROCESSING', amount: 10.5 },
    })
    await curl(`${world.url}/sandbox/advance`, '-d', '{"ms":1000}')
    expect(await curl(path, ...query)).toMatchObject({ status: 200, body: { status: 'REFUNDED' } })
  })

  test('a transfer with `ci` and `cs`, and without', async () => {
    const world = await startWorld()
    const body = JSON.stringify({ value: 1, key: '52998224725', typeKey: 'document', callbackUrl: NOWHERE })
    const address = `${world.url}/api/v1/gateway/pix-payment`
    expect(await curl(address, '-H', 'ci: local', '-H', `cs: ${SECRET}`, '--json', body)).toMatchObject({
      status: 200,
      body: { status: 'PROCESSING' },
    })
    expect(await curl(address, '-H', 'ci: local', '-H', `cs: ${SECRET}`, '-d', body)).toMatchObject({
      status: 200,
      body: { status: 'PROCESSING' },
    })
    expect(await curl(address, '-H', 'ci: local', '-H', `cs: ${SECRET}`, '-d', 'value=1')).toMatchObject({
      status: 400,
      body: { message: 'WRONG_DATA_FORMAT', details: expect.stringContaining('sent as a form') },
    })
    expect(await curl(address, '--json', body)).toMatchObject({ status: 401, body: { message: 'INVALID_CREDENTIALS' } })
  })

  test('a dropped answer is an empty reply to curl', async () => {
    const world = await startWorld()
    await world.control('fault', { kind: 'drop-after' })
    const asked = run('curl', ['--silent', `${world.url}/api/v2/gateway/consult-transaction`])
    await expect(asked).rejects.toMatchObject({ code: 52 })
  })
})
