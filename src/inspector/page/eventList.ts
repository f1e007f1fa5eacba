import type { EventLine, EventPage, LiveUpdate } from '../pageData.ts'
import { fetchData } from './api.ts'
import { button, el, tonedText } from './dom.ts'
import { fill, texts } from './texts.ts'

/** What happens when events are chosen. */
export interface ListActions {
  onSelect(key: string): void
  onError(error: unknown): void
}

/** The most rows in the document. */
const ROWS_MAX = 400
const DRAW_MS = 50

/** What the row of a delivery holds, in every list. */
export function rowContents(line: EventLine): Node[] {
  const number = line.key.startsWith('m') ? texts.notRecorded : `#${line.key}`
  return [
    el('span', { class: 'clock' }, line.clock),
    tonedText(line.verdict, line.tone),
    el('strong', { class: `tone-${line.eventTone}` }, line.event),
    tonedText(line.status, line.eventTone),
    el('span', { class: 'amount' }, line.amount),
    el('small', { class: 'about' }, [line.day, number, line.id].filter((part) => part !== '').join(' · ')),
    ...(line.isProduction ? [tonedText(texts.production, 'bad', 'badge')] : []),
    ...(line.forward === '' ? [] : [tonedText(`→ ${line.forward}`, line.forwardTone, 'small')]),
  ]
}

/** The deliveries of one page, newest first; the first page follows what arrives. */
export class EventList {
  readonly element: HTMLElement
  readonly #list = el('ol', { class: 'rows', role: 'listbox', tabindex: '0', 'aria-label': texts.events })
  readonly #count = el('span', { class: 'muted' })
  readonly #newer = button(texts.newer, () => void this.#turn(-1))
  readonly #older = button(texts.older, () => void this.#turn(1))
  readonly #arrived = button('', () => void this.load(), { hidden: true, class: 'primary' })
  readonly #actions: ListActions
  #events: EventLine[] = []
  /** By key. A row stays the same element, because a person may be about to click on it. */
  #rows = new Map<string, { line: EventLine; row: HTMLLIElement }>()
  /** Where the pages before this one began; the first begins with null. */
  #trail: (number | null)[] = [null]
  #before: number | null = null
  /** The newest delivery that was ever shown. */
  #newest: EventLine['order'] = [0, 0]
  #waiting = 0
  #recorded = 0
  #isDrawingSoon = false
  /** The last page that was asked for, while it is on its way, and what has arrived meanwhile. */
  #loading: object | null = null
  #meanwhile: LiveUpdate[] = []
  #selected = ''
  #marked = ''

