import { randomUUID } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, it, onTestFinished } from 'vitest'
import type { PostEnd } from '../../../src/gateway/client.ts'
import type { KeptRow } from '../../../src/money/batch/keptRow.ts'
import { LedgerTail } from '../../../src/money/batch/ledgerTail.ts'
import { Pace } from '../../../src/money/batch/pace.ts'
import { standingOf } from '../../../src/money/batch/plan.ts'
import type { RowEnd } from '../../../src/money/batch/rowEnd.ts'
import { type WorkDesk, type WorkOrder, workThrough } from '../../../src/money/batch/work.ts'
import { openTerminal } from '../../../src/terminal/terminal.ts'
import { openTimeline, type Timeline } from '../../../src/timeline/timeline.ts'
import { foldTransactions } from '../../../src/timeline/transactions.ts'
import { UsageError } from '../../../src/wire/errors.ts'
import { ACCOUNT, NOW_MS, OWNER } from './ledger.ts'

const ACCEPTED: PostEnd = { outcome: 'accepted', httpStatus: 200, idTransaction: 't', fields: { status: 'PROCESSING' } }
const UNKNOWN: PostEnd = { outcome: 'unknown', httpStatus: 500, why: 'status' }
const GONE: PostEnd = { outcome: 'not-sent', fault: 'connection', code: 'ECONNREFUSED' }

function refusal(code: string, httpStatus = 400): PostEnd {
  return { outcome: 'refused', httpStatus, complaint: { code, description: null }, retryAfterMs: null }
}

function transferRow(line: number): KeptRow {
  const key = { key: `p${line}@example.com`, keyType: 'email', amountCents: line, documentValidation: null } as const
  return {
    kind: 'transfer',
    line,
    id: `row-${line}`,
    cells: [],
    ...key,
    callbackUrl: 'http://127.0.0.1/',
    typedId: null,
  }
}

function refundRow(line: number, originalTransactionId: string): KeptRow {
  const facts = { originalTransactionId, amountCents: line, isWhole: false, refundReason: 'x', paidCents: 1000 }
  return { kind: 'refund', line, id: `row-${line}`, cells: [], ...facts, callbackUrl: 'http://127.0.0.1/' }
}

interface Stage {
  folder: string
  timeline: Timeline
  bodies: string[]
  ends: RowEnd[]
  most: number
  interrupt: AbortController
  work(order?: Partial<WorkOrder>): ReturnType<typeof workThrough>
}

/** A run of these rows at a gateway that answers like this. */
function stage(rows: readonly KeptRow[], answer: (body: string, stage: Stage) => Promise<PostEnd> | PostEnd): Stage {
  const folder = mkdtempSync(join(tmpdir(), 'pixgate-work-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const timeline = openTimeline({
    folder,
    user: 'ana',
    machine: 'desk',
    now: () => NOW_MS,
    newId: randomUUID,
    notice: () => undefined,
    exclusively: (work) => work(),
  })
  let flying = 0
  const interrupt = new AbortController()
  const streams = { stdout: process.stdout, stderr: process.stderr }
  const quiet = { stdin: () => process.stdin, ...streams, env: {}, secrets: [] }
  const wishes = { colourForbidden: true, quiet: true, verbose: false, noInput: true, machineReadable: true }
  const desk: WorkDesk = {
    account: ACCOUNT,
    gateway: {
      consult: () => Promise.reject(new Error('nothing is asked')),
      close: async () => undefined,
      async post({ body = '' }) {
        own.bodies.push(body)
        flying += 1
        own.most = Math.max(own.most, flying)
        const end = await answer(body, own)
        flying -= 1
        return end
      },
    },
    timeline,
    terminal: openTerminal({ ...quiet, ...wishes, interrupt: () => interrupt.signal }),
    env: {},
    timeoutMs: 1000,
    yes: true,
    confirm: undefined,
    interrupt: interrupt.signal,
    abandon: new AbortController().signal,
    now: () => NOW_MS,
    aloneWith: (_, work) => work(),
    sleep: () => new Promise((resolve) => setImmediate(resolve)),
  }
  async function* all() {
    yield* rows
  }
  const own: Stage = {
    folder,
    timeline,
    bodies: [],
    ends: [],
    most: 0,
    interrupt,
    async work(order = {}) {
      const tail = new LedgerTail(timeline.follow())
      await tail.refreshWithEvents()
      const context = { account: OWNER, reference: 'x', nowMs: NOW_MS }
      const whole: WorkOrder = {
        run: 'r',
        kind: rows[0]?.kind ?? 'transfer',
        reference: 'x',
        rows: all(),
        taskOf: (row) => (standingOf(tail.index, row, context).as === 'not-sent' ? { attempt: 1 } : undefined),
        repeatableBefore: 0,
        concurrency: 4,
        pace: new Pace(null, () => NOW_MS),
        limit: null,
        stopAfter: 5,
        guard: () => null,
        ...order,
      }
      return workThrough(desk, tail, whole, (end) => own.ends.push(end))
    },
  }
  return own
}

