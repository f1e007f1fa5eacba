import { fetchData } from './api.ts'
import { button, el, openDialog } from './dom.ts'
import { texts } from './texts.ts'

/** Copies the curl command that sends a delivery, and returns what a person is told. A command that cannot be copied is shown. */
export async function copyCommand(key: string): Promise<string> {
  const { command, note } = await fetchData('curl', { key })
  try {
    await navigator.clipboard.writeText(command)
  } catch (error) {
    if (!(error instanceof DOMException)) throw error
    showCommand(command)
    return texts.copyRefused
  }
  return note === '' ? texts.copied : `${texts.copied}. ${note}`
}

function showCommand(command: string): void {
  const area = el('textarea', { rows: '8', readonly: true, 'aria-label': texts.copyByHand }, command)
  const close = button(texts.close, () => dialog.close())
  const dialog = openDialog(texts.copyByHand, area, el('p', { class: 'buttons' }, close))
  area.select()
}
