import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { afterAll, expect } from 'vitest'
import { here } from '../inProcess.ts'
import { itOnPostgres, type TestPostgres, withPostgres } from '../postgres.ts'
import { approverLine, intoSharedLedger, recordsOf } from './forgedRecords.ts'
import { failureOf } from './payments.ts'
import { nameOf, people, planned, signatureOf } from './planPeople.ts'
import { startTeam } from './teamDesks.ts'

const { maria, joao, eva } = people(afterAll, 'maria', 'joao', 'eva')
const PAY = ['transfer', '--key', 'loja@example.com', '--amount', '5', '--external-id', 'one']

const OTHER = ['transfer', '--key', 'ana@example.com', '--amount', '6', '--external-id', 'two']

let postgres: TestPostgres
withPostgres((started) => {
  postgres = started
})

itOnPostgres(
  'shows a plan to everybody, refuses the login that made it, and is sent once from two machines',
  async () => {
    const team = await startTeam(postgres)
    const [one, two] = [await team.joinedDesk(), await team.joinedDesk()]
    await one.prepare([...PAY, '--plan', '--ssh-key', maria.file])
    const [listed] = JSON.parse(await two.prepare(['plan', 'list', '-o', 'json']))
    expect(listed).toMatchObject({ state: 'open', maker: 'maria', totalCents: 500 })
    const approve = ['plan', 'approve', listed.plan, '--ssh-key', joao.file, '--yes']
    expect(failureOf(await one.run([...approve, '-o', 'json']))).toMatchObject({
      exit: 2,
      message: `${one.login} made the plan ${listed.plan} and cannot approve it, too`,
    })
    await two.prepare(approve)
    const sent = await Promise.all([one, two].map((desk) => desk.run(['plan', 'send', listed.plan, '--yes'])))
    // The slower one may find the payment unknown, and its answer when it resumes it.
    expect(sent.map(({ exit }) => exit)).toContain(0)
    for (const { exit } of sent) expect(exit).toBeOneOf([0, 2])
    expect(await team.booked()).toEqual(['loja@example.com 5'])
    // A machine that comes later gets the attempt and its answer together.
    const late = await team.joinedDesk()
    expect((await here(late)(['plan', 'send', listed.plan, '--yes'])).exit).toBe(2)
    for (const desk of [one, two, late]) {
      expect(JSON.parse(await desk.prepare(['plan', 'list', '-o', 'json']))).toMatchObject([{ state: 'sent' }])
      await desk.prepare(['history', 'check'])
    }
  },
)

itOnPostgres('stops a payment of all machines once something of the plan was rejected on another one', async () => {
  const team = await startTeam(postgres)
  const [one, two] = [await team.joinedDesk(), await team.joinedDesk()]
  await one.prepare([...PAY, '--plan', '--ssh-key', maria.file])
  const [{ plan }] = JSON.parse(await two.prepare(['plan', 'list', '-o', 'json']))
  await two.prepare(['plan', 'approve', plan, '--ssh-key', joao.file, '--yes'])
  await two.prepare(['plan', 'reject', plan, '--because', 'paid'])
  expect(failureOf(await here(one)(['plan', 'send', plan, '--yes', '-o', 'json']))).toMatchObject({ exit: 2 })
  expect(await team.booked()).toEqual([])
})

itOnPostgres(
  'counts approvals from the ledger alone: a file is only a name there, and two keys of a login are one person',
  async () => {
    const team = await startTeam(postgres)
    const [one, two] = [await team.joinedDesk(), await team.joinedDesk()]
    const file = await planned(one, PAY, maria)
    const plan = nameOf(file)
    expect(existsSync(`${file}.maria.sig`)).toBe(false)
    const text = readFileSync(file, 'utf8')
    // A second key of who made it, beside the file and by hand in the ledger.
    writeFileSync(`${file}.maria.sig`, signatureOf(maria, text))
    writeFileSync(`${file}.joao.sig`, signatureOf(joao, text))
    const send = async () => failureOf(await here(one)(['plan', 'send', file, '--yes', '-o', 'json']))
    const expected = { exit: 2, message: `The plan ${plan} is not approved` }
    expect(await send()).toMatchObject(expected)
    const { owner } = recordsOf(team.url)
    const approval = {
      type: 'plan-approval',
      plan,
      owner,
      approver: 'joao',
      signature: signatureOf(joao, text),
    } as const
    await intoSharedLedger(postgres, team.database, one.login)([{ content: approval }])
    expect(await send()).toMatchObject(expected)
    // Another text is another plan, whoever signs it.
    writeFileSync(`${file}-2`, text.replace('"value":5', '"value":6').replace('"totalCents": 500', '"totalCents": 600'))
    for (const person of ['maria', 'joao'] as const)
      writeFileSync(`${file}-2.${person}.sig`, signatureOf({ maria, joao }[person], readFileSync(`${file}-2`, 'utf8')))
    expect(failureOf(await here(one)(['plan', 'send', `${file}-2`, '--yes', '-o', 'json']))).toMatchObject({
      ...{ exit: 2, message: `The shared ledger does not have the plan in \`${file}-2\`` },
    })
    expect(await team.booked()).toEqual([])
    writeFileSync(`${two.home}/plan.json`, text)
    await two.prepare(['plan', 'approve', `${two.home}/plan.json`, '--ssh-key', joao.file, '--yes'])
    expect(existsSync(`${two.home}/plan.json.joao.sig`)).toBe(false)
    await one.prepare(['plan', 'send', file, '--yes'])
    expect(await team.booked()).toEqual(['loja@example.com 5'])
  },
)

