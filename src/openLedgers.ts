import { hostname } from 'node:os'
import { performance } from 'node:perf_hooks'
import { newId } from './ids.ts'
import type { AccountKey } from './ledger/accounts.ts'
import type { Ledger } from './ledger/ledger.ts'
import type { LedgerEnvironment } from './ledger/paymentState.ts'
import type { LedgerAddress } from './ledger/team/ledgerAddress.ts'
import type { Repair } from './ledger/team/repairCopy.ts'
import type { TeamLedger } from './ledger/team/teamLedger.ts'
import { formatInstant } from './pix/calendar.ts'
import { only } from './pix/expectedError.ts'
import type { AccountLedger, SecretSource } from './profiles/profile.ts'
import type { EnvironmentVariables } from './programInfo.ts'
import type { Settings } from './settings.ts'
import { systemUser } from './systemUser.ts'
import type { Terminal } from './terminal/terminal.ts'
import { t } from './text/translate.ts'
import { Failure } from './wire/errors.ts'
import { Secret } from './wire/secret.ts'

interface LedgerOpener {
  readonly runtime: { readonly env: EnvironmentVariables; readonly interrupt: AbortSignal }
  readonly settings: Pick<Settings, 'profile' | 'baseUrl' | 'timeoutMs' | 'output'>
  readonly terminal: Terminal
  readonly pid: number
  now(): number
  dataFolder(): string
  configFolder(): string
  notice(line: string): void
}

/** The ledger that this machine has for itself. */
export async function openLocalLedger(context: LedgerOpener): Promise<Ledger> {
  const { openLedger } = await import('./ledger/ledger.ts')
  return openLedger(ledgerEnvironment(context))
}

function ledgerEnvironment(context: LedgerOpener): LedgerEnvironment {
  return {
    folder: context.dataFolder(),
    user: systemUser(context.runtime.env),
    machine: hostname(),
    pid: context.pid,
    now: context.now,
    newId,
    notice: (line) => context.terminal.alarm(line),
    timeoutMs: context.settings.timeoutMs,
  }
}

/** The ledger of the account: the one that its team shares, or that of this machine. */
export async function openAccountLedger(context: LedgerOpener): Promise<Ledger> {
  const shared = await sharedLedgerOf(context)
  return shared === undefined ? openLocalLedger(context) : openSharedLedger(context, shared)
}

/** The shared ledger of the account; undefined also if the profiles cannot be read, because whatever moves money then fails anyway. */
export async function sharedLedgerOf(context: LedgerOpener): Promise<AccountLedger | undefined> {
  const { chosenLedger } = await import('./profiles/accountLedger.ts')
  const { settings, runtime } = context
  return chosenLedger({ ...settings, env: runtime.env }, context.configFolder())
}

/** False if the account has no ledger yet: no payment was sent from this machine. */
export async function hasAccountLedger(context: LedgerOpener): Promise<boolean> {
  const { hasLedger } = await import('./ledger/ledgerFile.ts')
  return hasLedger(context.dataFolder()) || (await sharedLedgerOf(context)) !== undefined
}

/** Does work with the ledger of any account, which is closed afterwards unless this command uses it anyway. Throws what opening it throws. */
export async function withLedgerOf<Result>(
  context: LedgerOpener & { ledger(): Promise<Ledger> },
  account: AccountKey,
  work: (ledger: Ledger) => Promise<Result>,
): Promise<Result> {
  const [{ ledgerOfAccount }, { readProfilesNow }] = await Promise.all([
    import('./profiles/accountLedger.ts'),
    import('./profiles/store.ts'),
  ])
  const shared = ledgerOfAccount(readProfilesNow(context.configFolder()), account)
  const used = await sharedLedgerOf(context)
  if (used?.address === shared?.address) return work(await context.ledger())
  const ledger = await (shared === undefined ? openLocalLedger(context) : openSharedLedger(context, shared))
  try {
    return await work(ledger)
  } finally {
    await ledger.close()
  }
}

/** Opens a ledger that several machines share. Throws UsageError for an address that cannot be one. */
export async function openSharedLedger(context: LedgerOpener, shared: AccountLedger): Promise<TeamLedger> {
  const [{ openTeam }, { readLedgerAddress }] = await Promise.all([
    import('./ledger/team/openTeam.ts'),
    import('./ledger/team/ledgerAddress.ts'),
  ])
  const address = readLedgerAddress(shared.address)
  const { terminal, settings } = context
  return openTeam({ ...ledgerEnvironment(context), sharedAt: shared.address }, address, {
    password: () => ledgerPassword(context, address, shared.password),
    notices: {
      stopped: (sentence) => context.notice(t`The shared ledger is stopped: ${sentence}`),
      unreached: (contactMs, reason) => context.notice(ageSentence(contactMs, reason)),
      waiting(count) {
        // In JSON mode an error is the last line, and the ledger is closed after it.
        if (settings.output === 'json' || warnedOfWaiting.has(context)) return
        warnedOfWaiting.add(context)
        terminal.alarm(t`Answers and events that wait on this machine until the shared ledger is reached: ${count}`)
      },
    },
  })
}

