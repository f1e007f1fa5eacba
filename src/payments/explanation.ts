import type { AttemptSummary } from '../ledger/derivePayment.ts'
import { canBeAbout, findingFromEvent } from '../ledger/eventMeaning.ts'
import type { PaymentFacts, TransferPayment } from '../ledger/facts.ts'
import { payeeNameOf, taxDocumentsOf } from '../ledger/facts.ts'
import type { PaymentState } from '../ledger/paymentState.ts'
import type { Payment } from '../ledger/payments.ts'
import type { EventRecord } from '../ledger/records.ts'
import { isAlphanumericCnpj } from '../pix/taxDocument.ts'
import type { LabelledRow } from '../terminal/terminal.ts'
import { t } from '../text/translate.ts'
import { type CodeMeaning, meaningOfCode } from '../wire/errorCodes.ts'

/** Who receives the money, or pays a charge, as far as it is known: a name, else the key or the id of the refunded payment. */
export function payeeOf({ facts, personName }: Pick<Payment, 'facts' | 'personName'>): string | null {
  if (personName !== null) return personName
  switch (facts.kind) {
    case 'qr':
      return null
    case 'transfer':
      return payeeNameOf(facts) ?? facts.key
    case 'refund':
      return facts.originalTransactionId
  }
}

/** True if an event contradicts the state that counts for a refund or transfer. */
export function isContradiction(event: EventRecord, facts: PaymentFacts, state: PaymentState): boolean {
  const meaning = canBeAbout(event.subject, facts.kind) ? findingFromEvent(event) : null
  if (facts.kind === 'qr' || meaning === null || meaning === state) return false
  return !(meaning === 'paid' && state === 'returned')
}

/** The gateway's code and sentence for what failed; null if nothing is known to have. */
export function reasonOf({ event, answer, state }: AttemptSummary): {
  errorCode: string | null
  errorMessage: string | null
} {
  const isMade = state === 'paid' || state === 'accepted'
  if (event !== null && event.errorCode !== null)
    return { errorCode: event.errorCode, errorMessage: event.errorMessage }
  if (answer === null || isMade) return { errorCode: null, errorMessage: null }
  return { errorCode: answer.code, errorMessage: answer.message }
}

/** What the code of what failed means, and what to do; undefined if nothing failed or its code is not known. */
export function reasonMeaning({ facts, summary }: Pick<Payment, 'facts' | 'summary'>): CodeMeaning | undefined {
  const { errorCode } = reasonOf(summary.deciding)
  if (errorCode === null) return undefined
  return meaningOfCode(errorCode, { hasAlphanumericCnpj: facts.kind === 'transfer' && hasAlphanumericCnpj(facts) })
}

/** True for a transfer to a CNPJ with letters, or one that checks it as the owner. */
export function hasAlphanumericCnpj(facts: TransferPayment): boolean {
  return [facts.key, ...taxDocumentsOf(facts)].some(isAlphanumericCnpj)
}

/** The source of the status: an event, a person, or only what this machine recorded. */
export function knownBy({ event, finding }: AttemptSummary): 'event' | 'person' | 'ledger' {
  if (event !== null) return 'event'
  return finding === null ? 'ledger' : 'person'
}

/** What an error code means, and what to do about it. */
export function meaningRows(meaning: CodeMeaning | undefined): LabelledRow[] {
  if (meaning === undefined) return []
  return [
    ['', meaning.sentence],
    [t`what to do`, meaning.hint],
  ]
}
