import { configFolder, configFolderIfAny, dataFolder } from './folders.ts'
import type { Gateway, GatewayDependencies } from './gateway/client.ts'
import { newId, random } from './ids.ts'
import type { Ledger } from './ledger/ledger.ts'
import type { PaymentContext } from './payments/paymentContext.ts'
import { only } from './pix/expectedError.ts'
import type { Account, AccountSources } from './profiles/account.ts'
import { SECRET_VARIABLES } from './profiles/childEnvironment.ts'
import type { ProfileSecret } from './profiles/profile.ts'
import type { Signer } from './profiles/signer.ts'
import type { EnvironmentVariables } from './programInfo.ts'
import type { Settings } from './settings.ts'
import { systemTrouble } from './storage/systemTrouble.ts'
import { type InputKind, inputText, readFileOrPipe, readStdin } from './terminal/inputFile.ts'
import type { InputStream } from './terminal/oneLine.ts'
import { type Output, openPrinter, type ShortIds } from './terminal/printer.ts'
import { type OutputStream, openTerminal } from './terminal/terminal.ts'
import { t } from './text/translate.ts'
import type { AnswerFields } from './wire/answers.ts'
import { Failure } from './wire/errors.ts'
import { Secret } from './wire/secret.ts'

/** The process's streams, environment and signals. The demo and tests run the command tree with their own. */
export interface Runtime {
  stdin: InputStream
  stdout: OutputStream
  stderr: OutputStream
  env: EnvironmentVariables
  /** How to start this program again as a child process: Node.js with its entry point, or the executable file alone. */
  program: readonly [file: string, ...words: string[]]
  /** Text that must not be printed. Commands add the secrets that they load. */
  secrets: Secret[]
  /** The first Ctrl-C or SIGTERM. */
  interrupt: AbortSignal
  /** The second Ctrl-C, or SIGTERM. */
  abandon: AbortSignal
  /** Called by a command that serves others: from then on an output that cannot be written does not end it. */
  serve?(): void
  /** True for the commands of the demo, whose sandbox does not stay. */
  hidesAdvice?: boolean
}

/** Everything a command may use. Expensive parts are functions that load on first call. */
export interface Context extends Output {
  readonly runtime: Runtime
  readonly settings: Settings
  account(): Promise<Account>
  /** From now on the account has no secret: for what reads, plans and approves. Call it before the account is used. */
  forgoSecret(): void
  /** The secret that webhooks are verified and signed with: the account's, or a lone secret from the environment. */
  signer(): Promise<Signer>
  gateway(): Promise<Gateway>
  /** Writes a note about the choice of the account, once. */
  notice(line: string): void
  /** The account, if the command line names a profile or an address; undefined otherwise. */
  namedAccount(): Promise<Account | undefined>
  payments(): Promise<PaymentContext>
  /** The ledger of the data folder; it is opened when it is first used. */
  ledger(): Promise<Ledger>
  /** What that ledger says. */
  read: Ledger['read']
  /** Why answers of the gateway could not be recorded. */
  readonly unrecorded: Set<string>
  /** The short forms of ids of one list, which commands take. */
  readonly shortIds: ShortIds
  /** The folder of the ledger, locks and other state of this machine. */
  dataFolder(): string
  configFolder(): string
  /** Reads a text file, or stdin for `-`. Throws UsageError if it cannot be read or exceeds the size limit of its kind. */
  readInput(path: string, kind: InputKind): Promise<string>
  /** Reads a binary file, or stdin for `-`. Throws UsageError if it cannot be read or exceeds the size limit of its kind. */
  readInputBytes(path: string, kind: InputKind): Promise<Buffer>
  /** Without a leading `v`. */
  readonly nodeVersion: string
  readonly pid: number
  now(): number
  newId(): string
  /** To be called by a command that serves others: neither a screen that is paused nor an output that fails holds up or ends what it answers. */
  serve(): void
  /** Closes connections and the ledger. Call it once, when the command has finished. */
  close(): Promise<void>
}

/** The time of this machine in ms. */
export function now(): number {
  return Date.now()
}

