import { randomUUID } from 'node:crypto'
import { type ChainedRecord, type ChainPoint, chainDigest } from '../../src/ledger/chain.ts'
import type { RecordContent } from '../../src/ledger/records.ts'
import { LOCK_KEY } from '../../src/ledger/team/serverSql.ts'
import { insertRecordsSql } from '../../src/ledger/team/sharedRecords.ts'
import { type Plan, planText, readPlan } from '../../src/plans/plan.ts'
import { approversValue } from '../../src/profiles/approvers.ts'
import { withLedger } from '../ledger/storedLedger.ts'
import type { TestPostgres } from '../postgres.ts'
import type { World } from '../world.ts'
import { type Person, signatureOf } from './planPeople.ts'

/** A record that is written by hand: with the digest and the number that it must have. `login` is who writes it, `atMs` when it says that it was made. */
export interface HandWritten {
  content: RecordContent & { firstBy?: { user: string; machine: string; login?: string } }
  atMs?: number
  login?: string
  id?: string
}

/** Writes records into a ledger without any command. */
export type WriteByHand = (records: readonly HandWritten[]) => Promise<void>

/** Writes into the ledger of a world's machine. */
export function intoLocalLedger(world: World): WriteByHand {
  return (records) =>
    withLedger(world, (ledger) =>
      ledger.write((writer) => {
        for (const { content, atMs } of records) writer.append(content, atMs ?? Date.now())
      }),
    )
}

/** Writes into a shared ledger, by psql, as a member: `login` unless a record names another one. */
export function intoSharedLedger(postgres: TestPostgres, database: string, login: string): WriteByHand {
  return async (records) => {
    const last = await postgres.sql(database, 'SELECT seq, digest FROM pixgate.record ORDER BY seq DESC LIMIT 1')
    const [seq = '0', digest = ''] = last.split('|')
    let before: ChainPoint = { seq: Number(seq), digest }
    for (const [writer, written] of byWriter(records, login)) {
      const rows: ChainedRecord[] = []
      for (const { content, atMs = Date.now(), id } of written) {
        const row = handWritten(before, writer, content, { atMs, id })
        rows.push(row)
        before = row
      }
      const sql = `BEGIN; SELECT pg_advisory_xact_lock(${LOCK_KEY}); ${insertRecordsSql(rows)}; COMMIT;`
      const { exit, stderr } = await postgres.psql(writer, database, sql)
      if (exit !== 0) throw new Error(stderr)
    }
  }
}

/** The records with their writers, those that follow each other and have the same writer together. */
function byWriter(records: readonly HandWritten[], login: string): [writer: string, written: HandWritten[]][] {
  const groups: [string, HandWritten[]][] = []
  for (const record of records) {
    const { login: writer = login } = record
    const last = groups.at(-1)
    if (last?.[0] === writer) last[1].push(record)
    else groups.push([writer, [record]])
  }
  return groups
}

function handWritten(
  before: ChainPoint,
  user: string,
  content: RecordContent,
  { atMs, id = randomUUID() }: { atMs: number; id: string | undefined },
): ChainedRecord {
  const at = new Date(atMs).toISOString()
  const payment = 'payment' in content && typeof content.payment === 'string' ? content.payment : null
  const record = {
    ...{ seq: before.seq + 1, id, at, user, machine: 'desk', type: content.type, payment },
    content: JSON.stringify(content),
  }
  return { ...record, digest: chainDigest(before.digest, record) }
}

/** The records of plans and rules of an account, as somebody would write them by hand. */
export function recordsOf(url: string) {
  const account = { baseUrl: url, clientId: 'local' }
  const owner = { profile: null, environment: 'sandbox', ...account } as const
  let plans = 0

  /** A change of the rule `approvalFromCents`. */
  function ruleSet(from: number | null, to: number | null, plan?: string): HandWritten {
    const rule = 'approvalFromCents' as const
    return { content: { type: 'account-rule', owner, rule, from, to, ...(plan === undefined ? {} : { plan }) } }
  }

  return {
    owner,
    ruleSet,
    /** `file` need not exist, because the ledger has the list. */
    approversSet: (from: string | null, list: string, file = '/none'): HandWritten => ({
      content: {
        ...{ type: 'account-rule', owner, rule: 'approvers' },
        ...{ from: from && approversValue({ file, list: from }), to: approversValue({ file, list }) },
      },
    }),
    /** A plan that changes the rule, and its text. */
    rulePlan(from: number | null, to: number | null, expiresMs = Date.now() + 3_600_000) {
      return plan({
        kind: 'profile',
        requests: [{ rule: 'approvalFromCents', from, to }],
        totalCents: 0,
        expiresAt: new Date(expiresMs).toISOString(),
        profile: 'shop',
      })
    },
    transferPlan(key: string, externalId: string, expiresMs = Date.now() + 3_600_000) {
      const callbackUrl = 'http://127.0.0.1:1/'
      return plan({
        kind: 'transfer',
        requests: [{ value: 1, key, typeKey: 'email', callbackUrl, externalId }],
        totalCents: 100,
        expiresAt: new Date(expiresMs).toISOString(),
      })
    },
  }

  function plan(contents: Pick<Plan, 'kind' | 'requests' | 'totalCents' | 'expiresAt' | 'profile'>) {
    plans += 1
    const { kind, requests, totalCents, expiresAt, ...rest } = contents
    const text = planText({
      ...{ version: 1, kind, account, requests, totalCents, warnings: [`plan ${plans}`] },
      ...{ sourceSha256: null, maker: 'maria', expiresAt, ...rest },
    })
    const { id } = readPlan(text, 'a plan')
    const step = { plan: id, owner }
    return {
      id,
      text,
      made: (maker: Person): HandWritten[] => [
        { content: { type: 'plan-text', ...step, part: 1, text } },
        {
          content: {
            ...{ type: 'plan', ...step, kind, requests: requests.length, totalCents, maker: 'maria' },
            ...{ signature: signatureOf(maker, text), expiresAt, parts: 1 },
          },
        },
      ],
      approval: (approver: string, signature: string): HandWritten => ({
        content: { type: 'plan-approval', ...step, approver, signature },
      }),
      /** An attempt that says that the plan allowed it: of its first request, or of another one. */
      attempt: (approvedBy: string, { atMs = Date.now(), body = JSON.stringify(requests[0]) } = {}): HandWritten => {
        const { facts, externalId } = readPlan(text, 'a plan').requests[0] ?? {}
        if (facts === undefined) throw new Error('a change of rules has no attempt')
        const by = { plan: id, requestedBy: 'maria', approvedBy }
        const sent = { externalId: externalId ?? null, body, place: null, rowId: externalId ?? null, sender: 'nobody' }
        return { content: { type: 'attempt', payment: randomUUID(), number: 1, owner, facts, ...sent, ...by }, atMs }
      },
      rejection: (): HandWritten => ({ content: { type: 'plan-rejection', ...step, because: 'paid' } }),
    }
  }
}

/** A line of a list of approvers. */
export function approverLine(name: string, { line: key }: Person, options = ''): string {
  return `${name} namespaces="pixgate"${options} ${key.split(' ').slice(0, 2).join(' ')}\n`
}
