import type { Delivery } from '../listener/listenerServer.ts'
import { t } from '../text/words.ts'
import { Cancelled } from '../wire/errors.ts'

const WAIT_MS = 4000

/** The webhooks received so far, taken out by event name. */
export class Inbox {
  #deliveries: Delivery[] = []
  #wake: () => void = () => undefined
  readonly #interrupt: AbortSignal

  constructor(interrupt: AbortSignal) {
    this.#interrupt = interrupt
  }

  put(delivery: Delivery): void {
    this.#deliveries.push(delivery)
    this.#wake()
  }

  /** Throws Cancelled if the user has interrupted the demo. */
  checkInterrupt(): void {
    if (this.#interrupt.aborted) throw new Cancelled(t`Interrupted`, { hint: t`Run \`pixgate demo\` again` })
  }

  /** Takes the next delivery of this event, waiting a few seconds for it; undefined if none came. Throws Cancelled. */
  async take(event: string): Promise<Delivery | undefined> {
    const deadline = AbortSignal.any([this.#interrupt, AbortSignal.timeout(WAIT_MS)])
    for (;;) {
      const index = this.#deliveries.findIndex(({ facts }) => facts?.event === event)
      if (index !== -1) return this.#deliveries.splice(index, 1)[0]
      this.checkInterrupt()
      if (deadline.aborted) return undefined
      await new Promise<void>((resolve) => {
        this.#wake = resolve
        deadline.addEventListener('abort', () => resolve(), { once: true })
      })
    }
  }
}
