import { describe, expect, it } from 'vitest'
import { emptyWorld } from '../world.ts'
import { ACCEPTED, type Ending, endingOf, POSTS, refused, UNKNOWN } from './commandLines.ts'
import { errorAnswer, type Fault, startFaultGateway } from './faultGateway.ts'
import {
  actedBut,
  actedThen,
  announced,
  anotherProtocol,
  answering,
  chunked,
  chunkedBroken,
  closeAfterActing,
  closeInsideAnswerHead,
  drip,
  dripHead,
  gzipped,
  lengthTooShort,
  resetAfterActing,
  resetAfterAnswerHead,
  resetAfterReading,
  resetBeforeReading,
  stall,
  stallAfterActing,
  truncated,
  truncatedAnswer,
  untilClose,
  withBom,
  withField,
} from './faults.ts'
import { runHere } from './running.ts'

const HTML = { status: 200, headers: { 'content-type': 'text/html' }, body: '<h1>Welcome</h1>' }
const NOTHING_CARRIED_OUT = 0
const CARRIED_OUT = 1
const REGISTER_IP = 'Register the public IP address in the dashboard, under gateway/checkout, IP management'
/** Words that the specification does not list, which may report a success as well as a failure. */
const WORDS = ['WAITING_FOR_APPROVAL', 'PAID_OUT', 'PAYMENT_ACCEPT', 'IN_PROCESS', 'INTERNAL_ERROR', 'NO_ERROR']
const LONG = 'x'.repeat(1024 * 1024)

const LONG_HEAD = actedThen({ status: 200, headers: { 'x-filler': LONG.slice(0, 70_000) } })

const containing = (words: string): string => expect.stringContaining(words)

type Row = [name: string, fault: Fault, expected: Ending, ledger: number]

async function check(fault: Fault, expected: Ending, ledger: number, timeout: string): Promise<void> {
  const ends = Object.entries(POSTS).map(async ([name, args]) => {
    const gateway = await startFaultGateway()
    gateway.always(fault)
    const ran = await runHere([...args, '-o', 'json', '--timeout', timeout, '--base-url', gateway.url], {})
    expect({ name, ...endingOf(ran) }).toMatchObject({ name, ...expected })
    expect(ran.stdout === '').toBe(expected.exit !== 0)
    expect({ name, posts: gateway.arrivals.length }).toEqual({ name, posts: 1 })
    expect({ name, ledger: gateway.ledger.length }).toEqual({ name, ledger })
  })
  await Promise.all(ends)
}

describe('a POST whose outcome is unknown', () => {
  const broken: Row[] = [
    ['reset before it was read', resetBeforeReading, UNKNOWN, NOTHING_CARRIED_OUT],
    ['reset after it was read', resetAfterReading, UNKNOWN, NOTHING_CARRIED_OUT],
    ['reset after it was carried out', resetAfterActing, UNKNOWN, CARRIED_OUT],
    ['closed without an answer', closeAfterActing, UNKNOWN, CARRIED_OUT],
    ['closed inside the head', closeInsideAnswerHead, UNKNOWN, CARRIED_OUT],
    ['reset after the head', resetAfterAnswerHead, UNKNOWN, CARRIED_OUT],
    ['truncated', truncated, { ...UNKNOWN, httpStatus: 200 }, CARRIED_OUT],
    ['chunks that break off', chunkedBroken, UNKNOWN, CARRIED_OUT],
    ['a length that cuts the JSON', lengthTooShort, UNKNOWN, CARRIED_OUT],
    ['an unasked 100', announced(100), UNKNOWN, CARRIED_OUT],
    ['another protocol', anotherProtocol, { ...UNKNOWN, message: containing('not valid HTTP') }, CARRIED_OUT],
    ['a head above the limit', LONG_HEAD, { ...UNKNOWN, message: containing('size limit') }, CARRIED_OUT],
  ]
  const unreadable: Row[] = [
    ['HTML', actedThen(HTML), { ...UNKNOWN, httpStatus: 200 }, CARRIED_OUT],
    ['nothing', actedThen({ status: 200 }), UNKNOWN, CARRIED_OUT],
    ['garbage', actedThen({ status: 200, body: '{"idTransaction":' }), UNKNOWN, CARRIED_OUT],
    ...WORDS.map(
      (word): Row => [
        `${word} without an id`,
        actedThen({ status: 200, body: JSON.stringify({ status: word, message: word }) }),
        { ...UNKNOWN, httpStatus: 200 },
        CARRIED_OUT,
      ],
    ),
    ['an array', actedThen({ status: 200, body: '[{"idTransaction":"1"}]' }), UNKNOWN, CARRIED_OUT],
    ['null', actedThen({ status: 200, body: 'null' }), UNKNOWN, CARRIED_OUT],
    ['no idTransaction', actedThen({ status: 200, body: '{"response":"OK"}' }), UNKNOWN, CARRIED_OUT],
    ['a null idTransaction', actedThen({ status: 200, body: '{"idTransaction":null}' }), UNKNOWN, CARRIED_OUT],
    ['a blank idTransaction', actedThen({ status: 201, body: '{"idTransaction":" "}' }), UNKNOWN, CARRIED_OUT],
    ['depth', withField(`"deep":${'['.repeat(9000)}${']'.repeat(9000)}`), UNKNOWN, CARRIED_OUT],
    ['a 204', actedThen({ status: 204 }), { ...UNKNOWN, httpStatus: 204 }, CARRIED_OUT],
  ]
  const statuses = [300, 304, 408, 500, 501, 502, 503, 504, 599].map(
    (status): Row => [
      `a ${status} that was carried out`,
      actedBut(status),
      { ...UNKNOWN, httpStatus: status },
      CARRIED_OUT,
    ],
  )
  const withCodes = [304, 408, 500, 503].map(
    (status): Row => [
      `a ${status} with an error code`,
      answering(errorAnswer(status, 'NO_FUNDS')),
      UNKNOWN,
      NOTHING_CARRIED_OUT,
    ],
  )
  it.each([...broken, ...unreadable, ...statuses, ...withCodes])('%s', (_, fault, expected, ledger) =>
    check(fault, expected, ledger, '10s'),
  )

  const slow: Row[] = [
    ['never answered', stall, UNKNOWN, NOTHING_CARRIED_OUT],
    ['carried out and never answered', stallAfterActing, UNKNOWN, CARRIED_OUT],
    ['a body that drips', drip, { ...UNKNOWN, httpStatus: 200 }, CARRIED_OUT],
    ['a head that drips', dripHead, UNKNOWN, CARRIED_OUT],
  ]
  it.each(slow)('%s', (_, fault, expected, ledger) => check(fault, expected, ledger, '400ms'))
})

