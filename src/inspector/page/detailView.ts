import type { DiffLine, EventDetail, EventDiff, EventLine, ForwardLine, PaymentDetail } from '../pageData.ts'
import { fetchData } from './api.ts'
import { button, el, facts, fill, openDialog, section, texts, tonedText } from './dom.ts'

/** What can be done with an event from its page. */
export interface DetailActions {
  onReplay(key: string): void
  onEdit(key: string): void
  onCopy(key: string): void
  onMark(key: string): void
  onError(error: unknown): void
}

const SHOWN_BYTES_MAX = 16 * 1024
const BYTES_PER_LINE = 16

/** Everything about one delivery. */
export function eventView(detail: EventDetail, markLabel: string, actions: DetailActions): HTMLElement {
  const { line, advice, headers, body, bytes, sha256, isRecorded } = detail
  const { key } = line
  const buttons = [
    ...(isRecorded
      ? [
          button(texts.replay, () => actions.onReplay(key), { class: 'primary' }),
          button(texts.edit, () => actions.onEdit(key)),
        ]
      : []),
    button(texts.copyCommand, () => actions.onCopy(key)),
    button(markLabel, () => actions.onMark(key)),
  ]
  const exact = el('div', {}, el('p', { class: 'muted' }, texts.bytesWarning))
  const show = button(texts.showBytes, () => {
    fetchData('bytes', { key }).then(({ base64 }) => exact.replaceChildren(...bytesView(base64, key)), actions.onError)
  })
  exact.append(show)
  return el(
    'article',
    { 'data-event': key },
    el('h2', {}, tonedText(line.event, line.eventTone), el('span', { class: 'amount' }, line.amount)),
    el('p', { class: 'headline' }, tonedText(line.verdict, line.tone), tonedText(line.status, line.eventTone)),
    ...(advice === '' ? [] : [el('p', { class: 'lines' }, advice)]),
    el('p', { class: 'buttons' }, ...buttons),
    section(texts.facts, facts(detail.facts)),
    section(texts.forwards, forwardsView(detail.forwards)),
    section(texts.body, el('pre', {}, body.join('\n'))),
    section(texts.headers, facts(headers)),
    section(texts.exactBytes, el('p', { class: 'muted wrap' }, fill(texts.bytesOf, { count: bytes, sha256 })), exact),
  )
}

/** The result of each forward, oldest first. */
export function forwardsView(forwards: readonly ForwardLine[]): HTMLElement {
  if (forwards.length === 0) return el('p', { class: 'muted forwards' }, texts.notForwarded)
  return el('ul', { class: 'forwards' }, ...forwards.map((each) => el('li', {}, ...forwardView(each))))
}

/** The result of one forward or replay. */
export function forwardView({ at, url, result, tone, ms, advice, body }: ForwardLine): Node[] {
  return [
    el('div', {}, tonedText(result, tone), ` ${ms} `, el('span', { class: 'muted' }, at)),
    el('div', { class: 'wrap' }, url),
    ...(advice === '' ? [] : [el('p', { class: 'lines' }, advice)]),
    ...(body === '' ? [] : [el('pre', {}, body)]),
  ]
}

/** What differs between two deliveries. */
export function diffView({ first, second, isSameBody, headers, body }: EventDiff): HTMLElement {
  const isSameText = body.every(([mark]) => mark === 'same')
  const verdict = isSameBody ? texts.sameBody : isSameText ? texts.otherLayout : texts.otherBody
  return el(
    'article',
    { class: 'comparison' },
    el('h2', {}, texts.comparison),
    el('p', {}, fill(texts.comparing, { first: nameOf(first), second: nameOf(second) })),
    el('p', {}, verdict),
    section(texts.headers, diffLines(headers)),
    section(texts.body, diffLines(body)),
  )
}

/** Everything about one payment. */
export function paymentDetailView({ facts: rows, records }: PaymentDetail): HTMLElement {
  return el(
    'article',
    {},
    el('h2', {}, texts.payment),
    section(texts.facts, facts(rows)),
    section(texts.history, facts(records)),
  )
}

function nameOf({ key, day, clock, event }: EventLine): string {
  return [key.startsWith('m') ? texts.notRecorded : `#${key}`, day, clock, event].join(' ')
}

function diffLines(lines: readonly DiffLine[]): HTMLElement {
  const marks = { same: ' ', first: '−', second: '+' }
  const shown = lines.map(([mark, text]) => el('span', { class: `line ${mark}` }, `${marks[mark]} ${text}\n`))
  return el('pre', { class: 'diff' }, ...shown)
}

/** The bytes in hexadecimal, and as ASCII where they are. */
function bytesView(base64: string, key: string): Node[] {
  const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
  const shown = bytes.subarray(0, SHOWN_BYTES_MAX)
  const lines: string[] = []
  for (let at = 0; at < shown.length; at += BYTES_PER_LINE) {
    const part = [...shown.subarray(at, at + BYTES_PER_LINE)]
    const hex = part.map((byte) => byte.toString(16).padStart(2, '0')).join(' ')
    const text = part.map((byte) => (byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : '·')).join('')
    lines.push(`${at.toString(16).padStart(6, '0')}  ${hex.padEnd(BYTES_PER_LINE * 3 - 1)}  ${text}`)
  }
  const cut = shown.length < bytes.length ? [el('p', {}, fill(texts.bytesCut, { count: shown.length }))] : []
  const save = () => {
    const url = URL.createObjectURL(new Blob([bytes], { type: 'application/octet-stream' }))
    el('a', { href: url, download: fill(texts.bytesFile, { key }) }).click()
    URL.revokeObjectURL(url)
  }
  return [
    ...cut,
    el('pre', { class: 'bytes', tabindex: '0', role: 'region', 'aria-label': texts.exactBytes }, lines.join('\n')),
    button(texts.saveBytes, save),
  ]
}

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
