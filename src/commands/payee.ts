import { defineCommand, defineOptions, type OptionsOf } from '../commandDefinition.ts'
import type { Context } from '../context.ts'
import type { Ledger } from '../ledger/ledger.ts'
import {
  allPayees,
  findPayee,
  isSameTargetOfPayee,
  type KnownPayee,
  type Payee,
  payeeNames,
  payeeRecords,
} from '../ledger/payees.ts'
import { readText } from '../optionParsers.ts'
import { askToAgree, askYes, questionAccountRows } from '../payments/consent.ts'
import { comparableName } from '../pix/payeeName.ts'
import { type ActiveAccount, activeAccount } from '../steps/activeAccount.ts'
import { UNMASK_OPTION } from '../steps/optionSets.ts'
import {
  assertNoLookAlike,
  looksOfName,
  mixesAlphabets,
  PAYEE_OPTIONS,
  type PayeeOptions,
  readPayeeKey,
  readPayeeName,
  recordPayees,
  requirePayee,
} from '../steps/payeeBook.ts'
import { type PayeeRow, readPayeeFile } from '../steps/payeeFile.ts'
import { typedOrPrompted } from '../steps/requiredValue.ts'
import { assertNoFaults, readNamedInput } from '../steps/tableInput.ts'
import { columnOf, documentOf, listColumns, maskedDocument } from '../terminal/fields.ts'
import { type LabelledRow, labelledLines } from '../terminal/terminal.ts'
import { commandArgument } from '../text/shellWord.ts'
import { t } from '../text/translate.ts'
import type { Printed } from '../views/outputSchemas.ts'
import {
  changedTargetRows,
  changedTargets,
  editedPayeeRows,
  importCounts,
  importQuestion,
  importRows,
  type ListedPayee,
  PAYEE_CHANGE,
  PAYEE_FIELDS,
  PAYEE_IMPORT,
  type PayeeUpdate,
  payeeChangeLine,
  payeeRows,
} from '../views/payees/payeeText.ts'
import { UsageError } from '../wire/errors.ts'

export const payeeAdd = defineCommand({
  arguments: [{ name: '<name>', description: 'a short name, such as `acme`', parse: readPayeeName }],
  options: PAYEE_OPTIONS,
  examples: [
    ['pixgate payee add maria --key maria@example.com', 'then: `pixgate transfer --to maria`'],
    [
      "pixgate payee add acme --key 11.222.333/0001-81 --owner 11.222.333/0001-81 --display-name 'Acme Ltda'",
      'the gateway refuses a payment if the key has another owner',
    ],
  ],
  run: addPayee,
})

async function addPayee(context: Context, { name, ...options }: PayeeOptions & { name: string }): Promise<number> {
  const account = await activeAccount(context)
  const existing = await context.read((database) => findPayee(database, account, name))
  if (existing !== undefined) {
    throw new UsageError(t`A payee \`${existing.name}\` already exists`, {
      hint: t`Choose another name, or change it with \`pixgate payee edit ${commandArgument(existing.name)}\``,
    })
  }
  await assertNoLookAlike(context, account, name)
  const typed = await typedOrPrompted(context, options.key, '--key', {
    question: t`PIX key of the payee`,
    hint: t`Add \`--key\` and the PIX key of the payee, or see \`--help\` for examples`,
    parse(text) {
      readPayeeKey(readText(text), options)
      return text
    },
  })
  const { owner = null, displayName = null } = options
  const target = readPayeeKey(typed, options)
  const after = { name, displayName, ...target, documentValidation: owner }
  await recordPayees(context, account, [{ name, before: undefined, after }])
  await showPayee(context, account, name, payeeRows)
  context.terminal.note(t`Added the payee \`${name}\`; it is marked as new until a payment to it is confirmed`)
  return 0
}

const EDIT_OPTIONS = defineOptions(
  ...PAYEE_OPTIONS,
  { flags: '--no-owner', description: 'do not check the owner of the key' },
  { flags: '--no-display-name', description: 'remove the name that people see' },
)

export const payeeEdit = defineCommand({
  arguments: [{ name: '<name>', description: 'a payee', parse: readPayeeName, completes: 'payees' }],
  options: EDIT_OPTIONS,
  examples: [
    ['pixgate payee edit maria --key 529.982.247-25', 'asks, because another key is paid from then on'],
    ["pixgate payee edit maria --display-name 'Maria Souza'", 'the name in lists and receipts'],
  ],
  run: edit,
})

async function edit(
  context: Context,
  { name, ...options }: OptionsOf<typeof EDIT_OPTIONS> & { name: string },
): Promise<number> {
  if (Object.values(options).every((value) => value === undefined)) {
    throw new UsageError(t`No option changes the payee \`${name}\``, { hint: t`See \`pixgate payee edit --help\`` })
  }
  const account = await activeAccount(context)
  const before = await requirePayee(context, account, name)
  const after = edited(before, options)
  if (!isSameTargetOfPayee(before, after)) {
    const { err } = context.terminal
    const rows: LabelledRow[] = [[t`payee`, before.name, err.bold], ...changedTargetRows(before, after, err)]
    await askToChangePayees(context, account, rows, t`Pay ${before.name} with the new details from now on?`)
  }
  await recordPayees(context, account, [{ name, before, after }])
  await showPayee(context, account, name, (payee, style) => editedPayeeRows(before, payee, style))
  return 0
}

