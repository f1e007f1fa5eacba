import { spawn } from 'node:child_process'
import { hostname } from 'node:os'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import { here } from '../inProcess.ts'
import { connected, itOnPostgres, soon, type TestPostgres, withPostgres } from '../postgres.ts'
import { startProxy } from '../postgresProxy.ts'
import { itOnTerminal, onTerminal } from '../pseudoTerminal.ts'
import { expectDocument } from '../schemas/validity.ts'
import { BINARY, NODE } from '../world.ts'
import { csvIn } from './batchFiles.ts'
import { startListener } from './listener.ts'
import { inThisProcess } from './payments.ts'
import { type Desk, startTeam, transferTo } from './teamDesks.ts'

let postgres: TestPostgres
withPostgres((started) => {
  postgres = started
})

/** A document, after it was compared with its schema. */
function expectDocumentOf(name: string, document: Record<string, unknown>): Record<string, unknown> {
  expectDocument(name, document)
  return document
}

/** What a desk shows of all payments: reference, state and who sent it. */
async function shown(desk: Desk): Promise<string[]> {
  const listed = await desk.prepare(['history', '-o', 'json'])
  const lines: { pixgate: { ownReference: string; state: string; user: string } }[] = JSON.parse(listed)
  return lines.map(({ pixgate: { ownReference, state, user } }) => `${ownReference} ${state} ${user}`).sort()
}

/** The records of a desk's ledger that say who chose another one for the account. */
async function ledgerChanges(desk: Desk): Promise<object[]> {
  const lines = (await desk.prepare(['history', 'export'])).trim().split('\n')
  return lines.map((line) => JSON.parse(line)).filter(({ type }) => type === 'profile-change')
}

itOnPostgres('pays each invoice once, however two desks race for them, and shows the same on both', async () => {
  const team = await startTeam(postgres)
  const desks = [await team.joinedDesk(), await team.joinedDesk()]
  const invoices = Array.from({ length: 3 }, (_, index) => `shop-${index}@example.com`)
  const results = await Promise.all(
    invoices.flatMap((key, index) =>
      desks.map((desk) => desk.run(transferTo(key, `${desk.login}-${index}`, '--timeout', '60s'))),
    ),
  )
  expect(results.filter(({ exit }) => exit === 0)).toHaveLength(invoices.length)
  for (const { exit, stderr } of results) expect([exit, stderr]).toEqual([expect.toBeOneOf([0, 2]), expect.anything()])
  expect(await team.booked()).toEqual(invoices.map((key) => `${key} 5`))
  const [one = [], other] = await Promise.all(desks.map(shown))
  expect(one).toHaveLength(invoices.length)
  expect(other).toEqual(one)
  for (const desk of desks) expect((await here(desk)(['history', 'check'])).stderr).not.toContain('damaged')
})

itOnPostgres('brings along what a machine has recorded, once, and takes everything back', async () => {
  const team = await startTeam(postgres)
  const [binary, other] = [await team.newDesk(), inThisProcess(await team.joinedDesk())]
  const desk = inThisProcess(binary)
  await desk.prepare(transferTo('before@example.com', 'before'))
  expect(expectDocumentOf('ledger-join', await desk.json(['ledger', 'join', desk.ledger]))).toMatchObject({
    // With one that says that it joined, as the other has.
    records: 4,
    brought: 2,
  })
  expect(await desk.json(['ledger', 'join', desk.ledger])).toMatchObject({ records: 4, brought: 0 })
  expect((await other.run(transferTo('before@example.com', 'again'))).stderr).toContain('already sent')
  await other.prepare(transferTo('after@example.com', 'after'))
  expect(expectDocumentOf('ledger-leave', await binary.json(['ledger', 'leave']))).toMatchObject({ brought: 5 })
  expect(expectDocumentOf('ledger-show', await desk.json(['ledger', 'show']))).toMatchObject({
    kind: 'local',
    records: 7,
  })
  const left = [{ setting: 'ledger', from: desk.ledger, to: null }]
  const writer = { user: desk.login, machine: hostname() }
  expect((await ledgerChanges(other)).at(-1)).toMatchObject({ ...writer, changes: left })
  expect((await ledgerChanges(desk)).at(-1)).toMatchObject({ firstBy: writer, changes: left })
  expect((await desk.run(transferTo('after@example.com', 'mine'))).stderr).toContain('already sent')
  expect(await shown(desk)).toEqual(await shown(other))
})

