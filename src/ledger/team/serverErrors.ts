import { t } from '../../text/translate.ts'
import { Failure, type FailureFacts, isCertificateProblem, NotReached, UsageError } from '../../wire/errors.ts'
import type { ChainPoint, StoredRecord } from '../chain.ts'
import { LedgerBusy, otherSchema } from '../ledgerFile.ts'
import type { ServerIdentity } from '../serverIdentity.ts'
import type { LedgerAddress } from './ledgerAddress.ts'
import {
  AUDITOR_ROLE,
  MEMBER_ROLE,
  OTHER_SCHEMA,
  REFUSED_RECORD,
  REFUSED_SESSION,
  UNSUITABLE_DATABASE,
} from './serverSql.ts'

const NOT_REACHED_CODE = 'LEDGER_NOT_REACHED'
const LOGIN_REFUSED = { code: 'LEDGER_LOGIN_REFUSED' }

/** The database of a shared ledger was not reached or did not answer in time. Nothing was recorded there. Exit 6. */
export class LedgerNotReached extends NotReached {
  constructor(message: string, facts: FailureFacts) {
    super(message, { code: NOT_REACHED_CODE, ...facts })
  }
}

/** The connection was lost after COMMIT was sent: the records may be in the shared ledger or not. Exit 6. */
export class CommitUnknown extends NotReached {
  constructor(message: string, facts: FailureFacts) {
    super(message, { code: NOT_REACHED_CODE, ...facts })
  }
}

/** The server of a shared ledger is not the one that this machine knows, or lacks records that it has a copy of. Exit 2. */
export class LedgerOlder extends UsageError {
  constructor(message: string, details: readonly string[]) {
    super(message, {
      code: 'LEDGER_OLDER',
      details: [...details, t`A payment that was made since could be made twice, so nothing was sent`],
      hint: t`Run \`pixgate ledger repair\` here and on every other machine; it hands over what the server lost`,
    })
  }
}

/** What did not happen before its deadline. */
export class DeadlinePassed extends Error {}

/** The server answered, but not as PostgreSQL does, or without TLS. */
export class NoTls extends Error {}

/** The server asks for a password, and none is known. */
export class NoPassword extends Error {}

/** An error that PostgreSQL reported, as the client's package gives it. */
interface ServerError extends Error {
  /** SQLSTATE. */
  code: string
  /** Not translated: ERROR leaves the connection as it is, FATAL and PANIC end it. */
  severity: string
}

export function isServerError(error: unknown): error is ServerError {
  return (
    error instanceof Error &&
    'code' in error &&
    typeof error.code === 'string' &&
    'severity' in error &&
    typeof error.severity === 'string'
  )
}

/** Where a ledger is, for a person. */
export function ledgerPlace({ host, port, database }: Pick<LedgerAddress, 'host' | 'port' | 'database'>): string {
  return `${host}${port === 5432 ? '' : `:${port}`}/${database}`
}

/** The failure of a commit of which no result arrived. */
export function commitUnknown(address: LedgerAddress): CommitUnknown {
  return new CommitUnknown(t`The shared ledger \`${ledgerPlace(address)}\` did not confirm that it recorded this`, {
    details: [t`Nothing was sent`],
    hint: t`Run the command again, which is safe: pixgate first looks at what was recorded`,
  })
}

/** What another transaction holds for too long; of this login, if the server says which. */
export function ledgerBusy(address: LedgerAddress, login?: string): LedgerBusy {
  return new LedgerBusy(t`The shared ledger \`${ledgerPlace(address)}\` is locked by another machine`, {
    details: login === undefined ? [] : [t`The login ${login} holds the lock`],
    code: 'LEDGER_BUSY',
    isWhatSendingNeeds: true,
    hint: t`Run the command again, which is safe; \`--timeout 2m\` lets it wait longer for the other machine`,
  })
}

/** The error for a server, a database or a login that cannot be used as it is, before anything was recorded. */
export function unusable(message: string, facts: FailureFacts, Refusal = UsageError): UsageError {
  return new Refusal(message, { ...facts, details: [...(facts.details ?? []), t`Nothing was sent or recorded`] })
}

/** The server of a ledger is a standby, or sessions of this login may only read. */
export function readOnlyServer(address: LedgerAddress): UsageError {
  return unusable(t`The server of \`${ledgerPlace(address)}\` only reads: it is a standby or was set to read only`, {
    hint: t`Use the address of the primary server`,
  })
}

