import { isMatch } from '../eventFilter.ts'
import type { EventLine, LiveUpdate } from '../pageData.ts'
import { fetchData } from './api.ts'
import { button, el } from './dom.ts'
import { EventFilters } from './eventFilters.ts'
import { rowContents } from './eventRow.ts'
import { fill, texts } from './texts.ts'
import { VirtualRows } from './virtualRows.ts'

/** What happens when events are chosen. */
export interface ListActions {
  onSelect(key: string): void
  onError(error: unknown): void
}

/** Older events are read before the last of these rows come into view. */
const AHEAD_ROWS = 100
/** The most events that a list keeps that only grows at its top. */
const KEPT_MAX = 2_000
const DRAW_MS = 50

/** The deliveries that the filters let through, newest first; older ones are read as a person scrolls to them. */
export class EventList {
  readonly element: HTMLElement
  readonly #filters = new EventFilters(() => void this.load())
  readonly #rows = new VirtualRows<EventLine>({
    label: texts.events,
    fill: rowContents,
    onPress: (key) => this.select(key),
    onScroll: () => this.#scrolled(),
  })
  readonly #empty = el('p', { class: 'empty' })
  readonly #count = el('span', { class: 'muted' })
  readonly #arrived = button('', () => this.#showNewest(), { hidden: true, class: 'primary' })
  readonly #actions: ListActions
  #events: EventLine[] = []
  /** The older ones are those before this number; null if there are none. */
  #before: number | null = null
  /** How many have arrived above what is on the screen. */
  #waiting = 0
  /** True if so many have arrived at once that the top of the list must be read again. */
  #isStale = false
  #recorded = 0
  #isDrawingSoon = false
  /** The answer that is awaited, and what has arrived meanwhile. */
  #loading: object | null = null
  #meanwhile: LiveUpdate[] = []
  /** True after an error, until a person does something. */
  #hasFailed = false
  #selected = ''
  #marked = ''

  constructor(actions: ListActions) {
    this.#actions = actions
    window.addEventListener('resize', () => this.#drawSoon())
    const bar = el('div', { class: 'bar' }, this.#filters.element, this.#count, this.#arrived)
    this.element = el('div', { class: 'pane-body' }, bar, this.#empty, this.#rows.element)
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

  /** Loads the newest ones. */
  async load(): Promise<void> {
    this.#rows.scrollTo(0)
    this.#waiting = 0
    this.#isStale = false
    this.#hasFailed = false
    await this.#load(null)
  }

  /** Draws the list after it was put into the document. */
  show(): void {
    this.#rows.restore()
    this.#draw()
  }

  focus(): void {
    this.#rows.focus()
  }

  focusFilters(): void {
    this.#filters.focus()
  }

  /** Shows what has arrived or changed. */
  receive(update: LiveUpdate): void {
    if (this.#loading !== null) {
      this.#meanwhile.push(update)
      return
    }
    const { isMore, recorded } = update
    if (isMore && this.#rows.top === 0) {
      void this.load()
      return
    }
    const { changed, arrived } = this.#merge(update.events)
    this.#events = changed
    if (isMore || this.#isStale) {
      this.#isStale = true
      this.#waiting += isMore ? Math.max(0, recorded - this.#recorded) : arrived.length
    } else if (arrived.length > 0) {
      this.#events = [...arrived, ...changed].sort(newestFirst)
      if (this.#rows.top === 0) this.#trim()
      else this.#keepPlace(arrived.length)
    }
    this.#recorded = recorded
    this.#drawSoon()
  }

  /** Selects the delivery that is this many rows below; Infinity is the oldest that is loaded. */
  async move(by: number): Promise<void> {
    const at = this.#events.findIndex(({ key }) => key === this.#selected)
    const next = at === -1 ? 0 : at + by
    if (by === 1 && next === this.#events.length && this.#before !== null) await this.#load(this.#before)
    const line = this.#events[Math.min(Math.max(next, 0), this.#events.length - 1)]
    if (line !== undefined) this.select(line.key)
  }

  /** Selects the newest or the oldest delivery that is loaded. */
  moveToEnd(end: 'newest' | 'oldest'): void {
    const line = this.#events.at(end === 'newest' ? 0 : -1)
    if (line !== undefined) this.select(line.key)
  }

  /** Selects a delivery, which need not be in this list. */
  select(key: string): void {
    this.#selected = key
    const index = this.#events.findIndex((event) => event.key === key)
    if (index !== -1) this.#rows.scrollIntoView(index)
    this.#draw()
    this.#actions.onSelect(key)
  }

  /** The list with what has changed in it, and what is new. */
  #merge(events: readonly EventLine[]): { changed: EventLine[]; arrived: EventLine[] } {
    const { filter } = this.#filters
    const updates = new Map(events.map((event) => [event.key, event]))
    const changed = this.#events.flatMap((event) => {
      const next = updates.get(event.key) ?? event
      updates.delete(event.key)
      return next === event || isMatch(next.facets, filter) ? [next] : []
    })
    const before = this.#before ?? 0
    const arrived = [...updates.values()].filter(({ facets, order: [n] }) => n >= before && isMatch(facets, filter))
    return { changed, arrived }
  }

  /** Forgets the oldest ones, which are read again when a person scrolls to them. */
  #trim(): void {
    const last = this.#events[KEPT_MAX - 1]
    if (last === undefined || this.#events.length === KEPT_MAX) return
    this.#events.length = KEPT_MAX
    this.#before = last.order[0] + (last.order[1] === 0 ? 0 : 1)
  }

  /** What a person reads stays where it is when rows are added above it. */
  #keepPlace(added: number): void {
    this.#waiting += added
    this.#rows.insertAbove(added)
  }

  #showNewest(): void {
    if (this.#isStale) void this.load()
    else {
      this.#waiting = 0
      this.#rows.scrollTo(0)
      this.#draw()
    }
  }

  async #load(before: number | null): Promise<void> {
    const loading = {}
    this.#loading = loading
    try {
      const place: Record<string, string> = before === null ? {} : { before: String(before) }
      const page = await fetchData('events', { ...this.#filters.filter, ...place })
      // Meanwhile another filter may have been chosen.
      if (this.#loading !== loading) return
      this.#events = before === null ? page.events : [...this.#events, ...page.events]
      this.#before = page.before
      if (!this.#isStale) this.#recorded = page.recorded
    } catch (error) {
      this.#hasFailed = true
      this.#actions.onError(error)
    } finally {
      if (this.#loading === loading) this.#loading = null
    }
    for (const update of this.#meanwhile.splice(0)) this.receive(update)
    this.#draw()
  }

  #scrolled(): void {
    if (this.#rows.top === 0 && !this.#isStale) this.#waiting = 0
    this.#hasFailed = false
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
    this.#drawBar()
    const marks = { selected: this.#selected, marked: this.#marked, isComplete: this.#before === null }
    const end = this.#rows.draw(this.#events, marks)
    const isNearEnd = end + AHEAD_ROWS > this.#events.length
    if (isNearEnd && this.#before !== null && this.#loading === null && !this.#hasFailed) void this.#load(this.#before)
  }

  #drawBar(): void {
    const isFiltered = !this.#filters.isEmpty
    const matching = this.#before === null ? texts.matchingEvents : texts.matchingSoFar
    const text = isFiltered ? matching : texts.recordedEvents
    this.#count.textContent = fill(text, {
      count: isFiltered ? this.#events.length : this.#recorded,
      recorded: this.#recorded,
    })
    this.#arrived.hidden = this.#waiting === 0
    this.#arrived.textContent = fill(texts.newEvents, { count: this.#waiting })
    const isEmpty = this.#events.length === 0
    this.#rows.element.hidden = isEmpty
    this.#empty.hidden = !isEmpty
    this.#empty.textContent = isFiltered ? texts.noMatch : texts.noEvents
  }
}

function newestFirst({ order: [one, oneInMemory] }: EventLine, { order: [other, otherInMemory] }: EventLine): number {
  return other - one || otherInMemory - oneInMemory
}
