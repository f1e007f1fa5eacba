import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import { openLedger } from '../../src/ledger/ledger.ts'
import { loadPayment, type Payment } from '../../src/ledger/payments.ts'
import { textOf } from '../../src/storage/sqlite.ts'
import { errorAnswer, type Fault, type FaultGateway, healthy, startFaultGateway } from '../gateway/faultGateway.ts'
import { actedBut, answering, resetAfterActing, resetAfterReading, resetBeforeReading } from '../gateway/faults.ts'
import { start } from '../gateway/running.ts'
import { inLedger, ledgerFile, problemsOf } from '../ledger/storedLedger.ts'
import { emptyWorld, type World } from '../world.ts'
import { type Dice, diceOf } from './dice.ts'
import { judgeBooks, type SentCommand } from './twoPeopleBooks.ts'

const ACTIONS = 3
const KEYS = ['maria@example.com', 'joao@example.com'] as const
const AMOUNTS = ['10', '20'] as const
/** Ids that both people use, so that they collide. */
const IDS = ['invoice-1', 'invoice-2', 'invoice-3'] as const
const ORIGINALS = ['original-1', 'original-2'] as const
const PARTS = ['2', '3'] as const
/** The exit codes of what was done, refused here or there, or is unknown; -1 after SIGKILL. A defect would be 70. */
const EXITS: readonly number[] = [-1, 0, 1, 2, 3, 5]
/** What happens to the first request of each sequence and to half of the others, in turn. */
const FAULTS: readonly Fault[] = [
  resetAfterActing,
  resetAfterReading,
  resetBeforeReading,
  actedBut(500),
  answering(errorAnswer(500, 'INTERNAL_ERROR')),
  answering(errorAnswer(400, 'NO_FUNDS')),
]

/** What all sequences have met together. */
interface Met {
  faults: number
  kills: number
}

interface Sequence {
  world: World
  gateway: FaultGateway
  sent: SentCommand[]
  met: Met
}

/**
 * Plays sequences in which two people pay, refund, resume and settle the same and overlapping payments at once, while answers are lost and
 * processes are killed. The books of the gateway are the judge. A failure names the seed of its sequence.
 */
export async function playTwoPeople(sequences: number, seed: number): Promise<void> {
  const met: Met = { faults: 0, kills: 0 }
  for (let number = 0; number < sequences; number++) {
    const name = `${seed}/${number}`
    await playSequence(name, number, met).catch((error: unknown) => {
      throw new Error(`CAMPAIGN_SEED=${seed}, sequence ${number}: ${error instanceof Error ? error.message : error}`, {
        cause: error,
      })
    })
  }
  expect(met.faults).toBeGreaterThanOrEqual(Math.min(FAULTS.length, sequences))
  if (sequences >= FAULTS.length) expect(met.kills).toBeGreaterThan(0)
}

/** Its first fault is the one of its number, so that all faults come in as many sequences. */
async function playSequence(seed: string, number: number, met: Met): Promise<void> {
  const gateway = await startFaultGateway()
  const world = emptyWorld({ PIXGATE_BASE_URL: gateway.url })
  const sequence: Sequence = { world, gateway, sent: [], met }
  let faultsHere = 0
  const faults = diceOf(`${seed}/faults`)
  gateway.always((call) => {
    if (call.request.method === 'GET' || (faults.coin() && faultsHere > 0)) return healthy(call)
    met.faults += 1
    return (FAULTS[(number + faultsHere++) % FAULTS.length] ?? healthy)(call)
  })
  await Promise.all(['ana', 'bia'].map((person) => act(sequence, diceOf(`${seed}/${person}`))))
  gateway.always(undefined)
  if (!existsSync(ledgerFile(world))) {
    // Every command was killed before it made a ledger.
    expect(gateway.ledger).toEqual([])
    return
  }
  await judgeBooks(world, gateway, sequence.sent)
  for (const { name, facts } of await unknownPayments(world)) {
    if (facts.kind !== 'transfer') continue
    const resumed = await world.run(['resume', name, '--yes'])
    expect(resumed.exit, resumed.stderr).toBe(0)
  }
  await judgeBooks(world, gateway, sequence.sent)
  expect(await problemsOf(world)).toEqual([])
}

