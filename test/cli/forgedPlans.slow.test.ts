import { randomUUID } from 'node:crypto'
import { afterAll, expect } from 'vitest'
import { itOnPostgres, type TestPostgres, withPostgres } from '../postgres.ts'
import { approverLine, type HandWritten, intoSharedLedger, recordsOf } from './forgedRecords.ts'
import { control, failureOf, inThisProcess } from './payments.ts'
import { people, signatureOf } from './planPeople.ts'
import { startTeam, transferTo } from './teamDesks.ts'

const { maria, joao, eva } = people(afterAll, 'maria', 'joao', 'eva')
const LIST = approverLine('maria', maria) + approverLine('joao', joao) + approverLine('eva', eva)

let postgres: TestPostgres
withPostgres((started) => {
  postgres = started
})

/** A shared ledger of one desk, into which a member without a secret writes; João approves with a login of his own. */
async function started() {
  const team = await startTeam(postgres)
  const desk = await team.joinedDesk()
  const [liar, second] = [await postgres.newLogin('pixgate_member'), await postgres.newLogin('pixgate_member')]
  const records = recordsOf(team.url)
  const write = intoSharedLedger(postgres, team.database, liar)
  await intoSharedLedger(postgres, team.database, desk.login)([records.approversSet(null, LIST)])
  const made = async (externalId: string, change = (record: HandWritten) => record) => {
    const plan = records.transferPlan(`${externalId}@example.com`, externalId)
    await write(plan.made(maria).map((record) => change({ ...record, login: desk.login })))
    return plan
  }
  const approval = (plan: Awaited<ReturnType<typeof made>>): HandWritten => ({
    ...plan.approval('joao', signatureOf(joao, plan.text)),
    login: second,
  })
  return { team, desk: inThisProcess(desk), liar, second, records, write, made, approval }
}

