import type { PaymentLine } from '../pageData.ts'
import { fetchData } from './api.ts'
import { el, field, fill, section, texts, tonedText } from './dom.ts'
import { rowContents } from './eventList.ts'

/** What happens when something that was found is chosen. */
interface SearchActions {
  onEvent(key: string): void
  onPayment(id: string): void
  onError(error: unknown): void
}

/** The search over payments and events; without words the newest payments. */
export class SearchView {
  readonly element: HTMLElement
  readonly #input = el('input', { type: 'search', name: 'words', placeholder: texts.searchHint, autocomplete: 'off' })
  readonly #results = el('div', { class: 'results' })
  readonly #actions: SearchActions
  /** What was searched for last; an answer to anything else comes too late. */
  #searched = ''

  constructor(actions: SearchActions) {
    this.#actions = actions
    const submit = (event: Event) => {
      event.preventDefault()
      void this.load()
    }
    const form = el('form', { submit, role: 'search' }, field(texts.search, this.#input))
    this.element = el('div', { class: 'pane-body scrolls' }, form, this.#results)
  }

  focus(): void {
    this.#input.focus()
    this.#input.select()
  }

  /** Searches for what is typed. */
  async load(): Promise<void> {
    const searched = this.#input.value
    this.#searched = searched
    try {
      const { events, payments, note } = await fetchData('search', { words: searched })
      if (this.#searched !== searched) return
      this.#results.replaceChildren(
        el(
          'p',
          { role: 'status', class: 'muted' },
          fill(texts.found, { payments: payments.length, events: events.length }),
        ),
        ...(note === '' ? [] : [el('p', { class: 'muted' }, note)]),
        section(
          texts.payments,
          el(
            'ul',
            { class: 'rows' },
            ...payments.map((payment) => row(paymentContents(payment), () => this.#actions.onPayment(payment.id))),
          ),
        ),
        ...(events.length === 0
          ? []
          : [
              section(
                texts.events,
                el(
                  'ul',
                  { class: 'rows' },
                  ...events.map((line) => row(rowContents(line), () => this.#actions.onEvent(line.key))),
                ),
              ),
            ]),
      )
    } catch (error) {
      this.#actions.onError(error)
    }
  }
}

function paymentContents({ at, kind, state, tone, amount, payee, name, environment }: PaymentLine): Node[] {
  return [
    tonedText(state, tone, 'verdict'),
    el('span', { class: 'what', dir: 'auto' }, el('span', { class: 'name' }, kind), ' ', payee),
    el('span', { class: 'amount' }, amount),
    el('span', { class: 'clock' }, at),
    el('span', { class: 'about' }, [name, environment].filter((part) => part !== '').join(' · ')),
  ]
}

/** A row that opens something. */
function row(contents: readonly Node[], open: () => void): HTMLLIElement {
  return el('li', {}, el('button', { type: 'button', class: 'row', click: open }, ...contents))
}
