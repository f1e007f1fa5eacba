import { stateText, stateTone } from '../../ledger/stateWords.ts'
import { centsFromJson } from '../../pix/amount.ts'
import { parseDuration } from '../../pix/duration.ts'
import { signedCents } from '../../reconcile/tableFile.ts'
import { cellText } from '../../terminal/printer.ts'
import { t } from '../../text/translate.ts'
import { controlsFor, transactionState, wireLabel, wireText } from '../../views/sandboxText.ts'
import { amountText, maskKey, maskText } from '../../views/valueText.ts'
import type { AnswerFields } from '../../wire/answers.ts'
import { type Answer, fetchData, postAction } from './api.ts'
import { button, buttons, el, facts, field, form, list, muted, openDialog, section, toned } from './dom.ts'

type Sandbox = Extract<Answer<'sandbox'>, { failure: null }>

const ACTIONS: Readonly<Record<ReturnType<typeof controlsFor>[number], () => string>> = {
  pay: () => t`Pay`,
  'pay-late': () => t`Pay late`,
  expire: () => t`Expire`,
  cancel: () => t`Cancel`,
  chargeback: () => t`Charge back`,
  deliver: () => t`Deliver again`,
  fail: () => t`Fail`,
  return: () => t`Return`,
}

/** Each question is a line in the sandbox's log, so it is seldom asked without a reason. */
const REFRESH_MS = 10_000
/** What a control sets off, such as a delivery or a settlement, has usually happened after this time. */
const EFFECT_MS = 1_500

interface SandboxActions {
  onTransaction(id: string): void
  onSay(text: string): void
  onError(error: unknown): void
}

/** The sandbox and its controls, while it is on the screen. */
export function sandboxPanel({ onTransaction, onSay, onError }: SandboxActions) {
  const state = el('div')
  const transactions = el('div')
  const controls = el('details', { hidden: true })
  const element = el('div', { class: 'pane-body scrolls sandbox' }, state, controls, transactions)
  let timer: number | undefined
  let shown = ''
  let isAsking = false

  /** Asks again if it is on the screen and no answer is under way. */
  async function refresh(): Promise<void> {
    if (element.isConnected && !document.hidden && !isAsking) await load()
  }

  async function load(): Promise<void> {
    isAsking = true
    try {
      show(await fetchData('sandbox'))
    } catch (error) {
      onError(error)
    }
    isAsking = false
  }

  function show(sandbox: Answer<'sandbox'>): void {
    const { url, failure } = sandbox
    controls.hidden = failure !== null
    transactions.hidden = failure !== null
    if (failure !== null) {
      const texts = [...(url === '' ? [] : [t`No sandbox is running at ${url}`]), failure.message, failure.hint]
      state.replaceChildren(...texts.map((text) => el('p', {}, text)))
      return
    }
    const { count, faultKinds } = sandbox
    const told = ['balance', 'now'].map((name) => [wireLabel(name), wireText(sandbox, name)] as const)
    state.replaceChildren(muted(url), facts([...told, [t`transactions`, String(count)]]))
    if (controls.childElementCount === 0) controls.append(...controlForms(faultKinds, control))
    const next = JSON.stringify([sandbox.transactions, sandbox.deliveries, sandbox.faults])
    // A button that a person is about to press must not be replaced.
    if (next === shown || transactions.querySelector(':popover-open') !== null) return
    shown = next
    transactions.replaceChildren(...listsOf(sandbox, control, onTransaction))
  }

  async function control(name: string, values: () => object): Promise<void> {
    try {
      await postAction('control', { name, values: values() })
      onSay(t`Done`)
    } catch (error) {
      onError(error)
    }
    await load()
    window.setTimeout(() => void refresh(), EFFECT_MS)
  }

  return {
    element,
    refresh,
    /** Begins or ends to follow the sandbox. */
    follow(isVisible: boolean) {
      clearInterval(timer)
      if (!isVisible) return
      timer = window.setInterval(() => void refresh(), REFRESH_MS)
      void load()
    },
  }
}

type Control = (name: string, values: () => object) => void

function listsOf(
  { transactions, deliveries, faults, unmask }: Sandbox,
  control: Control,
  open: (id: string) => void,
): Node[] {
  const none = () => muted(t`none`)
  const cards = transactions.map((each) => transactionRow(each, unmask, control, open))
  return [
    ...(faults.length === 0
      ? []
      : [section(t`Faults to come`, list(faults.map((each, at) => faultCard(each, at + 1, control))))]),
    section(t`Transactions`, cards.length === 0 ? none() : list(cards)),
    section(t`Deliveries`, deliveries.length === 0 ? none() : facts(deliveries.map(deliveryRow))),
  ]
}