/**
 * What an error of the connection or of the server means for a person. A Failure is returned as it is, and so is what only a defect of pixgate can
 * cause. The text never contains the password.
 */
export function serverFailure(address: LedgerAddress, error: unknown): unknown {
  if (error instanceof Failure) return error
  const place = ledgerPlace(address)
  if (error instanceof DeadlinePassed) return notReached(t`The shared ledger \`${place}\` did not answer in time`)
  if (error instanceof NoPassword) {
    return unusable(t`The server of \`${place}\` asks for the password of \`${address.user}\``, {
      ...LOGIN_REFUSED,
      details: [t`None was given, and prompts are not possible`],
      hint: t`Set \`PGPASSWORD\` or \`PGPASSFILE\`, or see \`pixgate ledger join --help\` for other sources`,
    })
  }
  if (error instanceof NoTls) {
    return new UsageError(t`The server of \`${place}\` does not offer TLS`, {
      details: [t`The password and all payments would be readable on the network`],
      hint: t`Set \`ssl = on\` in the server's \`postgresql.conf\`; only a server on this machine needs no TLS`,
    })
  }
  if (isServerError(error)) return sqlFailure(address, error)
  const code = error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
  if (code === undefined) return error
  if (isCertificateProblem(code)) {
    return unusable(
      t`The certificate of \`${address.host}\` is not valid for this name or not trusted on this machine`,
      {
        details: [t`System error ${code}`],
        hint: t`Set \`NODE_EXTRA_CA_CERTS\` to the file of your certificate authority, and use the name in the certificate`,
      },
    )
  }
  return notReached(t`The shared ledger \`${place}\` cannot be reached`, t`System error ${code}`)
}

/** What a promise of the connection gives. Throws the {@link serverFailure} of its error. */
export async function reported<Result>(address: LedgerAddress, promise: Promise<Result>): Promise<Result> {
  try {
    return await promise
  } catch (error) {
    throw serverFailure(address, error)
  }
}

/** The roles of a ledger are missing, and the owner of its database may not make any. */
export function missingRoles(address: LedgerAddress, names: readonly string[]): UsageError {
  return new UsageError(t`The login \`${address.user}\` may not create the roles that a ledger needs`, {
    ...LOGIN_REFUSED,
    details: [
      t`An administrator of the server runs, in this order:`,
      ...names.map((name) => `CREATE ROLE ${name} NOLOGIN;`),
      `CREATE ROLE maria LOGIN PASSWORD '…' IN ROLE ${MEMBER_ROLE};`,
      t`The last line once for each person; nothing was changed`,
    ],
    hint: t`Run \`pixgate ledger init ${address.url}\` again after that`,
  })
}

/** {@link serverFailure} of `ledger init`, which needs other rights. */
export function initFailure(address: LedgerAddress, error: unknown): unknown {
  if (!isServerError(error)) return serverFailure(address, error)
  const place = ledgerPlace(address)
  const details = [t`The server says: ${error.message}`, t`Nothing was changed`]
  switch (error.code) {
    case '42501':
      return new UsageError(t`The login \`${address.user}\` cannot set up a ledger in \`${place}\``, {
        ...LOGIN_REFUSED,
        details,
        hint: t`Use the login that owns the database, or let an administrator run what \`pixgate ledger init ${address.url} --print-sql\` prints`,
      })
    case UNSUITABLE_DATABASE:
      return new UsageError(t`The database \`${place}\` cannot hold a ledger: ${error.message}`, {
        details: [t`Nothing was changed`],
        hint: t`Create a database with \`CREATE DATABASE payments ENCODING 'UTF8' TEMPLATE template0\``,
      })
    case OTHER_SCHEMA:
      return otherServerSchema(address)
    default:
      return serverFailure(address, error)
  }
}

function notReached(message: string, ...reasons: string[]): LedgerNotReached {
  return new LedgerNotReached(message, {
    details: reasons,
    isWhatSendingNeeds: true,
    hint: t`Check the network and the server; it is safe to try again`,
  })
}

/** The login of an auditor was asked to write. */
export class OnlyReads extends UsageError {}

/** The refusal of what such a login asks for, before anything of it is typed or read. */
export function planOfReader(login: string): UsageError {
  const message = t`The login \`${login}\` may only read the shared ledger, so it plans no payment`
  return unusable(message, { ...LOGIN_REFUSED, hint: readerHint() }, OnlyReads)
}

function readerHint(): string {
  return t`Ask a person with a login of a member to do it; one of an auditor only looks up and checks`
}

