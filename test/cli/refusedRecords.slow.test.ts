import { expect } from 'vitest'
import { RECORD_RULES } from '../../src/ledger/records.ts'
import { OWNER_TYPES } from '../../src/ledger/team/serverSql.ts'
import type { SharedRecord } from '../../src/ledger/team/sharedRecords.ts'
import { type Written, writeByHand } from '../ledger/team/newRecords.ts'
import { connected, itOnPostgres, OWNER, soon, type TestPostgres, withPostgres } from '../postgres.ts'
import { csvIn } from './batchFiles.ts'
import { carriedOut, failureOf, inThisProcess, paidPayment } from './payments.ts'
import { type Desk, startTeam, type Team, transferTo } from './teamDesks.ts'

let postgres: TestPostgres
withPostgres((started) => {
  postgres = started
})

/** What reads the ledger in different ways. */
const READING = [
  ['history'],
  ['history', 'find', 'maria'],
  ['payee', 'list'],
  ['plan', 'list'],
  ['batch', 'list'],
  ['webhook', 'events'],
  ['ledger', 'show'],
  ['history', 'export'],
]

async function expectReadable(desk: Desk): Promise<void> {
  for (const args of READING) {
    const { exit, stderr } = await desk.run(args)
    expect([args, exit, stderr]).toEqual([args, 0, expect.not.stringContaining('damaged')])
  }
}

const refused = { exit: 2, code: 'RECORD_REFUSED', outcome: 'not-sent' }

async function setAside(team: Team, desk: Desk, seq: number): Promise<string> {
  const owner = postgres.address(OWNER, team.database).url
  return desk.prepare(['ledger', 'repair', owner, '--set-aside', String(seq), '--because', 'written by hand', '--yes'])
}

itOnPostgres('stops only what a record that nobody can read could concern, until the owner sets it aside', async () => {
  const team = await startTeam(postgres)
  const desk = inThisProcess(await team.joinedDesk())
  const ana = await postgres.newLogin('pixgate_member')
  await desk.prepare(['payee', 'add', 'acme', '--key', 'acme@example.com', '--yes'])
  await desk.prepare(transferTo('paid@example.com', 'one'))
  const records = await recordsOf(team, desk)
  const attempt = records.find(({ type }) => type === 'attempt')
  const pay = (key: string, id: string) => desk.run(transferTo(key, id, '-o', 'json')).then(failureOf)

  // A payee: transfers to payees.
  const payee = await writeByHand(postgres, team.database, ana, [{ type: 'payee', content: 'not json' }])
  expect(
    await desk.run(['transfer', '--to', 'acme', '--amount', '3', '--yes', '-o', 'json']).then(failureOf),
  ).toMatchObject({
    ...refused,
    message: expect.stringMatching(
      new RegExp(`^Record ${payee} of the shared ledger, written by ${ana} on .* at .*, cannot be read`),
    ),
    hint: expect.stringContaining(
      `pixgate ledger repair postgres://${OWNER}@127.0.0.1:${postgres.port}/${team.database} --set-aside ${payee}`,
    ),
  })
  expect(await pay('acme@example.com', 'two')).toMatchObject(refused)
  const other = await desk.run(transferTo('other@example.com', 'three'))
  expect(other).toMatchObject({ exit: 0, stderr: expect.stringContaining(`Record ${payee} of the shared ledger`) })
  // A refusal for another reason has no other document that names it.
  expect(await pay('other@example.com', 'three-2')).toMatchObject({
    ...{ exit: 2, code: 'REPEAT', details: expect.stringContaining(`Record ${payee} of the shared ledger`) },
  })
  await setAside(team, desk, payee)
  await desk.prepare(['transfer', '--to', 'acme', '--amount', '3', '--yes'])

  // An attempt without the payment in its column, which nobody but the desk that writes it knows: its key.
  const content = (attempt?.content ?? '')
    .replaceAll('paid@example.com', 'lost@example.com')
    .replaceAll(attempt?.payment ?? '', crypto.randomUUID())
  const lost = await writeByHand(postgres, team.database, ana, [{ type: 'attempt', content }])
  expect(await pay('lost@example.com', 'four')).toMatchObject(refused)
  await desk.prepare(transferTo('free@example.com', 'five'))
  const batch = csvIn(desk, 'batch.csv', 'key,value', ['free@example.com,"5,10"', 'lost@example.com,"5,10"'])
  expect(await desk.run(['batch', 'transfer', batch, '--yes', '-o', 'json']).then(failureOf)).toMatchObject(refused)
  await expectReadable(desk)
  await setAside(team, desk, lost)
  await desk.prepare(transferTo('lost@example.com', 'six'))

  // What this pixgate does not know: everything.
  const unknown = await writeByHand(postgres, team.database, ana, [
    { type: 'new-rule', content: '{"type":"new-rule"}' },
  ])
  expect(await pay('else@example.com', 'seven')).toMatchObject({
    ...refused,
    hint: expect.stringContaining('newest pixgate'),
  })
  const check = await desk.run(['history', 'check'])
  expect([check.exit, check.stderr]).toEqual([
    1,
    expect.stringMatching(/Record \d+ of the shared ledger.*set aside by owner at .*: written by hand/s),
  ])
  const doctor = await desk.run(['doctor', '-o', 'json'])
  expect([doctor.exit, doctor.stdout]).toEqual([2, expect.stringContaining(`Record ${unknown} of the shared ledger`)])

  // Only the owner, and only what is unreadable.
  const owner = postgres.address(OWNER, team.database).url
  const repair = (address: string, seq: number) =>
    desk
      .run(['ledger', 'repair', address, '--set-aside', String(seq), '--because', 'x', '--yes', '-o', 'json'])
      .then(failureOf)
  expect(await repair(desk.ledger, unknown)).toMatchObject({ exit: 2, code: 'LEDGER_LOGIN_REFUSED' })
  expect(await repair(owner, attempt?.seq ?? 0)).toMatchObject({
    exit: 2,
    message: expect.stringContaining('can be read'),
  })
  await setAside(team, desk, unknown)
  await desk.prepare(transferTo('else@example.com', 'eight'))
  expect((await desk.run(['history', 'check'])).exit).toBe(0)
})

