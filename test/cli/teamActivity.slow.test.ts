import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect } from 'vitest'
import { here } from '../inProcess.ts'
import { itOnPostgres, type TestPostgres, withPostgres } from '../postgres.ts'
import { BINARY, NODE } from '../world.ts'
import { csvIn, linesOf } from './batchFiles.ts'
import { startListener } from './listener.ts'
import { carriedOut, failureOf, inThisProcess, paidPayment } from './payments.ts'
import { type Desk, startTeam, type Team, transferTo } from './teamDesks.ts'

let postgres: TestPostgres
withPostgres((started) => {
  postgres = started
})

/** Lets what is announced be as old as that of a machine that died. */
async function forgetHeartbeats({ database }: Team): Promise<void> {
  const trigger = 'TRIGGER check_activity'
  await postgres.sql(
    database,
    `ALTER TABLE pixgate.activity DISABLE ${trigger}; UPDATE pixgate.activity SET seen_at = seen_at - interval '20 s';
     ALTER TABLE pixgate.activity ENABLE ${trigger}`,
  )
}

async function announced({ database }: Team): Promise<string> {
  return postgres.sql(database, "SELECT string_agg(kind || ' ' || login, ',') FROM pixgate.activity")
}

itOnPostgres('ends a wait by the listener of another machine, and needs one that lives', async () => {
  const team = await startTeam(postgres)
  const [server, desk] = [await team.joinedDesk(), await team.joinedDesk()]
  const waiting = (id: string, url: string, run = here(desk)) =>
    run(transferTo(`${id}@example.com`, id, '--wait=20s', '--callback-url', url))
  const nobody = await waiting('one', 'http://127.0.0.1:9/')
  expect([nobody.exit, nobody.stderr]).toEqual([2, expect.stringContaining('needs a listener')])
  const listener = await startListener(server, ['--public-url', 'https://hooks.example.com/pix'])
  const paid = await waiting('two', listener.url, desk.run)
  expect([paid.exit, paid.stdout]).toEqual([0, expect.stringMatching(/^state +paid$/m)])
  const dryRun = (target: string, ...more: string[]) =>
    here(desk)(transferTo('a@example.com', 'x', '--callback-url', target, '--dry-run', ...more))
  // That of another login only by name, and shown.
  expect(failureOf(await dryRun('listen', '-o', 'json'))).toMatchObject({
    exit: 2,
    details: expect.stringContaining('https://hooks.example.com/pix'),
    hint: expect.stringContaining(`--callback-url listen:${server.login}`),
  })
  expect(await dryRun(`listen:${server.login}`)).toMatchObject({
    exit: 0,
    stdout: expect.stringContaining('"callbackUrl": "https://hooks.example.com/pix"'),
    stderr: expect.stringContaining(`https://hooks.example.com/pix, the listener of ${server.login}`),
  })
  listener.signal('SIGSTOP')
  await forgetHeartbeats(team)
  expect((await waiting('three', listener.url)).exit).toBe(2)
  expect(await team.booked()).toEqual(['two@example.com 5'])
})

itOnPostgres('lets one machine at a time work on a batch, and another one finish what it began', async () => {
  const team = await startTeam(postgres)
  const [desk, other] = [await team.joinedDesk(), await team.joinedDesk()]
  const keys = ['a', 'b', 'c', 'd', 'e'].map((name) => `${name}@example.com`)
  const path = csvIn(
    desk,
    'payroll.csv',
    'key,value,nome',
    keys.map((key) => `${key},5,Nome de ${key}`),
  )
  const begun = await here(desk)(['batch', 'transfer', path, '--limit', '1', '--yes', '-o', 'json'])
  const run = String(linesOf(begun).at(-1)?.run)
  const resume = ['resume', run, '--yes', '-o', 'json', '--timeout', '3s']

  await desk.prepare(['sandbox', 'fault', 'slow:30s', '--on', 'transfer'])
  const working = spawn(NODE, [BINARY, ...resume, '--concurrency', '1'], { env: desk.env, stdio: 'ignore' })
  await expect.poll(() => announced(team), { timeout: 10_000 }).toBe(`run ${desk.login}`)
  const refused = failureOf(await here(other)(resume))
  expect(refused).toMatchObject({ exit: 2, details: expect.stringContaining(`${desk.login} on `) })
  working.kill('SIGKILL')
  await forgetHeartbeats(team)

  // What the dead process was sending can be sent again, under its id, when nobody can be sending it any more.
  const finished = async () => (await here(other)(resume)).exit
  await expect.poll(finished, { timeout: 20_000 }).toBe(0)
  expect(await team.booked()).toEqual(keys.map((key) => `${key} 5`))
  const shown = await Promise.all([desk, other].map((each) => inThisProcess(each).json(['batch', 'show', run])))
  expect(shown[0]).toMatchObject({ accepted: 5, notSent: 0, unknown: 0 })
  expect(shown[1]).toEqual(shown[0])
  const rows = (await here(other)(['batch', 'show', run])).stdout.split('\n').filter((line) => line.includes('@'))
  expect(new Set(rows.map((line) => /login_\d+/.exec(line)?.[0]))).toEqual(new Set([desk.login, other.login]))
})

