import { execFile, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, existsSync, mkdtempSync, readdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { createInterface } from 'node:readline'
import { beforeAll, it, onTestFinished } from 'vitest'
import { type LedgerAddress, readLedgerAddress } from '../src/ledger/team/ledgerAddress.ts'
import { connectServer, initServer, type LedgerServer } from '../src/ledger/team/ledgerServer.ts'
import { freePort } from './freePort.ts'

/** The folder of initdb and postgres: Debian's, the newest version first, or the one on the PATH. Undefined without them. */
const PROGRAMS = findPrograms()
if (PROGRAMS === undefined)
  process.stderr.write('WITHOUT PostgreSQL THERE ARE NO SHARED LEDGERS: their tests are skipped\n')

/** A test that needs a PostgreSQL server; skipped, with a message, if it is not installed. */
export const itOnPostgres = PROGRAMS === undefined ? it.skip : it

/** How long it may take on a busy machine; usually it is a second. */
const START_MS = 120_000

/** The server that the files of a process share, which is started for the first one and ends with the process. */
let shared: Promise<TestPostgres> | undefined

/** Prepares the tests of a file for a server, on which other files have databases and logins of their own; nothing if they are skipped. */
export function withPostgres(prepare: (postgres: TestPostgres) => Promise<void> | void): void {
  if (PROGRAMS === undefined) return
  beforeAll(async () => {
    shared ??= startPostgres()
    await prepare(await shared)
  }, START_MS)
}

/** The same with a server of the file alone, which its tests may set up and restart. */
export function withOwnPostgres(prepare: (postgres: TestPostgres) => Promise<void> | void): void {
  if (PROGRAMS === undefined) return
  beforeAll(async () => {
    const postgres = await startPostgres()
    await prepare(postgres)
    return () => postgres.end()
  }, START_MS)
}

/** The login that owns everything, and the password of every login. */
export const OWNER = 'owner'
export const PASSWORD = 'correct horse'

/** A user of this machine that PostgreSQL may run as, because it refuses to run as root. Undefined if this is not root. */
const RUN_AS = process.getuid?.() === 0 ? userIds() : undefined

/** What psql did. */
export interface PsqlResult {
  exit: number
  stdout: string
  stderr: string
}

/** A PostgreSQL server of the tests, on loopback. */
export interface TestPostgres {
  port: number
  /** The folder of its programs. */
  programs: string
  /** Its data folder. */
  folder: string
  /** Runs SQL with psql, as a login in a database; further environment such as PGOPTIONS. It stops at the first error. */
  psql(login: string, database: string, sql: string, env?: Record<string, string>): Promise<PsqlResult>
  /** Runs SQL as the owner and returns its output. Throws on an error. */
  sql(database: string, text: string): Promise<string>
  address(login: string, database: string, port?: number): LedgerAddress
  /** Makes a database of its own with a ledger: the name, which no other has. */
  newLedger(): Promise<string>
  /** Makes a login, of a role such as `pixgate_member` or of none: its name, which no other has. */
  newLogin(role?: string): Promise<string>
  /** Ends the server and starts it again. */
  restart(mode?: 'fast' | 'immediate'): Promise<void>
  /** Writes a file that only the server's user can read into its data folder: the path. */
  writeFile(name: string, text: string | Buffer): string
  /** Ends the server and removes its folder. */
  end(): Promise<void>
  /** Runs one of PostgreSQL's programs as the user that the server runs as. */
  program(name: string, args: readonly string[]): Promise<PsqlResult>
}

/** Starts a server, which ends at the latest with the process of the tests, also if they are killed. */
async function startPostgres(): Promise<TestPostgres> {
  const folder = newFolder()
  const data = join(folder, 'data')
  const passwordFile = join(folder, 'password')
  writeFileSync(passwordFile, PASSWORD)
  const port = await freePort()
  await runProgram('initdb', [
    ...[
      '-D',
      data,
      '-U',
      OWNER,
      '--pwfile',
      passwordFile,
      '-A',
      'scram-sha-256',
      '-E',
      'UTF8',
      '--locale',
      'C',
      '--no-sync',
    ],
  ])
  let server = await startServer(folder, data, port)
  let names = 0
  const newName = (kind: string) => {
    names += 1
    return `${kind}_${names}`
  }
  const postgres: TestPostgres = {
    port,
    programs: PROGRAMS ?? '',
    folder: data,
    psql: (login, database, sql, env = {}) =>
      run(
        join(PROGRAMS ?? '', 'psql'),
        [...PSQL, '-h', '127.0.0.1', '-p', String(port), '-U', login, '-d', database, '-c', sql],
        {
          env: { PGPASSWORD: PASSWORD, ...env },
        },
      ),
    async sql(database, text) {
      const { exit, stdout, stderr } = await postgres.psql(OWNER, database, text)
      if (exit !== 0) throw new Error(stderr)
      return stdout.trim()
    },
    address: (login, database, throughPort = port) =>
      readLedgerAddress(`postgres://${login}@127.0.0.1:${throughPort}/${database}`),
    async newLedger() {
      const name = newName('ledger')
      await postgres.sql('postgres', `CREATE DATABASE ${name}`)
      await initServer(postgres.address(OWNER, name), { password: PASSWORD, deadlineMs: soon() })
      return name
    },
    async newLogin(role) {
      const name = newName('login')
      const member = role === undefined ? '' : `IN ROLE ${role}`
      await postgres.sql('postgres', `CREATE ROLE ${name} LOGIN PASSWORD '${PASSWORD}' ${member}`)
      return name
    },
    async restart(mode = 'fast') {
      await server.stop(mode)
      server = await startServer(folder, data, port)
    },
    writeFile(name, text) {
      const path = join(data, name)
      writeFileSync(path, text, { mode: 0o600 })
      if (RUN_AS !== undefined) chownSync(path, RUN_AS.uid, RUN_AS.gid)
      return path
    },
    end: () => server.end(),
    program: runProgram,
  }
  return postgres
}

/** Starts a server on a data folder that exists, such as a copy. It ends with the test. */
export async function startCopy(data: string): Promise<number> {
  const port = await freePort()
  const { end } = await startServer(data, data, port)
  onTestFinished(end)
  return port
}

/** A connection to a ledger, which ends with the test. */
export async function connected(address: LedgerAddress): Promise<LedgerServer> {
  const server = await connectServer(address, { password: PASSWORD, deadlineMs: soon() })
  onTestFinished(() => server.close())
  return server
}

/** A deadline that only a test that hangs reaches. */
export function soon(ms = 15_000): number {
  return performance.now() + ms
}

/** A folder that the server's user can write to; the folder of the tests' own temporary files is closed to other users. */
function newFolder(): string {
  const folder = mkdtempSync(join(RUN_AS === undefined ? tmpdir() : '/tmp', 'pixgate-postgres-'))
  if (RUN_AS !== undefined) chownSync(folder, RUN_AS.uid, RUN_AS.gid)
  return folder
}

/** Quiet, no start file, only values, tuples only; the first error ends it. */
const PSQL = ['-X', '-A', '-t', '-q', '-v', 'ON_ERROR_STOP=1', '-v', 'VERBOSITY=verbose']

/** Waits for the end of its input, which also comes when the tests are killed, then ends the server. */
const KEEPER = `"$0" "$@" & server=$!
while read -r signal; do kill -"$signal" $server; wait $server; exit; done
kill -QUIT $server; wait $server; rm -rf "$PIXGATE_TEST_FOLDER"`

async function startServer(folder: string, data: string, port: number) {
  const options = [
    ...['listen_addresses=127.0.0.1', `port=${port}`, 'unix_socket_directories=', 'fsync=off', 'max_connections=30'],
    ...['shared_buffers=16MB', 'autovacuum=off', 'logging_collector=off'],
  ]
  const args = ['-c', KEEPER, join(PROGRAMS ?? '', 'postgres'), '-D', data, ...options.flatMap((each) => ['-c', each])]
  const server = spawn('sh', args, {
    ...RUN_AS,
    cwd: '/',
    env: { PATH: process.env.PATH, PIXGATE_TEST_FOLDER: folder },
    stdio: ['pipe', 'ignore', 'pipe'],
  })
  const exited = once(server, 'exit')
  const log: string[] = []
  await new Promise<void>((resolve, reject) => {
    createInterface(server.stderr).on('line', (line) => {
      log.push(line)
      if (line.includes('ready to accept')) resolve()
      // What it says to clients that are too early is no failure.
      if (/FATAL: {2}(?!the database system is)/.test(line))
        reject(new Error(`PostgreSQL did not start:\n${log.join('\n')}`))
    })
  })
  return {
    async stop(mode: 'fast' | 'immediate') {
      server.stdin.end(mode === 'fast' ? 'INT\n' : 'QUIT\n')
      await exited
    },
    /** Ends it and removes its folder. */
    async end() {
      server.stdin.end()
      await exited
    },
  }
}

async function runProgram(name: string, args: readonly string[]): Promise<PsqlResult> {
  const result = await run(join(PROGRAMS ?? '', name), args, { ...RUN_AS, env: { PGPASSWORD: PASSWORD } })
  if (result.exit !== 0) throw new Error(`${name}: ${result.stderr}`)
  return result
}

function run(
  program: string,
  args: readonly string[],
  options: { env: Record<string, string>; uid?: number; gid?: number },
): Promise<PsqlResult> {
  const env = { PATH: process.env.PATH, ...options.env }
  return new Promise((resolve) => {
    const child = execFile(program, args, { ...options, env, cwd: '/' }, (_, stdout, stderr) =>
      resolve({ exit: child.exitCode ?? 1, stdout, stderr }),
    )
  })
}

function findPrograms(): string | undefined {
  const debian = '/usr/lib/postgresql'
  const versions = existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : []
  const onPath = (process.env.PATH ?? '').split(':')
  return [...versions.map((version) => join(debian, version, 'bin')), ...onPath].find((each) =>
    ['initdb', 'postgres', 'psql'].every((name) => existsSync(join(each, name))),
  )
}

function userIds(): { uid: number; gid: number } {
  for (const user of ['postgres', 'nobody']) {
    const [uid, gid] = ['-u', '-g'].map((flag) => Number(spawnSync('id', [flag, user], { encoding: 'utf8' }).stdout))
    if (uid && gid) return { uid, gid }
  }
  throw new Error('there is no user that PostgreSQL can run as')
}
