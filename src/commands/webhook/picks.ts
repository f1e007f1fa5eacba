import type { Context } from '../../context.ts'
import { t } from '../../text/words.ts'
import { chosenEvents, namedEvents } from '../../timeline/eventChoice.ts'
import type { JournalEvent } from '../../timeline/journal.ts'
import { NotFound, UsageError } from '../../wire/errors.ts'
import { noSuchEvent, readEventWishes, recordedEvents } from './recordedEvents.ts'

/** Which events of the journal are meant. */
export interface PickOptions {
  last?: boolean
  failed?: boolean
  since?: string
}

export interface Picked {
  events: JournalEvent[]
  /** True where the words can mean one event only. */
  isOne: boolean
}

/**
 * The events that these words and options name, each once: those of the words in the order in which they were typed, else
 * all that the options leave. Throws UsageError where nothing is named, NotFound for a word that names no event.
 */
export async function pickEvents(context: Context, words: readonly string[], options: PickOptions): Promise<Picked> {
  const { last = false, failed, since } = options
  if (words.length === 0 && !last && failed !== true && since === undefined) throw nothingNamed()
  const wishes = readEventWishes(context, { failed, since })
  const recorded = await recordedEvents(context)
  const named = words.length === 0 ? recorded : [...new Set(words.flatMap((word) => eventsOf(recorded, word)))]
  const left = chosenEvents(named, wishes)
  if (!last) return { events: left, isOne: words.length === 1 && left.length === 1 && isNameOfOne(left[0], words[0]) }
  const newest = left.toSorted((one, other) => one.record.n - other.record.n).at(-1)
  if (newest === undefined) throw noEvents()
  return { events: [newest], isOne: true }
}

function eventsOf(recorded: readonly JournalEvent[], word: string): JournalEvent[] {
  const found = namedEvents(recorded, word)
  if (found.length === 0) throw noSuchEvent(word)
  return found
}

/** The id of a transaction means all its events, however many there are. */
function isNameOfOne(event: JournalEvent | undefined, word: string | undefined): boolean {
  return (
    event !== undefined &&
    word !== undefined &&
    [`${event.record.n}`, `#${event.record.n}`, event.record.id].includes(word)
  )
}

function nothingNamed(): UsageError {
  return new UsageError(t`Nothing says which events are sent again`, {
    hint: t`Name them by number or id, or add \`--last\`, \`--failed\` or \`--since 1h\`; \`pixgate webhook events\` lists them`,
  })
}

function noEvents(): NotFound {
  return new NotFound(t`No such event was recorded`, {
    outcome: 'not-sent',
    hint: t`\`pixgate webhook events\` lists what was; \`pixgate webhook listen\` records what arrives`,
  })
}
