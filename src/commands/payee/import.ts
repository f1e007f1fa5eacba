import type { Context } from '../../context.ts'
import type { Ledger } from '../../ledger/ledger.ts'
import {
  comparableName,
  findPayee,
  isSameTargetOfPayee,
  type KnownPayee,
  type Payee,
  payeeNames,
} from '../../ledger/payees.ts'
import { labelledLines } from '../../terminal/terminal.ts'
import { t } from '../../text/translate.ts'
import {
  changedTargets,
  importCounts,
  importDocument,
  importQuestion,
  importRows,
  type PayeeUpdate,
} from '../../views/payees/importText.ts'
import { UsageError } from '../../wire/errors.ts'
import { defineCommand } from '../command.ts'
import { type ActiveAccount, activeAccount } from '../history/paymentPages.ts'
import { readNamedInput } from '../tableInput.ts'
import { askToChangePayees } from './consent.ts'
import { type PayeeRow, readPayeeFile } from './payeeFile.ts'
import { lookOfName, recordPayees } from './payeeLedger.ts'

export const payeeImport = defineCommand({
  arguments: [{ name: '<file>', description: 'a CSV or .xlsx file, - for standard input', completes: 'files' }],
  examples: [
    ['pixgate payee import payees.csv', 'columns: name,key,typeKey,owner,displayName'],
    ['pixgate payee list --unmask -o csv', 'writes a file that can be edited and imported again'],
  ],
  run: importPayees,
})

const FAULTS_MAX = 1000
/** Payees that are looked up in one reading. */
const PAGE_PAYEES = 500

async function importPayees(context: Context, { file: path }: { file: string }): Promise<number> {
  const account = await activeAccount(context)
  const ledger = await context.ledger()
  const { rows, faults, remarks } = await readPayeeFile(await readNamedInput(context, path, 'payees'))
  for (const remark of remarks) context.terminal.warn(remark)
  const names = await ledger.read((database) => payeeNames(database, account))
  markLookAlikes(rows, names)
  assertNoFaults([...faults, ...rows.flatMap(({ cells }) => cells.faults)].sort((one, other) => one.line - other.line))
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
  context.print.one(importDocument(updates), () => labelledLines(importCounts(updates), out, textColumns))
  if (changes.length > 0) {
    context.terminal.note(t`New and changed payees are marked until an event confirms a payment to their key`)
  }
  return 0
}

/** Notes a fault on each row whose name an earlier row or a payee has, or that looks like it. */
function markLookAlikes(rows: readonly PayeeRow[], names: readonly string[]): void {
  const exact = new Set(names.map(comparableName))
  const looks = new Map(names.map((name) => [lookOfName(name), name]))
  const above = new Map<string, PayeeRow>()
  for (const row of rows) {
    const { name, cells } = row
    const look = lookOfName(name)
    const first = above.get(look)
    const other = looks.get(look)
    if (first !== undefined) {
      cells.fault(
        'name',
        comparableName(first.name) === comparableName(name)
          ? t`The payee \`${name}\` is on line ${first.cells.line} already. Remove one of the two`
          : t`\`${name}\` differs from \`${first.name}\` on line ${first.cells.line} only in accents or spaces. Choose another name`,
      )
    } else if (other !== undefined && !exact.has(comparableName(name))) {
      cells.fault(
        'name',
        t`\`${name}\` differs from the payee \`${other}\` only in accents or spaces. Choose another name, or write \`${other}\``,
      )
    }
    if (first === undefined) above.set(look, row)
  }
}

function assertNoFaults(faults: readonly PayeeRow['cells']['faults'][number][]): void {
  if (faults.length === 0) return
  const listed = faults.slice(0, FAULTS_MAX)
  throw new UsageError(t`The file has faults: ${faults.length}`, {
    details: [
      t`Nothing was changed`,
      ...(listed.length < faults.length ? [t`The first ${listed.length} are listed`] : []),
    ],
    faults: listed,
    hint: t`Correct them in the file, then import it again`,
  })
}

/** What each row of the file makes of its payee. */
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
