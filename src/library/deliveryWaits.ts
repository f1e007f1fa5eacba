import type { DeliveryView } from '../schemas/sandboxAnswers.ts'

interface Filter {
  event?: string
  idTransaction?: string
  timeoutMs?: number
}

interface Wait {
  filter: Filter
  resolve: (delivery: DeliveryView) => void
  reject: (error: Error) => void
  timer: NodeJS.Timeout
}

const TIMEOUT_MS = 10_000

/** Pending waits for a webhook of the sandbox to be delivered. */
export class DeliveryWaits {
  readonly #waits = new Set<Wait>()
  #deliveries: () => readonly DeliveryView[] = () => []

  /** Takes deliveries from here. */
  watch(deliveries: () => readonly DeliveryView[]): void {
    this.#deliveries = deliveries
  }

  /** Resolves to the first delivery that matches once it has an outcome. */
  add(filter: Filter = {}): Promise<DeliveryView> {
    return new Promise((resolve, reject) => {
      const timeoutMs = filter.timeoutMs ?? TIMEOUT_MS
      const timer = setTimeout(
        () => this.#end(wait, new Error(`${this.#missing(filter)} within ${timeoutMs} ms`)),
        timeoutMs,
      )
      const wait: Wait = { filter, resolve, reject, timer }
      this.#waits.add(wait)
      this.check()
    })
  }

  /** Resolves all waits whose delivery has an outcome by now. */
  check(): void {
    if (this.#waits.size === 0) return
    const ended = this.#deliveries().filter(({ outcome }) => outcome !== 'waiting')
    for (const wait of this.#waits) {
      const found = ended.find((delivery) => isMeant(delivery, wait.filter))
      if (found === undefined) continue
      wait.resolve(found)
      this.#end(wait)
    }
  }

  close(): void {
    for (const wait of this.#waits) this.#end(wait, new Error('The sandbox was closed'))
  }

  #end(wait: Wait, error?: Error): void {
    clearTimeout(wait.timer)
    this.#waits.delete(wait)
    if (error !== undefined) wait.reject(error)
  }

  #missing({ event, idTransaction }: Filter): string {
    const named = event === undefined ? '' : ` ${event}`
    const of = idTransaction === undefined ? '' : ` of ${idTransaction}`
    const others = this.#deliveries().map((each) => `${each.event} of ${each.idTransaction} (${each.outcome})`)
    const known = others.length === 0 ? 'there was none' : `there were ${others.join(', ')}`
    return `No webhook${named}${of} was delivered (${known})`
  }
}

function isMeant(delivery: DeliveryView, { event, idTransaction }: Filter): boolean {
  return (
    (event === undefined || delivery.event === event) &&
    (idTransaction === undefined || delivery.idTransaction === idTransaction.toLowerCase())
  )
}
