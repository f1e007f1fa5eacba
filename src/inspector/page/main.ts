import { fetchData, followFeed } from './api.ts'
import { copyCommand, type DetailActions, diffView, eventView, forwardsView, paymentDetailView } from './detailView.ts'
import { button, el, facts, openDialog, texts } from './dom.ts'
import { EventList } from './eventList.ts'
import { openEdit, openReplay } from './replayDialog.ts'
import { SandboxPanel } from './sandboxPanel.ts'
import { SearchView } from './searchView.ts'

const SAY_MS = 5_000

const connection = el('span', { role: 'status', class: 'connection' })
const message = el('p', { role: 'alert', class: 'message', hidden: true })
const detail = el(
  'section',
  { class: 'pane detail', tabindex: '-1', 'aria-label': texts.selected },
  el('p', { class: 'muted' }, texts.nothingSelected),
)
const list = new EventList({ onSelect: (key) => void openEvent(key), onError: complain })
const search = new SearchView({
  onEvent: (key) => void openAndFocus(openEvent(key)),
  onPayment: (id) => void openAndFocus(openPayment(id)),
  onError: complain,
})
const sandbox = new SandboxPanel(say, complain)
const tabs = [
  { label: texts.events, element: list.element },
  { label: texts.payments, element: search.element },
  { label: texts.sandbox, element: sandbox.element },
] as const
const tabButtons = tabs.map(({ label }, index) => button(label, () => openTab(index)))
const master = el('section', { class: 'pane master' })
const actions: DetailActions = {
  onReplay: openReplay,
  onEdit: openEdit,
  onCopy: (key) => void copyCommand(key).then(say, complain),
  onMark: mark,
  onError: complain,
}
let sayTimer: number | undefined
let shownEvent = ''
/** What had the focus before it moved to the detail. */
let opener: Element | null = null
/** How many things were asked for; an answer shows only if nothing was asked for after it. */
let asked = 0

function say(text: string, tone = 'good'): void {
  clearTimeout(sayTimer)
  message.className = `message tone-${tone}`
  message.textContent = text
  message.hidden = false
  sayTimer = setTimeout(() => {
    message.hidden = true
  }, SAY_MS)
}

function complain(error: unknown): void {
  say(error instanceof Error ? error.message : String(error), 'bad')
}

function openTab(index: number): void {
  for (const [at, tab] of tabButtons.entries()) {
    if (at === index) tab.setAttribute('aria-current', 'page')
    else tab.removeAttribute('aria-current')
  }
  const { label, element } = tabs[index] ?? tabs[0]
  master.setAttribute('aria-label', label)
  master.replaceChildren(el('h2', { class: 'unseen' }, label), element)
  if (index === 0) list.show()
  sandbox.isVisible = index === 2
  if (index === 1) void search.load()
  closeDetail()
}

/** Shows what is asked for, unless something else is opened before the answer. */
async function showDetail(answer: Promise<Node>): Promise<void> {
  asked += 1
  const own = asked
  try {
    const view = await answer
    if (own === asked) placeDetail(view)
  } catch (error) {
    complain(error)
  }
}

function placeDetail(view: Node): void {
  detail.replaceChildren(button(texts.back, closeDetail, { class: 'back' }), view)
  document.body.dataset.open = 'detail'
  detail.scrollTop = 0
}

/** On a narrow screen the list is covered by the detail. */
function closeDetail(): void {
  delete document.body.dataset.open
  if (!detail.contains(document.activeElement)) return
  if (opener instanceof HTMLElement && opener.isConnected && opener !== document.body) opener.focus()
  else list.focus()
}

async function openEvent(key: string): Promise<void> {
  shownEvent = key
  history.replaceState(null, '', `#event=${encodeURIComponent(key)}`)
  await showDetail(fetchData('event', { key }).then((event) => eventView(event, markLabel(key), actions)))
}

async function openPayment(id: string): Promise<void> {
  shownEvent = ''
  await showDetail(fetchData('payment', { id }).then(paymentDetailView))
}

