import type { EventWithForwards } from '../../../ledger/events.ts'
import { eventDocument, shownEvent } from '../../../views/eventDocument.ts'
import { withoutPassword } from '../../../wire/address.ts'
import { isObject } from '../../../wire/answers.ts'

/** A recorded event as JSON, with the results of forwarding it; `pixgate.forwarded` is the last status. */
export function recordedDocument({ record, forwards }: EventWithForwards): Record<string, unknown> {
  const document = eventDocument(shownEvent(record))
  const own = isObject(document.pixgate) ? document.pixgate : {}
  return {
    ...document,
    pixgate: { ...own, forwarded: forwards.at(-1)?.status ?? null },
    forwards: forwards.map(({ url, status, ms, error, at }) => ({
      url: withoutPassword(url),
      status,
      ms,
      error,
      at,
    })),
  }
}
