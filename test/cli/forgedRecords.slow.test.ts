import { afterAll, expect, it, onTestFinished } from 'vitest'
import { itOnPostgres, type TestPostgres, withPostgres } from '../postgres.ts'
import { sandboxWorld, type World } from '../world.ts'
import {
  approverLine,
  type HandWritten,
  intoLocalLedger,
  intoSharedLedger,
  recordsOf,
  type WriteByHand,
} from './forgedRecords.ts'
import { carriedOut, failureOf, inThisProcess } from './payments.ts'
import { people, signatureOf } from './planPeople.ts'
import { type Desk, startTeam } from './teamDesks.ts'

const { maria, joao, eva } = people(afterAll, 'maria', 'joao', 'eva')
const LIST = approverLine('maria', maria) + approverLine('joao', joao)
const FORGED_LIST = approverLine('maria', maria) + approverLine('eva', eva)
/** Its key is valid no more. */
const OLD_LIST = `${LIST}${approverLine('eva', eva, ',valid-before="20200101"')}`
const DAY_MS = 24 * 3_600_000

let postgres: TestPostgres
withPostgres((started) => {
  postgres = started
})

interface Stage {
  world: World
  url: string
  write: WriteByHand
  /** Who could approve on another machine. */
  other: string | undefined
}

/** A ledger in which everything needs approval, and a way to write into it by hand. */
async function prepared({ world, url, write, other }: Stage, list = LIST) {
  const records = recordsOf(url)
  await write([records.approversSet(null, list), records.ruleSet(null, 0)])
  const { rulePlan, ruleSet } = records
  /** The records of a plan that ends the rule, with everything right unless it is replaced. */
  const ending = (id?: string) => {
    const plan = rulePlan(0, null)
    const genuine = { ...plan.approval('joao', signatureOf(joao, plan.text)), ...(other ? { login: other } : {}) }
    return { plan, made: plan.made(maria), genuine, sent: [ruleSet(0, null, id ?? plan.id)] }
  }
  return { records, ending, world, write, url, other }
}

type Prepared = Awaited<ReturnType<typeof prepared>>

/** Records that would end the rule, if a record were believed. */
const FORGERIES: readonly [string, (stage: Prepared) => HandWritten[] | Promise<HandWritten[]>][] = [
  ['without a plan', ({ records }) => [records.ruleSet(0, null)]],
  ['with a plan that is not there', ({ records }) => [records.ruleSet(0, null, 'plan-0123456789abcdef')]],
  [
    'approved by a text that is no signature',
    ({ ending }) => {
      const { plan, made, sent } = ending()
      return [...made, plan.approval('joao', 'approved'), ...sent]
    },
  ],
  [
    "approved in Joao's name by the maker's key",
    ({ ending, other }) => {
      const { plan, made, sent } = ending()
      return [...made, { ...plan.approval('joao', signatureOf(maria, plan.text)), ...by(other) }, ...sent]
    },
  ],
  [
    'approved with a signature over another plan',
    ({ ending, records, other }) => {
      const { plan, made, sent } = ending()
      const signature = signatureOf(joao, records.rulePlan(0, 1).text)
      return [...made, { ...plan.approval('joao', signature), ...by(other) }, ...sent]
    },
  ],
  [
    'approved by a key of a list that was set by hand before it',
    ({ ending, records, other }) => {
      const { plan, made, sent } = ending()
      const approval = { ...plan.approval('eva', signatureOf(eva, plan.text)), ...by(other) }
      return [records.approversSet(LIST, FORGED_LIST), ...made, approval, ...sent]
    },
  ],
  [
    'with an approved plan that changes something else',
    ({ records, other }) => {
      const { made, plan, genuine } = endingOf(records, 0, 500, other)
      return [...made, genuine, records.ruleSet(0, null, plan.id)]
    },
  ],
  [
    'with a plan that changes it from another value',
    ({ records, other }) => {
      const { made, plan, genuine } = endingOf(records, 700, null, other)
      return [...made, genuine, records.ruleSet(0, null, plan.id)]
    },
  ],
  [
    'with an approved plan that was rejected before',
    ({ ending }) => {
      const { plan, made, genuine, sent } = ending()
      return [...made, genuine, plan.rejection(), ...sent]
    },
  ],
  [
    'with an approved plan that had expired, dated back',
    ({ records, other }) => {
      const plan = records.rulePlan(0, null, Date.now() - DAY_MS)
      const approval = { ...plan.approval('joao', signatureOf(joao, plan.text)), ...by(other) }
      return [...plan.made(maria), approval, { ...records.ruleSet(0, null, plan.id), atMs: Date.now() - 2 * DAY_MS }]
    },
  ],
  [
    'before the approval',
    ({ ending }) => {
      const { made, genuine, sent } = ending()
      return [...made, ...sent, genuine]
    },
  ],
  [
    'as if it came from another ledger',
    ({ ending }) => {
      const { made, genuine, sent } = ending()
      const firstBy = { user: 'maria', machine: 'desk' }
      return [...made, genuine, ...sent].map(({ content, ...rest }) => ({ content: { ...content, firstBy }, ...rest }))
    },
  ],
]

