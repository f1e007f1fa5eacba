import { REFUND_WINDOW_DAYS } from '../pix/calendar.ts'
import { t } from '../text/translate.ts'

/** What an error code of the gateway or of the settlement system means, and what to do about it. */
export interface CodeMeaning {
  sentence: string
  hint: string
}

/** The same of a code in the tables below, which are made before the language is known. */
type KnownCode = { readonly [Text in keyof CodeMeaning]: () => string }

interface GatewayCodeMeaning {
  /** True if the specification lists it: beside a success status only such a code is a refusal. */
  isSpecified: boolean
  /** True if every further row of a batch would fail the same way. */
  endsRun: boolean
  /** Null if it depends on what was requested, or the gateway explains it itself. */
  meaning: KnownCode | null
}

/** What is known of the payment that failed. */
export interface FailedPayment {
  /** True if its key or its owner is a CNPJ with letters. */
  hasAlphanumericCnpj: boolean
}

/** What an error code means; undefined for a code that is not known. */
export function meaningOfCode(code: string, { hasAlphanumericCnpj }: FailedPayment): CodeMeaning | undefined {
  const known = isGatewayCode(code) ? GATEWAY_CODES[code].meaning : SETTLEMENT_CODES.get(code)
  const meaning = known ? { sentence: known.sentence(), hint: known.hint() } : undefined
  if (!hasAlphanumericCnpj || !/DOCUMENT|INVALID|FORMAT|^BE01$|^CH11$/.test(code)) return meaning
  return {
    sentence: meaning?.sentence ?? t`The request was not accepted`,
    hint: t`Ask the gateway whether it and the receiver's bank know CNPJs with letters, which some institutions do not yet; a PIX key of another kind avoids the question`,
  }
}

/** Why something failed: what its code means, else these words of the gateway; null if neither is known. */
export function failureSentence(code: string | null, words: string | null): string | null {
  const known = code === null ? undefined : meaningOfCode(code, { hasAlphanumericCnpj: false })
  return known?.sentence ?? words
}

/** {@link failureSentence} with the code beside it; null if there is nothing to say. */
export function failureText(code: string | null, words: string | null): string | null {
  return withCode(failureSentence(code, words), code)
}

/** A sentence about what failed with the code beside it, unless it names it; null if there is neither. */
export function withCode(sentence: string | null, code: string | null): string | null {
  if (code === null || sentence === null) return sentence ?? code
  return sentence.includes(code) ? sentence : `${sentence} (${code})`
}

/** True for an error code that the specification lists, letter by letter. */
export function isSpecifiedCode(text: string): boolean {
  return isGatewayCode(text) && GATEWAY_CODES[text].isSpecified
}

/** True for an error code of the gateway, or a similar one that occurs in practice. */
function isGatewayCode(text: string): text is GatewayCode {
  return Object.hasOwn(GATEWAY_CODES, text)
}

/** True for an error code with which every further row of a batch would be refused, too. */
export function isEndOfRun(code: string | null): boolean {
  return code !== null && isGatewayCode(code) && GATEWAY_CODES[code].endsRun
}

/** True for a code of the settlement system, such as AC03, which has no form by which it could be told from other text. */
export function isSettlementCode(text: string): boolean {
  return SETTLEMENT_CODES.has(text)
}