describe('a POST that was refused', () => {
  const statuses = [400, 402, 403, 404, 405, 409, 410, 413, 422, 451].map(
    (status): Row => [`a ${status} with a code`, answering(errorAnswer(status, 'SOME_CODE')), refused('SOME_CODE'), 0],
  )
  const forms = [400, 404, 422].flatMap((status): Row[] => [
    [`a ${status} in HTML`, answering({ ...HTML, status }), { ...refused(), httpStatus: status }, 0],
    [`a ${status} of a framework`, answering({ status, body: '{"message":"Cannot POST /"}' }), refused(), 0],
    [`a ${status} that breaks off`, truncatedAnswer(errorAnswer(status, 'SOME_CODE')), refused(), 0],
  ])
  const successes = ['message', 'response', 'error', 'errorCode'].map(
    (place): Row => [
      `a code in ${place} of a 200`,
      withField(`"${place}":"NO_FUNDS"`),
      { ...refused('NO_FUNDS'), httpStatus: 200 },
      CARRIED_OUT,
    ],
  )
  const failed: Row[] = [
    ['status FAILED in a 200', withField('"status":"FAILED"'), { ...refused(), httpStatus: 200 }, CARRIED_OUT],
    ['status failed in a 201', withField('"status":"failed"'), ACCEPTED, CARRIED_OUT],
    ['statusTransaction FAILED', actedThen({ status: 200, body: '{"statusTransaction":"FAILED"}' }), refused(), 1],
    ['UNAUTHORIZED_IP', answering(errorAnswer(403, 'UNAUTHORIZED_IP')), { exit: 4, code: 'UNAUTHORIZED_IP' }, 0],
    ['UNAUTHORIZED_IP in a 200', withField('"message":"UNAUTHORIZED_IP"'), { exit: 4, outcome: 'refused' }, 1],
    ['UNAUTHORIZED_IP in a 401', answering(errorAnswer(401, 'UNAUTHORIZED_IP')), { exit: 4, hint: REGISTER_IP }, 0],
    ['a 401', answering(errorAnswer(401, 'INVALID_CREDENTIALS')), { exit: 4, code: 'INVALID_CREDENTIALS' }, 0],
    ['a 401 in HTML', answering({ ...HTML, status: 401 }), { exit: 4, code: 'INVALID_CREDENTIALS' }, 0],
    ['a 429', answering(errorAnswer(429, 'SLOW_DOWN')), { exit: 7, code: 'SLOW_DOWN', outcome: 'refused' }, 0],
    ['a 429 in HTML', answering({ ...HTML, status: 429 }), { exit: 7, code: 'RATE_LIMITED' }, 0],
    ['a 429 that breaks off', truncatedAnswer({ status: 429 }), { exit: 7, code: 'RATE_LIMITED' }, 0],
  ]
  it.each([...statuses, ...forms, ...successes, ...failed])('%s', (_, fault, expected, ledger) =>
    check(fault, expected, ledger, '10s'),
  )

  it('names the wait that a 429 asks for', async () => {
    const seconds = answering(errorAnswer(429, 'SLOW_DOWN', { 'retry-after': '90' }))
    const date = answering({ status: 429, headers: { 'retry-after': new Date(Date.now() + 3_600_500).toUTCString() } })
    await check(seconds, { exit: 7, hint: 'Wait 1 m 30 s, as the gateway asks, then try again' }, 0, '10s')
    await check(date, { exit: 7, hint: expect.stringMatching(/^Wait (1 h|59 m)/) }, 0, '10s')
  })

  it('is not found if the payment to return is unknown', async () => {
    const gateway = await startFaultGateway()
    gateway.always(answering(errorAnswer(404, 'TRANSACTION_NOT_FOUND')))
    const ran = await runHere([...POSTS.refund, '-o', 'json', '--base-url', gateway.url], {})
    expect(endingOf(ran)).toMatchObject({ exit: 3, code: 'TRANSACTION_NOT_FOUND', outcome: 'refused' })
  })
})

