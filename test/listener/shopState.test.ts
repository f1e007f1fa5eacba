import { describe, expect, it } from 'vitest'
import {
  changeOf,
  judgeRepetition,
  judgeTogether,
  judgeUnpaid,
  readShopState,
  type StateVerdict,
} from '../../src/listener/shopState.ts'

const [A, B, C] = ['3f0c1f0e-1111-4222-8333-000000000001', '3f0c1f0e-1111-4222-8333-000000000002', 'order-77']
const CENTS = 1050

/** What a shop shows at first, after one payment, and after five deliveries of another at once, if it counts rightly or wrongly. */
const SHOPS: readonly { shop: string; first: string; one: string; right: string; wrong: string }[] = [
  { shop: 'a total', first: '0', one: '10.50', right: '21.00', wrong: '63.00' },
  { shop: 'a Brazilian total', first: 'R$ 990,00', one: 'R$ 1.000,50', right: 'R$ 1.011,00', wrong: 'R$ 1.053,00' },
  { shop: 'cents', first: '{"c":0}', one: '{"c":1050}', right: '{"c":2100}', wrong: '{"c":6300}' },
  { shop: 'two of five', first: '0', one: '10.50', right: '21.00', wrong: '31.50' },
  {
    shop: 'ids',
    first: '[]',
    one: JSON.stringify([A]),
    right: JSON.stringify([A, B]),
    wrong: JSON.stringify([A, B, B, B, B, B]),
  },
  {
    shop: 'ids of its own',
    first: '[]',
    one: JSON.stringify([C]),
    right: JSON.stringify([C, B]),
    wrong: JSON.stringify([C, B, B]),
  },
  {
    shop: 'rows with numbers and times, the newest first',
    first: '[]',
    one: `[{"n":1,"id":"${A}","at":"2026-11-29T10:00:00Z","amount":10.5}]`,
    right: `[{"n":2,"id":"${B}","at":"2026-11-29T10:00:01Z","amount":10.5},{"n":1,"id":"${A}","at":"2026-11-29T10:00:00Z","amount":10.5}]`,
    wrong: `[{"n":3,"id":"${B}","amount":10.5,"at":1796000000},{"n":2,"id":"${B}","amount":10.5,"at":1796000000},{"n":1,"id":"${A}","at":"2026-11-29T10:00:00Z","amount":10.5}]`,
  },
  {
    shop: 'a total that begins with the first credit, beside a counter of deliveries',
    first: '{"deliveries":1}',
    one: '{"deliveries":2,"total":10.5}',
    right: '{"deliveries":8,"total":21}',
    wrong: '{"deliveries":8,"total":63}',
  },
  {
    shop: 'a page',
    first: '<table></table><p>Total: <b>0,00</b></p>',
    one: `<table><tr><td>${A}</td><td>10,50</td></tr></table><p>Total: <b>10,50</b></p>`,
    right: `<table><tr><td>${A}</td><td>10,50</td></tr><tr><td>${B}</td><td>10,50</td></tr></table><p>Total: <b>21,00</b></p>`,
    wrong: `<table><tr><td>${A}</td><td>10,50</td></tr><tr><td>${B}</td><td>10,50</td></tr></table><p>Total: <b>63,00</b></p>`,
  },
]

const read = (text: string) => readShopState(text, [C])

describe.each(SHOPS)('$shop', ({ first, one, right, wrong }) => {
  const change = changeOf(read(first), read(one))
  it('shows a credit', () => expect(change.size).toBeGreaterThan(0))
  it('shows that five at once are one', () =>
    expect(judgeTogether(change, changeOf(read(one), read(right)), CENTS)).toBe('same'))
  it('shows that five at once are more than one', () =>
    expect(judgeTogether(change, changeOf(read(one), read(wrong)), CENTS)).toBe('credited'))
  it('shows that nothing was credited again', () =>
    expect(judgeRepetition(change, changeOf(read(one), read(one)), CENTS)).toBe('same'))
})

it('judges what a payment changed that was not paid', () => {
  const after = (unpaid: string, paid: string): StateVerdict => {
    const [first, second] = [changeOf(read('{}'), read(unpaid)), changeOf(read(unpaid), read(paid))]
    return judgeUnpaid(second, first, CENTS)
  }
  expect(after('{"total":10.5}', '{"total":21}')).toBe('credited')
  expect(judgeUnpaid(changeOf(read('10.5'), read('21')), changeOf(read('0'), read('10.5')), CENTS)).toBe('credited')
  expect(after('{}', '{"total":10.5}')).toBe('same')
  expect(after('{"expired":1}', '{"expired":1,"paid":1}')).toBe('same')
  expect(after(`{"${A}":"EXPIRED"}`, `{"${A}":"PAID"}`)).toBe('same')
  expect(
    after(
      '[{"status":"EXPIRED","amount":10.5}]',
      '[{"status":"EXPIRED","amount":10.5},{"status":"PAID","amount":10.5}]',
    ),
  ).toBe('unclear')
})

it('sets aside what changes by itself', () => {
  const [before, after] = [read('{"up":7,"paid":0}'), read('{"up":9,"paid":0}')]
  const restless = new Set(changeOf(before, after).keys())
  expect(changeOf(read('{"up":12,"paid":0}'), read('{"up":20,"paid":1}'), restless)).toEqual(
    new Map([['numbers .paid', 1]]),
  )
  expect(changeOf(read(`{"id":"${A}","at":"2026-11-29"}`), read(`{"id":"${B}","at":"2026-11-30"}`)).size).toBe(0)
})
