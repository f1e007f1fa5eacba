import { setTimeout as sleep } from 'node:timers/promises'
import { errorAnswer, type Fault, type FaultGateway, healthy } from '../gateway/faultGateway.ts'
import { actedBut, answering, resetAfterActing, resetAfterReading, resetBeforeReading } from '../gateway/faults.ts'
import type { TestPostgres } from '../postgres.ts'
import type { PostgresProxy } from '../postgresProxy.ts'
import type { Dice } from './dice.ts'
import type { TeamDesk } from './teamDesk.ts'
import type { RestorableLedger } from './teamRestore.ts'

/** Long enough for a command to give up, or not. */
const TROUBLE_MS_MAX = 3500
const PEACE_MS_MAX = 1500
const SLOW_MS_MAX = 1500
const ROUND_TRIP_MS = 20

/** What goes wrong on the way of one desk to the server of the ledger, until it is over. */
const TROUBLES: readonly [(proxy: PostgresProxy) => void, ...((proxy: PostgresProxy) => void)[]] = [
  (proxy) => {
    proxy.afterCommit = 'mute'
  },
  (proxy) => {
    proxy.afterCommit = 'cut'
  },
  (proxy) => {
    proxy.isMute = true
  },
  (proxy) => {
    proxy.isAsleep = true
  },
  (proxy) => proxy.cut(),
  (proxy) => {
    proxy.delayMs = ROUND_TRIP_MS / 2
  },
]

/** What happens to a third of the requests at the gateway. */
const FAULTS: readonly [Fault, ...Fault[]] = [
  resetAfterActing,
  resetAfterReading,
  resetBeforeReading,
  actedBut(500),
  answering(errorAnswer(500, 'INTERNAL_ERROR')),
  answering(errorAnswer(400, 'NO_FUNDS')),
]

/** Where {@link troubleServer} works. */
interface TroubledServer {
  postgres: TestPostgres
  ledger: RestorableLedger
  desks: readonly TeamDesk[]
  dice: Dice
  maySleep: boolean
}

/**
 * Spoils the ways to the server, restarts it now and then, and restores an old dump once, until it is over; then everything is well again. Returns how
 * often.
 */
export async function troubleServer(
  { postgres, ledger, desks, dice, maySleep }: TroubledServer,
  over: AbortSignal,
): Promise<{ troubles: number; restarts: number; restores: number }> {
  const proxies = desks.map(({ proxy }) => proxy)
  const counted = { troubles: 0, restarts: 0 }
  const restoreAfter = 1 + dice.below(3)
  const pause = (msMax: number) => sleep(dice.below(msMax), undefined, { signal: over }).catch(() => undefined)
  while (!over.aborted) {
    await pause(PEACE_MS_MAX)
    if (over.aborted) break
    if (counted.troubles === 0 && counted.restarts === 0) await ledger.dump()
    if (counted.troubles >= restoreAfter && ledger.canBeRestored) await ledger.restore(desks, dice, maySleep)
    if (dice.below(8) === 0) {
      await postgres.restart(dice.coin() ? 'fast' : 'immediate')
      counted.restarts += 1
      continue
    }
    const proxy = proxies[dice.below(proxies.length)]
    if (proxy === undefined) continue
    counted.troubles += 1
    const trouble = TROUBLES[dice.below(TROUBLES.length)] ?? TROUBLES[0]
    trouble(proxy)
    await pause(TROUBLE_MS_MAX)
    Object.assign(proxy, { afterCommit: 'answer', isMute: false, isAsleep: false, delayMs: 0 })
  }
  if (ledger.canBeRestored) await ledger.restore(desks, dice, maySleep)
  return { ...counted, restores: ledger.restores }
}

/** The requests of a sequence at the gateway, and the faults that they meet. */
export class Requests {
  faults = 0
  readonly #gateway: FaultGateway
  readonly #pending = new Set<Promise<void>>()

  constructor(gateway: FaultGateway, dice: Dice) {
    this.#gateway = gateway
    gateway.always(async (call) => {
      const end = this.#serve(call, dice)
      this.#pending.add(end)
      await end
      this.#pending.delete(end)
    })
  }

  async #serve(call: Parameters<Fault>[0], dice: Dice): Promise<void> {
    const isFaulty = call.request.method === 'POST' && dice.below(4) === 0
    const fault = isFaulty ? (FAULTS[dice.below(FAULTS.length)] ?? FAULTS[0]) : healthy
    if (isFaulty) this.faults += 1
    // A sender that is killed or sleeps meanwhile has its request carried out later.
    if (dice.below(6) === 0) await sleep(dice.below(SLOW_MS_MAX))
    await fault(call)
  }

  /** From now on every request is served well. */
  end(): void {
    this.#gateway.always(undefined)
  }

  /** When everything that killed processes had sent was served: it is in the buffers of the system before they end. */
  async settled(): Promise<void> {
    for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate)
    await Promise.all(this.#pending)
  }
}