/** Lets a person go on in what was opened, by the keyboard; closing it leads back to where it was opened. */
async function openAndFocus(opening: Promise<void>): Promise<void> {
  opener = document.activeElement
  await opening
  detail.focus()
}

/** A forward that ends while its event is on the screen changes nothing else there. */
async function refreshForwards(key: string): Promise<void> {
  try {
    const { forwards } = await fetchData('event', { key })
    if (shownEvent === key) detail.querySelector('.forwards')?.replaceWith(forwardsView(forwards))
  } catch (error) {
    complain(error)
  }
}

function markLabel(key: string): string {
  if (list.marked === '') return texts.mark
  return list.marked === key ? texts.unmark : texts.compare
}

/** Marks an event; the second one is compared with it. */
function mark(key: string): void {
  const first = list.marked
  list.marked = first === '' ? key : ''
  if (first === '' || first === key) {
    void openEvent(key)
    return
  }
  shownEvent = ''
  void showDetail(fetchData('diff', { first, second: key }).then(diffView))
}

function openHelp(): void {
  const close = el(
    'p',
    { class: 'buttons' },
    button(texts.close, () => dialog.close()),
  )
  const dialog = openDialog(texts.help, facts(texts.keys), close)
}

const KEYS: Readonly<Record<string, () => void>> = {
  j: () => void list.move(1),
  ArrowDown: () => void list.move(1),
  k: () => void list.move(-1),
  Home: () => list.moveToEnd('newest'),
  End: () => list.moveToEnd('oldest'),
  ArrowUp: () => void list.move(-1),
  Enter: () => list.element.isConnected && list.selected !== '' && void openAndFocus(openEvent(list.selected)),
  Escape: closeDetail,
  '/': () => {
    openTab(1)
    search.focus()
  },
  f: () => {
    openTab(0)
    list.focusFilters()
  },
  r: () => /^\d+$/.test(shownEvent) && openReplay(shownEvent),
  e: () => /^\d+$/.test(shownEvent) && openEdit(shownEvent),
  c: () => shownEvent !== '' && actions.onCopy(shownEvent),
  d: () => shownEvent !== '' && mark(shownEvent),
  1: () => openTab(0),
  2: () => openTab(1),
  3: () => openTab(2),
  '?': openHelp,
}

/** Keys that scroll the text that is being read. */
const SCROLL_KEY = /^(?:Arrow|Home|End)/

document.addEventListener('keydown', (event) => {
  const { key, target, ctrlKey, metaKey, altKey } = event
  if (ctrlKey || metaKey || altKey || !Object.hasOwn(KEYS, key) || document.querySelector('dialog[open]') !== null)
    return
  if (!(target instanceof Element) || target.closest('input, textarea, select') !== null) return
  // Enter presses the focused element.
  if (key === 'Enter' && target.closest('button, summary') !== null) return
  if (SCROLL_KEY.test(key) && (detail.contains(target) || !list.element.isConnected)) return
  event.preventDefault()
  KEYS[key]?.()
})

document.body.append(
  el(
    'header',
    {},
    el('h1', {}, texts.title),
    el('nav', {}, ...tabButtons),
    connection,
    button(texts.help, openHelp, { class: 'help' }),
  ),
  el('main', {}, master, detail),
  message,
)
openTab(0)
void followFeed(
  (update) => {
    if ('trouble' in update) {
      complain(new Error(update.trouble))
      return
    }
    list.receive(update)
    void sandbox.refresh()
    if (update.events.some(({ key }) => key === shownEvent)) void refreshForwards(shownEvent)
  },
  (isConnected) => {
    connection.textContent = isConnected ? texts.connected : texts.disconnected
    connection.className = `connection tone-${isConnected ? 'good' : 'bad'}`
    if (isConnected) void list.load()
  },
)
const named = /^#event=(.+)$/.exec(location.hash)?.[1]
if (named !== undefined) list.select(decodeURIComponent(named))