function by(login: string | undefined) {
  return login === undefined ? {} : { login }
}

/** A plan with a genuine approval. */
function endingOf(records: ReturnType<typeof recordsOf>, from: number | null, to: number | null, other?: string) {
  const plan = records.rulePlan(from, to)
  const genuine = { ...plan.approval('joao', signatureOf(joao, plan.text)), ...by(other) }
  return { plan, made: plan.made(maria), genuine }
}

const transfer = (id: string) => [
  'transfer',
  '--key',
  `${id}@example.com`,
  '--amount',
  '1',
  '--external-id',
  id,
  '--yes',
]

async function expectRuleHolds({ world, url }: Prepared, what: string) {
  const before = (await carriedOut(url)).transfers.length
  const result = await world.run([...transfer('forged'), '-o', 'json'])
  expect([what, failureOf(result)]).toEqual([what, expect.objectContaining({ exit: 2, code: 'APPROVAL_REQUIRED' })])
  expect((await carriedOut(url)).transfers).toHaveLength(before)
  return result.stderr
}

/** Each forgery leaves the rule in force and is named; what was written by hand with everything right counts. */
async function expectForgeriesFail(stage: Prepared) {
  const { world, write, ending } = stage
  for (const [what, forge] of FORGERIES) {
    await write(await forge(stage))
    const stderr = await expectRuleHolds(stage, what)
    const isUnnamed = (what.includes('without a plan') && stage.other === undefined) || what.includes('another ledger')
    expect([what, /Record \d+ of the ledger, written by .* does not count/.test(stderr)]).toEqual([what, !isUnnamed])
    await expectRuleHolds(stage, what)
  }
  // No ssh-keygen: nothing is known of it.
  const { made, genuine, sent } = ending()
  await write([...made, genuine, ...sent])
  const without = await world.run([...transfer('one'), '-o', 'json'], { env: { PATH: world.home } })
  expect(without).toMatchObject({ exit: 2, stderr: expect.stringMatching(/does not count.*ssh-keygen/s) })
  await world.prepare(transfer('one'))
  // An approved change is made once.
  await write([stage.records.ruleSet(null, 0), ...sent])
  expect(await expectRuleHolds(stage, 'a second time')).toContain('does not count')
  // Who made a plan in a shared ledger approves nothing of it.
  const isNamed = stage.other !== undefined
  const checked = await world.run(['history', 'check'])
  expect([checked.exit, checked.stderr.includes('the same login made')]).toEqual([isNamed ? 1 : 0, isNamed])
}

it('a rule of a local ledger is not weakened by records that somebody wrote by hand', async () => {
  const sandbox = await sandboxWorld({}, {}, onTestFinished)
  const world = inThisProcess(sandbox)
  await expectForgeriesFail(
    await prepared({ world, url: sandbox.url, write: intoLocalLedger(world), other: undefined }),
  )
})

async function teamStage(): Promise<Stage & { desk: Desk }> {
  const team = await startTeam(postgres)
  const desk = await team.joinedDesk()
  const [writer, other] = [await postgres.newLogin('pixgate_member'), await postgres.newLogin('pixgate_member')]
  const write = intoSharedLedger(postgres, team.database, writer)
  return { world: inThisProcess(desk), url: team.url, write, other, desk }
}

