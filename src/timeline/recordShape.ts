import { isObject, textField } from '../wire/answers.ts'
import type { RunRecord, TimelineRecord } from './records.ts'

/** The text fields without which a record of a type cannot be understood. */
const TEXT_FIELDS: Readonly<Record<string, readonly string[]>> = {
  'intent qr': ['id', 'at', 'requestNumber', 'baseUrl', 'clientId'],
  'intent transfer': ['id', 'at', 'externalId', 'key', 'body', 'baseUrl', 'clientId'],
  'intent refund': ['id', 'at', 'originalTransactionId', 'body', 'baseUrl', 'clientId'],
  attempt: ['id', 'at', 'of'],
  outcome: ['id', 'at', 'of', 'outcome'],
  finding: ['id', 'at', 'of', 'as'],
}

/** True for JSON that is a record of a known type with what it needs; what this program wrote always is. */
export function isRecord(value: unknown): value is TimelineRecord {
  if (!isObject(value)) return false
  const type = textField(value, 'type') ?? ''
  const wanted = TEXT_FIELDS[type === 'intent' ? `intent ${textField(value, 'kind') ?? ''}` : type]
  return wanted?.every((name) => textField(value, name) !== null) === true
}

/** True for JSON that is the record of a run. */
export function isRunRecord(value: unknown): value is TimelineRecord<RunRecord> {
  if (!isObject(value) || value.type !== 'run' || typeof value.rows !== 'number') return false
  return ['id', 'at', 'run', 'kind', 'reference', 'baseUrl', 'clientId'].every(
    (name) => textField(value, name) !== null,
  )
}
