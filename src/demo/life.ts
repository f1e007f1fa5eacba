import { centsFromJson, formatReais } from '../pix/amount.ts'
import { t } from '../text/words.ts'
import { type AnswerFields, isObject } from '../wire/answers.ts'
import type { Inbox } from './inbox.ts'
import type { Stage } from './stage.ts'

/** The result of one step; `detail` says what was observed. */
export interface Step {
  name: string
  ok: boolean
  detail: string
}

const REQUEST_NUMBER = 'order-1'
const PAID_OUT_ID = 'invoice-1'
const FAILED_ID = 'invoice-2'
/** 10,000.00 at the start, 25.00 received, 10.00 refunded, 7.50 paid out. */
const FINAL_BALANCE_CENTS = 1_000_750

/** Plays the life of one payment and checks every step against the specification. Stops at the first failure. */
export async function playLife(stage: Stage, inbox: Inbox): Promise<Step[]> {
  const steps: Step[] = []
  const scenes = [drawCode, payCode, lookUp, returnPart, payOut, payOutWithoutFunds, checkBalance]
  for (const scene of scenes) {
    const step = await scene(stage, inbox, steps.length + 1)
    inbox.checkInterrupt()
    if (step.ok) stage.good(step.detail)
    else stage.bad(step.detail)
    steps.push(step)
    if (!step.ok) break
  }
  return steps
}

async function drawCode(stage: Stage, _inbox: Inbox, number: number): Promise<Step> {
  const name = t`Create and draw a QR code`
  stage.title(number, name)
  const exit = await stage.perform(['qr', 'create', '--amount', '25,00', '--request-number', REQUEST_NUMBER])
  const payment = await paymentOf(stage)
  const ok = exit === 0 && payment?.status === 'PENDING' && centsFromJson(payment.amount) === 2500
  return { name, ok, detail: t`exit ${exit}; the payment is ${String(payment?.status)}` }
}

async function payCode(stage: Stage, inbox: Inbox, number: number): Promise<Step> {
  const name = t`Pay it, as the payer would`
  stage.title(number, name)
  const id = await paymentId(stage)
  const exit = await stage.perform(['sandbox', 'pay', id, '--fields', 'status,amount,paidAt'])
  return eventStep(inbox, { name, exit, event: 'pix.received', wanted: 'PAID', id })
}

async function lookUp(stage: Stage, _inbox: Inbox, number: number): Promise<Step> {
  const name = t`Look up the payment`
  stage.title(number, name)
  const exit = await stage.perform(['status', await paymentId(stage), '--expect', 'PAID'])
  return { name, ok: exit === 0, detail: t`exit ${exit}: the payment is PAID` }
}

async function returnPart(stage: Stage, inbox: Inbox, number: number): Promise<Step> {
  const name = t`Refund part of it`
  stage.title(number, name)
  const id = await paymentId(stage)
  const exit = await stage.perform([
    'refund',
    id,
    '--amount',
    '10,00',
    '--reason',
    'one item was out of stock',
    '--yes',
  ])
  const refundId = await idOf(stage, 'refunds', 'originalTransactionId', id)
  return eventStep(inbox, { name, exit, event: 'refund.status', wanted: 'COMPLETED', id: refundId })
}

async function payOut(stage: Stage, inbox: Inbox, number: number): Promise<Step> {
  const name = t`Pay a supplier`
  stage.title(number, name)
  const argv = ['transfer', '--key', 'maria@example.com', '--amount', '7,50', '--external-id', PAID_OUT_ID, '--yes']
  const exit = await stage.perform(argv)
  const id = await idOf(stage, 'transfers', 'externalId', PAID_OUT_ID)
  return eventStep(inbox, {
    name,
    exit,
    event: 'transfer.completed',
    wanted: 'PAID_OUT',
    id,
  })
}

async function payOutWithoutFunds(stage: Stage, inbox: Inbox, number: number): Promise<Step> {
  const name = t`Send a transfer that is accepted and then fails`
  stage.title(number, name)
  await stage.perform(['sandbox', 'fault', 'NO_FUNDS', '--async'])
  const argv = ['transfer', '--key', 'joao@example.com', '--amount', '12,00', '--external-id', FAILED_ID, '--yes']
  const exit = await stage.perform(argv)
  const id = await idOf(stage, 'transfers', 'externalId', FAILED_ID)
  return eventStep(inbox, { name, exit, event: 'transfer.failed', wanted: 'NO_FUNDS', id })
}

async function checkBalance(stage: Stage, _inbox: Inbox, number: number): Promise<Step> {
  const name = t`Check that no cent is lost`
  stage.title(number, name)
  const exit = await stage.perform(['sandbox', 'state'])
  const state = await stage.ask(['sandbox', 'state'])
  const cents = centsFromJson(state?.balance)
  const shown = cents === undefined ? '—' : formatReais(cents)
  const ok = exit === 0 && cents === FINAL_BALANCE_CENTS
  return { name, ok, detail: t`the balance is ${shown}: R$ 10.000,00 + 25,00 − 10,00 − 7,50` }
}

interface ExpectedEvent {
  name: string
  exit: number
  event: string
  wanted: string
  id: string
}

/** Checks that the command exited with 0 and that the expected event arrives with a valid signature. */
async function eventStep(inbox: Inbox, { name, exit, event, wanted, id }: ExpectedEvent): Promise<Step> {
  if (exit !== 0) return { name, ok: false, detail: t`exit ${exit}` }
  const delivery = await inbox.take(event)
  if (delivery === undefined) return { name, ok: false, detail: t`no event \`${event}\` arrived` }
  const { facts, isSigned } = delivery
  const got = facts?.errorCode ?? facts?.status ?? null
  if (!isSigned) return { name, ok: false, detail: t`the signature of \`${event}\` is wrong` }
  const ok = got === wanted && facts?.idTransaction === id
  return { name, ok, detail: t`the event \`${event}\` arrived with a valid signature: ${String(got)}` }
}

async function paymentOf(stage: Stage): Promise<AnswerFields | undefined> {
  return rowOf(stage, 'payments', 'requestNumber', REQUEST_NUMBER)
}

async function paymentId(stage: Stage): Promise<string> {
  return idOf(stage, 'payments', 'requestNumber', REQUEST_NUMBER)
}

async function idOf(stage: Stage, list: string, key: string, value: string): Promise<string> {
  return String((await rowOf(stage, list, key, value))?.idTransaction)
}

async function rowOf(stage: Stage, list: string, key: string, value: string): Promise<AnswerFields | undefined> {
  const rows = (await stage.ask(['sandbox', 'state']))?.[list]
  return Array.isArray(rows) ? rows.filter(isObject).find((row) => row[key] === value) : undefined
}