describe('a POST that was accepted', () => {
  const rows: Row[] = [
    ['as a 201', actedBut(201), ACCEPTED, CARRIED_OUT],
    ['as a 202', actedBut(202), ACCEPTED, CARRIED_OUT],
    ['behind a byte order mark', withBom, ACCEPTED, CARRIED_OUT],
    ['in chunks', chunked, ACCEPTED, CARRIED_OUT],
    ['packed with gzip', gzipped, ACCEPTED, CARRIED_OUT],
    ['until the connection closes', untilClose, ACCEPTED, CARRIED_OUT],
    ['after a 102', announced(102), ACCEPTED, CARRIED_OUT],
    ['after a 103', announced(103), ACCEPTED, CARRIED_OUT],
    ['with repeated keys', withField('"response":"OK","response":"OK"'), ACCEPTED, CARRIED_OUT],
    ['with unknown and null fields', withField('"fee":null,"__proto__":{"status":"FAILED"}'), ACCEPTED, CARRIED_OUT],
    ['with an error that is null', withField('"error":null,"message":"","errorCode":0'), ACCEPTED, CARRIED_OUT],
  ]
  const words = WORDS.map((word, index): Row => {
    const place = ['status', 'message', 'error', 'errorCode'][index % 4]
    return [`${word} in ${place}`, withField(`"${place}":"${word}"`), ACCEPTED, CARRIED_OUT]
  })
  it.each([...rows, ...words])('%s', (_, fault, expected, ledger) => check(fault, expected, ledger, '10s'))

  it('shows a word that the specification does not list as it came, and holds the same payment under another id', async () => {
    const gateway = await startFaultGateway()
    gateway.always(withField('"message":"WAITING_FOR_APPROVAL"'))
    const world = emptyWorld()
    const run = (...args: readonly string[]) => runHere([...args, '--base-url', gateway.url], { ...world.env })
    const first = await run(...POSTS.transfer)
    expect(first.stdout).toMatch(/^answer +WAITING_FOR_APPROVAL$/m)
    const other = [...POSTS.transfer.slice(0, -2), 'order-2', '--yes', '-o', 'json']
    expect(endingOf(await run(...other))).toMatchObject({ exit: 2, code: 'REPEAT', outcome: 'not-sent' })
    expect((await run(...POSTS.refund)).exit).toBe(0)
    expect(endingOf(await run(...POSTS.refund, '-o', 'json'))).toMatchObject({ exit: 2, outcome: 'not-sent' })
    gateway.always(actedThen({ status: 200, body: '{"message":"IN_PROCESS"}' }))
    const unknown = await run(
      ...POSTS.transfer.map((word) => (word === '10' ? '11' : word.replace('order-1', 'order-3'))),
    )
    expect(unknown.exit).toBe(5)
    expect(unknown.stderr).toContain('The gateway says: IN_PROCESS')
  })
})

it('reads a QR code answer up to 8 MiB, any other up to 1 MiB', async () => {
  const expected = [
    [POSTS.transfer, UNKNOWN],
    [POSTS.refund, UNKNOWN],
    [POSTS.qr, ACCEPTED],
  ] as const
  for (const [args, ending] of expected) {
    const gateway = await startFaultGateway()
    gateway.always(withField(`"long":"${LONG}"`))
    const ran = await runHere([...args, '-o', 'json', '--base-url', gateway.url], {})
    expect({ args, ...endingOf(ran) }).toMatchObject({ args, ...ending })
  }
  const gateway = await startFaultGateway()
  gateway.always(withField(`"long":"${LONG.repeat(8)}"`))
  const ran = await runHere([...POSTS.qr, '-o', 'json', '--base-url', gateway.url], {})
  expect(endingOf(ran)).toMatchObject(UNKNOWN)
})