function edited(
  { name, displayName, key, keyType, documentValidation }: KnownPayee,
  options: OptionsOf<typeof EDIT_OPTIONS>,
): Payee {
  const isSameKey = options.key === undefined && options.keyType === undefined
  const owner = afterEdit(documentValidation, options.owner)
  const typed = { keyType: options.keyType, owner: owner ?? undefined }
  const target = isSameKey ? { key, keyType } : readPayeeKey(options.key ?? key, typed)
  return {
    name,
    displayName: afterEdit(displayName, options.displayName),
    ...target,
    documentValidation: owner,
  }
}

function afterEdit(earlier: string | null, typed: string | false | undefined): string | null {
  return typed === undefined ? earlier : typed || null
}

export const payeeRemove = defineCommand({
  arguments: [{ name: '<name>', description: 'a payee', parse: readPayeeName, completes: 'payees' }],
  examples: [['pixgate payee remove acme', 'its payments and the record of its key stay in the ledger']],
  run: remove,
})

async function remove(context: Context, { name }: { name: string }): Promise<number> {
  const account = await activeAccount(context)
  const before = await requirePayee(context, account, name)
  await recordPayees(context, account, [{ name, before, after: null }])
  context.print.one<Printed<'payee-remove'>>({ name: before.name, removed: true }, () => [
    t`Removed the payee ${before.name}`,
  ])
  return 0
}

const LIST_OPTIONS = defineOptions(UNMASK_OPTION)

const COLUMNS = (['name', 'displayName', 'key', 'owner', 'state', 'changedAt', 'changedBy'] as const).map((name) =>
  columnOf<string, ListedPayee>(PAYEE_FIELDS, name),
)

export const payeeList = defineCommand({
  options: LIST_OPTIONS,
  examples: [
    ['pixgate payee list', 'who is paid, and who is new'],
    ['pixgate payee list --unmask -o csv', 'with whole keys, for a spreadsheet'],
  ],
  acceptsCsv: true,
  run: list,
})

async function list(context: Context, { unmask }: OptionsOf<typeof LIST_OPTIONS>): Promise<number> {
  const { print, terminal } = context
  const account = await activeAccount(context)
  const payees = await context.read((database) => allPayees(database, account))
  if (payees.length === 0 && print.format === 'text') {
    terminal.note(t`This account has no payees yet; \`pixgate payee add --help\` shows how to add one`)
    return 0
  }
  const listed = payees.map((payee): ListedPayee => {
    const document = documentOf(PAYEE_FIELDS, payee)
    return { payee, document: unmask ? document : maskedDocument(PAYEE_FIELDS, document) }
  })
  await print.list(listed, {
    columns: print.format === 'text' ? COLUMNS : listColumns(PAYEE_FIELDS),
    more: listColumns(PAYEE_FIELDS),
    documentOf: ({ document }) => document,
  })
  return 0
}

export const payeeShow = defineCommand({
  arguments: [{ name: '<name>', description: 'a payee', parse: readPayeeName, completes: 'payees' }],
  examples: [['pixgate payee show acme', 'its key, and who changed it when']],
  run: show,
})

async function show(context: Context, { name }: { name: string }): Promise<number> {
  const account = await activeAccount(context)
  const payee = await requirePayee(context, account, name)
  const records = await context.read((database) => payeeRecords(database, account, name))
  const document = { ...documentOf(PAYEE_FIELDS, payee), changes: records.map(PAYEE_CHANGE.documentOf) }
  const { out, textColumns } = context.terminal
  context.print.one(document, () => [
    ...labelledLines(payeeRows(payee, out), out, textColumns),
    '',
    t`Changes, newest first:`,
    ...records.map(payeeChangeLine),
  ])
  return 0
}

export const payeeImport = defineCommand({
  arguments: [{ name: '<file>', description: 'a CSV or .xlsx file, - for standard input', completes: 'files' }],
  examples: [
    ['pixgate payee import payees.csv', 'columns: name,key,typeKey,owner,displayName'],
    ['pixgate payee list --unmask -o csv', 'writes a file that can be edited and imported again'],
  ],
  run: importPayees,
})

const PAGE_PAYEES = 500

