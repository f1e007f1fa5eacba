import { type EventFilter, FACETS } from '../eventFilter.ts'
import { button, el } from './dom.ts'
import { texts } from './texts.ts'

/** The choices that limit the list of events. */
export class EventFilters {
  readonly element: HTMLElement
  readonly #selects = FACETS.map((name) => {
    const { label, all, values } = texts.filters[name]
    const options = [['', all] as const, ...values].map(([value, text]) => el('option', { value }, text))
    return el('select', { name, 'aria-label': label }, ...options)
  })
  readonly #all = button(texts.showAll, () => this.#showAll(), { hidden: true })
  readonly #onChange: () => void

  constructor(onChange: () => void) {
    this.#onChange = onChange
    const change = () => this.#changed()
    this.element = el('div', { class: 'filters', role: 'group', 'aria-label': texts.filter, change })
    this.element.append(...this.#selects, this.#all)
  }

  /** What is chosen. */
  get filter(): EventFilter {
    return Object.fromEntries(this.#chosen().map(({ name, value }) => [name, value]))
  }

  get isEmpty(): boolean {
    return this.#chosen().length === 0
  }

  focus(): void {
    this.#selects[0]?.focus()
  }

  #chosen(): HTMLSelectElement[] {
    return this.#selects.filter(({ value }) => value !== '')
  }

  #showAll(): void {
    for (const select of this.#selects) select.value = ''
    this.focus()
    this.#changed()
  }

  #changed(): void {
    this.#all.hidden = this.isEmpty
    this.#onChange()
  }
}
