import type { Context } from '../context.ts'
import { namedById } from '../ledger/namedByIds.ts'
import type { Payment } from '../ledger/payments.ts'
import { centsFromJson } from '../pix/amount.ts'
import { parseInstant } from '../pix/calendar.ts'
import type { TransactionCallName } from '../sandbox/control.ts'
import { namedTransactions } from '../sandbox/transactions.ts'
import { cellText } from '../terminal/printer.ts'
import { t } from '../text/translate.ts'
import { controlsFor, transactionState } from '../views/sandboxText.ts'
import { maskKey } from '../views/valueText.ts'
import { type AnswerFields, isObject } from '../wire/answers.ts'
import { accountAddress } from '../wire/baseAddress.ts'
import { Failure } from '../wire/errors.ts'
import { callSandbox, sandboxAddress } from './callSandbox.ts'
import { type Choosable, pickFrom, pickOneOf } from './namedPayment.ts'

/** As many of the newest transactions are offered. */
const OFFERED_MAX = 20

interface TransactionUse {
  name: TransactionCallName | 'history'
  /** As it is typed, for a question about its id. */
  command: string
}

/** The id of a transaction that a person picks of those that the command can be used with. Throws UsageError without a terminal; Cancelled. */
export async function pickTransaction(context: Context, { name, command }: TransactionUse): Promise<string> {
  const fits = (each: AnswerFields) => name === 'history' || controlsFor(each).includes(name)
  const nothing = t`The sandbox has no transaction that \`${command}\` can be used with`
  const question = { command, argument: '<id>', question: t`Which transaction?`, nothing }
  const fitting = async () => (await transactions(context)).filter(fits).slice(0, OFFERED_MAX).map(choosable)
  return pickFrom(context, question, fitting)
}

/**
 * Acts on the transaction with a typed id. A person picks on a terminal if it names several. An id that the sandbox does not know is looked
 * up in the ledger. Throws UsageError without a terminal; Cancelled.
 */
export async function withTransaction<Result>(
  context: Context,
  typed: string,
  { command }: TransactionUse,
  act: (id: string) => Promise<Result>,
): Promise<Result> {
  try {
    return await act(typed)
  } catch (error) {
    if (!(error instanceof Failure) || !UNCLEAR_IDS.includes(error.code)) throw error
    const found = await namedBy(context, typed)
    const [only, another] = found
    if (only === undefined) throw error
    const id = another === undefined ? cellText(only.idTransaction) : undefined
    return act(id ?? (await pickOneOf(context, typed, command, found.map(choosable))))
  }
}

const UNCLEAR_IDS: readonly string[] = ['TRANSACTION_NOT_FOUND', 'AMBIGUOUS_ID']

/** The transactions that an id names, whatever became of them, or a payment of the ledger with it. */
async function namedBy(context: Context, typed: string) {
  const all = await transactions(context)
  const { found } = namedTransactions(all.map(withNames), typed)
  return (found.length > 0 ? found : await knownToLedger(context, all, typed)).map(({ fields }) => fields)
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
  const { idTransaction, type, amount, value, key, typeKey, client } = transaction
  const id = cellText(idTransaction)
  const name = transaction.requestNumber ?? transaction.externalId ?? transaction.originalTransactionId
  const payer = isObject(client) ? client.name : undefined
  const party = key === undefined ? payer : maskKey(cellText(key), cellText(typeKey))
  return {
    value: id,
    choice: {
      id,
      kind: cellText(type),
      atMs: createdMs(transaction),
      amountCents: centsFromJson(amount ?? value) ?? null,
      state: transactionState(transaction) ?? '',
      party: cellText(party) || null,
      name: cellText(name) || null,
      account: null,
    },
  }
}

function createdMs({ createdAt }: AnswerFields): number | null {
  return parseInstant(cellText(createdAt)) ?? null
}
