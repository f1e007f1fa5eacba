import { type Agent, request } from 'node:http'
import { signBody } from '../../src/wire/signature.ts'
import { SECRET } from './listening.ts'

/** The body of a payment's event with this id, padded with this many letters. */
export function eventBody(idTransaction: string, padding = 0): Buffer {
  const data = {
    idTransaction,
    status: 'PAID',
    amount: 12.5,
    paidAt: '2026-01-02T03:04:05.000Z',
    note: 'x'.repeat(padding),
  }
  return Buffer.from(JSON.stringify({ event: 'pix.received', data }))
}

/** The header of a genuine webhook. */
export function signature(body: Uint8Array): string {
  return signBody(body, SECRET)
}

/**
 * Sends one webhook with these headers, or with its genuine signature. Gives the status of the answer, and undefined where
 * the connection broke before it.
 */
export function deliver(
  port: number,
  body: Buffer,
  { headers = { 'X-Signature': signature(body) }, agent }: { headers?: Record<string, string>; agent?: Agent } = {},
): Promise<number | undefined> {
  return new Promise((resolve) => {
    const post = request({ host: '127.0.0.1', port, method: 'POST', agent, headers })
    post.on('response', (answer) => {
      answer.resume()
      answer.on('close', () => resolve(answer.complete ? answer.statusCode : undefined))
    })
    post.on('error', () => resolve(undefined))
    post.end(body)
  })
}
