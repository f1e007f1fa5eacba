import { connect, isIP, type Socket } from 'node:net'
import { performance } from 'node:perf_hooks'
import { connect as secure, TLSSocket } from 'node:tls'
import type { Row } from '../../storage/sqlite.ts'
import { isObject } from '../../wire/answers.ts'
import type { LedgerAddress } from './ledgerAddress.ts'
import { DeadlinePassed, isServerError, NoPassword, NoTls } from './serverErrors.ts'

/** The rows of each statement of a query that has rows, and the name of the last statement. */
interface QueryResult {
  sets: readonly (readonly Row[])[]
  command: string
}

/** TLS with a certificate that was verified. */
export interface Encryption {
  /** Such as `TLSv1.3`. */
  protocol: string
  /** The end of the certificate's validity, in ms. */
  validUntilMs: number
}

/** One connection to PostgreSQL. After an error of the network or a deadline it is broken and never used again. */
export interface Connection {
  readonly isBroken: boolean
  /** How it is encrypted; null without TLS, to a server on this machine. */
  readonly encryption: Encryption | null
  /**
   * Runs statements, separated by semicolons, in one round trip. Deadlines are times of `performance.now()`. Throws DeadlinePassed, NoPassword if the
   * server asks for a password that is not known, and errors of the system or the server.
   */
  query(text: string, deadlineMs: number): Promise<QueryResult>
  close(): void
}

const KEEP_ALIVE_MS = 30_000
/** The message that asks for TLS: its length, and the number of the request. */
const TLS_REQUEST = Buffer.from([0, 0, 0, 8, 0x04, 0xd2, 0x16, 0x2f])
const TLS_OFFERED = 'S'

/** Opens a connection. The login is checked by the first query. Throws DeadlinePassed, NoTls, and errors of the system or of TLS. */
export async function openConnection(
  address: LedgerAddress,
  password: string | undefined,
  deadlineMs: number,
): Promise<Connection> {
  const { default: postgres } = await import('postgres')
  const socket = await openSocket(address, deadlineMs)
  // The package listens for errors only while it waits for an answer.
  socket.on('error', () => undefined)
  let isGiven = false
  let isPasswordMissing = false
  const sql = postgres({
    // Gives the one connection that was opened and verified above. The package itself would try again without an end.
    socket: () => {
      if (isGiven || socket.destroyed) throw connectionClosed()
      isGiven = true
      return socket
    },
    user: address.user,
    database: address.database,
    // Called only if the server asks for it.
    password: () => {
      isPasswordMissing = password === undefined
      if (isPasswordMissing) socket.destroy()
      return password ?? ''
    },
    connection: { application_name: 'pixgate' },
    // No names for statements, which a pooler in front of the server would mix up.
    prepare: false,
    fetch_types: false,
    max: 1,
    onnotice: () => undefined,
    // The package would read options that are missing here from variables such as PGSSL. It also wants a kind of server; this one excludes none,
    // because the name of the host, which is before the colon, is empty.
    host: ':',
    port: address.port,
    target_session_attrs: 'prefer-standby',
    ssl: false,
    sslnegotiation: null,
    idle_timeout: 0,
    connect_timeout: 0,
    max_lifetime: 0,
    max_pipeline: 1,
    keep_alive: 0,
    backoff: false,
    debug: false,
    publications: '',
  })
  return {
    get isBroken() {
      return socket.destroyed
    },
    encryption: encryptionOf(socket),
    async query(text, deadlineMs) {
      try {
        return readAnswer(await within(sql.unsafe(text), deadlineMs, () => socket.destroy()))
      } catch (error) {
        if (isPasswordMissing) throw new NoPassword('the server asks for a password')
        // The server ends the connection after any other severity, which the package would open again.
        if (isServerError(error) && error.severity !== 'ERROR') socket.destroy()
        throw error
      }
    },
    close() {
      socket.destroy()
    },
  }
}

function encryptionOf(socket: Socket): Encryption | null {
  if (!(socket instanceof TLSSocket)) return null
  return {
    protocol: socket.getProtocol() ?? '',
    validUntilMs: Date.parse(socket.getPeerCertificate().valid_to),
  }
}

/** The answer of one statement is an array of rows with the name of the statement; that of several is an array of such arrays. */
function readAnswer(answer: unknown): QueryResult {
  const results = Array.isArray(answer) && answer.some((each) => Array.isArray(each)) ? answer : [answer]
  const last: unknown = results.at(-1)
  const command = last instanceof Object && 'command' in last ? String(last.command) : ''
  return { sets: results.map((rows) => (Array.isArray(rows) ? rows.filter(isObject) : [])), command }
}

/** What a promise gives, or DeadlinePassed, after which `stop` ends what was going on. */
export async function within<Result>(
  promise: PromiseLike<Result>,
  deadlineMs: number,
  stop: () => void,
): Promise<Result> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => {
        reject(new DeadlinePassed('no answer in time'))
        stop()
      },
      Math.max(0, deadlineMs - performance.now()),
    )
  })
  try {
    return await Promise.race([promise, late])
  } finally {
    clearTimeout(timer)
  }
}

async function openSocket(address: LedgerAddress, deadlineMs: number): Promise<Socket> {
  const { host, port, isLoopback } = address
  const socket = connect({ host, port, noDelay: true, keepAlive: true, keepAliveInitialDelay: KEEP_ALIVE_MS })
  try {
    await within(firstEvent(socket, 'connect'), deadlineMs, () => undefined)
    if (isLoopback) return socket
    socket.write(TLS_REQUEST)
    const answer = await within(firstEvent(socket, 'data'), deadlineMs, () => undefined)
    // One byte and no more: what came with it was not encrypted, and must not be taken for a part of the answer.
    if (String(answer) !== TLS_OFFERED) throw new NoTls('the server does not offer TLS')
    // A name is verified that `host` has, also if it is an IP address; a variable cannot turn it off.
    const secured = secure({ socket, host, servername: isIP(host) === 0 ? host : '', rejectUnauthorized: true })
    await within(firstEvent(secured, 'secureConnect'), deadlineMs, () => secured.destroy())
    return secured
  } catch (error) {
    socket.destroy()
    throw error
  }
}

/** What is thrown for a connection that ended before anything could be sent. */
export function connectionClosed(): Error {
  return Object.assign(new Error('the connection was closed'), { code: 'ECONNRESET' })
}

/** The first value of an event. Throws the error of a socket that fails before, or is closed. */
function firstEvent(socket: Socket, event: string): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const onEnd = () => reject(connectionClosed())
    const done = (settle: () => void) => {
      socket.removeListener('error', onError)
      socket.removeListener('close', onEnd)
      settle()
    }
    const onError = (error: Error) => done(() => reject(error))
    socket.once('error', onError)
    socket.once('close', onEnd)
    socket.once(event, (value: unknown) => done(() => resolve(value)))
  })
}
