import { performance } from 'node:perf_hooks'
import { defineCommand, defineOptions, type OptionsOf } from '../commandDefinition.ts'
import type { Context } from '../context.ts'
import { ledgerMembers } from '../ledger/accounts.ts'
import { chainEnd } from '../ledger/chain.ts'
import { ledgerPath } from '../ledger/ledgerId.ts'
import { type LedgerAddress, readLedgerAddress } from '../ledger/team/ledgerAddress.ts'
import { initServer } from '../ledger/team/ledgerServer.ts'
import { INIT_SQL } from '../ledger/team/serverSql.ts'
import { openLocalLedger, openSharedLedger, repairSharedLedger, sharedLedgerOf } from '../openLedgers.ts'
import { readText } from '../optionParsers.ts'
import { formatInstant, parseInstant } from '../pix/calendar.ts'
import type { AccountLedger } from '../profiles/profile.ts'
import { activeAccount } from '../steps/activeAccount.ts'
import { acceptCopy } from '../steps/ledger/acceptCopy.ts'
import { askToBegin, joinLedger, leaveLedger, storeLedger } from '../steps/ledger/changeLedger.ts'
import { endStopOf, type RecordRange, setAsideIn } from '../steps/ledger/endStop.ts'
import { PASSWORD_ONCE_OPTIONS, PASSWORD_OPTIONS, passwordOnce } from '../steps/ledger/passwordOptions.ts'
import { collectWarnings } from '../steps/profiles/profileStore.ts'
import { type LabelledRow, labelledLines } from '../terminal/terminal.ts'
import { t } from '../text/translate.ts'
import type { Printed } from '../views/outputSchemas.ts'
import { UsageError } from '../wire/errors.ts'

const INIT_OPTIONS = [
  { flags: '--print-sql', description: 'print the statements for an administrator, and connect to nothing' },
  ...PASSWORD_ONCE_OPTIONS,
] as const

export const ledgerInit = defineCommand({
  arguments: [
    {
      name: '<url>',
      description: 'the database, as its owner: `postgres://owner@host/database`',
      parse: readLedgerAddress,
    },
  ],
  options: INIT_OPTIONS,
  examples: [
    ['pixgate ledger init postgres://pix_owner@db.example.com/pix', 'once, as the owner of the database'],
    ['pixgate ledger init postgres://pix_owner@db.example.com/pix --print-sql', 'for an administrator to read and run'],
  ],
  run: init,
})

type Address = ReturnType<typeof readLedgerAddress>

async function init(
  context: Context,
  { url: address, printSql, ...options }: { url: Address } & OptionsOf<typeof INIT_OPTIONS>,
): Promise<number> {
  const { terminal, settings, print } = context
  if (printSql === true) {
    terminal.data(INIT_SQL.trim())
    return 0
  }
  const password = await passwordOnce(context, address, options, collectWarnings(context))
  const deadlineMs = performance.now() + settings.timeoutMs
  const { ledger } = await initServer(address, { password, deadlineMs, asOwner: true })
  print.one<Printed<'ledger-init'>>({ ledger, database: address.url }, () => [
    t`The ledger ${ledger} is in ${address.url}`,
  ])
  terminal.next(
    t`Make a login for each person, grant it \`pixgate_member\` or \`pixgate_auditor\`, and let each run \`pixgate ledger join ${address.url.replace(address.user, 'maria')}\``,
  )
  return 0
}

const CONFIRM_HOST_OPTION = {
  flags: '--confirm-host <host>',
  description: 'confirm it in a script with the host of the database',
  parse: readText,
} as const

const JOIN_OPTIONS = defineOptions(CONFIRM_HOST_OPTION, ...PASSWORD_OPTIONS)

export const ledgerJoin = defineCommand({
  arguments: [
    {
      name: '<url>',
      description: 'the database, with your own login: `postgres://maria@host/database`',
      parse: readLedgerAddress,
    },
  ],
  options: JOIN_OPTIONS,
  examples: [
    ['pixgate ledger join postgres://maria@db.example.com/pix', 'share the ledger of the active account'],
    [
      'pixgate ledger join postgres://maria@db.example.com/pix --ledger-password-env DB_PASSWORD',
      'for a server; again with another source, it replaces the first',
    ],
  ],
  run: join,
})

