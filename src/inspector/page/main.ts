import { t } from '../../text/translate.ts'
import { isInMemory } from '../eventRow.ts'
import { fetchData, followFeed, unreachableText } from './api.ts'
import {
  copyCommand,
  type DetailActions,
  diffView,
  eventView,
  forwardsView,
  paymentView,
  transactionView,
} from './detailView.ts'
import { button, buttons, el, facts, muted, openDialog, reasonOf } from './dom.ts'
import { EventList } from './eventList.ts'
import { openReplay } from './replayDialog.ts'
import { sandboxPanel } from './sandboxPanel.ts'
import { searchView } from './searchView.ts'

const SAY_MS = 5_000
const SCROLL_KEY = /^(?:Arrow|Home|End)/

start()

function start(): void {
  const connection = el('span', { role: 'status', class: 'connection' })
  const message = el('p', { role: 'alert', class: 'message', hidden: true })
  const nothing = muted(t`Select an event to see its verdict, headers, bytes and forwards`)
  const detail = el('section', { class: 'pane detail', tabindex: '-1', 'aria-label': t`What is selected` }, nothing)
  const master = el('section', { class: 'pane master' })
  const list = new EventList({ onSelect: (key) => void openEvent(key), onError: complain })
  const search = searchView({
    onEvent: (key) => void openAndFocus(openEvent(key)),
    onPayment: (id) => void openAndFocus(openPayment(id)),
    onError: complain,
  })
  const sandbox = sandboxPanel({
    onTransaction: (id) => void openAndFocus(openTransaction(id)),
    onSay: say,
    onError: complain,
  })
  const tabs = [
    [t`Events`, list.element],
    [t`Payments`, search.element],
    [t`Sandbox`, sandbox.element],
  ] as const
  const tabButtons = tabs.map(([label], index) => button(label, () => openTab(index)))
  const actions: DetailActions = {
    onReplay: openReplay,
    onCopy: (key) => void copyCommand(key).then(say, complain),
    onMark: mark,
    onError: complain,
  }
  let sayTimer: number | undefined
  let shownEvent = ''
  let shownTab = 0
  /** What had the focus before it moved to the detail. */
  let opener: Element | null = null
  /** How many things were asked for; an answer shows only if nothing was asked for after it. */
  let asked = 0

  function say(text: string, tone = 'good'): void {
    clearTimeout(sayTimer)
    message.className = `message tone-${tone}`
    message.textContent = text
    message.hidden = false
    sayTimer = window.setTimeout(() => {
      message.hidden = true
    }, SAY_MS)
  }

  function complain(error: unknown): void {
    say(reasonOf(error), 'bad')
  }

  function openTab(index: number): void {
    // What is selected belongs to its view.
    if (index !== shownTab) {
      asked += 1
      shownEvent = ''
      detail.replaceChildren(...(index === 0 ? [nothing] : []))
    }
    shownTab = index
    for (const [at, tab] of tabButtons.entries()) {
      if (at === index) tab.setAttribute('aria-current', 'page')
      else tab.removeAttribute('aria-current')
    }
    const [label, element] = tabs[index] ?? tabs[0]
    master.setAttribute('aria-label', label)
    master.replaceChildren(el('h2', { class: 'unseen' }, label), element)
    if (index === 0) list.show()
    sandbox.follow(index === 2)
    if (index === 1) void search.load()
    closeDetail()
  }

  /** Shows what is asked for, unless something else is opened before the answer. */
  async function showDetail(answer: Promise<Node>): Promise<void> {
    asked += 1
    const own = asked
    try {
      const view = await answer
      if (own !== asked) return
      detail.replaceChildren(button(t`Back`, closeDetail, { class: 'back' }), view)
      document.body.dataset.open = 'detail'
      detail.scrollTop = 0
    } catch (error) {
      complain(error)
    }
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
    await showDetail(fetchData('payment', { id }).then(paymentView))
  }

  async function openTransaction(id: string): Promise<void> {
    await showDetail(fetchData('transaction', { id }).then((answer) => transactionView(id, answer)))
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
    if (list.marked === '') return t`Mark for a comparison`
    return list.marked === key ? t`Remove the mark` : t`Compare with the marked one`
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
    const both = Promise.all([fetchData('event', { key: first }), fetchData('event', { key })])
    void showDetail(both.then(([one, other]) => diffView(one, other)))
  }

  function replay(isEdit: boolean): void {
    if (shownEvent !== '' && !isInMemory(shownEvent)) openReplay(shownEvent, isEdit)
  }

  const openSelected = () =>
    list.element.isConnected && list.selected !== '' && void openAndFocus(openEvent(list.selected))
  const openSearch = () => {
    openTab(1)
    search.focus()
  }
  const openFilters = () => {
    openTab(0)
    list.focusFilters()
  }
  /** The keys, what the help says of them, and what each does. */
  const keys: readonly (readonly [keys: string, does: string, ...actions: (() => void)[]])[] = [
    ['j, ↓', t`next event`, () => void list.move(1)],
    ['k, ↑', t`previous event`, () => void list.move(-1)],
    ['Enter', t`open the selected event`, openSelected],
    ['Esc', t`back to the list`, closeDetail],
    ['/', t`search`, openSearch],
    [
      'Home, End',
      t`newest event, oldest event that is loaded`,
      () => list.moveToEnd('newest'),
      () => list.moveToEnd('oldest'),
    ],
    ['f', t`filter the events`, openFilters],
    ['r', t`replay the selected event`, () => replay(false)],
    ['e', t`edit the selected event and sign it anew`, () => replay(true)],
    ['c', t`copy the selected event as a curl command`, () => shownEvent !== '' && actions.onCopy(shownEvent)],
    ['d', t`mark the selected event, then compare another one with it`, () => shownEvent !== '' && mark(shownEvent)],
    ['1, 2, 3', t`events, payments, sandbox`, ...tabs.map((_, index) => () => openTab(index))],
    ['?', t`this help`, openHelp],
  ]
  const names: Readonly<Record<string, string>> = { '↓': 'ArrowDown', '↑': 'ArrowUp', Esc: 'Escape' }
  const actionOf = new Map(
    keys.flatMap(([typed, , ...does]) =>
      typed.split(', ').map((key, at) => [names[key] ?? key, does[at] ?? does[0]] as const),
    ),
  )

  function openHelp(): void {
    openDialog(t`Help`, (close) => [facts(keys), buttons(close)])
  }

  document.addEventListener('keydown', (event) => {
    const { key, target, ctrlKey, metaKey, altKey } = event
    const act = actionOf.get(key)
    if (ctrlKey || metaKey || altKey || act === undefined) return
    if (document.querySelector('dialog[open], :popover-open') !== null) return
    if (!(target instanceof Element) || target.closest('input, textarea, select') !== null) return
    // Enter presses the focused element.
    if (key === 'Enter' && target.closest('button, summary') !== null) return
    if (SCROLL_KEY.test(key) && (detail.contains(target) || !list.element.isConnected)) return
    event.preventDefault()
    act()
  })

  document.body.append(
    el(
      'header',
      {},
      el('h1', {}, t`pixgate inspect`),
      el('nav', {}, ...tabButtons),
      connection,
      button(t`Help`, openHelp, { class: 'help' }),
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
      connection.textContent = isConnected ? t`live` : unreachableText()
      connection.className = `connection tone-${isConnected ? 'good' : 'bad'}`
      if (isConnected) void list.load()
    },
  )
  const named = /^#event=(.+)$/.exec(location.hash)?.[1]
  if (named !== undefined) list.select(decodeURIComponent(named))
}
