import type { LabelledText, Tone } from '../pageData.ts'
import type { PageTexts } from '../pageTexts.ts'

type Attributes = Readonly<Record<string, string | boolean | ((event: Event) => void)>>

/**
 * Creates an element. Strings are attributes, booleans attributes without a value, functions listeners. Children that are strings become
 * text, whatever they contain: nothing on this page is ever parsed as HTML.
 */
export function el<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Attributes = {},
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'function') element.addEventListener(name, value)
    else if (typeof value === 'boolean') element.toggleAttribute(name, value)
    else element.setAttribute(name, value)
  }
  element.append(...children)
  return element
}

/** A button that calls `onClick`. */
export function button(label: string, onClick: () => void, attributes: Attributes = {}): HTMLButtonElement {
  return el('button', { type: 'button', click: onClick, ...attributes }, label)
}

/** Text in the colour of its tone. */
export function tonedText(text: string, tone: Tone, name = ''): HTMLSpanElement {
  return el('span', { class: `${name} tone-${tone}`.trim() }, text)
}

/** Labels and values in two columns. */
export function facts(rows: readonly LabelledText[]): HTMLDListElement {
  return el('dl', {}, ...rows.flatMap(([label, value]) => [el('dt', {}, label), el('dd', { dir: 'auto' }, value)]))
}

/** A part of the page with a heading. */
export function section(title: string, ...children: readonly (Node | string)[]): HTMLElement {
  return el('section', {}, el('h3', {}, title), ...children)
}

/** A label around a field. */
export function field(label: string, control: HTMLElement): HTMLLabelElement {
  return el('label', {}, el('span', {}, label), control)
}

/** Opens a dialog, which is removed when it closes. */
export function openDialog(title: string, ...children: readonly Node[]): HTMLDialogElement {
  const dialog = el('dialog', { 'aria-label': title }, el('h2', {}, title), ...children)
  dialog.addEventListener('close', () => dialog.remove())
  document.body.append(dialog)
  dialog.showModal()
  return dialog
}

/** The page's texts, in the language of the server. */
export const texts: PageTexts = JSON.parse(document.getElementById('texts')?.textContent ?? '{}')

/** A text with its `{name}` places filled in. */
export function fill(text: string, values: Readonly<Record<string, string | number>>): string {
  return text.replace(/\{(\w+)\}/g, (place, name: string) => String(values[name] ?? place))
}
