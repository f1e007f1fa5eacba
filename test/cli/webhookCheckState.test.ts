import { expect, it } from 'vitest'
import { localServer } from '../localServer.ts'
import { check, receiver, right, statusIn } from './checkedReceiver.ts'

it('reads what the shop shows before and after a repeated delivery', async () => {
  const seen = new Set<string>()
  let credits = 0
  const shop = await localServer((_, response) => response.end(String(credits)))
  const twice = await receiver((arrived) => {
    if (right(arrived) === 200 && statusIn(arrived.body) === 'PAID') credits += 1
    return right(arrived)
  })
  expect(await check(twice.url, '--state-url', shop)).toMatchObject({
    exit: 1,
    bad: ['repeated'],
    causes: ['The shop shows something else after the same bytes arrived again'],
  })
  const once = await receiver((arrived) => {
    if (right(arrived) === 200 && statusIn(arrived.body) === 'PAID' && !seen.has(arrived.body)) credits += 1
    seen.add(arrived.body)
    return right(arrived)
  })
  const found = await check(once.url, '--state-url', shop)
  expect(found).toMatchObject({ exit: 0, bad: [] })
  expect(found.checks.slice(-2)).toMatchObject([
    { name: 'unpaid', verdict: 'good' },
    { name: 'repeated', verdict: 'good' },
  ])
})

it('tells a shop that credits by the name of the event from one that shows what has expired', async () => {
  const shop = async (shown: (status: unknown) => string) => {
    const lines = new Map<string, string>()
    const state = await localServer((_, response) => response.end([...lines.values()].join('\n')))
    const { url } = await receiver((arrived) => {
      const { body } = arrived
      if (body.includes('pix.received') && right(arrived) === 200) lines.set(body, shown(statusIn(body)))
      return right(arrived)
    })
    return check(url, '--state-url', state)
  }
  expect(await shop(() => 'R$ 0,10')).toMatchObject({
    exit: 1,
    bad: ['unpaid'],
    causes: ['The shop shows something else after a payment that was not paid, as if it had been'],
  })
  const orders = await shop(String)
  expect(orders.exit).toBe(0)
  expect(orders.checks.slice(-2)).toMatchObject([{ verdict: 'not-proved' }, { verdict: 'good' }])
})

it('concludes nothing from a shop that shows something else each time', async () => {
  const { url } = await receiver(right)
  let reads = 0
  const clock = await localServer((_, response) => response.end(String(reads++)))
  const found = await check(url, '--state-url', clock)
  expect(found.exit).toBe(0)
  expect(found.checks.slice(-2)).toMatchObject([{ verdict: 'not-proved' }, { verdict: 'not-proved' }])
})
