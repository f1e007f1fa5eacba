import { parseInstant } from '../../pix/calendar.ts'
import { EVENT_NAMES } from '../../schemas/webhookBodies.ts'
import { t } from '../../text/translate.ts'
import { answerTime, eventVerdictText, isAlarming, verdictTone } from '../../views/events/eventText.ts'
import { amountText, instantText } from '../../views/valueText.ts'
import { isReceived } from '../../wire/signature.ts'
import {
  type EventFilter,
  type EventRow,
  type FACETS,
  isInMemory,
  isMatch,
  type LiveUpdate,
  newestFirst,
} from '../eventRow.ts'
import { fetchData } from './api.ts'
import { button, el, toned } from './dom.ts'

type FacetTexts = readonly [label: string, all: string, values: Readonly<Record<string, string>>]

function facetTexts(): Readonly<Record<keyof typeof FACETS, FacetTexts>> {
  const names = Object.fromEntries(EVENT_NAMES.map((name) => [name, name]))
  return {
    event: [t`Event`, t`All events`, { ...names, other: t`other events` }],
    verdict: [
      t`Signature`,
      t`All verdicts`,
      {
        genuine: t`genuine`,
        repeated: t`genuine, repeated`,
        unsigned: t`accepted without signature`,
        refused: t`refused`,
      },
    ],
    forward: [
      t`Forward`,
      t`All forwards`,
      { received: t`forwarded`, failed: t`forward failed`, none: t`not forwarded` },
    ],
  }
}