itOnPostgres('waits on every machine until what a dead process sent is no longer on its way', async () => {
  const team = await startTeam(postgres)
  const [desk, other] = [await team.joinedDesk(), await team.joinedDesk()]
  const path = csvIn(desk, 'payroll.csv', 'key,value', ['a@example.com,5', 'b@example.com,5'])
  await desk.prepare(['sandbox', 'fault', 'slow:30s', '--on', 'transfer'])
  const batch = ['batch', 'transfer', path, '--yes', '--concurrency', '1', '--timeout', '12s']
  const working = spawn(NODE, [BINARY, ...batch], { env: desk.env, stdio: 'ignore' })
  const listed = async (each: Desk) => {
    const [run] = JSON.parse(await each.prepare(['batch', 'list', '-o', 'json']))
    return run
  }
  const beingSent = async () => (await listed(other))?.beingSent ?? 0
  await expect.poll(beingSent, { timeout: 20_000 }).toBeGreaterThan(0)
  const { run, ...counts } = await listed(desk)
  expect(counts).toMatchObject({ unknown: 0, accepted: 0, finished: false })
  expect(counts.beingSent + counts.notSent).toBe(2)
  expect((await here(other)(['batch', 'show', run])).stdout).toContain('being sent')
  const history = await inThisProcess(other).run(['history'])
  expect(history.stdout).toContain('being sent')
  expect(history.stderr).toMatch(/transfer being sent: \d/)
  expect(history.stderr).not.toContain('transfer unknown')

  working.kill('SIGKILL')
  await once(working, 'exit')
  // Its own machine knows that it has ended, whatever its heartbeat says, and never names it as somebody who works.
  const left = await listed(desk)
  expect(left).toMatchObject({ unknown: 0, pixgate: { worker: null } })
  expect(left.beingSent).toBeGreaterThan(0)
  const waits = {
    exit: 6,
    code: 'LEDGER_BUSY',
    hint: expect.stringMatching(/^Wait \d+ seconds, then run `pixgate resume run-/),
  }
  const early = failureOf(await here(desk)(['resume', run, '--yes', '-o', 'json']))
  expect(early).toMatchObject({ ...waits, details: expect.stringContaining('of this machine') })
  expect(early.details).not.toContain(`${desk.login} on `)
  await forgetHeartbeats(team)
  expect(failureOf(await here(other)(['resume', run, '--yes', '-o', 'json']))).toMatchObject({
    ...waits,
    details: expect.stringContaining(`${desk.login} on `),
  })
  expect(await listed(desk)).toEqual(await listed(other))
  await desk.prepare(['sandbox', 'fault', 'clear'])
  const finished = async () => (await here(desk)(['resume', run, '--yes'])).exit
  await expect.poll(finished, { timeout: 30_000, interval: 1000 }).toBe(0)
  expect(await listed(other)).toMatchObject({ accepted: 2, beingSent: 0, unknown: 0, finished: true })
})

itOnPostgres('waits on every machine with a file of which all rows may still be on their way', async () => {
  const team = await startTeam(postgres)
  const [desk, other] = [await team.joinedDesk(), await team.joinedDesk()]
  const path = csvIn(desk, 'payroll.csv', 'key,value', ['a@example.com,5'])
  await desk.prepare(['sandbox', 'fault', 'slow:60s', '--on', 'transfer'])
  const batch = ['batch', 'transfer', path, '--yes', '--timeout', '60s']
  const working = spawn(NODE, [BINARY, ...batch], { env: desk.env, stdio: 'ignore' })
  const listed = async () => JSON.parse(await other.prepare(['batch', 'list', '-o', 'json']))
  await expect.poll(listed, { timeout: 20_000 }).toMatchObject([{ beingSent: 1 }])
  working.kill('SIGKILL')
  await once(working, 'exit')
  await forgetHeartbeats(team)
  for (const each of [desk, other]) {
    expect(failureOf(await here(each)([...batch, '-o', 'json']))).toMatchObject({
      exit: 6,
      code: 'LEDGER_BUSY',
      details: expect.stringContaining('Rows that are being sent: 1'),
    })
  }
  expect(await listed()).toMatchObject([{ beingSent: 1, unknown: 0 }])
})

itOnPostgres('keeps the limit of a day in a race of four machines', async () => {
  const team = await startTeam(postgres)
  const desks = await Promise.all(Array.from({ length: 4 }, () => team.joinedDesk()))
  const add = ['profile', 'add', 'shop', '--base-url', team.url, '--client-id', 'local', '--max-day', '10', '--no-test']
  const secret = { SHOP_SECRET: 'local-secret' }
  for (const desk of desks) await desk.prepare([...add, '--client-secret-env', 'SHOP_SECRET'], { env: secret })
  const pay = (desk: Desk, id: string) =>
    desk.run(['-p', 'shop', ...transferTo(`${id}@example.com`, id, '--callback-url', 'http://127.0.0.1:9/')], {
      env: secret,
    })
  const results = await Promise.all(desks.map((desk, index) => pay(desk, `a${index}`)))
  expect(results.map(({ exit }) => exit).sort()).toEqual([0, 0, 2, 2])
  expect(await team.booked()).toHaveLength(2)
  const shown = await Promise.all(desks.map((desk) => desk.prepare(['history', '-o', 'json'], { env: secret })))
  expect(JSON.parse(shown[0] ?? '')).toHaveLength(2)
  expect(new Set(shown).size).toBe(1)
})

itOnPostgres('never refunds more than was paid, from two machines at once', async () => {
  const team = await startTeam(postgres)
  const desks = [await team.joinedDesk(), await team.joinedDesk()]
  const paid = [
    { reais: 10, amounts: ['6', '7'] },
    { reais: 30, amounts: ['20', '11'] },
  ]
  const refunds = await Promise.all(
    paid.map(async ({ reais, amounts }) => ({ id: await paidPayment(team.url, reais), amounts })),
  )
  const options = ['--reason', 'broken', '--yes', '--callback-url', 'http://127.0.0.1:9/']
  const results = await Promise.all(
    refunds.flatMap(({ id, amounts }) =>
      amounts.map((amount, index) => desks[index]?.run(['refund', id, '--amount', amount, ...options])),
    ),
  )
  expect(results.filter((result) => result?.exit === 0)).toHaveLength(2)
  const { refunds: booked } = await carriedOut(team.url)
  expect(booked.map(({ originalTransactionId }) => originalTransactionId).sort()).toEqual(
    refunds.map(({ id }) => id).sort(),
  )
})

itOnPostgres('says on every machine how long to wait for a transfer that a killed process sent', async () => {
  const team = await startTeam(postgres)
  const [desk, other] = [await team.joinedDesk(), await team.joinedDesk()]
  await desk.prepare(['sandbox', 'fault', 'slow:30s', '--on', 'transfer'])
  const typed = transferTo('a@example.com', 'one', '--callback-url', 'http://127.0.0.1:9/', '--timeout', '12s')
  const working = spawn(NODE, [BINARY, ...typed], { env: desk.env, stdio: 'ignore' })
  const shown = async (each: Desk) =>
    JSON.parse((await here(each)(['history', 'show', 'one', '-o', 'json'])).stdout || '{}')
  await expect.poll(async () => (await shown(other)).pixgate?.state, { timeout: 20_000 }).toBe('being-sent')
  expect(failureOf(await here(desk)(['resume', 'one', '--yes', '-o', 'json']))).toMatchObject({
    exit: 2,
    details: expect.stringContaining(`Process ${working.pid}`),
  })
  working.kill('SIGKILL')
  await once(working, 'exit')
  for (const each of [desk, other]) {
    expect((await shown(each)).pixgate.state).toBe('being-sent')
    expect(failureOf(await here(each)(['resume', 'one', '--yes', '-o', 'json']))).toMatchObject({
      exit: 6,
      code: 'LEDGER_BUSY',
      hint: expect.stringMatching(/^Wait \d+ seconds, then run `pixgate resume one`/),
    })
  }
  await desk.prepare(['sandbox', 'fault', 'clear'])
  const finished = async () => (await here(desk)(['resume', 'one', '--yes'])).exit
  await expect.poll(finished, { timeout: 30_000, interval: 1000 }).toBe(0)
  expect(await team.booked()).toEqual(['a@example.com 5'])
})

itOnPostgres(
  'ends a listener whose account joined a ledger meanwhile, and records nothing where nobody looks',
  async () => {
    const team = await startTeam(postgres)
    const desk = await team.newDesk()
    const words = ['webhook', 'listen', '--port', '0', '-o', 'json']
    const child = spawn(NODE, [BINARY, ...words], { env: desk.env, stdio: ['ignore', 'pipe', 'pipe'] })
    const ended = once(child, 'close')
    let said = ''
    child.stderr.on('data', (text) => {
      said += text
    })
    const [first] = await once(child.stdout, 'data')
    const { url } = JSON.parse(String(first))
    await desk.prepare(['ledger', 'join', desk.ledger])
    const sent = await desk.run(['webhook', 'send', 'transfer.completed', '--to', url])
    expect([sent.exit, sent.stdout]).toEqual([1, expect.stringContaining('503')])
    expect((await ended)[0]).toBe(2)
    expect(said).toContain('uses another ledger than when this command began')
    expect(JSON.parse(await desk.prepare(['webhook', 'events', '-o', 'json']))).toEqual([])
    await desk.prepare(['ledger', 'leave', '--yes'])
    expect(JSON.parse(await desk.prepare(['webhook', 'events', '-o', 'json']))).toEqual([])
  },
)
