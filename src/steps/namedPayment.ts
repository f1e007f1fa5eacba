import type { Context } from '../context.ts'
import type { AccountInEnvironment } from '../ledger/accounts.ts'
import { type IdMatch, isIdBeginning, isNameInLedger, type Named, namedById } from '../ledger/namedByIds.ts'
import { isOfAccount, withSender } from '../ledger/payments.ts'
import { paymentsBeingSent } from '../ledger/processes.ts'
import { countRun } from '../ledger/runRows.ts'
import { findRun, listRuns, type Run, runsBeginningWith } from '../ledger/runs.ts'
import { assertCanSend } from '../payments/consent.ts'
import { recentPayments, unknownRun } from '../payments/explanation.ts'
import type { Database } from '../storage/sqlite.ts'
import { safeText } from '../text/safeText.ts'
import { commandArgument } from '../text/shellWord.ts'
import { t } from '../text/translate.ts'
import {
  choiceDescription,
  choiceDetails,
  choiceLines,
  choiceName,
  namedChoices,
  type PaymentChoice,
  wholeId,
} from '../views/payments/paymentChoices.ts'
import { NotFound, UsageError } from '../wire/errors.ts'
import { type ActiveAccount, activeAccount } from './activeAccount.ts'

interface IdUse {
  /** How the command is typed, such as `pixgate refund`. */
  command: string
  /** Whose payments count: of a command that moves money or settles its account. Null for one that only reads, which takes those of any account. */
  account: ActiveAccount | null
  /** How well the command can be used with what a whole id names: of several only those with the lowest number are considered. */
  rank?: (named: Named) => number
}

/** What an id names, and how that was found. */
export interface Resolved {
  named: Named
  /** True if a whole id was typed that names nothing else. */
  isTyped: boolean
}

/** What a person can pick, and how it is shown. */
export interface Choosable<Value> {
  value: Value
  choice: PaymentChoice
}

/**
 * What a typed id names in the ledger: this is the one rule of all commands. Of several a person picks one on a terminal. Undefined if it names nothing
 * here. Throws UsageError for several without a terminal, and for the beginning of an id where a command that moves money or settles asks no question in
 * production; Cancelled.
 */
export async function resolveId(context: Context, typed: string, use: IdUse): Promise<Resolved | undefined> {
  const { isWhole, named: found } = await bestMatch(context, typed, use)
  const [only] = found
  if (only === undefined) {
    await assertIsNoName(context, typed)
    return undefined
  }
  if (found.length > 1) {
    return { named: await pickOneOf(context, typed, use.command, await withChoices(context, found)), isTyped: false }
  }
  if (!isWhole) assertBeginningIsEnough(context, typed, only, use)
  return { named: only, isTyped: isWhole }
}

/** A name is no id, and is not sent to the gateway as one: what is in a name of the ledger, has a space or a letter beyond ASCII. Throws UsageError. */
async function assertIsNoName(context: Context, typed: string): Promise<void> {
  const text = typed.trim()
  const isName =
    /\s|[^\p{ASCII}]/u.test(text) ||
    (/\p{L}/u.test(text) && (await context.read((database) => isNameInLedger(database, text))))
  if (!isName) return
  throw new UsageError(t`\`${typed}\` names no payment by its id`, {
    hint: t`Run \`pixgate history find ${commandArgument(text)}\` to find payments by a name`,
  })
}

/** What a typed id names in the ledger, without a question. Of what a whole id names only what the command can use best. */
export async function bestMatch(context: Context, typed: string, use: Omit<IdUse, 'command'>): Promise<IdMatch> {
  const { isWhole, named } = await matchOf(context, typed, use)
  const { rank = () => 0 } = use
  const best = Math.min(...named.map(rank))
  return { isWhole, named: isWhole ? named.filter((each) => rank(each) === best) : named }
}

/** True if a person reads what is asked before money moves: no option has answered it in advance. */
export function isQuestionRead({ terminal, settings }: Context): boolean {
  return terminal.canAsk && !settings.yes && settings.confirm === undefined
}

interface PickQuestion {
  /** How the command is typed, and the name of the missing argument. */
  command: string
  argument: string
  question: string
  /** The sentence for an empty list. */
  nothing: string
}

