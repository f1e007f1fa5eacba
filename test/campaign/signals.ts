import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { constants } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import { type Fault, type FaultGateway, startFaultGateway } from '../gateway/faultGateway.ts'
import { resetAfterActing } from '../gateway/faults.ts'
import { writeAnswer } from '../gateway/rawHttp.ts'
import { paymentsOf, problemsOf } from '../ledger/storedLedger.ts'
import { BINARY, emptyWorld, NODE, type ProcessResult, type World } from '../world.ts'
import { type Dice, diceOf } from './dice.ts'

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
type Signal = (typeof SIGNALS)[number]

/** How many runs ended in which way; `before` are those that a signal ended before the program could notice it. */
export type SignalEndings = Record<string, number>

/** One command line that is signalled. */
interface SignalledRun {
  world: World
  gateway: FaultGateway
  /** Its own in everything that it makes. */
  name: string
  ran: ProcessResult
  /** The exit code that the signal has. */
  signalExit: number
}

interface SignalledCommand {
  /** What must exist before. */
  prepare?(stage: { world: World; gateway: FaultGateway; name: string }): Promise<void>
  words(name: string, world: World): string[]
  /** Throws unless its exit code, its output and what it left agree. */
  check(run: SignalledRun): Promise<void> | void
}

/** The id of the payment that a refund of this name returns. */
export function originalOf(name: string): string {
  const digits = createHash('sha256').update(name).digest('hex')
  return `${digits.slice(0, 8)}-${digits.slice(8, 12)}-4${digits.slice(13, 16)}-8${digits.slice(17, 20)}-${digits.slice(20, 32)}`
}

const GATEWAY_MS_MAX = 120

const transferOf = (name: string) => [
  ...['transfer', '--key', `${name}@example.com`, '--amount', '1', '--external-id', name, '--yes', '-o', 'json'],
]

/** Asserts that a single payment was recorded before it left, and that the exit code says whether it may have left. */
async function checkPayment({ world, gateway, name, ran, signalExit }: SignalledRun, id: string): Promise<void> {
  const isBooked = gateway.ledger.some(({ externalId, body }) => externalId === id || body.requestNumber === id)
  const known = (await paymentsOf(world)).find((each) => each.name === id)
  if (isBooked) {
    expect([0, 5], name).toContain(ran.exit)
    expect(known, name).toBeDefined()
  }
  if (ran.exit === 0) {
    expect([known?.state, JSON.parse(ran.stdout).idTransaction]).toEqual([
      'accepted',
      gateway.ledger.at(-1)?.idTransaction,
    ])
  } else if (ran.exit === 5) {
    expect(ran.stderr, name).toContain(id)
    expect(known, name).toBeDefined()
  } else {
    expect([ran.exit, ran.stdout, isBooked], ran.stderr).toEqual([signalExit, '', false])
    expect([undefined, 'not-sent'], name).toContain(known?.state)
  }
}

/** Asserts that a command that moves no money did all or said that it was interrupted, and printed nothing by halves. */
function checkWhole({ name, ran, signalExit }: SignalledRun): void {
  expect([0, signalExit], `${name}: ${ran.stderr}`).toContain(ran.exit)
  if (ran.stdout !== '') JSON.parse(ran.stdout)
  if (ran.exit === 0) expect(ran.stdout, name).not.toBe('')
}

function storedProfiles({ env }: World): string {
  const path = join(env.PIXGATE_CONFIG_DIR ?? '', 'profiles.json')
  return existsSync(path) ? JSON.stringify(JSON.parse(readFileSync(path, 'utf8'))) : ''
}

