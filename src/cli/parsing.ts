import type { Command, CommanderError, Option } from 'commander'
import { DEFAULT_WAIT } from '../commands/optionValues.ts'
import { t } from '../text/words.ts'
import { withoutPassword } from '../wire/address.ts'
import { UsageError } from '../wire/errors.ts'

/**
 * Refuses what the parser would swallow: an option whose value looks like an option (`--reason --amount 10`; a value that
 * begins with `-` is written `--option=-value`), and an option given to one command twice with different values, of which
 * only the last would count. Throws UsageError.
 */
export function guardOptionValues(tree: Command, argv: readonly string[]): void {
  let command = tree
  let given = new Map<Option, string>()
  for (let index = 0; index < argv.length; index++) {
    const word = argv[index] ?? ''
    if (word === '--') return
    if (!word.startsWith('-') || word === '-') {
      const next = subcommandOf(command, word)
      if (next === undefined) continue
      command = next
      given = new Map()
      continue
    }
    const [name = '', ...rest] = word.startsWith('--') ? word.split('=') : [word]
    const option = command.options.find((each) => each.short === name || each.long === name)
    if (option?.required !== true) continue
    const value = rest.length > 0 ? rest.join('=') : argv[++index]
    if (value === undefined) return
    if (rest.length === 0 && /^-[^\d]/.test(value)) throw swallowed(option, name, value)
    const earlier = given.get(option)
    if (earlier !== undefined && earlier !== value && option.parseArg === undefined) {
      throw new UsageError(
        t`\`${name}\` is given twice, as \`${shown(option, earlier)}\` and as \`${shown(option, value)}\``,
        {
          hint: t`Give \`${name}\` once`,
        },
      )
    }
    given.set(option, value)
  }
}

function swallowed(option: Option, typed: string, value: string): UsageError {
  return new UsageError(t`\`${typed}\` needs a value, and \`${shown(option, value)}\` looks like an option`, {
    hint: t`Give the value after \`${typed}\`; one that begins with \`-\` is written \`${option.long ?? typed}=${shown(option, value)}\``,
  })
}

/** A secret in the wrong place of the command line must not reach the screen and the logs besides. */
function shown({ long }: Option, value: string): string {
  if (/secret|token/.test(long ?? '')) return '••••'
  return long?.endsWith('-url') ? withoutPassword(value) : value
}

/**
 * Gives `--wait` without a duration its default, so that it does not take the word behind it: `--wait <id>`. Everything else
 * stays as it is.
 */
export function withPlainWaits(argv: readonly string[]): string[] {
  const end = argv.includes('--') ? argv.indexOf('--') : argv.length
  return argv.map((word, index) => {
    if (word !== '--wait' || index > end) return word
    return /^\d+(?:ms|s|m|h|d)$/.test(argv[index + 1] ?? '') ? word : `--wait=${DEFAULT_WAIT}`
  })
}

function subcommandOf(command: Command, name: string): Command | undefined {
  return command.commands.find((each) => each.name() === name || each.aliases().includes(name))
}

/** commander stopped at this command: for help, for the version, or because it does not understand the line. */
export class Unparsed extends Error {
  readonly command: Command
  readonly reason: CommanderError

  constructor(command: Command, reason: CommanderError) {
    super(reason.message)
    this.command = command
    this.reason = reason
  }
}