function transactionRow(
  one: AnswerFields,
  unmask: boolean,
  control: Control,
  open: (id: string) => void,
): HTMLLIElement {
  const id = cellText(one.idTransaction)
  const state = transactionState(one) ?? ''
  const cents = centsFromJson(one.amount ?? one.value)
  const contents = [
    el(
      'span',
      { class: 'what' },
      el('span', { class: 'name' }, wireText(one, 'type')),
      ' ',
      toned(stateText(state), stateTone(state)),
    ),
    el(
      'span',
      { class: 'amount' },
      amountText(cents === undefined ? null : signedCents(cents, one.type === 'payment' ? 'credit' : 'debit')),
    ),
    el('span', { class: 'about' }, [id, aboutText(one, unmask)].filter(Boolean).join(' · ')),
  ]
  return el(
    'li',
    { class: 'transaction' },
    el('button', { type: 'button', class: 'row', click: () => open(id) }, ...contents),
    ...actionMenu(one, control),
  )
}

/** A button that opens what can be done with a transaction. */
function actionMenu(transaction: AnswerFields, control: Control): Node[] {
  const id = cellText(transaction.idTransaction)
  const actions = controlsFor(transaction)
  if (actions.length === 0) return []
  const act = (action: keyof typeof ACTIONS) => {
    menu.hidePopover()
    if (action === 'pay-late') control('pay', () => ({ id, late: true }))
    else control(action, () => ({ id }))
  }
  const choices = actions.map((action) => button(ACTIONS[action](), () => act(action)))
  const menu = el('div', { id: `actions-${id}`, class: 'menu', popover: 'auto' }, ...choices)
  return [el('button', { type: 'button', popovertarget: menu.id, 'aria-label': t`Actions of ${id}` }, '⋯'), menu]
}

function aboutText({ requestNumber, refundReason, key, typeKey }: AnswerFields, unmask: boolean): string {
  const text = cellText(key ?? requestNumber ?? refundReason)
  if (unmask) return text
  return key === undefined ? maskText(text) : maskKey(text, cellText(typeKey))
}

function faultCard({ kind, on, times, async: isAsync }: AnswerFields, n: number, control: Control): HTMLLIElement {
  const about = [
    on === null ? t`on whatever comes next` : t`on ${cellText(on)}`,
    t`times: ${cellText(times)}`,
    ...(isAsync === true ? [t`after it was accepted`] : []),
  ]
  return el(
    'li',
    { class: 'card' },
    el('strong', {}, cellText(kind)),
    el(
      'span',
      {},
      button(t`Remove`, () => control('clear-faults', () => ({ n }))),
    ),
    el('span', { class: 'about' }, about.join(', ')),
  )
}

function deliveryRow({ event, idTransaction, outcome, attempts, status, error }: AnswerFields): [string, string] {
  const end = [status, error].map(cellText).filter((part) => part !== '')
  const result = t`${cellText(outcome)}, attempts: ${cellText(attempts)}`
  return [`${cellText(event)} ${cellText(idTransaction)}`, [result, ...end].join(', ')]
}

function controlForms(faultKinds: readonly string[], control: Control): Node[] {
  const kind = el('input', { name: 'kind', list: 'fault-kinds', required: true, autocomplete: 'off' })
  const times = el('input', { name: 'times', type: 'number', min: '1', value: '1', required: true })
  const on = el('input', { name: 'on', autocomplete: 'off' })
  const isAsync = el('input', { name: 'async', type: 'checkbox' })
  const duration = el('input', { name: 'duration', required: true, autocomplete: 'off' })
  const fault = () => ({
    kind: kind.value,
    times: Number(times.value),
    async: isAsync.checked,
    on: on.value || undefined,
  })
  return [
    el('summary', {}, t`Faults, clock and reset`),
    el('datalist', { id: 'fault-kinds' }, ...faultKinds.map((value) => el('option', { value }))),
    form(
      {},
      () => control('fault', fault),
      el('h3', {}, t`Add a fault`),
      field(t`Fault`, kind),
      field(t`How many times`, times),
      field(t`Only for transfer, refund, qr, status or an id`, on),
      el('label', { class: 'choice' }, isAsync, t`Accept the transfer, then make it fail`),
      el('button', {}, t`Add the fault`),
    ),
    form(
      {},
      () => control('advance', () => ({ ms: parseDuration(duration.value) })),
      el('h3', {}, t`Move the clock forward`),
      field(t`Duration, such as 10m or 31d`, duration),
      el('button', {}, t`Move the clock forward`),
    ),
    button(t`Reset…`, () => askReset(control), { class: 'danger' }),
  ]
}

function askReset(control: Control): void {
  openDialog(t`Reset…`, (close) => {
    const reset = () => {
      close.click()
      control('reset', () => ({}))
    }
    return [
      el('p', {}, t`Delete all transactions, faults and requests of the sandbox?`),
      buttons(close, button(t`Reset…`, reset, { class: 'danger' })),
    ]
  })
}