/** What each error code of the gateway, or a similar one that occurs in practice, means for a payment and for a batch. */
const GATEWAY_CODES = {
  NO_FUNDS: {
    isSpecified: true,
    endsRun: true,
    meaning: {
      sentence: () => t`The account has too little money`,
      hint: () => t`Add money to the account, or send a smaller amount`,
    },
  },
  PIX_KEY_NOT_FOUND: {
    isSpecified: true,
    endsRun: false,
    meaning: {
      sentence: () => t`The PIX key is not registered`,
      hint: () =>
        t`Ask the receiver to confirm the PIX key, or for a new payment code, and check \`--key-type\`; the keys of a CPF or CNPJ that is irregular at the tax authority are deleted`,
    },
  },
  DOCUMENT_VALIDATE: {
    isSpecified: true,
    endsRun: false,
    meaning: {
      sentence: () => t`The PIX key does not belong to the owner that was given`,
      hint: () =>
        t`Ask the receiver who owns the key, which does not belong to the document in \`--owner\`; do not just omit the check`,
    },
  },
  DUPLICATE_EXTERNAL_ID: {
    isSpecified: true,
    endsRun: false,
    meaning: {
      sentence: () => t`The gateway already has a transfer with this external id`,
      hint: () => t`Look up the existing transfer with this external id before you pay under another one`,
    },
  },
  OPERATION_EXCEEDS_LIMIT: {
    isSpecified: false,
    endsRun: false,
    meaning: {
      sentence: () => t`The amount exceeds a limit of the account`,
      hint: () =>
        t`Ask the gateway which limit applies, or send a smaller amount; some institutions may send at most R$ 15.000,00 at once`,
    },
  },
  REFUND_NOT_ALLOWED: {
    isSpecified: true,
    endsRun: false,
    meaning: {
      sentence: () => t`The payment cannot be refunded`,
      hint: () =>
        t`Check the payment: it must be PAID, at most ${REFUND_WINDOW_DAYS} days old, and the amount must not exceed what is left of it`,
    },
  },
  INVALID_AMOUNT: {
    isSpecified: true,
    endsRun: false,
    meaning: {
      sentence: () => t`An amount or another field is invalid`,
      hint: () => t`Check the amounts and the other fields with \`--dry-run\`, which shows the request`,
    },
  },
  INVALID_TRANSACTION_ID: {
    isSpecified: true,
    endsRun: false,
    meaning: {
      sentence: () => t`The id is not one of the gateway's`,
      hint: () => t`Check the id: it must be an \`idTransaction\` from the gateway, a UUID`,
    },
  },
  INVALID_CREDENTIALS: { isSpecified: true, endsRun: false, meaning: null },
  TRANSACTION_NOT_FOUND: { isSpecified: true, endsRun: false, meaning: null },
  UNAUTHORIZED_IP: { isSpecified: true, endsRun: true, meaning: null },
  ACCOUNT_DOCUMENTS_NOT_VALIDATED: { isSpecified: false, endsRun: false, meaning: null },
  WRONG_DATA_FORMAT: { isSpecified: false, endsRun: false, meaning: null },
} satisfies Readonly<Record<string, GatewayCodeMeaning>>

export type GatewayCode = keyof typeof GATEWAY_CODES

/** What to do about a code of the settlement system, by who can do it. */
const RECEIVER = { hint: () => t`Ask the receiver for another PIX key, or to clear it up with their bank` }
const LATER = { hint: () => t`Send it again later as a new payment, once an event says that this one failed` }
const SUPPORT = {
  hint: () => t`Ask the gateway's support, with the id of the transaction: the institutions have to fix this`,
}
const REFUND_SUPPORT = {
  hint: () => t`Compare the amount and the age of the original payment with what was refunded before`,
}
const FRAUD = { hint: () => t`Ask the receiver to clear it up with their bank, and do not pay before that` }
const CAME_BACK = { hint: () => t`Ask the receiver why the money was sent back before you pay again` }

/**
 * The codes of ISO 20022 with which the central bank's settlement system and its participants reject a payment or send it back. Providers
 * pass them on.
 */