async function join(
  context: Context,
  { url: address, confirmHost, ...options }: { url: LedgerAddress } & OptionsOf<typeof JOIN_OPTIONS>,
): Promise<number> {
  const warnings = collectWarnings(context)
  const account = await activeAccount(context)
  const { url: baseUrl, clientId } = account
  const changed = await joinLedger(
    context,
    account,
    { address, options, confirmHost },
    warnings,
    storeLedger(context, warnings),
  )
  const { brought, records } = changed
  context.print.one<Printed<'ledger-join'>>({ ledger: address.url, baseUrl, clientId, records, brought }, () => [
    t`${clientId} at ${baseUrl} uses the shared ledger ${address.url}`,
    t`Records of this machine that were taken over: ${brought}`,
  ])
  return 0
}

export const ledgerLeave = defineCommand({
  options: [CONFIRM_HOST_OPTION],
  examples: [['pixgate ledger leave', 'this machine alone keeps the ledger of the active account']],
  run: leave,
})

async function leave(
  context: Context,
  { confirmHost }: OptionsOf<readonly [typeof CONFIRM_HOST_OPTION]>,
): Promise<number> {
  const warnings = collectWarnings(context)
  const account = await activeAccount(context)
  const { url: baseUrl, clientId } = account
  const { left, brought } = await leaveLedger(context, account, confirmHost, warnings, storeLedger(context, warnings))
  context.print.one<Printed<'ledger-leave'>>({ left, baseUrl, clientId, brought }, () => [
    t`${clientId} at ${baseUrl} uses the ledger of this machine again`,
    t`Records of the shared ledger that were taken over: ${brought}`,
  ])
  return 0
}

function readRecordRange(typed: string, name: string): RecordRange {
  const [, from = '', to = from] = /^(\d{1,15})(?:-(\d{1,15}))?$/.exec(typed) ?? []
  const range = { first: Number(from), last: Number(to) }
  if (range.first > 0 && range.first <= range.last) return range
  throw new UsageError(t`\`${typed}\` is not a valid value for \`${name}\``, {
    hint: t`Use the number of a record, or the first and the last one, such as \`120-980\``,
  })
}

const REPAIR_OPTIONS = defineOptions(
  CONFIRM_HOST_OPTION,
  {
    flags: '--gone <machine>',
    description: 'as the owner, wait for this machine no more; repeatable',
    parse: readText,
    repeatable: true,
  },
  {
    flags: '--set-aside <seq>',
    description: 'as the owner, set unreadable records aside, so that they stop nothing: `812`, `120-980`; repeatable',
    parse: readRecordRange,
    repeatable: true,
    requires: { option: '--because', hint: () => t`Add \`--because "written by hand"\` so that others know why` },
    conflicts: { options: ['--gone'] },
  },
  {
    flags: '--because <text>',
    description: 'why it is set aside, for the ledger',
    parse: readText,
    requires: { option: '--set-aside', hint: () => t`Add \`--set-aside\` with the number of the record` },
  },
  ...PASSWORD_ONCE_OPTIONS,
)

type OwnerOptions = OptionsOf<typeof REPAIR_OPTIONS>

export const ledgerRepair = defineCommand({
  arguments: [
    {
      name: '[url]',
      description:
        'the database as its owner, to end a stop when every machine was repaired: `postgres://owner@host/database`',
      parse: readLedgerAddress,
    },
  ],
  options: REPAIR_OPTIONS,
  examples: [
    ['pixgate ledger repair', 'on each machine: hand over what the database lost'],
    [
      'pixgate ledger repair postgres://pix_owner@db.example.com/pix',
      'then, as the owner: everybody may send payments',
    ],
    [
      'pixgate ledger repair postgres://pix_owner@db.example.com/pix --set-aside 120-980 --because "written by hand"',
      'unreadable records no longer stop payments',
    ],
    [
      'pixgate ledger repair postgres://pix_owner@db.example.com/pix --gone desk-ana',
      'the same, if that machine will never report',
    ],
  ],
  run: (context, { url, ...options }) =>
    url === undefined ? repair(context, options) : endAsOwner(context, url, options),
})

async function endAsOwner(
  context: Context,
  address: LedgerAddress,
  { confirmHost, gone, setAside, because, ...options }: OwnerOptions,
): Promise<number> {
  const access = { password: await passwordOnce(context, address, options, collectWarnings(context)), confirmHost }
  if (setAside.length === 0 || because === undefined) return endStopOf(context, address, access, gone)
  return setAsideIn(context, address, access, { ranges: setAside, because })
}

