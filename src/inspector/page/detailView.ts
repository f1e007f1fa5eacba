import { parseInstant } from '../../pix/calendar.ts'
import { safeLines } from '../../text/safeText.ts'
import { t } from '../../text/translate.ts'
import { answerAdvice, answerTime, eventVerdictText, verdictTone } from '../../views/events/eventText.ts'
import { stepLines } from '../../views/sandboxText.ts'
import { instantText } from '../../views/valueText.ts'
import { isReceived } from '../../wire/signature.ts'
import { type EventRow, isInMemory } from '../eventRow.ts'
import { type Answer, fetchData, type Result } from './api.ts'
import { button, buttons, el, facts, lines, muted, openDialog, section, toned } from './dom.ts'
import { eventAmount, eventName, eventStatus, eventTime, eventTone, numberText } from './eventList.ts'
import { type DiffLine, diffLines } from './lineDiff.ts'

/** What can be done with an event from its page. */
export interface DetailActions {
  onReplay(key: string, isEdit: boolean): void
  onCopy(key: string): void
  onMark(key: string): void
  onError(error: unknown): void
}

const SHOWN_BYTES_MAX = 16 * 1024
const BYTES_PER_LINE = 16

/** Everything about one delivery. */
export function eventView(detail: Answer<'event'>, markLabel: string, actions: DetailActions): HTMLElement {
  const { row, advice, headers, body, bytes, sha256 } = detail
  const { key } = row
  const replays = [
    button(t`Replay…`, () => actions.onReplay(key, false), { class: 'primary' }),
    button(t`Edit…`, () => actions.onReplay(key, true)),
  ]
  const exact = el('div', {}, muted(t`They are not masked: they may contain names and tax documents`))
  const showBytes = () => {
    const shown = fetchData('bytes', { key }).then(({ base64 }) => bytesView(bytesOf(base64), key))
    shown.then((nodes) => exact.replaceChildren(...nodes), actions.onError)
  }
  exact.append(button(t`Show the exact bytes`, showBytes))
  const status = toned(eventStatus(row), eventTone(row))
  return el(
    'article',
    { 'data-event': key },
    el('h2', {}, toned(eventName(row), eventTone(row)), el('span', { class: 'amount' }, eventAmount(row))),
    el('p', { class: 'headline' }, toned(eventVerdictText(row), verdictTone(row)), status),
    ...adviceView(advice),
    buttons(
      ...(isInMemory(key) ? [] : replays),
      button(t`Copy as cURL`, () => actions.onCopy(key)),
      button(markLabel, () => actions.onMark(key)),
    ),
    section(t`Fields`, facts(detail.facts)),
    section(t`Forwards and replays`, forwardsView(detail.forwards)),
    section(t`Parsed body`, el('pre', {}, lines(body))),
    section(t`Headers`, facts(headers)),
    section(t`Exact bytes`, el('p', { class: 'muted wrap' }, t`${bytes} bytes, SHA-256 ${sha256}`), exact),
  )
}

function adviceView(texts: readonly string[]): Node[] {
  return texts.length === 0 ? [] : [el('p', { class: 'lines' }, lines(texts))]
}

/** The result of each forward, oldest first. */
export function forwardsView(forwards: readonly Result<'replay'>[]): HTMLElement {
  if (forwards.length === 0) return el('p', { class: 'muted forwards' }, t`not forwarded`)
  return el('ul', { class: 'forwards' }, ...forwards.map((each) => el('li', {}, ...forwardView(each))))
}

/** The result of one forward or replay. */
export function forwardView(forward: Result<'replay'>): Node[] {
  const { at, url, status, ms, error, body } = forward
  const result = [status, error].filter((part) => part !== null).join(' ')
  const { texts, command } = answerAdvice(forward, { url, account: '' })
  const time = el('span', { class: 'muted' }, instantText(parseInstant(at) ?? null))
  return [
    el('div', {}, toned(result, isReceived(forward) ? 'good' : 'bad'), ` ${answerTime(ms)} `, time),
    el('div', { class: 'wrap' }, url),
    ...adviceView(command === null ? texts : [...texts, command]),
    ...(body === '' ? [] : [el('pre', {}, lines(safeLines(body)))]),
  ]
}

