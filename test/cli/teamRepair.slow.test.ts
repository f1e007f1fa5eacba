import { statSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import { initServer } from '../../src/ledger/team/ledgerServer.ts'
import { here } from '../inProcess.ts'
import { itOnPostgres, OWNER, PASSWORD, soon, type TestPostgres, withPostgres } from '../postgres.ts'
import { startProxy } from '../postgresProxy.ts'
import { expectDocument } from '../schemas/validity.ts'
import { type HandWritten, intoSharedLedger } from './forgedRecords.ts'
import { inProduction, inThisProcess } from './payments.ts'
import { type Desk, startTeam, transferTo } from './teamDesks.ts'

let postgres: TestPostgres
withPostgres((started) => {
  postgres = started
})

/** Every payment with all that a machine knows of it, but for the login that stored it: what was lost is stored by another. */
async function paymentsOn(desk: Desk): Promise<unknown[]> {
  const payments: { pixgate: Record<string, unknown> }[] = JSON.parse(await desk.prepare(['history', '-o', 'json']))
  return payments.map((payment) => ({ ...payment, pixgate: { ...payment.pixgate, storedBy: null } }))
}

/** The error with which a command refuses. */
async function refusal(
  desk: Desk,
  args: readonly string[],
): Promise<Record<'code' | 'message' | 'details' | 'hint', string>> {
  const { exit, stdout, stderr } = await desk.run([...args, '-o', 'json'])
  expect([exit, stdout]).toEqual([2, ''])
  return JSON.parse(stderr.trimEnd().split('\n').at(-1) ?? '').error
}

async function repaired(desk: Desk, ...args: string[]): Promise<Record<string, unknown>> {
  const document = await desk.json(['ledger', 'repair', ...args])
  expectDocument('ledger-repair', document)
  return document
}

/** Dumps a database. Gives what restores it under the same name, as an administrator does. */
async function dump(database: string): Promise<() => Promise<void>> {
  const server = ['-h', '127.0.0.1', '-p', String(postgres.port), '-U', OWNER]
  const file = join(postgres.folder, `${database}.dump`)
  await postgres.program('pg_dump', [...server, '-Fc', '-f', file, database])
  return async () => {
    await postgres.sql('postgres', `DROP DATABASE ${database} WITH (FORCE)`)
    await postgres.sql('postgres', `CREATE DATABASE ${database}`)
    await postgres.program('pg_restore', [...server, '-d', database, file])
  }
}

itOnPostgres(
  'gets back what a restored database lost, from two machines, and pays nothing twice',
  async () => {
    const team = await startTeam(postgres)
    const owner = postgres.address(OWNER, team.database).url
    const proxy = await startProxy(postgres.port)
    const ahead = inThisProcess(await team.joinedDesk(proxy.port))
    const behind = inThisProcess(await team.joinedDesk())
    const early = inThisProcess(await team.joinedDesk())
    await ahead.prepare(transferTo('before@example.com', 'before'))
    const restore = await dump(team.database)
    await behind.prepare(transferTo('behind@example.com', 'lost-1'))
    await ahead.prepare(['sandbox', 'fault', 'drop-after', '--on', 'transfer'])
    expect((await ahead.run(transferTo('unknown@example.com', 'lost-2'))).exit).toBe(5)
    const [before, booked] = [await paymentsOn(ahead), await team.booked()]
    await restore()

    for (const desk of [ahead, behind, early]) {
      const { code, hint } = await refusal(desk, transferTo('new@example.com', 'new'))
      expect([code, hint]).toEqual(['LEDGER_OLDER', expect.stringContaining('`pixgate ledger repair`')])
    }
    expect(await paymentsOn(ahead)).toEqual(before)

    // It is killed when the server has what it handed over, before it knows that.
    proxy.afterCommit = 'cut'
    expect((await ahead.run(['ledger', 'repair'])).exit).toBe(6)
    proxy.afterCommit = 'answer'
    expect((await refusal(ahead, transferTo('new@example.com', 'new'))).code).toBe('LEDGER_OLDER')
    // Its own answer, which is not believed from another login.
    expect(await repaired(behind)).toMatchObject({ recovered: 1, stopped: true })
    const { keptCopy } = await repaired(ahead)
    expect(statSync(String(keptCopy)).mode & 0o777).toBe(0o600)

    const { details } = await refusal(ahead, transferTo('new@example.com', 'new'))
    expect(details).toMatch(new RegExp(`^${ahead.login} on .* found on .* that the database lacks records`))
    expect((await refusal(behind, ['ledger', 'repair', behind.ledger])).code).toBe('LEDGER_LOGIN_REFUSED')
    // The third has nothing to hand over, and follows by itself.
    expect(await repaired(ahead, owner, '--yes')).toMatchObject({
      ended: true,
      notHeardFrom: [{ user: early.login, machine: hostname() }],
    })

    const desks = [ahead, behind, early]
    for (const desk of desks) expect(await paymentsOn(desk)).toEqual(before)
    for (const desk of desks) {
      for (const key of ['before', 'behind', 'unknown']) {
        const again = await here(desk)(transferTo(`${key}@example.com`, `again-${desk.login}`))
        expect([again.exit, again.stderr]).toEqual([expect.toBeOneOf([2, 5]), expect.anything()])
      }
      expect((await desk.run(['history', 'check'])).stderr).not.toContain('damaged')
      await desk.prepare(transferTo(`${desk.login}@example.com`, `after-${desk.login}`))
    }
    expect(await team.booked()).toEqual([...booked, ...desks.map(({ login }) => `${login}@example.com 5`)].sort())
  },
  60_000,
)

itOnPostgres(
  'gets back what was lost beside what somebody recorded in its place',
  async () => {
    const team = await startTeam(postgres)
    const owner = postgres.address(OWNER, team.database).url
    const desk = inThisProcess(await team.joinedDesk())
    const late = inThisProcess(await team.joinedDesk())
    await desk.prepare(transferTo('before@example.com', 'before'))
    const restore = await dump(team.database)
    const kinds = ['claimed', 'other', 'answer', 'payment', 'earlier']
    for (const kind of kinds) await desk.prepare(transferTo(`${kind}@example.com`, kind))
    await late.prepare(['history'])
    const booked = await team.booked()
    const lost = JSON.parse(
      await postgres.sql(
        team.database,
        `SELECT json_agg(json_build_object('id', id, 'type', type, 'content', content::json, 'at', at) ORDER BY seq)
         FROM pixgate.record WHERE type IN ('attempt', 'answer') AND seq > 2`,
      ),
    )
    await restore()

    const liar = await postgres.newLogin('pixgate_member')
    const write = intoSharedLedger(postgres, team.database, liar)
    const firstBy = { user: liar, machine: 'desk', login: liar }
    const refused = { outcome: 'refused', code: 'NO_FUNDS', idTransaction: null, status: null }
    const forged = kinds.flatMap((kind): HandWritten[] => {
      const attempt = lost.find((each: { content: { externalId?: string } }) => each.content.externalId === kind)
      const answer = lost.find((each: { content: { attempt?: string } }) => each.content.attempt === attempt.id)
      const facts = { ...attempt.content.facts, key: 'else@example.com' }
      const body = attempt.content.body.replace(`${kind}@example.com`, 'else@example.com')
      const atMs = Date.parse(attempt.at)
      const replaced: HandWritten = { id: attempt.id, atMs, content: attempt.content }
      const denied: HandWritten = { id: answer.id, content: { ...answer.content, ...refused } }
      switch (kind) {
        case 'claimed':
          return [{ ...replaced, content: { ...attempt.content, firstBy } }, denied]
        case 'other':
          return [{ ...replaced, content: { ...attempt.content, facts, body } }, denied]
        case 'answer': {
          const said = { ...attempt.content, firstBy: { user: desk.login, machine: hostname(), login: desk.login } }
          return [
            { ...replaced, content: said },
            { ...denied, content: { ...answer.content, ...refused, attempt: 'another' } },
          ]
        }
        case 'payment':
          return [{ content: { ...attempt.content, facts, body }, atMs }]
        default:
          return [
            {
              ...replaced,
              atMs: atMs - 8 * 86_400_000,
              content: { ...attempt.content, firstBy: { ...firstBy, login: desk.login } },
            },
          ]
      }
    })
    await write(forged)
    for (const each of [desk, late]) await repaired(each)
    await repaired(desk, owner, '--yes')

    for (const each of [desk, late]) {
      for (const kind of kinds) {
        const again = await each.run([...transferTo(`${kind}@example.com`, `${kind}-2`), '-o', 'json'])
        expect([kind, again.exit, again.stderr]).toEqual([kind, 2, expect.stringContaining('REPEAT')])
      }
    }
    expect(await team.booked()).toEqual(booked)
    const listed = JSON.parse(await desk.prepare(['history', '-o', 'json']))
    for (const kind of kinds) {
      const known = { externalId: kind, pixgate: expect.objectContaining({ state: 'accepted', user: desk.login }) }
      expect(listed).toContainEqual(expect.objectContaining(known))
    }
    const { stderr } = await desk.run(['history', 'check'])
    expect(stderr).not.toContain('damaged')
    expect(
      stderr.match(new RegExp(`written by ${liar} .* has the place of one that the server had lost`, 'g')),
    ).toHaveLength(6)
  },
  60_000,
)

itOnPostgres(
  'hands everything over to a database that replaced another one, which in production its owner confirms',
  async () => {
    const team = await startTeam(postgres)
    const owner = postgres.address(OWNER, team.database).url
    const desks = [inThisProcess(await team.newDesk()), inThisProcess(await team.newDesk())] as const
    for (const desk of desks) {
      await inProduction(desk, team.url)
      await desk.prepare(['ledger', 'join', desk.ledger, '--confirm', 'prod'])
      await desk.prepare(inProductionTo(`${desk.login}@example.com`, desk.login))
    }
    const [ahead, behind] = desks
    const before = await paymentsOn(behind)
    await postgres.sql('postgres', `DROP DATABASE ${team.database} WITH (FORCE)`)
    await postgres.sql('postgres', `CREATE DATABASE ${team.database}`)
    await initServer(postgres.address(OWNER, team.database), { password: PASSWORD, deadlineMs: soon() })

    for (const desk of [behind, ahead]) {
      expect((await refusal(desk, inProductionTo('new@example.com', 'new'))).message).toBe(
        'The shared ledger was replaced by another one',
      )
    }
    expect((await refusal(behind, ['ledger', 'repair'])).code).toBe('CONFIRMATION_REQUIRED')
    expect(await repaired(behind, '--confirm', 'prod')).toMatchObject({ recovered: expect.any(Number), stopped: true })
    const { code, details } = await refusal(behind, ['ledger', 'repair', owner, '--yes'])
    expect([code, details]).toEqual(['CONFIRMATION_REQUIRED', 'The ledger stays stopped'])
    const ended = await behind.run(['ledger', 'repair', owner, '--confirm-host', '127.0.0.1'])
    expect(ended).toMatchObject({ exit: 0, stderr: expect.stringContaining(`not heard from: ${ahead.login} on`) })

    // What the other machine has is known by now but for its own answer, so it stops nobody.
    expect(await refusal(ahead, inProductionTo('new@example.com', 'new'))).toMatchObject({ code: 'LEDGER_OLDER' })
    await behind.prepare(inProductionTo('new@example.com', 'new'))
    expect(await repaired(ahead, '--confirm', 'prod')).toMatchObject({ recovered: 1, stopped: false })
    for (const desk of desks) {
      for (const key of [...desks.map(({ login }) => login), 'new'])
        expect((await desk.run(inProductionTo(`${key}@example.com`, `again-${desk.login}`))).stderr).toContain(
          'already sent',
        )
      await desk.prepare(inProductionTo(`next-${desk.login}@example.com`, `next-${desk.login}`))
    }
    expect(await paymentsOn(behind)).toEqual(await paymentsOn(ahead))
    expect(await paymentsOn(ahead)).toEqual(expect.arrayContaining(before))
  },
  60_000,
)

function inProductionTo(key: string, externalId: string): string[] {
  return [...transferTo(key, externalId).filter((word) => word !== '--yes'), '--confirm', 'prod']
}
