import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { World } from '../world.ts'
import { paymentBody, recordEvent } from './recordedEvents.ts'
import { hmac } from './webhookTarget.ts'

/** Lines about recorded events, and those that name one by its number. */
const NEEDS_EVENTS = /events|replay|--event /
const NEEDS_NUMBERS = / \d\d\b/
/** Enough recorded events for the numbers in the examples, and for other lines. */
const NUMBERED = 17
const SOME = 2

/**
 * Gives a home what the examples of `pixgate webhook` speak of: `event.json`, its signature and `request.txt`, recorded events,
 * a refused one, a tunnel program, and the server at this URL as the callback and in place of the one on port 3000. The line with that URL;
 * a listener in it has a port of its own.
 */
export async function withWebhooks(world: World, line: string, url: string): Promise<string> {
  const body = paymentBody('a')
  writeFileSync(join(world.home, 'event.json'), body)
  writeFileSync(join(world.home, 'request.txt'), `POST / HTTP/1.1\nX-Signature: ${hmac(body)}\n\n${body}`)
  const refused = { receivedAt: '2026-01-02T03:04:05Z', reason: 'mismatch', target: '/', bodyBytes: body.length }
  const kept = { ...refused, headers: [['X-Signature', hmac(body)]], body: Buffer.from(body).toString('base64') }
  mkdirSync(join(world.home, 'data'), { recursive: true, mode: 0o700 })
  writeFileSync(
    join(world.home, 'data', 'refused-webhooks.json'),
    `${JSON.stringify({ ...kept, isRedacted: false })}\n`,
  )
  const tunnel = join(world.home, 'bin', 'cloudflared')
  writeFileSync(tunnel, '#!/bin/sh\necho https://127.0.0.1:1\nexec sleep 60\n')
  chmodSync(tunnel, 0o755)
  Object.assign(world.env, { PIXGATE_CALLBACK_URL: url })
  const enough = NEEDS_NUMBERS.test(line) ? NUMBERED : SOME
  for (let count = 1; NEEDS_EVENTS.test(line) && count <= enough; count++) {
    await recordEvent(world, paymentBody(`payment-${count}`), { forwards: [{ url, status: 500 }] })
  }
  return line
    .replace('http://127.0.0.1:3000/webhooks', url)
    .replace('5d41402abc4b2a76…', hmac(body))
    .replace('webhook listen', 'webhook listen --port 0')
}