itOnPostgres('shows once what two machines had sent from the same file before they joined', async () => {
  const team = await startTeam(postgres)
  const [desk, laptop] = [await team.newDesk(), await team.newDesk()]
  const rows = ['ana@example.com,10', 'bia@example.com,20', 'caio@example.com,30']
  const send = ['batch', 'transfer', csvIn(desk, 'payroll.csv', 'key,value', rows), '--yes']
  await desk.prepare([...send, '--limit', '2'])
  await laptop.prepare(send)
  await laptop.prepare(['ledger', 'join', laptop.ledger])
  await desk.prepare(['ledger', 'join', desk.ledger])
  for (const each of [desk, laptop]) {
    const listed = await each.prepare(['history', '-o', 'json'])
    const payments: { amount: number; pixgate: { storedBy: string } }[] = JSON.parse(listed)
    expect(payments.map(({ amount, pixgate }) => `${amount} ${pixgate.storedBy}`).sort()).toEqual([
      `10 ${desk.login}`,
      `20 ${desk.login}`,
      `30 ${laptop.login}`,
    ])
  }
  const runs = (await laptop.prepare(['batch', 'list'])).trimEnd().split('\n').slice(1)
  expect(runs.map((line) => line.split('\t').at(-1)).sort()).toEqual([
    'accepted: 3',
    'accepted: 3 (accepted before: 2, R$ 30,00)',
  ])
  expect((await here(desk)(['history'])).stderr).toMatch(/^transfer accepted: 3, R\$ 60,00\n$/)
})

itOnPostgres('sends nothing without the server, and shows the copy with its age', async () => {
  const team = await startTeam(postgres)
  const proxy = await startProxy(postgres.port)
  const desk = inThisProcess(await team.joinedDesk(proxy.port))
  await desk.prepare(transferTo('ana@example.com', 'invoice-1'))
  proxy.isMute = true
  const refused = await desk.run(transferTo('bia@example.com', 'invoice-2', '--timeout', '1s', '-o', 'json'))
  expect([refused.exit, refused.stdout]).toEqual([6, ''])
  expect(JSON.parse(refused.stderr).error).toMatchObject({ code: 'LEDGER_NOT_REACHED', outcome: 'not-sent' })
  const list = await desk.run(['history', '--timeout', '1s'])
  expect(list).toMatchObject({ exit: 0, stdout: expect.stringContaining('invoice-1') })
  expect(list.stderr).toMatch(/^This is the copy of .* on this machine/)
  expect(await team.booked()).toEqual(['ana@example.com 5'])
})

itOnPostgres(
  'sends nothing if nobody knows whether the server recorded it, and says so as soon as it can',
  async () => {
    const team = await startTeam(postgres)
    const proxy = await startProxy(postgres.port)
    const [desk, other] = [inThisProcess(await team.joinedDesk(proxy.port)), inThisProcess(await team.joinedDesk())]
    for (const [index, loss] of (['mute', 'cut'] as const).entries()) {
      const key = `shop-${index}@example.com`
      proxy.afterCommit = loss
      const lost = await desk.run(transferTo(key, `lost-${index}`, '--timeout', '1500ms', '-o', 'json'))
      expect([lost.exit, JSON.parse(lost.stderr).error.code]).toEqual([6, 'LEDGER_NOT_REACHED'])
      proxy.afterCommit = 'answer'
      await desk.prepare(['history'])
      expect((await other.run(transferTo(key, `theirs-${index}`))).exit).toBe(0)
    }
    expect(await team.booked()).toEqual(['shop-0@example.com 5', 'shop-1@example.com 5'])
    expect(await shown(desk)).toEqual(await shown(other))
  },
)

