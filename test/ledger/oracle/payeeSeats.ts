import type { FirstWriter, LedgerRecord, PayeeRecord } from '../../../src/ledger/records.ts'
import type { ExpectedRow } from './paymentRows.ts'
import { plainAddress, plainKey } from './spelling.ts'

type Recorded = LedgerRecord<PayeeRecord & FirstWriter>

/** What each record of a payee changed, as the records say. */
export class PayeeSeats {
  /** The last record that counts, by account and name. */
  readonly #last = new Map<string, Recorded>()
  readonly #changes = new Map<number, string>()

  /** Takes the next record. */
  add(record: Recorded): void {
    const seat = JSON.stringify([plainAddress(record.owner.baseUrl), record.owner.clientId, plainName(record.name)])
    const last = this.#last.get(seat)
    const isBrought = record.firstBy !== undefined
    const change = isBrought && (record.isPast || last !== undefined) ? 'past' : changed(record, last)
    this.#changes.set(record.seq, change)
    if (change !== 'past') this.#last.set(seat, record)
  }

  /** The row of a record. */
  row({ seq, name, payee }: Recorded, account: number | null): ExpectedRow {
    const key = payee === null ? null : plainKey(payee.key, payee.keyType)
    return { seq, account, name: plainName(name), comparable_key: key, change: this.#changes.get(seq) ?? null }
  }
}

function plainName(name: string): string {
  return name.normalize('NFC').trim().toLowerCase()
}

function changed({ payee }: Recorded, last: Recorded | undefined): string {
  if (payee === null) return 'removed'
  const before = last?.payee ?? null
  if (before === null) return 'new'
  const isSame =
    plainKey(payee.key, payee.keyType) === plainKey(before.key, before.keyType) &&
    payee.documentValidation === before.documentValidation
  return isSame ? 'other' : 'key'
}