/** The context of one command, in the streams and environment of this process and with the options that were typed. */
export function createContext(runtime: Runtime, settings: Settings): Context {
  const terminal = openTerminal({
    stdin: () => runtime.stdin,
    stdout: runtime.stdout,
    stderr: runtime.stderr,
    env: runtime.env,
    secrets: runtime.secrets,
    interrupt: () => runtime.interrupt,
    colourForbidden: !settings.colour,
    quiet: settings.quiet,
    hidesAdvice: runtime.hidesAdvice,
    verbose: settings.verbose,
    noInput: !settings.input,
    machineReadable: settings.output === 'json',
  })
  for (const name of SECRET_VARIABLES) {
    terminal.hide(new Secret(runtime.env[name]?.trim() ?? ''))
  }
  let account: Promise<Account> | undefined
  let signer: Promise<Signer> | undefined
  let gateway: Promise<Gateway> | undefined
  let ledger: Promise<Ledger> | undefined
  const noticed = new Set<string>()

  const context: Context = {
    runtime,
    settings,
    terminal,
    print: openPrinter(terminal, settings.output, settings.fields, (ids) => context.shortIds(ids)),
    unrecorded: new Set(),
    nodeVersion: process.versions.node,
    pid: process.pid,
    now,
    newId,
    account() {
      account ??= openAccount(context)
      return account
    },
    forgoSecret() {
      account ??= accountWithoutSecret(context)
    },
    signer() {
      signer ??= openSigner(context)
      return signer
    },
    gateway() {
      gateway ??= context.account().then((account) => openGateway(context, account))
      return gateway
    },
    notice(line) {
      if (!noticed.has(line)) terminal.note(line)
      noticed.add(line)
    },
    async namedAccount() {
      return settings.profile === undefined && settings.baseUrl === undefined ? undefined : context.account()
    },
    async payments() {
      const { timeoutMs, yes, confirm } = settings
      const [
        own,
        gateway,
        opened,
        { WitnessFolder },
        { currentAccount },
        { assertLedgerInUse },
        { verifyRules },
        { verifyOwnEvents },
      ] = await Promise.all([
        context.account(),
        context.gateway(),
        context.ledger(),
        import('./ledger/witness.ts'),
        import('./profiles/currentAccount.ts'),
        import('./profiles/accountLedger.ts'),
        import('./ruleApprovals.ts'),
        import('./eventSignatures.ts'),
      ])
      await verifyRules(context, opened, own)
      await verifyOwnEvents(context, opened, own)
      return {
        account: own,
        currentAccount() {
          const folder = context.configFolder()
          assertLedgerInUse({ ...settings, env: runtime.env }, folder, opened.environment.sharedAt)
          return currentAccount(own, folder)
        },
        gateway,
        ledger: opened,
        witness: new WitnessFolder(context.configFolder(), context.dataFolder(), newId),
        terminal,
        timeoutMs,
        env: runtime.env,
        yes,
        confirm,
        interrupt: runtime.interrupt,
        abandon: runtime.abandon,
        now,
      }
    },
    ledger() {
      ledger ??= import('./openLedgers.ts').then(async ({ openAccountLedger }) => {
        const opened = await openAccountLedger(context)
        if (opened.environment.sharedAt !== undefined) await verifyAtHand(context, opened)
        return opened
      })
      return ledger
    },
    read: async (work) => (await context.ledger()).read(work),
    async shortIds(ids) {
      const own = await import('./ledger/namedByIds.ts')
      return context.read((database) => own.shortIds(database, ids))
    },
    dataFolder: () => dataFolder(runtime.env),
    configFolder: () => configFolder(runtime.env),
    readInput: async (path, kind) => inputText(await context.readInputBytes(path, kind)),
    readInputBytes: async (path, kind) => (path === '-' ? readStdin(runtime.stdin, kind) : readFileOrPipe(path, kind)),
    serve() {
      runtime.serve?.()
      terminal.goOnUnread()
      runtime.stdout.once('error', ({ code = 'UNKNOWN' }: NodeJS.ErrnoException) => {
        if (code !== 'EPIPE')
          terminal.alarm(
            t`Standard output cannot be written: ${systemTrouble({ code }, '').reason}; it goes on without it`,
          )
      })
    },
    async close() {
      const opened = await Promise.allSettled([gateway, ledger])
      for (const each of opened) if (each.status === 'fulfilled') await each.value?.close()
    },
  }
  return context
}

/**
 * Verifies events for commands that only show payments, with a secret that needs neither a program nor a prompt. Without one, they are shown as not verified. What is
 * wrong with the choice of the account is said by what needs the account.
 */
