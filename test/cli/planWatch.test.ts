import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, expect, it, onTestFinished } from 'vitest'
import { itOnPostgres, type TestPostgres, withPostgres } from '../postgres.ts'
import { BINARY, NODE, sandboxWorld, type World } from '../world.ts'
import { approverLine } from './forgedRecords.ts'
import { carriedOut, failureOf, inProduction, inThisProcess } from './payments.ts'
import { nameOf, people, planned, signatureOf } from './planPeople.ts'
import { startTeam } from './teamDesks.ts'

const { maria, joao } = people(afterAll, 'maria', 'joao')

let postgres: TestPostgres
withPostgres((started) => {
  postgres = started
})

interface SentLine {
  plan: string
  exitCode: number
  error: { message: string } | null
}

/** A host that watches. `lines` are what it printed, `next` waits for the next one. */
function startWatching(world: World, ...words: string[]) {
  const child = spawn(
    NODE,
    [BINARY, 'plan', 'send', ...words, '--watch', ...(words.includes('-o') ? [] : ['-o', 'json'])],
    { env: world.env },
  )
  onTestFinished(() => void child.kill('SIGKILL'))
  const lines: SentLine[] = []
  const stderr: string[] = []
  child.stderr.setEncoding('utf8').on('data', (text: string) => stderr.push(text))
  const reader = createInterface(child.stdout)
  let read = 0
  reader.on('line', (line) => line.startsWith('{') && lines.push(JSON.parse(line)))
  return {
    lines,
    stderr,
    async next(): Promise<SentLine | undefined> {
      while (lines.length <= read) await once(reader, 'line')
      read += 1
      return lines[read - 1]
    },
    async stop(signal: 'SIGINT' | 'SIGTERM') {
      child.kill(signal)
      const [exit] = await once(child, 'exit')
      return { exit, stderr: stderr.join('') }
    },
  }
}

const transfer = (id: string) => ['transfer', '--key', `${id}@example.com`, '--amount', '5', '--external-id', id]

it('sends the plans of the ledger and of a folder as they are approved, each once, whatever is wrong with others', async () => {
  const sandbox = await sandboxWorld({}, {}, onTestFinished)
  const world = inThisProcess(sandbox)
  const folder = join(world.home, 'inbox')
  mkdirSync(folder)
  const approve = (file: string) => world.prepare(['plan', 'approve', file, '--ssh-key', joao.file, '--yes'])
  const first = await planned(world, transfer('first'), maria)
  const damaged = await planned(world, transfer('damaged'), maria, join('inbox', 'damaged.json'))
  await approve(first)
  writeFileSync(`${damaged}.joao.sig`, signatureOf(joao, 'another text'))
  const host = startWatching(world, folder)
  expect(await host.next()).toEqual({ plan: nameOf(first), exitCode: 0, error: null })
  expect(await host.next()).toMatchObject({
    plan: damaged,
    exitCode: 2,
    error: { message: expect.stringMatching(/^The signature of joao is not valid .*: it is for another text$/) },
  })
  // What comes later, and the approval of what was refused.
  const elsewhere = { ...world, env: { ...world.env, PIXGATE_DATA_DIR: join(world.home, 'elsewhere') } }
  const later = inThisProcess(elsewhere)
  const passedOn = await planned(
    { ...later, prepare: (words) => world.prepare(words, { env: elsewhere.env }) },
    transfer('passed-on'),
    maria,
    join('inbox', 'passed-on.json'),
  )
  writeFileSync(`${passedOn}.joao.sig`, signatureOf(joao, readFileSync(passedOn, 'utf8')))
  expect(await host.next()).toEqual({ plan: passedOn, exitCode: 0, error: null })
  writeFileSync(`${damaged}.joao.sig`, signatureOf(joao, readFileSync(damaged, 'utf8')))
  expect(await host.next()).toEqual({ plan: damaged, exitCode: 0, error: null })
  expect(await host.stop('SIGTERM')).toEqual({ exit: 0, stderr: '' })
  expect(host.lines).toHaveLength(4)
  expect((await carriedOut(sandbox.url)).transfers.map(({ externalId }) => externalId)).toEqual([
    'first',
    'passed-on',
    'damaged',
  ])
})