itOnPostgres('records by hand keep no plan alive and end none for others', async () => {
  const { team, desk, liar, second, records, write, made, approval } = await started()
  const send = async (plan: string) => failureOf(await desk.run(['plan', 'send', plan, '--yes', '-o', 'json']))
  const listed = async () => {
    const { stdout, stderr } = await desk.run(['plan', 'list', '-o', 'json'])
    return { plans: JSON.parse(stdout).map(({ plan, state }: Record<string, string>) => [plan, state]), stderr }
  }
  // The time of a record that somebody claims.
  const late = { type: 'forward', n: 1, event: 'x', url: 'x', status: 200, ms: 1, body: '', error: null } as const
  await write([{ content: late, atMs: Date.parse('9999-12-31') }])

  const revoked = await made('revoked')
  const [rejected, good] = [await made('rejected'), await made('good')]
  await write([revoked, rejected, good].map((plan) => approval(plan)))
  await write([revoked.attempt('joao', { body: '{}' }), rejected.attempt('joao', { body: '{}' })])
  // A plan without its text, and one of another account than its record says.
  const [record] = records.transferPlan('lost@example.com', 'lost').made(maria).slice(1)
  if (record === undefined || record.content.type !== 'plan') throw new Error('a plan has a record')
  const over = { ...record.content, plan: 'plan-0123456789abcdef', expiresAt: '2020-01-01T00:00:00.000Z' }
  await write([record, { content: over }])
  const owner = { ...records.owner, clientId: 'other' }
  const elsewhere = await made('elsewhere', ({ content, ...rest }) => {
    if (content.type !== 'plan' && content.type !== 'plan-text') throw new Error('a plan is made of two records')
    return { ...rest, content: { ...content, owner } }
  })
  await write([approval(elsewhere)])

  const { plans, stderr } = await listed()
  const approved = [good, rejected, revoked].map(({ id }) => [id, 'approved'])
  expect(plans).toEqual(approved)
  expect(stderr).toContain(`written by ${liar} on desk, is left out`)
  expect(stderr).toContain(over.plan)
  expect(await send(elsewhere.id)).toMatchObject({
    exit: 2,
    message: expect.stringContaining('is not the one that was'),
  })

  await desk.prepare(['plan', 'reject', rejected.id, '--because', 'paid'])
  expect(await send(rejected.id)).toMatchObject({ exit: 2, message: expect.stringContaining('was rejected') })

  await write([{ content: { type: 'approver-revocation', owner: records.owner, principal: 'joao', because: 'left' } }])
  const ended = { exit: 2, code: 'APPROVAL_REQUIRED' }
  expect(await send(revoked.id)).toMatchObject(ended)
  const show = ['plan', 'show', revoked.id]
  expect(JSON.parse(await desk.prepare([...show, '-o', 'json']))).toMatchObject({
    ...{ state: 'open', approvers: [] },
    signatures: ['maria', 'joao'].map((principal) => ({ principal, verified: true })),
  })
  expect(await desk.prepare(show)).toMatch(new RegExp(`valid: joao, but joao was revoked on .* by\\s+${liar}:\\s+left`))
  // João comes back, and what he had signed is written again: in another way, and under another name.
  const text = signatureOf(joao, revoked.text).replaceAll('\n', '\r\n')
  for (const [list, name] of [
    [`${LIST}# again\n`, 'joao'],
    [LIST.replace('joao', 'ana'), 'ana'],
  ] as const) {
    await write([
      { ...records.approversSet(LIST, list), login: desk.login },
      { ...revoked.approval(name, text), login: second },
    ])
    expect(await send(revoked.id)).toMatchObject(ended)
  }
  await write([good.approval('eva', signatureOf(joao, good.text))])
  expect(await desk.prepare(['plan', 'show', good.id])).toMatch(
    new RegExp(`not approved +by eva, .*, written by\\s+${liar} on\\s+desk`),
  )
  await write([good.approval('zoe', signatureOf(joao, good.text))])
  await write([{ ...good.approval('eva', signatureOf(eva, good.text)), login: second }])
  await desk.prepare(['plan', 'send', good.id, '--yes'])
  expect(await team.booked()).toEqual(['good@example.com 1'])
  // Who has no valid signature is not said to have approved what was sent.
  const [sent] = JSON.parse(await desk.prepare(['plan', 'list', '--state', 'sent', '-o', 'json']))
  expect(sent).toMatchObject({ plan: good.id, approvers: ['eva'] })
})

