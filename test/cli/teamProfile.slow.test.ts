import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { itOnPostgres, OWNER, PASSWORD, type TestPostgres, withPostgres } from '../postgres.ts'
import { startProxy } from '../postgresProxy.ts'
import { expectDocument } from '../schemas/validity.ts'
import type { World } from '../world.ts'
import { failureOf, inProduction, inThisProcess } from './payments.ts'
import { startTeam, transferTo } from './teamDesks.ts'

const HOST = ['--confirm-host', '127.0.0.1']

let postgres: TestPostgres
withPostgres((started) => {
  postgres = started
})

function profilesOf(world: World): string {
  const path = join(world.home, 'config', 'profiles.json')
  return existsSync(path) ? readFileSync(path, 'utf8') : ''
}

itOnPostgres('shares the ledger of a profile that is added, for every profile of its account', async () => {
  const team = await startTeam(postgres)
  const [desk, other] = [inThisProcess(await team.newDesk()), await team.joinedDesk()]
  await other.prepare(transferTo('ana@example.com', 'theirs'))
  const env = { PIXGATE_BASE_URL: '', DB: PASSWORD, PGPASSWORD: '', SHOP: 'local-secret' }
  const add = ['--base-url', team.url, '--client-id', 'local', '--client-secret-env', 'SHOP']
  const shared = ['--ledger', desk.ledger, '--ledger-password-env', 'DB']
  const added = await desk.json(['profile', 'add', 'shop', ...add, ...shared], { env })
  expectDocument('profile-add', added)
  expect(added.ledger).toBe(desk.ledger)
  await desk.prepare(['profile', 'add', 'audit', ...add, '--read-only'], { env })

  const list = await desk.run(['profile', 'list', '-o', 'json'], { env })
  expect(JSON.parse(list.stdout)).toMatchObject([{ ledger: desk.ledger }, { ledger: desk.ledger }])
  expect((await desk.run(['profile', 'list'], { env })).stdout).toContain(desk.ledger)
  const shown = await desk.json(['profile', 'show', 'audit'], { env })
  expectDocument('profile-show', shown)
  expect(shown).toMatchObject({
    ledger: desk.ledger,
    changes: [
      {
        action: 'add',
        user: desk.login,
        changes: expect.arrayContaining([{ setting: 'readOnly', from: false, to: true }]),
      },
      { action: 'edit', user: desk.login, changes: [{ setting: 'ledger', from: null, to: desk.ledger }] },
      { action: 'edit', user: other.login, changes: [{ setting: 'ledger', from: null, to: other.ledger }] },
    ],
  })
  const text = (await desk.run(['profile', 'show', 'audit'], { env })).stdout
  expect(text).toContain(`ledger\t${desk.ledger}\taccount`)
  expect(text).toContain(`of this machine → ${desk.ledger}`)
  const callback = ['--callback-url', 'http://127.0.0.1:9/']
  const repeat = await desk.run(transferTo('ana@example.com', 'mine', '-p', 'shop', ...callback), { env })
  expect([repeat.exit, repeat.stderr]).toEqual([2, expect.stringContaining('already sent')])

  const before = profilesOf(desk)
  const elsewhere = postgres.address(desk.login, await postgres.newLedger()).url
  const third = await desk.run(['profile', 'add', 'third', ...add, '--ledger', elsewhere, '-o', 'json'], { env })
  expect(failureOf(third)).toMatchObject({
    exit: 2,
    message: `local uses the shared ledger ${desk.ledger} on this machine`,
  })
  expect(profilesOf(desk)).toBe(before)

  const edited = await desk.json(['profile', 'edit', 'shop', '--no-ledger', '--max-day', '9'], { env })
  expectDocument('profile-edit', edited)
  expect(edited).toMatchObject({ ledger: null, maxDay: 9 })
  expect((await desk.json(['profile', 'show', 'audit'], { env })).ledger).toBe(null)
  expect(await desk.json(['ledger', 'show', '-p', 'audit'], { env })).toMatchObject({ kind: 'local' })
})

