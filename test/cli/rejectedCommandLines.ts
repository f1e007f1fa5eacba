import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { mapConcurrent } from '../../src/gateway/retry.ts'
import { here } from '../inProcess.ts'
import { localServer } from '../localServer.ts'
import { emptyWorld, type ProcessResult, type World } from '../world.ts'

/** The end of a command line, the lines that it must put on stderr, and what is around it. The exit code is 2 if not told. */
export type RejectedCommandLine = readonly [
  words: readonly string[],
  said: readonly string[],
  around?: { exit?: number; stdin?: string; env?: Record<string, string | undefined> },
]

const CONCURRENCY = 4

/** A gateway that only notes who calls: `POST /path`. */
export async function countingGateway(): Promise<{ url: string; calls: readonly string[] }> {
  const calls: string[] = []
  const url = await localServer((request, response) => {
    calls.push(`${request.method} ${request.url}`)
    response.writeHead(500).end()
  })
  return { url, calls }
}

/**
 * Runs every command line of the table after these first words, in a home of its own with a counting gateway, and compares
 * exit code, stdout (nothing) and stderr. Nothing may have been sent, and nothing remembered.
 */
export async function expectRejected(first: readonly string[], table: readonly RejectedCommandLine[]): Promise<void> {
  const gateway = await countingGateway()
  const world = emptyWorld({ PIXGATE_BASE_URL: gateway.url })
  expect(await runAll(world, first, table)).toEqual(expectedOf(first, table))
  expect(gateway.calls).toEqual([])
  expect(remembered(world)).toEqual([])
}

/** Files in which this world's machine has noted something; reading the ledger may leave its folder behind, empty. */
export function remembered({ home }: World): string[] {
  const folder = join(home, 'data')
  if (!existsSync(folder)) return []
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((path) => join(folder, path))
  return paths.filter((path) => statSync(path).isFile() && statSync(path).size > 0)
}

/** The commands, each with an exit code, that the binary has shown. */
const shownByBinary = new Set<string>()

/**
 * What the command lines of a table did in this world, by command line. The first of a command and an exit code is run by the real binary in
 * the home of the world, the others in the process of the tests, whose folder is this repository, so that none of them may name a file to write by a relative path.
 */
export async function runAll(
  world: World,
  first: readonly string[],
  table: readonly RejectedCommandLine[],
): Promise<Record<string, ProcessResult>> {
  const ran = await mapConcurrent(table, CONCURRENCY, ([words, , { exit = 2, env, stdin } = {}]) => {
    const args = [...first, ...words]
    const kind = `${exit} ${first.join(' ')}`
    const isFirst = !shownByBinary.has(kind)
    shownByBinary.add(kind)
    return isFirst ? world.run(args, { cwd: world.home, env, stdin }) : here(world)(args, { env, stdin })
  })
  return byLine(first, table, ran)
}

/** What the table says that its command lines do. */
export function expectedOf(
  first: readonly string[],
  table: readonly RejectedCommandLine[],
): Record<string, ProcessResult> {
  const ran = table.map(([, said, around]) => {
    return {
      exit: around?.exit ?? 2,
      stdout: '',
      stderr: withCommands(said)
        .map((line) => `${line}\n`)
        .join(''),
    }
  })
  return byLine(first, table, ran)
}

/** The lines of an error, and after its hint a line of its own for each pixgate command in it. */
function withCommands(said: readonly string[]): string[] {
  return said.flatMap((line) => {
    const commands = line.startsWith('hint: ') ? [...line.matchAll(/`(pixgate[^`]*)`/g)] : []
    return [line, ...new Set(commands.map(([, command = '']) => `  ${command}`))]
  })
}

function byLine(
  first: readonly string[],
  table: readonly RejectedCommandLine[],
  ran: readonly ProcessResult[],
): Record<string, ProcessResult> {
  return Object.fromEntries(ran.map((each, index) => [lineOf(first, table[index]), each]))
}

function lineOf(first: readonly string[], [words = [], , around]: Partial<RejectedCommandLine> = []): string {
  return `${JSON.stringify([...first, ...words])} ${JSON.stringify({ ...around?.env, stdin: around?.stdin })}`
}
