import { performance } from 'node:perf_hooks'
import type { Context } from '../../context.ts'
import { accountId } from '../../ledger/accounts.ts'
import { chainEnd } from '../../ledger/chain.ts'
import { deriveVerified } from '../../ledger/derivedTables.ts'
import type { Ledger } from '../../ledger/ledger.ts'
import { ledgerId, seenLedger } from '../../ledger/ledgerId.ts'
import { concludeEndedSenders, isAnySending } from '../../ledger/processes.ts'
import { handOver } from '../../ledger/team/handOver.ts'
import { type LedgerAddress, readLedgerAddress } from '../../ledger/team/ledgerAddress.ts'
import { connectServer } from '../../ledger/team/ledgerServer.ts'
import { moveCopy } from '../../ledger/team/openTeam.ts'
import type { TeamLedger } from '../../ledger/team/teamLedger.ts'
import { noteSignedBytes, scopeOfAccount, signedBytes } from '../../ledger/verifiedEvents.ts'
import { WitnessFolder } from '../../ledger/witness.ts'
import { openLocalLedger, openSharedLedger, withCopyOf } from '../../openLedgers.ts'
import { isAnswered } from '../../payments/consent.ts'
import { ledgerOfAccount, withLedger } from '../../profiles/accountLedger.ts'
import type { AccountLedger, ProfileStore } from '../../profiles/profile.ts'
import { readProfiles } from '../../profiles/store.ts'
import { t } from '../../text/translate.ts'
import { UsageError } from '../../wire/errors.ts'
import type { ActiveAccount } from '../activeAccount.ts'
import { confirmWeakening, isHost } from '../profiles/hostConfirmation.ts'
import { deleteSecret, storeSecret } from '../profiles/newSecret.ts'
import { type StoreUpdate, updateProfiles, type Warnings } from '../profiles/profileStore.ts'
import { newPassword, type PasswordOptions, passwordOnce } from './passwordOptions.ts'

type LedgerAccount = Pick<ActiveAccount, 'environment' | 'url' | 'clientId' | 'confirmName'>

/** What a change of an account's ledger stores, with its record. Throws UsageError if another process was faster. */
export type LedgerUpdate = (store: ProfileStore) => {
  ledgers: AccountLedger[]
  change: NonNullable<StoreUpdate['ledger']>
}

/** An account that begins to use a shared ledger (`after`), or ceases to (`before`); undefined is the ledger of this machine. */
interface LedgerStep {
  account: LedgerAccount
  before: AccountLedger | undefined
  after: AccountLedger | undefined
}

interface ChangedLedger {
  brought: number
  records: number
}

/**
 * Makes another ledger that of an account: checks it, takes the records of the account over, has the choice stored, and takes over what was written until
 * then. `prepare` is called with the shared ledger before anything is written; `store` stores what the update gives. Throws what these and the ledgers throw;
 * it may be repeated.
 */
