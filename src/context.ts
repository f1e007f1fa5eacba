import { hostname, userInfo } from 'node:os'
import { configFolder, dataFolder } from './folders.ts'
import type { Gateway, GatewayDependencies } from './gateway/client.ts'
import { newId, random } from './ids.ts'
import type { Ledger } from './ledger/ledger.ts'
import type { PaymentContext } from './payments/paymentContext.ts'
import type { Account, AccountSources } from './profiles/account.ts'
import type { Signer } from './profiles/signer.ts'
import type { EnvironmentVariables } from './programInfo.ts'
import type { Settings } from './settings.ts'
import { type InputKind, readInputFile, readStdin } from './terminal/inputFile.ts'
import { openPrinter, type Printer } from './terminal/printer.ts'
import { type InputStream, type OutputStream, openTerminal, type Terminal } from './terminal/terminal.ts'
import { t } from './text/translate.ts'
import type { AnswerFields } from './wire/answers.ts'
import { Failure } from './wire/errors.ts'
import { Secret } from './wire/secret.ts'

/** Variables whose values are redacted from all output, even by commands that do not use them. */
export const SECRET_VARIABLES = ['PIXGATE_CLIENT_SECRET', 'PIXGATE_PREVIOUS_CLIENT_SECRET'] as const

/** The process's streams, environment and signals. The demo and tests run the command tree with their own. */
export interface Runtime {
  stdin: InputStream
  stdout: OutputStream
  stderr: OutputStream
  env: EnvironmentVariables
  /** The Node.js executable and this program's entry point, to start it again as a child process. */
  program: readonly [interpreter: string, entry: string]
  /** Text that must not be printed. Commands add the secrets that they load. */
  secrets: Secret[]
  /** The first Ctrl-C or SIGTERM. */
  interrupt: AbortSignal
  /** The second Ctrl-C, or SIGTERM. */
  abandon: AbortSignal
}

/** Everything a command may use. Expensive parts are functions that load on first call. */
export interface Context {
  readonly runtime: Runtime
  readonly settings: Settings
  readonly terminal: Terminal
  readonly print: Printer
  account(): Promise<Account>
  /** The secret that webhooks are verified and signed with: the account's, or a lone secret from the environment. */
  signer(): Promise<Signer>
  gateway(): Promise<Gateway>
  /** The account, if the command line names a profile or an address; undefined otherwise. */
  namedAccount(): Promise<Account | undefined>
  payments(): Promise<PaymentContext>
  /** The ledger of the data folder; it is opened when it is first used. */
  ledger(): Promise<Ledger>
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

  const context: Context = {
    runtime,
    settings,
    terminal,
    print: openPrinter(terminal, settings.output, settings.fields),
    nodeVersion: process.versions.node,
    pid: process.pid,
    now,
    newId,
    account() {
      account ??= openAccount(context)
      return account
    },
    signer() {
      signer ??= openSigner(context)
      return signer
    },
    gateway() {
      gateway ??= openGateway(context)
      return gateway
    },
    async namedAccount() {
      return settings.profile === undefined && settings.baseUrl === undefined ? undefined : context.account()
    },
    async payments() {
      const { timeoutMs, yes, confirm } = settings
      const [own, gateway, opened, { WitnessFolder }, { currentAccount }] = await Promise.all([
        context.account(),
        context.gateway(),
        context.ledger(),
        import('./ledger/witness.ts'),
        import('./profiles/currentAccount.ts'),
      ])
      return {
        account: own,
        currentAccount: () => currentAccount(own, context.configFolder()),
        gateway,
        ledger: opened,
        witness: new WitnessFolder(context.configFolder(), context.dataFolder(), newId),
        terminal,
        timeoutMs,
        yes,
        confirm,
        interrupt: runtime.interrupt,
        abandon: runtime.abandon,
        now,
      }
    },
    ledger() {
      ledger ??= openLedgerOf(context)
      return ledger
    },
    dataFolder: () => dataFolder(runtime.env),
    configFolder: () => configFolder(runtime.env),
    readInput: async (path, kind) => new TextDecoder().decode(await context.readInputBytes(path, kind)),
    readInputBytes: async (path, kind) => (path === '-' ? readStdin(runtime.stdin, kind) : readInputFile(path, kind)),
    async close() {
      const opened = await Promise.allSettled([gateway, ledger])
      for (const each of opened) if (each.status === 'fulfilled') await each.value?.close()
    },
  }
  return context
}

async function openAccount(context: Context): Promise<Account> {
  const { resolveAccount } = await import('./profiles/account.ts')
  const account = await resolveAccount(await accountSources(context))
  context.terminal.hide(account.clientSecret)
  return account
}

async function openSigner(context: Context): Promise<Signer> {
  const { resolveSigner, secretsOf } = await import('./profiles/signer.ts')
  const signer = await resolveSigner(await accountSources(context))
  for (const { secret } of secretsOf(signer)) context.terminal.hide(secret)
  return signer
}

async function accountSources({ runtime, settings, terminal, configFolder }: Context): Promise<AccountSources> {
  const [{ readSecret }, { readProfiles }] = await Promise.all([
    import('./profiles/secretSource.ts'),
    import('./profiles/store.ts'),
  ])
  const { env } = runtime
  const secretDependencies = {
    env,
    get interrupt() {
      return runtime.interrupt
    },
  }
  return {
    profile: settings.profile,
    baseUrl: settings.baseUrl,
    env,
    store: async () => readProfiles(configFolder(), (line) => terminal.warn(line)),
    readSecret: (source, profile) => readSecret(source, profile, secretDependencies),
    notice: (line) => terminal.note(line),
  }
}

async function openLedgerOf(context: Context): Promise<Ledger> {
  const { openLedger } = await import('./ledger/ledger.ts')
  return openLedger({
    folder: context.dataFolder(),
    user: userInfo().username,
    machine: hostname(),
    pid: context.pid,
    now,
    newId,
    notice: (line) => context.terminal.alarm(line),
    timeoutMs: context.settings.timeoutMs,
  })
}

async function openGateway(context: Context): Promise<Gateway> {
  const [client, { openQueryQuota }] = await Promise.all([
    import('./gateway/client.ts'),
    import('./gateway/queryQuota.ts'),
  ])
  const account = await context.account()
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

/** What the gateway says of a payment is kept for later refunds. A ledger that cannot be written must not keep anybody from looking. */
async function recordAnswerToQuery(
  context: Context,
  account: Account,
  idTransaction: string,
  fields: AnswerFields,
): Promise<void> {
  const { recordOriginal } = await import('./payments/originals.ts')
  try {
    await recordOriginal(await context.ledger(), account, idTransaction, fields)
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    if (context.settings.verbose) context.terminal.trace(t`The answer was not recorded: ${error.message}`)
  }
}