itOnPostgres(
  'ends what a revoked person approved, at all desks and in a copy made anew, until another list has the person',
  async () => {
    const team = await startTeam(postgres)
    const [one, two] = [await team.joinedDesk(), await team.joinedDesk()]
    const write = intoSharedLedger(postgres, team.database, one.login)
    const records = recordsOf(team.url)
    const list = approverLine('maria', maria) + approverLine('joao', joao) + approverLine('eva', eva)
    await write([records.approversSet(null, list), records.ruleSet(null, 0)])
    const done = nameOf(await planned(one, PAY, maria))
    const waiting = nameOf(await planned(one, OTHER, maria, 'waiting.json'))
    for (const plan of [done, waiting]) await two.prepare(['plan', 'approve', plan, '--ssh-key', joao.file, '--yes'])
    await one.prepare(['plan', 'send', done, '--yes'])
    const named = ['profile', 'add', 'desk', '--base-url', team.url, '--client-id', 'local']
    const profile = [...named, '--client-secret-command', 'echo local-secret', '--no-test']
    for (const desk of [one, two]) await desk.prepare(profile)
    const revoke = (principal: string) =>
      here(two)(['profile', 'edit', 'desk', '--revoke', principal, '--because', 'left', '-o', 'json'])
    expect(failureOf(await revoke('bruno'))).toMatchObject({ exit: 2 })
    expect((await revoke('joao')).exit).toBe(0)
    expect(failureOf(await revoke('eva'))).toMatchObject({ exit: 2, code: 'APPROVAL_REQUIRED' })
    // By hand it counts as little.
    const { owner } = records
    await write([{ content: { type: 'approver-revocation', owner, principal: 'eva', because: 'by hand' } }])
    const sent = failureOf(await here(one)(['plan', 'send', waiting, '--yes', '-o', 'json']))
    expect(sent).toMatchObject({ exit: 2, message: `The plan ${waiting} is not approved` })
    expect(sent.details).toContain('The approval of joao counts no more')
    const anew = await team.joinedDesk()
    await anew.prepare(profile)
    for (const desk of [one, two, anew]) {
      const { rules } = JSON.parse(await desk.prepare(['profile', 'show', 'desk', '-o', 'json']))
      expect(rules.approvers.map(({ principal }: { principal: string }) => principal)).toEqual(['maria', 'eva'])
      expect(JSON.parse(await desk.prepare(['plan', 'list', '-o', 'json']))).toMatchObject([
        { plan: waiting, state: 'open', approvers: [] },
        { plan: done, state: 'sent', approvers: ['joao'] },
      ])
      await desk.prepare(['history', 'check'])
    }
    const approved = await here(two)(['plan', 'approve', waiting, '--ssh-key', joao.file, '--yes', '-o', 'json'])
    expect(failureOf(approved)).toMatchObject({ exit: 2 })
    await two.prepare(['plan', 'approve', waiting, '--ssh-key', eva.file, '--yes'])
    await anew.prepare(['plan', 'send', waiting, '--yes'])
    expect(await team.booked()).toEqual(['ana@example.com 6', 'loja@example.com 5'])
  },
)

itOnPostgres(
  'says of a request that a plan names only what is signed, also beyond the signatures that are looked at before a question',
  async () => {
    const team = await startTeam(postgres)
    const [one, two] = [await team.joinedDesk(), await team.joinedDesk()]
    const liar = await postgres.newLogin('pixgate_member')
    const write = intoSharedLedger(postgres, team.database, liar)
    const records = recordsOf(team.url)
    const list = approverLine('maria', maria) + approverLine('joao', joao)
    await write([records.approversSet(null, list)])
    const plan = nameOf(await planned(one, PAY, maria))
    const { owner } = records
    const approval = { type: 'plan-approval', plan, owner, approver: 'joao', signature: 'none of his' } as const
    await write(Array.from({ length: 60 }, () => ({ content: approval })))
    const inAddition = [...OTHER, '--in-addition-to', 'one', '--plan', '--ssh-key', maria.file]
    const made = await two.run(inAddition)
    expect([made.exit, made.stderr]).toEqual([0, expect.stringMatching(/verified here yet: 1\d\. /)])
    const [{ plan: second }] = JSON.parse(await two.prepare(['plan', 'list', '-o', 'json', '--limit', '1']))
    const shown = JSON.parse(await two.prepare(['plan', 'show', second, '-o', 'json']))
    expect(shown.permissions).toMatchObject([{ value: 'one', refersTo: { state: 'open', plan } }])
  },
)
