import { expect } from 'vitest'
import type { ProcessResult, World } from '../world.ts'
import { inThisProcess } from './payments.ts'

export type Sandbox = World & { url: string }

/** Prepares what makes the last command line fail, which it gives. */
export type Failing = (world: Sandbox) => Promise<string[]>

/** More steps than any way out of an error has. */
const STEPS_MAX = 5

export function messageOf({ stderr }: ProcessResult): string {
  return /^error: (.*)$/m.exec(stderr)?.[1] ?? ''
}

export function hintOf({ stderr }: ProcessResult): string {
  return /^hint: (.*)$/m.exec(stderr)?.[1] ?? ''
}

/** The commands on lines of their own after the hint. */
export function commandsAfterHint({ stderr }: ProcessResult): string[] {
  return [...stderr.slice(stderr.indexOf('\nhint: ')).matchAll(/^ {2}(pixgate .*)$/gm)].map(([, line = '']) => line)
}

/** What a hint says to add: options in backticks, with their values. */
export function optionsIn(hint: string): string[][] {
  return [...hint.matchAll(/`(--[a-z][^`]*)`/g)].map(([, option = '']) => wordsOf(option))
}

/** The words of a command line in a shell, of which hints use single quotes only. */
function wordsOf(line: string): string[] {
  return [...line.matchAll(/(?:'[^']*'|\\'|[^\s'])+/g)].map(([word]) =>
    word.replaceAll(/'([^']*)'|\\(')/g, (_, quoted, escaped) => quoted ?? escaped),
  )
}

/** Types what the hints say until one is followed with success or names no command; gives the messages on the way. */
async function follow(world: World, line: string): Promise<string[]> {
  const messages: string[] = []
  for (let next: string | undefined = line; next !== undefined && messages.length < STEPS_MAX; ) {
    const ran = await inThisProcess(world).run([...wordsOf(next).slice(1), '--yes'])
    expect([next, ran.exit === 70, /has no (?:option|command)/.test(ran.stderr)]).toEqual([next, false, false])
    if (ran.exit === 0) break
    messages.push(messageOf(ran))
    next = commandsAfterHint(ran)[0]
  }
  return messages
}

/** The binary fails in this world, and every command of its hint is followed in the process of the tests; gives the hint. */
export async function followed(world: Sandbox, failing: Failing): Promise<string> {
  const args = await failing(world)
  const failure = await world.run(args)
  expect(failure.exit).not.toBe(0)
  const hint = hintOf(failure)
  expect(hint).toMatch(/^[A-Z]\w+/)
  expect(hint).not.toMatch(/--as[ =`]+(?:paid|not-paid|returned)/)
  const named = [...hint.matchAll(/`(pixgate [^`]*)`/g)].map(([, line = '']) => line)
  expect(commandsAfterHint(failure)).toEqual([...new Set(named)])
  for (const line of commandsAfterHint(failure)) {
    const messages = [messageOf(failure), ...(await follow(world, line))]
    expect([line, ...new Set(messages)]).toEqual([line, ...messages])
  }
  return hint
}
