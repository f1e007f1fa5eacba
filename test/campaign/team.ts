import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import { startFaultGateway } from '../gateway/faultGateway.ts'
import type { TestPostgres } from '../postgres.ts'
import type { AtEnd } from '../world.ts'
import { type Dice, diceOf } from './dice.ts'
import { judgeBooks, judgeHistories } from './teamBooks.ts'
import { PROFILE, type Shop, TeamDesk, TIMEOUT_MS } from './teamDesk.ts'
import { Requests, troubleServer } from './teamFaults.ts'
import { RestorableLedger } from './teamRestore.ts'
import { bookedFor, type Invoice, type Member, settleLine, shownAt, typeOne } from './teamSteps.ts'

/** People at each desk. */
const PEOPLE = 2

/** What all sequences came to together. */
export interface TeamFigures {
  sequences: number
  desks: number
  commands: number
  kills: number
  sleeps: number
  /** Requests at the gateway that went wrong. */
  faults: number
  /** Ways to the server that were spoiled, how often it was restarted, and how often an old dump was restored. */
  troubles: number
  restarts: number
  restores: number
  /** Commands that did not reach the server, or found it locked for too long. */
  unreached: number
  booked: number
}

export interface TeamCampaign {
  sequences: number
  seed: number
  /** At how many desks people do what they like, how much each, and whether processes may sleep for seconds. */
  size: { desks: number; invoices: number; commandsEach: number; maySleep: boolean }
  played?(figures: TeamFigures): void
}

/**
 * Plays sequences in which people at several machines with one shared ledger pay the same invoices, refund the same payments, and resume and settle what
 * others began, while answers are lost, processes are killed or sleep, and the server is restarted, restored or out of reach. The books of the gateway are the judge
 * of what was paid, and of what every machine shows afterwards. A failure names the seed of its sequence and lists what was typed.
 */
export async function playTeam(
  postgres: TestPostgres,
  { sequences, seed, size, played }: TeamCampaign,
): Promise<TeamFigures> {
  const figures: TeamFigures = {
    sequences: 0,
    desks: 0,
    commands: 0,
    kills: 0,
    sleeps: 0,
    faults: 0,
    troubles: 0,
    restarts: 0,
    restores: 0,
    unreached: 0,
    booked: 0,
  }
  for (let number = 0; number < sequences; number++) {
    await playSequence(postgres, `${seed}/${number}`, size, figures)
    figures.sequences += 1
    played?.(figures)
  }
  return figures
}

async function playSequence(
  postgres: TestPostgres,
  seed: string,
  { desks: desksMax, invoices: invoiceCount, commandsEach, maySleep }: TeamCampaign['size'],
  figures: TeamFigures,
): Promise<void> {
  const dice = diceOf(seed)
  const cleaners: Parameters<AtEnd>[0][] = []
  const gateway = await startFaultGateway({ clock: Date.now })
  const invoices = invoicesOf(invoiceCount, dice)
  // Reached in every third sequence.
  const maxDay = dice.below(3) === 0 ? String(5 + invoiceCount * 5) : null
  const requests = new Requests(gateway, diceOf(`${seed}/requests`))
  const shop: Shop = { postgres, database: await postgres.newLedger(), gateway, requests, maxDay, maySleep }
  const desks: TeamDesk[] = []
  try {
    for (let desk = 0; desk < 2 + dice.below(desksMax - 1); desk++) {
      desks.push(await TeamDesk.open(shop, (clean) => cleaners.push(clean)))
    }
    const ledger = new RestorableLedger(postgres, shop.database)
    const originals: Member['originals'] = [crypto.randomUUID(), crypto.randomUUID()]
    const members = desks.flatMap((desk) =>
      Array.from({ length: PEOPLE }, (_, person): Member => {
        const name = `${desk.login}-${person}`
        return { name, desk, dice: diceOf(`${seed}/${name}`), shop, invoices, originals }
      }),
    )
    const over = new AbortController()
    const troubled = troubleServer({ postgres, ledger, desks, dice: diceOf(`${seed}/server`), maySleep }, over.signal)
    try {
      await Promise.all(members.map((member) => act(member, commandsEach)))
    } finally {
      over.abort()
      const { troubles, restarts, restores } = await troubled
      figures.troubles += troubles
      figures.restarts += restarts
      figures.restores += restores
    }
    requests.end()
    await requests.settled()
    judgeBooks(gateway.ledger, maxDay)
    await resolveAll(desks, shop)
    judgeBooks(gateway.ledger, maxDay)
    await judgeHistories(gateway.ledger, desks)
    figures.faults += requests.faults
    figures.booked += gateway.ledger.length
    figures.desks += desks.length
    for (const { commands, kills, sleeps, unreached } of desks) {
      figures.commands += commands
      figures.kills += kills
      figures.sleeps += sleeps
      figures.unreached += unreached
    }
  } catch (error) {
    const typed = desks
      .flatMap(({ journal }) => journal)
      .sort()
      .join('\n')
    const books = gateway.ledger.map(({ kind, body }) => `  ${kind} ${JSON.stringify(body)}`).join('\n')
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

async function act(member: Member, commands: number): Promise<void> {
  for (let action = 0; action < commands; action++) await typeOne(member, action)
}

/** Finds out what became of every payment with an unknown outcome, once nobody may send it any more. */
async function resolveAll(desks: readonly TeamDesk[], { gateway }: Shop): Promise<void> {
  // What waits on a desk is handed over by its next command, before somebody else draws conclusions.
  let isAnyUnknown = false
  for (const desk of desks) isAnyUnknown = (await shownAt(desk)).some(({ pixgate }) => pixgate.state === 'unknown')
  if (isAnyUnknown) await sleep(TIMEOUT_MS)
  for (const [index, line] of (await shownAt(desks[0] as TeamDesk)).entries()) {
    const isPaid = bookedFor(gateway.ledger, line) !== undefined
    // What somebody found not to be paid may have been sent again by somebody else at that moment.
    if (line.pixgate.state !== 'unknown' && !(line.pixgate.state === 'not-paid' && isPaid)) continue
    const desk = desks[index % desks.length] as TeamDesk
    const { exit, stderr } = await desk.here([...settleLine(line, isPaid), '--confirm', PROFILE])
    expect(exit, stderr).toBe(0)
  }
}

function invoicesOf(count: number, dice: Dice): [Invoice, ...Invoice[]] {
  const invoice = (index: number): Invoice => ({
    key: `shop-${index}@example.com`,
    amount: `${1 + dice.below(20)}.${10 + dice.below(90)}`,
  })
  return [invoice(0), ...Array.from({ length: count - 1 }, (_, index) => invoice(index + 1))]
}
