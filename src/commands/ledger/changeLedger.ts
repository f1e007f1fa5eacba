import type { Context } from '../../context.ts'
import { chainEnd } from '../../ledger/chain.ts'
import { seenLedger } from '../../ledger/ledgerId.ts'
import type { TeamLedger } from '../../ledger/team/teamLedger.ts'
import { WitnessFolder } from '../../ledger/witness.ts'
import { openLocalLedger, openSharedLedger } from '../../openLedgers.ts'
import { ledgerOfAccount, withLedger } from '../../profiles/accountLedger.ts'
import type { AccountLedger, ProfileStore } from '../../profiles/profile.ts'
import { t } from '../../text/translate.ts'
import { UsageError } from '../../wire/errors.ts'
import type { ActiveAccount } from '../history/paymentPages.ts'
import { type StoreUpdate, updateProfiles, type Warnings } from '../profile/profileStore.ts'
import { takeOver } from './takeOver.ts'

/** The account whose ledger changes. */
export type LedgerAccount = Pick<ActiveAccount, 'environment' | 'url' | 'clientId' | 'confirmName'>

/** What a change of an account's ledger stores, with its record. Throws UsageError if another process was faster. */
export type LedgerUpdate = (store: ProfileStore) => {
  ledgers: AccountLedger[]
  change: NonNullable<StoreUpdate['ledger']>
}

/** An account that begins to use a shared ledger (`after`), or ceases to (`before`); undefined is the ledger of this machine. */
export interface LedgerStep {
  account: LedgerAccount
  before: AccountLedger | undefined
  after: AccountLedger | undefined
}

/** How many records were taken over, and how many the account's ledger has now. */
export interface ChangedLedger {
  brought: number
  records: number
}

/**
 * Makes another ledger that of an account: checks it, takes the records of the account over, has the choice stored, and takes over what was written until
 * then. `check` is called with the shared ledger before anything is written; `store` stores what the update gives. Throws what these and the ledgers throw;
 * it may be repeated.
 */
export async function changeLedger(
  context: Context,
  { account, before, after }: LedgerStep,
  check: (shared: TeamLedger) => Promise<void>,
  store: (update: LedgerUpdate) => Promise<void>,
): Promise<ChangedLedger> {
  const chosen = after ?? before
  if (chosen === undefined) throw new Error('one of the two ledgers is a shared one')
  const [shared, local] = await Promise.all([openSharedLedger(context, chosen), openLocalLedger(context)])
  const [from, to] = after === undefined ? [shared, local] : [local, shared]
  try {
    await check(shared)
    const first = await takeOver(from, to, account, 0)
    await store((stored) => {
      assertUnchanged(stored, account, before)
      const { environment, url: baseUrl, clientId } = account
      const owner = { environment, baseUrl, clientId }
      const change = { owner, from: before?.address ?? null, to: after?.address ?? null, shared }
      return { ledgers: withLedger(stored, account, after), change }
    })
    const rest = await takeOver(from, to, account, first.lastSeq)
    // The account was paid from with another ledger, which this one holds all records of.
    const witness = new WitnessFolder(context.configFolder(), context.dataFolder(), context.newId)
    const seen = await to.read((database) => seenLedger(database, chainEnd(database)))
    witness.note(seen, account)
    return { brought: first.records + rest.records, records: seen.seq }
  } finally {
    await Promise.all([shared.close(), local.close()])
  }
}

/** How the ledger of an account is stored if nothing else of the profiles changes. */
export function storeLedger(context: Context, warnings: Warnings): (update: LedgerUpdate) => Promise<void> {
  return (update) =>
    updateProfiles(
      context,
      (store) => {
        const { ledgers, change } = update(store)
        return { store: { ledgers }, ledger: change }
      },
      warnings,
    )
}

function assertUnchanged(store: ProfileStore, account: LedgerAccount, before: AccountLedger | undefined): void {
  if (ledgerOfAccount(store, account)?.address === before?.address) return
  throw new UsageError(t`Another process has changed the ledger of ${account.clientId} in the meantime`, {
    details: [t`Nothing was changed`],
    hint: t`Look at it with \`pixgate ledger show\`, then run the command again`,
  })
}
