import { afterAll, expect } from 'vitest'
import { itOnPostgres, type TestPostgres, withPostgres } from '../postgres.ts'
import { approverLine, type HandWritten, intoSharedLedger, recordsOf } from './forgedRecords.ts'
import { control, failureOf, inThisProcess } from './payments.ts'
import { people, signatureOf } from './planPeople.ts'
import { startTeam } from './teamDesks.ts'

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
  if (record === undefined) throw new Error('a plan has a record')
  await write([record])
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
  expect(await send(elsewhere.id)).toMatchObject({
    exit: 2,
    message: expect.stringContaining('is not the one that was'),
  })

  await desk.prepare(['plan', 'reject', rejected.id, '--because', 'paid'])
  expect(await send(rejected.id)).toMatchObject({ exit: 2, message: expect.stringContaining('was rejected') })

  await write([{ content: { type: 'approver-revocation', owner: records.owner, principal: 'joao', because: 'left' } }])
  const ended = { exit: 2, code: 'APPROVAL_REQUIRED' }
  expect(await send(revoked.id)).toMatchObject(ended)
  // João comes back, and what he had signed is written again: in another way, and under another name.
  const text = signatureOf(joao, revoked.text).replaceAll('\n', '\r\n')
  for (const [list, name] of [
    [`${LIST}# again\n`, 'joao'],
    [LIST.replace('joao', 'ana'), 'ana'],
  ] as const) {
    await write([records.approversSet(LIST, list), { ...revoked.approval(name, text), login: second }])
    expect(await send(revoked.id)).toMatchObject(ended)
  }
  await write([{ ...good.approval('eva', signatureOf(eva, good.text)), login: second }])
  await desk.prepare(['plan', 'send', good.id, '--yes'])
  expect(await team.booked()).toEqual(['good@example.com 1'])
})

itOnPostgres('a copied request keeps no plan alive past its end or a revocation, and the own one does', async () => {
  const { team, desk, second, records, write, made, approval } = await started()
  const { url } = team
  const send = async (plan: string) => failureOf(await desk.run(['plan', 'send', plan, '--yes', '-o', 'json']))
  const revoked = await made('gone')
  const expiresMs = Date.now() + 5000
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
