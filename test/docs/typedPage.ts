import { readFileSync } from 'node:fs'
import { hostname, userInfo } from 'node:os'
import type { World } from '../world.ts'
import { compareOutput, cutAs, inOneLine, learnIds, withIds } from './shownOutput.ts'
import { typeLine } from './typing.ts'

/** A world in which a page is tried, and what differs there from what the page shows. */
export interface PageWorld {
  world: World
  /** Texts of the page, such as an address, and what they are in this world. */
  replaced: ReadonlyMap<string, string>
  /** Waits until everything that the last command began has happened. */
  settled(): Promise<void>
  /** Sets a variable for every command from here on, and for the listener, as a reader does who types it in both terminals. */
  export(name: string, value: string): Promise<void>
  /** Undoes it. */
  unset(name: string): Promise<void>
}

const CONSOLE_BLOCK = /^```console\n(.*?)^```$/gms
/** A command, continued lines included, and the output that the page shows after it. */
const STEP = /^\$ ((?:.*\\\n)*.*)\n((?:(?!\$ ).*\n)*)/gm

/** How pages call the user and the machine, in English and in Portuguese. */
const WHO = new RegExp(
  `\\b((?:by|por)\\s+)${userInfo().username}(?: \\([^)]*\\))?(?:(\\s+on\\s+|,\\s+no\\s+computador\\s+)${hostname()})?`,
  'g',
)

/** The answers that a page shows to questions, in their order. */
function answersIn(output: string): string[] {
  return [...output.matchAll(/^✔ (?:[^✔]*?\([ys]\/N\)|.*?) ?(\S+)$/gm)].map((match) => match[1] ?? '')
}

/** True for a page that shows what commands print. */
export function showsOutput(path: string): boolean {
  return /^```console$/m.test(readFileSync(path, 'utf8'))
}

/**
 * Types all commands of the blocks `console` of a page, from the top to the end, and returns the page with what they showed: the
 * text of the page where it agrees, else what they showed, cut where the page cuts it. A command must exit with 0 unless the next one
 * is `$ echo $?`. Throws if it does not.
 */
export async function typePage(path: string, page: PageWorld): Promise<string> {
  const { world, replaced, settled } = page
  const text = readFileSync(path, 'utf8')
  /** What ids of the page are here. */
  const ids = new Map<string, string>()
  let exit = 0

  const here = (text: string) =>
    [...replaced].reduce((line, [name, actual]) => line.replaceAll(name, actual), withIds(text, ids))
  const shown = (text: string) => {
    const names = [...replaced, ['/home/maria', world.home]]
    const withNames = names.reduce((line, [name = '', actual = '']) => line.replaceAll(actual, name), text)
    return withIds(
      withNames.replaceAll(WHO, (_who, by: string, on?: string) => `${by}maria${on === undefined ? '' : `${on}desk`}`),
      [...ids].map(([id, actual]) => [actual, id]),
    )
  }
  const outputOf = async (command: string, expected: string, isChecked: boolean): Promise<string> => {
    if (command === 'echo $?') return `${exit}\n`
    const [, change, variables = ''] = /^(export|unset) (.*)$/.exec(command) ?? []
    if (change !== undefined) {
      for (const variable of variables.split(' ')) {
        const [name = '', value = ''] = variable.split('=')
        await (change === 'unset' ? page.unset(name) : page.export(name, value.replace('$PWD', world.home)))
      }
      return ''
    }
    const seen = await typeLine(world, here(command.replace(/\s#\s.*$/m, '')), answersIn(expected))
    exit = seen.exit
    const output = seen.screen.text()
    if (exit !== 0 && !isChecked) throw new Error(`$ ${command}\n${output}\nended with ${exit}`)
    await settled()
    if (compareOutput(expected, shown(inOneLine(output)), ids)) return expected
    learnIds(expected, shown(output), ids)
    return cutAs(expected, shown(output === '' ? '' : `${output}\n`))
  }

  let typed = ''
  let end = 0
  for (const block of text.matchAll(CONSOLE_BLOCK)) {
    const steps = [...(block[1] ?? '').matchAll(STEP)]
    typed += `${text.slice(end, block.index)}\`\`\`console\n`
    for (const [index, [, command = '', expected = '']] of steps.entries()) {
      const isChecked = steps[index + 1]?.[1] === 'echo $?'
      typed += `$ ${command}\n${await outputOf(command, expected, isChecked)}`
    }
    typed += '```'
    end = block.index + block[0].length
  }
  return typed + text.slice(end)
}
