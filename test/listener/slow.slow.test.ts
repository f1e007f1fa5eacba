import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { emptyWorld } from '../world.ts'
import { idsOf, interrupt, linesOf, recordedEvents, startListening } from './listening.ts'
import { openRaw, type RawConnection, rawPost } from './rawExchange.ts'
import { deliver, eventBody, signature } from './webhooks.ts'

const HEAD = 'POST / HTTP/1.1\r\nHost: 127.0.0.1\r\n'
const DRIP_MS = 100
/** The others come this often, so that they do not cost more than what is tested. */
const MEANWHILE_MS = 25
/** More than a listener takes at once. */
const CROWD = 1_200
/** Their lines on stdout are more than any pipe holds. */
const EVENTS_UNREAD = 400

/** Begins a request; if it has bytes, one of them is sent now and then. */
interface SlowWay {
  name: string
  begin: string
  drip: string
}

const body = eventBody('slow')
const signed = `${HEAD}X-Signature: ${signature(body)}\r\nContent-Length: ${body.length}\r\n\r\n`
const SLOW_WAYS: SlowWay[] = [
  { name: 'nothing', begin: '', drip: '' },
  { name: 'half a request line', begin: 'POS', drip: '' },
  { name: 'half a head', begin: `${HEAD}X-Sig`, drip: '' },
  { name: 'a head without a body', begin: signed, drip: '' },
  { name: 'half a body', begin: `${signed}{"event":`, drip: '' },
  { name: 'half a chunk', begin: `${HEAD}Transfer-Encoding: chunked\r\n\r\nff\r\n{"ev`, drip: '' },
  { name: 'a dripping request line', begin: 'POST /', drip: 'a' },
  { name: 'a dripping header', begin: `${HEAD}X-Slow: `, drip: 'x' },
  { name: 'dripping headers', begin: HEAD, drip: 'X-Slow: x\r\n' },
  { name: 'a dripping body', begin: signed, drip: ' ' },
  { name: 'dripping chunks', begin: `${HEAD}Transfer-Encoding: chunked\r\n\r\n`, drip: '1\r\n{\r\n' },
  { name: 'a genuine request, then nothing', begin: signed + body.toString('latin1'), drip: '' },
  { name: 'a genuine request, then half a head', begin: signed + body.toString('latin1') + HEAD, drip: '' },
]

it('disconnects slow senders, and answers the others meanwhile', { timeout: 20_000 }, async () => {
  const world = emptyWorld()
  const listening = await startListening(world)
  const slow = await Promise.all(SLOW_WAYS.map((way) => beSlow(listening.port, way)))
  const meanwhile: (number | undefined)[] = []
  let isOver = false
  const sending = (async () => {
    for (let index = 0; !isOver; index++) {
      meanwhile.push(await deliver(listening.port, eventBody(`meanwhile-${index}`)))
      await sleep(MEANWHILE_MS)
    }
  })()
  // Waits for each to be closed: a listener that lets one be runs into the time of the test.
  const answers = await Promise.all(slow.map(({ closed }) => closed))
  isOver = true
  await sending
  const named = answers.map((statuses, index) => [SLOW_WAYS[index]?.name, statuses.join()])
  expect(named.filter(([name, statuses]) => name?.startsWith('a genuine') && !statuses?.startsWith('200'))).toEqual([])
  expect(
    named.filter(([name, statuses]) => !name?.startsWith('a genuine') && !/^(?:408)?$/.test(statuses ?? '')),
  ).toEqual([])
  expect(meanwhile.length).toBeGreaterThan(10)
  expect(meanwhile.filter((status) => status !== 200)).toEqual([])
  expect(await interrupt(listening)).toMatchObject({ exit: 0 })
  const ids = idsOf(await recordedEvents(world))
  expect(ids.filter((id) => id === 'slow')).toHaveLength(1)
  expect(ids).toHaveLength(1 + meanwhile.length)
})

it('takes genuine events during and after more connections than it keeps', { timeout: 30_000 }, async () => {
  const world = emptyWorld()
  const listening = await startListening(world)
  const kept = await openRaw(listening.port)
  kept.socket.write(rawPost(eventBody('before'), [`X-Signature: ${signature(eventBody('before'))}`], { closes: false }))
  await kept.answers(1)
  const crowd = await Promise.all(Array.from({ length: CROWD }, () => openRaw(listening.port)))
  // Who was there before is served on.
  kept.socket.write(rawPost(eventBody('amid'), [`X-Signature: ${signature(eventBody('amid'))}`], { closes: false }))
  expect(await kept.answers(2)).toEqual([200, 200])
  expect(await deliver(listening.port, eventBody('by-a-new-connection'))).toBe(200)
  await Promise.all(crowd.map(({ closed }) => closed))
  expect(await deliver(listening.port, eventBody('after'))).toBe(200)
  expect(await interrupt(listening)).toMatchObject({ exit: 0 })
  expect(idsOf(await recordedEvents(world))).toEqual(['before', 'amid', 'by-a-new-connection', 'after'])
})

it('continues if its output is not read', { timeout: 30_000 }, async () => {
  const world = emptyWorld()
  const listening = await startListening(world, [], { isRead: false })
  const statuses = new Set<number | undefined>()
  for (let index = 0; index < EVENTS_UNREAD; index += 10) {
    const answers = Array.from({ length: 10 }, (_, each) =>
      deliver(listening.port, eventBody(`e-${index + each}`, 500)),
    )
    for (const status of await Promise.all(answers)) statuses.add(status)
  }
  expect([...statuses]).toEqual([200])
  expect(await recordedEvents(world)).toHaveLength(EVENTS_UNREAD)
  listening.signal('SIGINT')
  listening.read()
  expect(await listening.ended).toMatchObject({ exit: 0 })
  await listening.allRead
  expect(linesOf(listening).filter(({ type }) => type === 'event')).toHaveLength(EVENTS_UNREAD)
  expect(linesOf(listening).at(-1)).toMatchObject({ type: 'summary', received: EVENTS_UNREAD })
})

it('can be ended though its output is not read', { timeout: 20_000 }, async () => {
  const world = emptyWorld()
  const listening = await startListening(world, [], { isRead: false })
  for (let index = 0; index < 200; index++) await deliver(listening.port, eventBody(`e-${index}`, 1000))
  listening.signal('SIGINT')
  listening.signal('SIGTERM')
  // One that waits for its reader runs into the time of the test.
  expect([0, 130, 143]).toContain((await listening.ended).exit)
})

async function beSlow(port: number, { begin, drip }: SlowWay): Promise<RawConnection> {
  const connection = await openRaw(port)
  connection.socket.write(begin)
  if (drip !== '') {
    const timer = setInterval(() => connection.socket.write(drip), DRIP_MS)
    void connection.closed.then(() => clearInterval(timer))
  }
  return connection
}
