import { setImmediate } from 'node:timers/promises'
import type { Context } from '../../context.ts'
import { chainEnd } from '../../ledger/chain.ts'
import { LedgerCheck, newCheckFilePath } from '../../ledger/integrity.ts'
import type { Ledger } from '../../ledger/ledger.ts'
import { hasLedger } from '../../ledger/ledgerFile.ts'
import { olderLedger, WitnessFile, type WitnessVerdict, witnessOf } from '../../ledger/witness.ts'
import { loadSqlite } from '../../storage/sqlite.ts'
import { t } from '../../text/translate.ts'
import { Cancelled, Failure, Refused, UsageError } from '../../wire/errors.ts'
import { type ActiveAccount, activeAccount } from './paymentPages.ts'

/**
 * Checks the whole ledger: every checksum, every derived table, and whether records are missing that this machine had written. Throws
 * Refused that lists the problems; missing records are only a warning in a sandbox.
 */
export async function checkIntegrity(context: Context): Promise<void> {
  const problems = await ledgerProblems(context)
  if (problems.length > 0) throw damagedLedgerFailure(problems)
  const verdict = await compareWitness(context)
  if (verdict.is === 'current') return
  const { message, details, hint, code } = olderLedger(context.dataFolder(), verdict)
  const { environment } = await activeAccount(context)
  if (environment === 'sandbox') context.terminal.alarm(t`${message}. In production nothing would be sent`)
  else throw new Refused(message, { code, outcome: 'not-sent', details, hint })
}

/** A sentence for each problem of the ledger, none if all is well. Throws the failures that are no damage, and Cancelled on Ctrl-C. */
export async function ledgerProblems(context: Context): Promise<string[]> {
  if (!hasLedger(context.dataFolder())) return []
  const ledger = await context.ledger()
  const open = await loadSqlite()
  try {
    // A full disk is reported like that of the ledger, which is the same one.
    const check = await ledger.read(() => new LedgerCheck(open, newCheckFilePath(context.dataFolder(), context.newId)))
    try {
      return await runCheck(context, ledger, check)
    } finally {
      check.close()
    }
  } catch (error) {
    if (error instanceof Failure && error.code === 'LEDGER_DAMAGED') return [error.message]
    throw error
  }
}

async function runCheck({ runtime, terminal }: Context, ledger: Ledger, check: LedgerCheck): Promise<string[]> {
  const { seq: lastSeq } = await ledger.read((database) => {
    check.checkFile(database)
    return chainEnd(database)
  })
  while (await ledger.read((database) => check.checkRecords(database))) {
    // Lets a signal arrive.
    await setImmediate()
    if (runtime.interrupt.aborted) {
      throw new Cancelled(t`The check of the ledger was interrupted`, { hint: t`Run the command again to finish it` })
    }
    terminal.passing(t`Checked ${check.lastSeq} of ${lastSeq} records`)
  }
  await ledger.read((database) => check.checkTables(database))
  return check.problems
}

/** Compares the ledger with what this machine had written, as far as its witness knows. */
export async function compareWitness(context: Context): Promise<WitnessVerdict> {
  const witness = witnessFileOf(context)
  const ledger = await context.ledger()
  return ledger.read((database) => witness.compare(database))
}

/** Accepts a ledger that lacks records, after a person has agreed. */
export async function acceptOlderLedger(context: Context): Promise<number> {
  const { terminal, print } = context
  const problems = await ledgerProblems(context)
  if (problems.length > 0) throw damagedLedgerFailure(problems)
  const verdict = await compareWitness(context)
  if (verdict.is === 'current') {
    print.one({ accepted: false, missing: 0 }, () => [t`No record is missing`])
    return 0
  }
  const account = await activeAccount(context)
  const facts = missingFacts(verdict)
  await askToAccept(context, account, facts)
  const ledger = await context.ledger()
  const accepted = await ledger.write((writer) => {
    const last = chainEnd(writer.database).seq
    writer.append({ type: 'accepted-older', lastKnown: verdict.witness.seq, last })
    return witnessOf(writer)
  })
  witnessFileOf(context).note(accepted)
  const missing = Math.max(0, verdict.witness.seq - verdict.end.seq)
  print.one({ accepted: true, lastKnown: verdict.witness.seq, last: verdict.end.seq, missing }, () => [
    t`The ledger is accepted as it is; payments can be sent again`,
  ])
  terminal.next(t`Compare the dashboard with \`pixgate history\` before you send any payment from that time again`)
  return 0
}

function missingFacts({ witness, end }: Extract<WitnessVerdict, { is: 'older' }>): string[] {
  return [
    t`This machine has written ${witness.seq} records, but the ledger holds only ${end.seq} of them`,
    t`Payments in the missing records are unknown here, so they could be made twice`,
    t`The gateway recognises a transfer by its external id; a refund has none, so compare all refunds of that time first`,
  ]
}

async function askToAccept(
  { settings, terminal }: Context,
  { environment, confirmName }: ActiveAccount,
  facts: readonly string[],
): Promise<void> {
  for (const sentence of facts) terminal.warn(sentence)
  if (settings.confirm === confirmName || (environment === 'sandbox' && settings.yes)) return
  if (settings.confirm !== undefined || !terminal.canAsk) {
    throw new UsageError(t`Accepting a ledger that lacks records must be confirmed`, {
      code: 'CONFIRMATION_REQUIRED',
      details: [...facts, t`Nothing was changed`],
      hint: t`Restore the newest backup; if there is none, run \`pixgate history check --accept-older --confirm ${confirmName}\``,
    })
  }
  if (await terminal.confirm(t`Continue without the missing records?`)) return
  throw new Cancelled(t`Declined; nothing was changed`, {
    hint: t`Restore the newest backup of the ledger, or run the command again when you are ready`,
  })
}

function damagedLedgerFailure(problems: readonly string[]): Refused {
  return new Refused(t`The ledger is damaged`, {
    code: 'LEDGER_DAMAGED',
    outcome: 'not-sent',
    details: [...problems, t`Nothing that moves money is sent with it`],
    hint: t`Restore your newest backup of the ledger over the damaged file`,
  })
}

function witnessFileOf({ configFolder, dataFolder, newId }: Context): WitnessFile {
  return new WitnessFile(configFolder(), dataFolder(), newId)
}
