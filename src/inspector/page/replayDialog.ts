import type { ReplayPreview } from '../pageData.ts'
import { fetchData, postAction } from './api.ts'
import { forwardView } from './detailView.ts'
import { button, el, facts, field, fill, openDialog, texts } from './dom.ts'

/** Lets a person choose how an event is replayed, shows what would be sent, and sends it when that is confirmed. */
export function openReplay(key: string): void {
  openDialogFor(key, false)
}

/** Lets a person edit the body of an event, and sign and send it anew. */
export function openEdit(key: string): void {
  openDialogFor(key, true)
}

function openDialogFor(key: string, isEdit: boolean): void {
  const radio = (value: string, checked: boolean) => el('input', { type: 'radio', name: 'mode', value, checked })
  const exact = radio('exact', !isEdit)
  const edited = radio('edited', isEdit)
  const to = el('input', { type: 'text', name: 'to', autocomplete: 'off', spellcheck: 'false' })
  to.placeholder = texts.targetHint
  const editedBody = new EditedBody(key)
  const preview = el('div', { class: 'preview', 'aria-live': 'polite' })
  const close = button(texts.close, () => dialog.close())
  const request = () => ({ key, isEdited: edited.checked, to: to.value, ...editedBody.fields })
  const look = async () => {
    const asked = request()
    try {
      preview.replaceChildren(...previewView(key, await postAction('preview', asked), asked, preview))
      preview.lastElementChild?.scrollIntoView({ block: 'nearest' })
    } catch (error) {
      preview.replaceChildren(failure(error))
    }
  }
  const showFields = () => {
    editedBody.element.hidden = true
    if (edited.checked) editedBody.show().catch((error: unknown) => preview.replaceChildren(failure(error)))
  }
  const form = el(
    'form',
    {
      submit: (event) => {
        event.preventDefault()
        void look()
      },
      // What was shown is not what would be sent any more.
      input: () => preview.replaceChildren(),
      change: ({ target }) => (target === exact || target === edited) && showFields(),
    },
    el('label', { class: 'choice' }, exact, texts.exact),
    el('label', { class: 'choice' }, edited, texts.edited),
    field(texts.target, to),
    editedBody.element,
    el('p', { class: 'buttons' }, el('button', { class: 'primary' }, texts.look), close),
  )
  const dialog = openDialog(fill(texts.replayOf, { key }), form, preview)
  showFields()
}

function previewView(
  key: string,
  { facts: rows, body, warning, question, digest }: ReplayPreview,
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

/** The fields in which a person edits the body of an event. */
class EditedBody {
  readonly element = el('div', { hidden: true })
  readonly #body = el('textarea', { name: 'body', rows: '12', spellcheck: 'false', class: 'code' })
  readonly #edits = el('textarea', { name: 'edits', rows: '4', spellcheck: 'false', class: 'code' })
  readonly #key: string
  #isFilled = false

  constructor(key: string) {
    this.#key = key
  }

  /** The edited text, or the values to set in the recorded bytes; each is empty if the other one is used. */
  get fields(): { body: string; edits: string } {
    return { body: this.#body.value, edits: this.#edits.value }
  }

  /** Shows the fields; the first time with the body as it arrived. Throws an Error with a sentence for the person. */
  async show(): Promise<void> {
    this.element.hidden = false
    if (this.#isFilled) return
    this.#isFilled = true
    const { base64 } = await fetchData('bytes', { key: this.#key })
    this.#body.value = textOf(base64)
    if (this.#body.value !== '' && this.#body.value === textOf(base64)) {
      this.element.replaceChildren(field(texts.editedBody, this.#body))
      this.#body.focus()
      this.#body.setSelectionRange(0, 0)
      return
    }
    this.#body.value = ''
    this.element.replaceChildren(el('p', { class: 'muted' }, texts.notEditable), field(texts.edits, this.#edits))
  }
}

/** The bytes as text; '' if they are not UTF-8. A text field changes CR. */
function textOf(base64: string): string {
  const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch (error) {
    if (error instanceof TypeError) return ''
    throw error
  }
}
