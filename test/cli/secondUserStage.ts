import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { type FaultGateway, startFaultGateway } from '../gateway/faultGateway.ts'
import { type SharedMachine, sharedMachine, USERS } from '../twoUsers.ts'

/** The client secret of the user who pays. */
export const SECRET = `known-to-one-user-${randomUUID()}`
/** A file of two payments. */
export const ROWS = 'key,value\nana@example.com,1\nbia@example.com,2\n'

export interface Stage {
  machine: SharedMachine
  gateway: FaultGateway
  users: NonNullable<typeof USERS>
}

/** A user with a stored profile, who has made everything that pixgate writes, under names that a neighbour can guess. */
export async function stage(): Promise<Stage> {
  if (USERS === undefined) throw new Error('there is one user')
  const gateway = await startFaultGateway()
  const machine = sharedMachine(USERS)
  const add = ['profile', 'add', 'shop', '--base-url', gateway.url, '--client-id', 'an-id', '--no-test']
  await done(machine, [...add, '--callback-url', 'http://127.0.0.1:9/', '--client-secret-stdin'], SECRET)
  return { machine, gateway, users: USERS }
}

/** Runs pixgate as the user who pays, and gives its stdout. Throws unless it exits with 0. */
export async function done({ run }: SharedMachine, args: readonly string[], stdin?: string): Promise<string> {
  const ran = await run(args, stdin === undefined ? {} : { stdin })
  expect(ran.exit, `${args.join(' ')}: ${ran.stderr}`).toBe(0)
  return ran.stdout
}

/** A transfer to this key. */
export const transfer = (key: string) => ['transfer', '--key', key, '--amount', '1', '--external-id', key, '--yes']

/** What a neighbour, also one of the same group, finds in the folders of both users that he can read or write. */
export function findable({ asNeighbour, asColleague, home, shared }: SharedMachine): string[] {
  const look = 'find "$@" \\( -readable -o -writable \\) ! -type d; find "$@" -mindepth 1 -type d -readable'
  return [asNeighbour, asColleague].flatMap((run) =>
    run(look, home, shared)
      .stdout.split('\n')
      .filter((path) => path !== ''),
  )
}
