import type { EventWithForwards } from '../../../ledger/events.ts'
import { withPixgate } from '../../../views/documentFields.ts'
import { eventDocument, shownEvent } from '../../../views/eventDocument.ts'
import { withoutPassword } from '../../../wire/address.ts'
import { redactTarget } from '../../../wire/deliverySecrets.ts'

/** A recorded event as JSON, with the results of forwarding it; `pixgate.forwarded` is the last status. */
export function eventWithForwardsDocument({ record, forwards }: EventWithForwards): Record<string, unknown> {
  return {
    ...withPixgate(eventDocument(shownEvent(record)), { forwarded: forwards.at(-1)?.status ?? null }),
    forwards: forwards.map(({ url, status, ms, error, at }) => ({
      url: redactTarget(withoutPassword(url)),
      status,
      ms,
      error,
      at,
    })),
  }
}
