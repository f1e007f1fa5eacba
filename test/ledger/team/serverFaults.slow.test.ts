import { createServer, type Socket } from 'node:net'
import { performance } from 'node:perf_hooks'
import { describe, expect, onTestFinished } from 'vitest'
import { LedgerBusy } from '../../../src/ledger/ledgerFile.ts'
import { connectServer, type LedgerServer } from '../../../src/ledger/team/ledgerServer.ts'
import { CommitUnknown, LedgerNotReached } from '../../../src/ledger/team/serverErrors.ts'
import { connected, itOnPostgres, PASSWORD, soon, type TestPostgres, withOwnPostgres } from '../../postgres.ts'
import { startProxy } from '../../postgresProxy.ts'
import { addRecord, newRecord } from './newRecords.ts'

/** For what is expected not to answer. */
const SHORT_MS = 400
/** By how much a busy machine may be late. */
const SLOW_MS = 3000

let postgres: TestPostgres
let database: string
let maria: string

withOwnPostgres(async (started) => {
  postgres = started
  database = await postgres.newLedger()
  maria = await postgres.newLogin('pixgate_member')
})

function member(port?: number): Promise<LedgerServer> {
  return connected(postgres.address(maria, database, port))
}

/** What a promise fails with, and after how many ms. */
async function failure(promise: Promise<unknown>): Promise<{ error: unknown; afterMs: number }> {
  const fromMs = performance.now()
  const error = await promise.then(
    (value) => {
      throw new Error(`it succeeded: ${JSON.stringify(value)}`)
    },
    (reason: unknown) => reason,
  )
  return { error, afterMs: performance.now() - fromMs }
}

async function count(): Promise<number> {
  return Number(await postgres.sql(database, 'SELECT count(*) FROM pixgate.record'))
}

/** The process of the server that serves a connection. */
async function backendOf(server: LedgerServer): Promise<number> {
  await server.recordsAfter(0, 1, soon())
  const pid = await postgres.sql(
    database,
    `SELECT max(pid) FROM pg_stat_activity WHERE usename = '${server.state.login}'`,
  )
  return Number(pid)
}

describe('a commit whose answer does not arrive', () => {
  itOnPostgres.each([
    ['mute', 'waiting for the records'],
    ['cut', 'waiting for the records'],
    ['cut', 'waiting only for the commit'],
  ] as const)('is unknown, recorded or not: %s, %s', async (afterCommit, waiting) => {
    const proxy = await startProxy(postgres.port)
    const server = await member(proxy.port)
    const before = await count()
    proxy.afterCommit = afterCommit
    const adding = server.locked(soon(SHORT_MS), 0, async ({ records, insert }) => {
      const inserting = insert([newRecord(maria, {}, records.at(-1))])
      if (waiting === 'waiting for the records') await inserting
    })
    const { error } = await failure(adding)
    expect(error).toBeInstanceOf(CommitUnknown)
    expect(error).not.toBeInstanceOf(LedgerNotReached)
    expect(error).toMatchObject({ exitCode: 6, code: 'LEDGER_NOT_REACHED' })
    expect(await count()).toBe(before + 1)
    // A new connection shows what became of it.
    proxy.afterCommit = 'answer'
    expect(await server.locked(soon(), before, ({ records }) => records)).toHaveLength(1)
    expect(proxy.connections).toBe(2)
  })

  itOnPostgres('is not unknown if the connection ends before, or nothing was to be recorded', async () => {
    const proxy = await startProxy(postgres.port)
    const server = await member(proxy.port)
    const before = await count()
    const lost = server.locked(soon(), 0, async ({ records, insert }) => {
      proxy.cut()
      await insert([newRecord(maria, {}, records.at(-1))])
    })
    expect((await failure(lost)).error).toBeInstanceOf(LedgerNotReached)
    const late = server.locked(soon(SHORT_MS), 0, async ({ records, insert }) => {
      proxy.isMute = true
      await insert([newRecord(maria, {}, records.at(-1))])
    })
    expect((await failure(late)).error).toBeInstanceOf(LedgerNotReached)
    proxy.isMute = false
    proxy.afterCommit = 'cut'
    expect(await server.locked(soon(), 0, () => 'nothing')).toBe('nothing')
    expect(await count()).toBe(before)
  })

  itOnPostgres('records nothing while a backup is being restored, which has not all tables yet', async () => {
    const server = await member()
    const before = await count()
    const renamed = (from: string, to: string) => postgres.sql(database, `ALTER TABLE pixgate.${from} RENAME TO ${to}`)
    await renamed('ledger', 'gone')
    try {
      const { error } = await failure(addRecord(server))
      expect(error).toBeInstanceOf(LedgerNotReached)
      expect(error).toMatchObject({ exitCode: 6 })
    } finally {
      await renamed('gone', 'ledger')
    }
    expect(await count()).toBe(before)
    await addRecord(server)
    expect(await count()).toBe(before + 1)
  })

  itOnPostgres('records nothing if the work fails, and leaves its error as it is', async () => {
    const server = await member()
    const before = await count()
    const own = Object.assign(new Error('the disk of this machine is full'), { code: 'ENOSPC' })
    const work = server.locked(soon(), 0, async ({ records, insert }) => {
      await insert([newRecord(maria, {}, records.at(-1))])
      throw own
    })
    expect((await failure(work)).error).toBe(own)
    expect(await count()).toBe(before)
  })

  itOnPostgres('needs no round trip of its own for what is inserted last', async () => {
    const proxy = await startProxy(postgres.port)
    const server = await member(proxy.port)
    const stored = await server.locked(soon(), 0, ({ records, nowMs, insert }) => {
      proxy.requests = 0
      return { nowMs, inserting: insert([newRecord(maria, {}, records.at(-1))]) }
    })
    expect((await stored.inserting)[0]).toBeGreaterThanOrEqual(stored.nowMs)
    expect(proxy.requests).toBe(1)
  })

  itOnPostgres('is refused if the transaction had failed before', async () => {
    const server = await member()
    const hidden = server.locked(soon(), 0, async ({ insert }) => {
      await insert([newRecord('joana')]).catch(() => undefined)
    })
    expect((await failure(hidden)).error).toMatchObject({ exitCode: 2, code: 'LEDGER_REFUSED' })
    const early = server.locked(soon(), 0, ({ insert }) => void insert([newRecord('joana')]))
    expect((await failure(early)).error).toMatchObject({ exitCode: 2, code: 'LEDGER_REFUSED' })
    const late = server.locked(soon(SHORT_MS), 0, async ({ records, insert }) => {
      await insert([newRecord(maria, {}, records.at(-1))])
      await new Promise((resolve) => setTimeout(resolve, SHORT_MS))
    })
    expect((await failure(late)).error).toBeInstanceOf(LedgerNotReached)
  })
})