function rowsUpTo(count: number): KeptRow[] {
  return Array.from({ length: count }, (_, place) => transferRow(place + 1))
}

async function statesOf({ timeline }: Stage): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const { state } of foldTransactions(await timeline.read())) counts[state] = (counts[state] ?? 0) + 1
  return counts
}

it('has the intent on the disk before the POST, and the outcome before the report', async () => {
  const seen: string[] = []
  const own = stage(rowsUpTo(6), async (body, { timeline }) => {
    const known = foldTransactions(await timeline.read()).find(
      ({ intent }) => intent.kind === 'transfer' && intent.body === body,
    )
    seen.push(known?.state ?? 'no intent')
    return ACCEPTED
  })
  await own.work()
  expect(seen).toEqual(Array(6).fill('unknown'))
  expect(own.ends).toHaveLength(6)
  expect(await statesOf(own)).toEqual({ accepted: 6 })
})

it('sends as many at once as was asked for, and no more', async () => {
  const own = stage(rowsUpTo(40), () => new Promise((resolve) => setTimeout(resolve, 5, ACCEPTED)))
  await own.work({ concurrency: 7 })
  expect(own.most).toBe(7)
  expect(own.bodies).toHaveLength(40)
})

it('has no more than 64 rows on the disk ahead of those that were sent', async () => {
  const ahead: number[] = []
  const own = stage(rowsUpTo(400), (_body, { folder, bodies }) => {
    const recorded = readFileSync(join(folder, 'timeline.log'), 'utf8').split('"type":"intent"').length - 1
    ahead.push(recorded - bodies.length)
    return ACCEPTED
  })
  await own.work({ concurrency: 8 })
  expect(Math.max(...ahead)).toBeGreaterThan(8)
  expect(Math.max(...ahead)).toBeLessThanOrEqual(64)
})

it.each([
  ['a refused credential', refusal('X', 401)],
  ['an address that is not registered', refusal('UNAUTHORIZED_IP', 403)],
  ['no money', refusal('NO_FUNDS')],
  ['a limit of the gateway', refusal('X', 429)],
])('stops at once for %s, and takes back what it had prepared', async (_, end) => {
  const own = stage(rowsUpTo(20), () => end)
  expect(await own.work({ concurrency: 1 })).toEqual({ why: 'failure', failure: null })
  expect(own.bodies).toHaveLength(1)
  const states = await statesOf(own)
  expect(states.refused).toBe(1)
  expect(states.unknown).toBeUndefined()
})

it.each([
  ['refusals', refusal('PIX_KEY_NOT_FOUND')],
  ['doubts', UNKNOWN],
  ['lost connections', GONE],
])('stops after so many %s in a row', async (_, end) => {
  const own = stage(rowsUpTo(20), () => (own.bodies.length === 3 ? ACCEPTED : end))
  expect(await own.work({ concurrency: 1, stopAfter: 4 })).toEqual({ why: 'in-a-row', count: 4 })
  expect(own.bodies).toHaveLength(7)
})

it('takes up so many rows as the limit says', async () => {
  const own = stage(rowsUpTo(20), () => ACCEPTED)
  expect(await own.work({ limit: 3 })).toBeNull()
  expect(own.ends.map(({ row }) => row.line).sort()).toEqual([1, 2, 3])
  expect(await statesOf(own)).toEqual({ accepted: 3 })
})

