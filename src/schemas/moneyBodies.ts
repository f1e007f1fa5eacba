import { KEY_TYPES } from '../pix/pixKey.ts'
import { about, cents, line, type Members, oneOf, taxDocument, url } from './jsonReader.ts'
import { UUID } from './jsonSchema.ts'

/**
 * The bodies of the requests that move money: the members that they must have, then those that they may have. Requests, plans and the sandbox go by
 * them. An amount is in reais, and read as cents.
 */
export const TRANSFER_BODY = [
  { value: cents, key: line, typeKey: oneOf(KEY_TYPES), callbackUrl: url },
  { externalId: line, documentValidation: about('The CPF or CNPJ that must own the key', taxDocument) },
] as const

const uuid = { ...line, schema: UUID }

/** A refund names the original in one of two members, or in both. */
export const REFUND_BODY = [
  { refundReason: line, callbackUrl: url },
  {
    originalTransactionId: about('The payment to refund; it may be named `idTransaction`', uuid),
    idTransaction: uuid,
    amount: about('Omit it to refund all that is left', cents),
  },
] as const

export type TransferBody = Members<(typeof TRANSFER_BODY)[0], (typeof TRANSFER_BODY)[1]>
export type RefundBody = Members<(typeof REFUND_BODY)[0], (typeof REFUND_BODY)[1]>
