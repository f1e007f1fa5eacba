import { readFileSync } from 'node:fs'
import { Command } from 'commander'
import { reportFailure } from './cliFailure.ts'
import { guardOptionValues, parsingFailure, Unparsed, withPlainWaits } from './cliParsing.ts'
import { examples } from './commands/examples.ts'
import { type Context, createContext, type Run, type World } from './context.ts'
import { GLOBAL_OPTIONS, readSettings, settingsBeforeParsing, type TypedGlobals } from './settings.ts'
import { t } from './text/words.ts'

const GLOBAL_GROUP = 'Global options:'

/**
 * Runs one command line in this world and returns its exit code. Whatever goes wrong has been said on stderr by then.
 * `argv` is without the interpreter and the script.
 */
export async function runCli(argv: readonly string[], world: World): Promise<number> {
  let context: Context | undefined
  let exitCode = 0
  const run: Run = (steps) =>
    async function (...args) {
      context = createContext(world, readSettings(typedGlobals(this), world.env))
      exitCode = await steps(context, ...args)
    }
  const tree = await buildTree(run, wantedBy(argv))
  prepare(tree, world)
  try {
    guardOptionValues(tree, argv)
    await tree.parseAsync(withPlainWaits(argv), { from: 'user' })
    return exitCode
  } catch (error) {
    if (!(error instanceof Unparsed)) return fail(error)
    if (error.reason.exitCode === 0) return 0
    if (error.command !== tree || error.reason.code !== 'commander.help') return fail(parsingFailure(error))
    tree.outputHelp()
    return 0
  } finally {
    await context?.close()
  }

  function fail(error: unknown): number {
    return reportFailure(error, context ?? createContext(world, settingsBeforeParsing(argv, world.env)))
  }
}

/** A command of the tree's first level, whose file is read when it is needed. */
type Maker = (run: Run) => Command

/** In the order of help. */
const COMMANDS: readonly (readonly [name: string, load: () => Promise<Maker>])[] = [
  ['demo', async () => withDemo((await import('./demo/demo.ts')).demo)],
  ['qr', async () => (await import('./commands/qr/group.ts')).qrGroup],
  ['refund', async () => (await import('./commands/refund.ts')).refund],
  ['transfer', async () => (await import('./commands/transfer.ts')).transfer],
  ['status', async () => (await import('./commands/status/status.ts')).status],
  ['resume', async () => (await import('./commands/resume.ts')).resume],
  ['batch', async () => (await import('./commands/batch/group.ts')).batchGroup],
  ['history', async () => (await import('./commands/history/group.ts')).historyGroup],
  ['webhook', async () => (await import('./commands/webhook/group.ts')).webhookGroup],
  ['sandbox', async () => (await import('./commands/sandbox/group.ts')).sandboxGroup],
  ['profile', async () => (await import('./commands/profile/group.ts')).profileGroup],
  ['doctor', async () => (await import('./commands/doctor.ts')).doctor],
  ['completion', async () => withTree((await import('./commands/completion.ts')).completion)],
]

/** The demo plays command lines of the tree that it is in. */
function withDemo(demo: (run: Run, runLine: typeof runCli) => Command): Maker {
  return (run) => demo(run, runCli)
}

/** Completion scripts hold all commands. */
function withTree(completion: (run: Run, wholeTree: () => Promise<Command>) => Command): Maker {
  return (run) => completion(run, () => buildTree(run))
}

/** The command tree; its commands run through `run`. `isWanted` leaves commands out that a command line cannot mean. */
export async function buildTree(run: Run, isWanted: (name: string) => boolean = () => true): Promise<Command> {
  const makers = await Promise.all(
    COMMANDS.map(async ([name, load]) => (isWanted(name) ? await load() : () => new Command(name))),
  )
  const tree = new Command('pixgate')
    .description(t`The command line for an instant-payment (PIX) gateway, with the gateway itself as a sandbox`)
    .version(packageVersion(), '-V, --version')
  for (const make of makers) tree.addCommand(make(run))
  const { candidates } = await import('./commands/candidates.ts')
  tree
    .addCommand(candidates(run), { hidden: true })
    .addHelpText(
      'after',
      examples(
        ['pixgate demo', 'see all of it in a few seconds'],
        ['pixgate sandbox', 'the gateway on your machine, for everything below'],
        ['pixgate qr create --amount 25,00', 'take a payment'],
        ['pixgate status <id>', 'look it up'],
      ),
    )
  addGlobals(tree)
  return tree
}

/** Reading the files of all commands takes longer than most commands, so only those that the words name are read. */
function wantedBy(argv: readonly string[]): (name: string) => boolean {
  const isVersion = argv.every((word) => word === '-V' || word === '--version') && argv.length > 0
  const isNamed = COMMANDS.some(([name]) => argv.includes(name)) || argv.includes('__complete')
  return (name) => (isNamed || isVersion ? argv.includes(name) : true)
}

function addGlobals(command: Command): void {
  for (const [flags, description] of GLOBAL_OPTIONS) {
    const option = command.createOption(flags, description).helpGroup(GLOBAL_GROUP)
    if (!command.options.some((own) => own.long === option.long)) command.addOption(option)
  }
  command.addHelpOption(command.createOption('-h, --help', 'show this help').helpGroup(GLOBAL_GROUP))
  for (const child of command.commands) addGlobals(child)
}

function prepare(command: Command, world: World): void {
  command
    .exitOverride((reason) => {
      throw new Unparsed(command, reason)
    })
    .enablePositionalOptions()
    .allowExcessArguments(false)
    .showSuggestionAfterError(false)
    .configureOutput({
      writeOut: (text) => world.stdout.write(text),
      writeErr: () => undefined,
      getOutHelpWidth: () => Math.min(world.stdout.columns ?? 80, 110),
    })
  for (const child of command.commands) prepare(child, world)
}

/** The global options that stand on the command line; the one nearest to the leaf counts. */
function typedGlobals(leaf: Command): TypedGlobals {
  const typed: Record<string, unknown> = {}
  for (let command: Command | null = leaf; command !== null; command = command.parent) {
    for (const option of command.options) {
      const name = option.attributeName()
      if (option.helpGroupHeading !== GLOBAL_GROUP || name in typed) continue
      if (command.getOptionValueSource(name) === 'cli') typed[name] = command.getOptionValue(name)
    }
  }
  return typed
}

function packageVersion(): string {
  const description: unknown = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
  return typeof description === 'object' && description !== null && 'version' in description
    ? String(description.version)
    : ''
}