async function act(sequence: Sequence, dice: Dice): Promise<void> {
  for (let action = 0; action < ACTIONS; action++) {
    const roll = dice.below(10)
    if (roll < 5) await transfer(sequence, dice)
    else if (roll < 7) await run(sequence, ['resume', pick(dice, IDS), '--yes'], dice)
    else if (roll < 9) await refund(sequence, dice)
    else await settle(sequence, dice)
  }
}

async function transfer(sequence: Sequence, dice: Dice): Promise<void> {
  const [key, amount] = [pick(dice, KEYS), pick(dice, AMOUNTS)]
  const id = dice.coin() ? pick(dice, IDS) : randomUUID()
  const isAgain = dice.below(4) === 0
  sequence.sent.push({ kind: 'transfer', target: key, amount: Number(amount), id, isAgain })
  const payment = ['transfer', '--key', key, '--amount', amount, '--external-id', id, '--yes']
  await run(sequence, isAgain ? [...payment, '--again'] : payment, dice)
}

async function refund(sequence: Sequence, dice: Dice): Promise<void> {
  const [original, amount] = [pick(dice, ORIGINALS), pick(dice, PARTS)]
  const isAgain = dice.below(4) === 0
  sequence.sent.push({ kind: 'refund', target: original, amount: Number(amount), id: null, isAgain })
  const payment = ['refund', original, '--amount', amount, '--reason', 'damaged', '--skip-query', '--yes']
  await run(sequence, isAgain ? [...payment, '--again'] : payment, dice)
}

/** Runs a command, and kills one of five while it is at work. */
async function run({ world, met }: Sequence, args: readonly string[], dice: Dice): Promise<void> {
  const isKilled = dice.below(5) === 0
  // Some die as soon as they are started, most while they are at work.
  const momentMs = dice.below(4) === 0 ? 0 : 100 + dice.below(250)
  const process = start(world, args)
  if (isKilled) {
    await Promise.race([sleep(momentMs), process.ended])
    process.signal('SIGKILL')
  }
  const { exit, stderr } = await process.ended
  if (isKilled && exit === -1) met.kills += 1
  expect(EXITS, `${args.join(' ')}: ${stderr}`).toContain(exit)
}

/** Records the truth about a transfer or refund with an unknown outcome that no process is sending, as a person who looked it up would. */
async function settle({ world, gateway }: Sequence, dice: Dice): Promise<void> {
  const ledger = openLedger({
    folder: world.env.PIXGATE_DATA_DIR ?? '',
    user: 'carla',
    machine: 'desk',
    pid: process.pid,
    now: () => Date.now(),
    newId: randomUUID,
    notice: () => undefined,
    timeoutMs: 10_000,
  })
  await ledger.write((writer) => {
    const ids = writer.database.all("SELECT id FROM payment WHERE state = 'unknown' AND kind = 'transfer'")
    const open = ids
      .map((row) => loadPayment(writer.database, textOf(row, 'id')))
      .filter(({ summary }) => summary.attempts.every(({ sender }) => sender === null))
    const chosen = open[dice.below(Math.max(1, open.length))]
    if (chosen === undefined) return
    const isPaid = gateway.ledger.some(({ externalId }) => externalId === chosen.name)
    writer.append({ type: 'finding', payment: chosen.id, as: isPaid ? 'paid' : 'not-paid', because: 'looked up' })
  })
  await ledger.close()
}

/** All payments whose outcome is unknown. */
function unknownPayments(world: World): Promise<Payment[]> {
  expect(ledgerFile(world)).not.toBe('')
  return inLedger(world, (database) =>
    database
      .all("SELECT id FROM payment WHERE state = 'unknown' ORDER BY seq")
      .map((row) => loadPayment(database, textOf(row, 'id'))),
  )
}

function pick<Item>(dice: Dice, items: readonly [Item, ...Item[]]): Item {
  return items[dice.below(items.length)] ?? items[0]
}
