import type { KnownPayee, Payee } from '../../ledger/payees.ts'
import type { LedgerRecord } from '../../ledger/records.ts'
import type { PayeeRecord } from '../../ledger/settingRecords.ts'
import { parseInstant } from '../../pix/calendar.ts'
import { formatKey } from '../../pix/pixKey.ts'
import { formatTaxDocument } from '../../pix/taxDocument.ts'
import type { LabelledRow, Terminal } from '../../terminal/terminal.ts'
import { t, translated } from '../../text/translate.ts'
import { instantText } from '../valueText.ts'

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

/** Where the money of a payee goes. */
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

/** How well a payee is known. */
export function stateText({ state, changedAt, changedBy }: KnownPayee): string {
  const at = instantText(parseInstant(changedAt) ?? null)
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
export function payeeChangeDocument({ at, user, machine, payee }: LedgerRecord<PayeeRecord>) {
  const values =
    payee === null
      ? { key: null, keyType: null, owner: null, displayName: null }
      : {
          key: payee.key,
          keyType: payee.keyType,
          owner: payee.documentValidation,
          displayName: payee.displayName,
        }
  return { at, user, machine, removed: payee === null, ...values }
}

/** A change of a payee in one line. */
export function payeeChangeLine({ at, user, machine, payee }: LedgerRecord<PayeeRecord>): string {
  const time = instantText(parseInstant(at) ?? null)
  if (payee === null) return t`${time}, removed by ${user} on ${machine}`
  const [[, key], [, owner]] = [targetRows(payee)[0] ?? ['', ''], targetRows(payee)[1] ?? ['', '']]
  return t`${time}, by ${user} on ${machine}: ${key}, owner ${owner}`
}