/** What a person picks among payments of the ledger. Throws like {@link pickFrom}. */
export function pickRecent(
  context: Context,
  question: PickQuestion,
  recent: (database: Database) => Named[],
): Promise<Named> {
  return pickFrom(context, question, async () => {
    return withChoices(context, await context.read(recent))
  })
}

/** What a person picks among the newest payments of the active account. `command` is how the command is typed. Throws like {@link pickFrom}. */
export async function pickAnyPayment(context: Context, command: string): Promise<Named> {
  const account = await activeAccount(context)
  const question = {
    command,
    argument: '<id>',
    question: t`Which payment?`,
    nothing: t`No payment of this account is recorded`,
  }
  return pickRecent(context, question, (database) => recentPayments(database, account))
}

/** What a person picks from a list. Throws UsageError if there is no terminal or nothing to pick from; Cancelled. */
export async function pickFrom<Value>(
  context: Context,
  { command, argument, question, nothing }: PickQuestion,
  list: () => Promise<readonly Choosable<Value>[]>,
): Promise<Value> {
  const { terminal } = context
  const found = terminal.canAsk ? await list() : []
  if (found.length > 0) return choose(context, question, found)
  throw new UsageError(t`\`${command}\` needs \`${argument}\``, {
    details: terminal.canAsk ? [nothing] : [],
    hint: t`Add an id or an order number; to find it by a name, an amount or a day, run \`pixgate history find maria 22/11\``,
  })
}

/**
 * What a person picks of several that an id names. `command` is how the command is typed. Throws UsageError with a whole id for each if there is no terminal;
 * Cancelled.
 */
export async function pickOneOf<Value>(
  context: Context,
  typed: string,
  command: string,
  found: readonly Choosable<Value>[],
): Promise<Value> {
  if (context.terminal.canAsk) return choose(context, t`${typed} names several payments. Which one?`, found)
  const choices = found.map(({ choice }) => choice)
  throw new UsageError(t`\`${typed}\` names ${found.length} payments`, {
    details: choiceDetails(choices),
    hint: t`Use the id at the beginning of a line, like \`${command} ${commandArgument(choices[0]?.id ?? '')}\``,
  })
}

/** The failure of an id that names no payment in the ledger. */
export function unknownId(typed: string): NotFound {
  return new NotFound(t`No recorded payment has the id ${typed}`, {
    outcome: 'not-sent',
    hint: t`Run \`pixgate history find ${commandArgument(typed)}\` to search for it, or \`pixgate status ${commandArgument(typed)}\` to ask the gateway`,
  })
}

async function matchOf(context: Context, typed: string, { account }: Pick<IdUse, 'account'>): Promise<IdMatch> {
  const ledger = await context.ledger()
  const matchIn = (owner: AccountInEnvironment | null) => ledger.read((database) => namedById(database, typed, owner))
  if (account !== null) return matchIn(account)
  const named = await context.namedAccount()
  if (named !== undefined) return matchIn(named)
  const all = await matchIn(null)
  if (all.named.length === 1 || (all.named.length === 0 && !isIdBeginning(typed))) return all
  const active = await activeAccount(context)
  const own = all.named.filter((each) => isOf(each, active))
  if (own.length > 0) return { ...all, named: own }
  return all.named.length > 0 ? all : matchIn(active)
}

function isOf(named: Named, account: ActiveAccount): boolean {
  switch (named.is) {
    case 'payment':
      return isOfAccount(named.payment, account)
    case 'run':
      return isOfAccount(named.run.record, account)
    case 'external':
      return true
  }
}

async function withChoices(context: Context, named: readonly Named[]): Promise<Choosable<Named>[]> {
  const sending = await paymentsBeingSent(await context.ledger())
  const choices = namedChoices(
    named.map((each) => (each.is === 'payment' ? { ...each, payment: withSender(each.payment, sending) } : each)),
  )
  return named.flatMap((value, index) => {
    const choice = choices[index]
    return choice === undefined ? [] : { value, choice }
  })
}

