/**
 * A load generator for webhook receivers over bare sockets. It sends requests that were built before, one at a time on each
 * connection, and reads no more of an answer than its status and where it ends.
 */
import { createHmac } from 'node:crypto'
import { connect } from 'node:net'

const HEAD_END = '\r\n\r\n'
const BODY_BYTES = 500
const ANSWER_BYTES_MAX = 4096
const DRIP_MS = 1000
const DRIP_GROUPS = 10

/**
 * @typedef {{ id: string, request: Buffer }} SignedEvent
 * @typedef {{
 *   eventsPerSecond: number, p50Ms: number, p95Ms: number, p99Ms: number, maxMs: number,
 *   statuses: Record<string, number>, answered200: string[], broken: number
 * }} LoadResult
 */

/**
 * Requests that carry genuine events of about 500 bytes, each with an id of its own.
 * @param {{ port: number, secret: string, count: number, prefix: string }} wanted
 * @returns {SignedEvent[]}
 */
export function signedEvents({ port, secret, count, prefix }) {
  return Array.from({ length: count }, (_, index) => {
    const id = `${prefix}-${String(index).padStart(12, '0')}`
    return { id, request: signedRequest(port, secret, bodyOf(id, index)) }
  })
}

/**
 * @param {number} port
 * @param {string} secret
 * @param {Buffer} body
 */
function signedRequest(port, secret, body) {
  const head = [
    'POST /webhook HTTP/1.1',
    `Host: 127.0.0.1:${port}`,
    'User-Agent: bench/1.0',
    'Accept: */*',
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
    `X-Signature: ${createHmac('sha256', secret).update(body).digest('hex')}`,
  ]
  return Buffer.concat([Buffer.from(head.join('\r\n') + HEAD_END), body])
}

/**
 * @param {string} idTransaction
 * @param {number} index
 */
function bodyOf(idTransaction, index) {
  const data = {
    idTransaction,
    status: 'PAID',
    amount: (index % 100_000) / 100,
    paidAt: '2026-01-02T03:04:05.000Z',
    payerName: 'José da Silva Açaí',
    description: '',
  }
  const bare = Buffer.byteLength(JSON.stringify({ event: 'pix.received', data }))
  data.description = 'x'.repeat(Math.max(0, BODY_BYTES - bare))
  return Buffer.from(JSON.stringify({ event: 'pix.received', data }))
}

/**
 * Sends all events over that many connections and waits for every answer. A connection that breaks is opened again, and its
 * event counts as broken; it is not sent again.
 * @param {{ port: number, events: readonly SignedEvent[], connections: number }} load
 * @returns {Promise<LoadResult>}
 */
export async function sendAll({ port, events, connections }) {
  const latencies = new Float64Array(events.length)
  const statusOf = new Uint16Array(events.length)
  let next = 0
  const take = () => (next < events.length ? next++ : -1)
  /** @param {number} index @param {number} status @param {number} ms */
  const answered = (index, status, ms) => {
    statusOf[index] = status
    latencies[index] = ms
  }
  const beginMs = performance.now()
  await Promise.all(Array.from({ length: connections }, () => sendInTurn(port, events, take, answered)))
  const seconds = (performance.now() - beginMs) / 1000
  return { eventsPerSecond: events.length / seconds, ...summary(events, latencies, statusOf) }
}

/**
 * @param {readonly SignedEvent[]} events
 * @param {Float64Array} latencies
 * @param {Uint16Array} statusOf 0 where no answer came
 */
function summary(events, latencies, statusOf) {
  /** @type {Record<string, number>} */
  const statuses = {}
  /** @type {string[]} */
  const answered200 = []
  let broken = 0
  for (const [index, { id }] of events.entries()) {
    const status = statusOf[index] ?? 0
    if (status === 0) broken++
    else statuses[status] = (statuses[status] ?? 0) + 1
    if (status === 200) answered200.push(id)
  }
  const sorted = latencies.filter((_, index) => statusOf[index] !== 0).sort()
  /** @param {number} part */
  const at = (part) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN
  return { p50Ms: at(0.5), p95Ms: at(0.95), p99Ms: at(0.99), maxMs: at(1), statuses, answered200, broken }
}

