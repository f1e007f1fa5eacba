import { expect, test } from 'vitest'
import { QueryLimit } from '../../src/sandbox/endpoints.ts'
import { startWorld } from './sandboxWorld.ts'

test('any 60 seconds admit 100 queries, wherever they begin', () => {
  const limit = new QueryLimit()
  for (let query = 0; query < 50; query += 1) expect(limit.admit(0)).toBe(0)
  for (let query = 0; query < 50; query += 1) expect(limit.admit(30_000)).toBe(0)
  expect(limit.admit(30_000)).toBe(30)
  expect(limit.admit(59_999)).toBe(1)
  for (let query = 0; query < 50; query += 1) expect(limit.admit(60_000)).toBe(0)
  expect(limit.admit(60_000)).toBe(30)
})

test('the 101st query in a minute is refused with 429 and Retry-After, until a minute has passed', async () => {
  const world = await startWorld()
  const first = await Promise.all(Array.from({ length: 100 }, () => world.status('paid-1')))
  expect(first.map(({ status }) => status)).toEqual(Array.from({ length: 100 }, () => 200))
  const refused = await world.status('paid-1')
  expect(refused).toMatchObject({ status: 429, body: { statusCode: 429, error: 'Too Many Requests' } })
  expect(refused.headers.get('retry-after')).toBe('60')
  await world.advance(59_999)
  expect((await world.status('paid-1')).headers.get('retry-after')).toBe('1')
  await world.advance(1)
  expect((await world.status('paid-1')).status).toBe(200)
})

test('neither refused credentials nor other endpoints count', async () => {
  const world = await startWorld()
  await Promise.all(Array.from({ length: 101 }, () => world.status('paid-1', { Authorization: 'Bearer no' })))
  expect((await world.status('paid-1')).status).toBe(200)
  await Promise.all(Array.from({ length: 99 }, () => world.status('bad id')))
  expect((await world.status('paid-1')).status).toBe(429)
  expect((await world.cashIn()).status).toBe(200)
  expect((await world.control('reset')).status).toBe(200)
  expect((await world.status('paid-1')).status).toBe(200)
})
