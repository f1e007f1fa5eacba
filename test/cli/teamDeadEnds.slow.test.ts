import { randomUUID } from 'node:crypto'
import { cpSync, rmSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import { readLedgerAddress } from '../../src/ledger/team/ledgerAddress.ts'
import { copyFolder } from '../../src/ledger/team/openTeam.ts'
import { openPendingRecords } from '../../src/ledger/team/pendingRecords.ts'
import { itOnPostgres, OWNER, PASSWORD, type TestPostgres, withOwnPostgres } from '../postgres.ts'
import { startProxy } from '../postgresProxy.ts'
import { emptyWorld } from '../world.ts'
import { failureOf, inProduction, inThisProcess, paidPayment } from './payments.ts'
import { type Desk, startTeam, type Team } from './teamDesks.ts'

let postgres: TestPostgres
withOwnPostgres((started) => {
  postgres = started
})

const pay = (key: string) => [
  ...['transfer', '--key', `${key}@example.com`, '--amount', '5', '--external-id', key, '--confirm', 'prod'],
]

async function productionDesk(team: Team): Promise<Desk> {
  const desk = inThisProcess(await team.newDesk())
  await inProduction(desk, team.url)
  await desk.prepare(['ledger', 'join', desk.ledger, '--confirm-host', '127.0.0.1'])
  return desk
}

// First, because a server has the roles from then on.
itOnPostgres('is set up by the plain owner of a database, who ends a stop whoever ran the statements', async () => {
  const world = inThisProcess(emptyWorld({ PGPASSWORD: PASSWORD }))
  await postgres.sql('postgres', `CREATE ROLE plain LOGIN PASSWORD '${PASSWORD}'`)
  for (const name of ['one', 'two']) await postgres.sql('postgres', `CREATE DATABASE ${name} OWNER plain`)
  const [one, two] = ['one', 'two'].map((name) => postgres.address('plain', name).url)
  const init = ['ledger', 'init', one ?? '']
  const refused = failureOf(await world.run([...init, '-o', 'json']))
  expect(refused).toMatchObject({
    exit: 2,
    code: 'LEDGER_LOGIN_REFUSED',
    hint: `Run \`pixgate ledger init ${one}\` again after that`,
  })
  const typed = String(refused.details)
    .split('\n')
    .filter((line) => line.startsWith('CREATE ROLE pixgate'))
  expect(typed).toEqual(['CREATE ROLE pixgate_member NOLOGIN;', 'CREATE ROLE pixgate_auditor NOLOGIN;'])
  await postgres.sql('postgres', typed.join(' '))
  await world.prepare(init)
  // The other one by an administrator who reads the statements first.
  await postgres.sql('two', await world.prepare(['ledger', 'init', two ?? '', '--print-sql']))
  for (const address of [one, two]) {
    expect((await world.run(['ledger', 'repair', address ?? ''])).stdout).toContain('The ledger is not stopped')
  }
})

itOnPostgres('lets an auditor join and read, and proposes nobody for the role of a member', async () => {
  const team = await startTeam(postgres)
  const desk = await productionDesk(team)
  await desk.prepare(pay('one'))
  const original = await paidPayment(team.url, 10)
  const login = await postgres.newLogin('pixgate_auditor')
  const address = postgres.address(login, team.database).url
  const diego = inThisProcess(emptyWorld({ PGPASSWORD: PASSWORD }))
  const add = ['profile', 'add', 'shop', '--base-url', team.url, '--client-id', 'local', '--no-secret', '--read-only']
  const added = await diego.run([...add, '--environment', 'production', '--confirm-host', '127.0.0.1'])
  expect(added).toMatchObject({ exit: 0, stderr: expect.not.stringContaining('real money') })
  const edit = ['profile', 'edit', 'shop', '--max-amount', '5']
  for (const args of [
    ['ledger', 'join', address],
    edit,
    ['ledger', 'leave', '--confirm-host', '127.0.0.1'],
    ['ledger', 'join', address],
  ]) {
    const { exit, stderr } = await diego.run(args)
    expect([args, exit, stderr]).toEqual([args, 0, expect.not.stringMatching(/GRANT|warning|rights/)])
  }
  expect(JSON.parse(await diego.prepare(['history', '-o', 'json']))).toHaveLength(1)

  const refund = await diego.run(['refund', original, '--full', '--reason', 'x', '--confirm', 'shop', '-o', 'json'])
  expect(failureOf(refund)).toMatchObject({ exit: 2, message: expect.stringContaining('is read-only') })
  expect(failureOf(refund).hint).not.toContain('pixgate')
  for (const args of [
    ['payee', 'add', 'acme', '--key', 'acme@example.com', '--yes'],
    ['ledger', 'repair'],
  ]) {
    const { exit, stderr } = await diego.run(args)
    expect([args[0], exit, stderr]).toEqual([
      args[0],
      args[0] === 'ledger' ? 0 : 2,
      expect.not.stringContaining('GRANT'),
    ])
  }
  const { stdout } = await diego.run(['doctor', '-o', 'json'])
  const examined = JSON.parse(stdout)
  expect(examined.findings).toContainEqual(expect.objectContaining({ name: 'shared ledger', ok: true, hint: null }))
  // Who reads lacks no secret.
  expect(examined).toMatchObject({ ok: true })
})

itOnPostgres('tells a login that may only read nothing about paying', async () => {
  const team = await startTeam(postgres)
  const desk = await productionDesk(team)
  await desk.prepare(pay('one'))
  const original = await paidPayment(team.url, 10)
  const address = postgres.address(await postgres.newLogin('pixgate_auditor'), team.database).url
  const reader = inThisProcess(emptyWorld({ PGPASSWORD: PASSWORD }))
  const add = ['profile', 'add', 'shop', '--base-url', team.url, '--client-id', 'local', '--no-secret']
  const added = await reader.run([
    ...add,
    '--ledger',
    address,
    '--environment',
    'production',
    '--confirm-host',
    '127.0.0.1',
  ])
  expect(added).toMatchObject({ exit: 0, stderr: expect.not.stringMatching(/callback|plan payments/) })
  for (const args of [
    ['refund', original, '--amount', '1', '--reason', 'x'],
    ['transfer', '--key', 'x@example.com', '--amount', '1'],
  ]) {
    const failure = failureOf(await reader.run([...args, '--plan', '-o', 'json']))
    expect(failure).toMatchObject({
      exit: 2,
      code: 'LEDGER_LOGIN_REFUSED',
      hint: expect.not.stringContaining('callback'),
    })
  }
})

itOnPostgres('uses the same ledger at another address, and no other one', async () => {
  const team = await startTeam(postgres)
  const desk = await productionDesk(team)
  await desk.prepare(pay('one'))
  const { port } = await startProxy(postgres.port)
  const moved = postgres.address(desk.login, team.database, port).url
  await desk.prepare(['ledger', 'join', moved])
  expect(await desk.json(['ledger', 'show'])).toMatchObject({ database: moved, behind: 0 })
  expect((await desk.run(pay('one'))).stderr).toContain('already sent')
  await desk.prepare(pay('two'))
  const other = postgres.address(desk.login, await postgres.newLedger()).url
  expect(failureOf(await desk.run(['ledger', 'join', other, '-o', 'json']))).toMatchObject({
    exit: 2,
    details: expect.stringContaining('has another ledger'),
  })
  expect(await desk.json(['ledger', 'show'])).toMatchObject({ database: moved })

  // What waits in the copy goes along, also to where a copy is already, such as that of another account.
  const [here, there] = [moved, desk.ledger].map((url) => copyFolder(join(desk.home, 'data'), readLedgerAddress(url)))
  if (here === undefined || there === undefined) throw new Error('each address has a folder')
  cpSync(here, there, { recursive: true })
  const id = randomUUID()
  const content = { type: 'forward', n: 1, event: 'x', url: 'x', status: 200, ms: 1, body: '', error: null }
  const pending = await openPendingRecords(here)
  pending.add([{ id, at: new Date().toISOString(), content: JSON.stringify(content) }], desk.login)
  pending.close()
  await desk.prepare(['ledger', 'join', desk.ledger])
  expect(await desk.json(['ledger', 'show'])).toMatchObject({ database: desk.ledger, pending: 0 })
  expect(await postgres.sql(team.database, `SELECT count(*) FROM pixgate.record WHERE id = '${id}'`)).toBe('1')
})

itOnPostgres(
  'repairs a machine that lost its copy before the database was restored, and waits for none that is gone',
  async () => {
    const team = await startTeam(postgres)
    const owner = postgres.address(OWNER, team.database).url
    const [lost, left] = [await productionDesk(team), await productionDesk(team)]
    await lost.prepare(pay('before'))
    const file = join(postgres.folder, `${team.database}.dump`)
    const server = ['-h', '127.0.0.1', '-p', String(postgres.port), '-U', OWNER]
    await postgres.program('pg_dump', [...server, '-Fc', '-f', file, team.database])
    await lost.prepare(pay('lost'))
    await left.prepare(['history'])
    rmSync(join(lost.home, 'data'), { recursive: true })
    await postgres.sql('postgres', `DROP DATABASE ${team.database} WITH (FORCE)`)
    await postgres.sql('postgres', `CREATE DATABASE ${team.database}`)
    await postgres.program('pg_restore', [...server, '-d', team.database, file])
    await left.prepare(['ledger', 'repair'])

    const unknown = await left.run(['ledger', 'repair', owner, '--gone', 'desk-nobody', '-o', 'json'])
    expect(failureOf(unknown)).toMatchObject({ exit: 2, details: expect.stringContaining(hostname()) })
    const ended = await left.run([
      'ledger',
      'repair',
      owner,
      '--gone',
      hostname(),
      '--confirm-host',
      '127.0.0.1',
      '-o',
      'json',
    ])
    expect(JSON.parse(ended.stdout)).toMatchObject({ ended: true, notHeardFrom: [] })

    expect(failureOf(await lost.run([...pay('next'), '-o', 'json']))).toMatchObject({
      exit: 2,
      code: 'LEDGER_OLDER',
      hint: expect.stringContaining('`pixgate ledger repair`'),
    })
    const repair = ['ledger', 'repair', '-o', 'json']
    expect(failureOf(await lost.run(repair))).toMatchObject({ exit: 2, code: 'CONFIRMATION_REQUIRED' })
    await lost.prepare([...repair, '--confirm-host', '127.0.0.1'])
    await lost.prepare(pay('next'))
    const refused = await lost.run(pay('lost'))
    expect([refused.exit, refused.stderr]).toEqual([2, expect.stringMatching(/already sent|is not sent again/)])
  },
)
