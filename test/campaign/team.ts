import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import { startFaultGateway } from '../gateway/faultGateway.ts'
import type { TestPostgres } from '../postgres.ts'
import type { AtEnd } from '../world.ts'
import { type Dice, diceOf } from './dice.ts'
import { judgeBooks, judgeHistories } from './teamBooks.ts'
import { PROFILE, type Shop, TeamDesk, TIMEOUT_MS } from './teamDesk.ts'
import { Requests, troubleServer } from './teamFaults.ts'
import { judgeKeys, lie, SUPPLIER, setAside } from './teamLiar.ts'
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
  /** What a member wrote by hand, where there is one who lies. */
  lies: number
  setAside: number
}

export interface TeamCampaign {
  sequences: number
  seed: number
  /** At how many desks people do what they like, how much each, and whether processes may sleep for seconds. */
  size: { desks: number; invoices: number; commandsEach: number; maySleep: boolean }
  /** True if a member with a login and without a secret writes false records meanwhile. Then the books alone are the judge. */
  hasLiar?: boolean
  played?(figures: TeamFigures): void
}

/**
 * Plays sequences in which people at several machines with one shared ledger pay the same invoices, refund the same payments, and resume and settle what
 * others began, while answers are lost, processes are killed or sleep, and the server is restarted, restored or out of reach. The books of the gateway are the judge
 * of what was paid, and of what every machine shows afterwards. A failure names the seed of its sequence and lists what was typed.
 */
export async function playTeam(
  postgres: TestPostgres,
  { sequences, seed, size, hasLiar = false, played }: TeamCampaign,
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
    lies: 0,
    setAside: 0,
  }
  for (let number = 0; number < sequences; number++) {
    await playSequence(postgres, `${seed}/${number}`, { size, hasLiar }, figures)
    figures.sequences += 1
    played?.(figures)
  }
  return figures
}

async function playSequence(
  postgres: TestPostgres,
  seed: string,
  { size, hasLiar }: Required<Pick<TeamCampaign, 'size' | 'hasLiar'>>,
  figures: TeamFigures,
): Promise<void> {
  const { desks: desksMax, invoices: invoiceCount, commandsEach, maySleep } = size
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
        return {
          name,
          desk,
          dice: diceOf(`${seed}/${name}`),
          shop,
          invoices,
          originals,
          payee: hasLiar ? SUPPLIER : null,
        }
      }),
    )
    if (hasLiar) await addSupplier(desks[0] as TeamDesk, invoices[0])
    const over = new AbortController()
    const troubled = troubleServer({ postgres, ledger, desks, dice: diceOf(`${seed}/server`), maySleep }, over.signal)
    const lied = hasLiar ? lie(shop, desks, diceOf(`${seed}/liar`), over.signal) : undefined
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
    if (lied === undefined) {
      await resolveAll(desks, shop)
      judgeBooks(gateway.ledger, maxDay)
      await judgeHistories(gateway.ledger, desks)
    } else {
      const { liar, lies, setAside } = await lied
      judgeKeys(gateway.ledger, invoices)
      await judgeWayOut(shop, desks, liar)
      figures.lies += lies
      figures.setAside += setAside
    }
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

/** The payee whose key the liar changes; nothing is paid to a new or changed one for a day. */
async function addSupplier(desk: TeamDesk, { key }: Invoice): Promise<void> {
  for (const line of [
    ['profile', 'edit', PROFILE, '--payee-wait', '24h'],
    ['payee', 'add', SUPPLIER, '--key', key, '--confirm', PROFILE],
  ]) {
    const { exit, stderr } = await desk.here(line)
    expect(exit, stderr).toBe(0)
  }
}

/** Asserts that the liar is named, and that whoever sees it can go on: once the owner has set the records aside, what nobody lied about is paid. */
async function judgeWayOut(shop: Shop, desks: readonly TeamDesk[], liar: string): Promise<void> {
  const [desk] = desks as [TeamDesk]
  const { stdout: records } = await desk.here(['history', 'export'])
  const hasJunk = records.split('\n').some((line) => line.includes(liar) && line.includes('junk'))
  const { stdout, stderr } = await desk.here(['history', 'check'])
  if (hasJunk) expect(stdout + stderr, 'who wrote by hand is named').toContain(liar)
  await setAside(shop, desk, '1-99999')
  const before = shop.gateway.ledger.length
  const way = [
    'transfer',
    '--key',
    'out@example.com',
    '--amount',
    '1',
    '--external-id',
    'way-out',
    '--confirm',
    PROFILE,
  ]
  const paid = await desk.here(way)
  if (shop.maxDay !== null && /per day/.test(paid.stderr)) return
  expect([paid.exit, shop.gateway.ledger.length], paid.stderr).toEqual([0, before + 1])
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
