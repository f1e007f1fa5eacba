import { hostname } from 'node:os'
import { performance } from 'node:perf_hooks'
import type { Context } from '../../context.ts'
import type { LedgerEnvironment } from '../../ledger/paymentState.ts'
import { namedRefusals } from '../../ledger/refusedRecords.ts'
import { stopSentence } from '../../ledger/stop.ts'
import type { LedgerAddress } from '../../ledger/team/ledgerAddress.ts'
import { connectServer, type LedgerServer } from '../../ledger/team/ledgerServer.ts'
import {
  endStop,
  findStop,
  isOfSandbox,
  machinesOf,
  recordAsOwner,
  refusedOnServer,
  type StopToEnd,
  type UnheardMachine,
} from '../../ledger/team/ownerRepair.ts'
import { withCopyOf } from '../../openLedgers.ts'
import { formatInstant } from '../../pix/calendar.ts'
import { t } from '../../text/translate.ts'
import type { Printed } from '../../views/outputSchemas.ts'
import { UsageError } from '../../wire/errors.ts'
import { confirmWeakening } from '../profiles/hostConfirmation.ts'

/** Records with these numbers and all between them. */
export interface RecordRange {
  first: number
  last: number
}

/** What the owner of a database confirms with. */
interface OwnerAccess {
  password: string | undefined
  confirmHost: string | undefined
}

/**
 * Ends the stop of a shared ledger as its owner, after naming the machines that were not heard from. `gone` are machines that are no longer waited for,
 * which is recorded first. Throws UsageError, also for another login, LedgerNotReached, and Cancelled.
 */
export async function endStopOf(
  context: Context,
  address: LedgerAddress,
  access: OwnerAccess,
  gone: readonly string[],
): Promise<number> {
  const { print, terminal } = context
  return asOwner(context, address, access, async (owner) => {
    const { server, environment, deadline } = owner
    if (gone.length > 0) {
      assertHaveWritten(gone, await machinesOf(server, deadline()))
      await owner.confirm(
        t`What only ${gone.join(', ')} has recorded stays unknown to all others and could be paid twice`,
        t`Type the host of the database to wait for it no more`,
      )
      for (const each of gone)
        await recordAsOwner(server, { type: 'machine-gone', gone: each }, environment, deadline())
      for (const each of gone) terminal.note(t`${each} is no longer waited for, unless it writes to the ledger again`)
    }
    const found = await findStop(server, deadline())
    const database = address.url
    if (found === null) {
      print.one<Printed<'ledger-repair'>>({ database, ended: false, notHeardFrom: [] }, () => [
        t`The ledger is not stopped`,
      ])
      return 0
    }
    await confirmEnd(context, owner, found)
    if (!(await endStop(server, found, environment, deadline()))) throw stoppedMeanwhile()
    const notHeardFrom = found.notHeardFrom.map(({ login, machine }) => ({ user: login, machine }))
    print.one<Printed<'ledger-repair'>>({ database, ended: true, notHeardFrom }, () => [
      t`The stop is ended: every machine that has run \`pixgate ledger repair\`, or that lacks nothing, may send payments`,
    ])
    return 0
  })
}

/**
 * Records as the owner of a shared ledger that unreadable records are set aside, so that they stop nothing any more. Throws UsageError, also for
 * another login and where no record is unreadable, LedgerNotReached, and Cancelled.
 */
export async function setAsideIn(
  context: Context,
  address: LedgerAddress,
  access: OwnerAccess,
  { ranges, because }: { ranges: readonly RecordRange[]; because: string },
): Promise<number> {
  const { print, terminal } = context
  return asOwner(context, address, access, async ({ server, environment, deadline, confirm }) => {
    const numbers = ranges.flatMap(({ first, last }) => (first === last ? [first] : []))
    const all = await withCopyOf(context, address, (copy) => refusedOnServer(copy, server, numbers, deadline))
    const empty = ranges.find((range) => !all.some(({ record }) => isWithin(range, record.seq)))
    if (empty !== undefined) throw notRefused(empty)
    const named = all.filter(({ record }) => ranges.some((range) => isWithin(range, record.seq)))
    const left = named.filter(({ setAside }) => setAside === null)
    if (left.length > 0) {
      for (const { sentence } of namedRefusals(left)) terminal.note(sentence)
      await confirm(
        t`Setting records aside lets everybody send what they stop: ${left.length}`,
        t`Type the host of the database to set them aside`,
      )
    }
    for (const { first, last } of ranges.filter((range) => left.some(({ record }) => isWithin(range, record.seq)))) {
      const content = { type: 'set-aside', record: first, ...(last === first ? {} : { last }), because } as const
      await recordAsOwner(server, content, environment, deadline())
    }
    const [{ record: { seq = 0 } = {}, setAside = null } = {}] = named
    const by = left.length > 0 ? server.state.login : (setAside?.by ?? '')
    print.one<Printed<'ledger-repair'>>({ database: address.url, setAside: seq, records: named.length, by }, () => [
      t`Records are set aside: ${named.length}. They have no effect and stop nothing; \`pixgate history check\` shows them`,
    ])
    return 0
  })
}