  constructor(actions: ListActions) {
    this.#actions = actions
    // Until the button is up again, another row may have taken the place of this one.
    this.#list.addEventListener('mousedown', ({ target, button: pressed }) => {
      if (pressed !== 0) return
      const row = target instanceof Element ? target.closest<HTMLElement>('[data-key]') : null
      if (row !== null) this.select(row.dataset.key ?? '')
    })
    const bar = el('div', { class: 'bar' }, this.#count, this.#arrived, this.#newer, this.#older)
    this.element = el('div', { class: 'pane-body' }, bar, this.#list)
  }

  get selected(): string {
    return this.#selected
  }

  /** The delivery that another one is to be compared with; '' if none is marked. */
  get marked(): string {
    return this.#marked
  }

  set marked(key: string) {
    this.#marked = key
    this.#draw()
  }

  /** Loads the first page. */
  async load(): Promise<void> {
    this.#trail = [null]
    await this.#load()
  }

  /** Shows what has arrived or changed. */
  receive(update: LiveUpdate): void {
    if (this.#loading !== null) {
      this.#meanwhile.push(update)
      return
    }
    const { events, isMore, recorded } = update
    const isFirstPage = this.#trail.length === 1
    if (isMore && isFirstPage) {
      void this.load()
      return
    }
    if (isFirstPage) this.#merge(events)
    else {
      const arrived = events.filter(({ order }) => isNewer(order, this.#newest))
      this.#waiting += isMore ? Math.max(0, recorded - this.#recorded) : arrived.length
      this.#replace(events)
    }
    this.#recorded = recorded
    this.#drawSoon()
  }

  /** Selects the delivery that is this many rows below; at the end of a page the next page. */
  async move(by: 1 | -1): Promise<void> {
    const at = this.#events.findIndex(({ key }) => key === this.#selected)
    const next = at === -1 ? 0 : at + by
    if (next >= 0 && next < this.#events.length) {
      this.select(this.#events[next]?.key ?? '')
      return
    }
    if (await this.#turn(by)) this.select(this.#events.at(by === 1 ? 0 : -1)?.key ?? '')
  }

  /** Selects a delivery, which need not be on this page. */
  select(key: string): void {
    this.#selected = key
    this.#draw()
    this.#list.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' })
    this.#actions.onSelect(key)
  }

  /** Shows the new state of deliveries that are on this page, and returns the others. */
  #replace(events: readonly EventLine[]): EventLine[] {
    const changed = new Map(events.map((event) => [event.key, event]))
    this.#events = this.#events.map((event) => {
      const next = changed.get(event.key)
      changed.delete(event.key)
      return next ?? event
    })
    return [...changed.values()]
  }

  #merge(events: readonly EventLine[]): void {
    const oldest = this.#events.at(-1)
    const isOfFirstPage = ({ order }: EventLine) =>
      this.#before === null || oldest === undefined || isNewer(order, oldest.order)
    this.#events = [...this.#replace(events).filter(isOfFirstPage), ...this.#events].sort(newestFirst)
    this.#newest = this.#events[0]?.order ?? this.#newest
    const last = this.#events[ROWS_MAX - 1]
    if (last === undefined || this.#events.length === ROWS_MAX) return
    this.#events.length = ROWS_MAX
    this.#before = last.order[0] + (last.order[1] === 0 ? 0 : 1)
  }

  /** True if there is a page in this direction. */
  async #turn(by: 1 | -1): Promise<boolean> {
    if (by === 1 && this.#before !== null) this.#trail.push(this.#before)
    else if (by === -1 && this.#trail.length > 1) this.#trail.pop()
    else return false
    await this.#load()
    this.element.parentElement?.scrollTo(0, 0)
    return true
  }

  async #load(): Promise<void> {
    const before = this.#trail.at(-1) ?? null
    const loading = {}
    this.#loading = loading
    try {
      const page = await fetchData('events', before === null ? {} : { before: String(before) })
      if (this.#loading === loading) this.#show(page, before === null)
    } catch (error) {
      this.#actions.onError(error)
    } finally {
      if (this.#loading === loading) this.#loading = null
    }
    for (const update of this.#meanwhile.splice(0)) this.receive(update)
  }

  #show({ events, before, recorded }: EventPage, isFirst: boolean): void {
    this.#events = events
    this.#before = before
    this.#recorded = recorded
    if (isFirst) {
      this.#waiting = 0
      this.#newest = events[0]?.order ?? [0, 0]
    }
    this.#draw()
  }

  /** Avoids redrawing the list for each of a thousand deliveries per second. */
  #drawSoon(): void {
    if (this.#isDrawingSoon) return
    this.#isDrawingSoon = true
    setTimeout(() => {
      this.#isDrawingSoon = false
      this.#draw()
    }, DRAW_MS)
  }

  #draw(): void {
    this.#count.textContent = fill(texts.recordedEvents, { count: this.#recorded })
    this.#arrived.hidden = this.#waiting === 0
    this.#arrived.textContent = fill(texts.newEvents, { count: this.#waiting })
    this.#newer.disabled = this.#trail.length === 1
    this.#older.disabled = this.#before === null
    this.#rows = new Map(this.#events.map((line) => [line.key, { line, row: this.#row(line) }]))
    const rows = [...this.#rows.values()].map(({ row }) => row)
    place(this.#list, rows.length > 0 ? rows : [el('li', { class: 'empty' }, texts.noEvents)])
    this.#list.setAttribute('aria-activedescendant', `row-${this.#selected}`)
  }

  #row(line: EventLine): HTMLLIElement {
    const { key } = line
    const known = this.#rows.get(key)
    const row = known?.row ?? el('li', { role: 'option', class: 'row', id: `row-${key}`, 'data-key': key })
    if (known?.line !== line) row.replaceChildren(...rowContents(line))
    row.setAttribute('aria-selected', String(key === this.#selected))
    row.classList.toggle('marked', key === this.#marked)
    return row
  }
}

/** Makes these the children, without moving those that are in their place. */
function place(parent: Element, children: readonly Element[]): void {
  let at = parent.firstElementChild
  for (const child of children) {
    if (child === at) at = at.nextElementSibling
    else parent.insertBefore(child, at)
  }
  while (at !== null) {
    const next = at.nextElementSibling
    at.remove()
    at = next
  }
}

function isNewer([one, oneInMemory]: EventLine['order'], [other, otherInMemory]: EventLine['order']): boolean {
  return one === other ? oneInMemory > otherInMemory : one > other
}

function newestFirst({ order: one }: EventLine, { order: other }: EventLine): number {
  return isNewer(one, other) ? -1 : 1
}
