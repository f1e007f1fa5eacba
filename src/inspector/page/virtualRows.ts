import { el } from './dom.ts'

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
export class VirtualRows<Line extends { readonly key: string }> {
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
