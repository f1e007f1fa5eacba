import { describe, expect, it } from 'vitest'
import { ACCEPTED, type Ending, endingOf, PAYMENT_ID, refused, STATUS, UNUSABLE } from './commandLines.ts'
import { errorAnswer, type Fault, startFaultGateway } from './faultGateway.ts'
import {
  actedBut,
  announced,
  answering,
  chunked,
  chunkedBroken,
  closeAfterActing,
  closeInsideAnswerHead,
  drip,
  dripHead,
  gzipped,
  lengthTooShort,
  longUntilClose,
  resetAfterAnswerHead,
  resetAfterReading,
  resetBeforeReading,
  stall,
  truncated,
  truncatedAnswer,
  untilClose,
  withBom,
  withField,
} from './faults.ts'
import { runHere } from './running.ts'

const HTML = { status: 200, headers: { 'content-type': 'text/html' }, body: '<h1>Welcome</h1>' }
const LONG = 'x'.repeat(1024 * 1024)

type Row = [name: string, fault: Fault, expected: Ending]

async function askOnce(fault: Fault, timeout: string) {
  const gateway = await startFaultGateway()
  gateway.always(fault)
  const ran = await runHere([...STATUS, '-o', 'json', '--timeout', timeout, '--base-url', gateway.url], {})
  return { ran, gateway }
}

async function check(fault: Fault, expected: Ending, queries: number, timeout = '10s'): Promise<void> {
  const { ran, gateway } = await askOnce(fault, timeout)
  expect(endingOf(ran)).toMatchObject(expected)
  expect(ran.stdout === '').toBe(expected.exit !== 0)
  expect(gateway.arrivals.map(({ method }) => method)).toEqual(Array(queries).fill('GET'))
}

describe('a query that is asked once', () => {
  const unusable: Row[] = [
    ['HTML', answering(HTML), { ...UNUSABLE, httpStatus: 200 }],
    ['nothing', answering({ status: 200 }), UNUSABLE],
    ['garbage', answering({ status: 200, body: '{"status":' }), UNUSABLE],
    ['an array', answering({ status: 200, body: '[]' }), UNUSABLE],
    ['a 204', answering({ status: 204 }), { ...UNUSABLE, httpStatus: 204 }],
    ['a length that cuts the JSON', lengthTooShort, UNUSABLE],
    ['more than 1 MiB', withField(`"long":"${LONG}"`), UNUSABLE],
    ['more than 1 MiB until the connection closes', longUntilClose, UNUSABLE],
    ['too deep', withField(`"deep":${'['.repeat(9000)}${']'.repeat(9000)}`), UNUSABLE],
    ['a redirect', actedBut(302, { location: 'http://127.0.0.1:1/' }), { ...UNUSABLE, httpStatus: 302 }],
    ['a 404 of another server', answering({ ...HTML, status: 404 }), { ...UNUSABLE, httpStatus: 404 }],
    ['a 408', answering(errorAnswer(408, 'TOO_SLOW')), { exit: 6, outcome: 'unknown', httpStatus: 408 }],
    ['a 500', actedBut(500), { ...UNUSABLE, httpStatus: 500 }],
    ['a 501', actedBut(501), { ...UNUSABLE, httpStatus: 501 }],
    [
      'a word of its own and no status',
      answering({ status: 200, body: '{"message":"TRY_LATER"}' }),
      {
        exit: 6,
        code: 'TRY_LATER',
        outcome: 'unknown',
      },
    ],
  ]
  const saysNo: Row[] = [
    ['a 400', answering(errorAnswer(400, 'INVALID_TRANSACTION_ID')), refused('INVALID_TRANSACTION_ID')],
    ['a 422', answering(errorAnswer(422, 'SOME_CODE')), refused('SOME_CODE')],
    [
      'UNAUTHORIZED_IP in a 401',
      answering(errorAnswer(401, 'UNAUTHORIZED_IP')),
      { exit: 4, hint: expect.stringContaining('Register the public IP address') },
    ],
    ['a 401', answering({ ...HTML, status: 401 }), { exit: 4, code: 'INVALID_CREDENTIALS', outcome: 'refused' }],
    ['UNAUTHORIZED_IP', answering(errorAnswer(403, 'UNAUTHORIZED_IP')), { exit: 4, code: 'UNAUTHORIZED_IP' }],
    ['not found', answering(errorAnswer(404, 'TRANSACTION_NOT_FOUND')), { exit: 3, code: 'TRANSACTION_NOT_FOUND' }],
    ['not found in a 200', withField('"message":"TRANSACTION_NOT_FOUND"'), { exit: 3, outcome: 'refused' }],
  ]
  const usable: Row[] = [
    ['a 200 with status FAILED, which is the status of the payment', withField('"status":"FAILED"'), ACCEPTED],
    ['a byte order mark', withBom, ACCEPTED],
    ['chunks', chunked, ACCEPTED],
    ['gzip', gzipped, ACCEPTED],
    ['a word of its own beside a status', withField('"errorCode":"NO_ERROR"'), ACCEPTED],
    ['a body until the connection closes', untilClose, ACCEPTED],
    ['a 103 before it', announced(103), ACCEPTED],
  ]
  it.each([...unusable, ...saysNo, ...usable])('%s', (_, fault, expected) => check(fault, expected, 1))

  const slow: Row[] = [
    ['no answer', stall, UNUSABLE],
    ['a body that drips', drip, UNUSABLE],
    ['a head that drips', dripHead, UNUSABLE],
  ]
  it.each(slow)('%s', (_, fault, expected) => check(fault, expected, 1, '400ms'))

  it('a 429 that asks for more time than there is', async () => {
    const limited = { exit: 7, code: 'SLOW_DOWN', outcome: 'refused' }
    await check(answering(errorAnswer(429, 'SLOW_DOWN', { 'retry-after': '60' })), limited, 1)
    const date = new Date(Date.now() + 60_000).toUTCString()
    await check(answering(errorAnswer(429, 'SLOW_DOWN', { 'retry-after': date })), limited, 1)
    await check(answering({ status: 503, headers: { 'retry-after': '60' } }), { ...UNUSABLE, httpStatus: 503 }, 1)
  })
})

