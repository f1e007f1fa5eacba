import type { IncomingHttpHeaders } from 'node:http'
import { reaisFromCents } from '../pix/amount.ts'
import { Malformed } from '../pix/malformed.ts'
import { t } from '../text/translate.ts'
import { addressList, hasBearer } from './auth.ts'
import { deliveryView, paymentView, refundView, transactionView, transferView } from './controlViews.ts'
import type { DeliveryView, StateView, TransactionView } from './controlViewTypes.ts'
import type { Deliveries } from './deliveries.ts'
import type { Call, SandboxParts } from './endpoints.ts'
import { parseFault, parseFaultTarget } from './faults.ts'
import { HttpError } from './httpError.ts'
import { formatWireInstant } from './outgoingWebhooks.ts'
import { Fields, readJsonObject } from './requestFields.ts'
import type { RequestLog } from './requestLog.ts'
import {
  TRANSACTION_ACTIONS,
  type TransactionAction,
  type TransactionActionName,
  transactionAction,
} from './transactionActions.ts'

/** What control commands can touch beyond the endpoints. */
export interface ControlParts extends SandboxParts {
  deliveries: Deliveries
  requests: RequestLog
  /** Restores the initial state. */
  reset: () => void
}

/** Below this path are the control commands. */
export const CONTROL_PREFIX = '/sandbox/'

const ADVANCE_MS_MAX = 10 * 365 * 86_400_000

const isLoopback = addressList(['127.0.0.0/8', '::1'])

type Command = (parts: ControlParts, fields: Fields) => object
type Question = (parts: ControlParts, query: URLSearchParams) => object

const COMMANDS: ReadonlyMap<string, Command> = new Map<string, Command>([
  ['fault', addFault],
  ['advance', advance],
  ['reset', reset],
])

const QUESTIONS: ReadonlyMap<string, Question> = new Map<string, Question>([
  ['state', state],
  ['requests', ({ requests }, query) => ({ requests: requests.entries(query.get('failed') === 'true') })],
])

/**
 * Answers a control request: `POST /sandbox/<action>` with `{id, …}`, `/sandbox/fault`, `/sandbox/advance`,
 * `/sandbox/reset`, or `GET /sandbox/state` and `/sandbox/requests`. Rejects callers beyond this machine without the
 * control token.
 */
export function answerControl(call: Call, parts: ControlParts): object {
  assertAllowedCaller(call.headers, call.peer, parts.options.controlToken)
  const name = call.path.slice(CONTROL_PREFIX.length)
  const question = QUESTIONS.get(name)
  const command = COMMANDS.get(name) ?? commandOf(transactionAction(name))
  if (question === undefined && command === undefined) {
    throw new HttpError(404, 'NOT_FOUND', t`There is no control command \`${name}\``)
  }
  const method = question === undefined ? 'POST' : 'GET'
  if (call.method !== method) {
    throw new HttpError(405, 'METHOD_NOT_ALLOWED', t`Only ${method} is allowed here`, { Allow: method })
  }
  if (question !== undefined) return question(parts, call.query)
  // A reset needs no body.
  const body = name === 'reset' && call.text === '' ? Buffer.from('{}') : call.body()
  return command?.(parts, new Fields(readJsonObject(body, 'WRONG_DATA_FORMAT'))) ?? {}
}

/** The control commands without HTTP, for the program that started the sandbox. They throw HttpError if the state does not allow it. */
export interface Controls {
  act(action: TransactionActionName, id: string, values?: Readonly<Record<string, unknown>>): TransactionView
  fault(values: Readonly<Record<string, unknown>>): void
  advance(ms: number): void
  reset(): void
  state(): StateView
  /** The deliveries so far, without running what is due. */
  deliveries(): DeliveryView[]
}

