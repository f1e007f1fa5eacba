import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, it, onTestFinished } from 'vitest'
import { here } from '../inProcess.ts'
import { itOnPostgres, type TestPostgres, withPostgres } from '../postgres.ts'
import { startProxy } from '../postgresProxy.ts'
import { BINARY, NODE, sandboxWorld, type World } from '../world.ts'
import { control, failureOf, inProduction, inThisProcess } from './payments.ts'
import { people } from './planPeople.ts'
import { startTeam } from './teamDesks.ts'

const { maria, joao } = people(afterAll, 'maria', 'joao')

let postgres: TestPostgres
withPostgres((started) => {
  postgres = started
})

interface SentLine {
  type: 'plan' | 'ready' | 'lost' | 'back'
  plan?: string
  state?: string
  sentRequests?: number
  exitCode?: number
  error?: { message: string } | null
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

it('needs a shared ledger and a profile that may send, and takes no plan', async () => {
  const sandbox = await sandboxWorld({}, {}, onTestFinished)
  const world = inThisProcess(await inProduction(sandbox, sandbox.url))
  const watch = ['plan', 'send', '--watch', '-o', 'json']
  expect(failureOf(await world.run(watch))).toMatchObject({
    exit: 2,
    message: '`--watch` sends the plans of a shared ledger, and the ledger of this account is not shared',
    hint: 'Run `pixgate ledger join postgres://maria@db.example.com/pix` to share it, or send each plan by its file with `pixgate plan send plan.json`',
  })
  expect(failureOf(await world.run([...watch, '/srv/plans']))).toMatchObject({
    exit: 2,
    message: '`--watch` sends the plans of the shared ledger and takes no `<plan>`',
    hint: 'Send this one with `pixgate plan send /srv/plans`',
  })
  expect(failureOf(await world.run(['plan', 'send', '-o', 'json']))).toMatchObject({
    exit: 2,
    message: '`<plan>` is missing',
  })
  await world.prepare(['profile', 'edit', 'prod', '--read-only'])
  expect(failureOf(await world.run(watch))).toMatchObject({ exit: 2, message: expect.stringContaining('read-only') })
})

itOnPostgres('asks for a list of approvers in production', async () => {
  const team = await startTeam(postgres)
  const desk = await inProduction(await team.newDesk(), team.url)
  const { PIXGATE_BASE_URL: _, ...env } = desk.env
  const world = inThisProcess({ ...desk, env })
  await world.prepare(['ledger', 'join', desk.ledger, '--confirm', 'prod'])
  expect(failureOf(await world.run(['plan', 'send', '--watch', '-o', 'json']))).toMatchObject({
    exit: 2,
    message: '`--watch` sends what others approve, and this account has no list of approvers',
  })
})

itOnPostgres('tries each plan once, whatever is wrong with others, and changes no rule', async () => {
  const team = await startTeam(postgres)
  const [desk, other] = [inThisProcess(await team.joinedDesk()), inThisProcess(await team.joinedDesk())]
  const approved = async (words: readonly string[]): Promise<string> => {
    const { plan } = JSON.parse(await desk.prepare([...words, '--plan', '--ssh-key', maria.file, '-o', 'json']))
    await other.prepare(['plan', 'approve', plan, '--ssh-key', joao.file, '--yes'])
    return plan
  }
  const first = await approved(transfer('first'))
  const same = await approved(['transfer', '--key', 'other@example.com', '--amount', '7', '--external-id', 'first'])
  const host = startWatching(desk)
  const sentOf = (plan: string) => ({
    ...{ type: 'plan', plan, state: 'sent', sentRequests: 1, exitCode: 0, error: null },
  })
  expect(await host.next()).toEqual({ type: 'ready' })
  expect(await host.next()).toEqual(sentOf(first))
  // Nothing of it is sent, so it stays approved.
  expect(await host.next()).toMatchObject({
    ...{ plan: same, state: 'approved', sentRequests: 0, exitCode: 2, error: { message: expect.any(String) } },
  })
  const later = await approved(transfer('later'))
  expect(await host.next()).toEqual(sentOf(later))
  const last = await approved(transfer('last'))
  expect(await host.next()).toEqual(sentOf(last))
  expect(await host.stop('SIGTERM')).toMatchObject({ exit: 0 })
  expect(host.lines).toHaveLength(5)
  expect(await team.booked()).toEqual(['first@example.com 5', 'last@example.com 5', 'later@example.com 5'])
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

itOnPostgres(
  'names at its start what was interrupted, and says once that the ledger is lost, and that it is back',
  async () => {
    const team = await startTeam(postgres)
    const proxy = await startProxy(postgres.port)
    const [desk, other] = [await team.joinedDesk(), await team.joinedDesk()]
    const host = await team.joinedDesk(proxy.port)
    await desk.prepare([...transfer('lost'), '--plan', '--ssh-key', maria.file])
    const [{ plan }] = JSON.parse(await other.prepare(['plan', 'list', '-o', 'json']))
    await other.prepare(['plan', 'approve', plan, '--ssh-key', joao.file, '--yes'])
    await control(team.url, 'fault', { kind: 'drop-before', on: 'transfer', times: 1 })
    expect((await here(desk)(['plan', 'send', plan, '--yes'])).exit).toBe(5)
    const interrupted = { plan, state: 'interrupted', sentRequests: 1 }
    expect(JSON.parse(await other.prepare(['plan', 'list', '--state', 'interrupted', '-o', 'json']))).toMatchObject([
      interrupted,
    ])
    const [watching, told] = [startWatching(host), startWatching(host, '-o', 'text')] as const
    expect(await watching.next()).toEqual({ type: 'ready' })
    expect(await watching.next()).toMatchObject({ type: 'plan', ...interrupted, exitCode: null })
    proxy.isMute = true
    proxy.cut()
    expect(await watching.next()).toEqual({ type: 'lost' })
    const before = proxy.connections
    while (proxy.connections < before + 2) await sleep(100)
    proxy.isMute = false
    proxy.cut()
    expect(await watching.next()).toEqual({ type: 'back' })
    while (!told.stderr.join('').includes('reached again')) await sleep(100)
    await watching.stop('SIGTERM')
    const { stderr } = await told.stop('SIGTERM')
    expect(stderr).toContain(`finish it with \`pixgate plan send ${plan}\``)
    expect(stderr.match(/keeps trying|reached again/g)).toEqual(['keeps trying', 'reached again'])
    expect(watching.lines.map(({ type }) => type)).toEqual(['ready', 'plan', 'lost', 'back'])
    await desk.prepare(['plan', 'send', plan, '--yes'])
    expect(JSON.parse(await other.prepare(['plan', 'show', plan.slice(5, 13), '-o', 'json']))).toMatchObject({
      state: 'sent',
    })
  },
)
