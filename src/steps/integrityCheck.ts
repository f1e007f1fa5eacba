import { setImmediate } from 'node:timers/promises'
import type { Context } from '../context.ts'
import { verifyOwnEvents } from '../eventSignatures.ts'
import { chainEnd } from '../ledger/chain.ts'
import { LedgerCheck, newCheckFilePath, type UnconfirmedRun } from '../ledger/integrity.ts'
import type { Ledger } from '../ledger/ledger.ts'
import { namedRefusals, refusedHint, refusedRecords } from '../ledger/refusedRecords.ts'
import type { RunSums } from '../ledger/runFingerprint.ts'
import type { LedgerProblem } from '../ledger/stop.ts'
import { hasUnverified } from '../ledger/verifiedEvents.ts'
import { WitnessFolder, type WitnessVerdict } from '../ledger/witness.ts'
import { hasAccountLedger } from '../openLedgers.ts'
import { assertCanSend } from '../payments/consent.ts'
import { missingSentence, olderLedger } from '../payments/currentLedger.ts'
import { formatReais } from '../pix/amount.ts'
import { formatInstant, parseInstant } from '../pix/calendar.ts'
import { verifyRules } from '../ruleApprovals.ts'
import { loadSqlite } from '../storage/sqlite.ts'
import { askToType, mustBeWord } from '../terminal/typedConfirmation.ts'
import { t } from '../text/translate.ts'
import type { Printed } from '../views/outputSchemas.ts'
import { Cancelled, Failure, Refused, UsageError } from '../wire/errors.ts'
import { type ActiveAccount, activeAccount } from './activeAccount.ts'

/**
 * Checks the whole ledger: every checksum, every derived table, and whether records are missing that this machine had written. Throws
 * Refused that lists the problems; missing records are only a warning in a sandbox.
 */
export async function checkIntegrity(context: Context): Promise<void> {
  const problems = await ledgerProblems(context)
  if (problems.length > 0) throw damagedLedgerFailure(problems)
  const verdict = await compareWitness(context)
  if (verdict.is === 'current') return
  const { sharedAt } = (await context.ledger()).environment
  const { message, details, hint, code } = olderLedger(context.dataFolder(), verdict, sharedAt)
  const { environment } = await activeAccount(context)
  if (environment === 'sandbox') context.terminal.alarm(t`${message}. In production nothing would be sent`)
  else throw new Refused(message, { code, outcome: 'not-sent', details, hint })
}

/**
 * Names the unreadable records of a shared ledger, with what sets them aside, those that were, and the changes of rules that do not count. Returns the exit code: 1 while one is not set
 * aside.
 */
export async function reportRefused(context: Context): Promise<number> {
  if (!(await hasAccountLedger(context))) return 0
  const ledger = await context.ledger()
  await verifyRules(context, ledger, await activeAccount(context), true)
  const all = await ledger.read((database) => refusedRecords(database))
  const left = namedRefusals(all.filter(({ setAside }) => setAside === null))
  for (const { sentence } of namedRefusals(all.filter(({ setAside }) => setAside !== null)))
    context.terminal.note(sentence)
  for (const { sentence } of left) context.terminal.alarm(sentence)
  const [named] = left
  if (named === undefined) return 0
  context.terminal.next(await ledger.read((database) => refusedHint(database, named.first, named.last)))
  return 1
}

/** Verifies events with the secret of the account, wherever it is, before something rests on one; a profile without a secret verifies nothing. */
export async function verifyWithSecret(context: Context): Promise<void> {
  const [{ secretKind, ...account }, ledger] = await Promise.all([activeAccount(context), context.ledger()])
  if (!(await ledger.read((database) => hasUnverified(database, account)))) return
  if (secretKind === 'none') {
    context.terminal.note(
      t`This profile has no secret, so events are shown as they were recorded and not verified here`,
    )
    return
  }
  await verifyOwnEvents(context, ledger, await context.account(), true)
}

/**
 * A sentence for each problem of the ledger, none if all is well. `tellRun` gets one for each run whose rows are not those that were confirmed. Throws the
 * failures that are no damage, and Cancelled on Ctrl-C.
 */
