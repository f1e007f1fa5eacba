import type { Context } from '../../context.ts'
import type { EventWithForwards } from '../../ledger/events.ts'
import { t } from '../../text/translate.ts'
import { NotFound, UsageError } from '../../wire/errors.ts'
import { findRecordedEvents, queryRecordedEvents } from './recordedEvents.ts'

/** Options of `webhook replay` that select events. */
export interface SelectOptions {
  last: boolean
  failed: boolean
  since?: number
}

export interface SelectedEvents {
  events: EventWithForwards[]
  /** True if the names identify a single event. */
  isOne: boolean
}

/**
 * The events that these names and options select, each once: those of the names in the order in which they were typed, else all that the
 * options leave. Throws UsageError if nothing is named, NotFound for a name of no event.
 */
export async function selectEvents(
  context: Context,
  names: readonly string[],
  options: SelectOptions,
): Promise<SelectedEvents> {
  const { last, failed, since } = options
  if (names.length === 0 && !last && !failed && since === undefined) throw nothingNamed()
  const allowed = await queryRecordedEvents(context, { failed, since })
  const events = names.length === 0 ? allowed : among(await findNamed(context, names), allowed)
  const [first] = events
  if (!last) return { events, isOne: names.length === 1 && events.length === 1 && isNameOfOne(first, names[0]) }
  const newest = events.toSorted((one, other) => one.record.n - other.record.n).at(-1)
  if (newest === undefined) throw noEvents()
  return { events: [newest], isOne: true }
}

async function findNamed(context: Context, names: readonly string[]): Promise<EventWithForwards[]> {
  const found = new Map<string, EventWithForwards>()
  for (const name of names) {
    for (const event of await findRecordedEvents(context, name)) found.set(event.record.id, event)
  }
  return [...found.values()]
}

function among(events: readonly EventWithForwards[], allowed: readonly EventWithForwards[]): EventWithForwards[] {
  const ids = new Set(allowed.map(({ record }) => record.id))
  return events.filter(({ record }) => ids.has(record.id))
}

/** The id of a transaction names all its events, however many there are. */
function isNameOfOne(event: EventWithForwards | undefined, name: string | undefined): boolean {
  if (event === undefined || name === undefined) return false
  const { n, id } = event.record
  return [`${n}`, `#${n}`, id].includes(name)
}

function nothingNamed(): UsageError {
  return new UsageError(t`No events selected`, {
    details: [t`Name events by number or id, or add \`--last\`, \`--failed\` or \`--since 1h\``],
    hint: t`Run \`pixgate webhook events\` to list the recorded events`,
  })
}

function noEvents(): NotFound {
  return new NotFound(t`No recorded event matches`, {
    outcome: 'not-sent',
    hint: t`Run \`pixgate webhook events\` to list the recorded events`,
  })
}