itOnPostgres('keeps what arrives while the server is gone, and hands it over', async () => {
  const team = await startTeam(postgres)
  const proxy = await startProxy(postgres.port)
  const [desk, other] = [await team.joinedDesk(proxy.port), inThisProcess(await team.joinedDesk())]
  const listener = await startListener(desk)
  const words = transferTo('ana@example.com', 'invoice-1')
  await desk.prepare(['sandbox', 'fault', 'slow:1500ms', '--on', 'transfer'])
  const paying = desk.run(words)
  // The attempt is recorded; its answer is not.
  await expect.poll(async () => (await shown(other)).length, { timeout: 10_000 }).toBe(1)
  proxy.isMute = true
  expect((await other.run(['history'])).stdout).toContain('being sent')
  const again = await other.run(words)
  expect([again.exit, again.stderr]).toEqual([2, expect.stringContaining(`It is being sent by ${desk.login} on `)])
  const { exit, stdout, stderr } = await paying
  expect([exit, stdout]).toEqual([0, expect.stringContaining('accepted')])
  expect(stderr).toContain('Answers and events that wait on this machine until the shared ledger is reached: 1')
  // Nothing has to wait for long.
  desk.env.PIXGATE_TIMEOUT = '500ms'
  const id = /^id +(\S+)$/m.exec(stdout)?.[1] ?? ''
  const about = [
    '--set',
    `data.idTransaction="${id}"`,
    '--set',
    'data.externalId="invoice-1"',
    '--set',
    'data.amount=5',
  ]
  await desk.prepare([
    'webhook',
    'send',
    'transfer.completed',
    '--to',
    listener.url,
    ...about,
    '--yes',
    '--timeout',
    '10s',
  ])

  expect(await inThisProcess(desk).json(['ledger', 'show'])).toMatchObject({ pending: 2, behind: null })
  expect(await shown(desk)).toEqual([`invoice-1 paid ${desk.login}`])
  expect(await shown(other)).toEqual([`invoice-1 being-sent ${desk.login}`])
  expect(listener.lines()[1]).toMatchObject({ type: 'event', n: null, valid: true })
  const [pending] = JSON.parse(await desk.prepare(['webhook', 'events', '-o', 'json']))
  expect(pending).toMatchObject({ n: null, pixgate: { idTransaction: id, user: desk.login } })
  expect((await here(desk)(['webhook', 'events', 'show', '1'])).exit).toBe(3)
  expectDocument('webhook-events', [pending])
  proxy.isMute = false
  desk.env.PIXGATE_TIMEOUT = '10s'
  await desk.prepare(['history'])
  expect(await shown(other)).toEqual([`invoice-1 paid ${desk.login}`])
  const [event] = JSON.parse(await other.prepare(['webhook', 'events', '-o', 'json']))
  expect(event).toMatchObject({ n: 1, pixgate: { idTransaction: id, user: desk.login } })
  expect(await inThisProcess(desk).json(['ledger', 'show'])).toMatchObject({ pending: 0, behind: 0 })
})

itOnPostgres('sends nothing after its process slept past the time in which it may', async () => {
  const team = await startTeam(postgres)
  const proxy = await startProxy(postgres.port)
  const desk = await team.joinedDesk(proxy.port)
  const server = await connected(postgres.address(desk.login, team.database))
  proxy.delayMs = 100
  const words = transferTo('ana@example.com', 'slept', '--timeout', '3s')
  const paying = spawn(NODE, [BINARY, ...words], { env: desk.env, stdio: ['ignore', 'ignore', 'pipe'] })
  const said = text(paying.stderr)
  const exited = new Promise((resolve) => paying.on('close', resolve))
  const recorded = async () => (await server.recordsAfter(0, 9, soon())).length
  await expect.poll(recorded, { timeout: 10_000, interval: 5 }).toBe(2)
  // The server has the attempt, and its answer to COMMIT is under way.
  paying.kill('SIGSTOP')
  await sleep(3500)
  paying.kill('SIGCONT')
  expect([await exited, await said]).toEqual([6, expect.stringContaining('Nothing was sent')])
  expect(await team.booked()).toEqual([])
})