itOnPostgres('asks in production before an account is new to a ledger, and before it leaves', async () => {
  const team = await startTeam(postgres)
  const desk = inThisProcess(await inProduction(await team.newDesk(), team.url))
  const before = profilesOf(desk)
  const shared = ['profile', 'edit', 'prod', '--ledger', desk.ledger]
  for (const [words, hint] of [
    [shared, '--confirm-host 127.0.0.1'],
    [[...shared, '--yes'], '--confirm'],
    [[...shared, '--confirm', 'other'], '--confirm'],
  ] as const) {
    const refused = failureOf(await desk.run([...words, '-o', 'json']))
    expect(refused).toMatchObject({ exit: 2, code: 'CONFIRMATION_REQUIRED', hint: expect.stringContaining(hint) })
    expect(profilesOf(desk)).toBe(before)
  }
  expect(await desk.json([...shared, '--confirm', 'prod'])).toMatchObject({ ledger: desk.ledger })

  const joined = profilesOf(desk)
  const leave = ['profile', 'edit', 'prod', '--no-ledger']
  expect(failureOf(await desk.run([...leave, '-o', 'json']))).toMatchObject({ exit: 2, code: 'CONFIRMATION_REQUIRED' })
  expect(profilesOf(desk)).toBe(joined)
  expect(await desk.json([...leave, ...HOST])).toMatchObject({ ledger: null })
  expect(failureOf(await desk.run([...leave, ...HOST, '-o', 'json']))).toMatchObject({
    exit: 2,
    message: expect.stringContaining('uses the ledger of this machine'),
  })
})

itOnPostgres('stores nothing with a ledger that cannot be used', async () => {
  const team = await startTeam(postgres)
  const desk = inThisProcess(await inProduction(await team.newDesk(), team.url))
  const other = await postgres.newLedger()
  await postgres.sql(other, 'UPDATE pixgate.ledger SET schema_version = 7')
  await postgres.sql('postgres', 'CREATE DATABASE plain')
  const reader = await postgres.newLogin('pixgate_member')
  await postgres.sql('postgres', `ALTER ROLE ${reader} SET default_transaction_read_only = on`)
  const as = (login: string, database = team.database) => postgres.address(login, database).url
  const before = profilesOf(desk)
  const add = ['profile', 'add', 'shop', '--base-url', team.url, '--client-id', 'shop', '--client-secret-env', 'SHOP']
  for (const [address, message] of [
    [desk.ledger.replace('@', ':a-password@'), 'contains a password'],
    [`${desk.ledger}?sslmode=disable`, '`sslmode` cannot be set'],
    [as(OWNER), 'could change or delete records'],
    [as(desk.login, 'nowhere'), 'no database `nowhere`'],
    [as(desk.login, 'plain'), 'has no ledger of pixgate'],
    [as(desk.login, other), 'another build of pixgate'],
    [as(reader), 'only reads'],
  ] as const) {
    for (const words of [add, ['profile', 'edit', 'prod'], ['ledger', 'join']]) {
      const named = words[0] === 'ledger' ? [address] : ['--ledger', address]
      const refused = await desk.run([...words, ...named, '--confirm', 'prod', '-o', 'json'])
      const failure = failureOf(refused)
      expect([failure.exit, failure.message], `${words[0]} ${address}`).toEqual([2, expect.stringContaining(message)])
      expect(JSON.stringify(failure)).not.toContain('a-password')
      expect(profilesOf(desk)).toBe(before)
    }
  }
})

