import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { FaultGateway } from '../gateway/faultGateway.ts'
import type { ProcessResult, World } from '../world.ts'

/** A command that writes, while the disk fails. */
export interface FailingRun {
  world: World
  gateway: FaultGateway
  /** Its own in everything that it makes. */
  name: string
  ran: ProcessResult
}

export interface WritingCommand {
  prepare?(run: Omit<FailingRun, 'ran'>): Promise<void> | void
  words(name: string, world: World): string[]
  stdin?(name: string): string
  /** Throws unless its exit code and what it left agree. */
  check(run: FailingRun): Promise<void> | void
}

/** A transfer with this external id. */
export const transferOf = (name: string) => [
  ...['transfer', '--key', `${name}@example.com`, '--amount', '1', '--external-id', name, '--yes', '-o', 'json'],
]

/** Asserts that a file is as it was (`undefined`: missing) or whole, and whole if the command succeeded. */
export function checkFile(
  path: string,
  ran: ProcessResult,
  before: string | undefined,
  isWhole: (content: Buffer) => boolean,
): void {
  expect([0, 2, 6], ran.stderr).toContain(ran.exit)
  const content = existsSync(path) ? readFileSync(path) : undefined
  const isOld = content === undefined ? before === undefined : content.toString() === before
  if (ran.exit === 0 || !isOld) expect([path, content !== undefined && isWhole(content)]).toEqual([path, true])
}

/** The file of this run with this ending. */
export const outOf = (name: string, { home }: World, ending: string) => join(home, `${name}.${ending}`)
