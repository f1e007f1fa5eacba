import { performance } from 'node:perf_hooks'
import type { Context } from '../context.ts'
import { chainEnd } from '../ledger/chain.ts'
import type { LedgerAddress } from '../ledger/team/address.ts'
import type { LedgerServer } from '../ledger/team/server.ts'
import type { TeamLedger } from '../ledger/team/teamLedger.ts'
import { ledgerPassword, openSharedLedger, sharedLedgerOf } from '../openLedgers.ts'
import { formatInstant } from '../pix/calendar.ts'
import type { AccountLedger } from '../profiles/profile.ts'
import { declared, t } from '../text/translate.ts'
import { Failure, NotReached } from '../wire/errors.ts'
import { type Check, failedCheck, passedCheck } from './doctorCheck.ts'

/** How long connecting may take. */
const CONNECT_MS = 10_000
/** A certificate that ends sooner is a warning: everybody stops paying when it does. */
const CERTIFICATE_LEFT_MIN_MS = 14 * 24 * 3600 * 1000
/** Clocks that differ by more than this are a warning; the server's time is the one that counts. */
const CLOCK_DIFFERENCE_MAX_MS = 60_000

/** What `doctor` finds out about the shared ledger of the account; nothing if its ledger is that of this machine. Throws Cancelled. */
export async function sharedLedgerChecks(context: Context): Promise<Check[]> {
  let shared: AccountLedger | undefined
  try {
    shared = await sharedLedgerOf(context)
  } catch (error) {
    return [failedCheck('shared ledger', error)]
  }
  if (shared === undefined) return []
  const team = await openSharedLedger(context, shared)
  try {
    // At once: each of the two may wait for a server that is not reached.
    const checks = await Promise.all([serverChecks(context, shared), copyChecks(team)])
    return [...checks.flat(), waitingCheck(team, shared)]
  } finally {
    await team.close()
  }
}

/** Whether the server is reached, what the login may do there, and how. */
async function serverChecks(context: Context, { address: text, password: source }: AccountLedger): Promise<Check[]> {
  const [{ connectServer }, { readLedgerAddress }] = await Promise.all([
    import('../ledger/team/server.ts'),
    import('../ledger/team/address.ts'),
  ])
  const address = readLedgerAddress(text)
  try {
    const password = await ledgerPassword(context, address, source)
    const beforeMs = context.now()
    const deadlineMs = performance.now() + Math.min(CONNECT_MS, context.settings.timeoutMs)
    const server = await connectServer(address, { password, deadlineMs })
    const afterMs = context.now()
    server.close()
    return [
      rightsCheck(address, server),
      encryptionCheck(address, server, afterMs),
      passedCheck(declared`ledger version`, t`that of this pixgate, on PostgreSQL ${server.version}`),
      clockCheck(server.connectedMs, beforeMs, afterMs),
    ]
  } catch (error) {
    return [failedCheck('shared ledger', error)]
  }
}

function rightsCheck({ url }: LedgerAddress, { login, mayWrite }: LedgerServer): Check {
  const name = declared`shared ledger`
  if (mayWrite) return passedCheck(name, t`${url} is reached; ${login} may add records and change none`)
  const finding = t`${url} is reached; ${login} may only read, so nothing can be sent`
  return passedCheck(
    name,
    finding,
    t`Ask the administrator for a login of the role \`pixgate_member\` if it is to send payments`,
  )
}

function encryptionCheck({ host }: LedgerAddress, { encryption }: LedgerServer, nowMs: number): Check {
  const name = declared`ledger TLS`
  if (encryption === null) return passedCheck(name, t`not needed, the server is on this machine`)
  const { protocol, validUntilMs } = encryption
  const finding = t`${protocol}; the certificate is verified for ${host}, and valid until ${formatInstant(validUntilMs)}`
  const isEnding = validUntilMs < nowMs + CERTIFICATE_LEFT_MIN_MS
  return passedCheck(
    name,
    finding,
    isEnding ? t`Renew the certificate of the server; without it nothing can be sent` : null,
  )
}

/** The server told its time between two times of this machine. */
function clockCheck(serverMs: number, beforeMs: number, afterMs: number): Check {
  const name = declared`ledger clock`
  const aheadMs = serverMs > afterMs ? serverMs - afterMs : Math.min(0, serverMs - beforeMs)
  const seconds = Math.round(Math.abs(aheadMs) / 1000)
  if (seconds === 0) return passedCheck(name, t`the same as that of this machine`)
  const finding =
    aheadMs > 0
      ? t`the server is ${seconds} s ahead of this machine; its time counts`
      : t`the server is ${seconds} s behind this machine; its time counts`
  const isFar = Math.abs(aheadMs) > CLOCK_DIFFERENCE_MAX_MS
  return passedCheck(name, finding, isFar ? t`Let both machines set their clocks from the network` : null)
}

/** How far the copy of this machine is. If the server must not be used, that was said before. */
async function copyChecks(team: TeamLedger): Promise<Check[]> {
  const name = declared`ledger copy`
  try {
    const { records, behind, contactMs, stop } = await team.state()
    if (stop !== null) return [failedCheck(name, stop)]
    const age = contactMs === null ? t`never brought up to date` : t`as of ${formatInstant(contactMs)}`
    const kept = records === 1 ? t`1 record` : t`${records} records`
    if (behind === null) return [passedCheck(name, t`${kept}, ${age}; the server was not reached`)]
    if (behind < 0) {
      const { olderServer } = await import('../ledger/team/serverErrors.ts')
      return [failedCheck(name, olderServer(await team.read(chainEnd)))]
    }
    if (behind === 0) return [passedCheck(name, t`${kept}, all that the server has`)]
    const hint = t`Run \`pixgate history\` to bring it up to date`
    return [passedCheck(name, t`${kept}, ${age}; the server has ${behind} more`, hint)]
  } catch (error) {
    if (error instanceof Failure && !(error instanceof NotReached)) return []
    throw error
  }
}

/** Only the login under which something happened hands it over. */
function waitingCheck(team: TeamLedger, { address }: AccountLedger): Check {
  const name = declared`waiting here`
  const waiting = team.waiting()
  if (waiting.length === 0) return passedCheck(name, t`nothing`)
  const own = team.environment.user
  const other = waiting.find(({ login }) => login !== own)?.login
  const logins = [...new Set(waiting.map(({ login }) => login))].map(
    (login) => t`${waiting.filter((each) => each.login === login).length} of ${login}`,
  )
  const finding = t`answers or events that the shared ledger lacks: ${logins.join(', ')}`
  const hint =
    other === undefined
      ? t`Run \`pixgate history\` when the server is reached again`
      : t`Run \`pixgate ledger join ${loginAs(address, other)}\` to hand over what waits of ${other}, then join again with your own login`
  return passedCheck(name, finding, hint)
}

function loginAs(address: string, login: string): string {
  const url = new URL(address)
  url.username = encodeURIComponent(login)
  return url.href
}
