import type { Delivery } from '../../listener/listenerServer.ts'
import { centsFromJson, formatReais } from '../../pix/amount.ts'
import { t } from '../../text/translate.ts'
import { type AnswerFields, objectsIn } from '../../wire/answers.ts'
import { Cancelled } from '../../wire/errors.ts'
import type { DemoRunner } from './demoRunner.ts'

/** The result of one step; `detail` says what was observed. */
export interface DemoStep {
  name: string
  ok: boolean
  detail: string
}

const REQUEST_NUMBER = 'order-1'
const PAID_OUT_ID = 'invoice-1'
const FAILED_ID = 'invoice-2'
/** 10,000.00 at the start, 25.00 received, 10.00 refunded, 7.50 paid out. */
const FINAL_BALANCE_CENTS = 1_000_750

/** Plays the life of one payment, and checks every step against the specification. Stops at the first that is wrong. */
export async function playSteps(runner: DemoRunner, inbox: Inbox): Promise<DemoStep[]> {
  const steps: DemoStep[] = []
  const scenes = [drawCode, payCode, lookUp, returnPart, payOut, payOutWithoutFunds, checkBalance]
  for (const scene of scenes) {
    const step = await scene(runner, inbox, steps.length + 1)
    inbox.checkInterrupt()
    if (step.ok) runner.good(step.detail)
    else runner.bad(step.detail)
    steps.push(step)
    if (!step.ok) break
  }
  return steps
}

async function drawCode(runner: DemoRunner, _inbox: Inbox, number: number): Promise<DemoStep> {
  const name = t`A QR code is created and drawn`
  runner.title(number, name)
  const exit = await runner.perform(['qr', 'create', '--amount', '25,00', '--request-number', REQUEST_NUMBER])
  const payment = await paymentOf(runner)
  const ok = exit === 0 && payment?.status === 'PENDING' && centsFromJson(payment.amount) === 2500
  return { name, ok, detail: t`exit ${exit}; the payment is ${String(payment?.status)}` }
}

async function payCode(runner: DemoRunner, inbox: Inbox, number: number): Promise<DemoStep> {
  const name = t`The payer pays it`
  runner.title(number, name)
  const id = await paymentId(runner)
  const exit = await runner.perform(['sandbox', 'pay', id, '--fields', 'status,amount,paidAt'])
  return eventStep(inbox, { name, exit, event: 'pix.received', expected: 'PAID', id })
}

async function lookUp(runner: DemoRunner, _inbox: Inbox, number: number): Promise<DemoStep> {
  const name = t`The payment is looked up`
  runner.title(number, name)
  const exit = await runner.perform(['status', await paymentId(runner), '--expect', 'PAID'])
  return { name, ok: exit === 0, detail: t`exit ${exit}: it is PAID` }
}

async function returnPart(runner: DemoRunner, inbox: Inbox, number: number): Promise<DemoStep> {
  const name = t`Part of it is refunded`
  runner.title(number, name)
  const id = await paymentId(runner)
  const exit = await runner.perform([
    'refund',
    id,
    '--amount',
    '10,00',
    '--reason',
    t`one item was out of stock`,
    '--yes',
  ])
  const refundId = await idOf(runner, 'refunds', 'originalTransactionId', id)
  return eventStep(inbox, { name, exit, event: 'refund.status', expected: 'COMPLETED', id: refundId })
}

async function payOut(runner: DemoRunner, inbox: Inbox, number: number): Promise<DemoStep> {
  const name = t`A supplier is paid`
  runner.title(number, name)
  const argv = ['transfer', '--key', 'maria@example.com', '--amount', '7,50', '--external-id', PAID_OUT_ID, '--yes']
  const exit = await runner.perform(argv)
  const id = await idOf(runner, 'transfers', 'externalId', PAID_OUT_ID)
  return eventStep(inbox, {
    name,
    exit,
    event: 'transfer.completed',
    expected: 'PAID_OUT',
    id,
  })
}

