import type { Context } from '../../context.ts'
import { durationOption } from '../../settings.ts'
import { t } from '../../text/words.ts'
import type { JournalEvent } from '../../timeline/journal.ts'
import { isSameAccount } from '../../timeline/ownership.ts'
import { NotFound, UsageError } from '../../wire/errors.ts'

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
 * all that the options leave. Where the command line names an account, options and ids of transactions mean its events only.
 * Throws UsageError where nothing is named, NotFound for a word that names no event.
 */
export async function pickEvents(context: Context, words: readonly string[], options: PickOptions): Promise<Picked> {
  const { last, failed, since } = options
  if (words.length === 0 && last !== true && failed !== true && since === undefined) throw nothingNamed()
  const sinceMs = since === undefined ? null : context.now() - durationOption(since, '--since')
  const account = await context.namedAccount()
  const all = await (await context.journal()).events()
  const own =
    account === undefined
      ? all
      : all.filter(({ record }) => isSameAccount(record, { ...account, baseUrl: account.url }))
  const groups = words.map((word) => namedBy(all, own, word))
  const named = words.length === 0 ? own : [...new Set(groups.flatMap(({ events }) => events))]
  const left = named.filter(
    (event) => (sinceMs === null || Date.parse(event.record.at) >= sinceMs) && (failed !== true || hasFailed(event)),
  )
  if (last !== true)
    return { events: left, isOne: words.length === 1 && groups[0]?.isOne === true && left.length === 1 }
  const newest = left.reduce<JournalEvent | undefined>(
    (best, each) => (best === undefined || each.record.n > best.record.n ? each : best),
    undefined,
  )
  if (newest === undefined) throw noEvents()
  return { events: [newest], isOne: true }
}

/** A number of the journal or the id of a record names one event, an id of a transaction all events of it. */
function namedBy(all: readonly JournalEvent[], own: readonly JournalEvent[], word: string): Picked {
  const number = /^#?(\d{1,15})$/.exec(word)?.[1]
  const one = all.filter(({ record }) => record.id === word || (number !== undefined && record.n === Number(number)))
  if (one.length > 0) return { events: one, isOne: true }
  const several = own.filter(({ record }) => record.idTransaction === word)
  if (several.length > 0) return { events: several, isOne: false }
  throw new NotFound(t`No event was recorded under ${word}`, {
    outcome: 'not-sent',
    hint: t`\`pixgate webhook events\` lists what was`,
  })
}

/** True where the event was passed on, and the last answer was not 2xx or there was none. */
function hasFailed({ forwards }: JournalEvent): boolean {
  const last = forwards.at(-1)
  if (last === undefined) return false
  return last.error !== null || last.status === null || last.status < 200 || last.status > 299
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
