import type { EventLine, LiveUpdate } from '../pageData.ts'
import { type EventFilter, FACETS, isMatch } from '../pageTexts.ts'
import { fetchData } from './api.ts'
import { button, el, fill, texts, tonedText } from './dom.ts'

/** The choices that limit the list of events. */
class EventFilters {
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

/** What the row of a delivery holds, in every list. The style sheet gives each part its place. */
export function rowContents(line: EventLine): Node[] {
  const number = line.key.startsWith('m') ? texts.notRecorded : `#${line.key}`
  return [
    tonedText(line.verdict, line.tone, 'verdict'),
    el(
      'span',
      { class: 'what' },
      tonedText(line.event, line.eventTone, 'name'),
      ' ',
      tonedText(line.status, line.eventTone),
      ...(line.isProduction ? [' ', tonedText(texts.production, 'bad', 'badge')] : []),
    ),
    el('span', { class: 'amount' }, line.amount),
    el('span', { class: 'clock' }, `${line.day} ${line.clock}`),
    el('span', { class: 'about' }, [number, line.id].filter((part) => part !== '').join(' · ')),
    tonedText(line.forward === '' ? '' : `→ ${line.forward}`, line.forwardTone, 'forward'),
  ]
}

/** What rows are made of, and what happens with them. */
interface RowOptions<Line> {
  /** The name of the list, for screen readers. */
  label: string
  /** What a row holds. */
  fill(line: Line): Node[]
  onPress(key: string): void
  onScroll(): void
}

/** What is marked in a list; '' for nothing. */
interface RowMarks {
  selected: string
  marked: string
  /** False if more lines are to come. */
  isComplete: boolean
}

/** Rows that are drawn above and below those on the screen. */
const SPARE_ROWS = 12
/** Until the first row is measured. */
const ROW_PX = 52

/** A list of equally high rows; only those on the screen, and some around them, are in the document. */
class VirtualRows<Line extends { readonly key: string }> {
  readonly element: HTMLElement
  readonly #list: HTMLOListElement
  readonly #fill: RowOptions<Line>['fill']
  /** Those in the document, by key. A row stays the same element, because a person may be about to click on it. */
  #rows = new Map<string, { line: Line; row: HTMLLIElement }>()
  #rowPx = ROW_PX
  #top = 0

  constructor({ label, fill, onPress, onScroll }: RowOptions<Line>) {
    this.#fill = fill
    this.#list = el('ol', { class: 'rows', role: 'listbox', tabindex: '0', 'aria-label': label })
    this.element = el('div', { class: 'scroll' }, this.#list)
    // Until the button is up again, another row may have taken the place of this one.
    this.#list.addEventListener('mousedown', ({ target, button: pressed }) => {
      if (pressed !== 0) return
      const row = target instanceof Element ? target.closest<HTMLElement>('[data-key]') : null
      if (row !== null) onPress(row.dataset.key ?? '')
    })
    this.element.addEventListener('scroll', () => {
      this.#top = this.element.scrollTop
      onScroll()
    })
  }

  /** How far the list is scrolled, in pixels, also while it is not in the document. */
  get top(): number {
    return this.#top
  }

  focus(): void {
    this.#list.focus()
  }

  scrollTo(top: number): void {
    this.#top = top
    this.element.scrollTop = top
  }

  /** Scrolls to where the list was when it was in the document the last time. */
  restore(): void {
    this.scrollTo(this.#top)
  }

  scrollIntoView(index: number): void {
    const top = index * this.#rowPx
    const lowest = top + this.#rowPx - this.element.clientHeight
    if (this.#top > top) this.scrollTo(top)
    else if (this.#top < lowest) this.scrollTo(lowest)
  }

  /** Keeps what a person reads where it is while rows are added above it. */
  insertAbove(added: number): void {
    const px = added * this.#rowPx
    this.#list.style.height = `${this.#list.offsetHeight + px}px`
    this.scrollTo(this.#top + px)
  }

  /** Draws the rows of these lines that are on the screen. Returns the index after the last row that was drawn. */
  draw(lines: readonly Line[], marks: RowMarks): number {
    const first = Math.max(0, Math.floor(this.#top / this.#rowPx) - SPARE_ROWS)
    const end = Math.ceil((this.#top + this.element.clientHeight) / this.#rowPx) + SPARE_ROWS
    this.#list.style.height = `${lines.length * this.#rowPx}px`
    this.#list.style.paddingTop = `${first * this.#rowPx}px`
    const setSize = marks.isComplete ? lines.length : -1
    const drawn = new Map(
      lines.slice(first, end).map((line, index) => {
        const row = this.#row(line, marks)
        row.setAttribute('aria-posinset', String(first + index + 1))
        row.setAttribute('aria-setsize', String(setSize))
        return [line.key, { line, row }]
      }),
    )
    for (const [key, { row }] of this.#rows) if (drawn.get(key)?.row !== row) row.remove()
    this.#rows = drawn
    const rows = [...drawn.values()].map(({ row }) => row)
    place(this.#list, rows)
    if (drawn.has(marks.selected)) this.#list.setAttribute('aria-activedescendant', `row-${marks.selected}`)
    else this.#list.removeAttribute('aria-activedescendant')
    const height = rows[0]?.offsetHeight ?? 0
    if (height === 0 || height === this.#rowPx) return end
    this.#rowPx = height
    return this.draw(lines, marks)
  }

  #row(line: Line, { selected, marked }: RowMarks): HTMLLIElement {
    const { key } = line
    const known = this.#rows.get(key)
    const row = known?.row ?? el('li', { role: 'option', class: 'row', id: `row-${key}`, 'data-key': key })
    if (known?.line !== line) row.replaceChildren(...this.#fill(line))
    row.setAttribute('aria-selected', String(key === selected))
    row.classList.toggle('marked', key === marked)
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
}

/** What happens when events are chosen. */
interface ListActions {
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
