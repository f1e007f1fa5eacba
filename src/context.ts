import { spawn } from 'node:child_process'
import { hostname, userInfo } from 'node:os'
import { configFolder, dataFolder } from './folders.ts'
import type { ClientSurroundings, Gateway } from './gateway/client.ts'
import { newId, random } from './ids.ts'
import type { Ledger } from './ledger/ledger.ts'
import type { PaymentContext } from './payments/paymentContext.ts'
import type { Account, AccountSources } from './profiles/account.ts'
import type { Signer } from './profiles/signer.ts'
import type { Settings } from './settings.ts'
import { type InputKind, readInputFile, readStdin } from './terminal/inputFile.ts'
import { openPrinter, type Printer } from './terminal/printer.ts'
import { type InputStream, type OutputStream, openTerminal, type Terminal } from './terminal/terminal.ts'
import { Secret } from './wire/secret.ts'

/** Hidden from the first word on, even where a command has no use for them. */
export const SECRET_VARIABLES = ['PIXGATE_CLIENT_SECRET', 'PIXGATE_PREVIOUS_CLIENT_SECRET'] as const

/** The process as the program sees it, so that the same command tree runs in a demo or a test of its own. */
export interface World {
  stdin: InputStream
  stdout: OutputStream
  stderr: OutputStream
  env: Readonly<Record<string, string | undefined>>
  /** The interpreter and the entry of this program, to start it once more. */
  program: readonly [interpreter: string, entry: string]
  /** What must not be printed; the secrets that a command comes to know are added. */
  secrets: Secret[]
  /** The first Ctrl-C or SIGTERM. */
  interrupt: AbortSignal
  /** The second Ctrl-C, or SIGTERM. */
  abandon: AbortSignal
}

/** What a command may use. Costly parts are functions that load when called. */
export interface Context {
  readonly world: World
  readonly settings: Settings
  readonly terminal: Terminal
  readonly print: Printer
  account(): Promise<Account>
  /** Whose webhooks are verified or signed: the account, or a secret that stands alone in the environment. */
  signer(): Promise<Signer>
  gateway(): Promise<Gateway>
  /** The account where the command line names a profile or an address; undefined where it names none. */
  namedAccount(): Promise<Account | undefined>
  /** What everything that moves money works with. */
  payments(): Promise<PaymentContext>
  /** The ledger of the data folder; it is opened when it is first used. */
  ledger(): Promise<Ledger>
  /** The folder of what this machine remembers. */
  dataFolder(): string
  /** The folder of the stored profiles. */
  configFolder(): string
  /** The text of a file, of stdin for `-`. Throws UsageError if it cannot be read or is larger than this kind may be. */
  readInput(path: string, kind: InputKind): Promise<string>
  /** The bytes of a file, of stdin for `-`. Throws UsageError if it cannot be read or is larger than this kind may be. */
  readInputBytes(path: string, kind: InputKind): Promise<Buffer>
  /** Without a leading `v`. */
  readonly nodeVersion: string
  /** The number of this process. */
  readonly pid: number
  /** Sends a signal to a process and everything that it started, 0 to look for them only. False where all are gone. */
  signalGroup(pid: number, signal: 'SIGINT' | 'SIGTERM' | 'SIGKILL' | 0): boolean
  now(): number
  newId(): string
  /** Releases connections; to be called once at the end. */
  close(): Promise<void>
}

/** The clock, in ms since the epoch. */
function now(): number {
  return Date.now()
}

/** The context of one command under these settings. */
export function createContext(world: World, settings: Settings): Context {
  const terminal = openTerminal({
    stdin: () => world.stdin,
    stdout: world.stdout,
    stderr: world.stderr,
    env: world.env,
    secrets: world.secrets,
    interrupt: () => world.interrupt,
    colourForbidden: !settings.colour,
    quiet: settings.quiet,
    verbose: settings.verbose,
    noInput: !settings.input,
    machineReadable: settings.output === 'json',
  })
  for (const name of SECRET_VARIABLES) {
    terminal.hide(new Secret(world.env[name]?.trim() ?? ''))
  }
  let account: Promise<Account> | undefined
  let signer: Promise<Signer> | undefined
  let gateway: Promise<Gateway> | undefined
  let ledger: Promise<Ledger> | undefined

  const context: Context = {
    world,
    settings,
    terminal,
    print: openPrinter(terminal, settings.output, settings.fields),
    nodeVersion: process.versions.node,
    pid: process.pid,
    signalGroup,
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
      const [own, gateway, opened, { WitnessFile }] = await Promise.all([
        context.account(),
        context.gateway(),
        context.ledger(),
        import('./ledger/witness.ts'),
      ])
      const witness = new WitnessFile(context.configFolder(), context.dataFolder(), newId)
      const { abandon } = world
      return { account: own, gateway, ledger: opened, witness, terminal, timeoutMs, yes, confirm, abandon, now }
    },
    ledger() {
      ledger ??= openLedgerOf(context)
      return ledger
    },
    dataFolder: () => dataFolder(world.env),
    configFolder: () => configFolder(world.env),
    readInput: async (path, kind) => new TextDecoder().decode(await context.readInputBytes(path, kind)),
    readInputBytes: async (path, kind) => (path === '-' ? readStdin(world.stdin, kind) : readInputFile(path, kind)),
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

async function accountSources({ world, settings, terminal, configFolder }: Context): Promise<AccountSources> {
  const [{ readSecret }, { readProfiles }] = await Promise.all([
    import('./profiles/secretSource.ts'),
    import('./profiles/store.ts'),
  ])
  const { env } = world
  const secretWorld = {
    env,
    get interrupt() {
      return world.interrupt
    },
    endGroup,
  }
  return {
    profile: settings.profile,
    baseUrl: settings.baseUrl,
    env,
    store: async () => readProfiles(configFolder(), (line) => terminal.warn(line)),
    readSecret: (source, profile) => readSecret(source, profile, secretWorld),
    notice: (line) => terminal.note(line),
  }
}

/** Kills a process and everything that it started. */
function endGroup(pid: number): void {
  signalGroup(pid, 'SIGKILL')
}

/** Sends a signal to a process and everything that it started, 0 to look for them only. False where all are gone. */
function signalGroup(pid: number, signal: 'SIGINT' | 'SIGTERM' | 'SIGKILL' | 0): boolean {
  try {
    if (process.platform === 'win32' && signal !== 0) {
      spawn('taskkill', ['/pid', String(pid), '/t', '/f'], { stdio: 'ignore' }).on('error', () => undefined)
    } else process.kill(process.platform === 'win32' ? pid : -pid, signal)
    return true
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
    return false
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
  const [client, { queryLimit }] = await Promise.all([import('./gateway/client.ts'), import('./gateway/queryLimit.ts')])
  const account = await context.account()
  const surroundings: ClientSurroundings = {
    env: context.world.env,
    timeoutMs: context.settings.timeoutMs,
    limit: queryLimit(context.dataFolder(), account.url, now),
    interrupt: context.world.interrupt,
    abandon: context.world.abandon,
    now,
    random,
    notice: (line) => context.terminal.note(line),
    trace: (line) => context.settings.verbose && context.terminal.trace(line()),
  }
  return client.gateway(account, surroundings)
}
