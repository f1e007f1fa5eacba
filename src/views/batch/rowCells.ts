import type { ChalkInstance } from 'chalk'
import type { RowResult } from '../../batch/rowResults.ts'
import { formatPaymentDate } from '../../pix/calendar.ts'
import { formatKey } from '../../pix/pixKey.ts'
import { t } from '../../text/translate.ts'

/** True if the name in the file of a row is not the one that an event of its payment has. */
export function isNameMarked({ names }: RowResult): boolean {
  return names.differ === true
}

/** The key of a transfer as people write it. */
export function formattedKey({ facts }: RowResult): string | null {
  return facts.kind === 'transfer' ? formatKey(facts.key, facts.keyType) : null
}

/** Why a refund was requested. */
export function refundReason({ facts }: RowResult): string | null {
  return facts.kind === 'refund' ? facts.refundReason : null
}

/** The payee of a row; in a file without names the key, or the id of the refunded payment. */
export function payeeText({ typedName, facts }: RowResult): string {
  if (typedName !== null && typedName !== '') return typedName
  return facts.kind === 'transfer' ? formatKey(facts.key, facts.keyType) : facts.originalTransactionId
}

/** The name in the event of a row, marked if it is not the one in the file. The mark comes first, because a long name may be shortened. */
export function nameInEventText({ names }: RowResult): string {
  const name = names.inEvent ?? ''
  if (name === '') return '—'
  return names.differ === true ? t`differs: ${name}` : name
}

/** The colour of a name that is not the one in the file. */
export function colourOfName(result: RowResult, style: ChalkInstance): ChalkInstance | undefined {
  return isNameMarked(result) ? style.red.bold : undefined
}

/** When the last request of a row was sent, in São Paulo time. */
export function localTime({ sentMs }: RowResult): string | null {
  return sentMs === null ? null : formatPaymentDate(sentMs)
}

/** A fact as a cell: `yes`, or nothing. */
export function yes(isSo: boolean): string {
  return isSo ? t`yes` : ''
}
