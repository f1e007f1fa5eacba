import { expect, it } from 'vitest'
import { signBody } from '../../src/wire/signature.ts'
import { diceOf } from '../campaign/dice.ts'
import { campaignSeed } from '../campaign/run.ts'
import { emptyWorld, type World } from '../world.ts'
import { idsOf, interrupt, type Listening, recordedEvents, SECRET, startListening } from './listening.ts'
import { exchange, rawPost } from './rawExchange.ts'
import { bodyWithBothAlphabets, signatureForms } from './signatureForms.ts'
import { eventBody, signature } from './webhooks.ts'

const FLIPS = 1_000
const AT_ONCE = 8

it('accepts every form of a genuine signature and no other', { timeout: 60_000 }, async () => {
  const world = emptyWorld()
  const listening = await startListening(world)
  const body = bodyWithBothAlphabets()
  const forms = signatureForms(body)
  expect(forms.filter(({ status }) => status !== 200).length).toBeGreaterThanOrEqual(70)
  const wrong: string[] = []
  for (const { name, lines, status } of forms) {
    const statuses = await exchange(listening.port, rawPost(body, lines))
    if (statuses.join() !== String(status)) wrong.push(`${name}: ${statuses.join()} and not ${status}`)
  }
  expect(wrong).toEqual([])
  const trailing = `POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\nTrailer: X-Signature\r\nTransfer-Encoding: chunked\r\n\r\n${body.length.toString(16)}\r\n${body.toString('latin1')}\r\n0\r\nX-Signature: ${signature(body)}\r\n\r\n`
  expect(await exchange(listening.port, Buffer.from(trailing, 'latin1'))).toEqual([401])
  await expectUntouched(world, listening, 1)
})

it(`rejects each of ${FLIPS} flipped bits`, { timeout: 90_000 }, async () => {
  const seed = campaignSeed(20261122)
  const world = emptyWorld()
  const listening = await startListening(world)
  const dice = diceOf(`${seed}/flips`)
  const flips = Array.from({ length: FLIPS }, (_, index) => {
    const body = eventBody(`flip-${index}`, dice.below(200))
    const encoding = index % 2 === 0 ? 'hex' : 'base64'
    const value = Buffer.from(signBody(body, SECRET, encoding))
    return index % 3 === 0
      ? { body: flipped(body, dice.below(body.length * 8)), value }
      : { body, value: flipped(value, dice.below(value.length * 8)), was: value }
  }).filter(({ value, was }) => was === undefined || !isSameHex(was, value))
  const seen = new Set<string>()
  let next = 0
  const sendOn = async () => {
    for (let flip = flips[next++]; flip !== undefined; flip = flips[next++]) {
      const answer = await exchange(
        listening.port,
        rawPost(flip.body, [`X-Signature: ${flip.value.toString('latin1')}`]),
      )
      if (answer.join() === '200')
        expect.fail(`seed ${seed}: ${flip.was?.toString('latin1')} -> ${flip.value.toString('latin1')}`)
      seen.add(answer.join())
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, sendOn))
  expect([...seen].sort()).toEqual(['400', '401'])
  await expectUntouched(world, listening, 0)
})

/** The listener goes on, and has recorded this many of what came. */
async function expectUntouched(world: World, listening: Listening, recorded: number): Promise<void> {
  const body = eventBody('after-all')
  expect(await exchange(listening.port, rawPost(body, [`X-Signature: ${signature(body)}`]))).toEqual([200])
  expect(await interrupt(listening)).toMatchObject({ exit: 0 })
  const ids = idsOf(await recordedEvents(world))
  expect(ids).toHaveLength(recorded + 1)
  expect(ids.at(-1)).toBe('after-all')
}

function flipped(bytes: Buffer, bit: number): Buffer {
  const copy = Buffer.from(bytes)
  copy[bit >> 3] = (copy[bit >> 3] ?? 0) ^ (1 << (bit & 7))
  return copy
}

/** Hex digits mean the same in both cases, so this flip changes nothing. */
function isSameHex(before: Buffer, after: Buffer): boolean {
  const text = after.toString('latin1')
  return /^[0-9a-f]{64}$/i.test(text) && text.toLowerCase() === before.toString('latin1')
}