itOnPostgres('sets many records of one login aside at once', async () => {
  const team = await startTeam(postgres)
  const desk = inThisProcess(await team.joinedDesk())
  const [ana, bruno] = [await postgres.newLogin('pixgate_member'), await postgres.newLogin('pixgate_member')]
  const junk: Written[] = Array.from({ length: 11 }, () => ({ type: 'payee', content: 'not json' }))
  const first = await writeByHand(postgres, team.database, ana, junk)
  const last = first + 10
  const other = await writeByHand(postgres, team.database, bruno, junk.slice(0, 1))
  await desk.prepare(transferTo('free@example.com', 'between'))
  const check = await desk.run(['history', 'check'])
  expect(check.stderr.match(/Record \d+|\d+ records/g)).toEqual([`11 records`, `Record ${other}`])
  expect(check.stderr).toMatch(new RegExp(`written by\\s+${ana}\\s+at.*--set-aside ${first}-${last} `, 's'))

  const owner = postgres.address(OWNER, team.database).url
  const repair = (...words: string[]) =>
    desk.run(['ledger', 'repair', owner, ...words, '--because', 'junk', '--yes', '-o', 'json'])
  const nobody = ['--set-aside', `${first}-${last}`, '--set-aside', `${other + 1}-${other + 900}`]
  expect(failureOf(await repair(...nobody))).toMatchObject({ exit: 2, message: expect.stringContaining('can be read') })
  const both = ['--set-aside', `${first}-${last - 1}`, '--set-aside', `${last}-${other + 900}`]
  const asked = await desk.run(['ledger', 'repair', owner, ...both, '--because', 'junk'])
  expect(asked).toMatchObject({
    ...{ exit: 2, stdout: '' },
    stderr: expect.stringMatching(
      new RegExp(`11 records .* written by ${ana} at .*Record ${other} .* written by ${bruno} on .*: 12`, 's'),
    ),
  })
  const { stdout } = await repair(...both)
  expect(JSON.parse(stdout)).toMatchObject({ setAside: first, records: 12, by: OWNER })
  const after = await desk.run(['history', 'check'])
  expect(after).toMatchObject({ exit: 0, stderr: expect.stringContaining('11 records') })
  await desk.prepare(['payee', 'add', 'acme', '--key', 'acme@example.com', '--yes'])
  await desk.prepare(['transfer', '--to', 'acme', '--amount', '3', '--yes'])
  // What is written later is not among them.
  await writeByHand(postgres, team.database, ana, junk.slice(0, 1))
  expect((await desk.run(['history', 'check'])).exit).toBe(1)
})

