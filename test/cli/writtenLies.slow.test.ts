import { expect } from 'vitest'
import { RECORD_RULES } from '../../src/ledger/records.ts'
import { OWNER_TYPES } from '../../src/ledger/team/serverSql.ts'
import type { SharedRecord } from '../../src/ledger/team/sharedRecords.ts'
import { type Written, writeByHand } from '../ledger/team/newRecords.ts'
import { connected, itOnPostgres, OWNER, soon, type TestPostgres, withPostgres } from '../postgres.ts'
import { csvIn } from './batchFiles.ts'
import { carriedOut, control, inThisProcess, paidPayment } from './payments.ts'
import { startTeam, transferTo } from './teamDesks.ts'

let postgres: TestPostgres
withPostgres((started) => {
  postgres = started
})

type Said = Record<string, unknown>

/** Every number of money in a record, changed. */
function withCents(value: unknown, cents: number): unknown {
  if (Array.isArray(value)) return value.map((each) => withCents(each, cents))
  if (typeof value !== 'object' || value === null) return value
  const changed = Object.entries(value).map(([name, each]) => [
    name,
    /cents$/i.test(name) && typeof each === 'number' ? cents : withCents(each, cents),
  ])
  return Object.fromEntries(changed)
}

const DAYS_AGO = new Date(Date.now() - 8 * 86_400_000).toISOString()

/** What somebody makes of a genuine record, by hand. */
const LIES: Readonly<Record<string, (said: Said, record: SharedRecord) => Partial<Written> & { said?: Said }>> = {
  time: () => ({ at: DAYS_AGO }),
  owner: (said) => ({ said: { ...said, owner: { ...Object(said.owner), clientId: 'somebody' } } }),
  sum: (said) => ({ said: Object(withCents(said, 1)) }),
  order: (said) => ({ said: { ...said, number: 9, n: 900, part: 9 } }),
  doubled: () => ({}),
  huge: (said) => ({ said: Object(withCents(said, Number.MAX_SAFE_INTEGER)) }),
  refused: (said) => ({ said: { ...said, outcome: 'refused', as: 'not-paid', code: 'NO_FUNDS', status: 'ERROR' } }),
  returned: (said) => ({ said: { ...said, outcome: 'not-sent', as: 'returned', status: 'RETURNED' } }),
}

/** Lies that nobody can read; whatever they could concern is stopped. */
const UNREADABLE: typeof LIES = {
  missing: (said) => ({ said: Object.fromEntries(Object.entries(said).slice(0, -1)) }),
  junk: (said) => ({ said: { ...said, [Object.keys(said).at(-1) ?? '']: { junk: 'x'.repeat(1000) } } }),
}

function liesAbout(genuine: readonly SharedRecord[], lies: typeof LIES): Written[] {
  return Object.values(lies).flatMap((lie) =>
    genuine.map((record): Written => {
      const { type, payment, content } = record
      const { said, ...rest } = lie(JSON.parse(content), record)
      return { type, payment, content: said === undefined ? content : JSON.stringify(said), ...rest }
    }),
  )
}

itOnPostgres(
  'moves and frees nothing by any record that a member writes by hand, whoever pays how',
  async () => {
    const team = await startTeam(postgres)
    const [desk, other] = [inThisProcess(await team.joinedDesk()), inThisProcess(await team.joinedDesk())]
    const liar = await postgres.newLogin('pixgate_member')
    const original = await paidPayment(team.url, 30)
    const file = csvIn(desk, 'batch.csv', 'key,value', ['row@example.com,"5,10"', 'next@example.com,"5,10"'])
    await desk.prepare(['payee', 'add', 'acme', '--key', 'acme@example.com', '--yes'])
    await desk.prepare(transferTo('one@example.com', 'one'))
    await desk.prepare(['transfer', '--to', 'acme', '--amount', '3', '--external-id', 'two', '--yes'])
    await desk.prepare(['refund', original, '--reason', 'broken', '--yes'])
    await desk.prepare(['batch', 'transfer', file, '--yes'])
    await desk.prepare(['status', original])
    await control(team.url, 'fault', { kind: 'drop-before', on: 'transfer', times: 1 })
    await desk.run(transferTo('lost@example.com', 'lost'))
    await desk.prepare(['history', 'settle', 'lost', '--as', 'not-paid', '--because', 'the bank says so', '--yes'])
    const address = postgres.address(desk.login, team.database)
    const genuine = await (await connected(address)).recordsAfter(0, 1000, soon())
    const run: { run: string } = JSON.parse(genuine.find(({ type }) => type === 'run')?.content ?? '')

    /** What must stay undone: each was refused, or had nothing to do, before anybody lied. */
    const payers: Readonly<Record<string, readonly string[]>> = {
      single: transferTo('one@example.com', 'one-b'),
      payee: ['transfer', '--to', 'acme', '--amount', '3', '--external-id', 'two-b', '--yes'],
      settled: transferTo('lost@example.com', 'lost-b'),
      batch: ['batch', 'transfer', csvIn(desk, 'again.csv', 'key,value', ['row@example.com,"5,10"']), '--yes'],
      resume: ['resume', run.run, '--yes'],
      'resume one': ['resume', 'one', '--yes'],
      refund: ['refund', original, '--amount', '1', '--reason', 'x', '--yes'],
    }
    const moved = async () => [await team.booked(), (await carriedOut(team.url)).refunds.length]
    const before = await moved()
    const tried = async () => {
      const ends: Record<string, number[]> = {}
      for (const [name, args] of Object.entries(payers)) {
        ends[name] = [(await desk.run(args)).exit, (await other.run(args)).exit]
      }
      return ends
    }
    const honest = await tried()
    expect(honest).toEqual({
      ...{ single: [2, 2], payee: [2, 2], settled: [2, 2], batch: [2, 2] },
      ...{ resume: [0, 0], 'resume one': [0, 0], refund: [1, 1] },
    })
    expect(await moved()).toEqual(before)

    const types = Object.keys(RECORD_RULES).filter((type) => !OWNER_TYPES.some((each) => each === type))
    const empty = types.map((type): Written => ({ type, content: JSON.stringify({ type, junk: 'x' }) }))
    const owner = postgres.address(OWNER, team.database).url
    for (const lies of [liesAbout(genuine, LIES), [...liesAbout(genuine, UNREADABLE), ...empty]]) {
      const first = await writeByHand(postgres, team.database, liar, lies)
      await tried()
      expect(await moved()).toEqual(before)
      const { stderr } = await desk.run(['history', 'check'])
      expect(stderr).not.toContain('damaged')
      expect(stderr).toMatch(new RegExp(`written by\\s+${liar}`))
      // What nobody can read stops everybody; without it, what can be read frees nothing, and a row with an attempt of the liar's is a repeat.
      const aside = ['--set-aside', `${first}-${first + lies.length - 1}`, '--because', 'by hand', '--yes']
      await desk.prepare(['ledger', 'repair', owner, ...aside])
      expect([await tried(), await moved()]).toEqual([{ ...honest, resume: [2, 2] }, before])
      expect((await desk.run(['resume', run.run, '--yes', '-o', 'json'])).stderr).toMatch(/REPEAT|RECORD_REFUSED/)
    }
  },
  120_000,
)
