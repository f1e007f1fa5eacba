import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { World } from '../world.ts'
import { paymentBody, recordEvent } from './recordedEvents.ts'

/** So many events are recorded, so that the numbers of the examples name some. */
const EVENTS = 17

/**
 * Gives a home what the examples of `pixgate webhook` speak of: `event.json`, recorded events, and the server at this URL as
 * the callback and in place of the one on port 3000. The line with that URL.
 */
export async function withWebhooks(world: World, line: string, url: string): Promise<string> {
  writeFileSync(join(world.home, 'event.json'), paymentBody('a'))
  Object.assign(world.env, { PIXGATE_CALLBACK_URL: url })
  for (let count = 1; count <= EVENTS; count++) {
    await recordEvent(world, paymentBody(`payment-${count}`), { forwards: [{ url, status: 500 }] })
  }
  return line.replace('http://127.0.0.1:3000/webhooks', url)
}
