import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { hostname, userInfo } from 'node:os'
import { join } from 'node:path'
import type { World } from '../world.ts'
import { compareOutput, inOneLine, withIds } from './shownOutput.ts'
import { typeLine } from './typing.ts'

/** A world in which a page is tried, and what differs there from what the page shows. */
export interface PageWorld {
  world: World
  /** Texts of the page, such as an address, and what they are in this world. */
  replaced: ReadonlyMap<string, string>
  /** Waits until everything that the last command began has happened. */
  settled(): Promise<void>
}

const CONSOLE_BLOCK = /^```console\n(.*?)^```$/gms
/** A command, continued lines included, and the output that the page shows after it. */
const STEP = /^\$ ((?:.*\\\n)*.*)\n((?:(?!\$ ).*\n)*)/gm

/** How pages call the user and the machine, in English and in Portuguese. */
const WHO = new RegExp(`\\b(by|por) ${userInfo().username}(?: \\([^)]*\\))?(?:( on | em )${hostname()})?`, 'g')

/** The answers that a page shows to questions, in their order. */
function answersIn(output: string): string[] {
  return [...output.matchAll(/^✔ (?:[^✔]*?\([ys]\/N\)|.*?) ?(\S+)$/gm)].map((match) => match[1] ?? '')
}

/**
 * Types all commands of the blocks `console` of a page, from the top to the end, and returns the page with what they showed: the
 * text of the page where it agrees. A file that `$ cat` shows is written first, unless there is one. A command must exit with 0 unless
 * the next one is `$ echo $?`. Throws if it does not.
 */
export async function typePage(path: string, { world, replaced, settled }: PageWorld): Promise<string> {
  const page = readFileSync(path, 'utf8')
  /** What ids of the page are here. */
  const ids = new Map<string, string>()
  let exit = 0

  const here = (text: string) =>
    [...replaced].reduce((line, [name, actual]) => line.replaceAll(name, actual), withIds(text, ids))
  const shown = (text: string) => {
    const names = [...replaced, ['/home/maria', world.home]]
    const withNames = names.reduce((line, [name = '', actual = '']) => line.replaceAll(actual, name), text)
    return withIds(
      withNames.replaceAll(WHO, (_who, by: string, on?: string) => `${by} maria${on === undefined ? '' : `${on}desk`}`),
      [...ids].map(([id, actual]) => [actual, id]),
    )
  }
  const outputOf = async (command: string, expected: string, isChecked: boolean): Promise<string> => {
    if (command === 'echo $?') return `${exit}\n`
    const file = join(world.home, /^cat (\S+)$/.exec(command)?.[1] ?? '')
    if (file !== world.home && !existsSync(file)) writeFileSync(file, here(expected))
    const seen = await typeLine(world, here(command.replace(/\s#\s.*$/m, '')), answersIn(expected))
    exit = seen.exit
    const text = seen.screen.text()
    if (exit !== 0 && !isChecked) throw new Error(`$ ${command}\n${text}\nended with ${exit}`)
    await settled()
    const isAsShown = compareOutput(expected, shown(inOneLine(text)), ids)
    return isAsShown ? expected : shown(text === '' ? '' : `${text}\n`)
  }

  let typed = ''
  let end = 0
  for (const block of page.matchAll(CONSOLE_BLOCK)) {
    const steps = [...(block[1] ?? '').matchAll(STEP)]
    typed += `${page.slice(end, block.index)}\`\`\`console\n`
    for (const [index, [, command = '', expected = '']] of steps.entries()) {
      const isChecked = steps[index + 1]?.[1] === 'echo $?'
      typed += `$ ${command}\n${await outputOf(command, expected, isChecked)}`
    }
    typed += '```'
    end = block.index + block[0].length
  }
  return typed + page.slice(end)
}
