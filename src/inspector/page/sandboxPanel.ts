import type { LabelledText, SandboxTransaction, SandboxView } from '../pageData.ts'
import { fetchData, postAction } from './api.ts'
import { button, el, facts, field, fill, openDialog, section, texts, tonedText } from './dom.ts'

/** Each question is a line in the sandbox's log, so it is seldom asked without a reason. */
const REFRESH_MS = 10_000
/** What a control sets off, such as a delivery or a settlement, has usually happened after this time. */
const EFFECT_MS = 1_500

/** The sandbox and its controls, while it is on the screen. */
export class SandboxPanel {
  readonly element: HTMLElement
  readonly #state = el('div')
  readonly #transactions = el('div')
  readonly #controls = el('details', { hidden: true })
  readonly #onSay: (text: string) => void
  readonly #onError: (error: unknown) => void
  #timer: number | undefined
  #shown = ''
  #isAsking = false

  constructor(onSay: (text: string) => void, onError: (error: unknown) => void) {
    this.#onSay = onSay
    this.#onError = onError
    this.element = el('div', { class: 'pane-body scrolls sandbox' }, this.#state, this.#controls, this.#transactions)
  }

  /** Begins or ends to follow the sandbox. */
  set isVisible(isVisible: boolean) {
    clearInterval(this.#timer)
    if (!isVisible) return
    this.#timer = setInterval(() => void this.refresh(), REFRESH_MS)
    void this.#load()
  }

  /** Asks again if it is on the screen and no answer is under way. */
  async refresh(): Promise<void> {
    if (this.element.isConnected && !document.hidden && !this.#isAsking) await this.#load()
  }

  async #load(): Promise<void> {
    this.#isAsking = true
    try {
      this.#show(await fetchData('sandbox'))
    } catch (error) {
      this.#onError(error)
    }
    this.#isAsking = false
  }

  #show(view: SandboxView): void {
    const { url, isRunning, facts: rows, transactions, deliveries, faults, faultKinds } = view
    this.#controls.hidden = !isRunning
    this.#transactions.hidden = !isRunning
    if (!isRunning) {
      const lines = [...(url === '' ? [] : [fill(texts.noSandbox, { url })]), view.reason, view.hint]
      this.#state.replaceChildren(...lines.map((text) => el('p', {}, text)))
      return
    }
    this.#state.replaceChildren(el('p', { class: 'muted' }, url), facts(rows))
    if (this.#controls.childElementCount === 0) this.#controls.append(...this.#controlForms(faultKinds))
    const next = JSON.stringify([transactions, deliveries, faults])
    // A button that a person is about to press must not be replaced.
    if (next === this.#shown) return
    this.#shown = next
    const toCome = faults.map((fault, index) => this.#faultRow(fault, index + 1))
    this.#transactions.replaceChildren(
      ...(toCome.length === 0 ? [] : [section(texts.faults, ...list(toCome))]),
      section(texts.transactions, ...list(transactions.map((each) => this.#row(each)))),
      section(texts.deliveries, ...(deliveries.length === 0 ? list([]) : [facts(deliveries)])),
    )
  }

  #row({ id, kind, status, tone, amount, about, actions }: SandboxTransaction): HTMLLIElement {
    return el(
      'li',
      { class: 'card', 'data-transaction': id },
      el('span', {}, el('strong', {}, kind), ' ', tonedText(status, tone)),
      el('span', { class: 'amount' }, amount),
      el('span', { class: 'about' }, [id, about].filter((part) => part !== '').join(' · ')),
      el(
        'span',
        { class: 'buttons' },
        ...actions.map((action) => button(texts.actions[action], () => void this.#control({ action, id }))),
      ),
    )
  }

  #faultRow([kind, about]: LabelledText, n: number): HTMLLIElement {
    const clear = button(texts.clear, () => void this.#control({ action: 'clear-fault', n }))
    const buttons = el('span', {}, clear)
    return el('li', { class: 'card' }, el('strong', {}, kind), buttons, el('span', { class: 'about' }, about))
  }

  #controlForms(faultKinds: readonly string[]): Node[] {
    const kinds = faultKinds.map((kind) => el('option', { value: kind }))
    const kind = el('input', { name: 'kind', list: 'fault-kinds', required: true, autocomplete: 'off' })
    const times = el('input', { name: 'times', type: 'number', min: '1', value: '1', required: true })
    const on = el('input', { name: 'on', autocomplete: 'off' })
    const isAsync = el('input', { name: 'async', type: 'checkbox' })
    const duration = el('input', { name: 'duration', required: true, autocomplete: 'off' })
    const form = (title: string, send: () => object, label: string, ...fields: Node[]) =>
      el(
        'form',
        {
          submit: (event) => {
            event.preventDefault()
            void this.#control(send())
          },
        },
        el('h3', {}, title),
        ...fields,
        el('button', {}, label),
      )
    return [
      el('summary', {}, texts.controls),
      el('datalist', { id: 'fault-kinds' }, ...kinds),
      form(
        texts.fault,
        () => ({ action: 'fault', kind: kind.value, times: times.value, on: on.value, async: isAsync.checked }),
        texts.addFault,
        field(texts.faultKind, kind),
        field(texts.times, times),
        field(texts.faultTarget, on),
        el('label', { class: 'choice' }, isAsync, texts.isAsync),
      ),
      form(
        texts.advance,
        () => ({ action: 'advance', duration: duration.value }),
        texts.advance,
        field(texts.duration, duration),
      ),
      button(texts.reset, () => this.#askReset(), { class: 'danger' }),
    ]
  }

  #askReset(): void {
    const reset = () => {
      dialog.close()
      void this.#control({ action: 'reset' })
    }
    const buttons = el(
      'p',
      { class: 'buttons' },
      button(texts.close, () => dialog.close()),
      button(texts.reset, reset, { class: 'danger' }),
    )
    const dialog = openDialog(texts.reset, el('p', {}, texts.resetQuestion), buttons)
  }

  async #control(fields: object): Promise<void> {
    try {
      await postAction('control', fields)
      this.#onSay(texts.done)
    } catch (error) {
      this.#onError(error)
    }
    await this.#load()
    setTimeout(() => void this.refresh(), EFFECT_MS)
  }
}

function list(rows: readonly HTMLLIElement[]): Node[] {
  return rows.length === 0 ? [el('p', { class: 'muted' }, texts.none)] : [el('ul', { class: 'rows' }, ...rows)]
}