async function verifyAtHand(context: Context, ledger: Ledger): Promise<void> {
  const [{ verifyEvents }, { immediateSecret, withPreviousSecret }, { chooseAccount }] = await Promise.all([
    import('./eventSignatures.ts'),
    import('./profiles/signer.ts'),
    import('./profiles/account.ts'),
  ])
  try {
    const sources = await accountSources(context)
    const { secret, ...account } = chooseAccount(sources, await sources.store())
    const text = immediateSecret(secret, context.runtime.env)
    if (text !== undefined) {
      await verifyEvents(ledger, account, withPreviousSecret(new Secret(text), context.runtime.env))
    }
  } catch (error) {
    if (!(error instanceof Failure)) throw error
  }
}

async function openAccount(context: Context): Promise<Account> {
  const { resolveAccount } = await import('./profiles/account.ts')
  const account = await resolveAccount(await accountSources(context))
  context.terminal.hide(account.clientSecret)
  return account
}

/** Its requests would be refused; what is planned with it is sent elsewhere. */
async function accountWithoutSecret(context: Context): Promise<Account> {
  const { chooseAccount } = await import('./profiles/account.ts')
  const sources = await accountSources(context)
  const { secret, notices, ...account } = chooseAccount(sources, await sources.store())
  for (const line of notices) context.notice(line)
  return { ...account, clientSecret: new Secret(''), secretKind: secret.source }
}

async function openSigner(context: Context): Promise<Signer> {
  const { resolveSigner, secretsOf } = await import('./profiles/signer.ts')
  const signer = await resolveSigner(await accountSources(context))
  for (const { secret, source } of secretsOf(signer)) {
    context.terminal.hide(secret)
    if (/^(["'`]).+\1$/s.test(secret.reveal())) {
      context.terminal.warn(t`The secret of ${source} has quotes around it, which are a part of it`)
    }
  }
  return signer
}

async function accountSources({ runtime, settings, terminal, notice }: Context): Promise<AccountSources> {
  const [{ readSecret }, { readProfiles }] = await Promise.all([
    import('./profiles/secretSource.ts'),
    import('./profiles/store.ts'),
  ])
  const { env } = runtime
  return {
    profile: settings.profile,
    baseUrl: settings.baseUrl,
    env,
    store: async () => readProfiles(configFolderIfAny(env), (line) => terminal.warn(line)),
    readSecret: (source, profile) => readSecret(source, profile, runtime),
    notice,
  }
}

/** Reads the secret of a profile from its source. Throws AuthError, UsageError, Cancelled. */
export async function readStoredSecret(context: Context, source: ProfileSecret, profile: string): Promise<Secret> {
  const secret = await (await accountSources(context)).readSecret(source, profile)
  context.terminal.hide(secret)
  return secret
}

/** The client of an account. Close it after use. */
export async function openGateway(context: Context, account: Account): Promise<Gateway> {
  const [client, { openQueryQuota }] = await Promise.all([
    import('./gateway/client.ts'),
    import('./gateway/queryQuota.ts'),
  ])
  const dependencies: GatewayDependencies = {
    env: context.runtime.env,
    timeoutMs: context.settings.timeoutMs,
    quota: openQueryQuota(context.dataFolder(), account.url, now),
    interrupt: context.runtime.interrupt,
    abandon: context.runtime.abandon,
    now,
    random,
    notice: (line) => context.terminal.note(line),
    trace: (line) => context.settings.verbose && context.terminal.trace(line()),
    learned: (idTransaction, fields) => recordAnswerToQuery(context, account, idTransaction, fields),
  }
  return client.createGateway(account, dependencies)
}

/** What the gateway says of a payment is kept: its state is derived from it. A ledger that cannot be written must not keep anybody from looking. */
async function recordAnswerToQuery(
  context: Context,
  account: Account,
  idTransaction: string,
  fields: AnswerFields,
): Promise<void> {
  const { recordQuery } = await import('./payments/recordQuery.ts')
  const recorded = context.ledger().then((ledger) => recordQuery(ledger, account, idTransaction, fields))
  await recorded.catch(
    only(Failure, ({ message }) => void context.unrecorded.add(t`The answer was not recorded: ${message}`)),
  )
}