export async function ledgerProblems(
  context: Context,
  tellRun: (sentence: string) => void = (sentence) => context.terminal.alarm(sentence),
): Promise<string[]> {
  if (!(await hasAccountLedger(context))) return []
  const ledger = await context.ledger()
  const open = await loadSqlite()
  try {
    // A full disk is reported like that of the ledger, which is the same one.
    const isShared = ledger.environment.sharedAt !== undefined
    const check = await ledger.read(
      () => new LedgerCheck(open, newCheckFilePath(context.dataFolder(), context.newId), isShared),
    )
    try {
      return await runCheck(context, ledger, check, tellRun)
    } finally {
      check.close()
    }
  } catch (error) {
    if (error instanceof Failure && error.code === 'LEDGER_DAMAGED') return [error.message]
    throw error
  }
}

function unconfirmedText({ run, confirmed, found, user, machine, at }: UnconfirmedRun): string {
  const sumsText = ({ rows, totalCents }: RunSums) => t`${rows} rows, ${formatReais(totalCents)}`
  const instant = formatInstant(parseInstant(at) ?? 0)
  return t`The rows of the run ${run}, recorded by ${user} on ${machine} at ${instant}, are not those that were confirmed, so nothing of it is sent. Confirmed: ${sumsText(confirmed)}; in the ledger: ${sumsText(found)}`
}

async function runCheck(
  { runtime, terminal }: Context,
  ledger: Ledger,
  check: LedgerCheck,
  tellRun: (sentence: string) => void,
): Promise<string[]> {
  const { seq: lastSeq } = await ledger.read((database) => {
    check.checkFile(database)
    return chainEnd(database)
  })
  const takeBreath = async () => {
    // Lets a signal arrive.
    await setImmediate()
    if (runtime.interrupt.aborted) {
      throw new Cancelled(t`The check of the ledger was interrupted`, { hint: t`Run the command again to finish it` })
    }
  }
  while (await ledger.read((database) => check.checkRecords(database))) {
    await takeBreath()
    terminal.progress(t`Checked ${check.lastSeq} of ${lastSeq} records`)
  }
  while (await ledger.read((database) => check.checkTables(database))) {
    await takeBreath()
    terminal.progress(
      check.comparedRows < check.rows
        ? t`Compared ${check.comparedRows} of ${check.rows} rows of the tables`
        : t`Comparing the words of the search`,
    )
  }
  for (const run of check.unconfirmedRuns) tellRun(unconfirmedText(run))
  return check.problems.map(ledgerProblemText)
}

/** Compares the ledger with what this machine has seen of it and of the active account. */
export async function compareWitness(context: Context): Promise<WitnessVerdict> {
  const witness = witnessFolderOf(context)
  const ledger = await context.ledger()
  const account = await activeAccount(context)
  const seen = witness.read()
  return ledger.read((database) => witness.compare(database, account, seen))
}

/**
 * Accepts a ledger that lacks records, or that is new to the account, after a person has agreed. One that lacks records becomes a ledger of its
 * own: the file that has them may still be in use.
 */
export async function acceptOlderLedger(context: Context): Promise<number> {
  const { terminal, print } = context
  const account = await activeAccount(context)
  assertCanSend(account)
  const problems = await ledgerProblems(context)
  if (problems.length > 0) throw damagedLedgerFailure(problems)
  const verdict = await compareWitness(context)
  if (verdict.is === 'current') {
    print.one<Printed<'history-check'>>({ accepted: false, missing: 0 }, () => [t`No record is missing`])
    return 0
  }
  const ledger = await context.ledger()
  if (ledger.environment.sharedAt !== undefined && verdict.is === 'older') throw sharedLedgerFailure(verdict)
  await askToAccept(context, account, verdict)
  const { result: document, seen } = await ledger.commit((writer) => {
    const { seq: last } = chainEnd(writer.database)
    const lastKnown = verdict.is === 'older' ? verdict.seen.seq : last
    const renamed = verdict.is === 'older' ? context.newId() : null
    writer.append({ type: 'accepted-older', ledger: renamed, lastKnown, last })
    const missing = Math.max(0, lastKnown - last)
    return { accepted: true, lastKnown, last, missing }
  })
  const witness = witnessFolderOf(context)
  if (verdict.is === 'older') witness.replace(verdict.seen.ledger, seen)
  witness.note(seen, account)
  print.one<Printed<'history-check'>>(document, () => [
    t`The ledger is accepted as it is; payments are possible from now on`,
  ])
  terminal.next(t`Compare the dashboard with \`pixgate history\` before you send any payment from that time again`)
  return 0
}