async function payOutWithoutFunds(runner: DemoRunner, inbox: Inbox, number: number): Promise<DemoStep> {
  const name = t`A transfer is accepted, and then fails`
  runner.title(number, name)
  await runner.perform(['sandbox', 'fault', 'NO_FUNDS', '--async'])
  const argv = ['transfer', '--key', 'joao@example.com', '--amount', '12,00', '--external-id', FAILED_ID, '--yes']
  const exit = await runner.perform(argv)
  const id = await idOf(runner, 'transfers', 'externalId', FAILED_ID)
  return eventStep(inbox, { name, exit, event: 'transfer.failed', expected: 'NO_FUNDS', id })
}

async function checkBalance(runner: DemoRunner, _inbox: Inbox, number: number): Promise<DemoStep> {
  const name = t`No cent is lost`
  runner.title(number, name)
  const exit = await runner.perform(['sandbox', 'state'])
  const state = await runner.ask(['sandbox', 'state'])
  const cents = centsFromJson(state?.balance)
  const shown = cents === undefined ? '—' : formatReais(cents)
  const ok = exit === 0 && cents === FINAL_BALANCE_CENTS
  return { name, ok, detail: t`the balance is ${shown}: R$ 10.000,00 + 25,00 − 10,00 − 7,50` }
}

interface ExpectedEvent {
  name: string
  exit: number
  event: string
  expected: string
  id: string
}

/** Checks that the command exited with 0 and that the expected event arrives with a valid signature. */
async function eventStep(inbox: Inbox, { name, exit, event, expected, id }: ExpectedEvent): Promise<DemoStep> {
  if (exit !== 0) return { name, ok: false, detail: t`exit ${exit}` }
  const delivery = await inbox.take(event)
  if (delivery === undefined) return { name, ok: false, detail: t`no event \`${event}\` arrived` }
  const { facts, isSigned } = delivery
  const got = facts?.errorCode ?? facts?.status ?? null
  if (!isSigned) return { name, ok: false, detail: t`the signature of \`${event}\` is wrong` }
  const ok = got === expected && facts?.idTransaction === id
  return { name, ok, detail: t`the event \`${event}\` arrived with a valid signature: ${String(got)}` }
}

async function paymentOf(runner: DemoRunner): Promise<AnswerFields | undefined> {
  return rowOf(runner, 'payments', 'requestNumber', REQUEST_NUMBER)
}

async function paymentId(runner: DemoRunner): Promise<string> {
  return idOf(runner, 'payments', 'requestNumber', REQUEST_NUMBER)
}

async function idOf(runner: DemoRunner, list: string, key: string, value: string): Promise<string> {
  return String((await rowOf(runner, list, key, value))?.idTransaction)
}

async function rowOf(runner: DemoRunner, list: string, key: string, value: string): Promise<AnswerFields | undefined> {
  const rows = (await runner.ask(['sandbox', 'state']))?.[list]
  return objectsIn(rows).find((row) => row[key] === value)
}

const WAIT_MS = 4000

/** The webhooks received so far, taken out by event name. */
export class Inbox {
  #deliveries: Delivery[] = []
  #wake: () => void = () => undefined
  readonly #interrupt: AbortSignal

  constructor(interrupt: AbortSignal) {
    this.#interrupt = interrupt
  }

  put(delivery: Delivery): void {
    this.#deliveries.push(delivery)
    this.#wake()
  }

  /** Throws Cancelled if the user has interrupted the demo. */
  checkInterrupt(): void {
    if (this.#interrupt.aborted) throw new Cancelled(t`Interrupted`, { hint: t`Run \`pixgate demo\` again` })
  }

  /** Takes the next delivery of this event, waiting a few seconds for it; undefined if none came. Throws Cancelled. */
  async take(event: string): Promise<Delivery | undefined> {
    const deadline = AbortSignal.any([this.#interrupt, AbortSignal.timeout(WAIT_MS)])
    for (;;) {
      const index = this.#deliveries.findIndex(({ facts }) => facts?.event === event)
      if (index !== -1) return this.#deliveries.splice(index, 1)[0]
      this.checkInterrupt()
      if (deadline.aborted) return undefined
      await new Promise<void>((resolve) => {
        this.#wake = resolve
        deadline.addEventListener('abort', () => resolve(), { once: true })
      })
    }
  }
}
