import type { BaseAddress } from '../wire/address.ts'
import type { QrIntent, TimelineRecord } from './records.ts'

/** The owner of a request number: the same number of another account is another order. */
export type NumberOwner = Pick<BaseAddress, 'url'> & { clientId: string }

/** The intent of a QR code. */
export function qrIntent({ url, clientId }: NumberOwner, requestNumber: string, amountCents: number): QrIntent {
  return { type: 'intent', kind: 'qr', baseUrl: url, clientId, requestNumber, amountCents }
}

/** The last intent with this request number that was accepted or may have been; undefined where the number is unused. */
export function usedBefore(
  records: readonly TimelineRecord[],
  owner: NumberOwner,
  requestNumber: string,
): TimelineRecord<QrIntent> | undefined {
  const undone = new Set<string>()
  for (const record of records) {
    if (record.type === 'outcome' && (record.outcome === 'not-sent' || record.outcome === 'refused'))
      undone.add(record.of)
  }
  for (const record of records.toReversed()) {
    if (record.type !== 'intent' || record.requestNumber !== requestNumber || undone.has(record.id)) continue
    if (record.baseUrl === owner.url && record.clientId === owner.clientId) return record
  }
  return undefined
}
