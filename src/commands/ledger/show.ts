import type { Context } from '../../context.ts'
import { chainEnd } from '../../ledger/chain.ts'
import { ledgerPath } from '../../ledger/ledgerId.ts'
import { type LedgerMember, ledgerMembers } from '../../ledger/members.ts'
import { openLocalLedger, openSharedLedger, sharedLedgerOf } from '../../openLedgers.ts'
import { formatInstant, parseInstant } from '../../pix/calendar.ts'
import type { AccountLedger } from '../../profiles/profile.ts'
import { type LabelledRow, labelledLines } from '../../terminal/terminal.ts'
import { t } from '../../text/translate.ts'
import type { Failure } from '../../wire/errors.ts'
import { defineCommand } from '../command.ts'

export const ledgerShow = defineCommand({
  examples: [['pixgate ledger show -o json', 'for monitoring']],
  run: show,
})

/** How the ledger of the account stands. */
interface ShownLedger {
  kind: 'local' | 'shared'
  /** The path of the file, or the address of the database. */
  database: string
  records: number
  /** How many records the server has that this machine lacks; null if it was not reached. */
  behind: number | null
  pending: number
  contactMs: number | null
  /** Why nothing that moves money is sent; null if nothing prevents it. */
  stop: Failure | null
}

async function show(context: Context): Promise<number> {
  const shared = await sharedLedgerOf(context)
  const [shown, members] = shared === undefined ? await localLedger(context) : await sharedLedger(context, shared)
  const { contactMs, stop, ...fields } = shown
  const lastContact = contactMs === null ? null : new Date(contactMs).toISOString()
  const stopped = stop === null ? null : stopFields(stop)
  context.print.one({ ...fields, members, lastContact, stopped }, () => [
    ...labelledLines(rowsOf(shown), context.terminal.out),
    ...members.map(memberSentence),
  ])
  if (stop?.hint) context.terminal.next(stop.hint)
  return 0
}

function memberSentence({ user, machine, records, lastAt }: LedgerMember): string {
  const last = formatInstant(parseInstant(lastAt) ?? 0)
  return records === 1
    ? t`${user} on ${machine}: 1 record, on ${last}`
    : t`${user} on ${machine}: ${records} records, the last on ${last}`
}

function stopFields({ code, message, details, hint }: Failure) {
  return { code, message, details: details.join('\n'), hint }
}

async function localLedger(context: Context): Promise<[ShownLedger, LedgerMember[]]> {
  const ledger = await openLocalLedger(context)
  try {
    const [{ seq: records }, members] = await ledger.read((database) => [chainEnd(database), ledgerMembers(database)])
    const database = ledgerPath(context.dataFolder())
    return [{ kind: 'local', database, records, behind: 0, pending: 0, contactMs: null, stop: null }, members]
  } finally {
    await ledger.close()
  }
}

async function sharedLedger(context: Context, shared: AccountLedger): Promise<[ShownLedger, LedgerMember[]]> {
  const ledger = await openSharedLedger(context, shared)
  try {
    const members = await ledger.read(ledgerMembers)
    return [{ kind: 'shared', database: shared.address, ...(await ledger.state()) }, members]
  } finally {
    await ledger.close()
  }
}

function rowsOf({ kind, database, records, behind, pending, contactMs, stop }: ShownLedger): LabelledRow[] {
  const rows: LabelledRow[] = [
    [t`ledger`, kind === 'local' ? t`of this machine` : t`shared`],
    [t`database`, database],
    [t`records`, String(records)],
  ]
  if (kind === 'local') return rows
  return [
    ...rows,
    [t`missing here`, behindText(behind, stop)],
    [t`waiting here`, String(pending)],
    [t`last contact`, contactMs === null ? t`never` : formatInstant(contactMs)],
    ...(stop === null ? [] : [[t`stopped`, t`${stop.message}: ${stop.details[0] ?? ''}`] as const]),
  ]
}

function behindText(behind: number | null, stop: Failure | null): string {
  if (behind !== null) return String(behind)
  return stop === null ? t`unknown, the server was not reached` : t`unknown, the server is another one`
}
