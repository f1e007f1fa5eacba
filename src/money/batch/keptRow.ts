import { reaisFromCents } from '../../pix/amount.ts'
import type { MoneyIntent, Owner, TransferIntent } from '../../timeline/records.ts'
import type { RefundBody, TransferBody } from '../../wire/requests.ts'
import type { CheckedRow } from './batchFile.ts'
import type { RefundFacts } from './refundRows.ts'
import type { TransferFacts } from './transferRows.ts'

/** What a run keeps of each of its rows: all that is needed to send it without its file. */
interface KeptPlace {
  line: number
  /** The externalId of a transfer, and what a refund is known by. */
  id: string
  callbackUrl: string
  /** The file's own cells, in the order of its columns. */
  cells: readonly string[]
}

/** A transfer of a run; `typedId` is null where its id was derived. */
type KeptTransfer = Omit<TransferFacts, 'callbackUrl'> & KeptPlace

/** A refund of a run. */
type KeptRefund = Omit<RefundFacts, 'callbackUrl'> &
  KeptPlace & {
    /** True where the request names no amount: all of the payment. */
    isWhole: boolean
    /** The amount of the payment that is returned; null where nobody asked for it. */
    paidCents: number | null
  }

export type KeptRow = KeptTransfer | KeptRefund

/** What the gateway said of the payment that a row returns. */
export interface OriginalFacts {
  paidCents: number | null
  /** What the row returns: its own amount, or all that is left. */
  amountCents: number | null
  isWhole: boolean
}

/** A checked row as a run keeps it. `callbackUrl` is the run's own; `original` is looked at for refunds only. */
export function keptRow(row: CheckedRow, callbackUrl: string, original?: OriginalFacts): KeptRow {
  const url = row.callbackUrl ?? callbackUrl
  if (row.kind === 'transfer') return { ...row, callbackUrl: url }
  const asTyped = { paidCents: null, amountCents: row.amountCents, isWhole: row.amountCents === null }
  return { ...row, callbackUrl: url, ...(original ?? asTyped) }
}

/** Where a row is sent from. `attempt` counts from 1; later ones of a transfer have an id of their own. */
export interface RowSending {
  owner: Owner
  run: string
  reference: string
  attempt: number
}

/** The intent of a row, with the exact body that is sent. */
export function rowIntent(row: KeptRow, { owner, run, reference, attempt }: RowSending): MoneyIntent {
  if (row.kind === 'refund') {
    const place = { run, line: row.line, reference }
    const { originalTransactionId, refundReason, callbackUrl, amountCents, isWhole } = row
    const body: RefundBody = {
      originalTransactionId,
      refundReason,
      callbackUrl,
      ...(isWhole || amountCents === null ? {} : { amount: reaisFromCents(amountCents) }),
    }
    const facts = { originalTransactionId, amountCents, isWhole, refundReason, body: JSON.stringify(body) }
    return { type: 'intent', kind: 'refund', ...owner, ...facts, ...place, row: row.id }
  }
  const { key, keyType: typeKey, amountCents, documentValidation, callbackUrl, id } = row
  const externalId = attempt === 1 ? id : `${id}-${attempt}`
  const plain: TransferBody = { value: reaisFromCents(amountCents), key, typeKey, callbackUrl, externalId }
  const body = JSON.stringify(documentValidation === null ? plain : { ...plain, documentValidation })
  const { profile, environment, baseUrl, clientId } = owner
  // Written out, because nearly all rows are of this form and to put such an object together from parts takes longer.
  const intent: TransferIntent = {
    type: 'intent',
    kind: 'transfer',
    profile,
    environment,
    baseUrl,
    clientId,
    externalId,
    key,
    typeKey,
    documentValidation,
    amountCents,
    body,
    run,
    line: row.line,
    reference,
  }
  return attempt === 1 ? intent : { ...intent, row: id }
}