/** What differs between two deliveries, as they are shown. */
export function diffView(first: Answer<'event'>, second: Answer<'event'>): HTMLElement {
  const body = diffLines(first.body, second.body)
  const isSameText = body.every(([mark]) => mark === 'same')
  const verdict =
    first.sha256 === second.sha256
      ? t`The bodies are equal, byte for byte`
      : isSameText
        ? t`The bodies differ only in what is masked, or in how they are written: spaces, line breaks or escapes`
        : t`The bodies differ`
  const headerLines = ({ headers }: Answer<'event'>) => headers.map(([name, value]) => `${name}: ${value}`)
  return el(
    'article',
    { class: 'comparison' },
    el('h2', {}, t`Comparison`),
    el('p', {}, t`− ${nameOf(first.row)}, + ${nameOf(second.row)}`),
    el('p', {}, verdict),
    section(t`Headers`, differences(diffLines(headerLines(first), headerLines(second)))),
    section(t`Parsed body`, differences(body)),
  )
}

/** Everything about one payment. */
export function paymentView({ facts: rows, records }: Answer<'payment'>): HTMLElement {
  return el(
    'article',
    {},
    el('h2', {}, t`Payment`),
    section(t`Fields`, facts(rows)),
    section(t`History`, facts(records)),
  )
}

/** What happened to a transaction of the sandbox. */
export function transactionView(id: string, { steps }: Answer<'transaction'>): HTMLElement {
  const timeOf = (at: string) => el('div', { class: 'muted' }, instantText(parseInstant(at) ?? null))
  const rows = steps.map((step) => el('li', {}, timeOf(step.at), el('div', { class: 'lines' }, lines(stepLines(step)))))
  return el('article', {}, el('h2', {}, id), section(t`History`, el('ul', { class: 'steps' }, ...rows)))
}

function nameOf(row: EventRow): string {
  return [numberText(row), eventTime(row), eventName(row)].join(' ')
}

const MARKS = { same: ' ', first: '−', second: '+' }

function differences(compared: readonly DiffLine[]): HTMLElement {
  const shown = compared.map(([mark, text]) =>
    el('span', { class: `line ${mark}` }, lines([`${MARKS[mark]} ${text}`, ''])),
  )
  return el('pre', { class: 'diff' }, ...shown)
}

/** Decodes Base64. */
export function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
}

/** The bytes in hexadecimal, and as ASCII where they are. */
function bytesView(bytes: Uint8Array<ArrayBuffer>, key: string): Node[] {
  const shown = bytes.subarray(0, SHOWN_BYTES_MAX)
  const dump: string[] = []
  for (let at = 0; at < shown.length; at += BYTES_PER_LINE) {
    const part = [...shown.subarray(at, at + BYTES_PER_LINE)]
    const hex = part.map((byte) => byte.toString(16).padStart(2, '0')).join(' ')
    const text = part.map((byte) => (byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : '·')).join('')
    dump.push(`${at.toString(16).padStart(6, '0')}  ${hex.padEnd(BYTES_PER_LINE * 3 - 1)}  ${text}`)
  }
  const isCut = shown.length < bytes.length
  const save = () => {
    const url = URL.createObjectURL(new Blob([bytes], { type: 'application/octet-stream' }))
    el('a', { href: url, download: t`event-${key}.bin` }).click()
    URL.revokeObjectURL(url)
  }
  const attributes = { class: 'bytes', tabindex: '0', role: 'region', 'aria-label': t`Exact bytes` }
  return [
    ...(isCut ? [el('p', {}, t`Only the first ${shown.length} bytes are shown; the file has all of them`)] : []),
    el('pre', attributes, lines(dump)),
    button(t`Save as a file`, save),
  ]
}

/** Copies the curl command that sends a delivery, and returns what a person is told. A command that cannot be copied is shown. */
export async function copyCommand(key: string): Promise<string> {
  const { command, note } = await fetchData('curl', { key })
  try {
    await navigator.clipboard.writeText(command)
  } catch (error) {
    if (!(error instanceof DOMException)) throw error
    const title = t`Copy this command`
    const area = el('textarea', { rows: '8', readonly: true, 'aria-label': title })
    area.value = command
    openDialog(title, (close) => [area, buttons(close)])
    area.select()
    return t`The browser does not let this page copy; select the command and copy it`
  }
  const copied = t`The curl command is copied`
  return note === '' ? copied : `${copied}. ${note}`
}
