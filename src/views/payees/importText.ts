import type { Payee } from '../../ledger/payees.ts'
import type { LabelledRow, Terminal } from '../../terminal/terminal.ts'
import { t } from '../../text/translate.ts'
import { changedTargetRows } from './payeeText.ts'

/** What an import makes of one payee: as it is, undefined if it is new, and as it will be. `key` is another key or owner. */
export interface PayeeUpdate {
  name: string
  before: (Payee & { seq: number }) | undefined
  after: Payee
  change: 'new' | 'key' | 'other' | 'none'
}

/** Payees with another key that a question lists. */
const LISTED_MAX = 1000

/** The payees that will be paid elsewhere. */
export function changedTargets(updates: readonly PayeeUpdate[]): PayeeUpdate[] {
  return updates.filter(({ change }) => change === 'key')
}

/** What a person checks before an import: where payees will be paid from then on, then how many are new. */
export function importRows(updates: readonly PayeeUpdate[], style: Terminal['err']): LabelledRow[] {
  const changed = changedTargets(updates)
  const unlisted = changed.length - LISTED_MAX
  const added = countOf(updates, 'new')
  return [
    ...changed
      .slice(0, LISTED_MAX)
      .flatMap(({ name, before, after }): LabelledRow[] =>
        before === undefined ? [] : [[t`payee`, name, style.bold], ...changedTargetRows(before, after, style)],
      ),
    ...(unlisted > 0 ? [[t`payee`, t`${unlisted} more with another key or owner`, style.bold] as const] : []),
    ...(added > 0 ? [[t`new`, String(added)] as const] : []),
  ]
}

export function importQuestion(updates: readonly PayeeUpdate[]): string {
  const [first, ...others] = changedTargets(updates)
  return first !== undefined && others.length === 0
    ? t`Pay ${first.name} with the new details from now on?`
    : t`Pay these ${others.length + 1} payees with the new details from now on?`
}

/** How many payees an import added, changed and left as they were. */
export function importCounts(updates: readonly PayeeUpdate[]): LabelledRow[] {
  const { added, changed, changedKeys, unchanged } = countsOf(updates)
  return [
    [t`new`, String(added)],
    [
      t`changed`,
      changedKeys === 0 ? String(changed) : t`${changed}, of which ${changedKeys} with another key or owner`,
    ],
    [t`unchanged`, String(unchanged)],
  ]
}

/** An import as JSON, with the payees that it added or changed. */
export function importDocument(updates: readonly PayeeUpdate[]) {
  const { added, changed, changedKeys, unchanged } = countsOf(updates)
  return {
    new: added,
    changed,
    changedKeys,
    unchanged,
    payees: updates.flatMap(({ name, before, after, change }) =>
      change === 'none'
        ? []
        : [{ name, change, ...valuesOf(after), before: before === undefined ? null : valuesOf(before) }],
    ),
  }
}

function countsOf(updates: readonly PayeeUpdate[]) {
  const changedKeys = countOf(updates, 'key')
  return {
    added: countOf(updates, 'new'),
    changed: changedKeys + countOf(updates, 'other'),
    changedKeys,
    unchanged: countOf(updates, 'none'),
  }
}

function countOf(updates: readonly PayeeUpdate[], change: PayeeUpdate['change']): number {
  return updates.filter((each) => each.change === change).length
}

function valuesOf({ displayName, key, keyType, documentValidation }: Payee) {
  return { displayName, key, keyType, owner: documentValidation }
}