async function repair(context: Context, { confirmHost, ...options }: OwnerOptions): Promise<number> {
  if (Object.values(options).some((value) => (Array.isArray(value) ? value.length > 0 : value))) {
    throw new UsageError(t`The options are for the owner of the database, whose address is missing`, {
      details: [t`Nothing was changed`],
      hint: t`Run \`pixgate ledger repair\` without them, or add the address of the database as its owner`,
    })
  }
  const account = await activeAccount(context)
  const shared = await sharedLedgerOf(context)
  if (shared === undefined) {
    throw new UsageError(t`${account.clientId} at ${account.url} uses the ledger of this machine`, {
      details: [t`Nothing was changed`],
      hint: t`Run \`pixgate ledger show\` to see it`,
    })
  }
  const { terminal, print } = context
  const address = readLedgerAddress(shared.address)
  const { stop, ...repaired } = await repairSharedLedger(context, shared, () =>
    askToBegin(context, account, address, confirmHost),
  )
  const { recovered, records, keptCopy } = repaired
  const isAccepted = stop === null && (await acceptCopy(context, account, address, confirmHost))
  print.one<Printed<'ledger-repair'>>({ database: shared.address, ...repaired, stopped: stop !== null }, () => [
    recovered === 0
      ? t`The database lacks nothing that this machine has`
      : t`Records that the database lacked and has got: ${recovered}`,
    ...(isAccepted ? [t`This machine uses the database as it is, without what only its lost copy had`] : []),
    ...(keptCopy === null
      ? []
      : [
          t`The copy of this machine was made anew; the one before is kept in ${keptCopy}`,
          t`Records of the new copy: ${records}`,
        ]),
    ...(stop === null ? [t`The ledger is not stopped`] : [t`The ledger is stopped until its owner ends that`]),
  ])
  if (stop?.hint) terminal.next(stop.hint)
  return 0
}

export const ledgerShow = defineCommand({
  examples: [['pixgate ledger show -o json', 'for monitoring']],
  run: show,
})

type ShownLedger = Printed<'ledger-show'>

async function show(context: Context): Promise<number> {
  const shared = await sharedLedgerOf(context)
  const shown = shared === undefined ? await localLedger(context) : await sharedLedger(context, shared)
  context.print.one(shown, () => [
    ...labelledLines(rowsOf(shown), context.terminal.out),
    ...shown.members.map(memberSentence),
  ])
  if (shown.stopped?.hint) context.terminal.next(shown.stopped.hint)
  return 0
}

function memberSentence({ user, machine, records, lastAt }: ShownLedger['members'][number]): string {
  const last = formatInstant(parseInstant(lastAt) ?? 0)
  return records === 1
    ? t`${user} on ${machine}: 1 record, on ${last}`
    : t`${user} on ${machine}: ${records} records, the last on ${last}`
}

async function localLedger(context: Context): Promise<ShownLedger> {
  const ledger = await openLocalLedger(context)
  try {
    const [{ seq: records }, members] = await ledger.read((database) => [chainEnd(database), ledgerMembers(database)])
    const database = ledgerPath(context.dataFolder())
    return { kind: 'local', database, records, behind: 0, pending: 0, members, lastContact: null, stopped: null }
  } finally {
    await ledger.close()
  }
}

async function sharedLedger(context: Context, shared: AccountLedger): Promise<ShownLedger> {
  const ledger = await openSharedLedger(context, shared)
  try {
    const members = await ledger.read(ledgerMembers)
    const { contactMs, stop, ...state } = await ledger.state()
    const lastContact = contactMs === null ? null : new Date(contactMs).toISOString()
    return {
      kind: 'shared',
      database: shared.address,
      ...state,
      members,
      lastContact,
      stopped: stop && { code: stop.code, message: stop.message, details: stop.details.join('\n'), hint: stop.hint },
    }
  } finally {
    await ledger.close()
  }
}

function rowsOf({ kind, database, records, behind, pending, lastContact, stopped }: ShownLedger): LabelledRow[] {
  const rows: LabelledRow[] = [
    [t`ledger`, kind === 'local' ? t`of this machine` : t`shared`],
    [t`database`, database],
    [t`records`, String(records)],
  ]
  if (kind === 'local') return rows
  return [
    ...rows,
    [t`missing here`, behindText(behind, stopped)],
    [t`waiting here`, String(pending)],
    [t`last contact`, lastContact === null ? t`never` : formatInstant(parseInstant(lastContact) ?? 0)],
    ...(stopped === null
      ? []
      : [[t`stopped`, t`${stopped.message}: ${stopped.details.split('\n')[0] ?? ''}`] as const]),
  ]
}

function behindText(behind: ShownLedger['behind'], stopped: ShownLedger['stopped']): string {
  if (behind !== null) return String(behind)
  return stopped === null ? t`unknown, the server was not reached` : t`unknown, the server is another one`
}
