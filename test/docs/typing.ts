import { spawn } from 'node:child_process'
import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { stripVTControlCharacters } from 'node:util'
import { runCli } from '../../src/cli/run.ts'
import { assertHintsCanBeTyped } from '../typedHints.ts'
import { BINARY, NODE, type World } from '../world.ts'
import { Screen } from './screen.ts'

const FOLDER = process.cwd()
const CTRL_C = '\u0003'

/** What a person who typed a line saw. */
export interface Seen {
  exit: number
  screen: Screen
}

/** The words of a line that only calls pixgate; undefined if it needs a shell. */
export function pixgateWords(line: string): string[] | undefined {
  if (!line.startsWith('pixgate ') || /[|<>$;&]| -- /.test(line)) return undefined
  return [...line.matchAll(/(?:"[^"]*"|'[^']*'|[^\s"'])+/g)].map(([word]) => word.replaceAll(/["']/g, '')).slice(1)
}

/** Does what runs in this process in the home of a world. Not for work that is done side by side. */
export async function inHome<Result>({ home }: World, work: () => Promise<Result>): Promise<Result> {
  process.chdir(home)
  try {
    return await work()
  } finally {
    process.chdir(FOLDER)
  }
}

/**
 * Types a line in the home of a world, with the answers to its questions, one after another. A call of pixgate runs in this process on
 * a screen of its own, anything else in a shell without a terminal.
 */
export async function typeLine(world: World, line: string, answers: readonly string[]): Promise<Seen> {
  const words = pixgateWords(line)
  return words === undefined ? typeInShell(world, line) : typeOnScreen(world, words, answers)
}

async function typeInShell(world: World, line: string): Promise<Seen> {
  const child = spawn('sh', ['-c', line], {
    cwd: world.home,
    env: world.env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ended = new Promise<number>((resolve) => child.on('close', (code) => resolve(code ?? -1)))
  const written = await Promise.all([text(child.stdout), text(child.stderr)])
  const screen = new Screen()
  for (const part of written) screen.write(part)
  return { exit: await ended, screen }
}

/** Runs a command on a terminal in this process; a question that is not answered ends with Ctrl-C. */
export async function typeOnScreen(world: World, words: readonly string[], answers: readonly string[]): Promise<Seen> {
  const screen = new Screen()
  const keys = Object.assign(new PassThrough(), { isTTY: true })
  const left = [...answers]
  let isAsked = false
  // A question is drawn with `?` before it, a wrong answer with an error after `>`, an answered question with `✔`.
  const answer = (part: string) => {
    const drawn = stripVTControlCharacters(part)
    if (drawn.includes('\n> ')) keys.write(CTRL_C)
    else if (drawn.startsWith('✔ ')) isAsked = false
    else if (drawn.startsWith('? ') && !isAsked) {
      isAsked = true
      const typed = left.shift()
      setImmediate(() => keys.write(typed === undefined ? CTRL_C : `${typed}\r`))
    }
  }
  const exit = await inHome(world, () =>
    runCli(words, {
      stdin: keys,
      stdout: screen.stream(),
      stderr: screen.stream(answer),
      env: { TERM: 'xterm-256color', ...world.env },
      program: [NODE, BINARY],
      secrets: [],
      interrupt: new AbortController().signal,
      abandon: new AbortController().signal,
    }),
  )
  assertHintsCanBeTyped(screen.text())
  return { exit, screen }
}
