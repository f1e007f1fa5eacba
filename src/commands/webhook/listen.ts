import type { Context } from '../../context.ts'
import { Counter } from '../../receiver/figures.ts'
import { Forwarder } from '../../receiver/forwarding.ts'
import { withoutLogin } from '../../receiver/post.ts'
import type { Delivery, RunningReceiver } from '../../receiver/receiver.ts'
import { wasAccepted } from '../../timeline/eventChoice.ts'
import type { EventOwner } from '../../timeline/records.ts'
import { EVENT_NAMES } from '../../wire/eventFacts.ts'
import { defineCommand } from '../command.ts'
import { refuseCsv } from '../optionValues.ts'
import { untilAborted } from '../untilAborted.ts'
import { openDoor } from './listenDoor.ts'
import { checkNoLoop, type ListenWishes, readListenOptions, type TypedListenOptions } from './listenOptions.ts'
import { type Reach, reachFromOutside } from './listenReach.ts'
import { ListenScreen } from './listenScreen.ts'

const DEFAULT_PORT = 4242
/** Every Ctrl-C leaves so much time to what is under way; a termination less, because the system does not wait long. */
const DRAIN_MS = 3_000
const LAST_MOMENT_MS = 600
const QUIET_LOOK_MS = 5_000
/** A timer that is set for longer than this fires at once. */
const TIMER_MS_MAX = 2 ** 31 - 1

/** `pixgate webhook listen`: a temporary listener that verifies, records, prints and forwards. */
export const webhookListen = defineCommand({
  description: 'Listen for webhooks until Ctrl-C: verify each, record it durably, print it, and pass it on',
  options: [
    { flags: '--port <port>', description: 'port to listen on, 0 picks a free one', default: `${DEFAULT_PORT}` },
    { flags: '--host <address>', description: 'address to listen on', default: '127.0.0.1' },
    { flags: '--path <path>', description: 'take only this path (default: any)' },
    { flags: '--forward-to <url>', description: 'pass every event on, byte for byte, with its headers' },
    { flags: '--events <a,b>', description: 'show and pass on only these', completes: EVENT_NAMES },
    { flags: '--max-events <n>', description: 'end after so many events, duplicates not counted' },
    { flags: '--for <duration>', description: 'end after this time (alias --timeout)' },
    { flags: '--timeout <duration>', description: 'the same as --for' },
    { flags: '--allow-unsigned', description: 'take webhooks without a signature too' },
    { flags: '--print-body', description: 'print the body of every event' },
    { flags: '--header <name:value>', description: 'add a header to what is passed on, repeatable', repeatable: true },
    { flags: '--drop-duplicates', description: 'do not pass an event on a second time' },
    { flags: '--unmask', description: 'show names and tax ids whole' },
    { flags: '--public-url <url>', description: 'the address by which the gateway reaches this listener' },
    {
      flags: '--tunnel <command>',
      description: 'command that makes it reachable and prints its URL; {port} is filled in',
    },
  ],
  examples: [
    ['pixgate webhook listen', 'at http://127.0.0.1:4242/, which the profile `local` calls'],
    ['pixgate webhook listen --forward-to http://127.0.0.1:3000/webhooks', 'pass everything on to your server'],
    ['pixgate webhook listen --max-events 1 --for 5m -o json', 'wait for one event, in a script'],
    ["pixgate webhook listen --tunnel 'cloudflared tunnel --url http://127.0.0.1:{port}'", 'reachable from outside'],
  ],
  run: listen,
})

async function listen(context: Context, typed: TypedListenOptions): Promise<number> {
  refuseCsv(context)
  const wishes = readListenOptions(context, typed)
  const signer = await context.signer()
  const { profile, environment, baseUrl, clientId } = signer
  const session = new Session(context, wishes, { profile, environment, baseUrl, clientId })
  const door = await openDoor(context, wishes, signer, session)
  try {
    checkNoLoop(wishes, door.receiver.port)
    const reach = await reachFromOutside(context, wishes, door, session.owner, session.screen)
    try {
      session.screen.ready(door.url, reach.publicUrl(), signer)
      await session.untilOver()
      return await finish(context, session, door.receiver, reach)
    } finally {
      await reach.close()
    }
  } finally {
    await door.receiver.close()
  }
}

