import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import { carriedOut, paidPayment } from '../cli/payments.ts'
import type { Person } from '../cli/planPeople.ts'
import { BINARY, NODE, type World } from '../world.ts'
import { type Dice, diceOf } from './dice.ts'

/** Who makes, approves and sends plans, and where they are carried out. */
export interface PlanDesks {
  url: string
  maker: World
  approver: World
  /** One host, or two with a shared ledger. */
  hosts: readonly World[]
  maria: Person
  joao: Person
}

/** What a campaign came to. */
export interface PlanKills {
  plans: number
  payments: number
  /** How many processes were killed before they ended by themselves. */
  kills: number
  /** Refunds that were killed while they were sent, and are not sent again. */
  unknownRefunds: number
}

const KINDS = ['transfer', 'batch', 'refund'] as const
const BATCH_ROWS = 4

/**
 * Kills `plan approve` and `plan send` at random moments, then finishes each plan: every transfer is carried out exactly once, and every refund at most
 * once.
 */
export async function killPlans(desks: PlanDesks, count: number, seed: number): Promise<PlanKills> {
  const { url, maker, hosts, maria } = desks
  const sum: PlanKills = { plans: 0, payments: 0, kills: 0, unknownRefunds: 0 }
  const startMs = performance.now()
  await maker.run(['plan', 'list'])
  // A command that sends takes about twice as long as one that lists.
  const killMsMax = 2.5 * (performance.now() - startMs)
  try {
    for (let number = 0; number < count; number += 1) {
      const dice = diceOf(`plans/${seed}/${number}`)
      const kind = KINDS[dice.below(KINDS.length)] ?? 'transfer'
      const file = join(maker.home, `plan-${number}.json`)
      const { words, ids, original } = await paymentOf(kind, number, desks)
      await maker.prepare([...words, '--plan', file, '--ssh-key', maria.file])
      sum.kills += await approveKilled(desks, file, dice, killMsMax)
      sum.kills += await sendKilled(hosts, file, dice, killMsMax)
      sum.unknownRefunds += await finish(hosts[0] ?? maker, file)
      const { transfers, refunds } = await carriedOut(url)
      for (const id of ids) {
        expect([id, transfers.filter(({ externalId }) => externalId === id).length]).toEqual([id, 1])
      }
      expect(refunds.filter((each) => each.originalTransactionId === original).length).toBeLessThanOrEqual(1)
      sum.plans += 1
      sum.payments += kind === 'refund' ? 1 : ids.length
    }
    for (const host of hosts) expect((await host.run(['history', 'check'])).stderr).not.toContain('damaged')
    return sum
  } catch (error) {
    throw new Error(`CAMPAIGN_SEED=${seed}: ${error instanceof Error ? error.message : error}`, { cause: error })
  }
}

async function paymentOf(kind: (typeof KINDS)[number], number: number, { url, maker }: PlanDesks) {
  const callback = ['--callback-url', 'http://127.0.0.1:1/']
  if (kind === 'refund') {
    const original = await paidPayment(url, 50)
    const words = ['refund', original, '--reason', 'damaged', '--amount', '5', ...callback]
    return { words, ids: [], original }
  }
  const ids = Array.from({ length: kind === 'batch' ? BATCH_ROWS : 1 }, (_, row) => `kill-${number}-${row}`)
  const amounts = ids.map((_, row) => `${number + 1},${String(row).padStart(2, '0')}`)
  if (kind === 'transfer') {
    const [id = ''] = ids
    const words = [
      'transfer',
      '--key',
      `${id}@example.com`,
      '--amount',
      amounts[0] ?? '',
      '--external-id',
      id,
      ...callback,
    ]
    return { words, ids, original: null }
  }
  const csv = join(maker.home, `batch-${number}.csv`)
  const rows = ids.map((id, row) => `${id}@example.com;${amounts[row]};${id}`)
  writeFileSync(csv, `key;value;externalId\n${rows.join('\n')}\n`)
  return { words: ['batch', 'transfer', csv, ...callback], ids, original: null }
}

async function approveKilled(
  { approver, joao }: PlanDesks,
  file: string,
  dice: Dice,
  killMsMax: number,
): Promise<number> {
  const words = ['plan', 'approve', file, '--ssh-key', joao.file, '--yes']
  const kills = dice.coin() ? await runKilled(approver, words, killMsMax * dice.fraction()) : 0
  await approver.prepare(words)
  return kills
}

async function sendKilled(hosts: readonly World[], file: string, dice: Dice, killMsMax: number): Promise<number> {
  let kills = 0
  for (let round = dice.below(3) + 1; round > 0; round -= 1) {
    const words = ['plan', 'send', file, '--yes', '--timeout', '3s']
    const killed = await Promise.all(hosts.map((host) => runKilled(host, words, killMsMax * dice.fraction())))
    kills += killed.reduce((sum, each) => sum + each, 0)
  }
  return kills
}

/** Returns 1 if the process was killed before it had ended. */
function runKilled(world: World, words: readonly string[], killMs: number): Promise<number> {
  const child = spawn(NODE, [BINARY, ...words], { env: world.env, stdio: 'ignore' })
  const timer = setTimeout(() => child.kill('SIGKILL'), killMs)
  return new Promise((resolve) => {
    child.on('exit', (_code, signal) => {
      clearTimeout(timer)
      resolve(signal === 'SIGKILL' ? 1 : 0)
    })
  })
}

/** Sends what is left, until nothing is. Returns 1 if a refund has an unknown outcome. */
async function finish(host: World, file: string): Promise<number> {
  for (let turn = 0; turn < 40; turn += 1) {
    const { exit, stderr } = await host.run(['plan', 'send', file, '--yes', '-o', 'json'])
    if (exit === 2 && stderr.includes('was sent before')) return 0
    if (exit === 2 && stderr.includes('its outcome is unknown')) return 1
    // A process of the other machine that was killed holds its payment until its limit.
    if (exit !== 0) await sleep(500)
  }
  throw new Error(`the plan ${file} could not be finished`)
}
