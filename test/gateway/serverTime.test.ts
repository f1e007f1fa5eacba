import { describe, expect, it } from 'vitest'
import { freePort } from '../freePort.ts'
import { sandboxWorld } from '../world.ts'
import { startFaultGateway } from './faultGateway.ts'
import { answering, stall } from './faults.ts'
import { clientOf } from './gatewayClient.ts'

const DATE = 'Sat, 21 Nov 2026 12:30:00 GMT'
const DATE_MS = Date.UTC(2026, 10, 21, 12, 30)

describe("the gateway's time", () => {
  it('is asked for with one HEAD request to the base address, without credentials', async () => {
    const gateway = await startFaultGateway()
    gateway.askedForTime(answering({ status: 200, headers: { date: DATE } }))
    expect(await clientOf(`${gateway.url}/base`).serverTimeMs()).toBe(DATE_MS)
    expect(gateway.timeRequests).toMatchObject([{ method: 'HEAD', target: '/base' }])
    expect(JSON.stringify(gateway.timeRequests)).not.toMatch(/client-secret|authorization|"c[is]"/)
  })

  it.each([
    ['an error answer', { status: 404, headers: { date: DATE } }, DATE_MS],
    ['a redirect, which is not followed', { status: 302, headers: { date: DATE, location: '/elsewhere' } }, DATE_MS],
    ['the answer of a cache', { status: 200, headers: { date: DATE, age: '600' } }, DATE_MS + 600_000],
    ['an answer without a date', { status: 200 }, null],
    ['a date in another form', { status: 200, headers: { date: '2026-11-21T12:30:00Z' } }, null],
    ['a day that does not exist', { status: 200, headers: { date: 'Sat, 99 Nov 2026 12:30:00 GMT' } }, null],
  ])('of %s', async (_name, answer, expected) => {
    const gateway = await startFaultGateway()
    gateway.askedForTime(answering(answer))
    expect(await clientOf(gateway.url).serverTimeMs()).toBe(expected)
    expect(gateway.timeRequests.length).toBe(1)
  })

  it('is unknown if nobody listens or no answer comes within the timeout', async () => {
    const gateway = await startFaultGateway()
    gateway.askedForTime(stall)
    expect(await clientOf(gateway.url, { timeoutMs: 50 }).serverTimeMs()).toBeNull()
    expect(await clientOf(`http://127.0.0.1:${await freePort()}`).serverTimeMs()).toBeNull()
  })

  it('is not asked for after Ctrl-C', async () => {
    const gateway = await startFaultGateway()
    const client = clientOf(gateway.url, { interrupt: AbortSignal.abort() })
    await expect(client.serverTimeMs()).rejects.toMatchObject({ exitCode: 130 })
    expect(gateway.timeRequests).toEqual([])
  })

  it('is told by the sandbox, which does not list the request', async () => {
    const { url, json } = await sandboxWorld()
    const beforeMs = Date.now()
    const serverMs = await clientOf(url).serverTimeMs()
    expect(Math.abs((serverMs ?? 0) - beforeMs)).toBeLessThan(60_000)
    expect(await json(['sandbox', 'requests'])).toEqual([])
  })
})
