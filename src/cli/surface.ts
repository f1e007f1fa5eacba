import type { Command } from 'commander'
import { pathOf } from './help/helpPage.ts'
import { DefinedArgument, DefinedOption, isGlobal } from './options.ts'
import { HELP_FLAGS, loadProgram } from './program.ts'

/**
 * Every command, argument and option, one a line with its command, in the order of code points: `pixgate transfer --key <key>`. Global options are named
 * once. A change of this text is a change of what scripts may use.
 */
export async function surface(): Promise<string> {
  const lines = surfaceOf(await loadProgram())
  return `${lines.sort().join('\n')}\n`
}

function surfaceOf(command: Command): string[] {
  const path = pathOf(command)
  const isRoot = command.parent === null
  // An option that is hidden exists to be rejected with a better message.
  const options = command.options.filter(
    (option) => (isRoot || !isGlobal(option)) && !(option instanceof DefinedOption && option.hidden),
  )
  // Written as it was defined: one that a terminal asks for is optional for commander.
  const words = command.registeredArguments.flatMap((each) =>
    each instanceof DefinedArgument ? [each.definition.name] : [],
  )
  const flags = [...options.map((option) => option.flags), ...(isRoot ? [HELP_FLAGS] : [])]
  const own = [...words, ...flags].map((each) => `${path} ${each}`)
  return [...(isRoot ? [] : [path]), ...own, ...command.commands.flatMap(surfaceOf)]
}
