import { stateText, stateTone } from '../../ledger/stateWords.ts'
import { centsFromJson } from '../../pix/amount.ts'
import { t, translated } from '../../text/translate.ts'
import { dayMsOf, partyText, referenceText, signedAmountText } from '../../views/payments/paymentCells.ts'
import { instantText } from '../../views/valueText.ts'
import { type Answer, fetchData } from './api.ts'
import { el, field, form, list, muted, section, toned } from './dom.ts'
import { rowContents } from './eventList.ts'

interface SearchActions {
  onEvent(key: string): void
  onPayment(id: string): void
  onError(error: unknown): void
}

/** The search over payments and events; without words the newest payments. */
export function searchView({ onEvent, onPayment, onError }: SearchActions) {
  const placeholder = t`Names, ids, keys, amounts and days, such as: maria R$ 25,00 yesterday`
  const input = el('input', { type: 'search', name: 'words', placeholder, autocomplete: 'off' })
  const results = el('div', { class: 'results' })
  const search = form({ role: 'search' }, () => void load(), field(t`Search`, input))

  input.addEventListener('input', () => void load())

  /** What was searched for last; an answer to anything else comes too late. */
  let searched = ''

  /** Searches for what is typed. */
  async function load(): Promise<void> {
    const words = input.value
    searched = words
    try {
      const { events, payments, note } = await fetchData('search', { words })
      if (searched !== words) return
      const foundPayments = payments.map((payment) =>
        row(paymentContents(payment), () => onPayment(payment.pixgate?.id ?? '')),
      )
      const foundEvents = events.map((event) => row(rowContents(event), () => onEvent(event.key)))
      results.replaceChildren(
        el('p', { role: 'status', class: 'muted' }, foundText(words, payments.length, events.length)),
        ...(note === '' ? [] : [muted(note)]),
        ...(payments.length === 0 ? [] : [section(t`Payments`, list(foundPayments))]),
        ...(events.length === 0 ? [] : [section(t`Events`, list(foundEvents))]),
      )
    } catch (error) {
      if (searched !== words) return
      // What was found for other words is no answer to these.
      results.replaceChildren()
      onError(error)
    }
  }

  return {
    element: el('div', { class: 'pane-body scrolls' }, search, results),
    load,
    focus() {
      input.focus()
      input.select()
    },
  }
}

function foundText(words: string, payments: number, events: number): string {
  const isSearch = words.trim() !== ''
  if (payments + events === 0) return isSearch ? t`Nothing found` : t`No payment is recorded yet`
  return isSearch ? t`payments: ${payments}, events: ${events}` : t`The newest payments`
}

function paymentContents(document: Answer<'search'>['payments'][number]): Node[] {
  const { state = '', kind = '', environment = '' } = document.pixgate ?? {}
  const about = [referenceText(document), translated(environment ?? '')].filter((part) => part !== '').join(' · ')
  return [
    toned(stateText(state), stateTone(state), 'verdict'),
    el(
      'span',
      { class: 'what', dir: 'auto' },
      el('span', { class: 'name' }, translated(kind)),
      ' ',
      partyText(document),
    ),
    el('span', { class: 'amount' }, signedAmountText(centsFromJson(document.amount) ?? null, document)),
    el('span', { class: 'clock' }, instantText(dayMsOf(document))),
    el('span', { class: 'about' }, about),
  ]
}

function row(contents: readonly Node[], open: () => void): HTMLLIElement {
  return el('li', {}, el('button', { type: 'button', class: 'row', click: open }, ...contents))
}
