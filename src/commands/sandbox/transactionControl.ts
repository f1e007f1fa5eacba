import type { Context } from '../../context.ts'
import { namedById } from '../../ledger/namedByIds.ts'
import type { Payment } from '../../ledger/payments.ts'
import { centsFromJson } from '../../pix/amount.ts'
import { parseInstant } from '../../pix/calendar.ts'
import type { ControlBody, TransactionCallName } from '../../sandbox/controlCalls.ts'
import { namedTransactions } from '../../sandbox/transactionIds.ts'
import { cellText, valueAt } from '../../terminal/documentFields.ts'
import { t } from '../../text/translate.ts'
import { maskKey } from '../../views/personalData.ts'
import { accountAddress } from '../../wire/address.ts'
import { type AnswerFields, isObject } from '../../wire/answers.ts'
import { Failure } from '../../wire/errors.ts'
import { type Choosable, pickFrom, pickOneOf } from '../namedPayment.ts'
import { callSandbox, runControl, sandboxAddress } from './callSandbox.ts'

/** As many of the newest transactions are offered. */
const OFFERED_MAX = 20

/** Which transactions of the sandbox's state a command can be used with. */
const FITTING: Readonly<Record<TransactionCallName, (transaction: AnswerFields) => boolean>> = {
  pay: isOpenCharge,
  expire: isOpenCharge,
  cancel: (each) => isOpenCharge(each) || isInProgress(each, 'transfer'),
  chargeback: ({ type, status }) => type === 'payment' && status === 'PAID',
  return: ({ type, statusTransaction }) => type === 'transfer' && statusTransaction === 'PAID_OUT',
  fail: (each) => isInProgress(each, 'transfer') || isInProgress(each, 'refund'),
  deliver: () => true,
}

/**
 * Carries out a control command for a transaction, by the id that was typed. A person picks on a terminal if none was typed or if it names several. An id
 * that the sandbox does not know is looked up in the ledger. Throws UsageError without a terminal; Cancelled.
 */
export async function runTransactionControl<Name extends TransactionCallName>(
  context: Context,
  name: Name,
  typed: string | undefined,
  bodyFor: (id: string) => ControlBody<Name>,
): Promise<number> {
  const command = `pixgate sandbox ${name}`
  if (typed === undefined) {
    const question = {
      command,
      argument: '<id>',
      question: t`Which transaction?`,
      nothing: t`The sandbox has no transaction that this command can be used with`,
    }
    const fitting = async () => (await transactions(context)).filter(FITTING[name]).slice(0, OFFERED_MAX).map(choosable)
    return runControl(context, name, bodyFor(await pickFrom(context, question, fitting)))
  }
  try {
    return await runControl(context, name, bodyFor(typed))
  } catch (error) {
    if (!(error instanceof Failure) || !UNCLEAR_IDS.includes(error.code)) throw error
    const found = await namedBy(context, typed, FITTING[name])
    const [only, another] = found
    if (only === undefined) throw error
    const id = another === undefined ? cellText(only.idTransaction) : undefined
    return runControl(context, name, bodyFor(id ?? (await pickOneOf(context, typed, command, found.map(choosable)))))
  }
}

/** The codes of an id that names no transaction of the sandbox, or several. */
const UNCLEAR_IDS: readonly string[] = ['TRANSACTION_NOT_FOUND', 'AMBIGUOUS_ID']

/** The transactions that an id names, or a payment of the ledger with it; of several with a whole id those that the command can be used with. */
async function namedBy(context: Context, typed: string, fits: (transaction: AnswerFields) => boolean) {
  const all = await transactions(context)
  const { isWhole, found } = namedTransactions(all.map(withNames), typed)
  const named = (found.length > 0 ? found : await knownToLedger(context, all, typed)).map(({ fields }) => fields)
  const fitting = isWhole ? named.filter(fits) : named
  return fitting.length > 0 ? fitting : named
}

/** The transactions of the sandbox that an id names in the ledger, by pixgate's own ids too. */
async function knownToLedger(context: Context, all: readonly AnswerFields[], typed: string) {
  const [ledger, { url }] = await Promise.all([context.ledger(), sandboxAddress(context)])
  const { named } = await ledger.read((database) => namedById(database, typed, null))
  const names = named.flatMap((each) =>
    each.is === 'payment' && accountAddress(each.payment.owner.baseUrl) === accountAddress(url)
      ? sandboxNames(each.payment)
      : [],
  )
  return all.map(withNames).filter((each) => names.some((id) => namedTransactions([each], id).isWhole))
}

/** The gateway's ids of a payment; if it never told one, the request number or the external ids. */
function sandboxNames({ facts, givenId, summary: { attempts } }: Payment): string[] {
  const ids = attempts.flatMap(({ idTransaction }) => idTransaction ?? [])
  if (ids.length > 0 || facts.kind === 'refund') return ids
  return facts.kind === 'qr' ? [givenId] : attempts.flatMap(({ record }) => record.externalId ?? [])
}

/** A transaction of the state by what it is named. */
function withNames(fields: AnswerFields) {
  const name = (key: string) => cellText(fields[key]) || undefined
  return {
    fields,
    idTransaction: cellText(fields.idTransaction),
    paymentCode: name('paymentCode'),
    requestNumber: name('requestNumber'),
    externalId: name('externalId'),
  }
}

/** All transactions of the sandbox, newest first. */
async function transactions(context: Context): Promise<AnswerFields[]> {
  const { payments, refunds, transfers } = await callSandbox(context, 'state', {})
  return [payments, refunds, transfers]
    .flatMap((each) => (Array.isArray(each) ? each.filter(isObject) : []))
    .toSorted((one, other) => (createdMs(other) ?? 0) - (createdMs(one) ?? 0))
}

function choosable(transaction: AnswerFields): Choosable<string> {
  const { idTransaction, type, status, amount, value, key, typeKey } = transaction
  const id = cellText(idTransaction)
  const name = transaction.requestNumber ?? transaction.externalId ?? transaction.originalTransactionId
  const payer = valueAt(transaction, 'client.name')
  const party = key === undefined ? payer : maskKey(cellText(key), cellText(typeKey))
  return {
    value: id,
    choice: {
      id,
      kind: cellText(type),
      atMs: createdMs(transaction),
      amountCents: centsFromJson(amount ?? value) ?? null,
      state: cellText(status),
      party: cellText(party) || null,
      name: cellText(name) || null,
      account: null,
    },
  }
}

function createdMs({ createdAt }: AnswerFields): number | null {
  return parseInstant(cellText(createdAt)) ?? null
}

function isOpenCharge({ type, status }: AnswerFields): boolean {
  return type === 'payment' && status === 'PENDING'
}

function isInProgress({ type, status }: AnswerFields, kind: 'transfer' | 'refund'): boolean {
  return type === kind && status === 'PROCESSING'
}
