import { expect } from 'vitest'
import { errorAnswer, type Fault, type FaultGateway, healthy, startFaultGateway } from '../gateway/faultGateway.ts'
import { actedBut, answering, resetAfterActing, resetAfterReading, resetBeforeReading } from '../gateway/faults.ts'
import { problemsOf } from '../ledger/storedLedger.ts'
import type { AtEnd } from '../world.ts'
import { type Dice, diceOf } from './dice.ts'
import { Machine, PROFILE } from './machine.ts'
import {
  bookedBy,
  type Person,
  paymentsOf,
  paySameWithWrongClock,
  settleLine,
  transferAgain,
  typeOne,
} from './steps.ts'
import { judgeMachine, judgeNothingTwice } from './threePeopleBooks.ts'

const COMMANDS_MIN = 8
const COMMANDS_MAX = 20
const AT_ONCE = 2
/** The numbers of one person's commands, and where those begin that are typed between the halves of a sequence. */
const [NUMBERS, BETWEEN] = [100, 90]
/** Who sits where: two machines with two terminals each. */
const SEATS = [
  ['ana', 'a'],
  ['bia', 'a'],
  ['carla', 'b'],
  ['carla2', 'b'],
] as const
/** What happens to the first request of each sequence and to a third of the others, in turn. */
const FAULTS: readonly Fault[] = [
  resetAfterActing,
  resetAfterReading,
  resetBeforeReading,
  actedBut(500),
  answering(errorAnswer(500, 'INTERNAL_ERROR')),
  answering(errorAnswer(400, 'NO_FUNDS')),
]

/** What all sequences came to together. */
export interface CampaignFigures {
  sequences: number
  commands: number
  kills: number
  faults: number
  otherLedgers: number
  paid: number
}

export interface CampaignOptions {
  /** A sequence has from 8 commands to this many. */
  commandsMax?: number
  /** Called after each sequence. */
  played?(figures: CampaignFigures): void
}

/**
 * Plays sequences in which three people at two machines with a ledger each pay from one production account: the same and overlapping payments, at
 * once, while answers are lost, processes are killed, clocks are wrong and old copies of the ledger are used. The books of the gateway are the
 * judge of what was paid, and of what each machine then shows. A failure names the seed of its sequence and lists what was typed.
 */
export async function playThreePeople(
  sequences: number,
  seed: number,
  { commandsMax = COMMANDS_MAX, played }: CampaignOptions = {},
): Promise<CampaignFigures> {
  const figures: CampaignFigures = { sequences: 0, commands: 0, kills: 0, faults: 0, otherLedgers: 0, paid: 0 }
  const ahead = Array.from({ length: sequences }, (_, number) => number)
  const playInTurn = async () => {
    for (let number = ahead.shift(); number !== undefined; number = ahead.shift()) {
      await playSequence(`${seed}/${number}`, number, { figures, commandsMax })
      figures.sequences += 1
      played?.(figures)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, playInTurn))
  return figures
}

async function playSequence(
  seed: string,
  number: number,
  { figures, commandsMax }: { figures: CampaignFigures; commandsMax: number },
): Promise<void> {
  const cleaners: Parameters<AtEnd>[0][] = []
  const gateway = await startFaultGateway({ clock: Date.now })
  const requests = new Requests(gateway, number, diceOf(`${seed}/faults`))
  const machines = [
    await Machine.open('a', gateway, (clean) => cleaners.push(clean)),
    await Machine.open('b', gateway, (clean) => cleaners.push(clean)),
  ] as const
  const dice = diceOf(seed)
  try {
    const commands = COMMANDS_MIN + dice.below(commandsMax - COMMANDS_MIN + 1)
    await actAll(machines, commands, dice, requests)
    requests.end()
    await requests.settled()
    judgeNothingTwice(machines, await Promise.all(machines.map(paymentsOf)))
    for (const machine of machines) {
      if ((await paymentsOf(machine)).length === 0) continue
      await resolveAll(machine)
      await judgeMachine(machine)
      expect(await problemsOf(machine.world)).toEqual([])
    }
    judgeNothingTwice(machines, await Promise.all(machines.map(paymentsOf)))
    figures.commands += commands
    figures.faults += requests.faults
    figures.paid += gateway.ledger.length
    for (const machine of machines) {
      figures.kills += machine.kills
      figures.otherLedgers += machine.otherLedgers
    }
  } catch (error) {
    const typed = machines.flatMap(({ journal }) => journal).join('\n')
    const books = gateway.ledger.map((entry) => `  ${entry.kind} ${JSON.stringify(entry.body)}`).join('\n')
    const message = error instanceof Error ? error.message : String(error)
    throw new Error(
      `CAMPAIGN_SEED=${seed.replace('/', ', sequence ')}: ${message}\ntyped:\n${typed}\nbooks:\n${books}`,
      {
        cause: error,
      },
    )
  } finally {
    for (const clean of cleaners) await clean()
  }
}