const SETTLEMENT_CODES: ReadonlyMap<string, KnownCode> = new Map([
  ['AB03', { sentence: () => t`The settlement took too long and was cancelled`, ...LATER }],
  ['AB09', { sentence: () => t`The receiver's bank had an error`, ...LATER }],
  ['AB11', { sentence: () => t`The paying institution took too long`, ...LATER }],
  ['AC03', { sentence: () => t`The receiver's branch or account number does not exist`, ...RECEIVER }],
  ['AC06', { sentence: () => t`The receiver's account is blocked`, ...RECEIVER }],
  ['AC07', { sentence: () => t`The receiver's account is closed`, ...RECEIVER }],
  ['AC14', { sentence: () => t`The type of the receiver's account is wrong`, ...RECEIVER }],
  ['AG03', { sentence: () => t`The receiver's account does not take this kind of payment`, ...RECEIVER }],
  [
    'AG12',
    {
      sentence: () => t`Both accounts are at the same institution, which must not use the settlement system`,
      ...SUPPORT,
    },
  ],
  ['AG13', { sentence: () => t`A refund cannot be refunded`, ...REFUND_SUPPORT }],
  ['AM01', { sentence: () => t`The amount is zero`, ...SUPPORT }],
  ['AM02', { sentence: () => t`The amount exceeds what the receiver's account may take`, ...RECEIVER }],
  ['AM04', { sentence: () => t`The paying institution has too little money in the settlement system`, ...LATER }],
  ['AM09', { sentence: () => t`The refund exceeds the original payment`, ...REFUND_SUPPORT }],
  ['AM12', { sentence: () => t`The parts of the amount do not add up`, ...SUPPORT }],
  ['AM18', { sentence: () => t`The number of payments in the message is wrong`, ...SUPPORT }],
  ['BE01', { sentence: () => t`The receiver's CPF or CNPJ is not that of the account's owner`, ...RECEIVER }],
  ['BE05', { sentence: () => t`The institution that initiated the payment is not recognised`, ...SUPPORT }],
  ['BE08', { sentence: () => t`The money came back because of an error of the paying institution`, ...SUPPORT }],
  [
    'BE17',
    { sentence: () => t`The receiver's bank rejected the QR code`, hint: () => t`Ask the receiver for a new code` },
  ],
  ['CH11', { sentence: () => t`The receiver's CPF or CNPJ is wrong`, ...RECEIVER }],
  ['CH16', { sentence: () => t`The message between the institutions has an invalid element`, ...SUPPORT }],
  ['DS04', { sentence: () => t`The receiver's bank rejected the payment`, ...RECEIVER }],
  ['DS0G', { sentence: () => t`The institution that signed the message may not send it`, ...SUPPORT }],
  ['DS27', { sentence: () => t`An institution does not take part in the settlement system`, ...SUPPORT }],
  ['DT02', { sentence: () => t`The date of the message is invalid`, ...SUPPORT }],
  ['DT05', { sentence: () => t`The time in which the payment could be refunded has passed`, ...REFUND_SUPPORT }],
  [
    'DUPL',
    {
      sentence: () => t`It duplicates another payment`,
      hint: () => t`Look for the other payment before you pay again`,
    },
  ],
  ['ED05', { sentence: () => t`The settlement failed`, ...LATER }],
  ['FF07', { sentence: () => t`The purpose of the payment does not match its other data`, ...SUPPORT }],
  ['FF08', { sentence: () => t`The identifier of the payment is malformed`, ...SUPPORT }],
  ['FR01', { sentence: () => t`The money came back because of suspected fraud`, ...FRAUD }],
  ['FRAD', { sentence: () => t`An institution suspects fraud`, ...FRAUD }],
  ['MD06', { sentence: () => t`The receiver sent the money back`, ...CAME_BACK }],
  ['NARR', { sentence: () => t`The reason is in the message that came with the code`, ...SUPPORT }],
  ['RC09', { sentence: () => t`The paying institution is not recognised`, ...SUPPORT }],
  ['RC10', { sentence: () => t`The receiver's institution is not recognised`, ...RECEIVER }],
  ['RR04', { sentence: () => t`A regulation or sanction forbids the payment`, ...SUPPORT }],
  ['SL02', { sentence: () => t`The money came back because a PIX withdrawal or change failed`, ...CAME_BACK }],
  ['UPAY', { sentence: () => t`The payment was not owed`, ...CAME_BACK }],
])