/** The ten commands that are signalled. */
export const SIGNALLED: Readonly<Record<string, SignalledCommand>> = {
  transfer: { words: transferOf, check: (run) => checkPayment(run, run.name) },
  refund: {
    words: (name) => ['refund', originalOf(name), '--amount', '1', '--reason', name, '--yes', '-o', 'json'],
    async check({ world, gateway, name, ran, signalExit }) {
      const isBooked = gateway.ledger.some(({ body }) => body.refundReason === name)
      expect(isBooked ? [0, 5] : [signalExit, 5], ran.stderr).toContain(ran.exit)
      if (ran.exit === 0) expect(JSON.parse(ran.stdout).idTransaction).toBe(gateway.ledger.at(-1)?.idTransaction)
      const state = (await paymentsOf(world)).find((each) => each.name === originalOf(name))?.state
      if (isBooked) expect([name, state]).toEqual([name, ran.exit === 0 ? 'accepted' : 'unknown'])
      else expect([undefined, 'not-sent', ...(ran.exit === 5 ? ['unknown'] : [])], name).toContain(state)
    },
  },
  'qr create': {
    words: (name) => ['qr', 'create', '--amount', '1', '--request-number', name, '--no-qr', '-o', 'json'],
    check: (run) => checkPayment(run, run.name),
  },
  'batch transfer': {
    words: (name) => ['batch', 'transfer', '-', '--reference', name, '--rate', '20/s', '--yes', '-o', 'json'],
    async check({ world, gateway, name, ran, signalExit }) {
      expect([0, 5, signalExit], ran.stderr).toContain(ran.exit)
      const booked = gateway.ledger.filter(({ body }) => String(body.key).startsWith(`${name}-`))
      const states = new Map((await paymentsOf(world)).map((each) => [each.name, each.state]))
      for (const { externalId } of booked) expect([name, states.get(externalId ?? '')]).not.toEqual([name, undefined])
      const lines = ran.stdout
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line))
      for (const { type, outcome, externalId } of lines)
        if (type === 'row' && outcome === 'accepted') expect([name, states.get(externalId)]).toEqual([name, 'accepted'])
      const summary = lines.at(-1)
      if (booked.length > 0) expect(summary, name).toMatchObject({ type: 'summary' })
      if (ran.exit === 0) expect([name, summary.accepted]).toEqual([name, 3])
      if (ran.exit === signalExit && booked.length > 0) expect([name, summary.accepted]).toEqual([name, booked.length])
    },
  },
  resume: {
    async prepare({ world, gateway, name }) {
      gateway.misbehave([resetAfterActing], 'POST')
      await world.prepare(transferOf(name)).catch(() => undefined)
    },
    words: (name) => ['resume', name, '--yes', '-o', 'json'],
    async check({ world, gateway, name, ran, signalExit }) {
      expect([0, 5, signalExit], ran.stderr).toContain(ran.exit)
      const known = (await paymentsOf(world)).find((each) => each.name === name)
      expect([name, known?.state]).toEqual([name, ran.exit === 0 ? 'accepted' : 'unknown'])
      expect(
        gateway.ledger.filter(({ externalId }) => externalId === name),
        name,
      ).toHaveLength(1)
    },
  },
  status: { words: (name) => ['status', originalOf(name), '-o', 'json'], check: checkWhole },
  'history list': { words: () => ['history', '-o', 'json'], check: checkWhole },
  'history backup': {
    words: (name, { home }) => ['history', 'backup', join(home, `${name}.db`), '-o', 'json'],
    async check(run) {
      const { world, name } = run
      checkWhole(run)
      const files = readdirSync(world.home).filter((each) => each.startsWith(`${name}.db`))
      if (run.ran.exit === 0) expect(files).toEqual([`${name}.db`])
      expect(files.filter((each) => each !== `${name}.db`)).toEqual([])
    },
  },
  'payee add': {
    words: (name) => ['payee', 'add', name, '--key', `${name}@example.com`, '-o', 'json'],
    async check(run) {
      checkWhole(run)
      const isThere = (await run.world.prepare(['payee', 'list', '-o', 'json'])).includes(`"${run.name}"`)
      if (run.ran.exit === 0) expect([run.name, isThere]).toEqual([run.name, true])
    },
  },
  'profile add': {
    words: (name) => [
      ...['profile', 'add', name, '--base-url', 'http://127.0.0.1:4010', '--client-id', 'shop', '--no-test'],
      ...['--client-secret-env', 'SHOP_SECRET', '--callback-url', 'http://127.0.0.1:4242/', '-o', 'json'],
    ],
    check(run) {
      checkWhole(run)
      const isThere = storedProfiles(run.world).includes(`"${run.name}"`)
      if (run.ran.exit === 0) expect([run.name, isThere]).toEqual([run.name, true])
    },
  },
}