async function changeLedger(
  context: Context,
  { account, before, after }: LedgerStep,
  prepare: (shared: TeamLedger) => Promise<void>,
  store: (update: LedgerUpdate) => Promise<void>,
): Promise<ChangedLedger> {
  const chosen = after ?? before
  if (chosen === undefined) throw new Error('one of the two ledgers is a shared one')
  const [shared, local] = await Promise.all([openSharedLedger(context, chosen), openLocalLedger(context)])
  const [from, to] = after === undefined ? [shared, local] : [local, shared]
  try {
    await prepare(shared)
    // An auditor, who joins, can hand nothing over: what this machine has recorded stays in its own ledger.
    const isReader = after !== undefined && (await shared.mayWrite()) === false
    if (isReader) context.terminal.note(t`This login may only read, so nothing of this machine is taken over`)
    const bring = (afterSeq: number) =>
      isReader ? { records: 0, lastSeq: afterSeq } : takeOver(from, to, account, afterSeq)
    const first = await bring(0)
    await store((stored) => {
      assertUnchanged(stored, account, before)
      const { environment, url: baseUrl, clientId } = account
      const owner = { environment, baseUrl, clientId }
      const change = { owner, from: before?.address ?? null, to: after?.address ?? null, shared }
      return { ledgers: withLedger(stored, account, after), change }
    })
    const rest = await bring(first.lastSeq)
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

/** Adds the records of an account in one ledger to another, from a number on. Throws UsageError while a payment of the account is being sent. */
async function takeOver(from: Ledger, to: Ledger, account: LedgerAccount, afterSeq: number) {
  await assertNothingIsBeingSent(from)
  await bringVerified(from, to, account)
  return handOver(from, account, afterSeq, (add) => to.write(add))
}

/** What this machine has verified stays so, because the secret may be another one by now. What others verified does not come along. */
async function bringVerified(from: Ledger, to: Ledger, account: LedgerAccount): Promise<void> {
  const scope = scopeOfAccount(account)
  if (scope === null) return
  const verified = await from.read((database) => signedBytes(database, scope))
  await to.writeHere(({ database }) => {
    for (const bytes of verified) noteSignedBytes(database, bytes, true)
    deriveVerified(database)
  })
}

/** The other ledger could not tell who is sending. */
async function assertNothingIsBeingSent(ledger: Ledger): Promise<void> {
  const sender = await ledger.sender()
  const { folder } = ledger.environment
  const isSent = await ledger.write((writer) => {
    concludeEndedSenders(writer, sender, folder)
    return isAnySending(writer.database)
  })
  if (!isSent) return
  throw new UsageError(t`A payment is being sent from the ledger at this moment`, {
    details: [t`Nothing was changed`],
    hint: t`Wait until it has ended, then run the command again`,
  })
}

/** A copy of more records than this takes seconds. */
const LONG_COPY_RECORDS = 20_000

/**
 * Makes an account use a shared ledger on this machine. What this machine has recorded for the account is taken over. If the ledger never saw the account,
 * it asks, as {@link askToBegin} does. The password comes from the options, which replace the source that is stored for the same ledger; `store` stores what the update gives. Throws
 * UsageError if the account uses another ledger or this one cannot be used, Cancelled, and what the ledgers throw; then nothing was changed.
 */
export async function joinLedger(
  context: Context,
  account: LedgerAccount,
  {
    address,
    options,
    confirmHost,
  }: { address: LedgerAddress; options: PasswordOptions; confirmHost?: string | undefined },
  warnings: Warnings,
  store: (update: LedgerUpdate) => Promise<void>,
): Promise<ChangedLedger> {
  const { url: baseUrl, clientId } = account
  const joined = ledgerOfAccount(await readProfiles(context.configFolder()), account)
  const isElsewhere = joined !== undefined && !isSameDatabase(readLedgerAddress(joined.address), address)
  const before = isElsewhere ? await followLedger(context, account, joined, { address, options }, warnings) : joined
  const earlier = before?.address === address.url ? before.password : undefined
  const password = await newPassword(context, address, options, earlier !== undefined, warnings)
  const saved = password && (await storeSecret(context, 'ledger', password, warnings))
  const source = saved?.source ?? earlier
  const after: AccountLedger = { baseUrl, clientId, address: address.url, ...(source && { password: source }) }
  // A server that is not reached is reported before anything is asked.
  const prepare = async (shared: TeamLedger) => {
    const { behind } = await shared.state()
    if (behind !== null && behind > LONG_COPY_RECORDS) {
      context.terminal.note(t`Copying ${behind} records of the shared ledger to this machine, which takes a while once`)
    }
    await shared.copyAll()
    const isKnown = await shared.write(({ database }) => accountId(database, account) !== 0)
    if (!isKnown) await askToBegin(context, account, address, confirmHost)
  }
  let changed: ChangedLedger
  try {
    changed = await changeLedger(context, { account, before, after }, prepare, store)
  } catch (error) {
    await saved?.undo()
    throw error
  }
  if (before?.password !== undefined && source !== before.password) {
    await deleteSecret(context, before.password, warnings)
  }
  return changed
}

/**
 * Uses another address for the shared ledger of an account, which is known by its id, with the copy of this machine and what waits here; so do the other
 * accounts of this machine that use it. Whether it is on another server by now is judged afterwards, as ever. Throws UsageError for another ledger.
 */
async function followLedger(
  context: Context,
  account: LedgerAccount,
  before: AccountLedger,
  { address, options }: { address: LedgerAddress; options: PasswordOptions },
  warnings: Warnings,
): Promise<AccountLedger> {
  const old = readLedgerAddress(before.address)
  const password = await passwordOnce(context, address, options, warnings, before.password)
  const server = await connectServer(address, { password, deadlineMs: performance.now() + context.settings.timeoutMs })
  server.close()
  const known = await withCopyOf(context, old, (copy) => copy.read(ledgerId))
  if (known !== server.identity.ledger) throw hasOtherLedger(account, before)
  const moveBack = await moveCopy(context.dataFolder(), old, address)
  const moved = (each: AccountLedger): AccountLedger => {
    if (!isSameDatabase(readLedgerAddress(each.address), old)) return each
    return { ...each, address: each.address === before.address ? address.url : addressAt(each.address, address) }
  }
  const store = (stored: ProfileStore) => ({ store: { ledgers: (stored.ledgers ?? []).map(moved) } })
  try {
    await updateProfiles(context, store, warnings)
  } catch (error) {
    await moveBack()
    throw error
  }
  context.terminal.note(t`The ledger is the same, and its address is ${address.url} from now on`)
  return moved(before)
}

/** The address of a login at another address of its ledger. */
function addressAt(earlier: string, { url }: LedgerAddress): string {
  const [moved, login] = [new URL(url), new URL(earlier)]
  moved.username = login.username
  return moved.href
}

/** True for two logins of one ledger. */
function isSameDatabase(one: LedgerAddress, other: LedgerAddress): boolean {
  return one.host === other.host && one.port === other.port && one.database === other.database
}

/**
 * The ledger has no record of the account: the address may be the wrong one. In production the host of the database confirms it, or the name of the
 * profile. Throws UsageError, Cancelled.
 */
export async function askToBegin(
  context: Context,
  account: LedgerAccount,
  { host, url }: LedgerAddress,
  confirmHost: string | undefined,
): Promise<void> {
  const { terminal, settings } = context
  terminal.warn(t`The ledger ${url} has no record of the account ${account.clientId} at ${account.url}`)
  if (isAnswered(account, settings, t`Nothing was changed`) || account.environment === 'sandbox') return
  const step = {
    url,
    consequence: t`This ledger has no record of the account, and there is no terminal to ask on`,
    hint: t`Add \`--confirm-host ${host}\` if it is the ledger of your team`,
    question: t`Type the host of the database if it is the ledger of your team`,
    nothingDone: t`Nothing was changed`,
  }
  await confirmWeakening(context, step, confirmHost)
}

function hasOtherLedger({ clientId }: LedgerAccount, { address }: AccountLedger): UsageError {
  return new UsageError(t`${clientId} uses the shared ledger ${address} on this machine`, {
    details: [t`The other address has another ledger`, t`Nothing was changed`],
    hint: t`Run \`pixgate ledger leave\` first`,
  })
}

/**
 * Makes an account use the ledger of this machine again, which takes over what the shared one holds of the account. In production it asks, or `confirmHost`
 * confirms it; `store` stores what the update gives. Returns the address that was left, too. Throws UsageError if the account has no shared ledger,
 * Cancelled, and what the ledgers throw; then nothing was changed.
 */
export async function leaveLedger(
  context: Context,
  account: LedgerAccount,
  confirmHost: string | undefined,
  warnings: Warnings,
  store: (update: LedgerUpdate) => Promise<void>,
): Promise<ChangedLedger & { left: string }> {
  const { url: baseUrl, clientId } = account
  const before = ledgerOfAccount(await readProfiles(context.configFolder()), account)
  if (before === undefined) {
    throw new UsageError(t`${clientId} at ${baseUrl} uses the ledger of this machine`, {
      details: [t`Nothing was changed`],
      hint: t`Run \`pixgate ledger show\` to see it`,
    })
  }
  await confirmLeaving(context, account, before.address, confirmHost)
  const changed = await changeLedger(context, { account, before, after: undefined }, async () => undefined, store)
  if (before.password !== undefined) await deleteSecret(context, before.password, warnings)
  return { ...changed, left: before.address }
}

/** Other machines no longer see what this one pays, so it asks as every weakening of production does; the host of the account answers it, too. */
async function confirmLeaving(
  context: Context,
  { url: baseUrl, environment }: LedgerAccount,
  address: string,
  confirmHost: string | undefined,
): Promise<void> {
  if (environment === 'sandbox' || (confirmHost !== undefined && isHost(confirmHost, baseUrl))) return
  const step = {
    url: address,
    consequence: t`Without the shared ledger, other machines do not see what this one pays`,
    question: t`Type the host of the database to leave the shared ledger`,
    nothingDone: t`Nothing was changed`,
  }
  await confirmWeakening(context, step, confirmHost)
}