/** One machine cannot accept for a team that records are missing. */
function sharedLedgerFailure({ seen, end }: Extract<WitnessVerdict, { is: 'older' }>): UsageError {
  return new UsageError(
    t`Records are missing from the shared ledger, and one machine cannot accept that for its team`,
    {
      code: 'LEDGER_OLDER',
      details: [missingSentence(seen, end), t`Nothing was recorded`],
      hint: t`Run \`pixgate ledger repair\`, which hands over what the database lost`,
    },
  )
}

function acceptedFacts(verdict: Exclude<WitnessVerdict, { is: 'current' }>): string[] {
  const recognition = t`The gateway recognises a transfer by its external id; a refund has none, so compare all refunds of that time first`
  if (verdict.is === 'new-to-account') {
    const { account, folder } = verdict
    return [
      folder === null
        ? t`The account ${account.clientId} at ${account.url} was paid from with another ledger`
        : t`The account ${account.clientId} at ${account.url} was paid from with the ledger in \`${folder}\``,
      t`Payments that were made with the other ledger are unknown here, so they could be made twice`,
      recognition,
    ]
  }
  const { seen, end } = verdict
  return [
    missingSentence(seen, end),
    t`Payments in the missing records are unknown here, so they could be made twice`,
    recognition,
  ]
}

/** Asks like a payment: in production a person types the profile's name, a script gives it with `--confirm`. */
async function askToAccept(
  { settings, terminal }: Context,
  { environment, confirmName }: ActiveAccount,
  verdict: Exclude<WitnessVerdict, { is: 'current' }>,
): Promise<void> {
  const facts = acceptedFacts(verdict)
  for (const sentence of facts) terminal.warn(sentence)
  if (settings.confirm === confirmName || (environment === 'sandbox' && settings.yes)) return
  if (settings.confirm !== undefined || !terminal.canAsk) {
    throw new UsageError(t`Accepting a ledger that lacks payments must be confirmed`, {
      code: 'CONFIRMATION_REQUIRED',
      details: [...facts, t`Nothing was changed`],
      hint: t`Restore the newest backup; if there is none, run \`pixgate history check --accept-older --confirm ${confirmName}\``,
    })
  }
  const declined = t`Declined; nothing was changed`
  const hint = t`Restore the newest backup of the ledger, or run the command again when you are ready`
  if (environment === 'production') {
    const question = t`Type \`${confirmName}\` to continue without these payments`
    await askToType(terminal, { question, faultOf: mustBeWord(confirmName), mismatch: declined, hint })
  } else if (!(await terminal.confirm(t`Continue without these payments?`))) throw new Cancelled(declined, { hint })
}

function damagedLedgerFailure(problems: readonly string[]): Refused {
  return new Refused(t`The ledger is damaged`, {
    code: 'LEDGER_DAMAGED',
    outcome: 'not-sent',
    details: [...problems, t`Nothing that moves money is sent with it`],
    hint: t`Restore your newest backup of the ledger over the damaged file`,
  })
}

function witnessFolderOf({ configFolder, dataFolder, newId }: Context): WitnessFolder {
  return new WitnessFolder(configFolder(), dataFolder(), newId)
}

/** What is wrong with a ledger, as a sentence. */
export function ledgerProblemText(problem: LedgerProblem): string {
  switch (problem.is) {
    case 'damaged-file':
      return t`SQLite found damage: ${problem.found}`
    case 'other-schema':
      return t`The schema is not the one that pixgate writes`
    case 'missing-record':
      return t`Record ${problem.seq} is missing`
    case 'changed-record':
      return t`Record ${problem.seq} does not match its checksum`
    case 'changed-batch-row':
      return t`Line ${problem.line} of ${problem.run} does not match its checksum`
    case 'batch-rows-without-run':
      return t`Rows of a batch have no run`
    case 'different-row':
      return t`The table ${problem.table} does not match the records: row ${problem.row}`
    case 'different-search':
      return t`The table search does not match the records: payments are not found by their words`
  }
}