async function choose<Value>(
  { terminal, shortIds }: Context,
  question: string,
  found: readonly Choosable<Value>[],
): Promise<Value> {
  const all = found.map(({ choice }) => choice)
  const short = await shortIds(all.map(choiceName))
  const lines = await choiceLines(all, terminal, short)
  const choices = found.map(({ value, choice }, index) => ({
    value,
    name: lines[index] ?? '',
    short: safeText(short(choiceName(choice))),
    description: choiceDescription(choice),
  }))
  return terminal.choose(question, choices)
}

/** Why the beginning of an id is refused. */
export function beginningText(typed: string): string {
  return t`\`${typed}\` is not a whole id, and in production a script must give one`
}

/** The beginning of an id is not enough in production if the payment is not shown before it is used. Throws UsageError. */
function assertBeginningIsEnough(context: Context, typed: string, named: Named, { account, command }: IdUse): void {
  if (account?.environment !== 'production' || isQuestionRead(context)) return
  throw new UsageError(beginningText(typed), {
    details: choiceDetails(namedChoices([named])),
    hint: t`Give its whole id if this is the payment: \`${command} ${commandArgument(wholeId(named))}\``,
  })
}

/** What is resumed: a batch, or the transfer with this id, which is as typed if it names no payment of the account. */
type ResumeTarget = { run: Run } | { id: string }

/** As many of the newest batches are considered. */
const RUNS_MAX = 50

/** What a typed id names, or what a person picks. Throws UsageError and Cancelled. */
export async function resumeTarget(
  context: Context,
  command: string,
  typed: string | undefined,
): Promise<ResumeTarget> {
  // A run of another account is reported as such.
  const run = typed === undefined ? undefined : await findRunByName(context, typed)
  if (run !== undefined) return { run }
  const account = await activeAccount(context)
  assertCanSend(account)
  const named =
    typed === undefined
      ? await pickUnfinished(context, command, account)
      : (await resolveId(context, typed, { command, account, rank: rankOf }))?.named
  if (named?.is === 'run') return { run: named.run }
  return { id: named?.is === 'payment' ? named.payment.id : (typed ?? '') }
}

function pickUnfinished(context: Context, command: string, account: ActiveAccount): Promise<Named> {
  const question = {
    command,
    argument: '<id>',
    question: t`Which transfer or batch should be resumed?`,
    nothing: t`No transfer of this account has an unknown outcome, and every batch is finished`,
  }
  return pickRecent(context, question, (database) => [
    ...unfinishedRuns(database, account),
    ...recentPayments(database, account, { kind: 'transfer', state: 'unknown' }).filter(isSingle),
  ])
}

function unfinishedRuns(database: Database, account: ActiveAccount): Named[] {
  return listRuns(database)
    .slice(0, RUNS_MAX)
    .filter(({ record }) => isOfAccount(record, account))
    .filter(({ record }) => {
      const counts = countRun(database, record.run, [])
      return counts.unknown.rows + counts.none.rows + counts['not-sent'].rows > 0
    })
    .map((run) => ({ is: 'run', run }))
}

/** The rows of a batch are resumed with it. */
function isSingle(named: Named): boolean {
  return named.is === 'payment' && named.payment.first.place === null
}

/** What is unfinished comes first, then other transfers. */
function rankOf(named: Named): number {
  if (named.is === 'run') return 0
  if (named.is === 'external' || named.payment.facts.kind !== 'transfer') return 2
  return named.payment.summary.state === 'unknown' ? 0 : 1
}

/** An accepted run; undefined if this machine knows none of that name. */
export async function findRunByName(context: Context, name: string): Promise<Run | undefined> {
  return context.read((database) => findRun(database, name))
}

/**
 * The run that a command shows, by its name or the beginning of it; nothing is sent on the strength of a beginning. Throws NotFound, and UsageError
 * for the beginning of several.
 */
export async function findRunToShow(context: Context, typed: string): Promise<Run> {
  const beginning = typed.toLowerCase()
  const [found, other] = await context.read((database) => {
    const run = findRun(database, typed)
    if (run !== undefined) return [run]
    return beginning.length > 'run-'.length ? runsBeginningWith(database, beginning, 2) : []
  })
  if (found === undefined) throw unknownRun(typed)
  if (other === undefined) return found
  throw new UsageError(t`The names of several runs begin with \`${typed}\``, {
    hint: t`Run \`pixgate batch list\` to list the runs`,
  })
}
