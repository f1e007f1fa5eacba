import type { LedgerTail } from '../../money/batch/ledgerTail.ts'
import { readEntries } from '../../money/batch/ledgerTail.ts'
import type { Obstacle, Plan } from '../../money/batch/plan.ts'
import { formatReais } from '../../pix/amount.ts'
import { formatInstant } from '../../pix/calendar.ts'
import type { Account } from '../../profiles/account.ts'
import { t } from '../../text/words.ts'
import type { MoneyIntent, TimelineRecord } from '../../timeline/records.ts'
import type { Timeline } from '../../timeline/timeline.ts'
import { UsageError } from '../../wire/errors.ts'

/** How the user said that what stands in the way is meant. */
export interface HindranceWish {
  again: boolean
  /** In production: the earlier payments that the new ones are in addition to. */
  inAdditionTo: readonly string[]
  fileChanged: boolean
}

type Listed = Obstacle & { line: number }

/** Refuses a file with rows that must not be sent, or that has lost rows. Throws UsageError with code REPEAT. */
export async function checkHindrances(
  plan: Plan,
  { index }: LedgerTail,
  { account, timeline }: { account: Account; timeline: Timeline },
  wish: HindranceWish,
): Promise<void> {
  const entries = new Set([...plan.obstacles.map(({ entry }) => entry), ...plan.missing])
  const intents = await readEntries(timeline.follow(), entries)
  const described = (entry: number) => {
    const intent = intents.get(entry)
    return intent === undefined ? '' : describe(intent, index.stateOf(entry))
  }
  const faultOf = ({ line, why, entry }: Listed) => ({
    line,
    column: why === 'id' ? 'externalId' : 'key',
    message: `${WORDS[why]()}: ${described(entry)}`,
  })
  const hard = plan.obstacles.filter(({ why }) => why !== 'repeat')
  if (hard.length > 0) {
    throw new UsageError(t`Rows cannot be sent: ${hard.length}`, {
      code: 'REPEAT',
      details: [t`Nothing was sent`],
      faults: hard.map(faultOf),
      hint: t`Settle what is in doubt with \`pixgate resume\` or \`pixgate history settle\`, give other payments other ids, or take these rows out`,
    })
  }
  const repeats = plan.obstacles.filter((each) => !isMeant(each, intents, account, wish))
  // Those that are not listed could not be compared with what was named.
  const isAllListed = plan.obstacleCount === plan.obstacles.length || (wish.again && account.environment === 'sandbox')
  if (repeats.length > 0 || !isAllListed) throw repeated(plan.obstacleCount, repeats.map(faultOf), account, intents)
  if (plan.missingCount > 0 && !wish.fileChanged) throw lost(plan, described)
}

const WORDS: Readonly<Record<Obstacle['why'], () => string>> = {
  doubt: () => t`The same payment is in doubt`,
  id: () => t`The id belongs to another payment`,
  left: () => t`It is more than what is left of the payment`,
  repeat: () => t`The same payment was sent already`,
}

function isMeant(
  { entry }: Listed,
  intents: ReadonlyMap<number, TimelineRecord<MoneyIntent>>,
  { environment }: Account,
  { again, inAdditionTo }: HindranceWish,
): boolean {
  if (again && environment === 'sandbox') return true
  const intent = intents.get(entry)
  return intent !== undefined && [nameOf(intent), intent.id].some((name) => inAdditionTo.includes(name))
}

function nameOf(intent: TimelineRecord<MoneyIntent>): string {
  return intent.kind === 'transfer' ? intent.externalId : intent.id
}

function describe(intent: TimelineRecord<MoneyIntent>, state: string): string {
  const { at, user, machine, amountCents } = intent
  const amount = amountCents === null ? t`all of it` : formatReais(amountCents)
  return t`${nameOf(intent)}, ${amount}, ${formatInstant(Date.parse(at))}, by ${user} on ${machine}, ${state}`
}

function repeated(
  count: number,
  faults: { line: number; column: string; message: string }[],
  { environment }: Account,
  intents: ReadonlyMap<number, TimelineRecord<MoneyIntent>>,
): UsageError {
  const [first] = intents.values()
  const hint =
    environment === 'sandbox'
      ? t`Take these rows out; if they must be paid once more, add \`--again\``
      : t`Take these rows out; if they must be paid once more, name each earlier one: \`--in-addition-to ${first === undefined ? '<id>' : nameOf(first)}\``
  return new UsageError(t`Rows that were paid within the last six days, outside this reference: ${count}`, {
    code: 'REPEAT',
    details: [t`Nothing was sent`],
    faults,
    hint,
  })
}

function lost({ missing, missingCount }: Plan, described: (entry: number) => string): UsageError {
  return new UsageError(t`Rows that were sent under this reference are not in the file any more: ${missingCount}`, {
    details: [...missing.map(described), t`Nothing was sent`],
    hint: t`If they were replaced by others, both would be paid: check that, then add \`--file-changed\`; another month needs another \`--reference\``,
  })
}