describe('the lock', () => {
  itOnPostgres('lets only one machine at a time look and record', async () => {
    const servers = await Promise.all([member(), member(), member()])
    const before = await count()
    const added = await Promise.all([...servers, ...servers, ...servers, ...servers].map((server) => addRecord(server)))
    expect(added.map(({ seq }) => seq).sort((a, b) => a - b)).toEqual(added.map((_, index) => before + 1 + index))
  })

  itOnPostgres('ends a wait for another session as busy, before the deadline', async () => {
    const [holder, waiting] = [await member(), await member()]
    let release = () => {}
    const held = new Promise<void>((resolve) => {
      holder.locked(soon(), 0, () => {
        resolve()
        return new Promise<void>((done) => {
          release = done
        })
      })
    })
    await held
    const { error, afterMs } = await failure(addRecord(waiting, soon(SHORT_MS)))
    expect(error).toBeInstanceOf(LedgerBusy)
    const details = [expect.stringContaining(holder.state.login)]
    expect(error).toMatchObject({ exitCode: 6, code: 'LEDGER_BUSY', details })
    expect(afterMs).toBeLessThan(SHORT_MS + SLOW_MS)
    release()
    await addRecord(waiting)
  })

  itOnPostgres('is taken from a machine that sleeps with it, and cannot be used when it wakes', async () => {
    const proxy = await startProxy(postgres.port)
    const [sleeping, other] = [await member(proxy.port), await member()]
    let wake = () => {}
    const asleep = failure(
      sleeping.locked(soon(SHORT_MS), 0, async ({ insert }) => {
        proxy.isAsleep = true
        await new Promise<void>((resolve) => {
          wake = resolve
        })
        await insert([newRecord(maria)])
      }),
    )
    await addRecord(other)
    expect((await asleep).error).toBeInstanceOf(LedgerNotReached)
    const before = await count()
    wake()
    proxy.isAsleep = false
    await addRecord(sleeping)
    expect(await count()).toBe(before + 1)
  })
})