/**
 * One connection: an event, its answer, the next event. Where the connection breaks, or is refused, the event is broken and
 * the next one goes over a new connection.
 * @param {number} port
 * @param {readonly SignedEvent[]} events
 * @param {() => number} take the next event's index, -1 when there is none
 * @param {(index: number, status: number, ms: number) => void} answered
 * @returns {Promise<void>}
 */
function sendInTurn(port, events, take, answered) {
  return new Promise((resolve) => {
    let index = take()
    let isSent = false
    let sentMs = 0
    let received = ''
    // A stream that makes a buffer for each answer takes a third more of the processor that the receiver may need.
    const buffer = Buffer.allocUnsafe(ANSWER_BYTES_MAX)

    const open = () => {
      if (index === -1) return resolve()
      isSent = false
      received = ''
      const socket = connect({ port, host: '127.0.0.1', noDelay: true, onread: { buffer, callback: read } })
      const send = () => {
        const event = events[index]
        if (event === undefined) return socket.destroy()
        isSent = true
        sentMs = performance.now()
        socket.write(event.request)
      }
      socket.on('connect', send)
      /** @param {number} bytes */
      function read(bytes) {
        received += buffer.toString('latin1', 0, bytes)
        const answer = readAnswer(received)
        if (answer === undefined || !isSent) return true
        answered(index, answer.status, performance.now() - sentMs)
        received = ''
        isSent = false
        index = take()
        if (answer.closes) socket.destroy()
        else send()
        return true
      }
      let isRefused = false
      socket.on('error', () => {
        isRefused = !isSent
      })
      socket.on('close', () => {
        if (isSent || isRefused) index = take()
        open()
      })
    }
    open()
  })
}

/** @typedef {{ status: number, closes: boolean }} Answer */

/** @type {{ text: string, answer: Answer | undefined }} */
let last = { text: '', answer: undefined }

/**
 * Reads an answer that is whole; undefined for one that is not. Within a second most answers are the same text.
 * @param {string} text
 */
function readAnswer(text) {
  if (text !== last.text) last = { text, answer: answerIn(text) }
  return last.answer
}

/**
 * @param {string} text
 * @returns {Answer | undefined}
 */
function answerIn(text) {
  const headEnd = text.indexOf(HEAD_END)
  if (headEnd === -1) return undefined
  const head = text.slice(0, headEnd).toLowerCase()
  const length = /\r\ncontent-length: *(\d+)/.exec(head)?.[1]
  const isChunked = length === undefined && head.includes('\r\ntransfer-encoding: chunked')
  const isWhole = isChunked
    ? text.endsWith(`0${HEAD_END}`)
    : text.length >= headEnd + HEAD_END.length + Number(length ?? 0)
  if (!isWhole) return undefined
  return { status: Number(text.slice(9, 12)), closes: head.includes('\r\nconnection: close') }
}

/**
 * Opens that many connections, which send the beginning of a request and then a byte of a header every second, and open again
 * where they are closed.
 * @param {{ port: number, count: number }} wanted
 */
export function slowSockets({ port, count }) {
  /** @type {Set<import('node:net').Socket>} */
  const sockets = new Set()
  const seen = { opened: 0, closed: 0, answered: 0 }
  let isStopped = false

  const open = () => {
    if (isStopped) return
    const socket = connect({ port, host: '127.0.0.1', noDelay: true })
    sockets.add(socket)
    socket.on('connect', () => {
      seen.opened++
      socket.write(`POST /webhook HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nX-Slow: `)
    })
    socket.on('data', () => seen.answered++)
    socket.on('error', () => undefined)
    socket.on('close', () => {
      seen.closed++
      sockets.delete(socket)
      // A receiver that refuses at once is not to be hammered.
      setTimeout(open, DRIP_MS / DRIP_GROUPS)
    })
  }
  for (let index = 0; index < count; index++) open()

  let tick = 0
  const drip = setInterval(() => {
    tick++
    let index = 0
    for (const socket of sockets) if (index++ % DRIP_GROUPS === tick % DRIP_GROUPS) socket.write('x')
  }, DRIP_MS / DRIP_GROUPS)

  return {
    seen,
    open: () => sockets.size,
    stop() {
      isStopped = true
      clearInterval(drip)
      for (const socket of sockets) socket.destroy()
    },
  }
}
