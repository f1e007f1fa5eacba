import { Command } from 'commander'
import type { Context, Run } from '../context.ts'

const IDS_MAX = 200

/** What only the program knows, by the name under which the scripts ask for it. */
const SOURCES: ReadonlyMap<string, (context: Context) => Promise<string[]>> = new Map([
  ['profiles', listProfiles],
  ['ids', listIds],
])

/**
 * The hidden `pixgate __complete`, which completion scripts call: one candidate a line. It never fails and never says
 * anything else, because a shell would print it into the line that is being typed.
 */
export function candidates(run: Run): Command {
  const list = run(printCandidates)
  return new Command('__complete')
    .description('print what a completion script asks for')
    .argument('<source>', [...SOURCES.keys()].join(' or '))
    .action(async function (this: Command, source: string) {
      try {
        await list.call(this, source)
      } catch {
        return
      }
    })
}

async function printCandidates(context: Context, source: string): Promise<number> {
  const found = (await SOURCES.get(source)?.(context)) ?? []
  const safe = found.filter(isSafeWord)
  if (safe.length > 0) context.terminal.data(safe.join('\n'))
  return 0
}

/** Ids come from outside, and bash puts a candidate unquoted into the command line. */
function isSafeWord(text: string): boolean {
  return /^[\w.:+][\w.:+-]*$/.test(text)
}

async function listProfiles(context: Context): Promise<string[]> {
  const { profileNames } = await import('../profiles/names.ts')
  return profileNames(await context.configFolder())
}

async function listIds(context: Context): Promise<string[]> {
  const { knownIds } = await import('../timeline/knownIds.ts')
  const timeline = await context.timeline()
  return knownIds(await timeline.read(), IDS_MAX)
}
