import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import { type PaymentFacts, requestBody } from '../../src/ledger/facts.ts'
import {
  type AttemptRecord,
  NO_RESPONSE,
  type RecordContent,
  type RunRecord,
  type RunRowsRecord,
} from '../../src/ledger/records.ts'
import { readEventFacts } from '../../src/wire/eventFacts.ts'
import type { LedgerEntry } from '../gateway/faultGateway.ts'
import { type Written, writeByHand } from '../ledger/team/newRecords.ts'
import { OWNER } from '../postgres.ts'
import type { Dice } from './dice.ts'
import type { Shop, TeamDesk } from './teamDesk.ts'
import type { Invoice } from './teamSteps.ts'

/** A payee of the team, who is paid the first invoice; its key is changed by hand. */
export const SUPPLIER = 'supplier'
const DAY_MS = 86_400_000
const PAUSE_MS_MAX = 800
/** How long a record that stops everybody does so before the owner sets it aside. */
const STOP_MS_MAX = 1500

/** What a member of a team who writes records by hand has done. */
export interface LiarFigures {
  lies: number
  /** How often the owner set aside what stopped everybody. */
  setAside: number
}

/**
 * Writes false records into the ledger under the login of a member who has no secret, while the others work, until it is over. What stops everybody the owner
 * of the ledger sets aside, as the refusals say.
 */
export async function lie(
  shop: Shop,
  desks: readonly TeamDesk[],
  dice: Dice,
  over: AbortSignal,
): Promise<LiarFigures & { liar: string }> {
  const { postgres, database } = shop
  const liar = await postgres.newLogin('pixgate_member')
  const figures = { lies: 0, setAside: 0 }
  while (!over.aborted) {
    await sleep(dice.below(PAUSE_MS_MAX), undefined, { signal: over }).catch(() => undefined)
    try {
      const records = await falseRecords(shop, dice)
      const first = await writeByHand(postgres, database, liar, records)
      figures.lies += 1
      if (!records.some(({ content }) => content.includes('"junk"'))) continue
      await sleep(dice.below(STOP_MS_MAX))
      await setAside(shop, desks[0] as TeamDesk, `${first}-${first + records.length - 1}`)
      figures.setAside += 1
    } catch (error) {
      // The server is gone or another database at this moment, or somebody was faster and has the number.
      if (error instanceof Error && /ERROR: {2}42601/.test(error.message)) throw error
    }
  }
  return { ...figures, liar }
}

/** Sets everything aside that the ledger holds unreadable, as its owner. */
export async function setAside({ postgres, database }: Shop, desk: TeamDesk, numbers: string): Promise<void> {
  const owner = postgres.address(OWNER, database).url
  const because = ['--because', 'written by hand', '--confirm-host', '127.0.0.1']
  const { exit, stderr } = await desk.here(['ledger', 'repair', owner, '--set-aside', numbers, ...because])
  if (exit !== 0 && !/can be read, or does not/.test(stderr)) throw new Error(stderr)
}

/** Asserts by the gateway's books that nothing went to a key that nobody at a desk typed. */
export function judgeKeys(books: readonly LedgerEntry[], invoices: readonly Invoice[]): void {
  const typed = new Set<unknown>(invoices.map(({ key }) => key))
  const others = books.filter(({ kind, body }) => kind === 'transfer' && !typed.has(body.key)).map(({ body }) => body)
  expect(others, 'paid to a key that nobody typed').toEqual([])
}

