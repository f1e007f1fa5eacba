import { hostname } from 'node:os'
import { performance } from 'node:perf_hooks'
import type { Context } from '../../context.ts'
import { stopSentence } from '../../ledger/stop.ts'
import type { LedgerAddress } from '../../ledger/team/ledgerAddress.ts'
import { connectServer, type LedgerServer } from '../../ledger/team/ledgerServer.ts'
import { endStop, findStop, type StopToEnd, type UnheardMachine } from '../../ledger/team/repairCopy.ts'
import { formatInstant } from '../../pix/calendar.ts'
import { t } from '../../text/translate.ts'
import { Cancelled, UsageError } from '../../wire/errors.ts'
import { confirmWeakening } from '../profiles/hostConfirmation.ts'

/**
 * Ends the stop of a shared ledger as its owner, after naming the machines that were not heard from. Throws UsageError, also for another login,
 * LedgerNotReached, and Cancelled.
 */
export async function endStopOf(
  context: Context,
  address: LedgerAddress,
  { password, confirmHost }: { password: string | undefined; confirmHost: string | undefined },
): Promise<number> {
  const { settings, print, newId } = context
  const deadline = () => performance.now() + settings.timeoutMs
  const server = await connectServer(address, { password, deadlineMs: deadline(), asOwner: true })
  try {
    assertIsOwner(server.state, address)
    const found = await findStop(server, deadline())
    if (found === null) {
      print.one({ database: address.url, ended: false, notHeardFrom: [] }, () => [t`The ledger is not stopped`])
      return 0
    }
    await confirmEnd(context, address, found, confirmHost)
    if (!(await endStop(server, found, { newId, machine: hostname() }, deadline()))) throw stoppedMeanwhile()
    const notHeardFrom = found.notHeardFrom.map(({ login, machine }) => ({ user: login, machine }))
    print.one({ database: address.url, ended: true, notHeardFrom }, () => [
      t`The stop is ended: every machine that has run \`pixgate ledger repair\`, or that lacks nothing, may send payments`,
    ])
    return 0
  } finally {
    server.close()
  }
}

function assertIsOwner({ login, isOwner, tableOwner }: LedgerServer['state'], { url, user }: LedgerAddress): void {
  if (isOwner) return
  const asOwner = url.replace(encodeURIComponent(user), encodeURIComponent(tableOwner))
  throw new UsageError(t`The login \`${login}\` does not own the ledger, so it cannot end a stop`, {
    code: 'LEDGER_LOGIN_REFUSED',
    details: [t`Nothing was changed`],
    hint: t`Run \`pixgate ledger repair ${asOwner}\` as the owner; on a machine of the team, \`pixgate ledger repair\` hands over what it has`,
  })
}

/** Asks in production for the host of the database, because a machine that did not report may have payments that are unknown here. */
async function confirmEnd(
  context: Context,
  address: LedgerAddress,
  { stop, notHeardFrom, isSandbox }: StopToEnd,
  confirmHost: string | undefined,
): Promise<void> {
  const { terminal, settings } = context
  terminal.note(t`stopped: ${stopSentence(stop)}`)
  for (const each of notHeardFrom) terminal.note(t`not heard from: ${machineText(each)}`)
  if (notHeardFrom.length > 0) {
    terminal.warn(t`What only these machines have recorded is unknown to all others and could be paid twice`)
  }
  if (!isSandbox) {
    const step = {
      address: { host: new URL(address.url).host, url: address.url },
      consequence: [t`Ending the stop lets everybody send payments`, ...notHeardFrom.map(unheardText)].join('; '),
      rows: [],
      question: t`Type the host of the database to let everybody send payments`,
      nothingDone: t`The ledger stays stopped`,
    }
    await confirmWeakening(context, step, confirmHost)
    return
  }
  if (settings.yes || confirmHost !== undefined) return
  if (!terminal.canAsk) {
    throw new UsageError(t`Ending the stop must be confirmed, and there is no terminal to ask on`, {
      code: 'CONFIRMATION_REQUIRED',
      details: [t`The ledger stays stopped`],
      hint: t`Add \`--yes\` when every machine has run \`pixgate ledger repair\``,
    })
  }
  if (await terminal.confirm(t`Let everybody send payments?`)) return
  throw new Cancelled(t`Declined; the ledger stays stopped`, {
    hint: t`Run \`pixgate ledger repair\` on the machines that were not heard from, then this command again`,
  })
}

function unheardText(machine: UnheardMachine): string {
  return t`not heard from ${machineText(machine)}`
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
