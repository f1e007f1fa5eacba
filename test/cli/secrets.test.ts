import { join } from 'node:path'
import type { Command } from 'commander'
import { expect, onTestFinished, test } from 'vitest'
import { loadProgram } from '../../src/cli/program.ts'
import { SANDBOX_DEFAULTS } from '../../src/sandbox/options.ts'
import { startSandbox } from '../../src/sandbox/server.ts'
import { CANARIES, leaksIn } from './canaries.ts'
import { useApprovals } from './secretApprovals.ts'
import { useLedgers } from './secretLedgers.ts'
import { addProfiles, CLIENT_ID, changeProfiles, type Place, useGateway, useRest } from './secretLines.ts'
import { secretWorld } from './secretWorld.ts'

/** A sandbox that knows this secret, and what it logs. */
async function sandboxWith(secret: string): Promise<Place & { log: string[] }> {
  const log: string[] = []
  const sandbox = await startSandbox({
    ...SANDBOX_DEFAULTS,
    port: 0,
    clientId: CLIENT_ID,
    clientSecret: secret,
    autoSettleMs: 60_000,
    now: () => Date.now(),
    newId: () => crypto.randomUUID(),
    onLog: (entry) => log.push(JSON.stringify(entry)),
  })
  onTestFinished(() => sandbox.close())
  return { url: sandbox.url, clientId: CLIENT_ID, secret, log }
}

/** The paths and own options of all commands that no line has in it. */
async function undriven(lines: readonly (readonly string[])[]): Promise<string[]> {
  const driven = new Set<string>()
  const tree = await loadProgram()
  for (const line of lines) {
    let command = tree
    driven.add(pathOf(command))
    for (const word of line) {
      if (word === '--') break
      const next = command.commands.find((each) => each.name() === word)
      if (next !== undefined) command = next
      driven.add(pathOf(command))
      const option = command.options.find((each) => each.long === word.split('=')[0] || each.short === word)
      if (option === undefined) continue
      driven.add(`${pathOf(command)} ${option.long}`)
      if (option.helpGroupHeading === 'Global options:') driven.add(`global ${option.long}`)
    }
  }
  return everything(tree).filter((name) => !driven.has(name))
}

function everything(command: Command): string[] {
  const own = command.options.map((option) =>
    option.helpGroupHeading === 'Global options:' ? `global ${option.long}` : `${pathOf(command)} ${option.long}`,
  )
  return [...new Set([pathOf(command), ...own, ...command.commands.flatMap(everything)])]
}

function pathOf(command: Command): string {
  return command.parent === null ? command.name() : `${pathOf(command.parent)} ${command.name()}`
}

test('no command shows or stores a secret, whatever its alphabet and source', { timeout: 120_000 }, async () => {
  const lines: string[][] = []
  for (const secret of Object.values(CANARIES)) {
    const place = await sandboxWith(secret)
    const world = secretWorld(secret)
    await addProfiles(world, place)
    await useApprovals(world, place)
    await changeProfiles(world, place)
    await useLedgers(world, place)
    await useGateway(world, { PIXGATE_PROFILE: 'shop', PIXGATE_BASE_URL: place.url })
    await useRest(world, secret)
    expect(leaksIn(place.log.join('\n'), [secret])).toEqual([])
    expect(place.log.length).toBeGreaterThan(20)
    lines.push(...world.lines)
  }

  const ofEnvironment = await sandboxWith(CANARIES.awkward)
  const world = secretWorld(CANARIES.awkward)
  const { url, clientId, secret } = ofEnvironment
  const env = { PIXGATE_BASE_URL: url, PIXGATE_CLIENT_ID: clientId, PIXGATE_CLIENT_SECRET: secret }
  await useGateway(world, env)
  // Who names the secret by mistake has it in the history of the shell, and need not have it in the log too.
  await world.line(2, ['status', 'a', '--profile', secret], { env })
  await world.line(2, ['refund', 'a', secret], { env })
  await world.line(2, ['qr', 'create', '--amount', secret, '--json'], { env })
  await world.line(2, ['status', '--from', join(secret, 'ids.csv')], { env })
  await world.line(0, ['demo', '--json'], { env })
  await world.line(2, ['doctor'], { env: { ...env, NODE_TLS_REJECT_UNAUTHORIZED: '0' } })
  await world.line(4, ['doctor', '--confirm', 'x', '--base-url', url, '-p', 'local'])
  lines.push(...world.lines)

  expect(await undriven(lines), 'drive these in test/cli/secret*.ts').toEqual([])
})
