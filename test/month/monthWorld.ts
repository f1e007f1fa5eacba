import { expect, onTestFinished } from 'vitest'
import { parseInstant } from '../../src/pix/calendar.ts'
import { signBody } from '../../src/wire/signature.ts'
import { listenHere } from '../cli/listener.ts'
import { atOnce, inThisProcess } from '../cli/payments.ts'
import { shiftedClock } from '../shiftedClock.ts'
import { emptyWorld, type ProcessResult, type World } from '../world.ts'
import { GatewayBooks } from './gatewayBooks.ts'

/** A profile of this month. Two of them share a gateway. */
export interface MonthAccount {
  profile: string
  environment: 'production' | 'sandbox'
  clientId: string
  secret: string
  books: GatewayBooks
}

/** One machine with its clock, and the accounts that it pays from. */
export interface Month {
  world: World
  shop: MonthAccount
  branch: MonthAccount
  sandbox: MonthAccount
  /** Sets the clock of every command from now on, and that of the gateways. */
  setTime(instant: string): void
  /** Runs a command for an account, and demands this exit code. */
  run(account: MonthAccount, args: readonly string[], exit?: number): Promise<ProcessResult>
  /** Does the same inside this process, which is faster. */
  runHere(account: MonthAccount, args: readonly string[], exit?: number): Promise<ProcessResult>
}

/** Opens a machine with two profiles for real money, and one for a sandbox. */
export async function openMonth(): Promise<Month> {
  const world = emptyWorld()
  const real = Date.now
  let shiftMs = 0
  Date.now = () => real() + shiftMs
  onTestFinished(() => {
    Date.now = real
  })
  const [bank, trial] = await Promise.all([GatewayBooks.open(), GatewayBooks.open()])
  const account = (profile: string, environment: MonthAccount['environment'], books: GatewayBooks) => {
    const secret = `secret of ${profile}`.replaceAll(' ', '-')
    world.env[`${profile.toUpperCase()}_SECRET`] = secret
    return { profile, environment, clientId: `client-${profile}`, secret, books }
  }
  const month: Month = {
    world,
    shop: account('shop', 'production', bank),
    branch: account('branch', 'production', bank),
    sandbox: account('trial', 'sandbox', trial),
    setTime(instant) {
      const nowMs = parseInstant(instant) ?? 0
      shiftMs = nowMs - real()
      Object.assign(world.env, shiftedClock(world.home, shiftMs))
      for (const books of [bank, trial]) books.nowMs = nowMs
    },
    run: (each, args, exit = 0) => runFor(world, each, args, exit),
    runHere: (each, args, exit = 0) => runFor(inThisProcess(world), each, args, exit),
  }
  month.setTime('2026-10-30T12:00:00-03:00')
  for (const { profile, environment, clientId, books } of [month.shop, month.branch, month.sandbox]) {
    const secret = ['--client-secret-env', `${profile.toUpperCase()}_SECRET`]
    const address = ['--base-url', books.gateway.url, '--callback-url', 'https://shop.example.com/pix']
    const owner = ['--environment', environment, '--client-id', clientId]
    await world.prepare(['profile', 'add', profile, ...owner, ...secret, ...address])
  }
  return month
}

async function runFor(
  world: World,
  { profile }: MonthAccount,
  args: readonly string[],
  exit: number,
): Promise<ProcessResult> {
  const ran = await world.run([...args, '--profile', profile])
  expect(ran.exit, `pixgate ${args.join(' ')}: ${ran.stderr}`).toBe(exit)
  return ran
}

/** The answer that lets money move without a person: in production the name of the profile. */
export function consent({ profile, environment }: MonthAccount): string[] {
  return environment === 'production' ? ['--confirm', profile] : ['--yes']
}

/** Delivers events to a listener of this account, signed by its gateway. The listener runs inside this process. */
export async function deliver({ world }: Month, account: MonthAccount, events: readonly object[]): Promise<void> {
  if (events.length === 0) return
  const listener = await listenHere(world, ['--profile', account.profile])
  await atOnce(events, async (event) => {
    const body = JSON.stringify(event)
    const headers = { 'X-Signature': signBody(Buffer.from(body), account.secret) }
    const { status } = await fetch(listener.url, { method: 'POST', body, headers })
    expect(status).toBe(200)
  })
  await listener.stop()
}