/** Records that would free, create or redirect a payment, if they were believed. */
async function falseRecords({ postgres, database }: Shop, dice: Dice): Promise<Written[]> {
  const found = await postgres.sql(
    database,
    `SELECT json_agg(json_build_object('id', id, 'type', type, 'said', content::json) ORDER BY seq) FROM (SELECT * FROM pixgate.record
       WHERE type IN ('attempt', 'answer', 'run', 'run-rows', 'payee') AND "user" LIKE 'login%' ORDER BY random() LIMIT 40) chosen`,
  )
  const known: { id: string; type: string; said: RecordContent }[] = JSON.parse(found === '' ? '[]' : found)
  const said = <Type extends RecordContent['type']>(type: Type) =>
    known.flatMap(({ said: each }) => (each.type === type ? [each as Extract<RecordContent, { type: Type }>] : []))
  const sent = known.find((each) => each.said.type === 'attempt')
  if (sent?.said.type !== 'attempt') throw new Error('nothing was sent yet')
  const { said: attempt, id } = sent
  const { owner } = attempt
  const answer = said('answer').find(({ idTransaction }) => idTransaction !== null)
  const [run, rows] = [said('run')[0], said('run-rows')[0]]
  const denial = {
    ...NO_RESPONSE,
    payment: attempt.payment,
    attempt: id,
    outcome: 'refused',
    code: 'NO_FUNDS',
  } as const
  const lies: Written[][] = [
    [written(denial)],
    [written({ ...denial, outcome: 'not-sent', code: null })],
    [written({ type: 'finding', payment: attempt.payment, as: 'not-paid', because: 'I looked' })],
    [written({ type: 'finding', payment: attempt.payment, as: 'returned', because: 'I looked' })],
    [written({ type: 'resend', payment: attempt.payment, attempt: id, sender: 'nobody' })],
    [again(attempt, 'evil@evil.example')],
    [again(attempt, null)],
    // As if the sending of a plan had begun, and as if it had been approved.
    [again({ ...attempt, plan: `plan-${randomUUID().slice(0, 8)}`, requestedBy: 'maria', approvedBy: 'joao' }, null)],
    [
      written({
        type: 'clock',
        environment: 'production',
        gatewayAt: new Date(Date.now() - 40 * DAY_MS).toISOString(),
      }),
    ],
    [written({ type: 'account-rule', owner, rule: 'payeeWaitMs', from: DAY_MS, to: null })],
    [
      written(
        {
          ...{ type: 'payee', owner, name: SUPPLIER },
          payee: {
            ...{ name: SUPPLIER, displayName: null, key: 'evil@evil.example', keyType: 'email' },
            documentValidation: null,
          },
        },
        { at: new Date(Date.now() - 30 * DAY_MS).toISOString() },
      ),
    ],
    [{ type: 'query', content: JSON.stringify({ type: 'query', junk: 'x' }) }],
  ]
  if (answer !== undefined) lies.push([failedEvent(attempt.owner, answer.idTransaction)])
  if (run !== undefined && rows !== undefined) lies.push(...falseRows(run, rows))
  return lies[dice.below(lies.length)] ?? []
}

/** The same request once more, to another key if one is given. */
function again(attempt: AttemptRecord, key: string | null): Written {
  const externalId = randomUUID()
  const facts: PaymentFacts =
    attempt.facts.kind === 'transfer' && key !== null ? { ...attempt.facts, key, keyType: 'email' } : attempt.facts
  const body = facts.kind === 'qr' ? null : requestBody(facts, externalId)
  return written({ ...attempt, payment: randomUUID(), number: 1, facts, externalId, body, sender: 'nobody' })
}

/** Rows that nobody confirmed: in somebody's run, and in one of the liar's own, as if both had been brought back. */
function falseRows(run: RunRecord, { rows }: RunRowsRecord): Written[][] {
  const evil = rows.slice(0, 1).map((row, index) => ({
    ...{ ...row, line: 900 + index, rowId: randomUUID() },
    facts: row.facts.kind === 'transfer' ? { ...row.facts, key: 'row@evil.example' } : row.facts,
  }))
  const name = `run-${randomUUID().replaceAll('-', '').slice(0, 12)}`
  return [
    [written({ type: 'run-rows', run: run.run, rows: evil })],
    [written({ type: 'run-rows', run: name, rows: evil }), written({ ...run, run: name })],
  ]
}

function failedEvent(owner: AttemptRecord['owner'], idTransaction: string | null): Written {
  const body = JSON.stringify({
    event: 'transfer.failed',
    data: {
      ...{ idTransaction, typeTransaction: 'PIX_CASHOUT', statusTransaction: 'ERROR', value: 5 },
      ...{ errorCode: 'KEY_NOT_FOUND', errorMessage: 'no' },
    },
  })
  const { happenedAt, ...facts } = readEventFacts(body) ?? {}
  const content = {
    ...{ type: 'event', n: 1, duplicateOf: null, owner, isSigned: true, via: 'listen', target: '/' },
    ...{ headers: [['X-Signature', '00'.repeat(32)]], bodyBase64: Buffer.from(body).toString('base64'), ...facts },
  }
  return { at: new Date().toISOString(), type: 'event', content: JSON.stringify(content) }
}

function written(content: RecordContent, differences: Partial<Written> = {}): Written {
  const payment = 'payment' in content && typeof content.payment === 'string' ? content.payment : null
  const at = new Date().toISOString()
  return { at, type: content.type, payment, content: JSON.stringify(content), ...differences }
}