itOnPostgres('a rule becomes weaker only where a person typed it, whatever another login writes', async () => {
  const team = await startTeam(postgres)
  const [desk, colleague] = [await team.joinedDesk(), await team.joinedDesk()].map(inThisProcess)
  if (desk === undefined || colleague === undefined) throw new Error('two machines have joined')
  const liar = await postgres.newLogin('pixgate_member')
  const { owner } = recordsOf(team.url)
  const url = ['--base-url', team.url, '--client-id', 'local', '--callback-url', 'http://127.0.0.1:1/']
  for (const world of [desk, colleague]) {
    await world.prepare(['profile', 'add', 'shop', ...url, '--environment', 'sandbox', '--client-secret-stdin'], {
      stdin: 'local-secret',
    })
    world.env.PIXGATE_BASE_URL = ''
  }
  await desk.prepare(['profile', 'edit', 'shop', '--payees-only', '--payee-wait', '24h'])
  const pay = (world: typeof desk, id: string) => world.run(transferTo(`${id}@example.com`, id))
  const rulesOf = async (world: typeof desk) => JSON.parse(await world.prepare(['profile', 'show', '-o', 'json'])).rules
  const ended = (from: unknown, rule: 'payeesOnly' | 'payeeWaitMs'): HandWritten => ({
    content: { type: 'account-rule', owner, rule, from: from === true ? true : Number(from), to: null },
  })
  // As if a person had accepted a ledger that lacks records, which then has another id.
  const accepted = { type: 'accepted-older', ledger: randomUUID(), lastKnown: 9, last: 1 } as const
  const lies = [ended(true, 'payeesOnly'), ended(86_400_000, 'payeeWaitMs'), { content: accepted }]
  await intoSharedLedger(postgres, team.database, liar)(lies)

  for (const [place, world] of [desk, colleague].entries()) {
    const refused = await pay(world, `lie-${place}`)
    expect(refused.exit).toBe(2)
    expect(refused.stderr).toContain(`written by ${liar} on desk`)
    expect(refused.stderr).toContain('pixgate profile edit shop --no-payees-only')
    expect((await pay(world, `again-${place}`)).stderr).not.toContain('does not count')
    for (const examined of [['history', 'check'], ['doctor']]) {
      const { stdout, stderr } = await world.run(examined)
      expect(stdout + stderr).toContain('cannot be read')
      expect(stdout + stderr).toMatch(new RegExp(`written by\\s+${liar}\\s+on\\s+desk`))
    }
    expect(await rulesOf(world)).toMatchObject({ payeesOnly: true, payeeWait: '24h' })
  }

  // What a person typed on one machine holds for its login, and for others once they type it, too. A stricter rule holds for everybody.
  const ends = ['profile', 'edit', 'shop', '--no-payees-only', '--no-payee-wait', '--confirm-host', '127.0.0.1']
  expect((await colleague.prepare(ends)).replaceAll(/\s+/g, ' ')).toContain(
    'payees only yes → no wait for new payees 24h → none for others Every other login keeps the stricter rule',
  )
  await colleague.prepare(transferTo('free@example.com', 'free'))
  const refused = await pay(desk, 'not-here')
  expect(refused.exit).toBe(2)
  expect(refused.stderr).toContain(`written by ${colleague.login}`)
  await desk.prepare(ends)
  await desk.prepare(transferTo('here@example.com', 'here'))
  expect((await desk.run(['history', 'check'])).stderr).not.toContain('does not count')
  await colleague.prepare(['profile', 'edit', 'shop', '--require-external-id'])
  expect(await rulesOf(desk)).toMatchObject({ payeesOnly: false, payeeWait: null, requireExternalId: true })
  expect(await team.booked()).toEqual(['free@example.com 5', 'here@example.com 5'])
})

itOnPostgres('a copied request keeps no plan alive past its end or a revocation, and the own one does', async () => {
  const { team, desk, second, records, write, made, approval } = await started()
  const { url } = team
  const send = async (plan: string) => failureOf(await desk.run(['plan', 'send', plan, '--yes', '-o', 'json']))
  const revoked = await made('gone')
  const expiresMs = Date.now() + 12_000
  const [mine, copied] = ['mine', 'copied'].map((id) => records.transferPlan(`${id}@example.com`, id, expiresMs))
  if (mine === undefined || copied === undefined) throw new Error('there are two')
  await write([mine, copied].flatMap((plan) => plan.made(maria).map((each) => ({ ...each, login: second }))))
  const signed = (plan: typeof mine) => plan.approval('joao', signatureOf(joao, plan.text))
  await write([signed(mine), signed(copied), approval(revoked)])
  await write([copied.attempt('joao'), revoked.attempt('joao')])
  await control(url, 'fault', { kind: 'drop-before', on: 'transfer', times: 1 })
  expect(await send(mine.id)).toMatchObject({ exit: 5 })
  await write([{ content: { type: 'approver-revocation', owner: records.owner, principal: 'joao', because: 'left' } }])
  expect(await send(revoked.id)).toMatchObject({ exit: 2, code: 'APPROVAL_REQUIRED' })
  await new Promise((resolve) => setTimeout(resolve, Math.max(0, expiresMs - Date.now())))
  expect(await send(copied.id)).toMatchObject({ exit: 2, message: expect.stringContaining('expired') })
  expect(await team.booked()).toEqual([])
  const listed = JSON.parse(await desk.prepare(['plan', 'list', '-o', 'json']))
  expect(listed.map(({ plan, state }: Record<string, string>) => [plan, state])).toEqual(
    expect.arrayContaining([
      [copied.id, 'expired'],
      [mine.id, 'interrupted'],
    ]),
  )
  await desk.prepare(['plan', 'send', mine.id, '--yes'])
  expect(await team.booked()).toEqual(['mine@example.com 1'])
})