/** The control commands of these parts. What is due by the clock happens before each. */
export function directControls(parts: ControlParts): Controls {
  const now = <Value>(run: () => Value): Value => {
    parts.clock.runDue()
    return run()
  }
  return {
    act: (name, id, values = {}) => now(() => act(parts, TRANSACTION_ACTIONS[name], new Fields({ ...values, id }))),
    fault: (values) => void addFault(parts, new Fields(values)),
    advance: (ms) => void advance(parts, new Fields({ ms })),
    reset: () => parts.reset(),
    state: () => now(() => state(parts)),
    deliveries: () => parts.deliveries.all.map(deliveryView),
  }
}

/** The whole state: balance, transactions, deliveries and clock. */
function state({ service, deliveries, clock }: ControlParts): StateView {
  const { balanceCents, payments, refunds, transfers } = service.bank
  return {
    balance: reaisFromCents(balanceCents),
    payments: [...payments.values()].map(paymentView),
    refunds: [...refunds.values()].map(refundView),
    transfers: [...transfers.values()].map(transferView),
    deliveries: deliveries.all.map(deliveryView),
    now: formatWireInstant(clock.now()),
  }
}

/** Without the token only programs on this machine are let in, and no page in a browser, whatever its name resolves to. */
function assertAllowedCaller(headers: IncomingHttpHeaders, peer: string | undefined, token: string | undefined): void {
  if (token !== undefined && hasBearer(headers, token)) return
  const host = (headers.host ?? '').replace(/:\d+$/, '').replace(/^\[(.*)\]$/, '$1')
  const isHere = isLoopback(peer) && (host.toLowerCase() === 'localhost' || isLoopback(host))
  if (isHere && headers.origin === undefined) return
  const details =
    token === undefined
      ? t`Only programs on this machine may control the sandbox, because it has no control token`
      : t`The header \`Authorization: Bearer <control token>\` is missing or wrong`
  throw new HttpError(403, 'FORBIDDEN', details)
}

function commandOf(action: TransactionAction | undefined): Command | undefined {
  return action === undefined ? undefined : (parts, fields) => act(parts, action, fields)
}

function act(parts: ControlParts, action: TransactionAction, fields: Fields): TransactionView {
  const id = fields.text('id')
  const late = fields.value('late')
  if (late !== undefined && typeof late !== 'boolean') fields.fault('late', t`must be true or false`)
  fields.assertNoFaults('WRONG_DATA_FORMAT')
  const { bank } = parts.service
  const transaction = bank.find(id)
  action(parts, transaction, fields)
  return transactionView(bank.find(transaction.idTransaction))
}

function addFault({ faults }: ControlParts, fields: Fields): object {
  const kind = fields.text('kind')
  const times = fields.value('times') ?? 1
  const async = fields.value('async') ?? false
  const on = fields.optionalText('on')
  if (typeof times !== 'number') fields.fault('times', t`must be a number`)
  if (typeof async !== 'boolean') fields.fault('async', t`must be true or false`)
  fields.assertNoFaults('WRONG_DATA_FORMAT')
  try {
    const fault = parseFault(kind, async === true)
    faults.add(fault, Number(times), on === undefined ? undefined : parseFaultTarget(on, fault))
  } catch (error) {
    if (error instanceof Malformed) throw new HttpError(400, 'WRONG_DATA_FORMAT', `${error.message}. ${error.hint}`)
    throw error
  }
  return { kind, times, async, on: on ?? null }
}

function advance({ clock }: ControlParts, fields: Fields): object {
  const ms = fields.value('ms')
  if (typeof ms !== 'number' || !Number.isInteger(ms) || ms < 1 || ms > ADVANCE_MS_MAX) {
    throw new HttpError(400, 'WRONG_DATA_FORMAT', t`\`ms\` must be a whole number from 1 to ${ADVANCE_MS_MAX}`)
  }
  clock.advance(ms)
  return { now: formatWireInstant(clock.now()) }
}

function reset(parts: ControlParts): object {
  parts.reset()
  return state(parts)
}
