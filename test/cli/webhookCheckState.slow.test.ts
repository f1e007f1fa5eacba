import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { here } from '../inProcess.ts'
import { localServer } from '../localServer.ts'
import { emptyWorld } from '../world.ts'
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
    bad: ['repeated', 'at-once'],
    causes: ['The shop shows something else after the same bytes arrived again'],
  })
  const once = await receiver((arrived) => {
    if (right(arrived) === 200 && statusIn(arrived.body) === 'PAID' && !seen.has(arrived.body)) credits += 1
    seen.add(arrived.body)
    return right(arrived)
  })
  const found = await check(once.url, '--state-url', shop)
  expect(found).toMatchObject({ exit: 0, bad: [] })
  expect(found.checks.slice(-3)).toMatchObject([
    { name: 'unpaid', verdict: 'good' },
    { name: 'repeated', verdict: 'good' },
    { name: 'at-once', verdict: 'good' },
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
  expect(orders.checks.slice(-3)).toMatchObject([{ verdict: 'good' }, { verdict: 'good' }, { verdict: 'good' }])
})

const PROOFS = ['unpaid', 'repeated', 'at-once']
const verdicts = (found: { checks: { name: string; verdict: string }[] }) =>
  found.checks.filter(({ name }) => PROOFS.includes(name)).map(({ verdict }) => verdict)

/** A shop that credits only these orders, in the way that is given, and shows what it credited as this says. */
async function shopThatKnows(
  orders: readonly string[],
  mayCredit: (
    event: { status: string; id: string; amount: number },
    credits: readonly string[],
  ) => boolean | Promise<boolean>,
) {
  const credits: string[] = []
  const state = await localServer((_, response) => response.end(JSON.stringify({ at: new Date(), credits })))
  const { url } = await receiver(async (arrived) => {
    if (right(arrived) !== 200) return 401
    const { event, data } = JSON.parse(arrived.body)
    const isKnown = event === 'pix.received' && orders.includes(data.idTransaction)
    const about = { status: data?.status, id: data?.idTransaction, amount: data?.amount }
    if (isKnown && (await mayCredit(about, credits))) credits.push(data.idTransaction)
    return 200
  })
  return { url, state, orders: orders.flatMap((order) => ['--order', order]) }
}

it('proves nothing about a shop that credits only what it knows, until two of its payments are named', async () => {
  const each = await shopThatKnows(['order-1a', 'order-2b'], () => true)
  const blind = await check(each.url, '--state-url', each.state)
  expect(blind).toMatchObject({ exit: 1, verdict: 'incomplete', bad: [] })
  expect(verdicts(blind)).toEqual(['not-proved', 'not-proved', 'not-proved'])
  expect(await check(each.url, '--state-url', each.state, ...each.orders)).toMatchObject({
    exit: 1,
    bad: ['unpaid', 'repeated', 'at-once'],
  })

  const once = await shopThatKnows(
    ['order-1a', 'order-2b'],
    ({ status, id, amount }, credits) => status === 'PAID' && amount === 10.5 && !credits.includes(id),
  )
  const known = ['--state-url', once.state, '--set', 'data.amount=10.50']
  const one = await check(once.url, ...known, '--order', 'order-1a')
  expect(one).toMatchObject({ exit: 1, verdict: 'incomplete', bad: [] })
  expect(verdicts(one)).toEqual(['good', 'good', 'not-proved'])
  const other = await shopThatKnows(
    ['order-1a', 'order-2b'],
    ({ status, id, amount }, credits) => status === 'PAID' && amount === 10.5 && !credits.includes(id),
  )
  const both = await check(other.url, '--state-url', other.state, '--set', 'data.amount=10.50', ...other.orders)
  expect(both).toMatchObject({ exit: 0, verdict: 'good', bad: [] })
  expect(verdicts(both)).toEqual(['good', 'good', 'good'])
})

it('tries other payments while a server happens to take those that arrive at once one after another', async () => {
  const credits: string[] = []
  const state = await localServer((_, response) => response.end(credits.join('\n')))
  const { url } = await receiver(async (arrived) => {
    if (right(arrived) !== 200 || statusIn(arrived.body) !== 'PAID') return right(arrived)
    const id: string = JSON.parse(arrived.body).data.idTransaction
    const isNew = !credits.includes(id)
    if (credits.length > 2) await sleep(50)
    if (isNew) credits.push(id)
    return 200
  })
  expect(await check(url, '--state-url', state)).toMatchObject({
    exit: 1,
    bad: ['at-once'],
    causes: ['It credits a payment more than once if its webhooks arrive at the same time'],
  })
})

it('finds that a payment is credited for each of the webhooks that arrive at once', async () => {
  const race = await shopThatKnows(['order-1a', 'order-2b'], async ({ status, id }, credits) => {
    const isNew = status === 'PAID' && !credits.includes(id)
    await sleep(20)
    return isNew
  })
  expect(await check(race.url, '--state-url', race.state, ...race.orders)).toMatchObject({
    exit: 1,
    bad: ['at-once'],
    causes: ['It credits a payment more than once if its webhooks arrive at the same time'],
  })
})

it('waits for a shop that answers first and credits afterwards', async () => {
  let credited = 0
  const seen = new Set()
  const state = await localServer((_, response) => response.end(JSON.stringify({ credited })))
  const { url } = await receiver((arrived) => {
    const isNew = right(arrived) === 200 && statusIn(arrived.body) === 'PAID' && !seen.has(arrived.body)
    seen.add(arrived.body)
    if (isNew) setTimeout(() => (credited += 0.1), 300)
    return right(arrived)
  })
  expect(await check(url, '--state-url', state)).toMatchObject({ exit: 0, verdict: 'good' })
})

it('concludes nothing from what never changes or changes by itself, and refuses what is not there', async () => {
  const { url, all } = await receiver(right)
  let reads = 0
  const clock = await localServer((_, response) => response.end(String(reads++)))
  const login = await localServer((_, response) => response.end('<form>Password</form>'))
  for (const shown of [clock, login]) {
    const found = await check(url, '--state-url', shown)
    expect(found).toMatchObject({ exit: 1, verdict: 'incomplete', bad: [] })
    expect(verdicts(found)).toEqual(['not-proved', 'not-proved', 'not-proved'])
  }
  const before = all.length
  const none = await localServer((_, response) => response.writeHead(404).end())
  const { exit, stdout, stderr } = await here(emptyWorld())(['webhook', 'check', url, '--state-url', none])
  expect([exit, stdout, all.length]).toEqual([2, '', before])
  expect(stderr).toContain('answered 404')
})

it('says that a forged one is refused, but answered 200', async () => {
  let credited = 0
  const state = await localServer((_, response) => response.end(JSON.stringify({ credited })))
  const { url } = await receiver((arrived) => {
    if (right(arrived) !== 200) return { status: 200, body: '{"error":"invalid signature"}' }
    if (statusIn(arrived.body) === 'PAID') credited += 0.1
    return 200
  })
  const { causes } = await check(url, '--state-url', state)
  expect(causes).toContain('It refuses forged webhooks, but answers 2xx')
  expect(causes.join()).not.toContain('not checked')
})