async function recordsOf(team: Team, { login }: Desk): Promise<SharedRecord[]> {
  return (await connected(postgres.address(login, team.database))).recordsAfter(0, 1000, soon())
}

/** One record of each type that the commands of one desk write, by its type. */
async function samples(team: Team, desk: Desk): Promise<SharedRecord[]> {
  const original = await paidPayment(team.url, 30)
  await desk.prepare(['payee', 'add', 'acme', '--key', 'acme@example.com', '--yes'])
  await desk.prepare(['payee', 'add', 'zeta', '--key', 'zeta@example.com', '--yes'])
  await desk.prepare(transferTo('one@example.com', 'one'))
  await desk.prepare(['refund', original, '--amount', '3', '--reason', 'broken', '--yes'])
  const file = csvIn(desk, 'batch.csv', 'key,value', ['row@example.com,"5,10"', 'other@example.com,"5,10"'])
  await desk.prepare(['batch', 'transfer', file, '--yes'])
  const records = await recordsOf(team, desk)
  return [...new Map(records.map((record) => [record.type, record])).values()]
}

/** A record that was changed by hand: no JSON, of another type, without a member, and with each member wrong. */
function spoiled({ type, payment, content }: SharedRecord): Written[] {
  const said: Record<string, unknown> = JSON.parse(content)
  const names = Object.keys(said).filter((name) => name !== 'type' && name !== 'firstBy')
  return [
    { type, payment, content: 'not json' },
    { type, payment, content: '[]' },
    { type, payment, content: JSON.stringify({ ...said, type: 'other' }) },
    { type, payment: 'another', content },
    { type, payment, content, at: 'yesterday' },
    ...names.map((name) => ({ type, payment, content: JSON.stringify({ ...said, [name]: { junk: 'x' } }) })),
    ...names.map((name) => ({ type, payment, content: JSON.stringify({ ...said, [name]: undefined }) })),
  ]
}

itOnPostgres(
  'says of no record that somebody wrote by hand that a disk is damaged, whatever is wrong with it',
  async () => {
    const team = await startTeam(postgres)
    const desk = inThisProcess(await team.joinedDesk())
    const ana = await postgres.newLogin('pixgate_member')
    const genuine = await samples(team, desk)
    expect(genuine.map(({ type }) => type)).toEqual(
      expect.arrayContaining(['attempt', 'answer', 'payee', 'query', 'run', 'run-rows']),
    )
    const moved = async () => [await team.booked(), (await carriedOut(team.url)).refunds.length]
    const before = await moved()
    const types = Object.keys(RECORD_RULES).filter((type) => !OWNER_TYPES.some((each) => each === type))
    const empty = types.map((type) => ({ type, content: JSON.stringify({ type, junk: 'x' }) }))
    const written = [...genuine.flatMap(spoiled), ...empty]
    // What is written twice, or about nothing, may be right or not; it must only be harmless.
    const doubled = genuine.map(({ type, payment, content }) => ({ type, payment, content }))
    const first = await writeByHand(postgres, team.database, ana, [...written, ...doubled])
    await expectReadable(desk)
    const check = await desk.run(['history', 'check', '-o', 'json'])
    expect([check.exit, check.stderr]).toEqual([1, expect.not.stringContaining('damaged')])
    // More than ten of one login are one line.
    const [, count, from, by] =
      /^warning: (\d+) records .* from (\d+) to \d+, the first written by (\S+) at/m.exec(check.stderr) ?? []
    expect([Number(from), by]).toEqual([first, ana])
    expect(Number(count)).toBeGreaterThanOrEqual(written.length)
    for (const args of [transferTo('new@example.com', 'new'), ['resume', 'one', '--yes']]) {
      expect(failureOf(await desk.run([...args, '-o', 'json']))).toMatchObject({ exit: 2 })
    }
    expect(await moved()).toEqual(before)

    // Another desk that copies everything anew sees the same.
    const anew = inThisProcess(await team.joinedDesk())
    expect((await anew.run(['history', 'check', '-o', 'json'])).stderr).toBe(check.stderr)
  },
)