/**
 * Everybody types the half of their commands; then each machine may use another ledger, or have a wrong clock, for a while; then come the others.
 */
async function actAll(
  machines: readonly [Machine, Machine],
  commands: number,
  dice: Dice,
  requests: Requests,
): Promise<void> {
  const originals: Person['originals'] = [uuidOf(dice), uuidOf(dice)]
  const people = SEATS.map(([name, seat], index): Person => {
    const machine = seat === 'a' ? machines[0] : machines[1]
    return {
      name,
      machine,
      dice: diceOf(`${dice.fraction()}/${name}`),
      firstNumber: (index + 1) * NUMBERS,
      originals,
      own: [],
    }
  })
  const each = people.map((_, index) => Math.floor((commands + index) / people.length))
  const actAtOnce = (from: (total: number) => number, through: (total: number) => number) =>
    Promise.all(
      people.map(async (person, index) => {
        const total = each[index] ?? 0
        for (let action = from(total); action < through(total); action++) await typeOne(person, action)
      }),
    )
  const half = (total: number) => Math.ceil(total / 2)
  await actAtOnce(() => 0, half)
  await requests.settled()
  for (const person of [people[0], people[2]]) {
    const what = dice.below(3)
    if (person !== undefined && what === 0) await useOtherLedger(person, dice)
    if (person !== undefined && what === 1) await paySameWithWrongClock(person, BETWEEN)
  }
  await actAtOnce(half, (total) => total)
}

/** Somebody restores an old copy of the ledger, in place or beside, or begins with an empty folder, and types on. */
async function useOtherLedger(person: Person, dice: Dice): Promise<void> {
  const work = async () => {
    // What was typed last is typed again, under another id: an old ledger does not know it.
    for (const [index, payment] of person.own.slice(-2).entries()) await transferAgain(person, BETWEEN + index, payment)
  }
  const way = dice.below(4)
  if (way < 2) await person.machine.withCopyInPlace(work)
  else await person.machine.withOtherFolder(way === 3, work)
}

/** Finds out what became of every payment with an unknown outcome, at a gateway that is well again. */
async function resolveAll(machine: Machine): Promise<void> {
  for (const payment of await paymentsOf(machine)) {
    if (payment.summary.state !== 'unknown') continue
    if (payment.facts.kind === 'transfer') {
      const resumed = await machine.here(['resume', payment.id, '--include-unknown', '--confirm', PROFILE])
      if (resumed.exit === 0) continue
    }
    const as = bookedBy(machine, payment) === undefined ? 'not-paid' : 'paid'
    const { exit, stderr } = await machine.here([...settleLine(payment.id, as), '--confirm', PROFILE])
    expect(exit, stderr).toBe(0)
  }
}

/** The requests of a sequence, and the faults that they meet. */
class Requests {
  faults = 0
  readonly #gateway: FaultGateway
  readonly #pending = new Set<Promise<void>>()

  constructor(gateway: FaultGateway, first: number, dice: Dice) {
    this.#gateway = gateway
    gateway.always(async (call) => {
      const { method } = call.request
      const isFaulty = method === 'POST' && (this.faults === 0 || dice.below(3) === 0)
      const fault = isFaulty ? (FAULTS[(first + this.faults++) % FAULTS.length] ?? healthy) : healthy
      const end = Promise.resolve(fault(call))
      this.#pending.add(end)
      await end
      this.#pending.delete(end)
    })
  }

  /** From now on every request is served well. */
  end(): void {
    this.#gateway.always(undefined)
  }

  /** When everything that killed processes had sent was served: it is in the buffers of the system before they end. */
  async settled(): Promise<void> {
    for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate)
    await Promise.all(this.#pending)
  }
}

function uuidOf(dice: Dice): string {
  const digits = Array.from({ length: 30 }, () => 'abcdef0123456789'[dice.below(16)]).join('')
  const parts = [digits.slice(0, 8), digits.slice(8, 12), `4${digits.slice(12, 15)}`, `a${digits.slice(15, 18)}`]
  return [...parts, digits.slice(18)].join('-')
}
