import type { ChainPoint } from '../ledger/chain.ts'
import { ledgerPath, type SeenLedger } from '../ledger/ledgerId.ts'
import { namedRefusals, refusalOf, refusedFailure, refusedRecords } from '../ledger/refusedRecords.ts'
import { assertNotStopped } from '../ledger/stop.ts'
import { type SeenLedgers, UNREADABLE, type WitnessVerdict } from '../ledger/witness.ts'
import type { Database } from '../storage/sqlite.ts'
import { t } from '../text/translate.ts'
import { UsageError } from '../wire/errors.ts'
import { type PaymentContext, warnOnce } from './paymentContext.ts'

/**
 * The witnesses that were compared with the ledger and found nothing missing. Only then may what is seen of the ledger take the place of what was
 * seen before: creating a charge compares nothing, and would otherwise make an older copy the newest.
 */
const agreeing = new WeakSet<PaymentContext['witness']>()

/**
 * Checks that the ledger can be trusted, before a question and again in the transaction that decides: no records missing, and no other ledger in use for the account. In a sandbox the last two are only a warning. In a transaction that only reads, `seen` must
 * have been read before it began. Throws UsageError.
 */
export function assertLedgerIsCurrent(
  context: PaymentContext,
  database: Database,
  seen: SeenLedgers = context.witness.read(),
): void {
  const { account, ledger, witness } = context
  const { folder, sharedAt } = ledger.environment
  assertNotStopped(database, ledger.environment)
  assertNoneRefused(context, database)
  const verdict = witness.compare(database, account, seen)
  if (verdict.is === 'older') agreeing.delete(witness)
  else if (verdict.is === 'current' || account.environment === 'sandbox') agreeing.add(witness)
  if (verdict.is === 'current') return
  const failure = olderLedger(folder, verdict, sharedAt)
  if (account.environment === 'production') throw failure
  warnOnce(context, t`${failure.message}. In production nothing would be sent`)
}

/** Names the unreadable records. Throws UsageError if one of them stops whatever moves money. */
function assertNoneRefused(context: PaymentContext, database: Database): void {
  const refused = refusalOf(database, null, false)
  if (refused !== null) throw refusedFailure(database, refused)
  const left = refusedRecords(database).filter(({ setAside }) => setAside === null)
  for (const { sentence } of namedRefusals(left)) warnOnce(context, sentence)
}

/** Notes what was seen of the ledger, if it was compared before a payment and nothing was missing. Throws UsageError if it cannot be written. */
export function noteLedger({ account, witness }: PaymentContext, seen: SeenLedger): void {
  if (agreeing.has(witness)) witness.note(seen, account)
}

/** The failure of everything that moves money with a ledger that lacks records, or is new to its account. */
export function olderLedger(
  folder: string,
  verdict: Exclude<WitnessVerdict, { is: 'current' }>,
  sharedAt: string | undefined,
): UsageError {
  if (verdict.is === 'older') return missingRecords(folder, verdict, sharedAt)
  const { account, folder: other } = verdict
  return new UsageError(
    t`\`${sharedAt ?? ledgerPath(folder)}\` is new to this account, which was paid from with another ledger`,
    {
      code: 'LEDGER_OLDER',
      details: [
        t`The account is ${account.clientId} at ${account.url}`,
        ...(other === null ? [] : [t`The other ledger was last used in \`${other}\``]),
        t`A payment that was made with the other ledger could be made twice, so nothing was sent`,
      ],
      hint:
        sharedAt === undefined
          ? t`Set \`PIXGATE_DATA_DIR\` to the folder of the other ledger; to pay with both, run \`pixgate history check --accept-older\` once`
          : t`Run \`pixgate ledger join ${sharedAt}\` once, which takes the records of this machine over`,
    },
  )
}

function missingRecords(
  folder: string,
  { seen, end }: Extract<WitnessVerdict, { is: 'older' }>,
  sharedAt: string | undefined,
): UsageError {
  if (sharedAt !== undefined) {
    return new UsageError(t`This machine has seen records that the shared ledger does not hold under their numbers`, {
      code: 'LEDGER_OLDER',
      details: [missingSentence(seen, end), t`A payment that was made since could be made twice, so nothing was sent`],
      hint: t`Run \`pixgate ledger repair\` here, also if the copy of this machine was lost`,
    })
  }
  return new UsageError(t`Payment records are missing from \`${ledgerPath(folder)}\``, {
    code: 'LEDGER_OLDER',
    details: [missingSentence(seen, end), t`A payment that was made since could be made twice, so nothing was sent`],
    hint: t`Restore the newest backup; if there is none, run \`pixgate history check --accept-older\``,
  })
}

/** Says by what records are missing. An older copy may have got others since, so that its last one has a higher number. */
export function missingSentence(seen: SeenLedger, end: ChainPoint): string {
  if (seen.digest === UNREADABLE) return t`The file with the number of records that this machine has written is damaged`
  return end.seq < seen.seq
    ? t`This machine has written ${seen.seq} records, but the ledger holds only ${end.seq} of them: it was deleted or replaced by an older copy`
    : t`This machine has written other records than the ledger holds: it was replaced by an older copy`
}
