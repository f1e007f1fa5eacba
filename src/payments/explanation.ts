import type { Owner } from '../ledger/accounts.ts'
import type { AttemptSummary, PaymentSummary } from '../ledger/derivePayment.ts'
import { type PaymentFacts, payeeNameOf, type TransferPayment, taxDocumentsOf } from '../ledger/facts.ts'
import type { Named } from '../ledger/namedByIds.ts'
import { knownOriginal, recentExternalCharges } from '../ledger/originals.ts'
import { lastPaymentSeq, listPayments, type PaymentFilter, positionOfNewest } from '../ledger/paymentList.ts'
import { canBeAbout, findingFromEvent, type PaymentState } from '../ledger/paymentState.ts'
import { loadPayment, type Payment } from '../ledger/payments.ts'
import type { EventRecord } from '../ledger/records.ts'
import { stateText } from '../ledger/stateWords.ts'
import { parseInstant } from '../pix/calendar.ts'
import { destinationOf } from '../pix/destination.ts'
import { isAlphanumericCnpj } from '../pix/taxDocument.ts'
import { type Account, LOCAL_PROFILE } from '../profiles/account.ts'
import type { ProfileStore } from '../profiles/profile.ts'
import type { Database } from '../storage/sqlite.ts'
import type { LabelledRow } from '../terminal/terminal.ts'
import { shellWord } from '../text/shellWord.ts'
import { t } from '../text/translate.ts'
import { type CodeMeaning, failureSentence, meaningOfCode } from '../wire/errorCodes.ts'
import { NotFound, UsageError } from '../wire/errors.ts'
import { refundedCents } from './paymentRules.ts'
import { isStillRefundable } from './refundable.ts'

