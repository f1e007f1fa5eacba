import { readFileSync } from 'node:fs'
import { Command } from 'commander'
import { reportFailure } from './cliFailure.ts'
import { guardOptionValues, parsingFailure, Unparsed, withPlainWaits } from './cliParsing.ts'
import { batchGroup } from './commands/batch/group.ts'
import { candidates } from './commands/candidates.ts'
import { completion } from './commands/completion.ts'
import { doctor } from './commands/doctor.ts'
import { examples } from './commands/examples.ts'
import { historyGroup } from './commands/history/group.ts'
import { profileGroup } from './commands/profile/group.ts'
import { qrGroup } from './commands/qr/group.ts'
import { refund } from './commands/refund.ts'
import { resume } from './commands/resume.ts'
import { sandboxGroup } from './commands/sandbox/group.ts'
import { status } from './commands/status/status.ts'
import { transfer } from './commands/transfer.ts'
import { webhookGroup } from './commands/webhook/group.ts'
import { type Context, createContext, type Run, type World } from './context.ts'
import { demo } from './demo/demo.ts'
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
  const tree = buildTree(run)
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

/** The whole command tree; its commands run through `run`. */
export function buildTree(run: Run): Command {
  const tree = new Command('pixgate')
    .description(t`The command line for an instant-payment (PIX) gateway, with the gateway itself as a sandbox`)
    .version(packageVersion(), '-V, --version')
    .addCommand(demo(run, runCli))
    .addCommand(qrGroup(run))
    .addCommand(refund(run))
    .addCommand(transfer(run))
    .addCommand(status(run))
    .addCommand(resume(run))
    .addCommand(batchGroup(run))
    .addCommand(historyGroup(run))
    .addCommand(webhookGroup(run))
    .addCommand(sandboxGroup(run))
    .addCommand(profileGroup(run))
    .addCommand(doctor(run))
    .addCommand(completion(run, () => buildTree(run)))
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