/** The commands that have said what waits: one that opens the ledger twice says it once. */
const warnedOfWaiting = new WeakSet<LedgerOpener>()

/** What a person has typed during a command, by the address. */
const passwords = new WeakMap<LedgerOpener, Map<string, string>>()

/**
 * Hands over to a shared ledger what it lacks and this machine has, and makes this machine agree with it. `confirmOther` asks about a ledger that this machine
 * does not know. Throws what {@link openSharedLedger} and the server throw.
 */
export async function repairSharedLedger(
  context: LedgerOpener,
  shared: AccountLedger,
  confirmOther: () => Promise<void>,
): Promise<Repair> {
  const [{ repairCopy }, { readLedgerAddress }, { WitnessFolder }] = await Promise.all([
    import('./ledger/team/repairCopy.ts'),
    import('./ledger/team/ledgerAddress.ts'),
    import('./ledger/witness.ts'),
  ])
  const address = readLedgerAddress(shared.address)
  const witness = new WitnessFolder(context.configFolder(), context.dataFolder(), newId)
  return repairCopy({ ...ledgerEnvironment(context), sharedAt: shared.address }, address, {
    password: await ledgerPassword(context, address, shared.password),
    confirmOther,
    renewWitness: (old, fresh) => witness.renew(old, fresh),
  })
}

/** Does work with this machine's copy of a shared ledger, without asking its server. */
export async function withCopyOf<Result>(
  context: LedgerOpener,
  address: LedgerAddress,
  work: (copy: Ledger) => Promise<Result>,
): Promise<Result> {
  const { openCopy } = await import('./ledger/team/openTeam.ts')
  const { copy } = openCopy({ ...ledgerEnvironment(context), sharedAt: address.url }, address)
  try {
    return await work(copy)
  } finally {
    await copy.close()
  }
}

/** How long it may take to learn whether the server asks for a password. */
const PASSWORD_QUESTION_MS = 5000

/**
 * The password of a login: from its own source, else from where other PostgreSQL clients read it, else a person types it if the server asks for one.
 * Undefined if it is not known. Throws AuthError, Cancelled.
 */
export async function ledgerPassword(
  context: LedgerOpener,
  address: LedgerAddress,
  source?: SecretSource,
): Promise<string | undefined> {
  const { terminal, runtime } = context
  const { readLedgerPassword } = await import('./profiles/secretSource.ts')
  const found =
    source === undefined
      ? await knownPassword(context, address)
      : (await readLedgerPassword(source, address.url, runtime)).reveal()
  if (found !== undefined) terminal.hide(new Secret(found))
  if (found !== undefined || !(await isPasswordAsked(context, address))) return found
  const typed = passwords.get(context) ?? new Map<string, string>()
  passwords.set(context, typed)
  const password =
    typed.get(address.url) ?? (await terminal.askSecret(t`Password of ${address.user} for the shared ledger`))
  terminal.hide(new Secret(password))
  typed.set(address.url, password)
  return password
}

/** True if nothing but a person can give the password, and the server asks for it. */
export async function mustAskPassword(context: LedgerOpener, address: LedgerAddress): Promise<boolean> {
  return (await knownPassword(context, address)) === undefined && isPasswordAsked(context, address)
}

/** The password from where other PostgreSQL clients read it. */
async function knownPassword(context: LedgerOpener, address: LedgerAddress): Promise<string | undefined> {
  const { readServerPassword } = await import('./ledger/team/password.ts')
  return readServerPassword(address, context.runtime.env, (line) => context.notice(line))
}

/** False without a terminal, and if the server cannot be asked: what uses it says so. */
async function isPasswordAsked({ terminal, settings }: LedgerOpener, address: LedgerAddress): Promise<boolean> {
  if (!terminal.canAsk) return false
  const { asksForPassword } = await import('./ledger/team/ledgerServer.ts')
  const deadlineMs = performance.now() + Math.min(PASSWORD_QUESTION_MS, settings.timeoutMs)
  return asksForPassword(address, deadlineMs).catch(only(Failure, () => false))
}

function ageSentence(contactMs: number | null, reason: string): string {
  return contactMs === null
    ? t`This machine has no copy of the shared ledger yet: ${reason}`
    : t`This is the copy of ${formatInstant(contactMs)} on this machine: ${reason}`
}
