import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished } from 'vitest'
import { type Dice, diceOf } from '../campaign/dice.ts'
import { localServer } from '../localServer.ts'
import type { World } from '../world.ts'
import { idsOf, interrupt, type Listening, recordedEvents, startListening } from './listening.ts'
import { deliver, eventBody } from './webhooks.ts'

const SENDERS = 6
/** A listener that is ready is killed after this many answers at most, and a little. */
const ANSWERS_MAX = 40
const A_LITTLE_MS = 20
const WHILE_STARTING_MS = 300
/** One kill in this many hits a listener that may not be ready yet. */
const STARTING_ONE_IN = 5
const PADDING_MAX = 20_000

/** What a campaign did: events answered 200, and sendings that broke off and were repeated. */
export interface Campaign {
  answered: number
  repeated: number
}

/**
 * Kills the listener with SIGKILL this many times at moments that the seed throws, while senders send events of their own and
 * repeat what was not answered until it is. Asserts that what was answered 200 is recorded, and nothing twice.
 */
export async function killedListeners(world: World, kills: number, seed: number): Promise<Campaign> {
  const dice = diceOf(`${seed}/kills`)
  const target = await forwardTarget()
  const args = ['--forward-to', target]
  const senders = new Senders(diceOf(`${seed}/bodies`))
  onTestFinished(() => void senders.finish(true))
  for (let kill = 0; kill < kills; kill++) {
    const isStarting = dice.below(STARTING_ONE_IN) === 0
    await (isStarting ? killWhileStarting(world, args, dice, senders) : killAtWork(world, args, dice, senders))
    senders.port = null
  }
  const last = await startListening(world, args)
  senders.port = last.port
  await senders.finish()
  expect(await interrupt(last)).toMatchObject({ exit: 0 })
  expect([...senders.otherStatuses]).toEqual([])

  const ids = idsOf(await recordedEvents(world))
  const known = new Set(ids)
  expect([...senders.answered].filter((id) => !known.has(id))).toEqual([])
  expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([])
  return { answered: senders.answered.size, repeated: senders.repeated }
}

async function killAtWork(world: World, args: string[], dice: Dice, senders: Senders): Promise<void> {
  const listening: Listening = await startListening(world, args)
  senders.port = listening.port
  await senders.answeredMore(dice.below(ANSWERS_MAX))
  await sleep(dice.fraction() * A_LITTLE_MS)
  listening.signal('SIGKILL')
  await listening.ended
}

async function killWhileStarting(world: World, args: string[], dice: Dice, senders: Senders): Promise<void> {
  const afterMs = dice.fraction() * WHILE_STARTING_MS
  const ready = startListening(world, args, {
    onSpawn: (child) => setTimeout(() => child.kill('SIGKILL'), afterMs),
  })
  await ready.then(
    async (listening) => {
      senders.port = listening.port
      await listening.ended
    },
    (error: Error) => expect(error.message).toContain('"exit":null'),
  )
}

/** Each sends one event after the other; what was not answered 200 goes to the listener that runs then. */
class Senders {
  /** Where the listener is; null while there is none. */
  port: number | null = null
  readonly answered = new Set<string>()
  repeated = 0
  readonly otherStatuses = new Set<number>()
  readonly #done: Promise<unknown>
  #isEnding = false
  #onAnswer = () => {}
  #isGivenUp = false

  constructor(dice: Dice) {
    this.#done = Promise.all(Array.from({ length: SENDERS }, (_, sender) => this.#sendOn(sender, dice)))
  }

  /** Waits until every event that was begun is answered; if it is given up, no listener is left. */
  async finish(isGivenUp = false): Promise<void> {
    this.#isGivenUp = isGivenUp
    this.#isEnding = true
    await this.#done
  }

  /** When this many more events are answered. */
  answeredMore(count: number): Promise<void> {
    const wanted = this.answered.size + count
    return new Promise((resolve) => {
      this.#onAnswer = () => {
        if (this.answered.size >= wanted) resolve()
      }
      this.#onAnswer()
    })
  }

  async #sendOn(sender: number, dice: Dice): Promise<void> {
    for (let event = 0; !this.#isEnding; event++) {
      const id = `event-${sender}-${event}`
      const body = eventBody(id, dice.coin() ? dice.below(PADDING_MAX) : 0)
      while (!(await this.#isAnswered(body))) {
        if (this.#isGivenUp) return
        // There is no listener until the next one has started.
        await sleep(5)
      }
      this.answered.add(id)
      this.#onAnswer()
    }
  }

  async #isAnswered(body: Buffer): Promise<boolean> {
    if (this.port === null) return false
    const status = await deliver(this.port, body)
    if (status === undefined) this.repeated++
    else if (status !== 200) this.otherStatuses.add(status)
    return status === 200
  }
}

/** A developer's server that takes everything. */
function forwardTarget(): Promise<string> {
  return localServer((request, response) => {
    request.resume()
    response.writeHead(204).end()
  })
}
