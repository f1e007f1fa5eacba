import { type KnownPayee, PAYEE_STATES, type Payee } from '../../ledger/payees.ts'
import type { LedgerRecord, PayeeRecord } from '../../ledger/records.ts'
import { formatInstant, parseInstant } from '../../pix/calendar.ts'
import { formatKey } from '../../pix/destination.ts'
import { KEY_TYPES } from '../../pix/pixKey.ts'
import { formatTaxDocument, maskTaxDocument } from '../../pix/taxDocument.ts'
import { BOOLEAN, COUNT, describe, enumOf, INSTANT, list, objectOf, orNull, TEXT } from '../../schemas/jsonSchema.ts'
import { type Field, fieldsOf, viewOf } from '../../terminal/fields.ts'
import type { LabelledRow, Terminal } from '../../terminal/terminal.ts'
import { t, translated } from '../../text/translate.ts'
import { maskKey } from '../valueText.ts'

type Style = Terminal['out']

/** What a person sees of a payee. */
export function payeeRows(payee: KnownPayee, style: Style): LabelledRow[] {
  return [
    [t`payee`, payee.name, style.bold],
    ...(payee.displayName === null ? [] : [[t`name`, payee.displayName] as const]),
    ...targetRows(payee),
    [t`state`, stateText(payee), payee.state === 'confirmed' ? style : style.yellow],
  ]
}

function targetRows({ key, keyType, documentValidation }: Payee): LabelledRow[] {
  return [
    [t`key`, t`${formatKey(key, keyType)} (${translated(keyType)})`],
    [t`owner`, documentValidation === null ? t`not checked` : t`must be ${formatTaxDocument(documentValidation)}`],
  ]
}

/** What changes of where the money of a payee goes, from what to what; nothing if it stays. */
export function changedTargetRows(before: Payee, after: Payee, style: Style): LabelledRow[] {
  const earlier = targetRows(before)
  return targetRows(after).flatMap(([label, value], place): LabelledRow[] => {
    const was = earlier[place]?.[1]
    return was === value ? [] : [[label, t`${was ?? ''} → ${value}`, style.yellow]]
  })
}

/** What an edit changed of a payee: each thing from what to what, and how well it is known from then on. */
export function editedPayeeRows(before: KnownPayee, after: KnownPayee, style: Style): LabelledRow[] {
  const nameOf = ({ displayName }: Payee) => displayName ?? t`none`
  const isNamed = before.displayName !== after.displayName
  const named: LabelledRow[] = isNamed ? [[t`name`, t`${nameOf(before)} → ${nameOf(after)}`]] : []
  const target = changedTargetRows(before, after, style)
  if (target.length === 0) return named
  return [...named, ...target, [t`state`, stateText(after), style.yellow]]
}

/** How well a payee is known. */
export function stateText({ state, changedMs, changedBy }: KnownPayee): string {
  const at = formatInstant(changedMs)
  switch (state) {
    case 'new':
      return t`new: added by ${changedBy}, ${at}; no payment confirmed yet`
    case 'changed':
      return t`changed by ${changedBy}, ${at}; no payment confirmed since`
    case 'confirmed':
      return t`confirmed by a payment`
  }
}

/** Payments to payees without a confirmed payment: how many, and the first of them. */
interface MarkedPayments {
  count: number
  first: readonly { line: number; payee: KnownPayee }[]
}

/** What a person checks of the rows of a batch that go to new and to changed payees; the changed ones first. */
export function unconfirmedTexts(marked: { new: MarkedPayments; changed: MarkedPayments }): string[] {
  return [
    ...(marked.changed.count === 0
      ? []
      : [t`Rows to payees that were changed: ${marked.changed.count}`, ...linesOf(marked.changed)]),
    ...(marked.new.count === 0 ? [] : [t`Rows to new payees: ${marked.new.count}`, ...linesOf(marked.new)]),
  ]
}

function linesOf({ first }: MarkedPayments): string[] {
  return first.map(({ line, payee }) => t`Line ${line}, ${payee.name}, ${stateText(payee)}`)
}

/** A change of a payee as JSON, with the keys of its own document. */
export const PAYEE_CHANGE = viewOf<LedgerRecord<PayeeRecord>>()({
  at: [INSTANT, (record) => new Date(shownMs(record)).toISOString()],
  user: [TEXT, ({ user }) => user],
  machine: [TEXT, ({ machine }) => machine],
  removed: [BOOLEAN, ({ payee }) => payee === null],
  key: [orNull(TEXT), ({ payee }) => payee?.key ?? null],
  keyType: [orNull(TEXT), ({ payee }) => payee?.keyType ?? null],
  owner: [orNull(TEXT), ({ payee }) => payee?.documentValidation ?? null],
  displayName: [orNull(TEXT), ({ payee }) => payee?.displayName ?? null],
})