describe('a query that is asked again', () => {
  const passing: Row[] = [
    ['reset before it was read', resetBeforeReading, UNUSABLE],
    ['reset after it was read', resetAfterReading, UNUSABLE],
    ['closed without an answer', closeAfterActing, UNUSABLE],
    ['closed inside the head', closeInsideAnswerHead, UNUSABLE],
    ['reset after the head', resetAfterAnswerHead, UNUSABLE],
    ['truncated', truncated, UNUSABLE],
    ['a 400 that breaks off', truncatedAnswer(errorAnswer(400, 'SOME_CODE')), UNUSABLE],
    ['chunks that break off', chunkedBroken, UNUSABLE],
    ['a 429', answering(errorAnswer(429, 'SLOW_DOWN')), { exit: 7, code: 'SLOW_DOWN' }],
    ['a 429 in HTML', answering({ ...HTML, status: 429 }), { exit: 7, code: 'RATE_LIMITED' }],
    ['a 502', answering({ ...HTML, status: 502 }), { ...UNUSABLE, httpStatus: 502 }],
    ['a 503', actedBut(503), { ...UNUSABLE, httpStatus: 503 }],
    ['a 504', answering({ status: 504 }), { ...UNUSABLE, httpStatus: 504 }],
  ]

  it('gives up after four times', async () => {
    await Promise.all(passing.map(([, fault, expected]) => check(fault, expected, 4)))
  })

  it('ends as soon as an answer comes', async () => {
    const ends = passing.map(async ([name, fault]) => {
      const gateway = await startFaultGateway()
      gateway.misbehave([fault])
      const ran = await runHere([...STATUS, '-o', 'json', '--base-url', gateway.url], {})
      expect({ name, ...endingOf(ran) }).toEqual({ name, ...ACCEPTED })
      expect({ name, queries: gateway.arrivals.length }).toEqual({ name, queries: 2 })
    })
    await Promise.all(ends)
  })

  it('waits as long as the gateway asks, and says so', async () => {
    const gateway = await startFaultGateway()
    gateway.misbehave([answering({ status: 503, headers: { 'retry-after': '1' } })])
    const ran = await runHere([...STATUS, '--base-url', gateway.url], {})
    expect(ran.exit).toBe(0)
    expect(ran.stderr).toContain('The gateway asked to wait; retrying in 1 s')
    const [first, second] = gateway.arrivals.map(({ atMs }) => atMs)
    expect(Number(second) - Number(first)).toBeGreaterThanOrEqual(995)
  })
})

describe('what the gateway says of a payment', () => {
  const rows: [name: string, payment: Record<string, unknown>, expected: Record<string, unknown>][] = [
    ['its status under its other name', { statusTransaction: 'PAID' }, { status: 'PAID', statusTransaction: 'PAID' }],
    ['both names', { status: 'PENDING', statusTransaction: 'PAID' }, { status: 'PENDING', statusTransaction: 'PAID' }],
    ['an unknown status', { status: 'UNPAID' }, { status: 'UNPAID' }],
    ['no status', { amount: 1 }, { status: null, amount: 1 }],
    ['a null status', { status: null, amount: null, paidAt: null }, { status: null, amount: null, paidAt: null }],
    ['an amount as text', { status: 'PAID', amount: '10.50' }, { status: 'PAID', amount: '10.50' }],
    ['an amount that is none', { status: 'PAID', amount: { reais: 1 } }, { status: 'PAID', amount: { reais: 1 } }],
    ['an unknown field', { status: 'PAID', payer: { name: 'Ana' } }, { payer: { name: 'Ana' } }],
    ['a field of our name', { status: 'PAID', pixgate: 'mine' }, { pixgate: { knownBy: 'gateway' } }],
  ]
  it.each(rows)('%s', async (_, payment, expected) => {
    const gateway = await startFaultGateway()
    gateway.payment = payment
    const json = await runHere([...STATUS, '-o', 'json', '--base-url', gateway.url], {})
    expect(json).toMatchObject({ exit: 0, stderr: '' })
    expect(JSON.parse(json.stdout)).toMatchObject({ idTransaction: PAYMENT_ID, ...expected })
    const text = await runHere([...STATUS, '--base-url', gateway.url], {})
    expect(text).toMatchObject({ exit: 0, stderr: '' })
  })

  it('is shown without what could steer a terminal', async () => {
    const gateway = await startFaultGateway()
    gateway.payment = { status: '\u001b[31mPAID\u202e', amount: '\u001b]0;x\u0007' }
    const ran = await runHere([...STATUS, '--base-url', gateway.url], {})
    expect(ran.stdout).not.toMatch(/[\u001b\u0007\u202e]/)
  })
})
