import { expect } from 'vitest'
import type { RecordType } from '../../src/ledger/records.ts'
import type { Written } from '../ledger/team/newRecords.ts'
import { type LyingStage, QUERIED } from './lyingMember.ts'

type Said = Record<string, unknown>
type Brought = LyingStage['brought']

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

/** What is wrong with a lie beside that it is one. `brought` is as whom it claims to bring it: a colleague who had it before. */
const VARIANTS: Readonly<Record<string, (lie: Written, said: Said, brought: Brought) => readonly Written[]>> = {
  time: (lie) => [{ ...lie, at: DAYS_AGO }],
  owner: (lie, said) => [saying(lie, { ...said, owner: { ...Object(said.owner), clientId: 'somebody' } })],
  sum: (lie, said) => [saying(lie, Object(withCents(said, 1)))],
  order: (lie, said) => [saying(lie, { ...said, number: 9, n: 900, part: 9 })],
  'with what no record says': (lie, said, { login }) => [
    saying(lie, { ...said, isVerified: true, isPending: true, login, user: login, madeMs: 0, storedAtMs: 0 }),
  ],
  'with what no record says inside': (lie, said) => [
    saying(lie, {
      ...said,
      owner: { ...Object(said.owner), number: 1 },
      facts: { ...Object(said.facts), payeeKey: 'x' },
    }),
  ],
  'a member twice': (lie) => [{ ...lie, content: lie.content.replace('{', '{"payment":"x","plan":"x","firstBy":{},') }],
  missing: (lie, said) => [saying(lie, Object.fromEntries(Object.entries(said).slice(0, -1)))],
  doubled({ id, ...lie }) {
    return [id === undefined ? lie : { ...lie, id }, lie]
  },
  junk: (lie, said) => [saying(lie, { ...said, [Object.keys(said).at(-1) ?? '']: { junk: 'x'.repeat(1000) } })],
  huge: (lie, said) => [saying(lie, Object(withCents(said, Number.MAX_SAFE_INTEGER)))],
  'taken along': (lie, said, { user, machine }) => [
    saying({ ...lie, at: DAYS_AGO }, { ...said, firstBy: { user, machine } }),
  ],
  'brought back': (lie, said, { insteadOf: _, ...firstBy }) => [saying({ ...lie, at: DAYS_AGO }, { ...said, firstBy })],
  'brought back in the place of another': (lie, said, firstBy) => [saying(lie, { ...said, firstBy })],
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
    if (result.exit === 70) faults.push(`${what}: ${name} at ${at} ended with 70`)
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
export const LIE_GROUPS = GROUPS.map((types) => ({ types, name: types.join(', ') }))

/**
 * Tries every lie of these types alone, as it is and with other variants: with one, another for each lie, or with all of them. Returns what went wrong. Before
 * that it checks that everybody is refused who must not pay while nobody lies.
 */
export async function faultsOfLies(
  stage: LyingStage,
  types: readonly RecordType[],
  variants: 'one' | 'all',
): Promise<string[]> {
  const honest = await stage.after([])
  for (const { name, at, args, exit, says } of stage.payers) {
    const result = await honest[at].run(args)
    expect([name, at, result.exit, result.stderr]).toEqual([name, at, exit, expect.stringContaining(says)])
  }
  const faults: string[] = []
  let turn = 0
  for (const type of types) {
    for (const [index, make] of (stage.lies[type] ?? []).entries()) {
      const records = make()
      const lie = records.at(-1)
      if (lie === undefined) throw new Error('a lie is a record')
      const before = records.slice(0, -1)
      faults.push(...(await faultsOf(stage, type, records, `${type} ${index}`)))
      const varied = Object.entries(VARIANTS)
        .map(([name, vary]) => ({ name, records: vary(lie, JSON.parse(lie.content), stage.brought) }))
        // A record without a sum has no other sum.
        .filter(({ records }) => JSON.stringify(records) !== JSON.stringify([lie]))
      const chosen = variants === 'all' ? varied : varied.slice(turn % varied.length).slice(0, 1)
      for (const { name, records } of chosen) {
        faults.push(...(await faultsOf(stage, type, [...before, ...records], `${type} ${index}, ${name}`)))
      }
      turn += 1
    }
  }
  return faults
}
