import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { readPlan } from '../../src/plans/plan.ts'
import type { World } from '../world.ts'
import { checkFile, type FailingRun, outOf, transferOf, type WritingCommand } from './writingCommand.ts'

const keyOf = (person: string, { home }: World) => join(home, person)

/** The SSH key of a person, made once in each world. */
function makeKey(person: string, world: World): void {
  const file = keyOf(person, world)
  if (!existsSync(file)) execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', person, '-f', file])
}

const planOf = (name: string, world: World) => [
  ...[...transferOf(name), '--plan', outOf(name, world, 'json'), '--ssh-key', keyOf('maria', world)],
]

/** Asserts that a person's signature is missing or whole, whole if the command succeeded, and that nothing was sent. */
function checkSignature({ world, gateway, name, ran }: FailingRun, person: string): void {
  const signature = `${outOf(name, world, 'json')}.${person}.sig`
  checkFile(signature, ran, undefined, (content) =>
    /^-----BEGIN SSH SIGNATURE-----\n(?:.+\n)+-----END SSH SIGNATURE-----\n$/.test(content.toString()),
  )
  expect(gateway.ledger.filter(({ externalId }) => externalId === name)).toEqual([])
}

function isPlan(content: Buffer): boolean {
  return readPlan(content.toString(), 'plan').plan.requests.length === 1
}

/** The commands that write plans and signatures. */
export const PLANNING: Readonly<Record<string, WritingCommand>> = {
  'transfer --plan': {
    prepare: ({ world }) => makeKey('maria', world),
    words: planOf,
    check(run) {
      checkFile(outOf(run.name, run.world, 'json'), run.ran, undefined, isPlan)
      checkSignature(run, 'maria')
    },
  },
  'plan approve': {
    async prepare({ world, name }) {
      for (const person of ['maria', 'joao']) makeKey(person, world)
      await world.prepare(planOf(name, world))
    },
    words: (name, world) => [
      ...['plan', 'approve', outOf(name, world, 'json'), '--ssh-key', keyOf('joao', world), '--yes', '-o', 'json'],
    ],
    check(run) {
      expect(isPlan(readFileSync(outOf(run.name, run.world, 'json')))).toBe(true)
      checkSignature(run, 'joao')
    },
  },
}
