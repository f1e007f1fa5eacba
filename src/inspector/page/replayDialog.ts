import { valueOr } from '../../pix/expectedError.ts'
import { t } from '../../text/translate.ts'
import { fetchData, postAction, type Result } from './api.ts'
import { bytesOf, forwardView } from './detailView.ts'
import { buttons, el, facts, field, form, lines, muted, openDialog, reasonOf } from './dom.ts'

/**
 * Lets a person choose how an event is replayed, exactly or edited and signed anew; shows what would be sent, and sends it when that is
 * confirmed.
 */
export function openReplay(key: string, isEdit: boolean): void {
  const mode = (checked: boolean) => el('input', { type: 'radio', name: 'mode', checked })
  const [exact, edited] = [mode(!isEdit), mode(isEdit)]
  const to = el('input', { type: 'text', name: 'to', autocomplete: 'off', spellcheck: 'false' })
  to.placeholder = t`empty: the last forward target, the running listener or the callback URL`
  const editor = bodyEditor(key)
  const preview = el('div', { class: 'preview', 'aria-live': 'polite' })
  const fail = (error: unknown) =>
    preview.replaceChildren(el('p', { role: 'alert', class: 'tone-bad' }, reasonOf(error)))
  const show = (answer: Promise<readonly Node[]>) => answer.then((nodes) => preview.replaceChildren(...nodes), fail)
  const look = async () => {
    const request = { key, to: to.value, body: edited.checked ? editor.body.value : null }
    await show(
      postAction('preview', request).then((shown) =>
        previewView(key, shown, (typed) => show(sent({ ...request, digest: shown.digest, typed }))),
      ),
    )
    preview.lastElementChild?.scrollIntoView({ block: 'nearest' })
  }
  const showFields = () => {
    editor.element.hidden = !edited.checked
    if (edited.checked) editor.fill().catch(fail)
  }
  const attributes = {
    // What was shown is not what would be sent any more.
    input: () => preview.replaceChildren(),
    change: ({ target }: Event) => (target === exact || target === edited) && showFields(),
  }
  openDialog(t`Replay event ${key}`, (close) => [
    form(
      attributes,
      () => void look(),
      el('label', { class: 'choice' }, exact, t`the exact bytes, headers and signature`),
      el('label', { class: 'choice' }, edited, t`edited and re-signed`),
      field(t`Target URL`, to),
      editor.element,
      buttons(el('button', { class: 'primary' }, t`Preview`), close),
    ),
    preview,
  ])
  showFields()
}

async function sent(request: object): Promise<readonly Node[]> {
  return forwardView(await postAction('replay', request))
}

function previewView(
  key: string,
  { to, facts: rows, body, warning, question }: Result<'preview'>,
  onSend: (typed: string) => void,
): Node[] {
  const typed = el('input', { type: 'text', name: 'typed', autocomplete: 'off', required: true })
  const confirm = el('button', { class: 'primary' }, t`Send event ${key} to ${to}`)
  const send = () => {
    confirm.disabled = true
    onSend(typed.value)
  }
  return [
    el('h3', {}, t`This will be sent`),
    facts(rows),
    el('pre', {}, lines(body)),
    ...(warning === '' ? [] : [el('pre', { class: 'warning' }, lines(warning.split('\n')))]),
    form({}, send, ...(question === '' ? [] : [field(question, typed)]), buttons(confirm)),
  ]
}

function bodyEditor(key: string) {
  const element = el('div')
  const body = el('textarea', { name: 'body', rows: '12', spellcheck: 'false', class: 'code' })
  let isFilled = false
  return {
    element,
    body,
    /** The first time, fills in the body as it arrived. Throws an Error with a sentence for the person. */
    async fill(): Promise<void> {
      if (isFilled) return
      isFilled = true
      const text = textOf(await fetchData('bytes', { key }))
      body.value = text
      if (text !== '' && body.value === text) {
        element.replaceChildren(field(t`Body, unmasked`, body))
        body.focus()
        body.setSelectionRange(0, 0)
        return
      }
      body.value = ''
      const command = `pixgate webhook replay ${key} --set data.amount=10.50`
      element.replaceChildren(
        muted(t`The body has bytes that a text field would change; set single values with \`${command}\``),
      )
    },
  }
}

/** The bytes as text; '' if they are not UTF-8. A text field changes CR. */
function textOf({ base64 }: { base64: string }): string {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  return valueOr('', TypeError, () => decoder.decode(bytesOf(base64)))
}
