import { english } from '../text/translate.ts'
import type { CashOutCode } from './faultKinds.ts'
import { HttpError } from './httpError.ts'

/** The HTTP status of an answer with such a code, and a sentence for people. */
const ERRORS: Readonly<Record<CashOutCode, { status: number; sentence: string }>> = {
  NO_FUNDS: { status: 400, sentence: 'The balance is not sufficient for this transfer' },
  PIX_KEY_NOT_FOUND: { status: 404, sentence: 'The PIX key in `key` does not exist' },
  DOCUMENT_VALIDATE: { status: 400, sentence: 'The PIX key does not belong to the document in `documentValidation`' },
  DUPLICATE_EXTERNAL_ID: { status: 400, sentence: 'The `externalId` is already used in another transaction' },
  UNAUTHORIZED_IP: { status: 403, sentence: 'The address of the calling server is not registered' },
  ACCOUNT_DOCUMENTS_NOT_VALIDATED: { status: 400, sentence: "The account's documents are not validated" },
  OPERATION_EXCEEDS_LIMIT: { status: 400, sentence: "The transfer exceeds the account's limit" },
  WRONG_DATA_FORMAT: { status: 400, sentence: 'A field of the request is malformed' },
}

const BY_CODE: ReadonlyMap<string, { status: number; sentence: string }> = new Map(Object.entries(ERRORS))

/** The error with one of the codes of a transfer. */
export function cashOutError(code: CashOutCode): HttpError {
  const { status, sentence } = ERRORS[code]
  return new HttpError(status, code, sentence)
}

/** The error for a payment code that was paid, has expired or was cancelled, which the payer's bank no longer finds. */
export function endedCodeError(status: string): HttpError {
  return new HttpError(
    404,
    'PIX_KEY_NOT_FOUND',
    english`The payment code in \`key\` can no longer be paid: its charge is ${status}`,
  )
}

/** What a code means, as one sentence. */
export function cashOutSentence(code: string): string {
  return BY_CODE.get(code)?.sentence ?? 'The transfer failed'
}