function isWithin({ first, last }: RecordRange, seq: number): boolean {
  return first <= seq && seq <= last
}

interface Owner {
  server: LedgerServer
  environment: Pick<LedgerEnvironment, 'newId' | 'machine'>
  /** The end of what is asked for now. */
  deadline(): number
  /** Asks for the host of the database; where no real money moves, `--yes` is enough. Throws UsageError, Cancelled. */
  confirm(consequence: string, question: string, nothingDone?: string): Promise<void>
}

async function asOwner(
  context: Context,
  address: LedgerAddress,
  { password, confirmHost }: OwnerAccess,
  work: (owner: Owner) => Promise<number>,
): Promise<number> {
  const { settings } = context
  const deadline = () => performance.now() + settings.timeoutMs
  const server = await connectServer(address, { password, deadlineMs: deadline(), asOwner: true })
  try {
    assertIsOwner(server.state, address)
    return await work({
      server,
      environment: { newId: context.newId, machine: hostname() },
      deadline,
      async confirm(consequence, question, nothingDone = t`Nothing was changed`) {
        if (confirmHost === undefined && settings.yes && (await isOfSandbox(server, deadline()))) return
        await confirmWeakening(context, { url: address.url, consequence, question, nothingDone }, confirmHost)
      },
    })
  } finally {
    server.close()
  }
}

function notRefused({ first, last }: RecordRange): UsageError {
  const numbers = first === last ? String(first) : `${first}-${last}`
  return new UsageError(t`Record ${numbers} can be read, or does not exist, so it is not set aside`, {
    details: [t`Only an unreadable record is set aside; nothing was changed`],
    hint: t`Run \`pixgate history check\` to see the numbers of such records`,
  })
}

function assertIsOwner({ login, isOwner, tableOwner }: LedgerServer['state'], { url, user }: LedgerAddress): void {
  if (isOwner) return
  const asOwner = url.replace(encodeURIComponent(user), encodeURIComponent(tableOwner))
  throw new UsageError(t`The login \`${login}\` does not own the ledger, so it may not do this`, {
    code: 'LEDGER_LOGIN_REFUSED',
    details: [t`Nothing was changed`],
    hint: t`Run \`pixgate ledger repair ${asOwner}\` as the owner; on a machine of the team, \`pixgate ledger repair\` hands over what it has`,
  })
}

/** A machine that did not report may have payments that are unknown here. */
async function confirmEnd({ terminal }: Context, { confirm }: Owner, { stop, notHeardFrom }: StopToEnd): Promise<void> {
  terminal.note(t`stopped: ${stopSentence(stop)}`)
  for (const each of notHeardFrom) terminal.note(t`not heard from: ${machineText(each)}`)
  if (notHeardFrom.length > 0) {
    terminal.warn(t`What only these machines have recorded is unknown to all others and could be paid twice`)
  }
  await confirm(
    [
      t`Ending the stop lets everybody send payments`,
      ...notHeardFrom.map((each) => t`not heard from ${machineText(each)}`),
    ].join('; '),
    t`Type the host of the database to let everybody send payments`,
    t`The ledger stays stopped`,
  )
}

function assertHaveWritten(gone: readonly string[], known: readonly string[]): void {
  const unknown = gone.find((each) => !known.includes(each))
  if (unknown === undefined) return
  throw new UsageError(t`No machine \`${unknown}\` has written to the ledger, or it is gone already`, {
    details: [t`The machines are ${known.join(', ')}`, t`Nothing was changed`],
    hint: t`Type its name as \`pixgate ledger show\` lists it`,
  })
}

function machineText({ login, machine, lastMs }: UnheardMachine): string {
  return lastMs === null
    ? t`${login} on ${machine}`
    : t`${login} on ${machine}, whose last record is of ${formatInstant(lastMs)}`
}

function stoppedMeanwhile(): UsageError {
  return new UsageError(t`The ledger was stopped again, or the stop was ended, while the question was open`, {
    details: [t`Nothing was changed`],
    hint: t`Look at it with \`pixgate ledger show\`, then run the command again`,
  })
}
