import type { ReplayPlan } from '../pageData.ts'
import { postAction } from './api.ts'
import { forwardView } from './detailView.ts'
import { button, el, facts, field, openDialog } from './dom.ts'
import { fill, texts } from './texts.ts'

/** Lets the person choose how an event is replayed, shows what would be sent, and sends it when that is confirmed. */
export function openReplay(key: string): void {
  const radio = (value: string, checked: boolean) => el('input', { type: 'radio', name: 'mode', value, checked })
  const exact = radio('exact', true)
  const edited = radio('edited', false)
  const to = el('input', { type: 'text', name: 'to', autocomplete: 'off', spellcheck: 'false' })
  const edits = el('textarea', { name: 'edits', rows: '3', spellcheck: 'false' })
  const body = el('textarea', { name: 'body', rows: '4', spellcheck: 'false' })
  const editing = el('div', { hidden: true }, field(texts.edits, edits), field(texts.wholeBody, body))
  const plan = el('div', { class: 'plan', 'aria-live': 'polite' })
  const request = () => ({
    key,
    isEdited: edited.checked,
    to: to.value,
    edits: edits.value,
    body: body.value,
  })
  const look = async () => {
    const asked = request()
    try {
      plan.replaceChildren(...planView(key, await postAction('plan', asked), asked, plan))
      plan.lastElementChild?.scrollIntoView({ block: 'nearest' })
    } catch (error) {
      plan.replaceChildren(failure(error))
    }
  }
  const form = el(
    'form',
    {
      submit: (event) => {
        event.preventDefault()
        void look()
      },
      // What was shown is not what would be sent any more.
      input: () => {
        editing.hidden = !edited.checked
        plan.replaceChildren()
      },
    },
    el('label', { class: 'choice' }, exact, texts.exact),
    el('label', { class: 'choice' }, edited, texts.edited),
    field(texts.target, to),
    editing,
    el('p', { class: 'buttons' }, el('button', { class: 'primary' }, texts.look)),
  )
  const dialog = openDialog(fill(texts.replayOf, { key }), form, plan)
  dialog.append(
    el(
      'p',
      { class: 'buttons' },
      button(texts.close, () => dialog.close()),
    ),
  )
}

function planView(
  key: string,
  { facts: rows, body, warning, question, digest }: ReplayPlan,
  request: object,
  place: HTMLElement,
): Node[] {
  const typed = el('input', { type: 'text', name: 'typed', autocomplete: 'off', required: true })
  const target = rows[1]?.[1] ?? ''
  const send = async () => {
    confirm.disabled = true
    try {
      place.replaceChildren(...forwardView(await postAction('replay', { ...request, digest, typed: typed.value })))
    } catch (error) {
      place.replaceChildren(failure(error))
    }
  }
  const confirm = el('button', { class: 'primary' }, fill(texts.sendTo, { key, target }))
  const answer = (event: Event) => {
    event.preventDefault()
    void send()
  }
  return [
    el('h3', {}, texts.willBeSent),
    facts(rows),
    el('pre', {}, body.join('\n')),
    ...(warning === '' ? [] : [el('pre', { class: 'warning' }, warning)]),
    el(
      'form',
      { submit: answer },
      ...(question === '' ? [] : [field(question, typed)]),
      el('p', { class: 'buttons' }, confirm),
    ),
  ]
}

function failure(error: unknown): Node {
  return el('p', { role: 'alert', class: 'tone-bad' }, error instanceof Error ? error.message : String(error))
}