function sqlFailure(address: LedgerAddress, error: ServerError): unknown {
  const { code, message } = error
  const { user, host, database } = address
  const place = ledgerPlace(address)
  const details = [t`The server says: ${message}`]
  switch (code) {
    case '28P01':
    case '28000':
      return unusable(t`The server of \`${place}\` refuses the login \`${user}\``, {
        ...LOGIN_REFUSED,
        details,
        hint: t`Check the login and its password; \`PGPASSWORD\` and \`PGPASSFILE\` are read too`,
      })
    case '3D000':
      return unusable(t`There is no database \`${database}\` on \`${host}\``, {
        hint: t`Check the name after the last \`/\`, or ask the administrator to create the database`,
      })
    case '42501': {
      // A login without any role may not connect to the database; an auditor may, and is never proposed for another role.
      const isWithoutRole = message.includes(`"${database}"`)
      const hint = isWithoutRole ? rolesHint(user) : readerHint()
      const sentence = t`The login \`${user}\` has no rights for this in \`${place}\``
      return unusable(sentence, { ...LOGIN_REFUSED, details, hint }, isWithoutRole ? UsageError : OnlyReads)
    }
    case '25006':
      return readOnlyServer(address)
    case '55P03':
    case '40P01':
    case '40001':
      return ledgerBusy(address)
    case REFUSED_RECORD:
    case REFUSED_SESSION:
      return unusable(t`The shared ledger \`${place}\` refuses this: ${message}`, {
        code: 'LEDGER_REFUSED',
        hint: t`Install a newer pixgate on all machines; \`pixgate --version -v\` shows what runs here`,
      })
  }
  const serverSays = t`The server says: ${message} (${code})`
  // The limit that is set for each transaction, or an administrator.
  if (code === '57014') return notReached(t`The shared ledger \`${place}\` did not answer in time`, serverSays)
  // Lost connections, too many of them, no memory or disk, canceled or stopped by an administrator, the system's errors; and tables that are not
  // there, because a backup is being restored.
  if (/^(?:08|25P0|3F000|42P01|53|57|58)/.test(code)) {
    return notReached(t`The shared ledger \`${place}\` cannot be used now`, serverSays)
  }
  return error
}

/** The tables of a shared ledger are those of another build. */
export function otherServerSchema(address: LedgerAddress): UsageError {
  const hint = t`Use the build that made it; a new ledger, in another database, does not know what was paid with this one`
  return otherSchema(ledgerPlace(address), hint)
}

/** What an administrator does for a login that has no role. */
export function rolesHint(login: string): string {
  const [auditor, member] = [grantSql(AUDITOR_ROLE, login), grantSql(MEMBER_ROLE, login)]
  return t`Ask the administrator to run \`${auditor}\` for a person who only looks up and checks, or \`${member}\` for one who pays`
}

/** The statement that gives a login a role, to be typed by an administrator. */
function grantSql(role: string, login: string): string {
  return `GRANT ${role} TO "${login.replaceAll('"', '""')}"`
}

/** The server lacks records that the copy of this machine, which ends at `end`, has. */
export function olderServer(end: ChainPoint): LedgerOlder {
  return new LedgerOlder(t`The shared ledger lacks records that this machine has a copy of`, [
    t`Records of the copy: ${end.seq}; the database was restored from a backup or replaced`,
  ])
}

/** Another server, or another ledger, is where the one was that this machine has a copy of. */
export function replacedServer(known: ServerIdentity | null, found: ServerIdentity): LedgerOlder {
  if (known !== null && known.ledger === found.ledger) {
    return new LedgerOlder(t`The shared ledger was restored from a backup, or is on another server now`, [
      t`What was recorded since the backup may be missing`,
    ])
  }
  return new LedgerOlder(t`The shared ledger was replaced by another one`, [
    t`This machine has a copy of the ledger that was there before`,
  ])
}

/** A record of the shared ledger that cannot be added to the copy of this machine. */
export function unreadableRecord({ seq, user }: StoredRecord, reason = t`It does not match its checksum`): UsageError {
  return new UsageError(t`Record ${seq} of the shared ledger, stored by \`${user}\`, cannot be read`, {
    code: 'LEDGER_DAMAGED',
    details: [reason, t`Without it pixgate cannot know what was sent, so nothing that moves money is sent`],
    hint: t`Install a newer pixgate on this machine; if it is the newest, ask \`${user}\` what was written by hand`,
  })
}