itOnPostgres('a rule of a shared ledger is not weakened by records that a member wrote by hand', async () => {
  const stage = await prepared(await teamStage())
  await expectForgeriesFail(stage)
})

itOnPostgres("a rule of a shared ledger is not weakened by a second key of the maker's login", async () => {
  const stage = await prepared(await teamStage())
  const { plan, made, sent } = stage.ending()
  await stage.write([...made, plan.approval('joao', signatureOf(joao, plan.text)), ...sent])
  expect(await expectRuleHolds(stage, 'one login')).toContain('does not count')
})

/** Plans of payments, with records that say that they were approved, and what of them is refused. */
const FORGED_PLANS: readonly [string, (stage: Prepared, id: string) => { plan: string; records: HandWritten[] }][] = [
  [
    'approved by a text that is no signature',
    ({ records }, id) => {
      const plan = records.transferPlan('a@example.com', id)
      return { plan: plan.id, records: [...plan.made(maria), plan.approval('joao', 'approved')] }
    },
  ],
  [
    'approved by a list that was set by hand, and begun with it',
    ({ records, other }, id) => {
      const plan = records.transferPlan('a@example.com', id)
      const approval = { ...plan.approval('eva', signatureOf(eva, plan.text)), ...by(other) }
      const forged = [records.approversSet(OLD_LIST, FORGED_LIST), ...plan.made(maria), approval, plan.attempt('eva')]
      return { plan: plan.id, records: forged }
    },
  ],
  [
    'rejected, and begun after that by another request',
    ({ records, other }, id) => {
      const plan = records.transferPlan('a@example.com', id)
      const approval = { ...plan.approval('joao', signatureOf(joao, plan.text)), ...by(other) }
      return {
        plan: plan.id,
        records: [...plan.made(maria), approval, plan.rejection(), plan.attempt('joao', { body: '{}' })],
      }
    },
  ],
  [
    'expired, and begun by a record that is dated back',
    ({ records, other }, id) => {
      const plan = records.transferPlan('a@example.com', id, Date.now() - DAY_MS)
      const approval = { ...plan.approval('joao', signatureOf(joao, plan.text)), ...by(other) }
      const attempt = plan.attempt('joao', { atMs: Date.now() - 2 * DAY_MS, body: '{}' })
      return { plan: plan.id, records: [...plan.made(maria), approval, attempt] }
    },
  ],
  [
    'approved by a key that has expired, and begun by a record that is dated back',
    ({ records, other }, id) => {
      const plan = records.transferPlan('a@example.com', id)
      const approval = { ...plan.approval('eva', signatureOf(eva, plan.text)), ...by(other) }
      const attempt = plan.attempt('eva', { atMs: Date.parse('2019-01-01') })
      return { plan: plan.id, records: [...plan.made(maria), approval, attempt] }
    },
  ],
]

async function expectPlansAreVerified(stage: Prepared) {
  const { world, write, url, records, other } = stage
  for (const [index, [what, forge]] of FORGED_PLANS.entries()) {
    const { plan, records: forged } = forge(stage, `forged-${index}`)
    await write(forged)
    const result = failureOf(await world.run(['plan', 'send', plan, '--yes', '-o', 'json']))
    expect([what, result.exit]).toEqual([what, 2])
    expect((await carriedOut(url)).transfers).toEqual([])
  }
  const genuine = records.transferPlan('genuine@example.com', 'genuine')
  const approval = { ...genuine.approval('joao', signatureOf(joao, genuine.text)), ...by(other) }
  await write([...genuine.made(maria), approval])
  await world.prepare(['plan', 'send', genuine.id, '--yes'])
  expect((await carriedOut(url)).transfers).toHaveLength(1)
}

it('a plan in a local ledger is not sent because a record says that it was approved', async () => {
  const sandbox = await sandboxWorld({}, {}, onTestFinished)
  const world = inThisProcess(sandbox)
  const stage = { world, url: sandbox.url, write: intoLocalLedger(world), other: undefined }
  await expectPlansAreVerified(await prepared(stage, OLD_LIST))
})

itOnPostgres('a plan in a shared ledger is not sent because a record says that it was approved', async () => {
  await expectPlansAreVerified(await prepared(await teamStage(), OLD_LIST))
})