itOnPostgres('is joined with credentials from the environment, with all that this machine paid', async () => {
  const team = await startTeam(postgres)
  const desk = inThisProcess(await inProduction(await team.newDesk(), team.url))
  const pay = transferTo('ana@example.com', 'invoice-1').filter((word) => word !== '--yes')
  await desk.prepare([...pay, '--confirm', 'prod'])
  const env = { PIXGATE_CLIENT_ID: 'local', PIXGATE_CLIENT_SECRET: 'local-secret' }
  const host = ['--confirm', new URL(team.url).host]
  await desk.prepare(['ledger', 'join', desk.ledger, ...host], { env })
  const again = transferTo('bia@example.com', 'invoice-2', '--callback-url', 'http://127.0.0.1:9/')
  await desk.prepare([...again.filter((word) => word !== '--yes'), ...host], { env })
  expect(await desk.json(['ledger', 'show'])).toMatchObject({ kind: 'shared', records: 5 })
  expect(await team.booked()).toEqual(['ana@example.com 5', 'bia@example.com 5'])
})

/** What `doctor` finds about the shared ledger, by the name of the check. */
async function findingsOf(desk: World, exit: number): Promise<Record<string, object>> {
  const ran = await desk.run(['doctor', '--timeout', '1s', '-o', 'json'])
  expect(ran.exit).toBe(exit)
  const document = JSON.parse(ran.stdout)
  expectDocument('doctor', document)
  const findings: { name: string }[] = document.findings
  return Object.fromEntries(findings.map((each) => [each.name, each]))
}

itOnPostgres('is examined by doctor: the server, the login, the copy, and what waits of whom', async () => {
  const team = await startTeam(postgres)
  const proxy = await startProxy(postgres.port)
  const [desk, other] = [inThisProcess(await team.joinedDesk(proxy.port)), inThisProcess(await team.joinedDesk())]
  expect(await findingsOf(desk, 0)).toMatchObject({
    'shared ledger': { ok: true, finding: expect.stringContaining(`${desk.login} may add records and change none`) },
    'ledger TLS': { ok: true, finding: 'not needed, the server is on this machine' },
    'ledger version': { ok: true, finding: expect.stringMatching(/^that of this pixgate, on PostgreSQL \d+/) },
    'ledger clock': { ok: true, hint: null },
    'ledger copy': { ok: true, finding: '2 records, all that the server has', hint: null },
    'waiting here': { ok: true, finding: 'nothing' },
  })
  await desk.prepare(['sandbox', 'fault', 'slow:1500ms', '--on', 'transfer'])
  const paying = desk.run(transferTo('ana@example.com', 'invoice-1'))
  const seen = async () => (await other.run(['history', '-o', 'json'])).stdout
  await expect.poll(seen, { timeout: 10_000 }).toContain('invoice-1')
  proxy.isMute = true
  expect((await paying).exit).toBe(0)
  expect(await findingsOf(desk, 6)).toMatchObject({
    'shared ledger': { ok: false, finding: expect.stringContaining('did not answer in time') },
    'ledger copy': { ok: true, finding: expect.stringMatching(/^3 records, as of .*; the server was not reached$/) },
    'waiting here': { ok: true, hint: expect.stringContaining('pixgate history') },
  })

  // Somebody else joins with a login that may only read.
  proxy.isMute = false
  const auditor = await postgres.newLogin('pixgate_auditor')
  const audited = postgres.address(auditor, team.database, proxy.port).url
  expect((await desk.run(['ledger', 'join', audited])).exit).toBe(0)
  expect(await findingsOf(desk, 0)).toMatchObject({
    'shared ledger': { ok: true, finding: expect.stringContaining('may only read'), hint: expect.any(String) },
    'waiting here': {
      finding: expect.stringContaining(`1 of ${desk.login}`),
      hint: expect.stringContaining(desk.ledger),
    },
  })
  await desk.prepare(['ledger', 'join', desk.ledger])
  expect(await findingsOf(desk, 0)).toMatchObject({ 'waiting here': { finding: 'nothing' } })
  await postgres.sql(
    team.database,
    'ALTER TABLE pixgate.record DISABLE TRIGGER ALL; DELETE FROM pixgate.record WHERE seq > 1; ALTER TABLE pixgate.record ENABLE TRIGGER ALL',
  )
  expect(await findingsOf(desk, 2)).toMatchObject({ 'ledger copy': { ok: false } })
})
