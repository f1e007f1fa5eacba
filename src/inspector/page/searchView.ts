import type { PaymentLine } from '../pageData.ts'
import { fetchData } from './api.ts'
import { el, field, section, tonedText } from './dom.ts'
import { rowContents } from './eventList.ts'
import { fill, texts } from './texts.ts'

/** What happens when something that was found is chosen. */
export interface SearchActions {
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
    this.element = el('div', { class: 'pane-body' }, form, this.#results)
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
            ...payments.map((payment) => opened(paymentRow(payment), () => this.#actions.onPayment(payment.id))),
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
                  ...events.map((line) =>
                    opened(el('li', { class: 'row' }, ...rowContents(line)), () => this.#actions.onEvent(line.key)),
                  ),
                ),
              ),
            ]),
      )
    } catch (error) {
      this.#actions.onError(error)
    }
  }
}

function paymentRow({ at, kind, state, tone, amount, payee, name, environment }: PaymentLine): HTMLLIElement {
  return el(
    'li',
    { class: 'row' },
    el('span', { class: 'clock' }, at),
    tonedText(state, tone),
    el('strong', {}, kind),
    el('span', { dir: 'auto' }, payee),
    el('span', { class: 'amount' }, amount),
    el('small', { class: 'about' }, [name, environment].join(' · ')),
  )
}

/** A row that can be opened by mouse and keyboard. */
function opened(row: HTMLLIElement, open: () => void): HTMLLIElement {
  row.setAttribute('role', 'button')
  row.tabIndex = 0
  row.addEventListener('click', open)
  row.addEventListener('keydown', ({ key }) => key === 'Enter' && open())
  return row
}