/** A change of a payee in one line. */
export function payeeChangeLine(record: LedgerRecord<PayeeRecord>): string {
  const { user, machine, payee } = record
  const time = formatInstant(shownMs(record))
  if (payee === null) return t`${time}, removed by ${user} on ${machine}`
  const [[, key], [, owner]] = [targetRows(payee)[0] ?? ['', ''], targetRows(payee)[1] ?? ['', '']]
  return t`${time}, by ${user} on ${machine}: ${key}, owner ${owner}`
}

/** What was brought from another ledger is shown with the time that it had there; nothing is decided by that. */
function shownMs({ at, madeMs, firstBy }: LedgerRecord<PayeeRecord>): number {
  return firstBy === undefined ? madeMs : (parseInstant(at) ?? madeMs)
}

/** A payee, and its document as it is shown: masked or whole. */
export interface ListedPayee {
  payee: KnownPayee
  document: { key?: string; owner?: string | null }
}

const field = fieldsOf<Field<KnownPayee, ListedPayee>>('')

/** What is shown of a payee, in the order of its JSON. A new field is a row here. */
export const PAYEE_FIELDS = [
  field(
    'name',
    TEXT,
    ({ name }) => name,
  )`by which \`transfer --to\` and the column \`payee\` of a file take it, in any case`,
  field('displayName', orNull(TEXT), ({ displayName }) => displayName, {
    column: { isProse: true, drop: 3 },
  })`the name that people see in lists and receipts`,
  field('key', TEXT, ({ key }) => key, {
    mask: (key, { keyType }) => maskKey(key, String(keyType)),
    column: {
      text: ({ document: { key }, payee }) => (key === payee.key ? formatKey(payee.key, payee.keyType) : String(key)),
    },
  })`PIX key`,
  field('keyType', enumOf(...KEY_TYPES), ({ keyType }) => keyType, { column: { drop: 5 } })`type of that key`,
  field('owner', orNull(TEXT), ({ documentValidation }) => documentValidation, {
    mask: maskTaxDocument,
    column: {
      text: ({ document: { owner } }) => (typeof owner === 'string' ? formatTaxDocument(owner) : '—'),
      drop: 4,
    },
  })`the CPF or CNPJ that must own the key, which is always sent`,
  field('state', enumOf(...PAYEE_STATES), ({ state }) => state, {
    column: { colour: ({ payee }, style) => (payee.state === 'confirmed' ? style : style.yellow) },
  })`\`new\` or \`changed\` until an event confirms a payment to its key, then \`confirmed\``,
  field('changedAt', INSTANT, ({ changedMs }) => new Date(changedMs).toISOString(), {
    column: { text: ({ payee }) => formatInstant(payee.changedMs), drop: 2 },
  })`when its key or owner was set last`,
  field('changedBy', TEXT, ({ changedBy }) => changedBy, { column: { drop: 1 } })`by whom`,
]

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
  const { new: added, changed, changedKeys, unchanged } = PAYEE_IMPORT.documentOf(updates)
  return [
    [t`new`, String(added)],
    [
      t`changed`,
      changedKeys === 0 ? String(changed) : t`${changed}, of which ${changedKeys} with another key or owner`,
    ],
    [t`unchanged`, String(unchanged)],
  ]
}

const VALUES = { displayName: orNull(TEXT), key: TEXT, keyType: enumOf(...KEY_TYPES), owner: orNull(TEXT) }

/** An import as JSON, with the payees that it added or changed. */
export const PAYEE_IMPORT = viewOf<readonly PayeeUpdate[]>()({
  new: [COUNT, (updates) => countOf(updates, 'new')],
  changed: [describe('With another key, owner or display name', COUNT), (updates) => countOf(updates, 'key', 'other')],
  changedKeys: [describe('Those with another key or owner', COUNT), (updates) => countOf(updates, 'key')],
  unchanged: [COUNT, (updates) => countOf(updates, 'none')],
  payees: [
    describe(
      'Those that were added or changed',
      list(
        objectOf({ name: TEXT, change: enumOf('new', 'key', 'other'), ...VALUES, before: orNull(objectOf(VALUES)) }),
      ),
    ),
    (updates) =>
      updates.flatMap(({ name, before, after, change }) =>
        change === 'none'
          ? []
          : [{ name, change, ...valuesOf(after), before: before === undefined ? null : valuesOf(before) }],
      ),
  ],
})

function countOf(updates: readonly PayeeUpdate[], ...changes: readonly PayeeUpdate['change'][]): number {
  return updates.filter(({ change }) => changes.includes(change)).length
}

function valuesOf({ displayName, key, keyType, documentValidation }: Payee) {
  return { displayName, key, keyType, owner: documentValidation }
}
