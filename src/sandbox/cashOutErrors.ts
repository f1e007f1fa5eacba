import { HttpError } from './httpError.ts'

/** The codes with which a transfer is refused or fails: the HTTP status of the answer, and a sentence for people. */
const CASH_OUT_CODES = new Map<string, { status: number; sentence: string }>([
  ['NO_FUNDS', { status: 400, sentence: 'The balance is not sufficient for this transfer' }],
  ['PIX_KEY_NOT_FOUND', { status: 404, sentence: 'The PIX key in `key` does not exist' }],
  [
    'DOCUMENT_VALIDATE',
    { status: 400, sentence: 'The PIX key does not belong to the document in `documentValidation`' },
  ],
  ['DUPLICATE_EXTERNAL_ID', { status: 400, sentence: 'The `externalId` is already used in another transaction' }],
  ['UNAUTHORIZED_IP', { status: 403, sentence: 'The address of the calling server is not registered' }],
  ['ACCOUNT_DOCUMENTS_NOT_VALIDATED', { status: 400, sentence: "The account's documents are not validated" }],
  ['OPERATION_EXCEEDS_LIMIT', { status: 400, sentence: "The transfer exceeds the account's limit" }],
  ['WRONG_DATA_FORMAT', { status: 400, sentence: 'A field of the request is malformed' }],
])

/** All codes that a cash-out may be refused with. */
export const CASH_OUT_CODE_NAMES: readonly string[] = [...CASH_OUT_CODES.keys()]

/** The error with one of the codes of a transfer; 400 if the code is not known. */
export function cashOutError(code: string): HttpError {
  return new HttpError(CASH_OUT_CODES.get(code)?.status ?? 400, code, cashOutSentence(code))
}

/** What a code means, as one sentence. */
export function cashOutSentence(code: string): string {
  return CASH_OUT_CODES.get(code)?.sentence ?? 'The transfer failed'
}