it('sends nothing of what was recorded when the guard said no', async () => {
  const failure = new UsageError('too much', { hint: '' })
  let asked = 0
  const own = stage(rowsUpTo(20), () => ACCEPTED)
  const stop = await own.work({ concurrency: 2, guard: () => (asked++ === 0 ? null : failure) })
  expect(stop).toEqual({ why: 'failure', failure })
  expect(own.bodies.length).toBeLessThanOrEqual(2)
  const { accepted = 0, unknown } = await statesOf(own)
  expect([accepted, unknown]).toEqual([own.bodies.length, undefined])
})

it.each([
  ['transfers', [...rowsUpTo(20)]],
  ['refunds', ['p', 'q', 'p', 's'].map((original, place) => refundRow(place + 1, original))],
])('leaves no %s in doubt that were prepared when something broke', async (_, rows) => {
  const broken = new UsageError('broken', { hint: '' })
  const own = stage(rows, () => ACCEPTED)
  let asked = 0
  const guard = () => {
    if (asked++ === 0) return null
    throw broken
  }
  expect(await own.work({ concurrency: 2, guard })).toEqual({ why: 'failure', failure: broken })
  const { accepted = 0, unknown } = await statesOf(own)
  expect([accepted, unknown]).toEqual([own.bodies.length, undefined])
  expect(accepted).toBeLessThan(rows.length)
})

it('finishes what is in flight after an interrupt, and leaves nothing in doubt', async () => {
  const own = stage(rowsUpTo(20), () => {
    own.interrupt.abort()
    return ACCEPTED
  })
  expect(await own.work({ concurrency: 2 })).toEqual({ why: 'interrupted' })
  const { accepted = 0, unknown } = await statesOf(own)
  expect(unknown).toBeUndefined()
  expect(accepted).toBe(own.bodies.length)
  expect(accepted).toBeLessThanOrEqual(2)
})

it('returns parts of one payment one after the other, and none after one in doubt', async () => {
  const rows = [refundRow(1, 'p'), refundRow(2, 'p'), refundRow(3, 'q'), refundRow(4, 'p')]
  const own = stage(rows, (body) => (body.includes('"p"') && body.includes('0.02') ? UNKNOWN : ACCEPTED))
  await own.work()
  expect(own.bodies).toHaveLength(3)
  expect(own.ends.map(({ row, outcome }) => [row.line, outcome]).sort()).toEqual([
    [1, 'accepted'],
    [2, 'unknown'],
    [3, 'accepted'],
    [4, 'not-sent'],
  ])
})

it('takes a derived id that the gateway holds for accepted, and a typed one for refused', async () => {
  const rows = [transferRow(1), { ...transferRow(2), typedId: 'row-2' } as KeptRow]
  const own = stage(rows, () => refusal('DUPLICATE_EXTERNAL_ID'))
  await own.work({ concurrency: 1 })
  expect(own.ends.map(({ outcome }) => outcome)).toEqual(['accepted-before', 'refused'])
})

it('sends every row once, over all interruptions', async () => {
  const ends = [ACCEPTED, refusal('PIX_KEY_NOT_FOUND'), UNKNOWN, GONE]
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.nat(ends.length - 1), { minLength: 1, maxLength: 30 }),
      fc.integer({ min: 1, max: 8 }),
      async (answers, concurrency) => {
        const sent = new Map<string, number>()
        const own = stage(rowsUpTo(answers.length), (body) => {
          const end = ends[answers[sent.size % answers.length] ?? 0] ?? ACCEPTED
          if (end !== GONE) sent.set(body, (sent.get(body) ?? 0) + 1)
          return end
        })
        for (let turn = 0; turn < 40 && sent.size < answers.length; turn++) {
          await own.work({ concurrency, stopAfter: 2 })
          if (answers.every((answer) => ends[answer] === GONE)) break
        }
        expect([...sent.values()].every((count) => count === 1)).toBe(true)
      },
    ),
    { numRuns: 10 },
  )
})
