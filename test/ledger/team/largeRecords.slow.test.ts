import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { expect, onTestFinished } from 'vitest'
import type { LedgerServer } from '../../../src/ledger/team/ledgerServer.ts'
import { openTeam } from '../../../src/ledger/team/openTeam.ts'
import { LedgerNotReached } from '../../../src/ledger/team/serverErrors.ts'
import { connected, itOnPostgres, PASSWORD, soon, type TestPostgres, withPostgres } from '../../postgres.ts'
import { startProxy } from '../../postgresProxy.ts'
import { emptyWorld } from '../../world.ts'
import { addRecord, newRecord } from './newRecords.ts'

const MEGABYTE = 1024 * 1024
const SHORT_MS = 1000

let postgres: TestPostgres
withPostgres((started) => {
  postgres = started
})

/** The port of a way to the server for a machine that falls asleep when it has asked for the lock: it reads nothing more, and closes nothing. */
async function sleepyWay(serverPort: number): Promise<number> {
  const sockets: Socket[] = []
  const server = createServer((client) => {
    const upstream = connect({ port: serverPort, host: '127.0.0.1' })
    sockets.push(
      client.on('error', () => undefined),
      upstream.on('error', () => undefined),
    )
    upstream.on('data', (chunk) => client.write(chunk))
    client.on('data', (chunk) => {
      if (chunk.includes('pg_advisory_xact_lock')) upstream.pause()
      upstream.write(chunk)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('a server on a port has an address')
  return address.port
}

/** A ledger in which a record has so many bytes, and there are so many of them. */
async function filledLedger(bytes: number, records: number): Promise<{ database: string; server: LedgerServer }> {
  const database = await postgres.newLedger()
  const server = await connected(postgres.address(await postgres.newLogin('pixgate_member'), database))
  const content = JSON.stringify({ type: 'clock', text: 'x'.repeat(bytes) })
  await server.locked(soon(), 0, async ({ insert }) => {
    let last: ReturnType<typeof newRecord> | undefined
    for (let count = 0; count < records; count++) {
      last = newRecord(server.state.login, { content }, last)
      await insert([last])
    }
  })
  return { database, server }
}

itOnPostgres('takes the lock from a machine that sleeps while records are sent to it', async () => {
  // More than fits into what the system keeps of a connection that nobody reads.
  const { database, server } = await filledLedger(8 * MEGABYTE, 2)
  const way = postgres.address(server.state.login, database, await sleepyWay(postgres.port))
  const asleep = (await connected(way)).locked(soon(SHORT_MS), 0, () => undefined).catch((error: unknown) => error)
  const holders = "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND granted"
  await expect.poll(() => postgres.sql(database, holders)).toBe('1')
  await addRecord(server)
  expect(await asleep).toBeInstanceOf(LedgerNotReached)
})

itOnPostgres.each([
  [0.01, [7]],
  [0.4, [3, 3, 3]],
  [1.5, [2, 2, 2, 2, 2, 2]],
])('reads records of %f megabytes in pages that a slow connection can bring', async (megabytes, pages) => {
  const { server } = await filledLedger(megabytes * MEGABYTE, 7)
  const read: number[] = []
  for (let known = 1; known < 7; ) {
    const page = await server.recordsAfter(known - 1, 1000, soon())
    expect(page.map(({ seq }) => seq)).toEqual(page.map((_, index) => known + index))
    known = page.at(-1)?.seq ?? Number.NaN
    expect(page.at(-1)?.isNewest).toBe(known === 7)
    read.push(page.length)
  }
  expect(read).toEqual(pages)
})

itOnPostgres('copies everything, also if that takes longer than a command may', async () => {
  const { server, database } = await filledLedger(1.5 * MEGABYTE, 7)
  const proxy = await startProxy(postgres.port)
  const address = postgres.address(server.state.login, database, proxy.port)
  const environment = {
    folder: emptyWorld().home,
    user: 'maria',
    machine: 'desk',
    pid: process.pid,
    now: Date.now,
    newId: () => crypto.randomUUID(),
    notice: () => undefined,
    timeoutMs: 3000,
    sharedAt: address.url,
  }
  const unexpected = () => {
    throw new Error('the server is reached, and nothing is pending')
  }
  const access = {
    password: async () => PASSWORD,
    notices: { stopped: unexpected, unreached: unexpected, waiting: unexpected },
  }
  const ledger = await openTeam(environment, address, access)
  onTestFinished(() => ledger.close())
  expect(await ledger.state()).toMatchObject({ records: 0, behind: 7 })
  // Six pages, each of which takes 600 ms or more.
  proxy.delayMs = 300
  await ledger.copyAll()
  proxy.delayMs = 0
  expect(await ledger.state()).toMatchObject({ records: 7, behind: 0 })
})