itOnPostgres('stops if the server holds less than one machine has seen, and tells the others', async () => {
  const team = await startTeam(postgres)
  const [desk, other] = [inThisProcess(await team.joinedDesk()), await team.joinedDesk()]
  await desk.prepare(transferTo('ana@example.com', 'invoice-1'))
  await postgres.sql(
    team.database,
    'ALTER TABLE pixgate.record DISABLE TRIGGER ALL; DELETE FROM pixgate.record WHERE seq > 2; ALTER TABLE pixgate.record ENABLE TRIGGER ALL',
  )
  const { exit, stdout, stderr } = await desk.run(transferTo('bia@example.com', 'invoice-2', '-o', 'json'))
  expect([exit, stdout, JSON.parse(stderr).error.code]).toEqual([2, '', 'LEDGER_OLDER'])
  // What it has seen is still shown.
  expect(await shown(desk)).toEqual([`invoice-1 accepted ${desk.login}`])
  const told = await here(other)(transferTo('ana@example.com', 'invoice-1'))
  expect([told.exit, told.stderr]).toEqual([2, expect.stringContaining(`${desk.login} on ${hostname()} found on`)])
  expect(await other.json(['ledger', 'show'])).toMatchObject({ behind: 0, stopped: { code: 'LEDGER_OLDER' } })
  expect((await here(other)(['history'])).stderr).toContain('The shared ledger is stopped')
  expect(await team.booked()).toEqual(['ana@example.com 5'])
})

itOnPostgres(
  'is used with credentials from the environment, as soon as this machine joined it for their account',
  async () => {
    const team = await startTeam(postgres)
    const [desk, other] = [inThisProcess(await team.newDesk()), inThisProcess(await team.joinedDesk())]
    const env = {
      PIXGATE_CLIENT_ID: 'local',
      PIXGATE_CLIENT_SECRET: 'local-secret',
      PIXGATE_CALLBACK_URL: 'http://127.0.0.1:9/',
    }
    await desk.prepare(transferTo('ana@example.com', 'invoice-1'), { env })
    expect(await desk.json(['ledger', 'show'], { env })).toMatchObject({ kind: 'local' })
    expect(await shown(other)).toEqual([])
    await desk.prepare(['ledger', 'join', desk.ledger])
    expect(await desk.json(['ledger', 'show'], { env })).toMatchObject({ kind: 'shared', database: desk.ledger })
    await other.prepare(transferTo('bia@example.com', 'invoice-2'))
    const twice = await desk.run(transferTo('bia@example.com', 'invoice-2'), { env })
    expect([twice.exit, twice.stderr]).toEqual([2, expect.stringContaining(other.login)])
    await desk.prepare(transferTo('caio@example.com', 'invoice-3'), { env })
    expect(await shown(other)).toEqual([
      expect.stringMatching(/^invoice-1 accepted /),
      `invoice-2 accepted ${other.login}`,
      `invoice-3 accepted ${desk.login}`,
    ])
    expect(await team.booked()).toEqual(['ana@example.com 5', 'bia@example.com 5', 'caio@example.com 5'])
    await desk.prepare(['ledger', 'leave', '--yes'], { env })
    expect(await desk.json(['ledger', 'show'], { env })).toMatchObject({ kind: 'local' })
  },
)

itOnTerminal('sends nothing if the account joined a ledger while the question was open', async ({ skip }) => {
  if (postgres === undefined) skip()
  const team = await startTeam(postgres)
  const desk = await team.newDesk()
  const words = transferTo('ana@example.com', 'invoice-1').filter((word) => word !== '--yes')
  const asking = onTerminal(desk, words)
  await asking.shows('Send R$ 5,00')
  await desk.prepare(['ledger', 'join', desk.ledger])
  asking.press('y\r')
  const { exit, screen } = await asking.ended
  expect([exit, screen]).toEqual([2, expect.stringContaining('uses another ledger than when this command began')])
  expect(await team.booked()).toEqual([])
})