/** Who receives the money, or pays a charge, as far as it is known: a name, else the key or the id of the refunded payment. */
export function payeeOf({ facts, personName }: Pick<Payment, 'facts' | 'personName'>): string | null {
  if (personName !== null) return personName
  switch (facts.kind) {
    case 'qr':
      return null
    case 'transfer':
      return payeeNameOf(facts) ?? destinationOf(facts.key, facts.keyType).key
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

/** What the code of what failed means, and what to do; undefined if nothing failed or its code is not known. */
export function reasonMeaning({ facts, summary }: Pick<Payment, 'facts' | 'summary'>): CodeMeaning | undefined {
  const { errorCode } = summary
  if (errorCode === null) return undefined
  return meaningOfCode(errorCode, { hasAlphanumericCnpj: facts.kind === 'transfer' && hasAlphanumericCnpj(facts) })
}

/** Why the gateway refused a payment; null if it gave neither a code nor words. */
export function refusalText(code: string | null, words: string | null): string | null {
  return failureSentence(code, words) ?? (code === null ? null : t`The gateway refused it with ${code}`)
}

/** True for a transfer to a CNPJ with letters, or one that checks it as the owner. */
export function hasAlphanumericCnpj(facts: TransferPayment): boolean {
  return [facts.key, ...taxDocumentsOf(facts)].some(isAlphanumericCnpj)
}

/** The source of the status: an event, what the gateway answered, a person, or only what this machine recorded. */
export function knownBy({ event, query, finding, state }: AttemptSummary): 'event' | 'gateway' | 'person' | 'ledger' {
  if (event !== null) return 'event'
  if (query !== null) return 'gateway'
  if (finding !== null) return 'person'
  return state === 'paid' ? 'gateway' : 'ledger'
}

/** What to do about an error code. */
export function whatToDoRows(meaning: CodeMeaning | undefined): LabelledRow[] {
  return meaning === undefined ? [] : [[t`what to do`, meaning.hint]]
}

/** The login that alone says that a payment was accepted, although it did not send it; null if the state does not rest on such an answer. */
export function saidAloneBy({ isVerified, deciding }: Pick<PaymentSummary, 'isVerified' | 'deciding'>): string | null {
  return isVerified || deciding.event !== null ? null : (deciding.answer?.login ?? null)
}

/** The state of a payment in words, with whose word it is if nothing that this machine has verified says so. */
export function stateAsVerified(summary: Pick<PaymentSummary, 'isVerified' | 'deciding' | 'state'>): string {
  const state = stateText(summary.state)
  if (summary.isVerified) return state
  const saidBy = saidAloneBy(summary)
  return saidBy === null ? t`${state}, not verified here` : t`${state} according to ${saidBy}, not verified here`
}

const OFFERED_MAX = 20
/** No more of the newest charges than this are considered: most may have expired. */
const CONSIDERED_MAX = 200

type PaymentOwner = Pick<Account, 'environment' | 'url' | 'clientId'>

/** The newest payments of an account that fit, newest first. */
export function recentPayments(
  database: Database,
  { url, clientId, environment }: PaymentOwner,
  fitting: Partial<Pick<PaymentFilter, 'kind' | 'state' | 'beingSent'>> = {},
  limit = OFFERED_MAX,
): Named[] {
  const filter = { ...fitting, account: { baseUrl: url, clientId, environment } }
  const lastSeq = lastPaymentSeq(database)
  const after = positionOfNewest(database, filter, lastSeq, limit)
  return listPayments(database, filter, after, lastSeq, limit)
    .map(({ id }): Named => ({ is: 'payment', payment: loadPayment(database, id) }))
    .toReversed()
}

/**
 * The payments that an account received last and that can be refunded as far as the ledger knows: not paid too long ago, with something left and no
 * known chargeback. Newest first.
 */
export function recentRefundable(database: Database, account: Account, nowMs: number): Named[] {
  const charges = recentPayments(database, account, { kind: 'qr' }, CONSIDERED_MAX)
  const external = recentExternalCharges(database, account, CONSIDERED_MAX)
  const isRefundable = (id: string | null, isPaid: boolean) => {
    if (id === null) return false
    const known = knownOriginal(database, account, id)
    if ((!isPaid && known.paidAtMs === null) || known.isContested) return false
    return isStillRefundable(known, refundedCents(database, account, id), nowMs)
  }
  return [
    ...charges.filter(
      (each) => each.is === 'payment' && isRefundable(each.payment.summary.idTransaction, isPaid(each.payment)),
    ),
    ...external.filter(({ id }) => isRefundable(id, false)).map((charge): Named => ({ is: 'external', charge })),
  ]
    .toSorted((one, other) => timeOf(other) - timeOf(one))
    .slice(0, OFFERED_MAX)
}

function isPaid({ summary }: Payment): boolean {
  return summary.state === 'paid'
}

function timeOf(named: Named): number {
  if (named.is === 'external') return named.charge.paidAtMs ?? 0
  const { at } = named.is === 'payment' ? named.payment.first : named.run.record
  return parseInstant(at) ?? 0
}

/** The failure of resuming what another account sent. `name` is the external id or the run, `owner` who sent it. */
export function otherAccountFailure(
  name: string,
  owner: Owner,
  account: Account,
  { profiles }: ProfileStore,
): UsageError {
  const options = optionsOf(owner, account, profiles)
  return new UsageError(t`${name} was sent to ${owner.baseUrl} with client id ${owner.clientId}`, {
    details: [t`It cannot be resumed with ${account.url} and client id ${account.clientId}`],
    hint:
      options === undefined
        ? t`Set the credentials and the base address with which it was sent`
        : t`Add \`${options}\`, with which it was sent`,
  })
}

/** The options that select an owner's account; undefined if no profile has its address and client id any more. */
function optionsOf(
  { profile, baseUrl, clientId }: Owner,
  account: Account,
  profiles: ProfileStore['profiles'],
): string | undefined {
  if (profile === LOCAL_PROFILE.name) {
    const address = `--base-url ${shellWord(baseUrl)}`
    if (account.profile === LOCAL_PROFILE.name) return address
    return baseUrl === LOCAL_PROFILE.baseUrl ? `--profile ${profile}` : `--profile ${profile} ${address}`
  }
  const same = [...profiles].filter(([, each]) => each.baseUrl === baseUrl && each.clientId === clientId)
  const [name] = same.find(([each]) => each === profile) ?? same[0] ?? []
  return name === undefined ? undefined : `--profile ${name}`
}

/** The failure of a run that the ledger does not have. */
export function unknownRun(name: string): NotFound {
  return new NotFound(t`No run \`${name}\` is recorded`, {
    outcome: 'not-sent',
    hint: t`Run \`pixgate batch list\` to list the runs`,
  })
}

/** The failure of what rests on an event that this machine cannot verify. */
export function unverifiedEvent(message: string): UsageError {
  return new UsageError(message, {
    details: [t`A member who can write to a shared ledger could have invented it`],
    hint: t`Run \`pixgate history check\` with a profile that has the client secret; if that was changed since, set \`PIXGATE_PREVIOUS_CLIENT_SECRET\` to the one before it`,
  })
}
