import type { KeyType } from '../pix/pixKey.ts'
import type { TransferView } from '../schemas/sandboxAnswers.ts'
import { english } from '../text/translate.ts'
import { conflictError } from './httpError.ts'
import type { KeyHolder } from './keyDirectory.ts'

/** A cash-out. Money in cents, times in milliseconds. */
export interface Transfer {
  readonly type: 'transfer'
  readonly idTransaction: string
  readonly externalId: string | null
  readonly status: TransferView['status']
  /** The status as events name it; null while in progress. */
  readonly statusTransaction: TransferView['statusTransaction']
  readonly valueCents: number
  readonly key: string
  readonly typeKey: KeyType
  readonly documentValidation: string | null
  readonly holder: KeyHolder
  readonly callbackUrl: string
  readonly createdAtMs: number
  readonly settledAtMs: number | null
  readonly errorCode: string | null
  readonly errorMessage: string | null
}

/** Why a transfer failed: how events name the status, the code, and a sentence. */
export interface TransferFailure {
  readonly statusTransaction: 'ERROR' | 'CANCELED' | 'RETURNED'
  readonly errorCode: string
  readonly errorMessage: string
}

/** Paid out to the recipient. */
export function markCompleted(transfer: Transfer, nowMs: number): Transfer {
  if (transfer.status !== 'PROCESSING') throw notProcessing(transfer)
  return { ...transfer, status: 'COMPLETED', statusTransaction: 'PAID_OUT', settledAtMs: nowMs }
}

/** Failed: while in progress, or after it was paid out when the recipient returns it. */
export function markFailed(transfer: Transfer, failure: TransferFailure, nowMs: number): Transfer {
  if (failure.statusTransaction === 'RETURNED') {
    if (transfer.status !== 'COMPLETED') {
      throw conflictError(
        english`Transfer \`${transfer.idTransaction}\` is ${transfer.status}: only a paid one can be returned`,
      )
    }
  } else if (transfer.status !== 'PROCESSING') {
    throw notProcessing(transfer)
  }
  return { ...transfer, ...failure, status: 'FAILED', settledAtMs: nowMs }
}

function notProcessing(transfer: Transfer): Error {
  return conflictError(english`Transfer \`${transfer.idTransaction}\` is ${transfer.status}, no longer PROCESSING`)
}