async function finish(context: Context, session: Session, receiver: RunningReceiver, reach: Reach): Promise<number> {
  const { abandon } = context.world
  const patienceMs = abandon.aborted ? LAST_MOMENT_MS : DRAIN_MS
  abandon.addEventListener('abort', () => {
    void receiver.close()
    void session.forwarder?.close(0)
  })
  // The last answers still go out through the tunnel, whose end may take a while.
  await receiver.close(patienceMs)
  const tunnelEnded = reach.close()
  await session.forwarder?.close(patienceMs)
  await (await context.journal()).settled()
  session.screen.summary(session.counter.figures())
  await tunnelEnded
  return session.exitCode
}

/** One run of the listener: what it has seen, and when it is over. */
class Session {
  readonly counter = new Counter()
  readonly screen: ListenScreen
  readonly forwarder: Forwarder | null
  readonly owner: EventOwner
  readonly #context: Context
  readonly #wishes: ListenWishes
  readonly #over = new AbortController()
  #counted = 0

  constructor(context: Context, wishes: ListenWishes, owner: EventOwner) {
    this.#context = context
    this.#wishes = wishes
    this.owner = owner
    this.screen = new ListenScreen(context, wishes)
    this.forwarder = wishes.forwardTo === null ? null : this.#openForwarder(wishes.forwardTo)
  }

  /** 8 where the time was up before there were as many events as wished for. */
  get exitCode(): number {
    const { eventsMax } = this.#wishes
    const isInterrupted = this.#context.world.interrupt.aborted
    return eventsMax !== null && this.#counted < eventsMax && !isInterrupted ? 8 : 0
  }

  /** Told of every delivery after its answer. */
  delivered(delivery: Delivery): void {
    this.counter.delivered(delivery)
    const { eventsMax, events, dropDuplicates } = this.#wishes
    const isTaken = delivery.httpStatus === 200
    const event = delivery.facts?.event ?? null
    if (isTaken && events !== null && (event === null || !events.has(event))) return
    this.screen.delivered(delivery)
    if (!isTaken) return
    if (this.forwarder !== null && !(dropDuplicates && delivery.duplicate)) this.forwarder.put(delivery)
    if (delivery.duplicate) return
    this.#counted += 1
    if (this.#counted === eventsMax) this.#over.abort()
  }

  /** Returns at Ctrl-C, at the end of the time, or when there were enough events. */
  async untilOver(): Promise<void> {
    const { interrupt, stdout } = this.#context.world
    // Nobody reads any more.
    stdout.once('error', () => this.#over.abort())
    const over = AbortSignal.any([this.#over.signal, interrupt])
    const { forMs } = this.#wishes
    const endOfTime = forMs === null ? () => {} : after(forMs, () => this.#over.abort())
    const quiet = setInterval(() => this.screen.quiet(), QUIET_LOOK_MS)
    await untilAborted(over)
    endOfTime()
    clearInterval(quiet)
  }

  #openForwarder(url: URL): Forwarder {
    return new Forwarder({
      url,
      headers: this.#wishes.headers,
      onResult: (event, result) => {
        const { status, ms, error } = result
        this.counter.passedOn(wasAccepted({ status, error: error?.code ?? null }))
        this.screen.forwarded(event.n, result)
        if (event.n === null) return
        const forward = { n: event.n, url: withoutLogin(url), status, ms, error: error?.code ?? null }
        this.#context.journal().then((journal) => journal.noteForward(forward))
      },
    })
  }
}

/** Does something after any time; returns what prevents it. */
function after(ms: number, act: () => void): () => void {
  let timer: NodeJS.Timeout
  const wait = (leftMs: number) => {
    const partMs = Math.min(leftMs, TIMER_MS_MAX)
    timer = setTimeout(() => (leftMs > partMs ? wait(leftMs - partMs) : act()), partMs)
  }
  wait(ms)
  return () => clearTimeout(timer)
}