describe('a login with defaults of its own', () => {
  itOnPostgres.each([
    'default_transaction_isolation = serializable',
    "default_transaction_isolation = 'repeatable read'",
    'synchronous_commit = off',
    "idle_in_transaction_session_timeout = '1ms'",
    'search_path = pg_temp, pixgate',
    'standard_conforming_strings = off',
  ])('records as every other: %s', async (setting) => {
    const login = await postgres.newLogin('pixgate_member')
    await postgres.sql(database, `ALTER ROLE ${login} SET ${setting}`)
    const server = await connected(postgres.address(login, database))
    const content = '{"type":"clock","text":"it\'s \\\\ here"}'
    await server.locked(soon(), 0, async ({ records, insert }) => {
      await new Promise((resolve) => setTimeout(resolve, 60))
      await insert([newRecord(login, { content }, records.at(-1))])
    })
    expect((await server.recordsAfter((await count()) - 1, 1, soon()))[0]).toMatchObject({ content, storedBy: login })
  })

  itOnPostgres('waits for the lock until the deadline, whatever its own limits are', async () => {
    const login = await postgres.newLogin('pixgate_member')
    for (const limit of ['statement_timeout', 'lock_timeout']) {
      await postgres.sql(database, `ALTER ROLE ${login} SET ${limit} = 50`)
    }
    const [holder, waiting] = [await member(), await connected(postgres.address(login, database))]
    let added: Promise<unknown> = Promise.resolve()
    await holder.locked(soon(), 0, async () => {
      added = addRecord(waiting)
      const longWaits = `SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'advisory' AND now() - query_start > '100ms'`
      await expect.poll(() => postgres.sql(database, longWaits)).toBe('1')
    })
    await added
  })

  itOnPostgres('is not reached if it has too many connections', async () => {
    const login = await postgres.newLogin('pixgate_member')
    await postgres.sql(database, `ALTER ROLE ${login} CONNECTION LIMIT 1`)
    await connected(postgres.address(login, database))
    const { error } = await failure(connected(postgres.address(login, database)))
    expect(error).toBeInstanceOf(LedgerNotReached)
    expect(error).toMatchObject({ details: [expect.stringContaining('too many connections')] })
  })
})

/** The port of a server that is not PostgreSQL. */
async function listening(onConnection: (socket: Socket) => void): Promise<number | undefined> {
  const server = createServer(onConnection)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const address = server.address()
  return typeof address === 'object' ? address?.port : undefined
}

describe('a server that does not answer', () => {
  itOnPostgres('is not reached within the deadline if it accepts and is silent', async () => {
    const port = await listening(() => undefined)
    for (const place of [
      postgres.address(maria, database, port),
      { ...postgres.address(maria, database, port), isLoopback: false },
    ]) {
      const { error, afterMs } = await failure(connectServer(place, { password: PASSWORD, deadlineMs: soon(SHORT_MS) }))
      expect(error).toBeInstanceOf(LedgerNotReached)
      expect(error).toMatchObject({ message: expect.stringContaining('did not answer in time') })
      expect(afterMs).toBeLessThan(SHORT_MS + SLOW_MS)
    }
  })

  itOnPostgres('is not reached if it closes each connection at once', async () => {
    const port = await listening((socket) => socket.end())
    const { error } = await failure(
      connectServer(postgres.address(maria, database, port), { password: PASSWORD, deadlineMs: soon() }),
    )
    expect(error).toBeInstanceOf(LedgerNotReached)
  })

  itOnPostgres('is left at the deadline if it stops, and used again when it goes on', async () => {
    const server = await member()
    const backend = await backendOf(server)
    process.kill(backend, 'SIGSTOP')
    const { error, afterMs } = await failure(server.recordsAfter(0, 1, soon(SHORT_MS)))
    process.kill(backend, 'SIGCONT')
    expect(error).toBeInstanceOf(LedgerNotReached)
    expect(afterMs).toBeLessThan(SHORT_MS + SLOW_MS)
    await addRecord(server)
  })

  itOnPostgres('is used again after a restart, in the middle of a transaction too', async () => {
    const server = await member()
    const lost = server.locked(soon(), 0, async ({ records, insert }) => {
      await postgres.restart('immediate')
      await insert([newRecord(maria, {}, records.at(-1))])
    })
    expect((await failure(lost)).error).toBeInstanceOf(LedgerNotReached)
    const before = await count()
    await addRecord(server)
    expect(await count()).toBe(before + 1)
  })

  itOnPostgres('is refused if it was replaced while the process was running', async () => {
    const name = await postgres.newLedger()
    const server = await connected(postgres.address(maria, name))
    await postgres.sql(name, 'UPDATE pixgate.ledger SET id = gen_random_uuid()')
    expect((await failure(addRecord(server))).error).toMatchObject({ exitCode: 2, code: 'LEDGER_OLDER' })
    const gone = await connected(postgres.address(maria, name))
    await postgres.sql('postgres', `DROP DATABASE ${name} WITH (FORCE)`)
    await failure(addRecord(gone))
    expect((await failure(addRecord(gone))).error).toMatchObject({
      exitCode: 2,
      message: expect.stringContaining('no database'),
    })
  })
})