async function importPayees(context: Context, { file: path }: { file: string }): Promise<number> {
  const account = await activeAccount(context)
  const ledger = await context.ledger()
  const { rows, faults, remarks } = await readPayeeFile(await readNamedInput(context, path, 'payees'))
  for (const remark of remarks) context.terminal.warn(remark)
  const names = await ledger.read((database) => payeeNames(database, account))
  markLookAlikes(rows, names)
  assertNoFaults(
    [...faults, ...rows.flatMap(({ cells }) => cells.faults)].sort((one, other) => one.line - other.line),
    (count) => t`The file has faults: ${count}`,
    [t`Nothing was changed`],
  )
  if (rows.length === 0) {
    throw new UsageError(t`The file has no rows`, { hint: t`Put the payees below its header, one on each line` })
  }
  const updates = await updatesOf(ledger, account, rows)
  const { err, out, textColumns } = context.terminal
  if (changedTargets(updates).length > 0) {
    await askToChangePayees(context, account, importRows(updates, err), importQuestion(updates))
  }
  const changes = updates.filter(({ change }) => change !== 'none')
  if (changes.length > 0) await recordPayees(context, account, changes)
  context.print.one(PAYEE_IMPORT.documentOf(updates), () => labelledLines(importCounts(updates), out, textColumns))
  if (changes.length > 0) {
    context.terminal.note(t`New and changed payees are marked until an event confirms a payment to their key`)
  }
  return 0
}

/** Notes a fault on each row whose name an earlier row or a payee has, or that looks like it. */
function markLookAlikes(rows: readonly PayeeRow[], names: readonly string[]): void {
  const exact = new Set(names.map(comparableName))
  const looks = new Map(names.flatMap((name) => looksOfName(name).map((look) => [look, name])))
  const above = new Map<string, PayeeRow>()
  for (const row of rows) {
    const { name, cells } = row
    const own = looksOfName(name)
    const first = own.map((look) => above.get(look)).find((each) => each !== undefined)
    const other = own.map((look) => looks.get(look)).find((each) => each !== undefined)
    if (first !== undefined) {
      cells.fault(
        'name',
        comparableName(first.name) === comparableName(name)
          ? t`The payee \`${name}\` is on line ${first.cells.line} already. Remove one of the two`
          : t`\`${name}\` looks like \`${first.name}\` on line ${first.cells.line}. Choose another name`,
      )
    } else if (other !== undefined && !exact.has(comparableName(name))) {
      cells.fault('name', t`\`${name}\` looks like the payee \`${other}\`. Choose another name, or write \`${other}\``)
    }
    if (mixesAlphabets(name) && !exact.has(comparableName(name))) {
      cells.fault(
        'name',
        t`\`${name}\` has letters of several alphabets, which look alike. Type it with letters of one`,
      )
    }
    if (first === undefined) for (const look of own) above.set(look, row)
  }
}

async function updatesOf(
  ledger: Ledger,
  account: ActiveAccount,
  rows: readonly PayeeRow[],
): Promise<readonly PayeeUpdate[]> {
  const updates: PayeeUpdate[] = []
  for (let start = 0; start < rows.length; start += PAGE_PAYEES) {
    const page = rows.slice(start, start + PAGE_PAYEES)
    updates.push(
      ...(await ledger.read((database) => page.map((row) => updateOf(row, findPayee(database, account, row.name))))),
    )
  }
  return updates
}

/** A payee keeps what the file has no column for. */
function updateOf(row: PayeeRow, before: KnownPayee | undefined): PayeeUpdate {
  const { key, keyType, documentValidation = before?.documentValidation ?? null } = row
  const { displayName = before?.displayName ?? null } = row
  const name = before?.name ?? row.name
  const after: Payee = { name, displayName, key, keyType, documentValidation }
  return { name, before, after, change: changeOf(before, after) }
}

function changeOf(before: KnownPayee | undefined, after: Payee): PayeeUpdate['change'] {
  if (before === undefined) return 'new'
  if (!isSameTargetOfPayee(before, after)) return 'key'
  return before.displayName === after.displayName && before.key === after.key ? 'none' : 'other'
}

/**
 * Shows to where payees will be paid and asks, because payments follow it: a person says yes; a script adds `--yes`, in production `--confirm`. Throws
 * Cancelled if a person declines, UsageError with code CONFIRMATION_REQUIRED without a terminal.
 */
async function askToChangePayees(
  { terminal, settings }: Context,
  account: ActiveAccount,
  rows: readonly LabelledRow[],
  question: string,
): Promise<void> {
  const { err, errColumns } = terminal
  const word = account.environment === 'sandbox' ? '--yes' : `--confirm ${account.confirmName}`
  await askToAgree({ terminal, ...settings }, account, {
    lines: labelledLines([...questionAccountRows(account, err), ...rows], err, errColumns),
    nothingDone: t`Nothing was changed`,
    unasked: t`This changes where payments go, and there is no terminal to ask on`,
    details: rows.map(([label, value]) => `${label}: ${value}`),
    hint: t`Add \`${word}\` if this is what you want`,
    ask: () => askYes(terminal, question, t`Declined; nothing was changed`),
  })
}

/** Prints a payee that was just changed: these rows for people, all of it for a program. Throws UsageError if another process removed it. */
async function showPayee(
  context: Context,
  account: ActiveAccount,
  name: string,
  rowsOf: typeof payeeRows,
): Promise<void> {
  const { print, terminal } = context
  const payee = await requirePayee(context, account, name)
  const { out, textColumns } = terminal
  const rows = rowsOf(payee, out)
  print.one(documentOf(PAYEE_FIELDS, payee), () =>
    rows.length === 0 ? [t`Nothing was changed`] : labelledLines(rows, out, textColumns),
  )
}