/** Answers after a while, so that signals meet requests under way. */
function slowly(dice: Dice): Fault {
  return async (call) => {
    const answer = await call.carryOut()
    await sleep(dice.below(GATEWAY_MS_MAX))
    writeAnswer(call.socket, answer)
  }
}

/**
 * Runs a command this many times, and sends it SIGINT, SIGTERM or SIGHUP at moments that the seed chooses, from its start to shortly after
 * its usual end. Asserts that exit code, output, ledger and the gateway's books agree each time, and that the ledger is whole.
 */
export async function signalCommand(command: string, count: number, seed: number): Promise<SignalEndings> {
  const known = SIGNALLED[command]
  if (known === undefined) throw new Error(`there is no command ${command}`)
  const gateway = await startFaultGateway()
  const world = emptyWorld({ PIXGATE_BASE_URL: gateway.url, SHOP_SECRET: 'shop-secret' })
  gateway.payment = { ...gateway.payment, amount: 1_000_000 }
  // The ledger and what was seen of it exist; a refund asks for the clock once.
  await world.prepare(transferOf('before'))
  const dice = diceOf(`${seed}/${command}`)
  const endings: SignalEndings = {}
  let usualMs = 0
  for (let number = 0; number <= count; number++) {
    const name = `${command.replaceAll(' ', '-')}-${number}`.slice(-30)
    await known.prepare?.({ world, gateway, name })
    gateway.always(slowly(dice))
    const signal = SIGNALS[dice.below(SIGNALS.length)] ?? 'SIGINT'
    // The first one is not signalled: it tells how long the command takes.
    const afterMs = number === 0 ? undefined : usualMs * dice.fraction() * 1.1
    const { isKilled, ms, ...ran } = await runSignalled(world, known.words(name, world), name, signal, afterMs)
    gateway.always(undefined)
    if (number === 0) usualMs = ms
    const why = `seed ${seed}, ${command} ${number}, ${signal} after ${afterMs?.toFixed(0)} of ${usualMs.toFixed(0)} ms`
    try {
      await known.check({ world, gateway, name, ran, signalExit: 128 + constants.signals[signal] })
    } catch (error) {
      throw new Error(`${why}: ${error instanceof Error ? error.message : error}\n${JSON.stringify(ran)}`, {
        cause: error,
      })
    }
    const ending = isKilled ? 'before' : String(ran.exit)
    if (number > 0) endings[ending] = (endings[ending] ?? 0) + 1
  }
  expect(await problemsOf(world)).toEqual([])
  return endings
}

/** Its exit code as a shell tells it: 128 and more also if the signal ended the process before it could notice it. */
async function runSignalled(
  world: World,
  words: readonly string[],
  name: string,
  signal: Signal,
  afterMs: number | undefined,
): Promise<ProcessResult & { isKilled: boolean; ms: number }> {
  const beganMs = performance.now()
  const child = spawn(NODE, [BINARY, ...words], { env: world.env, stdio: ['pipe', 'pipe', 'pipe'] })
  child.stdin.on('error', () => undefined)
  child.stdin.end(`key,value\n${[1, 2, 3].map((row) => `${name}-${row}@example.com,${row}\n`).join('')}`)
  const timer = afterMs === undefined ? undefined : setTimeout(() => child.kill(signal), afterMs)
  const ended = new Promise<{ exit: number; isKilled: boolean }>((resolve) =>
    child.on('close', (code, by) =>
      resolve({ exit: code ?? 128 + (by === null ? 0 : constants.signals[by]), isKilled: by !== null }),
    ),
  )
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)])
  const ending = await ended
  clearTimeout(timer)
  return { ...ending, stdout, stderr, ms: performance.now() - beganMs }
}
