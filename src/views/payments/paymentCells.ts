import type { ChalkInstance } from 'chalk'
import type { ShownState } from '../../ledger/paymentState.ts'
import { stateText, stateTone } from '../../ledger/stateWords.ts'
import { parseInstant } from '../../pix/calendar.ts'
import { formatKey } from '../../pix/destination.ts'
import { isKeyType } from '../../pix/pixKey.ts'
import type { LabelledRow } from '../../terminal/terminal.ts'
import { t } from '../../text/translate.ts'
import { amountText } from '../valueText.ts'

// What the page of `inspect` says of a payment, too, so that nothing here may need Node.js.

interface NamedDocument {
  key?: string
  typeKey?: string
  pixgate?: { kind?: string; party?: string | null; name?: string | null; ownReference?: string | null }
}

interface DatedDocument {
  paidAt?: string | null
  pixgate?: { at?: string | null }
}

/** A time of JSON in ms; null if there is none. */
export function atMsOf(at: string | null | undefined): number | null {
  return parseInstant(at ?? '') ?? null
}

/** The time to which a payment belongs, and by which lists are sorted: the gateway's clock may be behind the one of this machine. */
export function dayMsOf({ paidAt, pixgate }: DatedDocument): number | null {
  const times = [atMsOf(paidAt), atMsOf(pixgate?.at)].filter((ms) => ms !== null)
  return times.length === 0 ? null : Math.max(...times)
}

/** The colour of a state: money that may be lost or sent twice must not be overlooked. */
export function stateColour(state: string, style: ChalkInstance): ChalkInstance | undefined {
  const bad = state === 'unknown' ? style.red.bold : style.red
  return { good: style.green, warn: style.yellow, bad, plain: undefined }[stateTone(state)]
}

/** The row of a state in what is shown of one payment. */
export function stateRow(state: ShownState, style: ChalkInstance): LabelledRow {
  return [t`state`, stateText(state), stateColour(state, style)]
}

/** The amount with the sign of money that leaves. */
export function signedAmountText(amountCents: number | null, { pixgate }: NamedDocument): string {
  const isOutgoing = (pixgate?.kind ?? 'qr') !== 'qr'
  return amountText(amountCents !== null && isOutgoing ? -amountCents : amountCents)
}

/** The name of the other party; without one the key of a transfer as people write it. The name in a payment code proves nothing, so what it pays is with it. */
export function partyText(document: NamedDocument): string {
  const party = document.pixgate?.party
  if (party && document.typeKey === 'paymentCode') return `${party} (${keyText(document)})`
  return party || keyText(document) || '—'
}

/** The key of a transfer as people write it; '' if it has none. */
export function keyText(document: NamedDocument): string {
  const { key, typeKey } = document
  return key !== undefined && isKeyType(typeKey) ? formatKey(key, typeKey) : (key ?? '')
}

/** The user's own reference; without one the name. */
export function referenceText(document: NamedDocument): string {
  return document.pixgate?.ownReference || (document.pixgate?.name ?? '')
}
