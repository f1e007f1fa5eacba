import type { Context } from '../../context.ts'
import type { LabelledText, SandboxAction, SandboxTransaction, SandboxView } from '../../inspector/pageData.ts'
import { readDuration } from '../../optionParsers.ts'
import { centsFromJson } from '../../pix/amount.ts'
import { FAULT_KINDS } from '../../sandbox/faults.ts'
import { cellText } from '../../terminal/documentFields.ts'
import { safeText } from '../../text/safeText.ts'
import { t } from '../../text/translate.ts'
import { maskKey, maskText } from '../../views/personalData.ts'
import { amountText, instantText, statusTone } from '../../views/valueText.ts'
import { type AnswerFields, objectsIn } from '../../wire/answers.ts'
import { Failure, UsageError } from '../../wire/errors.ts'
import { callSandbox, sandboxAddress } from '../sandbox/callSandbox.ts'

const SHOWN_MAX = 50

/** The controls that make sense for a transaction, by its type and status. */
const ACTIONS: Readonly<Record<string, readonly SandboxAction[]>> = {
  'payment PENDING': ['pay', 'expire', 'cancel'],
  'payment PAID': ['chargeback', 'deliver'],
  'payment EXPIRED': ['pay-late', 'deliver'],
  'payment CANCELLED': ['pay-late', 'deliver'],
  'payment REFUNDED': ['deliver'],
  'refund PROCESSING': ['fail'],
  'refund COMPLETED': ['deliver'],
  'refund FAILED': ['deliver'],
  'transfer PROCESSING': ['cancel', 'fail'],
  'transfer COMPLETED': ['return', 'deliver'],
  'transfer FAILED': ['deliver'],
}

/** The sandbox of this command line, or why there is none to show. */
export async function inspectedSandbox(context: Context, unmask: boolean): Promise<SandboxView> {
  const nothing = {
    url: '',
    facts: [],
    transactions: [],
    deliveries: [],
    faults: [],
    faultKinds: FAULT_KINDS,
  }
  try {
    nothing.url = safeText((await sandboxAddress(context)).url)
    const state = await callSandbox(context, 'state', {})
    const transactions = [state.payments, state.refunds, state.transfers].flatMap(objectsIn)
    return {
      ...nothing,
      isRunning: true,
      reason: '',
      hint: '',
      facts: [
        [t`balance`, amountText(centsFromJson(state.balance) ?? null)],
        [t`clock`, timeText(state.now)],
        [t`transactions`, String(transactions.length)],
      ],
      transactions: transactions
        .sort(newestFirst)
        .slice(0, SHOWN_MAX)
        .map((each) => transactionView(each, unmask)),
      deliveries: objectsIn(state.deliveries).slice(-SHOWN_MAX).reverse().map(deliveryText),
      faults: objectsIn(state.faults).map(faultText),
    }
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    return { ...nothing, isRunning: false, reason: safeText(error.message), hint: safeText(error.hint) }
  }
}

/** Carries out a control of the page: an action on the transaction `id`, `fault`, `clear-fault`, `advance` or `reset`. Throws like `callSandbox`. */
export async function controlFromPage(context: Context, fields: AnswerFields): Promise<object> {
  const { action, id, kind, times, on, n, duration } = fields
  const onTransaction = Object.values(ACTIONS)
    .flat()
    .find((name) => name === action)
  if (action === 'reset') await callSandbox(context, 'reset', {})
  else if (action === 'fault') {
    await callSandbox(context, 'fault', {
      kind: cellText(kind),
      times: Number(times),
      async: fields.async === true,
      on: cellText(on) || undefined,
    })
  } else if (action === 'clear-fault') await callSandbox(context, 'clear-faults', { n: Number(n) })
  else if (action === 'advance') {
    await callSandbox(context, 'advance', { ms: readDuration(cellText(duration), t`duration`) })
  } else if (onTransaction === 'pay-late') {
    await callSandbox(context, 'pay', { id: cellText(id), late: true })
  } else if (onTransaction !== undefined) {
    await callSandbox(context, onTransaction, { id: cellText(id) })
  } else throw new UsageError(t`There is no control \`${cellText(action)}\``, { hint: t`Open the page again` })
  return {}
}

function transactionView(one: AnswerFields, unmask: boolean): SandboxTransaction {
  const type = cellText(one.type)
  const status = cellText(one.status)
  return {
    id: safeText(cellText(one.idTransaction)),
    kind: safeText(type),
    status: safeText(status),
    tone: statusTone(status),
    amount: amountText(centsFromJson(one.amount ?? one.value) ?? null),
    about: safeText(aboutText(one, unmask)),
    actions: [...(ACTIONS[`${type} ${status}`] ?? [])],
  }
}

function aboutText({ requestNumber, refundReason, key, typeKey }: AnswerFields, unmask: boolean): string {
  if (key !== undefined) return unmask ? cellText(key) : maskKey(cellText(key), cellText(typeKey))
  const text = cellText(requestNumber ?? refundReason)
  return unmask ? text : maskText(text)
}

function deliveryText({ event, idTransaction, outcome, attempts, status, error }: AnswerFields): LabelledText {
  const end = [status, error].map(cellText).filter((part) => part !== '')
  const attemptsText = t`${cellText(outcome)}, attempts: ${cellText(attempts)}`
  return [safeText(`${cellText(event)} ${cellText(idTransaction)}`), [attemptsText, ...end.map(safeText)].join(', ')]
}

function faultText({ kind, on, times, async: isAsync }: AnswerFields): LabelledText {
  const parts = [
    on === null ? t`on whatever comes next` : t`on ${cellText(on)}`,
    t`times: ${cellText(times)}`,
    ...(isAsync === true ? [t`after it was accepted`] : []),
  ]
  return [safeText(cellText(kind)), safeText(parts.join(', '))]
}

function newestFirst(one: AnswerFields, other: AnswerFields): number {
  return Date.parse(cellText(other.createdAt)) - Date.parse(cellText(one.createdAt))
}

function timeText(at: unknown): string {
  const ms = Date.parse(cellText(at))
  return instantText(Number.isNaN(ms) ? null : ms)
}
