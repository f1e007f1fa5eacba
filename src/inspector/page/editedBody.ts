import { fetchData } from './api.ts'
import { el, field } from './dom.ts'
import { texts } from './texts.ts'

/** The fields in which a person edits the body of an event. */
export class EditedBody {
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
