import { TLSSocket } from 'node:tls'
import { gzipSync } from 'node:zlib'
import type { Call, Fault } from './faultGateway.ts'
import { Milestones } from './milestones.ts'
import { answerHead, type RawAnswer, writeAnswer } from './rawHttp.ts'

const DRIP_MS = 50

/** The connection is reset when the head has come; the body is never read. */
export const resetBeforeReading: Fault = ({ socket }) => reset(socket)

/** The connection is reset when the whole request has come; nothing is carried out. */
export const resetAfterReading: Fault = async ({ socket, read }) => {
  await read()
  reset(socket)
}

/** Carried out, then the connection is reset without a byte of an answer. */
export const resetAfterActing: Fault = async ({ socket, carryOut }) => {
  await carryOut()
  reset(socket)
}

/** Carried out, then the connection is closed politely without a byte of an answer. */
export const closeAfterActing: Fault = async ({ socket, carryOut }) => {
  await carryOut()
  socket.end()
}

/** Carried out; the connection is reset when the answer's head has been sent. */
export const resetAfterAnswerHead: Fault = async ({ socket, carryOut }) => {
  const answer = await carryOut()
  socket.write(answerHead(answer), () => reset(socket))
}

/** Carried out; the answer ends inside its head. */
export const closeInsideAnswerHead: Fault = async ({ socket, carryOut }) => {
  await carryOut()
  socket.end('HTTP/1.1 200 OK\r\ncontent-le')
}

/** Carried out; the body ends before the length that its head promised. */
export const truncated: Fault = async ({ socket, carryOut }) => {
  const { status, body = '' } = await carryOut()
  const length = String(Buffer.byteLength(body) + 10)
  socket.end(answerHead({ status, headers: { 'content-length': length } }) + body)
}

/** An answer of this status, refused or not, whose body ends before the promised length. */
export function truncatedAnswer(answer: RawAnswer): Fault {
  return async ({ socket, read }) => {
    await read()
    socket.end(answerHead({ ...answer, headers: { 'content-length': '9999' } }) + (answer.body ?? ''))
  }
}

/** Carried out; the head promises less than the body has, which cuts the JSON. */
export const lengthTooShort: Fault = async ({ socket, carryOut }) => {
  const answer = await carryOut()
  writeAnswer(socket, { ...answer, headers: { 'content-length': '10' } })
}

/** Carried out, then answered in another protocol. */
export const anotherProtocol: Fault = async ({ socket, carryOut }) => {
  await carryOut()
  socket.end('SSH-2.0-OpenSSH_9.6\r\n')
}

/** Carried out, and never answered; the connection stays open. */
export const stallAfterActing: Fault = async ({ carryOut }) => {
  await carryOut()
}

/** Never answered, and nothing is carried out. */
export const stall: Fault = async ({ read }) => {
  await read()
}

/** Carried out; then one byte of the answer every 50 ms, forever. */
export const drip: Fault = async ({ socket, carryOut }) => {
  const { status } = await carryOut()
  socket.write(answerHead({ status, headers: { 'content-length': '1000000000' } }))
  dripBytes(socket)
}

/** Carried out; then a head of which one byte comes every 50 ms, forever. */
export const dripHead: Fault = async ({ socket, carryOut }) => {
  await carryOut()
  socket.write('HTTP/1.1 200 OK\r\nx-slow: ')
  dripBytes(socket)
}

/** The same answer, of which the head is preceded by another of status 1xx. */
export function announced(status: 100 | 102 | 103): Fault {
  return async ({ socket, carryOut }) => {
    const answer = await carryOut()
    socket.write(`HTTP/1.1 ${status} Wait\r\n\r\n`)
    writeAnswer(socket, answer)
  }
}

/** A healthy answer in chunks. */
export const chunked: Fault = async ({ socket, carryOut }) => {
  const { status, body = '' } = await carryOut()
  socket.write(answerHead({ status, headers: { 'transfer-encoding': 'chunked' } }))
  for (const byte of Buffer.from(body)) socket.write(`1\r\n${String.fromCharCode(byte)}\r\n`)
  socket.write('0\r\n\r\n')
}

/** Chunks, of which the last never comes. */
export const chunkedBroken: Fault = async ({ socket, carryOut }) => {
  const { status, body = '' } = await carryOut()
  socket.end(
    `${answerHead({ status, headers: { 'transfer-encoding': 'chunked' } })}5\r\n${String(body).slice(0, 5)}\r\n`,
  )
}

/** A healthy answer whose end is the end of the connection. */
export const untilClose: Fault = async ({ socket, carryOut }) => {
  const { status, body = '' } = await carryOut()
  socket.end(answerHead({ status, headers: { connection: 'close' } }) + body)
}

/** The same with more white space behind it than anybody reads. */
export const longUntilClose: Fault = async ({ socket, carryOut }) => {
  const { status, body = '' } = await carryOut()
  socket.end(answerHead({ status, headers: { connection: 'close' } }) + body + ' '.repeat(10 * 1024 * 1024))
}

/** A healthy answer behind a byte order mark. */
export const withBom: Fault = healthyBut((body) => `\uFEFF${body}`)

/** A healthy answer that is compressed without a request for it. */
export const gzipped: Fault = async ({ socket, carryOut }) => {
  const { status, body = '' } = await carryOut()
  writeAnswer(socket, { status, headers: { 'content-encoding': 'gzip' }, body: gzipSync(body) })
}

/** A healthy answer whose object has one more field at its end, as JSON text: `"status":"FAILED"`. */
export function withField(field: string): Fault {
  return healthyBut((body) => `${body.slice(0, -1)},${field}}`)
}

/** A healthy answer under another status, headers added. */
export function actedBut(status: number, headers: Readonly<Record<string, string>> = {}): Fault {
  return async ({ socket, carryOut }) => writeAnswer(socket, { ...(await carryOut()), status, headers })
}

/** Carried out, and answered with this. */
export function actedThen(answer: RawAnswer): Fault {
  return async ({ socket, carryOut }) => {
    await carryOut()
    writeAnswer(socket, answer)
  }
}

/** Not carried out, and answered with this. */
export function answering(answer: RawAnswer): Fault {
  return async ({ socket, read }) => {
    await read()
    writeAnswer(socket, answer)
  }
}

/** Carried out at once and answered when the test says so. */
export function held(): { fault: Fault; release(): void } {
  const released = new Milestones()
  return {
    release: () => released.reach(1),
    fault: async ({ socket, carryOut }) => {
      const answer = await carryOut()
      await released.when(1)
      writeAnswer(socket, answer)
    },
  }
}

function healthyBut(change: (body: string) => string): Fault {
  return async ({ socket, carryOut }) => {
    const answer = await carryOut()
    writeAnswer(socket, { ...answer, body: change(String(answer.body)) })
  }
}

function reset(socket: Call['socket']): void {
  if (socket instanceof TLSSocket) socket.destroy()
  else socket.resetAndDestroy()
}

function dripBytes(socket: Call['socket']): void {
  const timer = setInterval(() => socket.write(' '), DRIP_MS)
  socket.on('close', () => clearInterval(timer))
}
