import { Malformed } from '../../pix/expectedError.ts'
import { safeText } from '../../text/safeText.ts'
import { setCatalogue, t } from '../../text/translate.ts'

type Attributes = Readonly<Record<string, string | boolean | ((event: Event) => void)>>
type Child = Node | string

const language = document.documentElement.lang
const catalogues: Record<string, Record<string, string>> = JSON.parse(
  document.getElementById('texts')?.textContent ?? '{}',
)
const translations = new Map(Object.entries(catalogues[language] ?? {}))
if (translations.size > 0) setCatalogue({ language, find: (english) => translations.get(english) })

/**
 * Creates an element. Strings are attributes, booleans attributes without a value, functions listeners. Children that are strings become
 * one line of text, whatever they contain: nothing on this page is ever parsed as HTML.
 */
export function el<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Attributes = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'function') element.addEventListener(name, value)
    else if (typeof value === 'boolean') element.toggleAttribute(name, value)
    else element.setAttribute(name, value)
  }
  element.append(...children.map((child) => (typeof child === 'string' ? safeText(child) : child)))
  return element
}

/** Lines of text. */
export function lines(texts: readonly string[]): Text {
  return document.createTextNode(texts.map(safeText).join('\n'))
}

/** A button that calls `onClick`. */
export function button(label: string, onClick: () => void, attributes: Attributes = {}): HTMLButtonElement {
  return el('button', { type: 'button', click: onClick, ...attributes }, label)
}

/** Buttons in a row. */
export function buttons(...all: readonly HTMLButtonElement[]): HTMLElement {
  return el('p', { class: 'buttons' }, ...all)
}

/** Text in the colour of its tone. */
export function toned(text: string, tone: 'good' | 'warn' | 'bad' | 'plain', name = ''): HTMLSpanElement {
  return el('span', { class: `${name} tone-${tone}`.trim() }, text)
}

/** Text of less importance. */
export function muted(text: string): HTMLElement {
  return el('p', { class: 'muted' }, text)
}

/** Labels and values in two columns. */
export function facts(
  rows: readonly (readonly [label: string, value: string, ...more: unknown[]])[],
): HTMLDListElement {
  return el('dl', {}, ...rows.flatMap(([label, value]) => [el('dt', {}, label), el('dd', { dir: 'auto' }, value)]))
}

/** What is listed below each other. */
export function list(items: readonly HTMLLIElement[]): HTMLUListElement {
  return el('ul', { class: 'rows' }, ...items)
}

/** A part of the page with a heading. */
export function section(title: string, ...children: readonly Child[]): HTMLElement {
  return el('section', {}, el('h3', {}, title), ...children)
}

/** A label around a field. */
export function field(label: string, control: HTMLElement): HTMLLabelElement {
  return el('label', {}, el('span', {}, label), control)
}

/** A form that calls `onSubmit`. */
export function form(attributes: Attributes, onSubmit: () => void, ...children: readonly Child[]): HTMLFormElement {
  const submit = (event: Event) => {
    event.preventDefault()
    onSubmit()
  }
  return el('form', { submit, ...attributes }, ...children)
}

/** Opens a dialog, which is removed when it closes; its contents have the button that closes it. */
export function openDialog(title: string, contents: (close: HTMLButtonElement) => readonly Node[]): void {
  const dialog = el('dialog', { 'aria-label': title, close: () => dialog.remove() }, el('h2', {}, title))
  dialog.append(...contents(button(t`Close`, () => dialog.close())))
  document.body.append(dialog)
  dialog.showModal()
}

/** Why something failed, as a sentence for a person. */
export function reasonOf(error: unknown): string {
  if (error instanceof Malformed) return `${error.message}. ${error.hint}`
  return error instanceof Error ? error.message : String(error)
}