class EventFilters {
  readonly #selects = Object.entries(facetTexts()).map(([name, [label, all, values]]) => {
    const options = Object.entries({ '': all, ...values }).map(([value, text]) => el('option', { value }, text))
    return el('select', { name, 'aria-label': label }, ...options)
  })
  readonly #all = button(t`Show all`, () => this.#showAll(), { hidden: true })
  readonly element: HTMLElement
  readonly #onChange: () => void

  constructor(onChange: () => void) {
    this.#onChange = onChange
    const attributes = { class: 'filters', role: 'group', 'aria-label': t`Filter`, change: () => this.#changed() }
    this.element = el('div', attributes, ...this.#selects, this.#all)
  }

  /** What is chosen. */
  get chosen(): EventFilter {
    return new Map(this.#selects.filter(({ value }) => value !== '').map(({ name, value }) => [name, value]))
  }

  focus(): void {
    this.#selects[0]?.focus()
  }

  #showAll(): void {
    for (const select of this.#selects) select.value = ''
    this.focus()
    this.#changed()
  }

  #changed(): void {
    this.#all.hidden = this.chosen.size === 0
    this.#onChange()
  }
}

const NAME_CHARACTERS_MAX = 64

/** The name of an event; a dash for a body that is not JSON. */
export function eventName({ event, facts }: EventRow): string {
  return (event ?? facts?.event ?? (facts === undefined ? '—' : t`unknown`)).slice(0, NAME_CHARACTERS_MAX)
}

/** `bad` for an event that a person must not overlook. */
export function eventTone(row: EventRow): 'bad' | 'plain' {
  return isAlarming(row) ? 'bad' : 'plain'
}

/** The status in an event. */
export function eventStatus({ facts }: EventRow): string {
  return (facts?.status ?? '').slice(0, NAME_CHARACTERS_MAX)
}

/** The amount in an event; '' if it has none. */
export function eventAmount({ facts }: EventRow): string {
  return typeof facts?.amountCents === 'number' ? amountText(facts.amountCents) : ''
}

/** When an event arrived, without the name of the zone. */
export function eventTime({ receivedAt }: EventRow): string {
  return instantText(parseInstant(receivedAt) ?? null).slice(0, 19)
}

/** By what commands take an event. */
export function numberText({ key }: EventRow): string {
  return isInMemory(key) ? t`not recorded` : `#${key}`
}

/** What the row of a delivery holds, in every list. The style sheet gives each part its place. */
export function rowContents(row: EventRow): Node[] {
  const { facts, forward, isProduction } = row
  const result = forward === null ? '' : `→ ${forward.status ?? '✗'} ${answerTime(forward.ms)}`
  return [
    toned(eventVerdictText(row), verdictTone(row), 'verdict'),
    el(
      'span',
      { class: 'what' },
      toned(eventName(row), eventTone(row), 'name'),
      ' ',
      toned(eventStatus(row), eventTone(row)),
      ...(isProduction ? [' ', toned(t`production`, 'bad', 'badge')] : []),
    ),
    el('span', { class: 'amount' }, eventAmount(row)),
    el('span', { class: 'clock' }, eventTime(row)),
    el('span', { class: 'about' }, [numberText(row), facts?.idTransaction].filter(Boolean).join(' · ')),
    toned(result, forward === null ? 'plain' : isReceived(forward) ? 'good' : 'bad', 'forward'),
  ]
}

/** Rows that are drawn above and below those on the screen. */
const SPARE_ROWS = 12
/** Until the first row is measured. */
const ROW_PX = 52

/** A list of equally high rows; only those on the screen, and some around them, are in the document. */
class VirtualRows {
  readonly #list = el('ol', { class: 'rows', role: 'listbox', tabindex: '0', 'aria-label': t`Events` })
  readonly element = el('div', { class: 'scroll' }, this.#list)
  /** Those in the document, by key. A row stays the same element, because a person may be about to click on it. */
  #rows = new Map<string, { event: EventRow; row: HTMLLIElement }>()
  #rowPx = ROW_PX
  /** How far the list is scrolled, in pixels, also while it is not in the document. */
  top = 0

  constructor(onPress: (key: string) => void, onScroll: () => void) {
    // Until the button is up again, another row may have taken the place of this one.
    this.#list.addEventListener('mousedown', ({ target, button: pressed }) => {
      if (pressed !== 0) return
      const row = target instanceof Element ? target.closest<HTMLElement>('[data-key]') : null
      if (row !== null) onPress(row.dataset.key ?? '')
    })
    this.element.addEventListener('scroll', () => {
      this.top = this.element.scrollTop
      onScroll()
    })
  }

  focus(): void {
    this.#list.focus()
  }

  scrollTo(top: number): void {
    this.top = top
    this.element.scrollTop = top
  }

  scrollIntoView(index: number): void {
    const top = index * this.#rowPx
    const lowest = top + this.#rowPx - this.element.clientHeight
    if (this.top > top) this.scrollTo(top)
    else if (this.top < lowest) this.scrollTo(lowest)
  }

  /** Keeps what a person reads where it is while rows are added above it. */
  insertAbove(added: number): void {
    const px = added * this.#rowPx
    this.#list.style.height = `${this.#list.offsetHeight + px}px`
    this.scrollTo(this.top + px)
  }

  /** Draws the rows that are on the screen. Returns the index after the last one that was drawn. */
  draw(events: readonly EventRow[], marks: { selected: string; marked: string; isComplete: boolean }): number {
    const first = Math.max(0, Math.floor(this.top / this.#rowPx) - SPARE_ROWS)
    const end = Math.ceil((this.top + this.element.clientHeight) / this.#rowPx) + SPARE_ROWS
    this.#list.style.height = `${events.length * this.#rowPx}px`
    this.#list.style.paddingTop = `${first * this.#rowPx}px`
    const drawn = new Map<string, { event: EventRow; row: HTMLLIElement }>()
    for (const [index, event] of events.slice(first, end).entries()) {
      const { key } = event
      const known = this.#rows.get(key)
      const row = known?.row ?? el('li', { role: 'option', class: 'row', id: `row-${key}`, 'data-key': key })
      if (known?.event !== event) row.replaceChildren(...rowContents(event))
      row.ariaSelected = String(key === marks.selected)
      row.ariaPosInSet = String(first + index + 1)
      row.ariaSetSize = String(marks.isComplete ? events.length : -1)
      row.classList.toggle('marked', key === marks.marked)
      drawn.set(key, { event, row })
    }
    for (const [key, { row }] of this.#rows) if (drawn.get(key)?.row !== row) row.remove()
    this.#rows = drawn
    const rows = [...drawn.values()].map(({ row }) => row)
    place(this.#list, rows)
    if (drawn.has(marks.selected)) this.#list.setAttribute('aria-activedescendant', `row-${marks.selected}`)
    else this.#list.removeAttribute('aria-activedescendant')
    const height = rows[0]?.offsetHeight ?? 0
    if (height === 0 || height === this.#rowPx) return end
    this.#rowPx = height
    return this.draw(events, marks)
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
  readonly #filters = new EventFilters(() => void this.load())
  readonly #rows = new VirtualRows(
    (key) => this.select(key),
    () => this.#scrolled(),
  )
  readonly #empty = el('p', { class: 'empty' })
  readonly #count = el('span', { class: 'muted' })
  readonly #arrived = button('', () => this.#showNewest(), { hidden: true, class: 'primary' })
  readonly #bar = el('div', { class: 'bar' }, this.#filters.element, this.#count, this.#arrived)
  readonly element = el('div', { class: 'pane-body' }, this.#bar, this.#empty, this.#rows.element)
  readonly #actions: ListActions
  #events: EventRow[] = []
  /** The older ones are those before this number; null if there are none. */
  #before: number | null = null
  /** How many have arrived above what is on the screen. */
  #waiting = 0
  /** True if more have arrived at once than were sent to the page, so that the top of the list must be read again. */
  #isStale = false
  #recorded = 0
  #isDrawingSoon = false
  /** The answer that is awaited, and what has arrived meanwhile. */
  #loading: object | null = null
  #meanwhile: LiveUpdate[] = []
  /** True after an error, until a person does something. */
  #hasFailed = false
  selected = ''
  #marked = ''

  constructor(actions: ListActions) {
    this.#actions = actions
    window.addEventListener('resize', () => this.#drawSoon())
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

  /** Draws the list after it was put into the document, scrolled as it was there the last time. */
  show(): void {
    this.#rows.scrollTo(this.#rows.top)
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
      else {
        // What a person reads stays where it is.
        this.#waiting += arrived.length
        this.#rows.insertAbove(arrived.length)
      }
    }
    this.#recorded = recorded
    this.#drawSoon()
  }

  /** Selects the delivery that is this many rows below. */
  async move(by: number): Promise<void> {
    const at = this.#events.findIndex(({ key }) => key === this.selected)
    const next = at === -1 ? 0 : at + by
    if (by === 1 && next === this.#events.length && this.#before !== null) await this.#load(this.#before)
    this.#selectAt(Math.min(Math.max(next, 0), this.#events.length - 1))
  }

  /** Selects the newest or the oldest delivery that is loaded. */
  moveToEnd(end: 'newest' | 'oldest'): void {
    this.#selectAt(end === 'newest' ? 0 : -1)
  }

  #selectAt(index: number): void {
    const event = this.#events.at(index)
    if (event !== undefined) this.select(event.key)
  }

  /** Selects a delivery, which need not be in this list. */
  select(key: string): void {
    this.selected = key
    const index = this.#events.findIndex((event) => event.key === key)
    if (index !== -1) this.#rows.scrollIntoView(index)
    this.#draw()
    this.#actions.onSelect(key)
  }

  /** The list with what has changed in it, and what is new. */
  #merge(events: readonly EventRow[]): { changed: EventRow[]; arrived: EventRow[] } {
    const filter = this.#filters.chosen
    const updates = new Map(events.map((event) => [event.key, event]))
    const changed = this.#events.flatMap((event) => {
      const next = updates.get(event.key) ?? event
      updates.delete(event.key)
      return next === event || isMatch(next, filter) ? [next] : []
    })
    const before = this.#before ?? 0
    const arrived = [...updates.values()].filter((event) => event.order[0] >= before && isMatch(event, filter))
    return { changed, arrived }
  }

  /** Forgets the oldest ones, which are read again when a person scrolls to them. */
  #trim(): void {
    const last = this.#events[KEPT_MAX - 1]
    if (last === undefined || this.#events.length === KEPT_MAX) return
    this.#events.length = KEPT_MAX
    this.#before = last.order[0] + (last.order[1] === 0 ? 0 : 1)
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
      const page = await fetchData('events', { ...Object.fromEntries(this.#filters.chosen), ...place })
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
    window.setTimeout(() => {
      this.#isDrawingSoon = false
      this.#draw()
    }, DRAW_MS)
  }

  #draw(): void {
    this.#drawBar()
    const marks = { selected: this.selected, marked: this.#marked, isComplete: this.#before === null }
    const end = this.#rows.draw(this.#events, marks)
    const isNearEnd = end + AHEAD_ROWS > this.#events.length
    if (isNearEnd && this.#before !== null && this.#loading === null && !this.#hasFailed) void this.#load(this.#before)
  }

  #drawBar(): void {
    const isFiltered = this.#filters.chosen.size > 0
    const [count, recorded] = [this.#events.length, this.#recorded]
    this.#count.textContent = !isFiltered
      ? t`${recorded} recorded`
      : this.#before === null
        ? t`${count} match, ${recorded} recorded`
        : t`${count} match so far, ${recorded} recorded`
    this.#arrived.hidden = this.#waiting === 0
    this.#arrived.textContent = t`${this.#waiting} new`
    this.#rows.element.hidden = count === 0
    this.#empty.hidden = count > 0
    this.#empty.textContent = isFiltered ? t`No event matches` : t`No event has arrived yet`
  }
}