it('says once which files it passes over and why, and changes no rule', async () => {
  const sandbox = await sandboxWorld({}, {}, onTestFinished)
  const world = inThisProcess(await inProduction(sandbox, sandbox.url))
  const approvers = join(world.home, 'approvers')
  writeFileSync(approvers, approverLine('maria', maria) + approverLine('joao', joao))
  await world.prepare(['profile', 'edit', 'prod', '--approval-from', '100', '--approvers', approvers])
  const folder = join(world.home, 'inbox')
  mkdirSync(folder)
  const at = (name: string) => join(folder, name)
  const waiting = await planned(world, transfer('waiting'), maria, join('inbox', 'waiting.json'))
  const rule = ['profile', 'edit', 'prod', '--approval-from', '5000']
  await planned(world, rule, maria, join('inbox', 'rule.json'))
  writeFileSync(at('rule.json.joao.sig'), signatureOf(joao, readFileSync(at('rule.json'), 'utf8')))
  const approved = await planned(world, rule, maria, join('inbox', 'rule-approved.json'))
  await world.prepare(['plan', 'approve', approved, '--ssh-key', joao.file, '--confirm', 'prod'])
  const rejected = await planned(world, transfer('rejected'), maria, join('inbox', 'rejected.json'))
  await world.prepare(['plan', 'reject', rejected, '--because', 'paid by card'])
  await planned(world, transfer('alone'), maria, 'alone.json')
  copyFileSync(join(world.home, 'alone.json'), at('alone.json'))
  writeFileSync(at('cut.json'), readFileSync(waiting, 'utf8').slice(0, 100))
  writeFileSync(at('notes.txt'), 'nothing')
  execFileSync('mkfifo', [at('pipe.json')])
  const host = startWatching(world, folder, '-o', 'text')
  const expected = [
    `${at('alone.json')}: The signature of maria, who made the plan, is missing`,
    expect.stringContaining(`\`${at('cut.json')}\` is not a plan that can be used: `),
    `\`${at('notes.txt')}\` is passed over: the name of a plan ends in \`.json\``,
    expect.stringContaining(`\`${at('pipe.json')}\` is a pipe`),
    expect.stringMatching(/rejected.json: The plan plan-\w+ was rejected by .*: paid by card$/),
    ...['rule-approved.json', 'rule.json'].map(
      (name) => `\`${at(name)}\` is passed over: it changes a rule, which a person does with \`pixgate plan send\``,
    ),
    `\`${waiting}\` waits for its approval: no signature of an approver is beside it`,
  ]
  const notes = () => host.stderr.join('').trim().split('\n').slice(1)
  await expect.poll(notes).toEqual(expected)
  // Another look.
  await world.prepare(['plan', 'approve', waiting, '--ssh-key', joao.file, '--confirm', 'prod'])
  await expect.poll(async () => (await carriedOut(sandbox.url)).transfers).toHaveLength(1)
  expect((await host.stop('SIGTERM')).exit).toBe(0)
  expect(notes().filter((line) => line.startsWith('`') || line.startsWith('/'))).toEqual(expected)
  expect((await world.run(['transfer', '--key', 'b@example.com', '--amount', '101', '--confirm', 'prod'])).exit).toBe(2)
})

it('asks for a list of approvers in production, for a folder, and for a profile that may send', async () => {
  const sandbox = await sandboxWorld({}, {}, onTestFinished)
  const world = inThisProcess(await inProduction(sandbox, sandbox.url))
  const watch = ['plan', 'send', '--watch', '-o', 'json']
  expect(failureOf(await world.run(watch))).toMatchObject({
    exit: 2,
    message: '`--watch` sends what others approve, and this account has no list of approvers',
  })
  expect(failureOf(await world.run([...watch, 'plan.json']))).toMatchObject({ exit: 2 })
  expect(failureOf(await world.run(['plan', 'send', '-o', 'json']))).toMatchObject({
    exit: 2,
    message: '`<plan>` is missing',
  })
  await world.prepare(['profile', 'edit', 'prod', '--read-only'])
  expect(failureOf(await world.run(watch))).toMatchObject({ exit: 2, message: expect.stringContaining('read-only') })
})

itOnPostgres('sends each plan of a shared ledger once from two hosts', async () => {
  const team = await startTeam(postgres)
  const [one, two] = [await team.joinedDesk(), await team.joinedDesk()]
  const hosts = [one, two].map((desk) => startWatching(desk))
  // The slower host may be refused before the faster one has its answer.
  const isSent = async (host: (typeof hosts)[number]) => {
    let line = await host.next()
    while (line?.exitCode !== 0) line = await host.next()
    return line
  }
  const sent = Promise.race(hosts.map(isSent))
  await one.prepare([...transfer('shared'), '--plan', '--ssh-key', maria.file])
  const [{ plan }] = JSON.parse(await two.prepare(['plan', 'list', '-o', 'json']))
  await two.prepare(['plan', 'approve', plan, '--ssh-key', joao.file, '--yes'])
  expect(await sent).toMatchObject({ plan })
  const ends = await Promise.all(hosts.map((host) => host.stop('SIGINT')))
  expect(ends.map(({ exit }) => exit)).toContain(0)
  expect(await team.booked()).toEqual(['shared@example.com 5'])
})
