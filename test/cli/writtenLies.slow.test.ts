import { afterAll, expect } from 'vitest'
import { RECORD_RULES, type RecordType } from '../../src/ledger/records.ts'
import { OWNER_TYPES } from '../../src/ledger/team/serverSql.ts'
import { type Written, writeByHand } from '../ledger/team/newRecords.ts'
import { itOnPostgres, type TestPostgres, withPostgres } from '../postgres.ts'
import { type LyingStage, lyingStage, QUERIED } from './lyingMember.ts'
import { people } from './planPeople.ts'

const team = people(afterAll, 'maria', 'joao', 'eva', 'ana')
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

/** What is wrong with a lie beside that it is one. */
const VARIANTS: Readonly<Record<string, (lie: Written, said: Said) => readonly Written[]>> = {
  plain: (lie) => [lie],
  time: (lie) => [{ ...lie, at: DAYS_AGO }],
  owner: (lie, said) => [saying(lie, { ...said, owner: { ...Object(said.owner), clientId: 'somebody' } })],
  sum: (lie, said) => [saying(lie, Object(withCents(said, 1)))],
  order: (lie, said) => [saying(lie, { ...said, number: 9, n: 900, part: 9 })],
  missing: (lie, said) => [saying(lie, Object.fromEntries(Object.entries(said).slice(0, -1)))],
  doubled: (lie) => [lie, lie],
  junk: (lie, said) => [saying(lie, { ...said, [Object.keys(said).at(-1) ?? '']: { junk: 'x'.repeat(1000) } })],
  huge: (lie, said) => [saying(lie, Object(withCents(said, Number.MAX_SAFE_INTEGER)))],
}

function saying(lie: Written, said: Said): Written {
  return { ...lie, content: JSON.stringify(said) }
}

/**
 * Where else a lie is named that a member may rightly write, because it can only forbid or decides nothing: where what it says is shown. Everything else is
 * named by `doctor`, `history check` or before the next question.
 */
const SHOWN: Readonly<Partial<Record<RecordType, readonly string[]>>> = {
  attempt: ['history', '-o', 'json'],
  query: [...['refund', QUERIED, '--amount', '1', '--reason', 'x', '--skip-query', '--dry-run']],
  'profile-change': ['profile', 'show', 'shop'],
  'approver-revocation': ['profile', 'show', 'shop'],
  payee: ['payee', 'show', 'acme'],
}

/** Writes a lie alone, and lets everybody pay who must not. Returns what went wrong. */
async function faultsOf(stage: LyingStage, type: RecordType, lie: readonly Written[], what: string): Promise<string[]> {
  const desks = await stage.after(lie)
  const booked = stage.gateway.ledger.length
  const faults: string[] = []
  let said = ''
  for (const { name, at, args, exit } of stage.payers) {
    const asked = stage.gateway.arrivals.filter(({ method }) => method === 'POST').length
    const result = await desks[at].run(args)
    said += result.stderr
    const sent = stage.gateway.arrivals.filter(({ method }) => method === 'POST').length - asked
    if (sent > 0) faults.push(`${what}: ${name} at ${at} sent ${sent}`)
    if (result.exit === 0 && exit !== 0) faults.push(`${what}: ${name} at ${at} ended with 0`)
  }
  if (stage.gateway.ledger.length > booked) faults.push(`${what}: ${stage.gateway.ledger.length - booked} moved`)
  for (const looked of [['history', 'check'], ['doctor'], SHOWN[type]]) {
    if (looked === undefined || said.includes(stage.liar)) continue
    const { stdout, stderr } = await desks.other.run(looked)
    said += stdout + stderr
  }
  if (said.includes('damaged')) faults.push(`${what}: somebody's disk is said to be damaged`)
  if (!said.includes(stage.liar)) faults.push(`${what}: nobody is named`)
  return faults
}

/** Types that are tried together, on a ledger of their own. */
const GROUPS: readonly (readonly RecordType[])[] = [
  ['attempt'],
  ['resend'],
  ['answer', 'finding', 'query', 'clock'],
  ['event', 'forward', 'superseded', 'machine-heard', 'ledger-stopped', 'accepted-older'],
  ['run', 'run-rows', 'payee', 'profile-change'],
  ['plan', 'plan-text', 'plan-approval', 'plan-rejection', 'account-rule', 'approver-revocation'],
]

itOnPostgres.each(GROUPS.map((types) => ({ types, name: types.join(', ') })))(
  'moves and frees nothing by a lie that a member writes by hand, and names it: $name',
  async ({ types }) => {
    const stage = await lyingStage(postgres, team)
    const honest = await stage.after([])
    for (const { name, at, args, exit, says } of stage.payers) {
      const result = await honest[at].run(args)
      expect([name, at, result.exit, result.stderr]).toEqual([name, at, exit, expect.stringContaining(says)])
    }
    const faults: string[] = []
    for (const type of types) {
      for (const [index, make] of (stage.lies[type] ?? []).entries()) {
        const records = make()
        const lie = records.at(-1)
        if (lie === undefined) throw new Error('a lie is a record')
        const tried = new Set<string>()
        for (const [variant, vary] of Object.entries(VARIANTS)) {
          const varied = vary(lie, JSON.parse(lie.content))
          // A record without a sum has no other sum.
          if (tried.has(JSON.stringify(varied))) continue
          tried.add(JSON.stringify(varied))
          const all = [...records.slice(0, -1), ...varied]
          faults.push(...(await faultsOf(stage, type, all, `${type} ${index}, ${variant}`)))
        }
      }
    }
    expect(faults).toEqual([])
  },
  600_000,
)

itOnPostgres('takes no record of an auditor, and none of the owner from a member', async () => {
  const stage = await lyingStage(postgres, team)
  const lies = Object.values(stage.lies).flatMap((makes) => makes.map((make) => make().at(-1)))
  for (const lie of lies) {
    if (lie === undefined) throw new Error('a lie is a record')
    await expect(writeByHand(postgres, stage.database, stage.auditor, [lie])).rejects.toThrow('permission denied')
  }
  for (const type of OWNER_TYPES) {
    const content = JSON.stringify({ type, record: 1, because: 'by hand' })
    await expect(writeByHand(postgres, stage.database, stage.liar, [{ type, content }])).rejects.toThrow(
      'only the owner',
    )
  }
  expect([...GROUPS.flat(), ...OWNER_TYPES].sort()).toEqual(Object.keys(RECORD_RULES).sort())
})
