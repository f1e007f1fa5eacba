import { join } from 'node:path'
import { expect, onTestFinished } from 'vitest'
import { SANDBOX_DEFAULTS } from '../../src/sandbox/sandboxOptions.ts'
import { startSandbox } from '../../src/sandbox/sandboxServer.ts'
import { leaksIn } from './canaries.ts'
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

/** Drives the commands of profiles with this secret, as it is typed, stored and named by mistake. Returns the lines. */
export async function driveProfiles(secret: string): Promise<string[][]> {
  const place = await sandboxWith(secret)
  const world = secretWorld(secret)
  await addProfiles(world, place)
  await changeProfiles(world, place)
  return world.lines
}

/** Drives all commands with profiles that have this secret. Returns the lines. */
export async function driveStored(secret: string): Promise<string[][]> {
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
  return world.lines
}

/** Drives what asks, pays and looks with the secret from the environment. Returns the lines. */
export async function driveEnvironment(secret: string): Promise<string[][]> {
  const { url, clientId } = await sandboxWith(secret)
  const world = secretWorld(secret)
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
  return world.lines
}
